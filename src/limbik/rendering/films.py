"""A clip as a still, a GIF or a film."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from limbik.arrays import Array
from limbik.engines.threads import cores
from limbik.files.atomic_write import atomic_write
from limbik.rendering import encoding, render_options
from limbik.rendering.scene_renderer import SceneRenderer
from limbik.skeleton.clip import Clip

SIZE, VIEW = (960, 540), "three-quarter"
LOOKED_AT = 6  # pictures of a GIF from which its colours are chosen


def render(
    path: str | os.PathLike[str],
    clip: Clip,
    terrain: Any = None,
    *,
    at: float | None = None,
    poses: int = 1,
    fps: float | None = None,
    size: tuple[int, int] = SIZE,
    view: str = VIEW,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Writes what a clip looks like: a still (.png), a GIF (.gif) or a film (.mp4), which appears whole or not at all.

    It looks as on pages: figures have the body of the glTF document that they came from, or else one of simple bones;
    planted feet are marked where the clip has contacts; the eye follows. The same input gives the same bytes.

    Args:
        path: the file; its suffix says what is written.
        clip: the motion; a skeleton of several trees is a crowd.
        terrain: what it walks on: a Terrain or what `limbik.terrain` takes; its own, or level ground, unless told.
        at: of a still, seconds from the first frame; the middle of the clip unless told.
        poses: how many poses a still shows, spread evenly over the clip.
        fps: frames a second; 30 unless told, and 20 of a GIF.
        size: width and height, pixels; those of a film are even.
        view: where from: "three-quarter", "side", "front" or "top".
        progress: is told the part that is done, from 0 to 1.
    """
    path = Path(path)
    film = render_options.film(path, clip, at, poses, fps, size)
    encoding.check(film.kind)
    with atomic_write(path) as file:
        if film.kind == ".png":
            scene = SceneRenderer(clip, terrain, film.size, view, together=film.moments)
            encoding.write_png(file, scene.picture(film.moments))
            return
        scene = SceneRenderer(clip, terrain, film.size, view)
        with closing(_pictures(scene, film.moments, progress)) as pictures:
            if film.kind == ".gif":
                some = film.moments[:: -(-len(film.moments) // LOOKED_AT)]
                colours = encoding.colours_of([scene.picture([moment]) for moment in some])
                encoding.write_gif(file, pictures, len(film.moments), film.fps, colours)
            else:
                encoding.write_mp4(file, pictures, film.fps, film.size)


def _pictures(
    scene: SceneRenderer, moments: Sequence[float], progress: Callable[[float], None] | None
) -> Generator[Array, None, None]:
    """A picture of each moment, in their order; those that come next are worked on meanwhile, on all cores."""
    waiting: deque[Future[Array]] = deque()
    with ThreadPoolExecutor(cores(), thread_name_prefix="limbik") as pool:
        try:
            for done in range(len(moments)):
                while len(waiting) <= cores() and done + len(waiting) < len(moments):
                    waiting.append(pool.submit(scene.picture, [moments[done + len(waiting)]]))
                yield waiting.popleft().result()
                if progress is not None:
                    progress((done + 1) / len(moments))
        finally:
            for one in waiting:
                one.cancel()
