"""Smooth curves through time: windows, envelopes, and bridges from one stance to the next."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.timing import ease

LANDING = 6.0  # of a window: the part in which the slope of what begins is measured, as feet shake when they land


def smoothed(values: Array, width: int) -> Array:
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
    return smoothed(window_maximum(values, width), width)


def bridge(values: Array, known: Array, window: float) -> Array:
    """Values (frames, n) kept where `known` (frames,), with smooth bridges over the gaps between.

    A bridge leaves and arrives with the slope of the known frames, which fades within `window` frames. Before the first
    known frame and after the last, the nearest value is kept, and its slope fades likewise.
    """
    frames = len(values)
    result = np.zeros_like(values) if not known.any() else values.copy()
    edges = np.flatnonzero(np.diff(known, prepend=False, append=False))
    starts, stops = edges[::2], edges[1::2]  # known frames are start … stop - 1
    leaving, arriving = _slopes(values, starts, stops, max(round(window / LANDING), 1))
    gaps = [(stops[k] - 1, starts[k + 1]) for k in range(len(starts) - 1)]
    for k, (last, first) in enumerate(gaps):
        t = np.arange(1, first - last)[:, None]
        span = float(first - last)
        fade = min(window, 0.5 * span)
        blend = ease(t / span)
        result[last + 1 : first] = (
            values[last] * (1.0 - blend)
            + values[first] * blend
            + leaving[k] * fading(t, fade)
            - arriving[k + 1] * fading(span - t, fade)
        )
    if len(starts):
        before, after = np.arange(starts[0], 0, -1)[:, None], np.arange(1, frames - stops[-1] + 1)[:, None]
        result[: starts[0]] = values[starts[0]] - arriving[0] * fading(before, window)
        result[stops[-1] :] = values[stops[-1] - 1] + leaving[-1] * fading(after, window)
    return result


def fading(t: Array, fade: float) -> Array:
    """A curve (n,) over frames t (n,) of slope 1 at 0 that returns to 0, with slope 0, after `fade` frames."""
    s = np.clip(t / max(fade, 1e-9), 0.0, 1.0)
    return fade * s * (1.0 - s) ** 2


def _slopes(values: Array, starts: Array, stops: Array, landing: int) -> tuple[Array, Array]:
    """The slopes (intervals, n) with which intervals of known frames end, and begin, over so many frames."""
    leaving = values[stops - 1] - values[np.maximum(stops - 2, starts)]
    steps = np.clip(stops - 1 - starts, 1, landing)[:, None]
    arriving = (values[np.minimum(starts + steps[:, 0], stops - 1)] - values[starts]) / steps
    return leaving, arriving
