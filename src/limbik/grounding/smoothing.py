"""Smooth curves through time: windows, envelopes, bridges from one plant to the next, and least squares.

The systems of least squares are symmetric with five diagonals, (3, n): the main diagonal, the next one and the one
after; the last one and two of these do not count. `numba_banded.py` solves them.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.timing import ease

LANDINGS_PER_WINDOW = 6.0  # the velocity of what begins is measured over a landing, as feet shake when they land


def smooth(values: Array, width: int) -> Array:
    """Values smoothed along axis 0 by a Hann window of `width` frames to either side; end values are repeated."""
    if width < 1 or len(values) < 2:
        return values
    window = np.hanning(2 * width + 3)[1:-1]
    window /= window.sum()
    padded = np.concatenate([np.repeat(values[:1], width, axis=0), values, np.repeat(values[-1:], width, axis=0)])
    flat = padded.reshape(len(padded), -1)
    columns = [np.convolve(column, window, mode="valid") for column in flat.T]
    return np.stack(columns, axis=-1).reshape(values.shape)


def window_maximum(values: Array, width: int) -> Array:
    """The largest of the values (frames,) within `width` frames to either side of each.

    Every window reaches over the end of one block of its own length: the rest of that block, and the beginning of the
    next (van Herk 1992). The time does not depend on the width.
    """
    window = 2 * width + 1
    padded = np.pad(values, (width, width + -(len(values) + 2 * width) % window), mode="edge")
    blocks = padded.reshape(-1, window)
    begins = np.maximum.accumulate(blocks, axis=1).ravel()
    rests = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    return np.maximum(rests[: len(values)], begins[window - 1 : window - 1 + len(values)])


def envelope(values: Array, width: int) -> Array:
    """A smooth curve nowhere below `values` (frames,): the maximum within the window, smoothed by the same window."""
    return smooth(window_maximum(values, width), width)


def bridge(values: Array, known: Array, window: float) -> Array:
    """Values (frames, n) kept where `known` (frames,), with smooth bridges over the gaps between.

    A bridge leaves and arrives with the velocity of the known frames, which fades within `window` frames. Before the
    first known frame and after the last, the nearest value is kept, and its velocity fades likewise.
    """
    frames = len(values)
    result = np.zeros_like(values) if not known.any() else values.copy()
    edges = np.flatnonzero(np.diff(known, prepend=False, append=False))
    starts, stops = edges[::2], edges[1::2]  # known frames are start … stop - 1
    leaving, arriving = _end_velocities(values, starts, stops, max(round(window / LANDINGS_PER_WINDOW), 1))
    gaps = [(stops[k] - 1, starts[k + 1]) for k in range(len(starts) - 1)]
    for k, (last, first) in enumerate(gaps):
        t = np.arange(1, first - last)[:, None]
        span = float(first - last)
        fade = min(window, 0.5 * span)
        blend = ease(t / span)
        result[last + 1 : first] = (
            values[last] * (1.0 - blend)
            + values[first] * blend
            + leaving[k] * fade_curve(t, fade)
            - arriving[k + 1] * fade_curve(span - t, fade)
        )
    if len(starts):
        before, after = np.arange(starts[0], 0, -1)[:, None], np.arange(1, frames - stops[-1] + 1)[:, None]
        result[: starts[0]] = values[starts[0]] - arriving[0] * fade_curve(before, window)
        result[stops[-1] :] = values[stops[-1] - 1] + leaving[-1] * fade_curve(after, window)
    return result


def fade_curve(t: Array, fade: float) -> Array:
    """A curve (n,) over frames t (n,) of slope 1 at 0 that returns to 0, with slope 0, after `fade` frames."""
    s = np.clip(t / max(fade, 1e-9), 0.0, 1.0)
    return fade * s * (1.0 - s) ** 2


def fade_at_ends(begin: Array, end: Array, leaves: bool, lands: bool) -> Array:
    """A curve (n,) of ones, eased to 0 where `begin` (n,) is 0 if it leaves, and where `end` (n,) is 0 if it lands."""
    return (ease(begin) if leaves else np.ones(len(begin))) * (ease(end) if lands else 1.0)


def _end_velocities(values: Array, starts: Array, stops: Array, landing: int) -> tuple[Array, Array]:
    """The changes per frame (intervals, n) with which intervals of known frames end, and begin, over a `landing`."""
    leaving = values[stops - 1] - values[np.maximum(stops - 2, starts)]
    steps = np.clip(stops - 1 - starts, 1, landing)[:, None]
    arriving = (values[np.minimum(starts + steps[:, 0], stops - 1)] - values[starts]) / steps
    return leaving, arriving


def second_difference_system(weights: Array) -> Array:
    """The system (3, n) of the sum of squared second differences of n values. weights: (n - 2,), of each of them."""
    system = np.zeros((3, len(weights) + 2))
    system[0, :-2] += weights
    system[0, 1:-1] += 4.0 * weights
    system[0, 2:] += weights
    system[1, :-2] -= 2.0 * weights
    system[1, 1:-1] -= 2.0 * weights
    system[2, :-2] = weights
    return system


def transpose_second_difference(values: Array) -> Array:
    """The sums (n,) over second differences, of values (n - 2,) of these times how much each number counts in them."""
    result = np.zeros(len(values) + 2)
    result[:-2] += values
    result[1:-1] -= 2.0 * values
    result[2:] += values
    return result


def multiply_system(system: Array, values: Array) -> Array:
    """The product (n,) of a system and values (n,)."""
    result = system[0] * values
    for k in (1, 2):
        result[:-k] += system[k, :-k] * values[k:]
        result[k:] += system[k, :-k] * values[:-k]
    return result


def scale_system(system: Array, factors: Array) -> Array:
    """The system of values that are multiplied by factors (n,) first."""
    result = system * factors
    for k in range(3):
        result[k, : len(factors) - k] *= factors[k:]
    return result
