"""Critically damped springs, integrated exactly for any time step."""

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
