"""What a creature did: the last minute of its walk, from which clips, diagrams and numbers are made."""

from __future__ import annotations

from collections import deque
from itertools import islice

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.gait.walker_state import WalkerState
from limbik.skeleton.clip import Clip

FPS = 60.0
SECONDS = 60.0  # that are kept


class Record:
    """The walk of a walker with one creature, frame by frame, and how far it went, in metres."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._states: deque[WalkerState] = deque([walker.state], maxlen=round(SECONDS * FPS) + 1)
        self._place = walker.places[0]
        self.distance = 0.0

    def add(self) -> None:
        """Keeps how the walker is now."""
        self._states.append(self._walker.state)
        place = self._walker.places[0]
        self.distance += float(np.hypot(*(place - self._place)[::2]))
        self._place = place

    def clip(self) -> Clip:
        """All that was kept."""
        return self._walker.clip(tuple(self._states), FPS)

    def standing(self, seconds: float) -> Array:
        """(frames, legs) bool: which legs stood in the last seconds, or for as long as there is."""
        start = max(len(self._states) - round(seconds * FPS), 0)
        return np.concatenate([state.planted for state in islice(self._states, start, None)], axis=1).T
