"""Meshes whose vertices have colours of their own, as a .glb for the scene: viser's own meshes have one colour."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from limbik.arrays import Array
from limbik.files.gltf.body_document import TRIANGLES, VERTICES
from limbik.files.gltf.container import glb_bytes
from limbik.files.gltf.document_editor import Buffer

UNLIT = "KHR_materials_unlit"


class ColouredMesh(NamedTuple):
    """Triangles; without normals they take no light."""

    vertices: Array  # (n, 3), metres
    faces: Array  # (m, 3) vertex indices
    colours: Array  # (n, 3) or (n, 4) with opacity, linear
    normals: Array | None = None  # (n, 3)


def as_glb(name: str, *meshes: ColouredMesh) -> bytes:
    """A .glb of meshes."""
    buffer = Buffer()
    primitives = [_primitive(buffer, mesh, number) for number, mesh in enumerate(meshes)]
    content = {
        **buffer.content(),
        **({"extensionsUsed": [UNLIT]} if any(mesh.normals is None for mesh in meshes) else {}),
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": primitives}],
        "materials": [_material(mesh) for mesh in meshes],
    }
    return glb_bytes(json.dumps(content, separators=(",", ":")).encode(), bytes(buffer.data), (), name)


def _primitive(buffer: Buffer, mesh: ColouredMesh, material: int) -> dict[str, Any]:
    attributes = {
        "POSITION": buffer.add(mesh.vertices.astype("<f4"), VERTICES, bounds=True),
        "COLOR_0": buffer.add(mesh.colours.astype("<f4"), VERTICES),
    }
    if mesh.normals is not None:
        attributes["NORMAL"] = buffer.add(mesh.normals.astype("<f4"), VERTICES)
    indices = buffer.add(mesh.faces.reshape(-1, 1).astype("<u4"), TRIANGLES)
    return {"attributes": attributes, "indices": indices, "material": material}


def _material(mesh: ColouredMesh) -> dict[str, Any]:
    return {
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0},
        "alphaMode": "BLEND" if mesh.colours.shape[1] == 4 else "OPAQUE",
        "doubleSided": True,
        **({"extensions": {UNLIT: {}}} if mesh.normals is None else {}),
    }
