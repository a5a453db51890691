"""A clip measured for a scene: its size, the path that the camera follows, and where feet are planted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan2, ceil
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arguments import file_path
from limbik.arrays import Array
from limbik.bodies.body_set import trees
from limbik.errors import ArgumentError
from limbik.files.clip_files import as_clip
from limbik.files.file_limits import known_suffix
from limbik.grounding.smoothing import smooth
from limbik.scenes.looks import LOOKS
from limbik.skeleton.clip import Clip
from limbik.skeleton.timing import intervals
from limbik.terrains.base import Terrain

MAX_FPS = 60.0
# Joints times frames, about four bytes each: longer clips are thinned, so that pages stay below 3 MB. The page
# interpolates between frames, so a planted foot slides a little where frames are far apart.
MOST_KEYS, FEWEST_FPS = 600_000, 15.0
MAX_MARK_HEIGHTS = 0.12  # greatest radius of a mark, over the height of the joints in the first frame
STEP_SAMPLES = 1000  # along the way, to find steps
MIN_STEP_SIZES = 0.03  # least height of steps that are taken for stairs, over the figure's size
CAMERA_SMOOTHING_SECONDS = 0.5  # half the width of the window, in seconds, over which the camera's path is smoothed


@dataclass(frozen=True, eq=False)
class SceneClip:
    """A clip with at least one frame and one joint, all of whose positions are finite."""

    clip: Clip

    @classmethod
    def of(cls, name: str, clip: Clip) -> SceneClip:
        """Checks a clip. name: of the argument, for errors."""
        if not (len(clip) and len(clip.skeleton)):
            raise ArgumentError(name, f"{len(clip)} frames of {len(clip.skeleton)} joints", "at least one of each")
        found = cls(clip)
        lost = np.argwhere(~np.isfinite(found.positions))
        if len(lost):
            where = f"no finite position of {clip.skeleton.names[lost[0, 1]]!r} at second {clip.times[lost[0, 0]]:g}"
            raise ArgumentError(name, where, "finite numbers")
        return found

    @classmethod
    def thinned(cls, name: str, clip: Clip) -> SceneClip:
        """The clip at no more frames a second than a page needs. name: of the argument, for errors."""
        wanted = max(clip.fps / MAX_FPS, len(clip) * len(clip.skeleton) / MOST_KEYS)
        step = max(1, min(ceil(wanted - 1e-6), int(clip.fps / FEWEST_FPS)))
        return cls.of(name, clip[::step] if len(clip) else clip)

    @cached_property
    def positions(self) -> Array:
        """(frames, joints, 3), world."""
        return self.clip.positions()

    @cached_property
    def size(self) -> float:
        """The extent of the largest figure in the first frame, metres."""
        start = self.positions[0]
        return max(float(np.ptp(start[joints], axis=0).max()) for joints in trees(self.clip.skeleton)) or 1.0

    @cached_property
    def centres(self) -> Array:
        """(frames, 3): the centre of all figures, smoothed over time."""
        middles = 0.5 * (self.positions.min(axis=1) + self.positions.max(axis=1))
        return smooth(middles, round(CAMERA_SMOOTHING_SECONDS * self.clip.fps))

    @cached_property
    def radius(self) -> float:
        """The largest distance of any joint from that centre, metres."""
        away = np.linalg.norm(self.positions - self.centres[:, None], axis=-1)
        return max(float(away.max()), 0.6 * self.size)

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The largest distances of any joint from that centre, level and upright, metres."""
        away = np.abs(self.positions - self.centres[:, None])
        level, tall = np.hypot(away[..., 0], away[..., 2]), away[..., 1]
        return float(level.max()) or 0.5 * self.size, float(tall.max())

    @cached_property
    def heading(self) -> float:
        """The direction of travel, radians from +z towards +x; 0 where the figures stay in place."""
        x, _, z = self.centres[-1] - self.centres[0]
        return atan2(x, z) if np.hypot(x, z) > 0.5 * self.size else 0.0

    @cached_property
    def azimuth(self) -> float:
        """The direction from the figures to the camera, radians from +z towards +x: half ahead, or behind uphill.

        Behind where a figure is blocked, too: what it cannot climb is ahead, and would hide it.
        """
        x, y, z = self.centres[-1] - self.centres[0]
        uphill = self._goes_up_steps or y > LOOKS.climb * max(float(np.hypot(x, z)), 0.5 * self.size)
        return self.heading + (LOOKS.behind if uphill or self.blocked else LOOKS.azimuth)

    @property
    def _goes_up_steps(self) -> bool:
        """Whether the clip's ground has steps on the way, more of them up than down."""
        if self.clip.terrain is None:
            return False
        start, end = self.centres[0, ::2], self.centres[-1, ::2]
        places = np.linspace(start, end, STEP_SAMPLES)
        rises = np.diff(self.clip.terrain.height(places))
        steep = np.abs(rises) > float(np.hypot(*(end - start))) / STEP_SAMPLES  # more than 45 degrees
        return float(rises[steep].sum()) > MIN_STEP_SIZES * self.size

    @cached_property
    def mark(self) -> float:
        """The radius of the mark under a planted foot, metres: less for figures that are low, whose feet are small."""
        tall = float(np.ptp(self.positions[0, :, 1]))
        return min(LOOKS.mark * self.size, MAX_MARK_HEIGHTS * tall) or LOOKS.mark * self.size

    @cached_property
    def plants(self) -> list[tuple[int, int, int]]:
        """(foot, first frame, one past the last frame) of each interval in which a foot is planted."""
        clip = self.clip
        if clip.contacts is None:
            return []
        return [(foot, *plant) for foot in range(len(clip.feet)) for plant in intervals(clip.contacts[:, foot])]

    @property
    def blocked(self) -> list[tuple[int, int]]:
        """(first frame, one past the last frame) of each interval in which a figure is blocked."""
        return [] if self.clip.blocked is None else intervals(np.any(self.clip.blocked, axis=1))

    def marks(self, ground: Terrain) -> Array:
        """(plants, 8): position on the ground, the ground's normal there, first and last second of each plant."""
        marks = np.zeros((len(self.plants), 8))
        for k, (foot, first, stop) in enumerate(self.plants):
            marks[k, [0, 2]] = self.positions[first:stop, self.clip.feet[foot]][:, [0, 2]].mean(axis=0)
            marks[k, 6:] = first / self.clip.fps, stop / self.clip.fps
        places = marks[:, [0, 2]]
        marks[:, 1], marks[:, 3:6] = ground.height(places), ground.normal(places)
        return marks


def clip_and_path(clip: Any, path: Any, suffixes: tuple[str, ...], written_as: str) -> tuple[Clip, Path, str]:
    """The first two arguments of a function that writes a clip, checked, and the path's suffix."""
    path = file_path("path", path)
    suffix = known_suffix(path, suffixes, written_as)
    return as_clip(clip), path, suffix
