"""Helpers along time: smooth transitions, and intervals of frames in which a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas import elementary

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def ease(t: ArrayLike) -> Array:
    """Smoothstep: from 0 at 0 to 1 at 1 with zero slope at both ends, constant beyond."""
    part: Any = np.minimum(np.maximum(t, 0.0), 1.0)  # faster than np.clip, which matters for a single creature
    eased: Any = elementary.smoothstep(part)
    return eased


def intervals(flags: Array) -> list[tuple[int, int]]:
    """The intervals in which flags (frames,) are true, each as its first frame and one past its last."""
    padded = np.zeros(len(flags) + 2, bool)
    padded[1:-1] = flags
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
