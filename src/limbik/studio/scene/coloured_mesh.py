"""A mesh whose vertices have colours of their own, as a .glb for the scene: viser's own meshes have one colour."""

from __future__ import annotations

import json

from limbik.arrays import Array
from limbik.files.gltf.body_document import TRIANGLES, VERTICES
from limbik.files.gltf.container import glb_bytes
from limbik.files.gltf.document_editor import Buffer

UNLIT = "KHR_materials_unlit"


def coloured_mesh(vertices: Array, faces: Array, colours: Array, name: str, normals: Array | None = None) -> bytes:
    """A .glb of triangles.

    vertices: (n, 3), metres. faces: (m, 3) vertex indices. colours: (n, 3) or (n, 4) with opacity, linear. normals:
    (n, 3); without them the mesh takes no light.
    """
    buffer = Buffer()
    attributes = {
        "POSITION": buffer.add(vertices.astype("<f4"), VERTICES, bounds=True),
        "COLOR_0": buffer.add(colours.astype("<f4"), VERTICES),
    }
    material = {
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0},
        "alphaMode": "BLEND" if colours.shape[1] == 4 else "OPAQUE",
        "doubleSided": True,
    }
    used = []
    if normals is None:
        material["extensions"] = {UNLIT: {}}
        used = [UNLIT]
    else:
        attributes["NORMAL"] = buffer.add(normals.astype("<f4"), VERTICES)
    indices = buffer.add(faces.reshape(-1, 1).astype("<u4"), TRIANGLES)
    content = {
        **buffer.content(),
        **({"extensionsUsed": used} if used else {}),
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [material],
    }
    return glb_bytes(json.dumps(content, separators=(",", ":")).encode(), bytes(buffer.data), (), name)
