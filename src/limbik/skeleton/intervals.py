"""Intervals of frames: where a condition holds through time."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array


def intervals(flags: Array) -> list[tuple[int, int]]:
    """The intervals in which flags (frames,) are true, each as its first frame and one past its last."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return [(int(first), int(stop)) for first, stop in zip(edges[::2], edges[1::2], strict=True)]
