"""Evaluates the key frames of an animation at the frames of a clip."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.nodes import unit_quaternions
from limbik.rotations import slerp

INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


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
