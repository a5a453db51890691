"""Critically damped springs, integrated exactly: whatever the time step, they settle fast and never overshoot alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array


def pulled(gap: Array, speed: Array, stiffness: float, seconds: float) -> tuple[Array, Array]:
    """What is left of a gap to the target after some time, and how fast it changes then.

    stiffness: the spring's own angular frequency, 1/s; a gap is down to a tenth after about four of its inverse.
    """
    drive = speed + stiffness * gap
    fade = float(np.exp(-stiffness * seconds))
    return (gap + drive * seconds) * fade, (speed - (stiffness * seconds) * drive) * fade


def travelled(gap: Array, speed: Array, stiffness: float, seconds: Any) -> Array:
    """The integral of a gap over times (...) to come, while a spring closes it."""
    drive = (speed + stiffness * gap) / stiffness
    time = stiffness * seconds
    fade = np.exp(-time)
    return (gap * (1.0 - fade) + drive * (1.0 - fade * (1.0 + time))) / stiffness
