"""The uniform frames at which an animation is sampled, its keys if they lie on a grid, and the values there."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.nodes import unit_quaternions
from limbik.rotations import slerp

INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")
DEFAULT_RATE = 60.0  # frames a second where keys lie on no grid
FASTEST = 120.0  # frames a second: a grid may be this fine, however few of its frames are keys
CURVED = 24.0  # smallest frame rate of an animation that is not linear between its keys
SAME = 2e-6  # seconds: keys this close to each other, or to a frame, coincide
MOST = 2.0**53  # frames; far beyond any limit
DENOMINATORS = (1, 2, 3, 4, 5, 1001)  # of common frame rates: 24, 12.5, 30000/1001


@dataclass(frozen=True)
class Timeline:
    """Frames at `fps` a second from second `start` on."""

    start: float
    fps: float
    frames: int

    def in_frames(self, times: Array) -> Array:
        """Key times, in seconds, as numbers of frames; keys within rounding of a frame lie on it exactly."""
        keys = (times - self.start) * self.fps
        on = np.rint(keys)
        return np.where(np.abs(keys - on) <= _nearness(times, self.fps), on, keys)


def timeline(times: Array, fps: float | None, straight: bool) -> Timeline:
    """The frames for keys at times (n,), seconds: by default the coarsest even grid that contains all keys.

    straight: whether the animation is linear between keys; otherwise the grid is fine enough for its curves.
    """
    if not len(times):
        return Timeline(0.0, fps or DEFAULT_RATE, 1)
    times = np.sort(times)
    times = times[np.concatenate([[True], np.diff(times) > _blur(times[1:])])]
    start, span = float(times[0]), float(times[-1] - times[0])
    if fps is None:
        fps = common_rate(times) or DEFAULT_RATE
        if not straight:
            fps *= max(1, ceil(CURVED / fps - 0.01))
    return Timeline(start, fps, floor(min(span * fps, MOST) + _nearness(times, fps)[-1]) + 1)


def common_rate(times: Array) -> float | None:
    """Frames a second of the coarsest even grid with every key at times (n,), increasing; None if none is sensible."""
    if len(times) < 2:
        return None
    offsets = times - times[0]
    shortest = float(np.min(np.diff(times)))
    for parts in range(1, 1 + max(4, min(ceil(FASTEST * shortest), int(FASTEST)))):
        rate = _refined(offsets, parts / shortest)
        if rate is not None and _fits(times, rate) and (rate <= 1.01 * FASTEST or offsets[-1] * rate <= 4 * len(times)):
            rounded = (round(rate * q) / q for q in DENOMINATORS)
            return next((nice for nice in rounded if nice and _fits(times, nice)), rate)
    return None


def _refined(offsets: Array, rate: float) -> float | None:
    """A rate refined over longer and longer intervals, so that no frame is miscounted at the end of a long one."""
    count = 2
    while True:
        near = offsets[:count]
        frames = np.rint(near * rate)
        if np.max(np.abs(near * rate - frames)) > 0.1:
            return None
        rate = float(frames @ frames / (frames @ near))
        if count >= len(offsets):
            return rate
        count *= 2


def _fits(times: Array, rate: float) -> bool:
    frames = (times - times[0]) * rate
    return bool(np.all(np.abs(frames - np.rint(frames)) <= _nearness(times, rate)))


def _nearness(times: Array, fps: float) -> Array:
    """The distance, in frames, of each key from its frame due to rounding."""
    return np.minimum(0.1, fps * _blur(times))


def _blur(times: Array) -> Array:
    """The rounding error of key times in seconds: files store them in single precision."""
    return np.maximum(SAME, np.abs(times) * 2.0**-22)


def sampled(interpolation: str, keys: Array, values: Array, frames: int, fps: float) -> Array:
    """The values of some channels, (frames, channels, components), at frames 0, 1, 2 …; quaternions of any length.

    keys: (n,), where the keys lie, in frames. values: (n, channels, components) at the keys, quaternions if there are
    four components; for a cubic spline (3n, channels, components): at each key the tangent towards it, the value and
    the tangent away from it, per second. The first value holds before the first key and the last after the last.
    """
    at = np.clip(np.arange(frames), keys[0], keys[-1])
    before = np.searchsorted(keys, at, side="right") - 1
    after = np.minimum(before + 1, len(keys) - 1)
    span = keys[after] - keys[before]
    fraction = (at - keys[before]) / np.where(span > 0.0, span, 1.0)
    if interpolation == "CUBICSPLINE":
        return _hermite(values.reshape(-1, 3, *values.shape[1:]), before, after, fraction, span / fps)
    start = values[before]
    if interpolation == "STEP" or not fraction.any():
        return start
    if values.shape[-1] == 4:
        return slerp(unit_quaternions(start), unit_quaternions(values[after]), fraction[:, None])
    return start + (values[after] - start) * fraction[:, None, None]


def _hermite(keys: Array, before: Array, after: Array, fraction: Array, seconds: Array) -> Array:
    """A cubic spline through keys (n, 3, channels, components) between those before and after each frame."""
    t, seconds = fraction[:, None, None], seconds[:, None, None]
    towards, value, away = 0, 1, 2
    return (
        (2 * t**3 - 3 * t**2 + 1) * keys[before, value]
        + (t**3 - 2 * t**2 + t) * seconds * keys[before, away]
        + (3 * t**2 - 2 * t**3) * keys[after, value]
        + (t**3 - t**2) * seconds * keys[after, towards]
    )
