"""The last minute of a walk, for clips, gait diagrams and numbers."""

from __future__ import annotations

from collections import deque
from itertools import islice

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.gait.walker_state import WalkerState
from limbik.skeleton.clip import Clip

FPS = 60.0
LONGEST = 60.0  # seconds


class WalkRecording:
    """The recent walk of a walker with one creature, frame by frame; `distance`: of the whole walk, metres."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._states: deque[WalkerState] = deque([walker.state], maxlen=round(LONGEST * FPS) + 1)
        self._place = walker.places[0]
        self.distance = 0.0

    def add(self) -> None:
        self._states.append(self._walker.state)
        place = self._walker.places[0]
        self.distance += float(np.hypot(*(place - self._place)[::2]))
        self._place = place

    def clip(self) -> Clip:
        return self._walker.clip(tuple(self._states), FPS)

    def standing(self, seconds: float) -> Array:
        """Which legs stood in the last seconds, (frames, legs) bool; fewer frames if fewer were recorded."""
        start = max(len(self._states) - round(seconds * FPS), 0)
        return np.concatenate([state.planted for state in islice(self._states, start, None)], axis=1).T
