"""A clip as a still, a GIF or a film; the options are checked before any work is done."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

import numpy as np

from limbik.arguments import number, shown, whole
from limbik.arrays import Array
from limbik.engines.threads import cores
from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write
from limbik.rendering import encoding
from limbik.rendering.scene_renderer import SceneRenderer
from limbik.scenes.scene_clip import clip_and_path
from limbik.skeleton.clip import Clip
from limbik.terrains.specs import TerrainLike

SUFFIXES, WRITTEN_AS = (".png", ".gif", ".mp4"), "pictures and films are written as"
DEFAULT_FPS = {".gif": 20.0, ".mp4": 30.0}
MOST_FPS = {".gif": 50.0, ".mp4": 240.0}  # browsers slow down GIFs that are faster
MOST_POSES = 1000
SMALLEST, LARGEST = 16, 8192  # pixels across or down
SAME = 1e-6  # frames; times nearer than this are one
SIZE, VIEW = (960, 540), "three-quarter"
PALETTE_IMAGES = 6  # images of a GIF from which its colours are chosen


def render(
    clip: Clip | str | os.PathLike[str],
    path: str | os.PathLike[str],
    terrain: TerrainLike | None = None,
    *,
    at: float | None = None,
    poses: int = 1,
    fps: float | None = None,
    size: Sequence[int] = SIZE,
    view: str = VIEW,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Renders a clip to a still (.png), a GIF (.gif) or a film (.mp4), without a display or a GPU.

    Figures have the body of the glTF file that they were loaded from, else the clip's own (`clip.body`), else they are
    mannequins, or bones where they are not human. Planted feet are marked where the clip has contacts, and the camera
    follows the figures. An existing file is replaced; the new one appears complete or not at all. The same input gives
    the same bytes.

    Args:
        clip: The motion, or the path of a file to load; a skeleton of several trees is a crowd.
        path: The file to write; its suffix selects what is written.
        terrain: The ground: a Terrain or whatever `limbik.terrain` accepts (default: the clip's own, else a plane).
        at: Time of a still, seconds from the first frame (default: the middle of the clip).
        poses: Number of poses in a still, spread evenly over the clip.
        fps: Frames a second of a GIF or film (default: 20 for a GIF, 30 for a film).
        size: Width and height, pixels; both even for a film.
        view: Direction of the camera: "three-quarter", "side", "front" or "top".
        progress: Callback that receives the fraction done, 0 to 1.

    Raises:
        ArgumentError: An argument cannot be used.
        FileError: The file cannot be written, or its suffix is none of the three.
        MissingExtraError: Pillow or imageio-ffmpeg is not installed: pip install 'limbik[video]'.
    """
    clip, path, kind = clip_and_path(clip, path, SUFFIXES, WRITTEN_AS)
    sides = _pixels(size, even=kind == ".mp4")
    times, rate = _moments(clip, kind, at, poses, fps)
    encoding.check(kind)
    with atomic_write(path) as file:
        if kind == ".png":
            renderer = SceneRenderer(clip, terrain, sides, view, together=times)
            encoding.write_png(file, renderer.picture(times))
            return
        renderer = SceneRenderer(clip, terrain, sides, view)
        with closing(_pictures(renderer, times, progress)) as pictures:
            if kind == ".gif":
                some = times[:: -(-len(times) // PALETTE_IMAGES)]
                colours = encoding.colours_of([renderer.picture([time]) for time in some])
                encoding.write_gif(file, pictures, len(times), rate, colours)
            else:
                encoding.write_mp4(file, pictures, rate, sides)


def _moments(clip: Clip, kind: str, at: float | None, poses: int, fps: float | None) -> tuple[list[float], float]:
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


def _pixels(size: Sequence[int], even: bool) -> tuple[int, int]:
    """The width and height of an image, checked."""
    sides = np.asarray(size)
    if sides.shape != (2,) or sides.dtype.kind not in "iu" or sides.min() < SMALLEST or sides.max() > LARGEST:
        wanted = f"(width, height) in pixels, whole numbers from {SMALLEST} to {LARGEST}"
        raise ArgumentError("size", shown(size), wanted)
    if even and np.any(sides % 2):
        raise ArgumentError("size", shown(size), "even numbers for an .mp4, as its format demands")
    return int(sides[0]), int(sides[1])


def _pictures(
    renderer: SceneRenderer, times: Sequence[float], progress: Callable[[float], None] | None
) -> Generator[Array, None, None]:
    """An image for each time, in order; the next ones are rendered ahead, on all cores."""
    waiting: deque[Future[Array]] = deque()
    with ThreadPoolExecutor(cores(), thread_name_prefix="limbik") as pool:
        try:
            for done in range(len(times)):
                while len(waiting) <= cores() and done + len(waiting) < len(times):
                    waiting.append(pool.submit(renderer.picture, [times[done + len(waiting)]]))
                yield waiting.popleft().result()
                if progress is not None:
                    progress((done + 1) / len(times))
        finally:
            for one in waiting:
                one.cancel()
