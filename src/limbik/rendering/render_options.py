"""The options of `render`, checked before any work is done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arguments import number, shown, whole
from limbik.errors import ArgumentError
from limbik.skeleton.clip import Clip

SUFFIXES, WRITTEN_AS = (".png", ".gif", ".mp4"), "pictures and films are written as"
DEFAULT_FPS = {".gif": 20.0, ".mp4": 30.0}
MOST_FPS = {".gif": 50.0, ".mp4": 240.0}  # browsers slow down GIFs that are faster
MOST_POSES = 1000
SMALLEST, LARGEST = 16, 8192  # pixels across or down
SAME = 1e-6  # frames; times nearer than this are one


def moments(clip: Clip, kind: str, at: float | None, poses: int, fps: float | None) -> tuple[list[float], float]:
    """The times of the poses in a still, or of the images of a film, seconds from the first frame; and its fps."""
    if not len(clip):
        raise ArgumentError("clip", "no frames", "at least one")
    if kind == ".png":
        if fps is not None:
            raise ArgumentError("fps", fps, "None for a still (.png); it applies to .gif and .mp4")
        return _times_of_still(clip, at, poses), 0.0
    for name, value, default in (("at", at, None), ("poses", poses, 1)):
        if value != default:
            raise ArgumentError(name, shown(value), f"{default} for a {kind}; it applies to a still (.png)")
    rate = DEFAULT_FPS[kind] if fps is None else number("fps", fps, 0.0, MOST_FPS[kind], "frames a second", above=True)
    count = int(clip.duration * rate + SAME) + 1
    return (np.arange(count) / rate).tolist(), rate


def _times_of_still(clip: Clip, at: float | None, poses: int) -> list[float]:
    poses = whole("poses", poses, 1, MOST_POSES)
    if poses > 1:
        if at is not None:
            raise ArgumentError("at", shown(at), "None with several poses, which are spread evenly over the clip")
        return np.linspace(0.0, clip.duration, poses).tolist()
    if at is None:
        return [0.5 * clip.duration]
    return [min(number("at", at, 0.0, clip.duration + SAME / clip.fps, "seconds"), clip.duration)]


def pixels(size: Sequence[int], even: bool) -> tuple[int, int]:
    """The width and height of an image, checked."""
    sides = np.asarray(size)
    if sides.shape != (2,) or sides.dtype.kind not in "iu" or sides.min() < SMALLEST or sides.max() > LARGEST:
        wanted = f"(width, height) in pixels, whole numbers from {SMALLEST} to {LARGEST}"
        raise ArgumentError("size", shown(size), wanted)
    if even and np.any(sides % 2):
        raise ArgumentError("size", shown(size), "even numbers for an .mp4, as its format demands")
    return int(sides[0]), int(sides[1])
