"""How limbs of a posed skeleton bend and turn: the hinge of a limb, stable even where it is straight, and its swing.

The shortest turn between two directions is unique except for opposite ones, and near those its axis changes quickly. No
rule that looks at a single frame can be continuous there (hairy ball theorem); consecutive frames together can.

A chain of many joints (a spine, a tail, a finger) follows its end along an arc, with the shape that it has. A posed
chain is the arc of `NLink` with the same chord, and what each link differs from that arc. The arc is solved for the new
target, and the differences are put back. They move the tip, so the arc's chord is the one with which the tip comes as
far as the target. Where a chain has to be straight, or closed, the differences fade.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.numpy_engine import evaluate
from limbik.formulas.operations import Real
from limbik.formulas.rig_joints import OVEREXTENSION_SINE
from limbik.formulas.three_link import HANDOVER_SINE
from limbik.formulas.triangle import soft_reach
from limbik.limbs.n_link import NLink
from limbik.rotations import (
    IDENTITY,
    about,
    from_matrices,
    inverse,
    multiply,
    normalized,
    reject,
    rotate,
    shortest_arc,
    slerp,
)
from limbik.skeleton.timing import ease, intervals

# Cosine of the angle beyond which a target counts as behind: within 26° of the opposite direction.
BEHIND_COSINE = -0.9
Z_AXIS, Y_AXIS = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
MAX_SECANT_STEPS = 8  # of the secant method for the arc's chord
MAX_MISS_LENGTHS = 1e-12


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
    behind = np.sum(old * new, axis=-1) < BEHIND_COSINE
    if old.ndim != 2 or not behind.any():
        return turns
    side = rotate(turns, normalized(reject(hinge, old)))
    twists = np.zeros(len(old))
    for first, last in intervals(behind):
        before, after = max(first - 1, 0), min(last, len(old) - 1)
        part = slice(before, after + 1)
        twists[part] = _twists_that_continue(new[part], side[part], first > 0, last < len(old))
    return multiply(about(new, twists), turns)


def _twists_that_continue(aim: Array, side: Array, entered: bool, left: bool) -> Array:
    """Angles about the aim (frames, 3) by which sides (frames, 3) turn to continue from the ends without twist."""
    if not entered and left:
        return _twists_that_continue(aim[::-1], side[::-1], True, False)[::-1]
    carried = rotate(cumulative_products(shortest_arc(aim[:-1], aim[1:], side[:-1])), side[:1])
    carried = np.concatenate([side[:1], normalized(reject(carried, aim[1:]))])
    angles = np.arctan2(np.sum(np.cross(side, carried) * aim, axis=-1), np.sum(side * carried, axis=-1))
    if entered and left:
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(aim, axis=0), axis=-1))])
        t = way / max(way[-1], 1e-300)
        angles = angles - angles[-1] * ease(t)
    return angles


def cumulative_products(q: Array) -> Array:
    """Products q[k]·…·q[1]·q[0] along axis 0, (frames, 4), by doubling steps."""
    q = q.copy()
    step = 1
    while step < len(q):
        q[step:] = multiply(q[step:], q[:-step])
        step *= 2
    return normalized(q)


# --- chains of many joints


class ArcFrames(NamedTuple):
    """Frames of the links, (..., links, 4), +z along each: as posed, and with the end at the target."""

    before: Array
    after: Array


def bend_along_arc(
    links: Array, lengths: Any, hinge: Array, reach: Array, new_hinge: Array, soften: Any, limits: Any
) -> ArcFrames:
    """The links of a chain before and after its end comes to a target.

    Args:
        links: (..., links, 3), the links as vectors.
        lengths: their lengths, numbers or arrays.
        hinge: (..., 3), about which the chain bends.
        reach: (..., 3), from the chain's root to the target.
        new_hinge: (..., 3), about which the chain bends then.
        soften: (...), the fraction of the length from which on reaching eases.
        limits: the range of each joint's bend, or None. With limits the chain becomes the arc itself.
    """
    chain = NLink(lengths, limits=limits)
    total = np.linalg.norm(links, axis=-1).sum(-1)
    chord = links.sum(-2)
    size = np.linalg.norm(chord, axis=-1)
    first = normalized(links[..., 0, :])
    along = np.where((size > 1e-9 * total)[..., None], chord, first)
    base = link_frames(along, hinge)
    own = _frames(base, _arc_frames(chain, size))
    bends = shortest_arc(Z_AXIS, normalized(rotate(inverse(own), links)), Y_AXIS)
    before = multiply(own, bends)
    if limits is not None:
        bends = np.broadcast_to(IDENTITY, bends.shape)
    distance = np.linalg.norm(reach, axis=-1)
    wanted = _soften_fraction(distance / total, soften) * total
    wanted = np.clip(wanted, np.maximum(chain.nearest, 0.0), total)
    turned, tip = _frames_with_chord(chain, links, bends, size, wanted, total)
    onward = np.where((distance > 1e-12 * total)[..., None], reach, along)
    new_base = link_frames(onward, new_hinge)
    points = rotate(new_base, tip)
    side = perpendicular(normalized(onward))
    straight = np.linalg.norm(tip, axis=-1, keepdims=True) < 1e-9 * total[..., None]
    swung = np.where(straight, IDENTITY, shortest_arc(normalized(points), normalized(onward), side))
    return ArcFrames(before, _frames(multiply(swung, new_base), turned))


def _frames(base: Array, frames: Array) -> Array:
    return multiply(base[..., None, :], frames)


def _arc_frames(chain: NLink, chord: Array) -> Array:
    """The frames (..., links, 4) of the arc with a chord (...) along +z that bends about +x."""
    return chain.solve(chord[..., None] * Z_AXIS, Y_AXIS).rotations


def _frames_with_chord(
    chain: NLink, links: Array, bends: Array, size: Array, wanted: Array, total: Array
) -> tuple[Array, Array]:
    """Frames of the links beside a chord along +z with the tip at the wanted distance, and the tip, (..., 3)."""
    lengths = np.linalg.norm(links, axis=-1)[..., None]
    room = np.maximum(total - size, 1e-12 * total)
    keep = np.clip(np.minimum((total - wanted) / room, wanted / np.maximum(size, 1e-12 * total)), 0.0, 1.0)

    def pose_links(kept: Array, chord: Array) -> tuple[Array, Array, Array]:
        share = np.broadcast_to(kept[..., None], bends.shape[:-1])
        frames = multiply(_arc_frames(chain, chord), slerp(np.broadcast_to(IDENTITY, bends.shape), bends, share))
        tip = np.sum(lengths * rotate(frames, Z_AXIS), axis=-2)
        return frames, tip, np.linalg.norm(tip, axis=-1) - wanted

    now = wanted
    frames, tip, off = pose_links(keep, now)
    last, last_off = now, off
    now = np.clip(now - off, 0.0, total)
    for _ in range(MAX_SECANT_STEPS):
        if np.all(np.abs(off) <= MAX_MISS_LENGTHS * total):
            break
        frames, tip, off = pose_links(keep, now)
        change = off - last_off
        inverse_slope = np.where(
            np.abs(change) > 1e-16 * total, (now - last) / np.where(change == 0.0, 1.0, change), 0.0
        )
        step = np.clip(inverse_slope * off, -0.25 * total, 0.25 * total)
        last, last_off, now = now, off, np.clip(now - np.where(np.abs(off) <= 1e-15 * total, 0.0, step), 0.0, total)
    missed = np.abs(off) > 1e-10 * total  # a shape that has little of an arc: it becomes one
    if missed.any():
        arc, straight, _ = pose_links(np.zeros_like(keep), wanted)
        frames = np.where(missed[..., None, None], arc, frames)
        tip = np.where(missed[..., None], straight, tip)
    return frames, tip


def _soften_fraction(fraction: Array, onset: Any) -> Array:
    requested, begin = (np.broadcast_to(np.asarray(part, float), fraction.shape) for part in (fraction, onset))
    return evaluate(_soft_fraction, requested=[requested], onset=[begin])[0]


def _soft_fraction(requested: tuple[Real], onset: tuple[Real]) -> Real:
    return soft_reach(requested[0], onset[0])
