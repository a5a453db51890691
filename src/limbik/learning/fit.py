"""Positions of joints become a clip: rotations on a figure made from their bones, or on the caller's."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from limbik import arguments
from limbik.arrays import Array
from limbik.errors import ArgumentError, ChoiceError, ShapeError, shown
from limbik.files.bvh.bvh_reader import guess_figure_unit
from limbik.files.clip_files import load
from limbik.grounding.smoothing import smooth as averaged
from limbik.learning.bone_frames import Tree, sides_of, turns_from_rest
from limbik.learning.contacts import with_contacts
from limbik.learning.figure_map import map_joints
from limbik.learning.rest_pose import standing_figure
from limbik.learning.standing_root import has_no_path, standing_path
from limbik.rotations import inverse, multiply, normalized
from limbik.skeleton.clip import Clip
from limbik.skeleton.joint_layouts import LAYOUT_NAMES, JointLayout, layout_of
from limbik.skeleton.kinematics import world_matrices
from limbik.skeleton.limb_finding import NoLimbsError
from limbik.skeleton.naming import read_all
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton, freeze
from limbik.skeleton.symmetry import symmetry
from limbik.skeleton.units import Unit, as_unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

FigureLike = Skeleton | Pose | str | os.PathLike[str]
# The axes of a frame with +y up, in one whose axis of this name points up: their numbers, and their signs.
AXES_OF_Y_UP = {
    "y": ((0, 1, 2), (1, 1, 1)),
    "z": ((0, 2, 1), (1, 1, -1)),
    "x": ((1, 0, 2), (-1, 1, 1)),
    "-y": ((0, 1, 2), (1, -1, -1)),
    "-z": ((0, 2, 1), (1, -1, 1)),
    "-x": ((1, 0, 2), (1, -1, 1)),
}
MAX_POSITION = 1e9  # in any unit
MIN_BEND_SINE = 0.1  # of a limb at rest: a straighter one does not show its hinge


@overload
def fit(
    positions: Sequence[ArrayLike],
    names: str | Sequence[str] | None = None,
    figure: FigureLike | None = None,
    *,
    fps: float | None = None,
    parents: Sequence[int] | None = None,
    smooth: float = 0.0,
    unit: str | float | Unit = "auto",
    up_axis: str = "auto",
) -> list[Clip]: ...
@overload
def fit(
    positions: Array,
    names: str | Sequence[str] | None = None,
    figure: FigureLike | None = None,
    *,
    fps: float | None = None,
    parents: Sequence[int] | None = None,
    smooth: float = 0.0,
    unit: str | float | Unit = "auto",
    up_axis: str = "auto",
) -> Clip: ...
def fit(
    positions: Array | Sequence[ArrayLike],
    names: str | Sequence[str] | None = None,
    figure: FigureLike | None = None,
    *,
    fps: float | None = None,
    parents: Sequence[int] | None = None,
    smooth: float = 0.0,
    unit: str | float | Unit = "auto",
    up_axis: str = "auto",
) -> Clip | list[Clip]:
    """Turns positions of joints into a clip: rotations, bone lengths, and when feet stand.

    Bones are as long as in the median of the frames, and have exactly the directions that the positions show; where
    bones are of constant length, joints are exactly at the positions. What positions do not show, the roll of an arm or
    a leg about its bones, follows from the hinges of knees and elbows. Nothing is learned, nothing iterates.

    Args:
        positions: (frames, joints, 3) positions of joints in the world; or several clips of one figure, as a list of
            such arrays or (clips, frames, joints, 3), which share its bone lengths.
        names: What the joints are: "humanml3d" (22), "kit" (21), "kimodo" (30, 77 or 34), "mediapipe" (33), "coco"
            (17), "smpl" (24), "smplh" (52), "smplx" (55); or the name of each joint (default: by their number).
        figure: A figure to be posed: a skeleton, a pose or clip, or the path of a file. Its joints are matched by name,
            and by what limbs and spine they belong to. The path of the root is scaled by the legs' lengths (default: a
            figure made from the positions, at rest in a T-pose).
        fps: Frames a second (default: the usual one of the layout, such as 20 for "humanml3d"; else 30).
        parents: (joints,) the number of each joint's parent, -1 for the root, where `names` are the joints' own.
        smooth: Seconds to either side of a frame over which positions are averaged first, against noise.
        unit: Unit of the positions: "m", "cm", "mm", or its size in metres (default: guessed from the figure's size).
        up_axis: The axis that points up: "x", "y", "z", "-x", "-y" or "-z" (default: from feet to head).

    Returns:
        The clip, or a list of clips where several were passed. `contacts` are found from the motion. Where the root
        never moves, as in MediaPipe's, its path is found from the feet that stand.

    Raises:
        ArgumentError: An argument is not one of the above; a position is not finite.
        ShapeError: An array is not (frames, joints, 3), or has not as many joints as there are names.
        FileError: The figure's file cannot be read.
    """
    several = not isinstance(positions, np.ndarray) or positions.ndim == 4
    parts = [_as_positions(part) for part in (positions if several else [positions])]
    if not parts:
        raise ArgumentError("positions", "no clips", "at least one array (frames, joints, 3)")
    layout = _layout_of(names, parents, [part.shape[1] for part in parts])
    rate = layout.fps if fps is None else arguments.positive("fps", fps, "frames a second")
    seconds = arguments.number("smooth", smooth, 0.0, unit="seconds")
    joints = [layout.joints_of(part) for part in parts]
    turn = _turn_to_y_up(layout, joints, up_axis)
    joints = [turn(part) for part in joints]
    if seconds:
        joints = [averaged(part.reshape(len(part), -1), round(seconds * rate)).reshape(part.shape) for part in joints]
    whole = joints[0] if len(joints) == 1 else np.concatenate(joints)
    metres = _unit_of(layout, whole, unit).metres
    joints, whole = [part * metres for part in joints], whole * metres
    own = standing_figure(layout.names, layout.parents, whole)
    target = _Target(own, own, None) if figure is None else _target_of(own, figure)
    clips = [_clip_of(part, target, own, rate) for part in joints]
    return clips if several else clips[0]


class _Target(NamedTuple):
    """The figure that is posed, its clip where it is from a file, and its joint for each one of the positions."""

    own: Skeleton
    skeleton: Skeleton
    clip: Clip | None
    joints: tuple[int, ...] | None = None  # -1 where it has none; None for the positions' own figure


def _as_positions(value: object) -> Array:
    found = arguments.numbers("positions", value)
    if found.ndim != 3 or found.shape[-1] != 3 or not found.size:
        raise ShapeError("positions", found.shape, "(frames, joints, 3), or a list of such arrays")
    if np.abs(found).max() > MAX_POSITION:
        raise ArgumentError("positions", f"{np.abs(found).max():g}", f"positions within {MAX_POSITION:g} of the origin")
    return found


def _layout_of(names: str | Sequence[str] | None, parents: Sequence[int] | None, counts: list[int]) -> JointLayout:
    """The layout of arrays of so many joints."""
    if len(set(counts)) > 1:
        raise ArgumentError("positions", f"clips of {sorted(set(counts))} joints", "clips of one figure")
    if names is None or isinstance(names, str):
        if isinstance(names, str) and names not in LAYOUT_NAMES:
            raise ChoiceError("names", names, LAYOUT_NAMES)
        found = layout_of(counts[0], names)
        if found is None:
            rows = "names of the joints, and parents" if names is None else f"the joints of {names!r}"
            raise ShapeError("positions", ("frames", counts[0], 3), f"(frames, joints, 3) with {rows}")  # pyright: ignore[reportArgumentType]
        return found
    labels = tuple(names)
    if len(labels) != counts[0] or not all(isinstance(label, str) and label for label in labels):
        raise ArgumentError("names", shown(names), f"a layout, or {counts[0]} texts, one for each joint")
    if len(set(labels)) < len(labels):
        raise ArgumentError("names", shown(names), "names that differ")
    above = arguments.numbers("parents", [] if parents is None else parents)
    if above.shape != (len(labels),) or not np.all((above >= -1) & (above < np.arange(len(labels)))):
        raise ArgumentError(
            "parents", shown(parents), f"{len(labels)} joint numbers, each below its own, -1 for a root"
        )
    if np.sum(above < 0) != 1:
        raise ArgumentError("parents", shown(parents), "one root, whose parent is -1")
    hung = ["" if one < 0 else labels[int(one)] for one in above]
    return JointLayout("", len(labels), tuple(zip(labels, hung, strict=True)))


def _turn_to_y_up(layout: JointLayout, joints: list[Array], up_axis: str) -> Callable[[Array], Array]:
    """The function that turns positions so that +y is up."""
    choice = arguments.choice("up_axis", up_axis, ("auto", *AXES_OF_Y_UP))
    if choice == "auto":
        choice = _up_axis(layout, joints)
    order, signs = AXES_OF_Y_UP[choice]
    return lambda part: part if choice == "y" else part[..., list(order)] * signs


def _up_axis(layout: JointLayout, joints: list[Array]) -> str:
    """The axis that points from the feet to the head, or away from the legs."""
    readings = read_all(layout.names, layout.parents.tolist(), ())
    legs = [k for k, one in enumerate(readings) if one.kind == "leg" and one.part in ("end", "toe")]
    top = [k for k, name in enumerate(layout.names) if "head" in name.lower() or "neck" in name.lower()]
    if not (legs and top):
        return "y"
    tall = np.mean([np.mean(part[:, top].mean(axis=1) - part[:, legs].mean(axis=1), axis=0) for part in joints], axis=0)
    axis = int(np.argmax(np.abs(tall)))
    return f"{'-' if tall[axis] < 0.0 else ''}{'xyz'[axis]}"


def _unit_of(layout: JointLayout, joints: Array, unit: str | float | Unit) -> Unit:
    if unit != "auto":
        return as_unit(unit)
    parents = layout.parents
    bones = np.median(np.linalg.norm(joints - joints[:, parents], axis=-1), axis=0)
    bones[parents < 0] = 0.0
    return guess_figure_unit(parents, bones[:, None] * [1.0, 0.0, 0.0])


def _target_of(own: Skeleton, figure: FigureLike) -> _Target:
    if isinstance(figure, str | os.PathLike):
        figure = load(figure)
    if not isinstance(figure, Skeleton | Pose):
        raise ArgumentError("figure", shown(figure), "a Skeleton, Pose or Clip, or the path of a file")
    skeleton = figure if isinstance(figure, Skeleton) else figure.skeleton
    found = map_joints(own, skeleton)
    return _Target(own, skeleton, figure if isinstance(figure, Clip) else None, found)


def _clip_of(positions: Array, target: _Target, own: Skeleton, fps: float) -> Clip:
    skeleton = target.skeleton
    tracked = tuple(range(len(own))) if target.joints is None else target.joints
    rows = [k for k, joint in enumerate(tracked) if joint >= 0]
    known = [tracked[k] for k in rows]
    pelvis, legs = rows[0], _legs_of(own)
    length = float(own.lengths[[joint for leg in legs for joint in leg[1:3]]].sum()) / max(len(legs), 1)
    if legs and has_no_path(positions, pelvis):
        feet = [[leg[2], *_below(own, leg[2])] for leg in legs]
        positions = positions + standing_path(positions, feet, fps, length)[:, None]
    tree = _tree_of(skeleton, known)
    turns = turns_from_rest(tree, np.ascontiguousarray(positions[:, rows].transpose(1, 2, 0)))
    rest = Pose.rest(skeleton)
    clip = Clip(
        skeleton,
        freeze(_local_rotations(skeleton, known, turns, rest.world()[1])),
        freeze(_translations(skeleton, known[0], positions[:, pelvis], _scale(own, skeleton, target))),
        rest.scales,
        fps=fps,
    )
    if target.clip is not None:
        moved = {name: getattr(clip, name) for name in ("rotations", "translations", "scales", "fps")}
        clip = target.clip.with_(**moved, start=0.0, name="", feet=(), contacts=None)
    return with_contacts(clip)


def _below(skeleton: Skeleton, joint: int) -> list[int]:
    """All joints below a joint."""
    found = list(skeleton.children[joint])
    for one in found:
        found.extend(skeleton.children[one])
    return found


def _legs_of(skeleton: Skeleton) -> list[tuple[int, ...]]:
    try:
        return [limb.joints for limb in skeleton.limbs.values() if limb.kind == "leg"]
    except NoLimbsError:
        return []


def _scale(own: Skeleton, skeleton: Skeleton, target: _Target) -> float:
    """How many times longer the figure's legs are than those of the positions."""
    if target.joints is None:
        return 1.0
    places = [Pose.rest(one).positions() for one in (own, skeleton)]
    lines = [[joint for joint in leg if target.joints[joint] >= 0] for leg in _legs_of(own)]
    lengths = [
        sum(float(np.linalg.norm(place[one[b]] - place[one[a]])) for line in lines for a, b in pairwise(line))
        for place, one in zip(places, (range(len(own)), target.joints), strict=True)
    ]
    return lengths[1] / lengths[0] if min(lengths) > 0.0 else 1.0


def _tree_of(skeleton: Skeleton, known: list[int]) -> Tree:
    """The tree of some joints of a figure, which come in the order of the positions' own."""
    number = {joint: k for k, joint in enumerate(known)}
    parents = []
    for joint in known:
        above = (number[one] for one in skeleton.ancestors(joint) if one in number)
        parents.append(next(above, -1))
    rest = Pose.rest(skeleton).positions()[known]
    partners, left = sides_of(skeleton, known)
    return Tree(parents, rest, partners, left, _hinges(skeleton, number, rest))


def _hinges(skeleton: Skeleton, number: dict[int, int], rest: Array) -> dict[int, Array]:
    """The hinges of knees and elbows at rest, by the joint's number among the known ones."""
    found: dict[int, Array] = {}
    try:
        limbs = skeleton.limbs.values()
        ahead = symmetry(skeleton).forward
    except NoLimbsError:
        return found
    for limb in limbs:
        line = [number[joint] for joint in limb.joints if joint in number]
        for upper, middle, lower in zip(line, line[1:], line[2:], strict=False):
            above, below = normalized(rest[middle] - rest[upper]), normalized(rest[lower] - rest[middle])
            hinge = np.cross(above, below)
            bend = -ahead if limb.kind == "leg" and len(limb.joints) == 3 else ahead
            if np.linalg.norm(hinge) < MIN_BEND_SINE:
                hinge = np.cross(above, bend)
            if np.linalg.norm(hinge) >= MIN_BEND_SINE:
                found[middle] = normalized(hinge)
    return found


def _local_rotations(skeleton: Skeleton, known: list[int], turns: Array, at_rest: Array) -> Array:
    """Local rotations (frames, joints, 4) from the turns (known, frames, 4) away from rest, in the world."""
    number = {joint: k for k, joint in enumerate(known)}
    owner: list[int] = []  # whose turn each joint follows, -1 for none
    for joint, parent in enumerate(skeleton.parents.tolist()):
        owner.append(number.get(joint, owner[parent] if parent >= 0 else -1))
    rotations = np.empty((turns.shape[1], len(skeleton), 4))
    identity = not np.any(at_rest[:, :3])
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = owner[parent] if parent >= 0 else -1
        if owner[joint] == above:
            rotations[:, joint] = skeleton.rotations[joint]
            continue
        local = turns[owner[joint]] if above < 0 else multiply(inverse(turns[above]), turns[owner[joint]])
        if not identity:
            before = at_rest[parent] if parent >= 0 else np.array([0.0, 0.0, 0.0, 1.0])
            local = multiply(multiply(inverse(before), local), at_rest[joint])
        rotations[:, joint] = local
    return rotations


def _translations(skeleton: Skeleton, pelvis: int, path: Array, scale: float) -> Array:
    """Local translations (frames, joints, 3) that bring the pelvis to a path (frames, 3), scaled."""
    translations = np.tile(skeleton.translations, (len(path), 1, 1))
    parent = int(skeleton.parents[pelvis])
    wanted = path * scale
    if parent >= 0:
        frames = world_matrices(skeleton.parents, skeleton.rotations, skeleton.translations, skeleton.scales)
        wanted = (wanted - frames[parent, :, 3]) @ np.linalg.inv(frames[parent, :, :3]).T
    translations[:, pelvis] = wanted
    return translations
