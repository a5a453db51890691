"""A terrain as a mesh file, .obj or .glb."""

from __future__ import annotations

import json
import os

from numpy.typing import ArrayLike

from limbik.arguments import file_path
from limbik.arrays import Array
from limbik.bodies.body import vertex_normals
from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write
from limbik.files.file_limits import known_suffix
from limbik.files.gltf.container import glb_bytes
from limbik.files.gltf.document_editor import TRIANGLES, VERTICES, Buffer
from limbik.terrains.specs import TerrainLike, as_terrain

SUFFIXES = (".obj", ".glb")
SURFACE = {"baseColorFactor": [0.33, 0.40, 0.27, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.95}
MATERIAL = {"name": "ground", "pbrMetallicRoughness": SURFACE, "doubleSided": True}


def save_mesh(
    terrain: TerrainLike, path: str | os.PathLike[str], low: ArrayLike, high: ArrayLike, spacing: float | None = None
) -> None:
    """Writes a rectangle of a terrain as an .obj or .glb file, which is replaced if it exists.

    Curved ground has smooth normals, and edges stay sharp.

    Args:
        terrain: a Terrain or anything that `as_terrain` accepts.
        path: the file to write.
        low: (2,) the corner with the lowest x and z, metres.
        high: (2,) the opposite corner.
        spacing: greatest distance between vertices, metres, as in `Terrain.mesh`.

    Raises:
        ArgumentError: There is no ground in the rectangle, or an argument is not usable.
        FileError: The file cannot be written, or its suffix is not known.
    """
    terrain, path = as_terrain(terrain), file_path("path", path)
    suffix = known_suffix(path, SUFFIXES, "terrains are written as")
    vertices, faces = terrain.mesh(low, high, spacing)
    if not len(faces):
        raise ArgumentError("low, high", f"{low} and {high}", "a rectangle that contains ground")
    surface = vertices, vertex_normals(vertices, faces, default=(0.0, 1.0, 0.0)), faces
    data = _obj(*surface) if suffix == ".obj" else _glb(*surface, str(path))
    with atomic_write(path) as file:
        file.write(data)


def _obj(vertices: Array, normals: Array, faces: Array) -> bytes:
    lines = ["# metres, +y up"]
    lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices.tolist()]
    lines += [f"vn {x:.5f} {y:.5f} {z:.5f}" for x, y, z in normals.tolist()]
    lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in (faces + 1).tolist()]
    return "\n".join([*lines, ""]).encode()


def _glb(vertices: Array, normals: Array, faces: Array, name: str) -> bytes:
    buffer = Buffer()
    attributes = {
        "POSITION": buffer.add(vertices.astype("<f4"), VERTICES, bounds=True),
        "NORMAL": buffer.add(normals.astype("<f4"), VERTICES),
    }
    indices = buffer.add(faces.reshape(-1, 1).astype("<u4"), TRIANGLES)
    content = {
        **buffer.content(),
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "ground", "mesh": 0}],
        "meshes": [{"name": "ground", "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [MATERIAL],
    }
    return glb_bytes(json.dumps(content, separators=(",", ":")).encode(), bytes(buffer.data), (), name)
