"""Ground of triangles from glTF files: where another reader has it; and files that ask for too much are refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from limbik.errors import FileError
from limbik.files.clip_files import load
from limbik.files.gltf.body_reader import own_body
from limbik.files.gltf.triangles import read_triangles
from limbik.terrains.specs import terrain
from tests.assets import asset
from tests.files.gltf_files import Builder, quaternions
from tests.peak_memory import peak_of

from ..optional import optional

SQUARE = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0]], float)
CORNERS = np.array([0, 1, 2, 0, 2, 3])


def ground(nodes, primitives=1, **more):
    """A file of squares, whose nodes all have the same mesh, of so many primitives."""
    built = Builder(nodes=nodes, scenes=[{"nodes": [0]}], **more)
    part = {"attributes": {"POSITION": built.accessor(SQUARE)}, "indices": built.accessor(CORNERS, "H")}
    built.content["meshes"] = [{"primitives": [part] * primitives}]
    return built


def tree(rng):
    """Nodes below one another, each with its own place, turn and size; the last but one has a matrix."""
    turns = quaternions(8)
    nodes = [
        {"translation": rng.normal(size=3).tolist(), "rotation": turns[k].tolist(), "scale": [1.0, 1.5, 0.7], "mesh": 0}
        for k in range(3)
    ]
    nodes[0]["children"], nodes[1]["children"] = [1, 3], [2]
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = 2.0 * turn, (1.0, -2.0, 3.0)
    return [*nodes, {"matrix": matrix.T.ravel().tolist(), "mesh": 0}, {"mesh": 0, "translation": [9, 9, 9]}]


def corners(vertices, faces):
    """The triangles (m, 9), in an order of their own."""
    triangles = np.asarray(vertices)[np.asarray(faces)].reshape(-1, 9)
    return triangles[np.argsort(triangles @ np.random.default_rng(0).normal(size=9))]


def agrees_with_trimesh(path):
    trimesh = optional("trimesh")
    vertices, faces = read_triangles(path)
    other = trimesh.load_scene(str(path), process=False, skip_materials=True).to_mesh()
    np.testing.assert_allclose(corners(vertices, faces), corners(other.vertices, other.faces), atol=1e-4)
    return len(faces)


@pytest.mark.parametrize("seed", range(5))
def test_triangles_are_where_another_reader_has_them(tmp_path, seed):
    built = ground(tree(np.random.default_rng(seed)))
    (tmp_path / "ground.glb").write_bytes(built.glb())
    assert agrees_with_trimesh(tmp_path / "ground.glb") == 8  # the last node is in no scene
    (tmp_path / "ground.gltf").write_bytes(built.gltf())
    assert agrees_with_trimesh(tmp_path / "ground.gltf") == 8


@pytest.mark.parametrize("name", ["gltf/Fox.glb", "gltf/KayKit_Rogue.glb"])
def test_triangles_of_public_files_are_where_another_reader_has_them(name):
    assert agrees_with_trimesh(asset(name)) > 100


def without_bytes(count):
    """Vertices of which the file stores none: all are zero."""
    built = ground([{"mesh": 0}])
    built.content["accessors"][0] = {"componentType": 5126, "count": count, "type": "VEC3"}
    return built


def shared(primitives):
    """Many primitives with the same thousand squares."""
    built = ground([{"mesh": 0}])
    part = {
        "attributes": {"POSITION": built.accessor(np.tile(SQUARE, (1000, 1)))},
        "indices": built.accessor(np.tile(CORNERS, 1000), "H"),
    }
    built.content["meshes"] = [{"primitives": [part] * primitives}]
    return built


def shown_often(nodes):
    """A mesh of a hundred squares in many nodes."""
    return ground([{"mesh": 0, "children": list(range(1, nodes))}, *[{"mesh": 0}] * (nodes - 1)], 100)


GREEDY = {
    "no bytes": without_bytes(1 << 31),
    "no bytes, just allowed": without_bytes(2_000_000),
    "shared": shared(300),
    "shown often": shown_often(10_000),
}


@pytest.mark.parametrize("name", GREEDY)
def test_small_files_of_many_triangles_are_refused(tmp_path, name):
    path = tmp_path / "ground.glb"
    path.write_bytes(GREEDY[name].glb())
    assert path.stat().st_size < 1 << 20

    def refused():
        with pytest.raises(FileError, match=r"ground\.glb.*(the limit is|no bytes|faces)"):
            terrain(path)

    assert peak_of(refused) < 300 << 20


def test_a_body_of_many_primitives_is_refused(tmp_path):
    built = shared(10_000)
    built.content["nodes"][0]["name"] = "hips"
    (tmp_path / "figure.glb").write_bytes(built.glb())
    clip = load(tmp_path / "figure.glb")

    def refused():
        with pytest.raises(FileError, match="the limit is 2,000,000"):
            own_body(clip)

    assert peak_of(refused) < 600 << 20


@pytest.mark.parametrize("uri", ["/dev/zero", "../ground.bin", "file:///dev/zero", "http://127.0.0.1:9/ground.bin"])
def test_a_ground_reads_nothing_beyond_its_folder(tmp_path, uri):
    (tmp_path / "ground.bin").write_bytes(bytes(1000))
    folder = tmp_path / "inside"
    folder.mkdir()
    content = json.loads(ground([{"mesh": 0}]).gltf())
    content["buffers"][0]["uri"] = uri
    (folder / "ground.gltf").write_text(json.dumps(content))
    with pytest.raises(FileError, match=r"buffers\[0\]\.uri"):
        terrain(Path(folder / "ground.gltf"))
