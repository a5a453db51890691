"""Primitives of glTF meshes: triangles, and the joints that their vertices follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Material, MeshPart
from limbik.files.gltf.accessors import accessor
from limbik.files.gltf.document import Document

TRIANGLES = 4  # the mode of a primitive
DRACO = "KHR_draco_mesh_compression"


def can_be_shown(document: Document, primitive: dict[str, Any], place: str) -> bool:
    """Whether a primitive consists of uncompressed triangles."""
    return (
        primitive.get("mode", TRIANGLES) == TRIANGLES
        and DRACO not in document.object(primitive, "extensions", place)
        and "POSITION" in document.object(primitive, "attributes", place)
    )


def part_of(document: Document, primitive: dict[str, Any], place: str, joints: int, material: Material) -> MeshPart:
    """A primitive as a part of a mesh. joints: how many its skin has, 0 for none."""
    attributes = document.object(primitive, "attributes", place)

    def column(name: str, kind: str) -> Array:
        return numbers(document, attributes, name, f"{place}.attributes", kind, vertices)

    vertices = None
    positions = column("POSITION", "VEC3")
    vertices = len(positions)
    follows, weights = np.zeros((vertices, 4)), np.tile([1.0, 0.0, 0.0, 0.0], (vertices, 1))
    if joints:
        follows, weights = column("JOINTS_0", "VEC4"), column("WEIGHTS_0", "VEC4")
        if follows.max(initial=0) >= joints:
            raise document.fault(f"{place}.attributes.JOINTS_0", f"name joint {follows.max():g} of {joints}")
    return MeshPart(
        material=material,
        positions=positions,
        faces=_faces(document, primitive, place, vertices),
        joints=follows.astype(np.int64),
        weights=weights,
        normals=column("NORMAL", "VEC3") if "NORMAL" in attributes else None,
        uvs=column(material.uv_set, "VEC2") if material.uv_set in attributes else None,
    )


def _faces(document: Document, primitive: dict[str, Any], place: str, vertices: int) -> Array:
    """(faces, 3) vertex indices."""
    corners = np.arange(vertices)
    if "indices" in primitive:
        corners = numbers(document, primitive, "indices", place, "SCALAR")[:, 0].astype(np.int64)
        if corners.max(initial=-1) >= vertices or corners.min(initial=0) < 0:
            raise document.fault(f"{place}.indices", f"name a vertex beyond the {vertices} that there are")
    return corners[: len(corners) // 3 * 3].reshape(-1, 3)


def numbers(
    document: Document, owner: dict[str, Any], key: str, place: str, kind: str, count: int | None = None
) -> Array:
    """The values of an accessor, (count, components), checked to be finite and of the expected count."""
    number = document.whole(owner, key, place, below=len(document.arrays["accessors"]))
    values = accessor(document, number, kind).values()
    if count is not None and len(values) != count:
        raise document.fault(f"{place}.{key}", f"holds {len(values)} rows; expected {count}")
    if not np.isfinite(values).all():
        raise document.fault(f"{place}.{key}", "holds values that are not finite")
    return values
