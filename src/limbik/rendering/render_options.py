"""The options of `render`, checked before any work is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from limbik.arguments import number, shown, whole
from limbik.errors import ArgumentError, FileError
from limbik.skeleton.clip import Clip

SUFFIXES = (".png", ".gif", ".mp4")
DEFAULT_FPS = {".gif": 20.0, ".mp4": 30.0}
MOST_FPS = {".gif": 50.0, ".mp4": 240.0}  # browsers slow down GIFs that are faster
MOST_POSES = 1000
SMALLEST, LARGEST = 16, 8192  # pixels across or down
SAME = 1e-6  # frames; times nearer than this are one


class RenderOptions(NamedTuple):
    """What is to be written."""

    kind: str  # the file's suffix
    times: list[float]  # seconds from the clip's first frame, one for each image; a still shows all of them together
    fps: float  # frames a second, 0 for a still
    size: tuple[int, int]  # width and height, pixels


def check_suffix(path: Path) -> str:
    """The kind of file to write, by its suffix."""
    if path.suffix.lower() not in SUFFIXES:
        wanted = ", ".join(SUFFIXES)
        raise FileError(path, "", f"has the suffix {path.suffix!r}; pictures and films are written as {wanted}")
    return path.suffix.lower()


def render_options(
    path: Path, clip: Clip, at: float | None, poses: int, fps: float | None, size: Sequence[int]
) -> RenderOptions:
    """The checked options of `render`."""
    kind = check_suffix(path)
    if not len(clip):
        raise ArgumentError("clip", "no frames", "at least one")
    pixels = _pixels(size, even=kind == ".mp4")
    if kind == ".png":
        if fps is not None:
            raise ArgumentError("fps", fps, "None for a still (.png); it applies to .gif and .mp4")
        return RenderOptions(kind, _times_of_still(clip, at, poses), 0.0, pixels)
    for name, value, default in (("at", at, None), ("poses", poses, 1)):
        if value != default:
            raise ArgumentError(name, shown(value), f"{default} for a {kind}; it applies to a still (.png)")
    rate = DEFAULT_FPS[kind] if fps is None else number("fps", fps, 0.0, MOST_FPS[kind], "frames a second", above=True)
    count = int(clip.duration * rate + SAME) + 1
    return RenderOptions(kind, (np.arange(count) / rate).tolist(), rate, pixels)


def _times_of_still(clip: Clip, at: float | None, poses: int) -> list[float]:
    poses = whole("poses", poses, 1, MOST_POSES)
    if poses > 1:
        if at is not None:
            raise ArgumentError("at", shown(at), "None with several poses, which are spread evenly over the clip")
        return np.linspace(0.0, clip.duration, poses).tolist()
    if at is None:
        return [0.5 * clip.duration]
    return [min(number("at", at, 0.0, clip.duration + SAME / clip.fps, "seconds"), clip.duration)]


def _pixels(size: Sequence[int], even: bool) -> tuple[int, int]:
    sides = np.asarray(size)
    if sides.shape != (2,) or sides.dtype.kind not in "iu" or sides.min() < SMALLEST or sides.max() > LARGEST:
        wanted = f"(width, height) in pixels, whole numbers from {SMALLEST} to {LARGEST}"
        raise ArgumentError("size", shown(size), wanted)
    if even and np.any(sides % 2):
        raise ArgumentError("size", shown(size), "even numbers for an .mp4, as its format demands")
    return int(sides[0]), int(sides[1])
