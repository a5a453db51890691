"""Triangles and what they are painted with, as the kernels take them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, MissingExtraError
from limbik.files.gltf.material_reader import Paint

MOST_TEXELS = 1 << 26  # of a picture: 1 GB as numbers
PLAIN = 0  # the paint of what has a colour of its own, such as the ground


class Mesh(NamedTuple):
    """places, normals: (n, 3), in the world. uvs: (n, 2). faces: (m, 3), numbers of vertices. paints: (m,), numbers."""

    places: Array
    normals: Array
    uvs: Array
    faces: Array
    paints: Array


class Paints(NamedTuple):
    """colours: (n, 4), linear rgba. cutoffs: (n,), opacities below which there is a hole. pictures: (n,), -1 for none.

    firsts, counts: (pictures,), the sizes in which there is each, the largest first. levels: (sizes, 3), of each where
    its texels begin, its width and its height. texels: (k, 4), linear rgba.
    """

    colours: Array
    cutoffs: Array
    pictures: Array
    firsts: Array
    counts: Array
    levels: Array
    texels: Array


def plain_mesh(vertices: Array, faces: Array) -> Mesh:
    """A mesh that needs no paint, from vertices (n, 3) and faces (m, 3)."""
    uvs, paints = np.zeros((len(vertices), 2)), np.full(len(faces), PLAIN)
    places = np.ascontiguousarray(vertices, float)
    return Mesh(places, normals_of(places, faces), uvs, np.ascontiguousarray(faces, np.uint32), paints)


def normals_of(vertices: Array, faces: Array) -> Array:
    """Unit normals at vertices, (n, 3): the mean of those of the faces around, larger faces counting more."""
    a, b, c = vertices[faces.T]
    across = np.cross(b - a, c - a)
    flat, sums = faces.ravel(), np.repeat(across, 3, axis=0)
    normals = np.stack([np.bincount(flat, sums[:, axis], len(vertices)) for axis in range(3)], axis=-1)
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    return normals / np.where(lengths > 0.0, lengths, 1.0)


def paints_of(paints: Sequence[Paint], pictures: Sequence[bytes]) -> Paints:
    """The plain paint and then those given. pictures: the bytes of their files."""
    listed = [Paint(), *paints]
    levels, texels, firsts, counts, start = [], [], [], [], 0
    for data in pictures:
        sizes = _sizes(_decoded(data))
        firsts.append(len(levels))
        counts.append(len(sizes))
        for size in sizes:
            levels.append((start, size.shape[1], size.shape[0]))
            texels.append(size.reshape(-1, 4))
            start += len(texels[-1])
    return Paints(
        np.array([paint.colour for paint in listed], float),
        np.array([paint.cutoff for paint in listed], float),
        np.array([-1 if paint.picture is None else paint.picture for paint in listed], np.int64),
        np.array(firsts, np.int64),
        np.array(counts, np.int64),
        np.array(levels, np.int64).reshape(-1, 3),
        np.concatenate(texels) if texels else np.zeros((0, 4), np.float32),
    )


def linear(displayed: Array) -> Array:
    """Colours as light, 0 to 1, from how they are displayed, 0 to 255."""
    return (np.asarray(displayed, float) / 255.0) ** 2.2


def _decoded(data: bytes) -> Array:
    """A picture from its file, (rows, columns, 4), linear rgba."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("a figure painted with pictures", "Pillow", "video") from None

    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MOST_TEXELS:
                raise ValueError(f"{image.width} × {image.height} pixels are too many")
            found = np.asarray(image.convert("RGBA"), np.float32) / 255.0
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ArgumentError(
            "clip", f"a figure painted with a picture that cannot be read: {error}", "a picture"
        ) from None
    return np.concatenate([found[..., :3] ** 2.2, found[..., 3:]], axis=-1).astype(np.float32)


def _sizes(picture: Array) -> list[Array]:
    """A picture, and the same at half its size each time, down to a single texel."""
    sizes = [picture]
    while max(sizes[-1].shape[:2]) > 1:
        last = sizes[-1]
        for axis in (0, 1):
            if last.shape[axis] > 1:
                even = last.shape[axis] // 2 * 2
                pairs = np.moveaxis(last, axis, 0)[:even]
                last = np.moveaxis(0.5 * (pairs[0::2] + pairs[1::2]), 0, axis)
        sizes.append(np.ascontiguousarray(last, np.float32))
    return sizes
