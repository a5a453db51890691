"""A terrain written as a mesh is the same terrain when it is read."""

import json
import struct

import numpy as np
import pytest

from limbik.errors import ArgumentError, FileError
from limbik.terrains.hills import Hills
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.specs import terrain
from limbik.terrains.stairs import Stairs
from limbik.terrains.terrain_export import save_mesh

from ..files.test_gltf_validator import reports
from ..optional import optional
from .grounds import random_field

optional("trimesh")

LOW, HIGH = (-2.0, -3.0), (4.0, 5.0)
GROUNDS = [Plane(), Slope(15, 40), Stairs(steps=6, heading_degrees=20), Hills(0.3, 3, 4), random_field()]


@pytest.mark.parametrize("suffix", [".obj", ".glb"])
@pytest.mark.parametrize("ground", GROUNDS, ids=repr)
def test_what_is_read_again_has_the_same_heights(tmp_path, ground, suffix):
    path = tmp_path / ("ground" + suffix)
    save_mesh(ground, path, LOW, HIGH, spacing=0.25)
    again = terrain(path)
    expected = Mesh(*ground.mesh(LOW, HIGH, 0.25))
    xz = np.random.default_rng(0).uniform(LOW, HIGH, (500, 2))
    np.testing.assert_allclose(again.height(xz), expected.height(xz), atol=2e-6)
    assert repr(again) == str(path)


def test_edges_of_steps_are_shaded_sharply_and_hills_smoothly(tmp_path):
    for ground, sharp in ((Stairs(), True), (Hills(), False)):
        save_mesh(ground, tmp_path / "ground.obj", LOW, HIGH)
        lines = [line.split() for line in (tmp_path / "ground.obj").read_text().splitlines()]
        normals = np.array([line[1:] for line in lines if line[0] == "vn"], float)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1.0, atol=1e-4)
        along_axes = np.isin(np.abs(normals), (0.0, 1.0)).all(axis=-1)
        assert along_axes.all() == sharp
        if not sharp:
            vertices = np.array([line[1:] for line in lines if line[0] == "v"], float)
            inner = np.all((vertices[:, ::2] > np.add(LOW, 0.2)) & (vertices[:, ::2] < np.subtract(HIGH, 0.2)), axis=-1)
            np.testing.assert_allclose(normals[inner], ground.normal(vertices[inner][:, ::2]), atol=0.01)


def test_a_glb_has_a_material_and_no_unused_bytes(tmp_path):
    save_mesh(Hills(), tmp_path / "ground.glb", LOW, HIGH)
    data = (tmp_path / "ground.glb").read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    content = json.loads(data[20 : 20 + length])
    assert content["materials"][0]["name"] == "ground"
    assert sum(view["byteLength"] for view in content["bufferViews"]) == content["buffers"][0]["byteLength"]
    assert len(data) == 28 + length + content["buffers"][0]["byteLength"]


def test_the_khronos_validator_finds_no_fault(tmp_path):
    paths = []
    for number, ground in enumerate(GROUNDS):
        paths.append(tmp_path / f"{number}.glb")
        save_mesh(ground, paths[-1], LOW, HIGH)
    for path, found in reports(paths).items():
        assert (path.name, found) == (path.name, [set(), set()])


def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path):
    with pytest.raises(FileError, match=r"\.obj, \.glb"):
        save_mesh(Plane(), tmp_path / "ground.stl", LOW, HIGH)
    with pytest.raises(FileError, match="does not exist"):
        save_mesh(Plane(), tmp_path / "no" / "ground.obj", LOW, HIGH)
    with pytest.raises(ArgumentError, match="ground"):
        save_mesh(Mesh(*Plane().mesh(LOW, HIGH)), tmp_path / "ground.obj", (50, 50), (60, 60))
    assert not list(tmp_path.iterdir())
