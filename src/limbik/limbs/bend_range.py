"""How far a chain with shares or limits can bend: the range of its chord, determined once when the limb is made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.numpy_engine import evaluate
from limbik.formulas.operations import Pair, Real
from limbik.formulas.shared_bends import BendRule, bend_chain

SAMPLES = 513
# Bending ends a little before the chord is shortest: there the joints would turn infinitely fast as the target moves.
SHORT_OF = 0.95


class BendRange(NamedTuple):
    """The groups of a chain's rule of bending."""

    weights: Array  # (..., joints)
    lows: Array  # tangents of a quarter of the limits
    highs: Array
    span: Array  # (..., 4): shortest and longest chord as fractions of the chain's length; first and last t²


def bend_range(lengths: Array, weights: Array, limits: Array) -> BendRange:
    """The range of chains with lengths (..., links), weights (..., links − 1) and limits (links − 1, 2), radians."""
    lows, highs = np.tan(limits / 4).T
    fractions = lengths / lengths.sum(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        begins = np.where(weights > 0, lows / weights, np.inf).min(-1)
        ends = np.where(weights > 0, highs / weights, 0.0).max(-1)
    ends = np.maximum(begins, ends)

    def chords(t: Array) -> Array:
        return _chords(fractions, weights, lows, highs, t)

    part = np.linspace(0.0, 1.0, SAMPLES)
    t = begins[..., None] + (ends - begins)[..., None] * part
    first, step = _first_rise(chords(t)), part[1]
    near = np.clip(first[..., None] * step + step * np.linspace(-1.0, 1.0, SAMPLES), 0.0, 1.0)
    fine = begins[..., None] + (ends - begins)[..., None] * near
    best = np.take_along_axis(fine, _first_rise(chords(fine))[..., None], -1)[..., 0]
    stops = first < SAMPLES - 1  # at its shortest, not at its limits
    last = np.where(stops, begins + SHORT_OF * (best - begins), ends)
    extremes = chords(np.stack([last, begins], -1))
    return BendRange(weights, lows, highs, np.concatenate([extremes, np.stack([begins, last], -1) ** 2], -1))


def _first_rise(chords: Array) -> Any:
    """The index (...) of the last sample before the chord grows for the first time."""
    rising = np.diff(chords, axis=-1) > 1e-13
    return np.where(rising.any(-1), rising.argmax(-1), chords.shape[-1] - 1)


def _tip(
    lengths: tuple[Real, ...],
    weights: tuple[Real, ...],
    lows: tuple[Real, ...],
    highs: tuple[Real, ...],
    t: tuple[Real],
) -> Pair:
    return bend_chain(BendRule(lengths, weights, lows, highs, 0.0, 0.0), t[0]).tip


def _chords(fractions: Array, weights: Array, lows: Array, highs: Array, t: Array) -> Array:
    """The chords, as fractions of the length, for t (..., samples)."""

    def parts(array: Array) -> list[Array]:
        return [array[..., k, None] for k in range(array.shape[-1])]

    x, y = evaluate(_tip, lengths=parts(fractions), weights=parts(weights), lows=parts(lows), highs=parts(highs), t=[t])
    return np.hypot(*np.broadcast_arrays(x, y, t)[:2])
