"""A motion as a page keeps it: figures that are alike together, as few frames as it takes, and where feet stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan2, ceil

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.grounding.smoothing import smoothed
from limbik.scenes.body_set import trees
from limbik.skeleton.clip import Clip
from limbik.skeleton.intervals import intervals
from limbik.terrains.base import Terrain

MOST_FPS = 60.0
# Joints times frames, each of which takes about four bytes: more is thinned, so that pages stay below 3 MB. The page
# fills in between frames, but a foot that stands in two frames slides a little between them if they are far apart.
MOST_KEYS, FEWEST_FPS = 600_000, 15.0
STEADY = 0.5  # seconds to either side over which the camera's way is smoothed


@dataclass(frozen=True, eq=False)
class Take:
    """A clip to be shown."""

    clip: Clip

    @classmethod
    def of(cls, name: str, clip: Clip) -> Take:
        """The clip thinned. name: of the argument, for errors."""
        return cls.whole(name, clip[:: _thinning(clip)] if len(clip) else clip)

    @classmethod
    def whole(cls, name: str, clip: Clip) -> Take:
        """The clip with all its frames."""
        if not (len(clip) and len(clip.skeleton)):
            raise ArgumentError(name, f"{len(clip)} frames of {len(clip.skeleton)} joints", "at least one of each")
        take = cls(clip)
        lost = np.argwhere(~np.isfinite(take.positions))
        if len(lost):
            where = f"{clip.skeleton.names[lost[0, 1]]!r} nowhere at second {take.clip.times[lost[0, 0]]:g}"
            raise ArgumentError(name, where, "finite numbers")
        return take

    @cached_property
    def positions(self) -> Array:
        """(frames, joints, 3)."""
        return self.clip.positions()

    @cached_property
    def size(self) -> float:
        """The extent of the largest figure at the start, metres."""
        start = self.positions[0]
        return max(float(np.ptp(start[joints], axis=0).max()) for joints in trees(self.clip.skeleton)) or 1.0

    @cached_property
    def centres(self) -> Array:
        """(frames, 3): the middle of all figures, on a smooth way."""
        middles = 0.5 * (self.positions.min(axis=1) + self.positions.max(axis=1))
        return smoothed(middles, round(STEADY * self.clip.fps))

    @cached_property
    def radius(self) -> float:
        """How far from that middle any joint ever is, metres."""
        away = np.linalg.norm(self.positions - self.centres[:, None], axis=-1)
        return max(float(away.max()), 0.6 * self.size)

    @cached_property
    def heading(self) -> float:
        """The direction, radians from +z towards +x, in which it goes; 0 where it stays."""
        x, _, z = self.centres[-1] - self.centres[0]
        return atan2(x, z) if np.hypot(x, z) > 0.5 * self.size else 0.0

    @cached_property
    def plants(self) -> list[tuple[int, int, int]]:
        """Which of the feet stands, from which frame on, and until which."""
        clip = self.clip
        if clip.contacts is None:
            return []
        return [(foot, *plant) for foot in range(len(clip.feet)) for plant in intervals(clip.contacts[:, foot])]

    def marks(self, ground: Terrain) -> Array:
        """(plants, 8): where on the ground feet stand, its normal there, and from when to when, seconds."""
        marks = np.zeros((len(self.plants), 8))
        for k, (foot, first, stop) in enumerate(self.plants):
            marks[k, [0, 2]] = self.positions[first:stop, self.clip.feet[foot]][:, [0, 2]].mean(axis=0)
            marks[k, 6:] = first / self.clip.fps, stop / self.clip.fps
        places = marks[:, [0, 2]]
        marks[:, 1], marks[:, 3:6] = ground.height(places), ground.normal(places)
        return marks


def _thinning(clip: Clip) -> int:
    """Of how many frames one is kept."""
    wanted = max(clip.fps / MOST_FPS, len(clip) * len(clip.skeleton) / MOST_KEYS)
    return max(1, min(ceil(wanted - 1e-6), int(clip.fps / FEWEST_FPS)))
