"""Damped springs, integrated exactly for any time step."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array


def pulled(gap: Array, speed: Array, stiffness: float, seconds: float) -> tuple[Array, Array]:
    """The remaining gap to the target after a time, and its rate of change.

    stiffness: the natural angular frequency, 1/s; a gap is down to a tenth after about 4 / stiffness.
    """
    drive = speed + stiffness * gap
    fade = float(np.exp(-stiffness * seconds))
    return (gap + drive * seconds) * fade, (speed - (stiffness * seconds) * drive) * fade


def travelled(gap: Array, speed: Array, stiffness: float, seconds: Any) -> Array:
    """The integral of a gap over the next times (...), seconds, while a spring closes it."""
    drive = (speed + stiffness * gap) / stiffness
    time = stiffness * seconds
    fade = np.exp(-time)
    return (gap * (1.0 - fade) + drive * (1.0 - fade * (1.0 + time))) / stiffness


def free_swing(rate: Array, damping: float, seconds: float) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """The matrix ((a, b), (c, d)) that takes position and velocity of a spring to those after a time, exactly.

    rate: (...), natural angular frequencies, 1/s. damping: of critical, below 1.
    """
    wave = rate * np.sqrt(1.0 - damping * damping)
    fade, drag = np.exp(-damping * rate * seconds), damping * rate
    sine, cosine = np.sin(wave * seconds), np.cos(wave * seconds)
    slope = fade * sine / wave
    return (fade * cosine + drag * slope, slope), (-rate * rate * slope, fade * cosine - drag * slope)
