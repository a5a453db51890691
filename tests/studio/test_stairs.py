"""Stairs in the studio are the flight that pages and films draw: opaque, with treads, edges, walls and an end."""

from types import SimpleNamespace

import numpy as np
import pytest

from limbik.files.gltf.accessors import accessor
from limbik.files.gltf.document import parse
from limbik.scenes.looks import colours
from limbik.scenes.staircase import staircase
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.stairs import Stairs
from tests.optional import optional

optional("viser")
from limbik.studio.scene.terrain_patch import TerrainPatch  # noqa: E402

REACH = 3.0
FLIGHT = Stairs(0.15, 0.3, start=0.5, steps=8)


def drawn(terrain, z, dark=False):
    """Vertices, faces, colours and whether it is opaque, of each mesh of the ground around a place; and the lines."""
    sent = {}
    scene = SimpleNamespace(
        add_glb=lambda name, data, **_: sent.update({name: data}),
        add_mesh_simple=lambda name, vertices, faces, **_: sent.update({name: vertices}),
    )
    TerrainPatch(SimpleNamespace(scene=scene, dark=dark), "ground", terrain, REACH, 0.5).move_to(0.0, z)
    document = parse(sent["ground/surface"], "surface.glb", None)
    meshes = []
    for part in document.content["meshes"][0]["primitives"]:
        vertices = accessor(document, part["attributes"]["POSITION"], "VEC3").values()
        opaque = document.content["materials"][part["material"]]["alphaMode"] == "OPAQUE"
        paint = accessor(document, part["attributes"]["COLOR_0"], "VEC3" if opaque else "VEC4").values()
        faces = accessor(document, part["indices"], "SCALAR").values().reshape(-1, 3).astype(int)
        meshes.append((vertices, paint, faces, opaque))
    return meshes, sent["ground/lines"]


@pytest.mark.parametrize("dark", [False, True])
def test_a_flight_is_opaque_and_painted_as_on_pages(dark):
    (_, flight), lines = drawn(FLIGHT, 0.0, dark)
    vertices, paint, faces, opaque = flight
    assert opaque
    shown = colours(dark)
    wanted = (np.array([shown.tread, shown.nosing, shown.wall]) / 255.0) ** 2.2
    painted = np.unique(paint[faces].reshape(-1, 3), axis=0)
    assert len(painted) == 3 and np.allclose(painted, wanted[np.lexsort(wanted.T[::-1])], atol=1e-6)
    places = np.random.default_rng(1).uniform([-1.0, 0.5], [1.0, 3.5], (500, 2))
    places = places[FLIGHT.height(places) > 0.0]
    assert Mesh(vertices.astype(float), faces).height(places) == pytest.approx(FLIGHT.height(places), abs=1e-6)
    assert np.ptp(lines[:, 1]) < 1e-6  # on the level ground around it


def test_the_way_is_on_the_flight_wherever_it_leads():
    for z in (-1.0, 0.0, 2.0, 3.5):
        (_, (vertices, _, faces, _)), _ = drawn(FLIGHT, z)
        places = np.random.default_rng(2).uniform([-1.2, z - 1.2], [1.2, z + 1.2], (500, 2))
        places = places[FLIGHT.height(places) > 0.0]
        assert np.all(np.isfinite(Mesh(vertices.astype(float), faces).height(places)))


def test_other_ground_and_ground_far_beyond_a_flight_is_one_surface():
    for terrain, z, height in ((FLIGHT, 50.0, 8 * FLIGHT.rise), (FLIGHT, -50.0, 0.0), (Stairs(0.0, 0.3), 0.0, 0.0)):
        meshes, _ = drawn(terrain, z)
        assert len(meshes) == 1 and np.allclose(meshes[0][0][:, 1], height)
    assert staircase(FLIGHT, np.array([[0.0, 0.0, 50.0]]), 1.0, np.array([-3.0, 47.0]), np.array([3.0, 53.0])) is None
