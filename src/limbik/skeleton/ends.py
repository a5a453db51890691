"""The ends of a figure that can be sent to targets: hands, feet, head, chest and pelvis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik import arguments
from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, ChoiceError
from limbik.skeleton.limb_finding import as_limb
from limbik.skeleton.reach import frame_by_frame
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.torso import NamedEnd, Torso, end_name

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.pose import Pose

TORSO_PARTS = ("head", "chest", "pelvis")
WIDTHS = {"position": 3, "rotation": 4, "direction": 3, "pole": 3}
STANDING, FREE, PELVIS = range(3)  # the order in which ends are kept by default


@dataclass(frozen=True, eq=False)
class Goal:
    """What an end of a figure should do, in the world; each array has one row for each frame, or one for all.

    Args:
        position: (..., 3), where the end's joint goes, metres (default: anywhere).
        rotation: (..., 4), the rotation of the end's joint, quaternions xyzw (default: the feet of limbs that stand
            keep theirs; hands keep their angle to the forearm, and pelvis and chest the one that the pose has).
        direction: (..., 3), where a head looks, or where the bone beyond a hand or foot points.
        pole: (..., 3), the direction in which the elbow or knee points (default: as in the pose).
        weight: Its part of a miss that ends of one rank share is the smaller, the larger its weight.

    Raises:
        ArgumentError: There is neither a position nor a rotation nor a direction, or the weight is not positive.
    """

    position: ArrayLike | None = None
    rotation: ArrayLike | None = None
    direction: ArrayLike | None = None
    pole: ArrayLike | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.position is None and self.rotation is None and self.direction is None:
            raise ArgumentError("Goal", "no target", "a position, a rotation or a direction")
        object.__setattr__(self, "weight", arguments.positive("weight", self.weight))


EndName = str | RigLimb | tuple[str | int, ...]
"""An end: "left_hand", "right_foot", "head", "chest", "pelvis", the name of a limb, a limb, or its joints."""


class End(NamedTuple):
    """An end of a figure with its goal, broadcast to the poses."""

    name: str
    joint: int
    limb: RigLimb | None  # None for head, chest and pelvis
    carrier: int | None  # the joint of the torso that carries it: see `Torso.carrier`
    rank: int
    weight: float
    position: Array | None
    rotation: Array | None
    direction: Array | None
    pole: Array | None


def find_end(torso: Torso, name: EndName) -> NamedEnd:
    """The end of a figure that callers name."""
    skeleton = torso.skeleton
    if isinstance(name, str):
        lowered = name.lower()
        if lowered in TORSO_PARTS:
            joint: int | None = getattr(torso, lowered)
            if joint is None:
                raise ArgumentError("end", repr(name), "a figure in which a joint above the chest is found as its head")
            return NamedEnd(lowered, joint, None)
        limb = torso.ends.get(lowered) or skeleton.limbs.get(lowered)
        if limb is None:
            raise ChoiceError("end", name, [*torso.ends, *TORSO_PARTS])
        return NamedEnd(end_name(limb.name), limb.joints[-1], limb)
    limb = as_limb(skeleton, name, "end")
    return NamedEnd(end_name(limb.name) or skeleton.names[limb.joints[-1]], limb.joints[-1], limb)


def are_named(targets: object, hold: object, order: object) -> bool:
    """Whether all ends are given by name; raises an error where these are not what `reach_ends` takes."""
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError("targets", shown(targets), 'ends and their targets, such as {"left_hand": (x, y, z)}')
    several = _check_ends("hold", () if hold is None else hold), _check_ends("order", order)
    return all(isinstance(name, str) for names in (targets, *several) for name in names)


def as_ends(
    pose: Pose,
    torso: Torso,
    targets: Mapping[EndName, ArrayLike | Goal],
    hold: Sequence[EndName] | None,
    order: Sequence[EndName],
    positions: Array,
    rotations: Array,
) -> list[End]:
    """The ends that have a goal or are held, in the order in which they are kept.

    positions and rotations: of all joints in the world.
    """
    found = {end.joint: (end, value) for name, value in targets.items() for end in [find_end(torso, name)]}
    if len(found) < len(targets):
        raise ArgumentError("targets", shown(list(targets)), "each end once")
    held = torso.standing if hold is None else [find_end(torso, name) for name in hold]
    for end in held:
        if end.joint not in found:
            stands = end.limb is not None and end.limb.stands
            turn = rotations[..., end.joint, :] if stands else None
            found[end.joint] = end, Goal(positions[..., end.joint, :], turn)
    ranked = [find_end(torso, name).joint for name in order]
    ends = [_end(pose, torso, *one, ranked, rotations) for one in found.values()]
    return sorted(ends, key=lambda end: end.rank)


def _check_ends(argument: str, names: object) -> Sequence[object]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ArgumentError(argument, shown(names), 'a sequence of ends, such as ("left_foot", "right_foot")')
    return names


def _end(
    pose: Pose,
    torso: Torso,
    end: NamedEnd,
    value: ArrayLike | Goal,
    ranked: list[int],
    rotations: Array,
) -> End:
    """An end with its goal broadcast to the poses."""
    name, joint, limb = end
    goal = value if isinstance(value, Goal) else Goal(value)
    if limb is None and goal.pole is not None:
        raise ArgumentError(f"{name}: pole", shown(goal.pole), "a pole for hands and feet only")
    if goal.direction is not None and name in ("chest", "pelvis"):
        raise ArgumentError(
            f"{name}: direction", shown(goal.direction), "a rotation; heads, hands and feet have directions"
        )
    if limb is not None and goal.position is None:
        raise ArgumentError(f"{name}: position", "None", "a position: only head, chest and pelvis do without")
    arrays = {
        part: None if given is None else frame_by_frame(pose, f"{name}: {part}", given, width)
        for part, width in WIDTHS.items()
        for given in [getattr(goal, part)]
    }
    if limb is not None and limb.stands and goal.rotation is None and goal.direction is None:
        arrays["rotation"] = rotations[..., joint, :]
    usual = PELVIS if name == "pelvis" else STANDING if limb is not None and limb.stands else FREE
    rank = ranked.index(joint) if joint in ranked else len(ranked) + usual
    root = joint if limb is None else limb.joints[0]
    return End(name, joint, limb, torso.carrier(root), rank, goal.weight, **arrays)


def span(limb: RigLimb | None, positions: Array) -> tuple[Array, Array]:
    """How far (...,) the end of a limb may be, and must be, from its root; positions of all joints (..., joints, 3)."""
    if limb is None:
        none = np.zeros(positions.shape[:-2])
        return none, none
    if positions.ndim == 2:  # one pose: floats are faster
        far, near = span_of_points(positions[list(limb.joints)].tolist())
        return np.asarray(far), np.asarray(near)
    links = np.linalg.norm(np.diff(positions[..., list(limb.joints), :], axis=-2), axis=-1)
    total = np.sum(links, axis=-1)
    return total, np.maximum(2.0 * np.max(links, axis=-1) - total, 0.0)


def span_of_points(points: Sequence[Sequence[float]]) -> tuple[float, float]:
    """How far the end of one limb in one pose may be, and must be, from its root; from its joints."""
    links = [dist(a, b) for a, b in pairwise(points)]
    far = sum(links)
    return far, max(2.0 * max(links) - far, 0.0)
