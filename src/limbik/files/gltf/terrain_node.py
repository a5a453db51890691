"""The terrain in a document: a node that shows the ground under a motion and is no part of a figure.

The functions import terrains, a package above, when they are called: few documents have such a node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from limbik.bodies.body import vertex_normals
from limbik.errors import ArgumentError
from limbik.files.gltf.document import Document, JsonObject
from limbik.files.gltf.document_editor import TRIANGLES, VERTICES, Editor
from limbik.skeleton.clip import Clip

if TYPE_CHECKING:
    from limbik.terrains.base import Terrain

MARK = {"limbik": "terrain"}  # in the extras of the node
GROUND_VERTICES = 900  # of a terrain in a file, about
MARGIN = 1.2, 0.2  # of ground beyond the figures: over the size of one, and over the extent of the motion


def is_terrain(node: JsonObject) -> bool:
    """Whether a node shows a terrain."""
    extras = node.get("extras")
    return type(extras) is dict and extras.get("limbik") == MARK["limbik"]


def extras_of(terrain: Terrain | None) -> dict[str, str]:
    """The extras of the node of a terrain: its spec, where it has one that says everything."""
    from limbik.terrains.base import Parametric

    return {**MARK, "spec": repr(terrain)} if isinstance(terrain, Parametric) else MARK


def ground_primitive(clip: Clip, add: Callable[..., int]) -> JsonObject:
    """The triangles of the terrain around the places where a clip goes. add: `Buffer.add` or `Editor.add`."""
    if clip.terrain is None:
        raise ArgumentError("with_terrain", True, "False for a clip without a terrain")
    positions = clip.positions()
    size = float(np.ptp(positions[0], axis=0).max())
    places = positions[..., [0, 2]].reshape(-1, 2)
    low, high = places.min(axis=0), places.max(axis=0)
    margin = max(MARGIN[0] * size, MARGIN[1] * float((high - low).max()))
    low, high = low - margin, high + margin
    vertices, faces = clip.terrain.mesh(low, high, float(np.sqrt(np.prod(high - low) / GROUND_VERTICES)))
    normals = vertex_normals(vertices, faces, (0.0, 1.0, 0.0))
    attributes = {
        "POSITION": add(vertices.astype(np.float32), target=VERTICES, bounds=True),
        "NORMAL": add(normals.astype(np.float32), target=VERTICES),
    }
    corners = faces.reshape(-1, 1).astype(np.uint16 if len(vertices) < 1 << 16 else np.uint32)
    return {"attributes": attributes, "indices": add(corners, target=TRIANGLES)}


def replace_terrain(editor: Editor, clip: Clip) -> None:
    """Puts a clip's terrain in the place of the one that the document has, or removes that where the clip has none."""
    nodes, meshes = list(editor.array("nodes")), list(editor.array("meshes"))
    number = next(k for k, node in enumerate(nodes) if is_terrain(node))
    node, mesh = nodes[number], nodes[number]["mesh"]
    if clip.terrain is None:
        nodes[number] = {key: value for key, value in node.items() if key not in ("mesh", "extras")}
    else:
        nodes[number] = {**node, "extras": extras_of(clip.terrain)}
        surface = {**meshes[mesh]["primitives"][0], **ground_primitive(clip, editor.add)}
        meshes[mesh] = {**meshes[mesh], "primitives": [surface]}
        editor.store("meshes", meshes)
    editor.store("nodes", nodes)


def terrain_in(document: Document, metres: float) -> Terrain | None:
    """The terrain in a document: from its spec, else its triangles. metres: the unit of the document's lengths."""
    number = next((k for k, node in enumerate(document.arrays["nodes"]) if is_terrain(node)), None)
    if number is None:
        return None
    from limbik.files.gltf.triangles import triangles_of
    from limbik.terrains.mesh_terrain import Mesh
    from limbik.terrains.specs import KINDS, terrain

    node, place = document.arrays["nodes"][number], f"nodes[{number}]"
    spec = node["extras"].get("spec")
    meshes = document.objects(document.content, "meshes", "")
    vertices, faces = triangles_of(document, document.whole(node, "mesh", place, below=len(meshes)))
    try:
        if type(spec) is str and metres == 1.0 and spec.partition(":")[0] in KINDS:  # not the path of a file
            return terrain(spec)
        return Mesh(vertices * metres, faces)
    except ArgumentError as error:
        raise document.fault(place, str(error)) from None
