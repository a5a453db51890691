"""Meshes, materials and textures as the kernels take them."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Material, vertex_normals
from limbik.errors import ArgumentError, MissingExtraError
from limbik.scenes.looks import shine

MAX_IMAGE_PIXELS = 1 << 26  # of an image file
MAX_TEXELS = 1 << 24  # of all textures, without their mipmaps: 256 MB as floats; larger ones are reduced
PLAIN_MATERIAL = 0  # index of the default material


class RasterMesh(NamedTuple):
    """A mesh in the world."""

    places: Array  # (n, 3)
    normals: Array  # (n, 3)
    uvs: Array  # (n, 2)
    colours: Array  # (n, 3), linear factors of the material's colour
    faces: Array  # (m, 3) vertex indices
    materials: Array  # (m,) indices into a MaterialTable


class MaterialTable(NamedTuple):
    """Materials and their textures as arrays."""

    colours: Array  # (n, 4), linear rgba
    shines: Array  # (n, 2), the strength of a highlight and the exponent of its fall
    cutoffs: Array  # (n,), opacities below which there is a hole
    textures: Array  # (n,), -1 for none
    firsts: Array  # (textures,), the index of a texture's first and largest mipmap level
    counts: Array  # (textures,), how many it has
    levels: Array  # (levels, 3), where the texels of a level begin, its width and its height
    texels: Array  # (k, 4), linear rgba


def plain_mesh(vertices: Array, faces: Array) -> RasterMesh:
    """A mesh of the default material, from vertices (n, 3) and faces (m, 3)."""
    uvs, materials = np.zeros((len(vertices), 2)), np.full(len(faces), PLAIN_MATERIAL)
    places = np.ascontiguousarray(vertices, float)
    normals, plain = vertex_normals(places, faces), np.ones((len(vertices), 3))
    return RasterMesh(places, normals, uvs, plain, np.ascontiguousarray(faces, np.uint32), materials)


def material_table(materials: Sequence[Material], textures: Sequence[bytes]) -> MaterialTable:
    """The default material and then those given. textures: their image files."""
    listed = [Material(), *materials]
    levels, texels, firsts, counts, start = [], [], [], [], 0
    for data in textures:
        sizes = _mipmaps(_decode_image(data, MAX_TEXELS // len(textures)))
        firsts.append(len(levels))
        counts.append(len(sizes))
        for size in sizes:
            levels.append((start, size.shape[1], size.shape[0]))
            texels.append(size.reshape(-1, 4))
            start += len(texels[-1])
    return MaterialTable(
        np.array([material.colour for material in listed], float),
        np.array([shine(material.roughness) for material in listed], float),
        np.array([material.cutoff for material in listed], float),
        np.array([-1 if material.texture is None else material.texture for material in listed], np.int64),
        np.array(firsts, np.int64),
        np.array(counts, np.int64),
        np.array(levels, np.int64).reshape(-1, 3),
        np.concatenate(texels) if texels else np.zeros((0, 4), np.float32),
    )


def linear_colours(display: Array) -> Array:
    """Linear colours, 0 to 1, from sRGB-like values, 0 to 255 (gamma 2.2)."""
    return (np.asarray(display, float) / 255.0) ** 2.2


def _decode_image(data: bytes, most: int) -> Array:
    """An image file as (rows, columns, 4), linear rgba, reduced to `most` texels where it has more."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("rendering a figure with textures", "Pillow", "video") from None

    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "JPEG"]) as image:
            pixels = image.width * image.height
            if pixels > MAX_IMAGE_PIXELS:
                raise ValueError(f"{image.width} × {image.height} pixels are too many")
            reduced = image.convert("RGBA").reduce(math.ceil(math.sqrt(pixels / max(1, most))))
    except Exception as error:  # Pillow does not document what a broken file raises
        got = f"a figure with a texture that cannot be read: {error}"
        raise ArgumentError("clip", got, "a PNG or JPEG image") from None
    found = np.asarray(reduced, np.float32) / 255.0
    found[..., :3] **= 2.2
    return found


def _mipmaps(image: Array) -> list[Array]:
    """An image and its mipmap levels, each half the size of the one before, down to a single texel."""
    sizes = [image]
    while max(sizes[-1].shape[:2]) > 1:
        last = sizes[-1]
        for axis in (0, 1):
            if last.shape[axis] > 1:
                even = last.shape[axis] // 2 * 2
                pairs = np.moveaxis(last, axis, 0)[:even]
                last = np.moveaxis(0.5 * (pairs[0::2] + pairs[1::2]), 0, axis)
        sizes.append(np.ascontiguousarray(last, np.float32))
    return sizes
