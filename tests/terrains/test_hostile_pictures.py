"""Pictures that ask for more memory or time than they should: refused by their header, before they are decoded."""

import struct
import zlib
from contextlib import suppress

import numpy as np
import pytest

from limbik.errors import FileError
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.specs import terrain
from tests.peak_memory import peak_of

from ..optional import optional

optional("PIL.Image")

MODES = {"grey": (8, 0), "grey of 16 bits": (16, 0), "colours": (8, 2), "palette": (1, 3), "grey and alpha": (8, 4)}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side, depth, colours, pixels, interlaced=0, before=()):
    """A square picture of so many pixels a side, with the bytes of its pixels compressed, and other chunks before."""
    header = struct.pack(">IIBBBBB", side, side, depth, colours, 0, 0, interlaced)
    palette = [chunk(b"PLTE", bytes(6))] if colours == 3 else []
    parts = [chunk(b"IHDR", header), *before, *palette, chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def squeezed(size, level=9):
    """So many zero bytes, compressed."""
    packer = zlib.compressobj(level)
    return b"".join([packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]) + packer.flush()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("interlaced", [0, 1])
@pytest.mark.parametrize("side", [9400, 12_000, 200_000, (1 << 31) - 1])
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_small_picture_of_many_pixels_is_refused_before_it_is_decoded(tmp_path, mode, interlaced, side):
    path = tmp_path / "ground.png"
    path.write_bytes(png(side, *MODES[mode], squeezed(11 << 20), interlaced))
    assert path.stat().st_size < 20_000

    def refused():
        with pytest.raises(FileError, match=r"ground\.png.*(pixels|exceeds limit|readable)"):
            terrain(path)

    assert peak_of(refused) < 20 << 20


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt", b"iCCP"])
def test_texts_that_grow_are_refused(tmp_path, kind):
    """Each chunk of some kilobytes unpacks to a hundred megabytes, in a picture of one pixel or so."""
    data = {b"zTXt": b"a\0\0", b"iTXt": b"a\0\1\0\0\0", b"iCCP": b"a\0\0"}[kind] + squeezed(100 << 20)
    path = tmp_path / "ground.png"
    path.write_bytes(png(2, 8, 0, zlib.compress(bytes(6)), before=[chunk(kind, data)] * 20))

    def read():
        with suppress(FileError):
            terrain(path)

    assert peak_of(read) < 100 << 20


def test_a_picture_of_little_detail_is_read(tmp_path):
    """Even ground of 2000 × 2000 samples is a file of some kilobytes."""
    path = tmp_path / "ground.png"
    path.write_bytes(png(2000, 8, 0, zlib.compress(bytes(2000 * 2001))))
    field = terrain(path)
    assert isinstance(field, Heightfield) and np.array_equal(field.heights, np.zeros((2000, 2000)))


def test_a_picture_of_another_format_is_refused(tmp_path):
    """Whatever the suffix says: the other formats of Pillow have faults of their own."""
    image = optional("PIL.Image")
    for kind in ("TIFF", "GIF", "BMP", "JPEG", "PPM"):
        image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / "ground.png", format=kind)
        with pytest.raises(FileError, match="not a readable"):
            terrain(tmp_path / "ground.png")
