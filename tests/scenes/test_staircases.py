"""Stairs are drawn as a staircase: its treads are the terrain's along the way, its sides are closed, it has an end."""

import numpy as np
import pytest

from limbik.scenes import ground_patch
from limbik.scenes.staircase import NOSING, TREAD, WALL
from limbik.terrains.base import direction
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.stairs import Stairs

SIZE, RADIUS = 0.6, 0.5
FLIGHTS = [
    Stairs(0.06, 0.2, start=0.4, steps=10),
    Stairs(-0.06, 0.2, start=0.4, steps=10),
    Stairs(0.1, 0.3, start=0.2, steps=3, heading_degrees=60.0),
    Stairs(0.05, 0.25, start=0.5),
    Stairs(-0.05, 0.25, start=0.5, heading_degrees=-90.0),
]


def drawn(stairs):
    """The ground drawn for a way of 3 m up or down stairs, and the places of the way, (n, 2)."""
    rng = np.random.default_rng(4)
    x, z = direction(stairs.heading_degrees)
    along, across = np.linspace(0.0, 3.0, 200), rng.uniform(-0.2, 0.2, 200)
    places = along[:, None] * [x, z] + across[:, None] * [z, -x]
    positions = np.insert(places, 1, stairs.height(places), axis=1)
    return ground_patch.around(stairs, positions, SIZE, RADIUS), places


@pytest.mark.parametrize("stairs", FLIGHTS, ids=repr)
def test_treads_are_as_high_as_the_terrain_along_the_way(stairs):
    ground, places = drawn(stairs)
    assert Mesh(ground.vertices, ground.faces).height(places) == pytest.approx(stairs.height(places), abs=1e-9)


@pytest.mark.parametrize("stairs", [one for one in FLIGHTS if one.steps], ids=repr)
def test_flights_are_closed_down_to_the_ground(stairs):
    ground, _ = drawn(stairs)
    floor = ground.vertices[:, 1].min()
    a, b, c = (ground.vertices - [0.0, floor, 0.0])[ground.faces.T]
    enclosed = np.sum(a * np.cross(b, c)) / 6.0  # of a surface that faces outward; what lies on the floor adds nothing
    x, z = direction(stairs.heading_degrees)
    solid = ground.vertices[ground.paint > 0][:, [0, 2]]
    along, across = solid @ [x, z], solid @ [z, -x]
    middles = along.min() + np.ptp(along) * (np.arange(20_000) + 0.5) / 20_000
    heights = stairs.height(middles[:, None] * [x, z]) - floor
    assert enclosed == pytest.approx(heights.mean() * np.ptp(along) * np.ptp(across), rel=2e-3)


@pytest.mark.parametrize("stairs", FLIGHTS, ids=repr)
def test_flights_are_little_wider_than_the_way_and_end_in_a_landing(stairs):
    ground, places = drawn(stairs)
    x, z = direction(stairs.heading_degrees)
    solid = ground.vertices[ground.paint > 0][:, [0, 2]]
    across = solid @ [z, -x]
    assert np.ptp(places @ [z, -x]) < np.ptp(across) < 0.4 + 1.5 * SIZE
    treads = ground.vertices[ground.paint == TREAD]
    top = treads[np.isclose(treads[:, 1], treads[:, 1].max())]
    assert np.ptp(top[:, [0, 2]] @ [x, z]) > SIZE
    assert np.abs(solid @ [x, z]).max() < 3.0 + 3.0 * stairs.run + 2.0 * SIZE


@pytest.mark.parametrize("stairs", FLIGHTS, ids=repr)
def test_every_tread_has_an_edge_and_walls_are_upright(stairs):
    ground, _ = drawn(stairs)
    corners = ground.vertices[ground.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    paint = ground.paint[ground.faces[:, 0]]
    assert np.all(np.abs(normals[paint == WALL, 1]) < 1e-9) and np.all(normals[paint != WALL, 1] > 1.0 - 1e-9)
    heights = [set(np.round(ground.vertices[ground.paint == one, 1], 9)) for one in (TREAD, NOSING)]
    assert heights[0] == heights[1]


def test_ground_without_steps_is_not_painted():
    for terrain in (Stairs(0.0, 0.3), Stairs(0.1, 0.3, start=500.0)):
        assert not drawn(terrain)[0].paint.any()
