"""Intervals of frames: where a condition holds through time."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array


def intervals(flags: Array) -> list[tuple[int, int]]:
    """The intervals in which flags (frames,) are true, each as its first frame and one past its last."""
    padded = np.zeros(len(flags) + 2, bool)
    padded[1:-1] = flags
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
