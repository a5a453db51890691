"""How a chain of many joints (a spine, a tail, a finger) follows its end: along an arc, with the shape that it has.

A posed chain is the arc of `NLink` with the same chord, and what each link differs from that arc. The arc is solved for
the new target, and the differences are put back. They move the tip, so the arc's chord is the one with which the tip
comes as far as the target. Where a chain has to be straight, or closed, the differences fade.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.numpy_engine import evaluate
from limbik.formulas.operations import Real
from limbik.formulas.triangle import soft_reach
from limbik.limbs.n_link import NLink
from limbik.rotations import IDENTITY, inverse, multiply, normalized, rotate, shortest_arc, slerp
from limbik.skeleton.bending import link_frames, perpendicular

AHEAD, ASIDE = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
STEPS = 8  # of the secant method for the arc's chord
MISSED = 1e-12  # of the chain's length


class Arched(NamedTuple):
    """Frames of the links, (..., links, 4), +z along each: as posed, and with the end at the target."""

    before: Array
    after: Array


def arched(
    links: Array, lengths: Any, hinge: Array, reach: Array, new_hinge: Array, soften: Any, limits: Any
) -> Arched:
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
    own = _frames(base, _arc(chain, size))
    bends = shortest_arc(AHEAD, normalized(rotate(inverse(own), links)), ASIDE)
    before = multiply(own, bends)
    if limits is not None:
        bends = np.broadcast_to(IDENTITY, bends.shape)
    distance = np.linalg.norm(reach, axis=-1)
    wanted = _softened(distance / total, soften) * total
    wanted = np.clip(wanted, np.maximum(chain.nearest, 0.0), total)
    turned, tip = _solved(chain, links, bends, size, wanted, total)
    onward = np.where((distance > 1e-12 * total)[..., None], reach, along)
    new_base = link_frames(onward, new_hinge)
    points = rotate(new_base, tip)
    spare = perpendicular(normalized(onward))
    straight = np.linalg.norm(tip, axis=-1, keepdims=True) < 1e-9 * total[..., None]
    swung = np.where(straight, IDENTITY, shortest_arc(normalized(points), normalized(onward), spare))
    return Arched(before, _frames(multiply(swung, new_base), turned))


def _frames(base: Array, frames: Array) -> Array:
    return multiply(base[..., None, :], frames)


def _arc(chain: NLink, chord: Array) -> Array:
    """The frames (..., links, 4) of the arc with a chord (...) along +z that bends about +x."""
    return chain.solve(chord[..., None] * AHEAD, ASIDE).rotations


def _solved(chain: NLink, links: Array, bends: Array, size: Array, wanted: Array, total: Array) -> tuple[Array, Array]:
    """Frames of the links beside a chord along +z with the tip at the wanted distance, and the tip, (..., 3)."""
    lengths = np.linalg.norm(links, axis=-1)[..., None]
    room = np.maximum(total - size, 1e-12 * total)
    keep = np.clip(np.minimum((total - wanted) / room, wanted / np.maximum(size, 1e-12 * total)), 0.0, 1.0)

    def placed(kept: Array, chord: Array) -> tuple[Array, Array, Array]:
        share = np.broadcast_to(kept[..., None], bends.shape[:-1])
        frames = multiply(_arc(chain, chord), slerp(np.broadcast_to(IDENTITY, bends.shape), bends, share))
        tip = np.sum(lengths * rotate(frames, AHEAD), axis=-2)
        return frames, tip, np.linalg.norm(tip, axis=-1) - wanted

    now = wanted
    frames, tip, off = placed(keep, now)
    last, last_off = now, off
    now = np.clip(now - off, 0.0, total)
    for _ in range(STEPS):
        if np.all(np.abs(off) <= MISSED * total):
            break
        frames, tip, off = placed(keep, now)
        change = off - last_off
        slope = np.where(np.abs(change) > 1e-16 * total, (now - last) / np.where(change == 0.0, 1.0, change), 0.0)
        step = np.clip(slope * off, -0.25 * total, 0.25 * total)
        last, last_off, now = now, off, np.clip(now - np.where(np.abs(off) <= 1e-15 * total, 0.0, step), 0.0, total)
    missed = np.abs(off) > 1e-10 * total  # a shape that has little of an arc: it becomes one
    if missed.any():
        arc, straight, _ = placed(np.zeros_like(keep), wanted)
        frames = np.where(missed[..., None, None], arc, frames)
        tip = np.where(missed[..., None], straight, tip)
    return frames, tip


def _softened(fraction: Array, onset: Any) -> Array:
    requested, begin = (np.broadcast_to(np.asarray(part, float), fraction.shape) for part in (fraction, onset))
    return evaluate(_soft, requested=[requested], onset=[begin])[0]


def _soft(requested: tuple[Real], onset: tuple[Real]) -> Real:
    return soft_reach(requested[0], onset[0])
