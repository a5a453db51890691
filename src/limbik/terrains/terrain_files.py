"""A terrain from a file: grids of heights, and triangles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError, LimbikError, MissingExtraError
from limbik.terrains.base import Terrain
from limbik.terrains.headings import number
from limbik.terrains.heightfield import SPACING, Heightfield
from limbik.terrains.mesh_terrain import Mesh

HIGHEST = 1e4  # metres that white may stand for


def read_array(path: Path, source: str, spacing: float = SPACING) -> Heightfield:
    """Heights in metres from a .npy file, (rows, columns)."""
    try:
        heights = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise FileError(path, "", f"is no .npy file of numbers ({error})") from None
    return Heightfield(heights, spacing, source=source)


def read_picture(path: Path, source: str, height: float = 1.0, spacing: float = SPACING) -> Heightfield:
    """Heights from a grey .png of 8 or 16 bits: black is 0 and white is `height`, in metres."""
    height = number("height", height, -HIGHEST, HIGHEST)
    return Heightfield(height * _greys(path), spacing, source=source)


def _greys(path: Path) -> Array:
    """The picture, (rows, columns), from 0 to 1."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("a terrain from a .png", "Pillow", "terrain") from None
    try:
        with Image.open(path, formats=["PNG"]) as image:
            if image.mode.startswith("I"):
                return np.asarray(image, float) / 65535.0
            channels = np.asarray(image.convert("RGB"), float) / 255.0
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise FileError(path, "", f"is no .png that can be read ({error})") from None
    if np.ptp(channels, axis=-1).any():
        raise FileError(path, "", "is a picture in colour; expected one in grey, whose brightness is the height")
    return channels[..., 0]


def read_triangles(path: Path, source: str) -> Mesh:
    """All triangles of an .obj, .glb or .gltf file, placed as its nodes are."""
    try:
        import trimesh
    except ImportError:
        raise MissingExtraError("a terrain of triangles", "trimesh", "mesh") from None
    if not path.stat().st_size:
        raise FileError(path, "", "is empty; expected triangles")
    try:
        found = trimesh.load_scene(str(path), process=False, skip_materials=True).to_mesh()
    except Exception as error:  # it is not said which kinds a broken file raises
        raise FileError(path, "", f"cannot be read as a mesh ({type(error).__name__}: {error})") from None
    return Mesh(np.asarray(found.vertices), np.asarray(found.faces, np.int64), source)


class Reader(NamedTuple):
    """How files of a suffix are read, and what a spec may say about it."""

    read: Callable[..., Terrain]
    options: tuple[str, ...] = ()


READERS = {
    ".npy": Reader(read_array, ("spacing",)),
    ".png": Reader(read_picture, ("height", "spacing")),
    ".obj": Reader(read_triangles),
    ".glb": Reader(read_triangles),
    ".gltf": Reader(read_triangles),
}


def read(path: Path, source: str, options: dict[str, Any]) -> Terrain:
    """The terrain in a file; errors name the file."""
    if not path.is_file():
        raise FileError(path, "", "is a folder" if path.is_dir() else "does not exist")
    try:
        return READERS[path.suffix.lower()].read(path, source, **options)
    except (FileError, MissingExtraError):
        raise
    except LimbikError as error:
        raise FileError(path, "", str(error)) from None
