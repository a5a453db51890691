"""All triangles of a glTF file, in the world."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.files.file_limits import read_file
from limbik.files.gltf.body_reader import check_size, faces_of, is_plain, nodes_with_meshes, numbers_of, size_of
from limbik.files.gltf.document import Document, parse
from limbik.files.gltf.nodes import joints_of
from limbik.rotations import to_matrices


def read_triangles(path: Path) -> tuple[Array, Array]:
    """Vertices (V, 3), metres, and faces (F, 3) of all meshes in the scene, each where its node puts it.

    Lines, points, strips and compressed meshes are left out. Raises FileError for a broken file.
    """
    document = parse(read_file(path), str(path), path.parent.resolve())
    nodes, meshes = document.arrays["nodes"], document.objects(document.content, "meshes", "")
    known: dict[int, tuple[Array, Array]] = {}
    vertices, faces, total, size = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0, 0
    frames = _frames(document) if nodes else {}
    for node in nodes_with_meshes(document):
        number = document.whole(nodes[node], "mesh", f"nodes[{node}]", below=len(meshes))
        if number not in known:
            known[number] = triangles_of(document, number)
        positions, corners = known[number]
        size += len(positions) + corners.size
        check_size(document, f"nodes[{node}]", size)
        vertices.append(positions @ frames[node][:3, :3].T + frames[node][:3, 3])
        faces.append(corners + total)
        total += len(positions)
    return np.concatenate(vertices), np.concatenate(faces)


def triangles_of(document: Document, number: int) -> tuple[Array, Array]:
    """Vertices (n, 3) and faces (m, 3) of all primitives of a mesh, as they are stored."""
    mesh, place = document.objects(document.content, "meshes", "")[number], f"meshes[{number}]."
    vertices, faces, total, size = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0, 0
    for k, primitive in enumerate(document.objects(mesh, "primitives", place)):
        part = f"{place}primitives[{k}]"
        if is_plain(document, primitive, part):
            size += size_of(document, primitive, part)
            check_size(document, part, size)
            vertices.append(numbers_of(document, primitive["attributes"], "POSITION", part, "VEC3"))
            faces.append(faces_of(document, primitive, part, len(vertices[-1])) + total)
            total += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)


def _frames(document: Document) -> dict[int, Array]:
    """The matrix (4, 4) of each node in the world."""
    nodes = joints_of(document, set(range(len(document.arrays["nodes"]))))
    frames: dict[int, Array] = {-1: np.eye(4)}
    turns = to_matrices(nodes.rotations) * nodes.scales[:, None]
    above = [-1 if parent < 0 else nodes.nodes[parent] for parent in nodes.parents.tolist()]
    for at, node in enumerate(nodes.nodes):
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = turns[at], nodes.translations[at]
        frames[node] = frames[above[at]] @ local
    return frames
