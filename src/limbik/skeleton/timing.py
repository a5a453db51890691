"""Smooth transitions."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas import elementary


def ease(t: Any) -> Array:
    """Smoothstep: from 0 at 0 to 1 at 1 with zero slope at both ends, constant beyond."""
    t = np.minimum(np.maximum(t, 0.0), 1.0)  # faster than np.clip, which matters for a single creature
    eased: Any = elementary.smoothstep(t)
    return eased
