"""A heightfield is smooth, goes through its samples, and adds nothing to them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from limbik.errors import ArgumentError, ShapeError
from limbik.terrains.heightfield import Heightfield

from .grounds import random_field

heights = arrays(float, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=st.floats(-5.0, 5.0))
parts = st.floats(0.0, 1.0)


def placed(field, column, row):
    """The place (x, z) so many samples from the first."""
    return np.array(field.origin) + field.spacing * np.stack([column, row], axis=-1)


@given(heights, st.floats(0.01, 10.0))
def test_the_ground_goes_through_every_sample(samples, spacing):
    field = Heightfield(samples, spacing, (3.0, -2.0))
    rows, columns = samples.shape
    column, row = np.meshgrid(np.arange(columns), np.arange(rows))
    np.testing.assert_allclose(field.height(placed(field, column, row)), samples, atol=1e-9)


@given(heights, st.lists(st.tuples(parts, parts), min_size=1, max_size=20))
def test_the_ground_stays_between_the_four_samples_around(samples, where):
    field = Heightfield(samples, 1.0, (0.0, 0.0))
    x, z = (np.array(where) * np.subtract(samples.shape[::-1], 1)).T
    column = np.minimum(x.astype(int), samples.shape[1] - 2)
    row = np.minimum(z.astype(int), samples.shape[0] - 2)
    around = np.stack([samples[row + a, column + b] for a in (0, 1) for b in (0, 1)])
    found = field.height(np.stack([x, z], axis=-1))
    assert np.all(found >= around.min(axis=0) - 1e-12)
    assert np.all(found <= around.max(axis=0) + 1e-12)


@given(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), parts, parts)
def test_even_slopes_are_exact(along_x, along_z, x, z):
    row, column = np.mgrid[:5, :4]
    field = Heightfield(0.5 * (along_x * column + along_z * row), 0.5, (0.0, 0.0))
    place = np.array([1.5 * x, 2.0 * z])
    assert field.height(place) == pytest.approx(along_x * place[0] + along_z * place[1], abs=1e-12)
    normal = np.array([-along_x, 1.0, -along_z])
    np.testing.assert_allclose(field.normal(place), normal / np.linalg.norm(normal), atol=1e-12)


@given(st.integers(0, 50), st.integers(1, 5), st.floats(0.0, 8.0), st.booleans())
def test_normals_do_not_jump_from_cell_to_cell(seed, line, along, turned):
    field = random_field(seed)
    at = np.array([[line - 1e-9, along * 0.7], [line + 1e-9, along * 0.7]])
    before, after = field.normal(placed(field, *(at[:, ::-1] if turned else at).T))
    np.testing.assert_allclose(before, after, atol=1e-6)


def test_rows_go_along_z_and_columns_along_x():
    field = Heightfield([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], 2.0, (10.0, 20.0))
    assert field.height([[12.0, 20.0], [10.0, 22.0], [10.0, 24.0]]).tolist() == [1.0, 2.0, 4.0]


def test_a_heightfield_lies_about_the_origin_unless_told():
    field = random_field(rows=9, columns=7)
    assert field.origin == (-1.5, -2.0)
    assert field.height((0.0, 0.0)) == pytest.approx(field.heights[4, 3])


@given(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
def test_beyond_the_grid_the_ground_is_that_of_its_border(x, z):
    field = random_field()
    border = np.clip((x, z), field.origin, np.negative(field.origin))
    assert field.height((x, z)) == pytest.approx(field.height(border), abs=1e-12)
    normal = field.normal((x, z))
    assert abs(x) <= 1.5 or normal[0] == 0.0
    assert abs(z) <= 2.0 or normal[2] == 0.0


def test_the_mesh_has_a_vertex_at_every_sample():
    field = random_field()
    vertices, faces = field.mesh(field.origin, np.negative(field.origin))
    assert len(vertices) == field.heights.size
    assert len(faces) == 2 * 8 * 6
    np.testing.assert_allclose(vertices[:, 1].reshape(field.heights.shape), field.heights, atol=1e-12)


def test_the_callers_array_can_change_and_the_terrain_cannot():
    samples = np.zeros((3, 3))
    field = Heightfield(samples)
    samples[:] = 1.0
    assert field.height((0.0, 0.0)) == 0.0
    with pytest.raises(ValueError, match="read-only"):
        field.heights[0, 0] = 1.0


@pytest.mark.parametrize(
    "samples, error, words",
    [
        (np.zeros(5), ShapeError, r"\(rows, columns\)"),
        (np.zeros((1, 5)), ShapeError, "two of each"),
        (np.zeros((0, 0)), ShapeError, "two of each"),
        ([[0.0, 1.0], [np.nan, 0.0]], ArgumentError, "row 1, column 0"),
        ([[0.0, np.inf], [0.0, 0.0]], ArgumentError, "finite"),
        ([[0.0, 1e7], [0.0, 0.0]], ArgumentError, "100000 m"),
        ([[0.0, 1.0], [0.0]], ArgumentError, "different lengths"),
        ([["a", "b"], ["c", "d"]], ArgumentError, "numbers"),
        (np.zeros((2, 2), complex), ArgumentError, "complex"),
        (np.broadcast_to(0.0, (10_000, 10_000)), ShapeError, "at most"),
    ],
)
def test_heights_that_are_none_are_refused(samples, error, words):
    with pytest.raises(error, match=words):
        Heightfield(samples)


@pytest.mark.parametrize("options", [{"spacing": 0.0}, {"spacing": np.nan}, {"spacing": True}, {"spacing": "1"}])
def test_a_spacing_that_is_none_is_refused(options):
    with pytest.raises(ArgumentError, match="spacing"):
        Heightfield(np.zeros((2, 2)), **options)


@pytest.mark.parametrize("origin", [0.0, (1.0,), (1.0, np.inf), (1.0, 2.0, 3.0)])
def test_an_origin_that_is_none_is_refused(origin):
    with pytest.raises(ArgumentError, match="origin"):
        Heightfield(np.zeros((2, 2)), origin=origin)


def test_ground_too_long_to_be_true_is_refused():
    with pytest.raises(ArgumentError, match="spacing"):
        Heightfield(np.zeros((2, 200)), 1000.0)
