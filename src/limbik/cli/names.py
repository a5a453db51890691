"""Names of the parts of a limb and its answers."""

from __future__ import annotations

from limbik.limbs.solution import ANGLE_NAMES, JOINT_NAMES

AXES = "xyz"
LINKS = ("first", "second", "last")


def angle_names(kind: str) -> tuple[str, ...]:
    """The joint angles, in the order of `Solution.angles`."""
    return ANGLE_NAMES[kind]


def joint_names(kind: str) -> tuple[str, ...]:
    """The joints, in the order of `Solution.joints`."""
    return JOINT_NAMES[kind]


def link_names(kind: str) -> tuple[str, ...]:
    """The links, in the order of `Solution.rotations`."""
    return LINKS[: len(joint_names(kind)) - 1]


def has_rotations(kind: str) -> bool:
    """Whether the limb moves in space, so that its links have rotations."""
    return kind != "planar"


def unit(degrees: bool) -> str:
    """The unit of angles, short."""
    return "deg" if degrees else "rad"
