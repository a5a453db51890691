"""Damped springs, integrated exactly for any time step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from limbik.arrays import Array


def close_gap(gap: Array, speed: Array, stiffness: float, seconds: float) -> tuple[Array, Array]:
    """The remaining gap to the target after a time, and its rate of change.

    stiffness: the natural angular frequency, 1/s; a gap is down to a tenth after about 4 / stiffness.
    """
    return close_gap_by(gap, speed, stiffness, seconds, float(np.exp(-stiffness * seconds)))


def close_gap_by(gap: Any, speed: Any, stiffness: Any, seconds: Any, decay: Any) -> tuple[Any, Any]:
    """`close_gap` with its decay given, exp(-stiffness * seconds); on numbers, arrays or symbols of a formula."""
    drive = speed + stiffness * gap
    return (gap + drive * seconds) * decay, (speed - (stiffness * seconds) * drive) * decay


def gap_integral(gap: Array, speed: Array, stiffness: float, seconds: Array | float) -> Array:
    """The integral of a gap over the next times (...), seconds, while a spring closes it."""
    return gap_integral_by(gap, speed, stiffness, seconds, np.exp(-(stiffness * seconds)))


def gap_integral_by(gap: Any, speed: Any, stiffness: Any, seconds: Any, decay: Any) -> Any:
    """`gap_integral` with its decay given, exp(-stiffness * seconds); on numbers, arrays or symbols of a formula."""
    drive = (speed + stiffness * gap) / stiffness
    return (gap * (1.0 - decay) + drive * (1.0 - decay * (1.0 + stiffness * seconds))) / stiffness


Matrix = tuple[tuple[Array, Array], tuple[Array, Array]]


def free_swing(rate: ArrayLike, damping: float, seconds: float) -> Matrix:
    """The matrix ((a, b), (c, d)) that takes position and velocity of a spring to those after a time, exactly.

    rate: (...), natural angular frequencies, 1/s. damping: of critical, any number from 0 on.
    """
    rate = np.asarray(rate, float)
    drag = damping * rate
    if damping < 1.0:
        wave = rate * np.sqrt(1.0 - damping * damping)
        fade = np.exp(-drag * seconds)
        even, slope = fade * np.cos(wave * seconds), fade * np.sin(wave * seconds) / wave
    else:  # two rates, both of which fade: the faster one and what it leaves of the slower one
        spread = rate * np.sqrt(damping * damping - 1.0)
        slower = np.exp(-(rate / (damping + np.sqrt(damping * damping - 1.0))) * seconds)
        faster = -np.expm1(-2.0 * spread * seconds)  # 1 - exp(...)
        even = slower * (1.0 - 0.5 * faster)
        slope = slower * np.where(spread > 0.0, 0.5 * faster / np.where(spread > 0.0, spread, 1.0), seconds)
    return (even + drag * slope, slope), (-rate * rate * slope, even - drag * slope)
