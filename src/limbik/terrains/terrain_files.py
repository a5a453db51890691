"""A terrain from a file: a grid of heights, or triangles."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arguments import number
from limbik.arrays import Array
from limbik.errors import FileError, LimbikError, MissingExtraError
from limbik.files.gltf.triangles import read_triangles
from limbik.files.npy_files import map_npy
from limbik.terrains.base import Terrain
from limbik.terrains.heightfield import MAX_SAMPLES, SAMPLE_SPACING, Heightfield
from limbik.terrains.mesh_terrain import Mesh

# Pixels of a .png, however small it is, and for each of its bytes: deflate makes 1000 times as many of nothing.
MAX_PIXELS, MAX_PIXELS_PER_BYTE = 1 << 24, 16
MAX_WHITE = 1e4  # metres: the greatest height of white


def _read_array(path: Path, source: str, spacing: float = SAMPLE_SPACING) -> Heightfield:
    """Heights (rows, columns) in metres from a .npy file."""
    return Heightfield(map_npy(path), spacing, source=source)


def _read_picture(path: Path, source: str, height: float = 1.0, spacing: float = SAMPLE_SPACING) -> Heightfield:
    """Heights from a greyscale .png of 8 or 16 bits: black is 0 and white is `height`, in metres."""
    height = number("height", height, -MAX_WHITE, MAX_WHITE, "metres")
    return Heightfield(height * _grey_levels(path), spacing, source=source)


def _grey_levels(path: Path) -> Array:
    """The image (rows, columns), from 0 to 1."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("a terrain from a .png", "Pillow", "terrain") from None
    try:
        with Image.open(path, formats=["PNG"]) as image:
            size = path.stat().st_size
            limit = min(MAX_SAMPLES, max(MAX_PIXELS, MAX_PIXELS_PER_BYTE * size))
            if image.width * image.height > limit:
                pixels = f"{image.width} × {image.height} pixels"
                raise FileError(path, "", f"has {pixels}; the limit is {limit:,} for {size:,} bytes")
            if image.mode.startswith("I"):
                return np.asarray(image, float) / 65535.0
            if image.mode in ("1", "L"):
                return np.asarray(image.convert("L"), float) / 255.0
            channels = np.asarray(image.convert("RGB"))
    except FileError:
        raise
    except Exception as error:  # Pillow does not document what a broken file raises
        raise FileError(path, "", f"is not a readable .png ({error})") from None
    if not all(np.array_equal(channels[..., 0], channels[..., k]) for k in (1, 2)):
        raise FileError(path, "", "is a colour image; expected a greyscale image, whose brightness is the height")
    return channels[..., 0] / 255.0


def _read_gltf(path: Path, source: str) -> Mesh:
    """All triangles of a .glb or .gltf file, transformed by its nodes."""
    return Mesh(*read_triangles(path), source)


def _read_obj(path: Path, source: str) -> Mesh:
    """All triangles of an .obj file."""
    try:
        import trimesh
    except ImportError:
        raise MissingExtraError("a terrain of triangles", "trimesh", "mesh") from None
    if not path.stat().st_size:
        raise FileError(path, "", "is empty; expected triangles")
    try:
        found = trimesh.load_scene(str(path), process=False, skip_materials=True).to_mesh()
    except Exception as error:  # trimesh does not document what a broken file raises
        raise FileError(path, "", f"cannot be read as a mesh ({type(error).__name__}: {error})") from None
    return Mesh(np.asarray(found.vertices), np.asarray(found.faces, np.int64), source)


# How files with some suffix are read, and the options that a spec may have.
READERS: dict[str, tuple[Callable[..., Terrain], tuple[str, ...]]] = {
    ".npy": (_read_array, ("spacing",)),
    ".png": (_read_picture, ("height", "spacing")),
    ".obj": (_read_obj, ()),
    **dict.fromkeys((".glb", ".gltf"), (_read_gltf, ())),
}


def read(path: Path, source: str, options: dict[str, Any]) -> Terrain:
    """The terrain in a file; raises FileError, which names the file."""
    if not os.path.isfile(path):  # unlike Path.is_file, also for names that are too long
        raise FileError(path, "", "is a folder" if os.path.isdir(path) else "does not exist")
    try:
        return READERS[path.suffix.lower()][0](path, source, **options)
    except (FileError, MissingExtraError):
        raise
    except LimbikError as error:
        raise FileError(path, "", str(error)) from None
