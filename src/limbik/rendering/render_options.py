"""What is asked for, checked before any work is done."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from limbik.errors import ArgumentError, FileError
from limbik.skeleton.clip import Clip

SUFFIXES = (".png", ".gif", ".mp4")
FPS = {".gif": 20.0, ".mp4": 30.0}  # unless told
MOST_FPS = {".gif": 50.0, ".mp4": 240.0}  # browsers slow GIFs down that are faster
MOST_POSES = 1000
SMALLEST, LARGEST = 16, 8192  # pixels across or down
SAME = 1e-6  # frames; moments nearer than this are one


class Film(NamedTuple):
    """What is to be written. kind: a suffix. fps: frames a second, 0 for a still. size: width and height, pixels.

    moments: seconds from the clip's first frame; in a still all are seen together.
    """

    kind: str
    moments: list[float]
    fps: float
    size: tuple[int, int]


def film(path: Path, clip: Clip, at: float | None, poses: int, fps: float | None, size: Any) -> Film:
    """What `render` is to write."""
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise FileError(path, "", f"has the suffix {path.suffix!r}; pictures and films are {', '.join(SUFFIXES)}")
    if not len(clip):
        raise ArgumentError("clip", "no frames", "at least one")
    pixels = _pixels(size, even=kind == ".mp4")
    if kind == ".png":
        if fps is not None:
            raise ArgumentError("fps", fps, "none for a still, .png; it is for .gif and .mp4")
        return Film(kind, _still(clip, at, poses), 0.0, pixels)
    for name, value, usual in (("at", at, None), ("poses", poses, 1)):
        if value != usual:
            raise ArgumentError(name, value, f"none for a {kind}; it is for a still, .png")
    rate = FPS[kind] if fps is None else fps
    if not (isfinite(rate) and 0.0 < rate <= MOST_FPS[kind]):
        raise ArgumentError("fps", rate, f"more than 0, and at most {MOST_FPS[kind]:g} frames a second for a {kind}")
    count = int(clip.duration * rate + SAME) + 1
    return Film(kind, (np.arange(count) / rate).tolist(), float(rate), pixels)


def _still(clip: Clip, at: float | None, poses: int) -> list[float]:
    """The moments of the poses in a still."""
    if not (isinstance(poses, int | np.integer) and 1 <= poses <= MOST_POSES):
        raise ArgumentError("poses", repr(poses), f"a whole number from 1 to {MOST_POSES}")
    if poses > 1:
        if at is not None:
            raise ArgumentError("at", at, "none where several poses are asked for; they are spread over the clip")
        return np.linspace(0.0, clip.duration, poses).tolist()
    if at is None:
        return [0.5 * clip.duration]
    if not 0.0 <= at <= clip.duration + SAME / clip.fps:
        raise ArgumentError("at", f"{at} s", f"seconds from 0 to {clip.duration:g}, where the clip ends")
    return [float(at)]


def _pixels(size: Any, even: bool) -> tuple[int, int]:
    sides = np.asarray(size)
    if sides.shape != (2,) or sides.dtype.kind not in "iu" or sides.min() < SMALLEST or sides.max() > LARGEST:
        raise ArgumentError("size", size, f"width and height, whole numbers from {SMALLEST} to {LARGEST}")
    if even and np.any(sides % 2):
        raise ArgumentError("size", size, "even numbers for an .mp4, as its format demands")
    return int(sides[0]), int(sides[1])
