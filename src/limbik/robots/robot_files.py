"""Reads a robot's file: its root element tells the format."""

from __future__ import annotations

from pathlib import Path

from limbik.errors import FileError, shown
from limbik.robots.description import RobotSpec
from limbik.robots.mjcf import read_mjcf
from limbik.robots.urdf import XACRO, read_urdf
from limbik.robots.xml_elements import Element, read_xml

OTHERS = {
    "sdf": "is SDF, which limbik does not read; load the robot's URDF or MJCF file",
    "mujocoinclude": "is a part that other MJCF files include; load the file that includes it",
    "COLLADA": "is a COLLADA mesh; load the URDF or MJCF file that refers to it",
}


def read_robot(path: Path) -> RobotSpec:
    """The robot in a URDF or MJCF file."""
    if path.suffix.lower() == ".xacro":
        raise FileError(path, "", XACRO)
    return describe(read_xml(path))


def describe(root: Element) -> RobotSpec:
    """The robot that a root element describes."""
    if root.tag == "robot":
        return read_urdf(root)
    if root.tag == "mujoco":
        return read_mjcf(root)
    root.fail(OTHERS.get(root.tag, f"is the root; expected <robot> (URDF) or <mujoco> (MJCF), not {shown(root.tag)}"))
