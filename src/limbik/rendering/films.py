"""A clip as a still, a GIF or a film: PNG and GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings along.

The options are checked before any work is done.
"""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from typing import BinaryIO

import numpy as np

from limbik.arguments import number, shown, whole
from limbik.arrays import Array
from limbik.engines.threads import cores
from limbik.errors import ArgumentError, FileError, MissingExtraError
from limbik.files.atomic_write import atomic_write
from limbik.rendering.scene_renderer import SceneRenderer
from limbik.scenes.scene_clip import clip_and_path
from limbik.skeleton.clip import Clip
from limbik.terrains.specs import TerrainLike

SUFFIXES, WRITTEN_AS = (".png", ".gif", ".mp4"), "pictures and films are written as"
DEFAULT_FPS = {".gif": 20.0, ".mp4": 30.0}
MAX_FPS = {".gif": 50.0, ".mp4": 240.0}  # browsers slow down GIFs that are faster
MAX_POSES = 1000
MIN_SIDE_PIXELS, MAX_SIDE_PIXELS = 16, 8192  # across or down
SAME_TIME_FRAMES = 1e-6  # times nearer than this are one
DEFAULT_SIZE, DEFAULT_VIEW = (960, 540), "three-quarter"
PALETTE_IMAGES = 6  # images of a GIF from which its colours are chosen
X264_RATE_FACTOR = 18  # constant over a film; lower is better, 18 is visually lossless
COLOUR_SPACE = "bt709"  # stated explicitly, because players guess differently
GIF_TICKS_PER_SECOND = 100  # of its clock


def render(
    clip: Clip | str | os.PathLike[str],
    path: str | os.PathLike[str],
    terrain: TerrainLike | None = None,
    *,
    at: float | None = None,
    poses: int = 1,
    fps: float | None = None,
    size: Sequence[int] = DEFAULT_SIZE,
    view: str = DEFAULT_VIEW,
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
    sides = _as_size(size, even=kind == ".mp4")
    times, rate = _moments(clip, kind, at, poses, fps)
    _require_encoder(kind)
    with atomic_write(path) as file:
        if kind == ".png":
            renderer = SceneRenderer(clip, terrain, sides, view, together=times)
            _write_png(file, renderer.picture(times))
            return
        renderer = SceneRenderer(clip, terrain, sides, view)
        with closing(_pictures(renderer, times, progress)) as pictures:
            if kind == ".gif":
                some = times[:: -(-len(times) // PALETTE_IMAGES)]
                colours = _palette_of([renderer.picture([time]) for time in some])
                _write_gif(file, pictures, len(times), rate, colours)
            else:
                _write_mp4(file, pictures, rate, sides)


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
    rate = DEFAULT_FPS[kind] if fps is None else number("fps", fps, 0.0, MAX_FPS[kind], "frames a second", above=True)
    count = int(clip.duration * rate + SAME_TIME_FRAMES) + 1
    return (np.arange(count) / rate).tolist(), rate


def _times_of_still(clip: Clip, at: float | None, poses: int) -> list[float]:
    poses = whole("poses", poses, 1, MAX_POSES)
    if poses > 1:
        if at is not None:
            raise ArgumentError("at", shown(at), "None with several poses, which are spread evenly over the clip")
        return np.linspace(0.0, clip.duration, poses).tolist()
    if at is None:
        return [0.5 * clip.duration]
    return [min(number("at", at, 0.0, clip.duration + SAME_TIME_FRAMES / clip.fps, "seconds"), clip.duration)]


def _as_size(size: Sequence[int], even: bool) -> tuple[int, int]:
    """The width and height of an image, checked."""
    sides = np.asarray(size)
    whole_numbers = sides.shape == (2,) and sides.dtype.kind in "iu"
    if not whole_numbers or sides.min() < MIN_SIDE_PIXELS or sides.max() > MAX_SIDE_PIXELS:
        wanted = f"(width, height) in pixels, whole numbers from {MIN_SIDE_PIXELS} to {MAX_SIDE_PIXELS}"
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


def _require_encoder(kind: str) -> None:
    """Raises where files of a kind, a suffix, cannot be written because a package is missing."""
    try:
        if kind == ".mp4":
            import imageio_ffmpeg  # noqa: F401
        else:
            import PIL.Image  # noqa: F401
    except ImportError:
        package = "imageio-ffmpeg" if kind == ".mp4" else "Pillow"
        raise MissingExtraError(f"a {kind} of a clip", package, "video") from None


def _write_png(file: BinaryIO, picture: Array) -> None:
    """Writes an image, (height, width, 3) of uint8."""
    from PIL import Image

    Image.fromarray(picture).save(file, "PNG")


def _palette_of(pictures: Sequence[Array]) -> Array:
    """A palette (256, 3) for a GIF, from some of its images."""
    from PIL import Image

    together = Image.fromarray(np.concatenate(pictures))
    found = np.asarray(together.quantize(256, Image.Quantize.MEDIANCUT).getpalette("RGB"), np.uint8).reshape(-1, 3)
    return np.concatenate([found, np.repeat(found[-1:], 256 - len(found), axis=0)])


def _write_gif(file: BinaryIO, pictures: Iterable[Array], count: int, fps: float, colours: Array) -> None:
    """Writes a looping GIF of `count` images.

    Its clock has hundredths of a second, so at most rates some images last one tick longer than others.
    """
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette(colours.tobytes())
    images = (Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures)
    ticks = np.diff(np.rint(np.arange(count + 1) * GIF_TICKS_PER_SECOND / fps))
    milliseconds = (1000 // GIF_TICKS_PER_SECOND * ticks).astype(int).tolist()
    next(images).save(file, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0)


def _write_mp4(file: BinaryIO, pictures: Iterable[Array], fps: float, size: tuple[int, int]) -> None:
    """Writes an H.264 film, which every browser plays; `file` is on the disk."""
    import imageio_ffmpeg

    rate = Fraction(fps).limit_denominator(100_000)
    # fmt: off
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*size), "-r", str(rate), "-i", "-",
        "-c:v", "libx264", "-crf", str(X264_RATE_FACTOR), "-pix_fmt", "yuv420p",
        "-vf", f"scale=out_color_matrix={COLOUR_SPACE}:out_range=tv",
        "-colorspace", COLOUR_SPACE, "-color_primaries", COLOUR_SPACE, "-color_trc", COLOUR_SPACE,
        "-movflags", "+faststart",  # what a player needs first comes first
        "-f", "mp4", file.name,
    ]
    # fmt: on
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        try:
            for picture in pictures:
                process.stdin.write(picture.tobytes())
        except BrokenPipeError:
            pass  # ffmpeg has failed; its message is read below
        except BaseException:
            process.kill()
            raise
        said = process.communicate()[1].decode(errors="replace").split("\n")[0]
    if process.returncode:
        raise FileError(file.name, "", f"ffmpeg cannot write it ({said or process.returncode})")
