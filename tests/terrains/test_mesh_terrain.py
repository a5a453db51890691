"""Ground of triangles is as high as the ground that the triangles were made from."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from limbik.errors import ArgumentError, ShapeError
from limbik.terrains.hills import Hills
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.planes import Slope
from limbik.terrains.stairs import Stairs

from .grounds import slopes, stairs

LOW, HIGH = (-2.0, -3.0), (4.0, 5.0)
SQUARE = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
HALVES = np.array([[0, 1, 2], [0, 2, 3]])


def inside(count=300, seed=0):
    return np.random.default_rng(seed).uniform(LOW, HIGH, (count, 2))


@given(stairs, st.integers(0, 9))
def test_stairs_as_triangles_are_stairs(flight, seed):
    mesh = Mesh(*flight.mesh(LOW, HIGH))
    xz = inside(seed=seed)
    heading = np.radians(flight.heading_degrees)
    edge = (xz @ [np.sin(heading), np.cos(heading)] - flight.start) / flight.run
    xz = xz[np.abs(edge - np.round(edge)) * flight.run > 1e-4]
    np.testing.assert_allclose(mesh.height(xz), flight.height(xz), atol=1e-9)
    np.testing.assert_allclose(mesh.normal(xz), flight.normal(xz), atol=1e-9)


@given(slopes)
def test_slopes_as_triangles_are_slopes(slope):
    mesh = Mesh(*slope.mesh(LOW, HIGH))
    assert len(mesh.faces) == 2
    np.testing.assert_allclose(mesh.height(inside()), slope.height(inside()), atol=1e-9)
    np.testing.assert_allclose(mesh.normal(inside()), slope.normal(inside()), atol=1e-9)


@pytest.mark.parametrize("far", [0.0, 5000.0])
def test_hills_as_triangles_are_hills_even_far_from_the_origin(far):
    hills = Hills(0.3, 1, 4)
    low, high = np.add(LOW, far), np.add(HIGH, far)
    vertices, faces = hills.mesh(low, high, 0.05)
    mesh = Mesh(vertices, faces)
    xz = inside() + far
    np.testing.assert_allclose(mesh.height(xz), hills.height(xz), atol=1e-3)
    np.testing.assert_allclose(mesh.normal(xz), hills.normal(xz), atol=0.05)
    # Rays through vertices and along edges find the ground as well.
    np.testing.assert_allclose(mesh.height(vertices[:, ::2]), vertices[:, 1], atol=1e-6)
    middles = 0.5 * (vertices[faces] + vertices[np.roll(faces, 1, axis=1)]).reshape(-1, 3)
    np.testing.assert_allclose(mesh.height(middles[:, ::2]), middles[:, 1], atol=1e-6)


@given(stairs | slopes | st.just(Hills(0.3, 2, 3)))
def test_faces_are_counter_clockwise_from_above_and_cover_the_rectangle_once(terrain):
    vertices, faces = terrain.mesh(LOW, HIGH, 0.5)
    corners = vertices[faces]
    doubled = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1]
    assert np.all(doubled > -1e-9)
    assert doubled.sum() / 2.0 == pytest.approx(6.0 * 8.0)


@given(stairs)
def test_risers_face_those_who_come_up(flight):
    vertices, faces = flight.mesh(LOW, HIGH)
    corners = vertices[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    upright = np.ptp(corners[..., 1], axis=1) > 0.0
    heading = np.radians(flight.heading_degrees)
    towards = normal[upright][:, ::2] @ [np.sin(heading), np.cos(heading)]
    assert np.all(towards * np.sign(flight.rise) < 0.0)


def test_the_highest_of_several_layers_is_the_ground():
    layers = [SQUARE + [0.0, y, 0.0] for y in (1.0, 3.0, 2.0)]
    mesh = Mesh(np.concatenate(layers), np.concatenate([HALVES, HALVES + 4, HALVES + 8]))
    assert mesh.height((0.3, 0.6)) == 3.0


@pytest.mark.parametrize("turned", [False, True])
def test_normals_point_up_however_faces_are_wound(turned):
    vertices, faces = Slope(20).mesh(LOW, HIGH)
    mesh = Mesh(vertices, faces[:, ::-1] if turned else faces)
    np.testing.assert_allclose(mesh.normal(inside()), Slope(20).normal(inside()), atol=1e-9)


@given(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
def test_beside_the_mesh_the_ground_is_that_of_its_nearest_place(x, z):
    hills = Hills(0.3, 1, 4)
    vertices, faces = hills.mesh(LOW, HIGH, 0.5)
    mesh = Mesh(vertices, faces)
    nearest = np.clip((x, z), LOW, HIGH)
    assert mesh.height((x, z)) == pytest.approx(mesh.height(nearest), abs=1e-6)
    assert np.linalg.norm(mesh.normal((x, z))) == pytest.approx(1.0)


def test_in_a_hole_the_ground_is_that_of_its_rim():
    vertices, faces = Slope(30).mesh((0, 0), (3, 3))
    ruler = np.linspace(0.0, 3.0, 4)
    vertices = np.array([(x, 0.5 * z, z) for z in ruler for x in ruler])
    cells = [4 * row + column for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    faces = [face for a in cells for face in ((a, a + 4, a + 1), (a + 1, a + 4, a + 5))]
    mesh = Mesh(vertices, faces)
    assert mesh.height([[1.5, 1.1], [1.5, 1.9], [1.1, 1.5]]) == pytest.approx([0.5, 1.0, 0.75])


def test_beside_a_box_the_ground_is_its_top():
    box = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 1.0)])
    quads = [(0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5), (0, 2, 3, 1), (4, 5, 7, 6)]
    mesh = Mesh(box, [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])
    assert mesh.height([[0.5, 0.5], [1.5, 0.5], [-3.0, 7.0]]).tolist() == [2.0, 2.0, 2.0]


def test_splitting_vertices_along_seams_changes_nothing():
    vertices, faces = Hills(0.3, 1, 4).mesh(LOW, HIGH, 0.5)
    whole, split = Mesh(vertices, faces), Mesh(vertices[faces.ravel()], np.arange(faces.size).reshape(-1, 3))
    xz = np.random.default_rng(0).uniform(-9.0, 9.0, (300, 2))
    np.testing.assert_allclose(split.height(xz), whole.height(xz), atol=1e-9)
    assert len(split._outline.start) == len(whole._outline.start) == 2 * (12 + 16)


def test_a_mesh_of_a_mesh_has_the_faces_that_touch_the_rectangle():
    vertices, faces = Hills(0.3, 1, 4).mesh(LOW, HIGH, 0.5)
    mesh = Mesh(vertices, faces)
    everything = mesh.mesh(LOW, HIGH)
    np.testing.assert_array_equal(everything[0][everything[1]], vertices[faces])
    part = mesh.mesh((0.1, 0.1), (0.4, 0.4))
    assert len(part[1]) == 2


def test_meshes_are_equal_by_content_and_travel_without_their_grid():
    mesh = Mesh(SQUARE, HALVES)
    mesh.height((0.5, 0.5))
    copy = pickle.loads(pickle.dumps(mesh))
    assert copy == mesh
    assert hash(copy) == hash(mesh)
    assert "_grid" not in vars(copy)
    assert copy.height((0.5, 0.5)) == 0.0
    assert mesh != Mesh(SQUARE + [0.0, 1e-9, 0.0], HALVES)
    assert mesh != Mesh(SQUARE, HALVES[::-1])


@pytest.mark.parametrize(
    "vertices, faces, error, words",
    [
        (np.zeros((4, 2)), HALVES, ShapeError, "vertices"),
        (SQUARE, [[0, 1]], ShapeError, "faces"),
        (SQUARE, [[0, 1, 4]], ArgumentError, "0 to 3"),
        (SQUARE, [[0, 1, -1]], ArgumentError, "0 to 3"),
        (SQUARE, [[0.0, 1.0, 2.0]], ArgumentError, "whole"),
        (SQUARE * np.nan, HALVES, ArgumentError, "vertex 0"),
        (SQUARE * 1e9, HALVES, ArgumentError, "vertex 1"),
        (SQUARE, np.zeros((0, 3), int), ArgumentError, "at least one"),
        (SQUARE[:, [1, 0, 2]], HALVES, ArgumentError, "upright"),
        ("abc", HALVES, ArgumentError, "vertices"),
    ],
)
def test_triangles_that_are_none_are_refused(vertices, faces, error, words):
    with pytest.raises(error, match=words):
        Mesh(vertices, faces)


def test_rectangles_that_are_none_are_refused():
    for low, high in [((0, 0), (0, 1)), ((0, 0), (1, np.nan)), ((0, 0), (1e9, 1)), (0, 1), ((0, 0, 0), (1, 1, 1))]:
        with pytest.raises(ArgumentError, match=r"low|high"):
            Stairs().mesh(low, high)
    with pytest.raises(ArgumentError, match="steps"):
        Stairs(run=0.01).mesh((0, 0), (1, 1e5))
    with pytest.raises(ArgumentError, match="vertices"):
        Hills().mesh((0, 0), (1e4, 1e4), 0.1)
    with pytest.raises(ArgumentError, match="spacing"):
        Hills().mesh((0, 0), (1, 1), 0.0)


def test_rays_straight_at_vertices_of_irregular_ground_hit_it():
    rng = np.random.default_rng(0)
    corners = [[-60.0, -60.0], [60.0, -60.0], [-60.0, 60.0], [60.0, 60.0]]
    places = np.concatenate([rng.uniform(-50.0, 50.0, (20_000, 2)), corners])
    mesh = Mesh(np.insert(places, 1, 0.3 * np.sin(places[:, 0]), axis=1), Delaunay(places).simplices)
    np.testing.assert_allclose(mesh.height(places), mesh.vertices[:, 1], atol=1e-4)


@pytest.mark.parametrize("big", [1.0, 300.0])
def test_the_highest_of_a_heap_of_triangles_is_the_one_that_a_search_of_all_finds(big):
    """Random triangles of very different sizes, through each other; each place is compared with every one of them."""
    rng = np.random.default_rng(3)
    size = np.where(rng.random((400, 1, 1)) < 0.05, big, 0.2)
    corners = rng.uniform(-5.0, 5.0, (400, 1, 3)) * [1.0, 0.2, 1.0] + size * rng.normal(size=(400, 3, 3))
    mesh = Mesh(corners.reshape(-1, 3), np.arange(1200).reshape(-1, 3))
    xz = rng.uniform(-6.0, 6.0, (500, 2))
    a, b, c = (corners[None, :, k, ::2] - xz[:, None] for k in range(3))
    areas = np.stack([p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0] for p, q in ((b, c), (c, a), (a, b))], axis=-1)
    inside = np.all(areas > 0.0, axis=-1) | np.all(areas < 0.0, axis=-1)
    heights = np.sum(areas * corners[None, :, :, 1], axis=-1) / np.sum(areas, axis=-1)
    highest = np.where(inside, heights, -np.inf).max(axis=1)
    hit = np.isfinite(highest)
    assert hit.sum() > 50
    np.testing.assert_allclose(mesh.height(xz[hit]), highest[hit], atol=1e-9 * big)
