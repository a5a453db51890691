"""Pictures as files: PNG and GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings along."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import BinaryIO

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError, MissingExtraError

QUALITY = 18  # x264's constant rate factor; less is better, and 18 can hardly be told from the original
# Colours as high-definition television has them, said in so many words, for players guess differently otherwise.
COLOURS = "bt709"
TICKS = 100  # of a GIF's clock, a second


def check(kind: str) -> None:
    """Sees whether files of a kind, a suffix, can be written, before there is anything to write."""
    try:
        if kind == ".mp4":
            import imageio_ffmpeg  # noqa: F401
        else:
            import PIL.Image  # noqa: F401
    except ImportError:
        package = "imageio-ffmpeg" if kind == ".mp4" else "Pillow"
        raise MissingExtraError(f"a {kind} of a clip", package, "video") from None


def write_png(file: BinaryIO, picture: Array) -> None:
    """A still, (height, width, 3) of uint8."""
    from PIL import Image

    Image.fromarray(picture).save(file, "PNG")


def colours_of(pictures: Sequence[Array]) -> Array:
    """The colours, (256, 3), that do best for all pictures of a GIF, from some of them."""
    from PIL import Image

    together = Image.fromarray(np.concatenate(pictures))
    found = np.asarray(together.quantize(256, Image.Quantize.MEDIANCUT).getpalette("RGB"), np.uint8).reshape(-1, 3)
    return np.concatenate([found, np.repeat(found[-1:], 256 - len(found), axis=0)])


def write_gif(file: BinaryIO, pictures: Iterable[Array], count: int, fps: float, colours: Array) -> None:
    """A GIF of so many pictures, which repeats.

    Its clock ticks a hundred times a second, so that of most rates some pictures last a tick longer than others.
    """
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette(colours.tobytes())
    images = (Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures)
    ticks = np.diff(np.rint(np.arange(count + 1) * TICKS / fps))
    milliseconds = (1000 // TICKS * ticks).astype(int).tolist()
    next(images).save(file, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0)


def write_mp4(file: BinaryIO, pictures: Iterable[Array], fps: float, size: tuple[int, int]) -> None:
    """A film, H.264, such as every browser plays; `file` is one on the disk."""
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
            pass  # ffmpeg has given up, and says why
        except BaseException:
            process.kill()
            raise
        said = process.communicate()[1].decode(errors="replace").split("\n")[0]
    if process.returncode:
        raise FileError(file.name, "", f"ffmpeg cannot write it ({said or process.returncode})")
