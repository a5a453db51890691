"""The rotations of a figure's joints from their positions: bones have the directions seen, and twist as hinges do.

Joints with several children (pelvis, chest, hands) have a frame from these. A joint with one child turns its bone along
the shortest arc from its parent's frame; in a limb, about the bone, so that the hinge is perpendicular to both links.
Where a limb is straight its hinge is unknown, and is interpolated over time. The joints of a spine share the twist
between pelvis and chest.

Vectors have components on axis 0 and frames on axis 1, for speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.formulas import quaternions
from limbik.grounding.smoothing import smooth
from limbik.rotations import from_axes, normalized
from limbik.skeleton.naming import counterpart, tokens
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.timing import ease, intervals

MIN_BONE_RATIO = 1e-6  # of the figure's size: shorter bones have no direction
MIN_SECOND_RATIO = 0.05  # of the longer vector of a frame: a shorter one does not tell the roll
SURE_BEND_SINES = (0.1, 0.25)  # sine of a limb's bend: below the first its hinge is unknown, above the second certain
AVERAGED_FRAMES = 5  # to either side, over which the hinge of a limb that is nearly straight is averaged
LEFT, _, FORWARD = np.eye(3)


class Frame(NamedTuple):
    """A joint's axes at rest, (3, 3), one a row, and in every frame, three of (3, frames)."""

    rest: Array
    axes: tuple[Array, Array, Array]

    def turned(self, vector: Array) -> Array:
        """A vector (3,) given at rest, as it is turned in every frame: (3, frames)."""
        return sum(part * axis for part, axis in zip((self.rest @ vector).tolist(), self.axes, strict=True))  # pyright: ignore[reportReturnType]


@dataclass(frozen=True, eq=False)
class Tree:
    """The joints whose positions are known: their parents, positions at rest, sides, and hinges.

    hinges: for a joint that bends, such as a knee, its hinge at rest, (3,).
    """

    parents: list[int]
    rest: Array  # (joints, 3)
    partners: list[int]  # the counterpart of each joint on the other side, -1 for none
    left: list[bool]  # which of the two is the left one
    hinges: dict[int, Array]

    @property
    def children(self) -> list[list[int]]:
        """The numbers of each joint's children."""
        found: list[list[int]] = [[] for _ in self.parents]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(joint)
        return found


def sides_of(skeleton: Skeleton, joints: Sequence[int]) -> tuple[list[int], list[bool]]:
    """The counterparts of some joints among them by name, -1 for none, and which are on the left."""
    number = {tokens(skeleton.labels[joint]): k for k, joint in enumerate(joints)}
    partners = [number.get(counterpart(skeleton.labels[joint]), -1) for joint in joints]
    return partners, [skeleton.readings[joint].side == "left" for joint in joints]


def turns_from_rest(tree: Tree, positions: Array) -> Array:
    """The rotations (joints, frames, 4) from the rest pose of joints at positions (joints, 3, frames)."""
    frames = _frames_of(tree, positions)
    axes = [np.stack([frame.axes[k] for frame in frames], axis=1) for k in range(3)]
    rest = [np.stack([frame.rest[k] for frame in frames], axis=1)[..., None] for k in range(3)]
    world, at_rest = from_axes(*axes), from_axes(*rest)
    at_rest[:3] *= -1.0
    product: Any = quaternions.multiply(tuple(world), tuple(at_rest))
    return normalized(np.stack(product, axis=-1))


def _frames_of(tree: Tree, positions: Array) -> list[Frame]:
    size = max(float(np.ptp(tree.rest, axis=0).max()), 1e-12)
    seen = [np.median(np.sqrt(_dot(bone, bone))) for bone in positions - positions[tree.parents]]
    lengths = np.linalg.norm([_bone(tree, joint) for joint in range(len(tree.parents))], axis=-1)
    lengths = np.minimum(lengths, seen) / size
    children = tree.children
    frames: list[Frame | None] = [
        _branching_frame(tree, positions, joint, children, lengths) for joint in range(len(children))
    ]
    shared = _spine_shares(tree, frames, children)
    whole = Frame(np.eye(3), tuple(np.broadcast_to(axis[:, None], (3, positions.shape[-1])) for axis in np.eye(3)))  # pyright: ignore[reportArgumentType]
    done: list[Frame] = []
    for joint, below in enumerate(children):
        above = done[tree.parents[joint]] if tree.parents[joint] >= 0 else whole
        frame = frames[joint]
        ahead = [child for child in below if lengths[child] > MIN_BONE_RATIO]
        if frame is None and ahead:
            target = max(ahead, key=lambda child: lengths[child]) if len(ahead) > 1 else ahead[0]
            frame = _aimed_frame(tree, positions, joint, target, above, shared, frames, children)
        done.append(above if frame is None else frame)
    return done


def _bone(tree: Tree, joint: int) -> Array:
    """From a joint's parent to it at rest, (3,)."""
    parent = tree.parents[joint]
    return tree.rest[joint] - tree.rest[parent] if parent >= 0 else np.zeros(3)


def _branching_frame(
    tree: Tree, positions: Array, joint: int, children: list[list[int]], lengths: Array
) -> Frame | None:
    """The frame of a joint from its children; None where they do not tell it."""
    if len(children[joint]) < 2:
        return None
    weights = _frame_weights(tree, positions, joint, children, lengths)
    if weights is None:
        return None
    first, second = (_combined(one, tree.rest[:, :, None])[:, 0] for one in weights)
    axes = [_orthonormal(first, second), _orthonormal(*(_combined(one, positions) for one in weights))]
    return Frame(np.stack(axes[0]), axes[1])


def _combined(weights: dict[int, float], positions: Array) -> Array:
    """A sum of positions (joints, 3, frames) with these weights, (3, frames)."""
    return sum(weight * positions[joint] for joint, weight in weights.items())  # pyright: ignore[reportReturnType]


def _frame_weights(
    tree: Tree, positions: Array, joint: int, children: list[list[int]], lengths: Array
) -> tuple[dict[int, float], dict[int, float]] | None:
    """Two sums of positions that give the axes of a frame: across and up, or along the children and across them."""
    below = children[joint]
    lefts = [child for child in below if tree.left[child] and tree.partners[child] in below]
    if not lefts:
        return _principal_weights(tree, positions, joint, below)
    rights = [tree.partners[child] for child in lefts]
    middle = [child for child in below if child not in (*lefts, *rights)]
    ends = [[_first_apart(one, children, lengths) for one in some] for some in (lefts, rights, middle)]
    across = _mean(ends[0], 1.0) | _mean(ends[1], -1.0)
    sides = _mean([*ends[0], *ends[1]], -1.0)
    width = float(np.linalg.norm(_combined(across, tree.rest[:, :, None])))
    apart = [child for child in middle if np.linalg.norm(_bone(tree, child)) > MIN_SECOND_RATIO * width]
    parent = tree.parents[joint]
    hints = [_mean(apart, 1.0) | sides] if apart else []
    if ends[:2] == [lefts, rights]:
        hints.append({joint: 1.0} | sides)
    hints += [{joint: 1.0, parent: -1.0}] if parent >= 0 else []
    hints += [_mean(ends[2], 1.0) | sides] if middle else []
    return next(((across, hint) for hint in hints if _tells_roll(tree, positions, across, hint)), None)


def _first_apart(joint: int, children: list[list[int]], lengths: Array) -> int:
    """A joint, or the first one below it that is not in its parent's place."""
    while lengths[joint] < MIN_BONE_RATIO and children[joint]:
        joint = children[joint][0]
    return joint


def _mean(joints: Sequence[int], sign: float) -> dict[int, float]:
    return dict.fromkeys(joints, sign / len(joints))


def _tells_roll(tree: Tree, positions: Array, first: dict[int, float], second: dict[int, float]) -> bool:
    """Whether two sums of positions are far from parallel, at rest and in most frames."""
    for places in (tree.rest[:, :, None], positions):
        a, b = (_combined(one, places) for one in (first, second))
        across = _cross(a, b)
        if not np.median(_dot(across, across)) > MIN_SECOND_RATIO**2 * np.median(_dot(a, a)) ** 2 > 0.0:
            return False
    return True


def _principal_weights(
    tree: Tree, positions: Array, joint: int, below: list[int]
) -> tuple[dict[int, float], dict[int, float]] | None:
    """The sums of the bones below a joint that are longest at rest; None where these lie along one line."""
    left, sizes, _ = np.linalg.svd(tree.rest[below] - tree.rest[joint], full_matrices=False)
    if not sizes[1] > MIN_SECOND_RATIO * sizes[0]:
        return None
    sums = [dict(zip(below, column.tolist(), strict=True)) for column in left.T[:2]]
    first, second = ({**one, joint: -sum(one.values())} for one in sums)
    return (first, second) if _tells_roll(tree, positions, first, second) else None


def _orthonormal(first: Array, second: Array) -> tuple[Array, Array, Array]:
    """Orthonormal axes of which the first is along a vector, (3, ...), and the second in the plane with another."""
    x = _unit(first)
    z = _unit(_cross(x, second))
    return x, _cross(z, x), z


def _aimed_frame(
    tree: Tree,
    positions: Array,
    joint: int,
    child: int,
    above: Frame,
    shared: dict[int, tuple[int, int, float]],
    frames: list[Frame | None],
    children: list[list[int]],
) -> Frame:
    """The frame of a joint whose bone points at one child, with its roll from a hinge, a spine, or the parent."""
    bone, along = _bone(tree, child), _unit(positions[child] - positions[joint])
    rest = _unit(bone)
    hinge = tree.hinges.get(joint)  # a knee: the upper link has turned already so that its hinge is perpendicular
    is_upper = child in tree.hinges and hinge is None and len(children[child]) > 0
    if hinge is not None or is_upper:
        axis = _rejected(tree.hinges[child] if hinge is None else hinge, rest)
        # Along the shortest arc from where the parent holds the bone.
        roll = _carried(above.turned(axis), above.turned(rest), along)
        if is_upper:
            roll = _hinge_roll(positions, (joint, child, children[child][0]), along, roll)
    elif joint in shared:
        top, bottom, share = shared[joint]
        axis = _rejected(LEFT, rest)
        upper, lower = frames[bottom], frames[top]
        assert upper is not None and lower is not None
        roll = _rejected((1.0 - share) * lower.turned(LEFT) + share * upper.turned(LEFT), along)
    else:
        axis = _rejected(LEFT if abs(rest @ LEFT) < 0.8 else FORWARD, rest)
        roll = _carried(above.turned(axis), above.turned(rest), along)
    return Frame(np.stack([rest, axis, np.cross(rest, axis)]), (along, roll, _cross(along, roll)))


def _hinge_roll(positions: Array, line: tuple[int, int, int], along: Array, roll: Array) -> Array:
    """The hinge (3, frames) of a limb, perpendicular to both links; `roll` is where it would be by the shortest arc."""
    _, middle, lower = line
    seen = _cross(along, _unit(positions[lower] - positions[middle]))
    sine, side = np.sqrt(_dot(seen, seen)), _cross(along, roll)
    angle = np.arctan2(_dot(seen, side), _dot(seen, roll))
    weight = ease((sine - SURE_BEND_SINES[0]) / (SURE_BEND_SINES[1] - SURE_BEND_SINES[0]))
    if not weight.any():
        return roll
    sure, before = weight == 1.0, 0.0
    spans = [(slice(*span), sure[slice(*span)].any()) for span in intervals(weight > 0.0)]
    for span, certain in spans:
        angle[span] = np.unwrap(angle[span])
        if certain:
            known = angle[span][sure[span]]
            angle[span] += 2.0 * np.pi * np.rint((before - known[0]) / (2.0 * np.pi))
            before = angle[span][sure[span]][-1]
    base = np.interp(np.arange(len(angle)), np.flatnonzero(sure), angle[sure]) if sure.any() else np.zeros(len(angle))
    for span, certain in spans:
        if not certain:  # of a limb that is overstretched, the hinge is seen the wrong way round
            middle = (span.start + span.stop) // 2
            angle[span] += np.pi * np.rint((base[middle] - angle[middle]) / np.pi)
    # A limb that is nearly straight shows its hinge badly: there it is averaged, where it is straight interpolated.
    known = np.flatnonzero(weight)
    calm = smooth(np.interp(np.arange(len(angle)), known, angle[known]), AVERAGED_FRAMES)
    angle = calm + weight * (angle - calm)
    return np.cos(angle) * roll + np.sin(angle) * side


def _spine_shares(
    tree: Tree, frames: list[Frame | None], children: list[list[int]]
) -> dict[int, tuple[int, int, float]]:
    """The joints on lines between two joints that have frames: those two, and the part of the way to the second."""
    found: dict[int, tuple[int, int, float]] = {}
    for bottom, frame in enumerate(frames):
        line, joint = [], tree.parents[bottom]
        while joint >= 0 and frames[joint] is None and len(children[joint]) == 1:
            line.append(joint)
            joint = tree.parents[joint]
        middle = all(tree.partners[one] < 0 for one in (bottom, joint)) if joint >= 0 else False
        if frame is not None and middle and frames[joint] is not None:
            for k, one in enumerate(reversed(line), start=1):
                found[one] = joint, bottom, k / (len(line) + 1)
    return found


def _carried(vector: Array, start: Array, end: Array) -> Array:
    """Unit vectors perpendicular to `start` (3, frames), turned with it to `end` along the shortest arc."""
    lean = _dot(vector, end) / np.maximum(1.0 + _dot(start, end), 1e-9)
    return _rejected(vector - lean * (start + end), end)


def _rejected(vector: Array, axis: Array) -> Array:
    """The unit part of vectors perpendicular to unit axes, both (3, ...)."""
    return _unit(vector - _dot(vector, axis) * axis)


def _unit(vector: Array) -> Array:
    length = np.sqrt(_dot(vector, vector))
    return vector / np.where(length > 0.0, length, 1.0)


def _dot(a: Array, b: Array) -> Array:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Array, b: Array) -> Array:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
