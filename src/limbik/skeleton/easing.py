"""From one thing to another without a corner."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas import elementary


def ease(t: Any) -> Array:
    """From 0 at 0 to 1 at 1, level at both ends, and beyond."""
    t = np.minimum(np.maximum(t, 0.0), 1.0)  # np.clip takes longer, which tells for a single creature
    eased: Any = elementary.smoothstep(t)
    return eased
