"""Finds the limbs of a skeleton, its legs and arms, by the names of joints or by their shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import instance, shown
from limbik.errors import ArgumentError, ChoiceError, LimbikError
from limbik.skeleton.rest_figure import COINCIDENT_SIZES, MIN_LIMB_JOINTS, SHORT_LAST_BONE, RestFigure
from limbik.skeleton.skeleton import RigLimb, Skeleton, tree
from limbik.skeleton.standing_rest import standing_skeleton
from limbik.skeleton.symmetry import FACING, UP, Symmetry, symmetry

if TYPE_CHECKING:
    from limbik.skeleton.pose import Pose

KINDS = ("leg", "arm")
SIDES = ("left", "right")
END_NAMES = ("hand", "foot", "head", "chest", "pelvis")  # of reach, not limbs
# The smallest length of a limb relative to the figure's size, and of arms relative to the longest arms.
MIN_LIMB_SIZES, MIN_ARM_LENGTHS = 0.15, 0.6
# The largest difference in height of the ends of arms and legs that stand, relative to the figure's height.
MAX_LEVEL_HEIGHTS = 0.1
MAX_LEG_JOINTS = 4  # joints of a leg; longer chains are tentacles, or have more than a leg in them
# Joints closer to the middle than this fraction of the figure's size carry a limb: collar bones, halves of a pelvis.
MAX_MIDDLE_SIZES = 0.02


class NoLimbsError(LimbikError):
    """No limbs were found in a skeleton."""

    def __init__(self, skeleton: Skeleton) -> None:
        super().__init__(
            "no limbs found: no joints are named as parts of legs or arms, and no two chains of three joints or more "
            "mirror each other and stand on the ground. Name them from root to tip, by joint names or numbers: "
            'limbik.find_limbs(skeleton, left_arm=("Shoulder", "Elbow", "Hand")). The joints are:\n'
            + "\n".join(tree(skeleton, most=60))
        )


class UnknownLimbError(ChoiceError, KeyError):
    """A name that none of a skeleton's limbs has."""

    def __init__(self, name: object, limbs: Iterable[str]) -> None:
        super().__init__("limb", name, limbs)
        if isinstance(name, str) and name.lower().endswith(END_NAMES):
            self.args = (f"{self.args[0]}; an end and its targets are a dict: reach({{{name.lower()!r}: targets}})",)

    __str__ = LimbikError.__str__  # KeyError's would show the message as a quoted text


class Limbs(dict[str, RigLimb]):
    """The limbs of a skeleton by name: a dict whose errors list the names that there are."""

    def __missing__(self, name: object) -> RigLimb:
        raise UnknownLimbError(name, self)


def find_limbs(figure: Skeleton | Pose, **joints: Sequence[str | int]) -> Limbs:
    """The legs and arms of a figure: "left_leg", "right_leg", "left_arm", "right_arm".

    Limbs are found by what the file says they are (VRM), by the names of joints or, where those say nothing, by the
    shape of the figure at rest. An animal's front legs are its arms; their `stands` is true. Several limbs of a kind
    are numbered from front to back: "left_leg_1", "left_leg_2".

    Args:
        figure: A skeleton, pose or clip. One that does not stand at rest is read from its poses; of a skeleton alone
            all legs stand.
        **joints: Limbs to add or replace, by names of the form above: their joints from root to tip, by name or number.

    Returns:
        The limbs by name, a dict.

    Raises:
        NoLimbsError: No limbs were found, and none were passed.
        ArgumentError: `figure` is something else, or the joints of a passed limb do not exist or are not a chain.
    """
    skeleton = figure if isinstance(figure, Skeleton) else _skeleton_of(figure)
    if not len(skeleton):
        raise NoLimbsError(skeleton)
    at_rest = RestFigure(skeleton)
    named = {name: _limb_of_joints(at_rest, name, chain) for name, chain in joints.items()}
    found = limbs_by_name(at_rest)
    if not any(limb.kind == "leg" for limb in found):
        found += _legs_beside(found, _by_shape(at_rest)) or limbs_by_name(at_rest, [""])
    limbs = _name_limbs(at_rest, found) | named
    if not limbs:
        raise NoLimbsError(skeleton)
    return Limbs(_correct_standing({name: _add_toes(at_rest, limb) for name, limb in limbs.items()}, at_rest))


def _skeleton_of(figure: Any) -> Skeleton:
    """The skeleton of a pose or clip, which stands at rest if the figure does so in it."""
    from limbik.skeleton.pose import Pose

    return standing_skeleton(instance("figure", figure, Pose, "a Skeleton, Pose or Clip"))


def as_limb(skeleton: Skeleton, limb: RigLimb | str | Sequence[str | int], argument: str = "limb") -> RigLimb:
    """A limb from what callers may pass: a RigLimb, the name of a limb, or joints from root to tip."""
    if isinstance(limb, str):
        return skeleton.limbs[limb.lower()]
    joints: Any = limb.joints if isinstance(limb, RigLimb) else limb
    if not isinstance(joints, Sequence | np.ndarray) or len(joints) < MIN_LIMB_JOINTS:
        wanted = (
            f"a limb of find_limbs, its name, or at least {MIN_LIMB_JOINTS} joints, by name or number, from root to tip"
        )
        raise ArgumentError(argument, shown(limb), wanted)
    numbers = tuple(skeleton.index(joint) for joint in joints)
    for above, below in pairwise(numbers if not may_end_in(skeleton, numbers[:-1], numbers[-1]) else numbers[:-1]):
        skeleton.path(above, below)  # raises where one is no descendant of the other
    return replace(limb, joints=numbers) if isinstance(limb, RigLimb) else RigLimb("", "", "", numbers)


def may_end_in(skeleton: Skeleton, line: Sequence[int], end: int) -> bool:
    """Whether a joint that is no descendant of a limb's others may end it: it hangs from what carries the limb.

    That is a foot with an IK control, a child of the rig's root; nothing between them is part of another limb.
    """
    over, branch, joint = {line[0], *skeleton.ancestors(line[0])}, [], end
    while joint >= 0 and joint not in over:
        branch.append(skeleton.readings[joint])
        joint = int(skeleton.parents[joint])
    sides = {skeleton.readings[one].side for one in (*line, end)} - {""}
    separate = bool(branch) and joint != line[0] and len(sides) < 2
    return separate and all(one.helper or one.part in ("", "end", "toe") for one in branch)


def limbs_by_name(figure: RestFigure, sides: Sequence[str] = SIDES) -> list[RigLimb]:
    """The limbs that the names of joints show; they have no names of their own yet."""
    return [
        RigLimb("", kind, side, tuple(joints))
        for kind in KINDS
        for side in sides
        for joints in _chains_by_name(figure, kind, side)
    ]


def _legs_beside(named: list[RigLimb], shaped: list[RigLimb]) -> list[RigLimb]:
    """The limbs found by shape; where names show arms, the legs among them that share no joint with those."""
    taken = {joint for limb in named for joint in limb.joints}
    free = [limb for limb in shaped if not named or limb.kind == "leg"]
    return [limb for limb in free if taken.isdisjoint(limb.joints)]


def _by_shape(figure: RestFigure) -> list[RigLimb]:
    plane = symmetry(figure.skeleton)
    lines = _chains_by_shape(figure, plane)
    # The figure faces where its toes point, unless names tell left from right.
    toes = [figure.positions[figure.line(line[-1])[-1]] - figure.positions[line[-1]] for _, line in lines]
    backward = not plane.named and sum(toe @ plane.forward for toe in toes) < -COINCIDENT_SIZES * figure.size
    left = np.cross(UP, -plane.forward if backward else plane.forward)
    middle = np.median(figure.positions @ left)
    sides = ["left" if np.mean(figure.positions[line] @ left) > middle else "right" for _, line in lines]
    return [RigLimb("", kind, side, tuple(line)) for (kind, line), side in zip(lines, sides, strict=True)]


def _name_limbs(figure: RestFigure, limbs: list[RigLimb]) -> dict[str, RigLimb]:
    """The limbs by name; several of a kind on a side are numbered from front to back."""
    roots = {side: [figure.positions[limb.joints[0]] for limb in limbs if limb.side == side] for side in SIDES}
    forward = FACING
    if all(roots.values()):
        forward = np.cross(np.mean(roots["left"], axis=0) - np.mean(roots["right"], axis=0), UP)
    limbs = sorted(limbs, key=lambda limb: -float(figure.positions[limb.joints[0]] @ forward))
    legs = {side: [limb for limb in limbs if (limb.kind, limb.side) == ("leg", side)] for side in SIDES}
    if len(limbs) == 4 and all(len(pair) == 2 for pair in legs.values()):  # an animal on four feet
        fronts = [pair[0] for pair in legs.values()]
        limbs = [replace(limb, kind="arm") if limb in fronts else limb for limb in limbs]
    labelled: dict[str, RigLimb] = {}
    for kind in KINDS:
        several = any(sum((limb.kind, limb.side) == (kind, side) for limb in limbs) > 1 for side in (*SIDES, ""))
        for side in (*SIDES, ""):
            alike = [limb for limb in limbs if (limb.kind, limb.side) == (kind, side)]
            for number, limb in enumerate(alike, start=1):
                name = "_".join(filter(None, (side, kind, str(number) if several else "")))
                labelled[name] = replace(limb, name=name)
    return labelled


def _add_toes(figure: RestFigure, limb: RigLimb) -> RigLimb:
    toes = figure.toes(limb.joints[-1])
    stands = figure.is_low([limb.joints[-1], *toes])
    return replace(limb, toes=toes if stands or limb.kind == "leg" else (), stands=stands)


def _correct_standing(limbs: dict[str, RigLimb], figure: RestFigure) -> dict[str, RigLimb]:
    """The limbs; beside legs, arms stand only in pairs, and as low as legs do: hands may hang far down."""
    legs = [limb for limb in limbs.values() if limb.kind == "leg"]
    if not legs:
        return limbs
    if not figure.stands(list(limbs.values())):  # the rest pose is none: legs stand by name
        arms = {name: replace(limb, toes=(), stands=False) for name, limb in limbs.items() if limb.kind != "leg"}
        return {name: arms.get(name) or replace(limb, stands=True) for name, limb in limbs.items()}
    feet = min(figure.lowest_of(limb) for limb in legs)
    low = {name for name, limb in limbs.items() if figure.lowest_of(limb) - feet <= MAX_LEVEL_HEIGHTS * figure.height}
    pairs = {name for name in low if name.replace("left_", "right_") in low and name.replace("right_", "left_") in low}
    return {
        name: limb if limb.kind == "leg" or name in pairs else replace(limb, toes=(), stands=False)
        for name, limb in limbs.items()
    }


def _limb_of_joints(figure: RestFigure, name: str, joints: Sequence[str | int]) -> RigLimb:
    form = re.fullmatch(r"(?:(left|right)_)?(leg|arm)(?:_\d+)?", name)
    if not form:
        raise ArgumentError("find_limbs", repr(name), "names such as left_leg, right_arm, left_leg_2 or arm")
    if isinstance(joints, str):
        raise ArgumentError(
            name, repr(joints), f"at least {MIN_LIMB_JOINTS} joints, by name or number, from root to tip"
        )
    numbers = as_limb(figure.skeleton, joints).joints
    for upper, lower in pairwise(numbers):
        if not figure.apart(upper, lower):
            names = f"{figure.skeleton.names[upper]!r} and {figure.skeleton.names[lower]!r}"
            raise ArgumentError(name, f"{names} in one place", "joints with some length between them")
    return RigLimb(name, form[2], form[1] or "", numbers)


def _chains_by_name(figure: RestFigure, kind: str, side: str) -> list[list[int]]:
    """The joints of the limbs of a kind ("leg", "arm") on a side ("left", "right", or "" for none)."""
    members = [
        joint
        for joint, reading in enumerate(figure.readings)
        if (reading.kind, reading.side) == (kind, side)
        and reading.part != "toe"
        and not (reading.helper or figure.skeleton.end_sites[joint])
    ]
    for copy in sorted({figure.readings[joint].copy for joint in members}):
        found = _chains_among(figure, [joint for joint in members if figure.readings[joint].copy == copy])
        if found:
            return found
    return []


def _chains_among(figure: RestFigure, members: list[int]) -> list[list[int]]:
    """The limbs among some joints, one for each joint that is no descendant of another."""
    tops, counts = _topmost_members(figure.skeleton, members)
    branches: dict[int, list[int]] = {}
    for joint in members:
        branches.setdefault(tops[joint], []).append(joint)
    found = []
    for top, branch in branches.items():
        if all(figure.readings[joint].part == "base" for joint in branch):
            continue  # a shoulder or hip alone may carry anything
        # Of several branches, the one that leads to a foot or hand: others are knee caps and the like.
        last = max(branch, key=lambda joint: (figure.readings[joint].part == "end", counts[joint]))
        path = figure.skeleton.path(top, last)
        joints = _limb_joints(figure, path)
        end = None if figure.readings[last].part == "end" else _detached_end(figure, path, members)
        if end is not None:
            joints = _without_base(figure, [*_joints_that_bend(figure, path), end])
        if len(joints) >= MIN_LIMB_JOINTS:
            found.append(joints)
    return found


def _topmost_members(skeleton: Skeleton, members: list[int]) -> tuple[list[int], list[int]]:
    """For each joint the topmost of some joints among itself and its ancestors, -1 for none, and their number."""
    chosen, tops, counts = set(members), [], []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        top, count = (tops[parent], counts[parent]) if parent >= 0 else (-1, 0)
        is_chosen = joint in chosen
        tops.append(joint if is_chosen and count == 0 else top)
        counts.append(count + is_chosen)
    return tops, counts


def _detached_end(figure: RestFigure, path: Sequence[int], members: list[int]) -> int | None:
    """The foot or hand that hangs from another part of the rig than the limb which has none, or else its IK control."""
    limb = figure.readings[path[0]]
    ends = [joint for joint in members if figure.readings[joint].part == "end"]
    if not ends and len(_limb_joints(figure, path)) < MIN_LIMB_JOINTS:
        ends = [
            joint
            for joint, reading in enumerate(figure.readings)
            if reading.control and (reading.kind, reading.side) == (limb.kind, limb.side)
        ]
    ends = [joint for joint in ends if figure.apart(path[-1], joint) and may_end_in(figure.skeleton, path, joint)]
    return min(ends, key=lambda joint: figure.distance(path[-1], joint), default=None)


def _limb_joints(figure: RestFigure, path: Sequence[int]) -> list[int]:
    """The joints of a path that bend: hip, knee and ankle, or shoulder, elbow and wrist, and others."""
    line = _joints_that_bend(figure, path)
    ends = [k for k, joint in enumerate(line) if figure.readings[joint].part == "end"]
    if ends:
        line = line[: _joints_of_limb(figure, line, ends[0])]
    else:
        line = figure.without_short_ends(_joints_that_bend(figure, [*path, *figure.line(path[-1])[1:]]))
    return _as_limb_of_four(figure, _without_base(figure, line))


def _as_limb_of_four(figure: RestFigure, line: list[int]) -> list[int]:
    """A longer chain without a short last bone, a hoof's, and without a first one that lies on the body, a scapula's.

    Limbs of up to four joints bend as legs do; longer ones bend along an arc.
    """
    longest = max(figure.bones(line), default=0.0)
    if len(line) > MAX_LEG_JOINTS and figure.distance(line[-2], line[-1]) < SHORT_LAST_BONE * longest:
        line = line[:-1]
    if len(line) > MAX_LEG_JOINTS:
        line = line[1:]
    return line


def _without_base(figure: RestFigure, line: list[int]) -> list[int]:
    """The joints of a limb without a collar bone or half of a pelvis that carries it."""
    if (
        len(line) > MIN_LIMB_JOINTS
        and figure.readings[line[0]].part == "base"
        and figure.readings[line[1]].part in ("upper", "any")
    ):
        return line[1:]
    return line


def _joints_that_bend(figure: RestFigure, path: Sequence[int]) -> list[int]:
    """The path without joints that only twist or coincide with others."""
    path = [joint for joint in path if not figure.readings[joint].helper or joint == path[-1]]
    path = figure.without_repetitions(path)
    kept = path[:1]
    for joint, after in pairwise(path[1:]):
        reading, before = figure.readings[joint], figure.readings[kept[-1]]
        named = reading.word and (reading.word != before.word or reading.part == "any")
        if named or figure.bends(kept[-1], joint, after):
            kept.append(joint)
    return [*kept, *path[1:][-1:]]


def _joints_of_limb(figure: RestFigure, line: Sequence[int], end: int) -> int:
    """The number of joints of the limb: past its ankle long bones of the same name belong to it, as in hind legs."""
    longest = max(figure.bones(line), default=0.0)
    word = figure.readings[line[end]].word
    while (
        end + 1 < len(line)
        and figure.readings[line[end + 1]].word == word
        and figure.distance(line[end], line[end + 1]) >= SHORT_LAST_BONE * longest
    ):
        end += 1
    return end + 1


def _chains_by_shape(figure: RestFigure, symmetry: Symmetry) -> list[tuple[str, list[int]]]:
    """Kinds ("leg", "arm") and joints of the limbs on both sides: legs reach the ground, arms are above them."""
    lines = _paired_lines(figure, symmetry)
    pairs = [pair for pair in lines if all(_is_limb(figure, line) for line in pair)]
    legs = [pair for pair in pairs if all(_stands(figure, line) for line in pair)]
    if not legs or any(_hangs_below(figure, pair[0], legs) for pair in lines):
        return []
    hips = np.mean([figure.positions[line[0], 1] for pair in legs for line in pair])
    above = [pair for pair in pairs if pair not in legs and figure.positions[pair[0][0], 1] > hips]
    longest = max((sum(figure.bones(pair[0])) for pair in above), default=0.0)
    arms = [pair for pair in above if sum(figure.bones(pair[0])) >= MIN_ARM_LENGTHS * longest]
    return [("leg", line) for pair in legs for line in pair] + [("arm", line) for pair in arms for line in pair]


def _paired_lines(figure: RestFigure, symmetry: Symmetry) -> list[tuple[list[int], list[int]]]:
    """The chains of counterparts that start in the middle of the figure."""
    partners, parents = symmetry.partners, figure.skeleton.parents
    tops = [
        joint
        for joint in np.flatnonzero(symmetry.paired).tolist()
        if joint < partners[joint] and (parents[joint] < 0 or not symmetry.paired[parents[joint]])
    ]
    aside = np.abs((figure.positions - figure.positions[partners]) @ symmetry.normal) / 2.0
    found = []
    for top in tops:
        line = [joint for joint in figure.line(top) if partners[joint] >= 0]
        while len(line) > MIN_LIMB_JOINTS and aside[line[0]] < MAX_MIDDLE_SIZES * figure.size:
            line.pop(0)
        line = figure.without_short_ends(figure.without_twists(figure.without_short_tail(line)))
        line = _as_limb_of_four(figure, line)
        # Of copies either side may come first: those in one place are paired as they happen to be numbered.
        if not any(_is_copy(figure, line, other) for pair in found for other in pair):
            found.append((line, partners[line].tolist()))
    return found


def _is_copy(figure: RestFigure, line: list[int], other: list[int]) -> bool:
    """Whether the first bones of two chains are in the same place: rigs keep copies of limbs, for controls."""
    return all(
        figure.distance(a, b) < MAX_MIDDLE_SIZES * figure.size for a, b in zip(line[:2], other[:2], strict=False)
    )


def _is_limb(figure: RestFigure, line: list[int]) -> bool:
    return len(line) >= MIN_LIMB_JOINTS and sum(figure.bones(line)) >= MIN_LIMB_SIZES * figure.size


def _hangs_below(figure: RestFigure, line: list[int], legs: list[tuple[list[int], list[int]]]) -> bool:
    """Whether a chain hangs from below all of these legs: then they are arms, and it is part of a leg."""
    heights = figure.positions[:, 1]
    hips = min(heights[pair[0][0]] for pair in legs)
    downward = heights[line[0]] - heights[line[-1]] >= MIN_LIMB_SIZES * figure.size
    return bool(downward and heights[line[0]] < hips - MAX_LEVEL_HEIGHTS * figure.height)


def _stands(figure: RestFigure, line: list[int]) -> bool:
    end = figure.line(line[-1])[-1]
    return figure.is_low([line[-1], end]) and figure.positions[line[-1], 1] < figure.positions[line[0], 1]
