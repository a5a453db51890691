"""A figure from the positions of its joints over time: its bone lengths are medians, at rest it stands in a T-pose."""

from __future__ import annotations

import re

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.skeleton.naming import counterpart, tokens
from limbik.skeleton.skeleton import Skeleton

FRONTS = {"nose", "jaw"}  # joints that are in front of the head
LEADING_FINGERS = {"thumb", "index"}  # fingers that are in front in a T-pose with palms down
TOE_DIRECTION = np.array([0.0, -0.35, 1.0])  # from the ankle to the ball of the foot
LEFT, UP, FORWARD = np.eye(3)
MIN_SPREAD = 0.05  # of the first vector of a frame: less of the second beside it does not tell the roll


def standing_figure(names: tuple[str, ...], parents: Array, positions: Array) -> Skeleton:
    """The skeleton of a figure with joints at positions (frames, joints, 3), +y up: facing +z, its feet at y = 0."""
    blank = Skeleton(names, parents, np.zeros((len(names), 3)))
    offsets = np.zeros((len(names), 3))
    directions = _bone_directions(blank)
    for joint, children in enumerate(blank.children):
        bones = positions[:, list(children)] - positions[:, [joint]]
        axes = _branch_axes(blank, joint, positions, directions) if len(children) > 1 else None
        if axes is not None:
            offsets[list(children)] = np.median(np.einsum("tca,tja->tjc", axes, bones), axis=0)
            continue
        lengths = np.median(np.linalg.norm(bones, axis=-1), axis=0)
        offsets[list(children)] = directions[list(children)] * lengths[:, None]
    heights = np.zeros(len(names))
    for joint, parent in enumerate(parents.tolist()):
        heights[joint] = offsets[joint, 1] + (heights[parent] if parent >= 0 else 0.0)
    offsets[list(blank.roots)] = -heights.min() * UP
    return Skeleton(names, parents, offsets)


def _bone_directions(skeleton: Skeleton) -> Array:
    """The unit directions (joints, 3) from joints' parents to them in a T-pose, as their names say."""
    found = np.tile(UP, (len(skeleton), 1))
    in_leg = [reading.kind == "leg" for reading in skeleton.readings]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        reading, words = skeleton.readings[joint], set(tokens(skeleton.labels[joint]))
        outward = LEFT if reading.side == "left" else -LEFT
        above = skeleton.readings[parent] if parent >= 0 else reading
        in_leg[joint] = in_leg[joint] or (parent >= 0 and in_leg[parent])
        if words & FRONTS:
            found[joint] = FORWARD
        elif in_leg[joint] and "heel" in words:
            found[joint] = -UP - FORWARD
        elif in_leg[joint] and above.part == "toe":
            found[joint] = FORWARD
        elif in_leg[joint] and (above.part == "end" or reading.part == "toe"):
            found[joint] = TOE_DIRECTION
        elif in_leg[joint]:
            found[joint] = -UP
        elif reading.side:
            found[joint] = outward
    return normalized(found)


def _branch_axes(skeleton: Skeleton, joint: int, positions: Array, directions: Array) -> Array | None:
    """The frame (frames, 3, 3) of a joint with several children, a row for each axis, as a T-pose has it; or None."""
    children = list(skeleton.children[joint])
    labels = [tokens(skeleton.labels[child]) for child in children]
    pairs = [
        (child, children[labels.index(other)])
        for child, label in zip(children, labels, strict=True)
        if skeleton.readings[child].side == "left" and (other := counterpart(skeleton.labels[child])) in labels
    ]
    at = positions[:, joint]
    middle = [child for child in children if not any(child in pair for pair in pairs)]
    if pairs:
        across = np.mean([positions[:, left] - positions[:, right] for left, right in pairs], axis=0)
        between = np.mean([positions[:, list(pair)] for pair in pairs], axis=(0, 2))
        hints = [(positions[:, child] - between, directions[child]) for child in middle]
        in_leg = skeleton.readings[pairs[0][0]].kind == "leg"
        hints.append((between - at, -UP if in_leg else UP))
        parent = int(skeleton.parents[joint])
        if parent >= 0:
            hints.append((at - positions[:, parent], directions[joint]))
        hints += [(positions[:, below] - at, UP) for child in middle for below in skeleton.children[child]]
        return next((found for hint, way in hints if (found := _axes(across, LEFT, hint, way)) is not None), None)
    sides = {skeleton.readings[child].side for child in children}
    if sides not in ({"left"}, {"right"}):
        return None
    along = np.mean(positions[:, children], axis=1) - at
    leading = [
        child
        for child in children
        if LEADING_FINGERS & {re.sub(r"\d", "", word) for word in labels[children.index(child)]}
    ]
    front = leading[-1] if leading else children[0]
    others = [child for child in children if child != front]
    across = positions[:, front] - np.mean(positions[:, others], axis=1)
    return _axes(along, directions[children[0]], across, FORWARD)


def _axes(first: Array, first_rest: Array, second: Array, second_rest: Array) -> Array | None:
    """Frames (frames, 3, 3) whose rows are the world's axes as they are turned with two vectors (frames, 3)."""
    spread = np.linalg.norm(np.cross(first, second), axis=-1)
    size = np.linalg.norm(first, axis=-1) * np.linalg.norm(first, axis=-1)
    if np.median(spread) <= MIN_SPREAD * np.median(size) or abs(first_rest @ second_rest) > 0.95:
        return None
    seen, rest = (_orthonormal(*pair) for pair in ((first, second), (first_rest[None], second_rest[None])))
    return np.einsum("tka,tkc->tca", seen, np.broadcast_to(rest, seen.shape))


def _orthonormal(first: Array, second: Array) -> Array:
    """Orthonormal axes (frames, 3, 3), one a row: along a vector, in the plane with another, and across both."""
    x = normalized(first)
    z = normalized(np.cross(x, second))
    return np.stack([x, np.cross(z, x), z], axis=-2)
