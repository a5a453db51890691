"""What a robot's file says, whatever its format: links, each with its parent and the joints that move it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from limbik.robots.placements import ZERO, Placement, Vector3
from limbik.robots.xml_elements import Element

MAX_LINKS = 5_000  # of one robot
MAX_LINKS_IN_A_ROW = 1_000  # from the root to a tip


@dataclass(frozen=True)
class Mimic:
    """A joint follows another one: its value is multiplier × the other's value + offset.

    Attributes:
        joint: the name of the joint that it follows.
        multiplier: what that joint's value is multiplied by.
        offset: what is added, radians or metres.
    """

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class RobotJoint:
    """A joint that moves a link relative to its parent.

    Attributes:
        name: the joint's name, unique within the robot.
        link: the name of the link that it moves.
        kind: "hinge" (URDF: revolute, continuous) or "slide" (URDF: prismatic).
        axis: (3,), the unit direction about which, or along which, it moves the link, in the link's own frame.
        anchor: (3,), a point on that axis in the link's own frame, metres; always zero in URDF.
        lower, upper: limits, radians or metres; -inf and inf where there are none.
        reference: the value at which the link is where the file places it (MJCF's ref); zero in URDF.
        mimic: the joint that it follows, if it does not move by itself.
        max_velocity: the largest speed, rad/s or m/s; inf where the file has none, as in MJCF.
    """

    name: str
    link: str
    kind: str
    axis: Vector3
    anchor: Vector3 = ZERO
    lower: float = -inf
    upper: float = inf
    reference: float = 0.0
    mimic: Mimic | None = None
    max_velocity: float = inf


@dataclass
class LinkSpec:
    """A link: where it is in its parent's frame, and the joints that move it from there, one after the other."""

    name: str
    parent: int  # −1 for the root
    place: Placement
    element: Element
    joints: list[RobotJoint] = field(default_factory=list)
    floating: bool = False
    held: list[str] = field(default_factory=list)  # names of joints that limbik does not move


class SiteSpec(NamedTuple):
    """A named place on a link."""

    name: str
    link: int
    place: Placement


@dataclass
class RobotSpec:
    """All of a robot: its links with parents before children, and its sites."""

    name: str
    links: list[LinkSpec]
    sites: list[SiteSpec] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)  # names of joints that do not move
    poses: dict[str, dict[str, float]] = field(default_factory=dict)  # named ones: values by the names of joints
    has_world: bool = False  # whether the root is a world around the robot, and none of its links
