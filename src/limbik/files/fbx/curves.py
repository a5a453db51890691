"""Animation curves of FBX: keys, held, linear or cubic between them, and their values at any times.

A cubic piece is a Bézier curve in time and value. Its handles are a third of the piece long unless the key weighs them,
and have the slopes that keys state or, where they are automatic, those of the neighbours' difference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.fbx.records import Record

TICKS_PER_SECOND = 46_186_158_000
CONSTANT, LINEAR, CUBIC = 0x2, 0x4, 0x8
NEXT_VALUE = 0x100  # of a constant key: the value of the next one
AUTO, TCB, USER = 0x100, 0x200, 0x400  # of a cubic key: its slopes are found, found with three numbers, or stated
CLAMPED, TIME_INDEPENDENT, PROGRESSIVE = 0x1000, 0x2000, 0x4000  # of an automatic slope
RIGHT_WEIGHTED, NEXT_LEFT_WEIGHTED = 0x1000000, 0x2000000
NUMBERS_PER_FLAG = 4  # slope to the right, slope to the left of the next key, weights, velocities
WEIGHT_UNITS = 9999.0  # a weight of 1
DEFAULT_WEIGHT = 1.0 / 3.0
BISECTIONS = 40  # halvings of a piece, to find where on a weighted Bézier curve a time is
MAX_VALUE = 1e12


class Curve(NamedTuple):
    """The keys of a curve, and the pieces between them."""

    times: Array  # (n,) seconds, increasing
    values: Array  # (n,)
    constant: Array  # (n,) bool, of the piece to the right
    cubic: Array  # (n,) bool
    takes_next: Array  # (n,) bool: a constant piece has the value of its end
    right: Array  # (n,) slope at the start of the piece, a second
    left: Array  # (n,) slope at its end
    right_weight: Array  # (n,) length of the handle at its start, of the piece
    left_weight: Array  # (n,) and at its end

    def at(self, seconds: Array) -> Array:
        """The values (frames,) at times; beyond the keys those of the first and the last."""
        piece = np.clip(np.searchsorted(self.times, seconds, side="right") - 1, 0, len(self.times) - 1)
        after = np.minimum(piece + 1, len(self.times) - 1)
        span = self.times[after] - self.times[piece]
        part = np.clip((seconds - self.times[piece]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
        start, end = self.values[piece], self.values[after]
        inside = (seconds > self.times[0]) & (seconds < self.times[-1])
        moved = inside & ~self.constant[piece]
        found = np.where(moved, start + (end - start) * part, start)
        found = np.where(inside & self.constant[piece] & self.takes_next[piece] & (part > 0.0), end, found)
        curved = moved & self.cubic[piece]
        if curved.any():
            piece, span, part = piece[curved], span[curved], part[curved]
            found[curved] = self._bezier(piece, span, part, start[curved], end[curved])
        return found

    def _bezier(self, piece: Array, span: Array, part: Array, start: Array, end: Array) -> Array:
        right, left = self.right_weight[piece], self.left_weight[piece]
        way = _along(part, right, 1.0 - left)
        first = start + self.right[piece] * right * span
        second = end - self.left[piece] * left * span
        rest = 1.0 - way
        return rest**3 * start + 3.0 * rest**2 * way * first + 3.0 * rest * way**2 * second + way**3 * end


def _along(part: Array, first: Array, second: Array) -> Array:
    """Where on Bézier curves from 0 to 1 with handles at `first` and `second` a part of the time has passed."""
    low, high = np.zeros(len(part)), np.ones(len(part))
    if np.all(np.abs(first - DEFAULT_WEIGHT) < 1e-6) and np.all(np.abs(second - 2.0 * DEFAULT_WEIGHT) < 1e-6):
        return part
    for _ in range(BISECTIONS):
        way = 0.5 * (low + high)
        rest = 1.0 - way
        early = 3.0 * rest**2 * way * first + 3.0 * rest * way**2 * second + way**3 < part
        low, high = np.where(early, way, low), np.where(early, high, way)
    return 0.5 * (low + high)


def curve_of(record: Record) -> Curve | None:
    """The curve in a record; None where it has no keys."""
    ticks, values = record.array("KeyTime"), record.floats("KeyValueFloat")
    if ticks is None or values is None or not len(ticks):
        return None
    if len(ticks) != len(values):
        raise record.fault(f"has {len(ticks)} key times and {len(values)} values")
    if np.any(np.diff(ticks.astype(np.float64)) < 0.0):
        raise record.fault("has key times that go back")
    if np.abs(values).max() > MAX_VALUE:
        raise record.fault(f"has values beyond {MAX_VALUE:g}")
    times = ticks.astype(np.float64) / TICKS_PER_SECOND
    kept = np.concatenate([np.diff(times) > 0.0, [True]])  # of keys at one time the last
    flags, numbers = _attributes(record, len(times))
    times, values, flags, numbers = times[kept], values[kept], flags[kept], numbers[kept]
    right, left = _slopes(times, values, flags, numbers)
    packed = np.ascontiguousarray(numbers[:, 2]).view(np.uint32)
    weights = [(packed >> shift & 0xFFFF).astype(float) / WEIGHT_UNITS for shift in (0, 16)]
    right_weight = np.where(flags & RIGHT_WEIGHTED, weights[0], DEFAULT_WEIGHT)
    left_weight = np.where(flags & NEXT_LEFT_WEIGHTED, weights[1], DEFAULT_WEIGHT)
    return Curve(
        times,
        values,
        (flags & CONSTANT) != 0,
        (flags & CUBIC) != 0,
        (flags & NEXT_VALUE) != 0,
        right,
        left,
        np.clip(right_weight, 0.0, 1.0),
        np.clip(left_weight, 0.0, 1.0),
    )


def _attributes(record: Record, keys: int) -> tuple[Array, Array]:
    """The flags (keys,) and the numbers (keys, 4) of keys; equal ones are stored once, with how many keys have them."""
    flags, counts, data = (
        record.array("KeyAttrFlags"),
        record.array("KeyAttrRefCount"),
        record.child("KeyAttrDataFloat"),
    )
    if flags is None or counts is None or data is None:
        return np.full(keys, LINEAR), np.zeros((keys, NUMBERS_PER_FLAG), np.float32)
    numbers = record.array("KeyAttrDataFloat", NUMBERS_PER_FLAG)
    assert numbers is not None
    if not len(flags) == len(counts) == len(numbers) or np.any(counts < 0) or int(counts.sum(dtype=np.int64)) != keys:
        raise record.fault(f"has attributes of {counts.sum(dtype=np.int64)} keys; it has {keys}")
    return np.repeat(flags, counts), np.repeat(numbers.astype(np.float32), counts, axis=0)


def _slopes(times: Array, values: Array, flags: Array, numbers: Array) -> tuple[Array, Array]:
    """The slopes a second at the start and at the end of the piece to the right of each key."""
    with np.errstate(invalid="ignore"):
        stated = np.where(np.isfinite(numbers[:, :2]), numbers[:, :2], 0.0).astype(np.float64)
    right, left = stated[:, 0], stated[:, 1]
    found = ((flags & (AUTO | TCB)) != 0) & ((flags & USER) == 0) & ((flags & CUBIC) != 0)
    if found.any():
        arriving, leaving = _automatic_slopes(times, values, flags, np.where((flags & TCB)[:, None] != 0, numbers, 0.0))
        right = np.where(found, leaving, right)
        # The slope to the left of the next key is stated with this one, but found as the next one's flags say.
        left = np.where(np.append(found[1:], False), np.append(arriving[1:], 0.0), left)
    return right, left


def _automatic_slopes(times: Array, values: Array, flags: Array, numbers: Array) -> tuple[Array, Array]:
    """The slopes (n,) with which keys are reached and left, from those of the pieces on either side.

    numbers: (n, 4), beginning with tension, continuity and bias; zeros for keys that have none.
    """
    if len(times) < 2:
        return np.zeros(len(times)), np.zeros(len(times))
    pieces = np.diff(values) / np.diff(times)
    before, after = np.append(pieces[:1], pieces), np.append(pieces, pieces[-1:])
    tension, continuity, bias = np.nan_to_num(numbers[:, :3].astype(np.float64)).T
    share = np.full((2, len(times)), 0.5)  # of the piece before, and of the one after; at the ends there is only one
    share[:, 0], share[:, -1] = (0.0, 1.0), (1.0, 0.0)
    arriving, leaving = (
        (1.0 - tension)
        * (
            share[0] * (1.0 + sign * continuity) * (1.0 + bias) * before
            + share[1] * (1.0 - sign * continuity) * (1.0 - bias) * after
        )
        for sign in (-1.0, 1.0)
    )
    inner = slice(1, -1)
    even = (values[2:] - values[:-2]) / (times[2:] - times[:-2])
    chosen = (flags[inner] & TIME_INDEPENDENT != 0) & (flags[inner] & AUTO != 0)
    for slopes in (arriving, leaving):
        slopes[inner] = np.where(chosen, even, slopes[inner])
        slopes[:] = _without_overshoot(times, values, flags, slopes)
    return arriving, leaving


def _without_overshoot(times: Array, values: Array, flags: Array, slopes: Array) -> Array:
    """Slopes (n,), flat where automatic keys are clamped beside a plateau, or must not pass their neighbours."""
    progressive = ((flags & PROGRESSIVE) != 0) & ((flags & AUTO) != 0)
    inner = slice(1, -1)
    spans, steps = np.diff(times) * DEFAULT_WEIGHT, np.diff(values)
    sign = np.where(slopes >= 0.0, 1.0, -1.0)
    most = np.zeros(len(slopes))
    ahead, behind = sign[inner] * steps[1:] / spans[1:], sign[inner] * steps[:-1] / spans[:-1]
    most[inner] = np.maximum(np.minimum(ahead, behind), 0.0)
    limited = np.where(progressive, sign * np.minimum(np.abs(slopes), most), slopes)
    level = np.zeros(len(slopes), bool)
    level[inner] = (steps[1:] == 0.0) | (steps[:-1] == 0.0)
    return np.where(level & ((flags & CLAMPED) != 0) & ((flags & AUTO) != 0), 0.0, limited)
