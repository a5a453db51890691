"""Pictures as files: PNG and GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings along."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import BinaryIO

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError, MissingExtraError

QUALITY = 18  # x264's constant rate factor; lower is better, 18 is visually lossless
# The colour space is stated explicitly, because players guess differently.
COLOURS = "bt709"
TICKS = 100  # per second of a GIF's clock


def check(kind: str) -> None:
    """Raises where files of a kind, a suffix, cannot be written because a package is missing."""
    try:
        if kind == ".mp4":
            import imageio_ffmpeg  # noqa: F401
        else:
            import PIL.Image  # noqa: F401
    except ImportError:
        package = "imageio-ffmpeg" if kind == ".mp4" else "Pillow"
        raise MissingExtraError(f"a {kind} of a clip", package, "video") from None


def write_png(file: BinaryIO, picture: Array) -> None:
    """Writes an image, (height, width, 3) of uint8."""
    from PIL import Image

    Image.fromarray(picture).save(file, "PNG")


def colours_of(pictures: Sequence[Array]) -> Array:
    """A palette (256, 3) for a GIF, from some of its images."""
    from PIL import Image

    together = Image.fromarray(np.concatenate(pictures))
    found = np.asarray(together.quantize(256, Image.Quantize.MEDIANCUT).getpalette("RGB"), np.uint8).reshape(-1, 3)
    return np.concatenate([found, np.repeat(found[-1:], 256 - len(found), axis=0)])


def write_gif(file: BinaryIO, pictures: Iterable[Array], count: int, fps: float, colours: Array) -> None:
    """Writes a looping GIF of `count` images.

    Its clock has hundredths of a second, so at most rates some images last one tick longer than others.
    """
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette(colours.tobytes())
    images = (Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures)
    ticks = np.diff(np.rint(np.arange(count + 1) * TICKS / fps))
    milliseconds = (1000 // TICKS * ticks).astype(int).tolist()
    next(images).save(file, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0)


def write_mp4(file: BinaryIO, pictures: Iterable[Array], fps: float, size: tuple[int, int]) -> None:
    """Writes an H.264 film, which every browser plays; `file` is on the disk."""
    import imageio_ffmpeg

    rate = Fraction(fps).limit_denominator(100_000)
    # fmt: off
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*size), "-r", str(rate), "-i", "-",
        "-c:v", "libx264", "-crf", str(QUALITY), "-pix_fmt", "yuv420p",
        "-vf", f"scale=out_color_matrix={COLOURS}:out_range=tv",
        "-colorspace", COLOURS, "-color_primaries", COLOURS, "-color_trc", COLOURS,
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
