"""How a limb of a posed skeleton bends and turns: its hinge, stable even where it is straight, and its swing.

The shortest turn between two directions is unique except for opposite ones, and near those its axis changes quickly. No
rule that looks at a single frame can be continuous there (hairy ball theorem); consecutive frames together can.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.formulas.rig_joints import OVEREXTENSION_SINE
from limbik.formulas.three_link import HANDOVER_SINE
from limbik.rotations import about, from_matrices, inverse, multiply, normalized, reject, rotate, shortest_arc
from limbik.skeleton.easing import ease
from limbik.skeleton.intervals import intervals

# Cosine of the angle beyond which a target counts as behind: within 26° of the opposite direction.
BEHIND = -0.9


def perpendicular(axis: Array) -> Array:
    """Some unit vector square to each unit axis (..., 3)."""
    away = np.eye(3)[np.argmin(np.abs(axis), axis=-1)]
    return normalized(reject(away, axis))


def hinges(first: Array, second: Array, rotation: Array, at_rest: Array) -> Array:
    """The world axis (..., 3) about which the second link (..., 3) turns from the first, right-handed.

    Closer to straight than 15° that axis is less and less certain, and where a knee is overextended it points the other
    way; it fades into the mean over all poses in the frame `rotation` (..., 4) of the first joint, or into `at_rest`
    (3,) there where the limb is straight in every pose.
    """
    own = np.cross(normalized(first), normalized(second))
    every = rotate(inverse(rotation), own).reshape(-1, 3)
    mean = np.nansum(every, axis=0)
    size = np.linalg.norm(mean)
    mean = mean / size if size > 1e-6 * len(every) else at_rest
    usual = rotate(rotation, mean)
    along = np.sum(own * usual, axis=-1, keepdims=True)
    bent = np.linalg.norm(own, axis=-1, keepdims=True) - OVEREXTENSION_SINE
    certain = ease(np.maximum(along, bent) / HANDOVER_SINE)
    return certain * own + HANDOVER_SINE * (1.0 - certain) * usual


def link_frames(direction: Array, hinge: Array) -> Array:
    """Rotations (..., 4) with +z along a link and +x as near to the hinge as that allows."""
    z = normalized(direction)
    x = normalized(reject(hinge, z))
    x = np.where(np.any(x != 0.0, axis=-1, keepdims=True), x, perpendicular(z))
    return from_matrices(np.stack([x, np.cross(z, x), z], axis=-1))


def swing(old: Array, new: Array, hinge: Array) -> Array:
    """Turns (..., 4) from directions `old` to `new`, both (..., 3); opposite directions turn about the hinge.

    A single leading axis is time: frames behind continue from their neighbours without twist, and the difference from
    the shortest turn at the other end is distributed over them.
    """
    old, new = normalized(old), normalized(new)
    new = np.where(np.any(new != 0.0, axis=-1, keepdims=True), new, old)
    turns = shortest_arc(old, new, hinge)
    behind = np.sum(old * new, axis=-1) < BEHIND
    if old.ndim != 2 or not behind.any():
        return turns
    side = rotate(turns, normalized(reject(hinge, old)))
    twists = np.zeros(len(old))
    for first, last in intervals(behind):
        before, after = max(first - 1, 0), min(last, len(old) - 1)
        part = slice(before, after + 1)
        twists[part] = _carried(new[part], side[part], first > 0, last < len(old))
    return multiply(about(new, twists), turns)


def _carried(aim: Array, side: Array, entered: bool, left: bool) -> Array:
    """Angles about the aim (frames, 3) by which sides (frames, 3) turn to continue from the ends without twist."""
    if not entered and left:
        return _carried(aim[::-1], side[::-1], True, False)[::-1]
    carried = rotate(accumulated(shortest_arc(aim[:-1], aim[1:], side[:-1])), side[:1])
    carried = np.concatenate([side[:1], normalized(reject(carried, aim[1:]))])
    angles = np.arctan2(np.sum(np.cross(side, carried) * aim, axis=-1), np.sum(side * carried, axis=-1))
    if entered and left:
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(aim, axis=0), axis=-1))])
        t = way / max(way[-1], 1e-300)
        angles = angles - angles[-1] * ease(t)
    return angles


def accumulated(q: Array) -> Array:
    """Products q[k]·…·q[1]·q[0] along axis 0, (frames, 4), by doubling steps."""
    q = q.copy()
    step = 1
    while step < len(q):
        q[step:] = multiply(q[step:], q[:-step])
        step *= 2
    return normalized(q)
