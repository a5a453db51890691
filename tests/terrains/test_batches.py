"""One place and a million are the same call."""

import numpy as np
import pytest

from limbik.errors import ArgumentError, ShapeError
from limbik.terrains import base
from limbik.terrains.hills import Hills
from limbik.terrains.planes import Plane

from .grounds import GROUNDS, KINDS

every_terrain = pytest.mark.parametrize("terrain", GROUNDS, ids=KINDS)


@every_terrain
@pytest.mark.parametrize("batch", [(), (1,), (3, 1, 2), (0,), (2, 0, 3)])
def test_answers_have_the_shape_of_the_batch(terrain, batch):
    xz = np.random.default_rng(0).uniform(-3.0, 3.0, (*batch, 2))
    assert terrain.height(xz).shape == batch
    assert terrain.normal(xz).shape == (*batch, 3)
    assert terrain.highest(xz, xz + 1.0).shape == batch


@every_terrain
def test_a_batch_gives_what_each_place_gives_alone(terrain, monkeypatch):
    monkeypatch.setattr(base, "BLOCK_PLACES", 7)
    xz = np.random.default_rng(1).uniform(-3.0, 3.0, (5, 4, 2))
    heights, normals = terrain.height(xz), terrain.normal(xz)
    for index in np.ndindex(5, 4):
        np.testing.assert_allclose(heights[index], terrain.height(xz[index]), atol=1e-14)
        np.testing.assert_allclose(normals[index], terrain.normal(xz[index]), atol=1e-14)


@every_terrain
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_a_place_where_nobody_can_be_is_nan_alone(terrain, bad):
    xz = np.array([[0.1, 0.2], [bad, 0.2], [0.1, bad], [0.3, 0.4]])
    heights, normals = terrain.height(xz), terrain.normal(xz)
    assert np.isnan(heights).tolist() == [False, True, True, False]
    assert np.isnan(normals).all(axis=-1).tolist() == [False, True, True, False]
    np.testing.assert_array_equal(heights[[0, 3]], terrain.height(xz[[0, 3]]))
    assert np.isnan(terrain.highest(xz, (0.0, 0.0))).tolist() == [False, True, True, False]
    assert np.isnan(terrain.height((bad, 0.0)))


@every_terrain
def test_lists_integers_and_single_precision_are_places_too(terrain):
    expected = terrain.height(np.array([[1.0, 2.0], [-1.0, 0.0]]))
    np.testing.assert_array_equal(terrain.height([[1, 2], [-1, 0]]), expected)
    np.testing.assert_array_equal(terrain.height(np.array([[1, 2], [-1, 0]], np.float32)), expected)


@pytest.mark.parametrize("xz", [0.0, [1.0], np.zeros((2, 3)), np.zeros((0,))])
def test_other_shapes_are_refused(xz):
    with pytest.raises(ShapeError, match=r"xz.*\(\.\.\., 2\)"):
        Hills().height(xz)


@pytest.mark.parametrize("xz", ["ab", [[1.0, 2.0], [3.0]], [None, {}]])
def test_what_is_no_number_is_refused(xz):
    with pytest.raises(ArgumentError, match="xz"):
        Hills().height(xz)


@every_terrain
def test_the_highest_ground_of_a_line_is_what_many_places_on_it_show(terrain):
    rng = np.random.default_rng(2)
    a, b = rng.uniform(-4.0, 4.0, (2, 40, 2))
    part = np.linspace(0.0, 1.0, 2001)[:, None, None]
    expected = terrain.height(a + part * (b - a)).max(axis=0)
    np.testing.assert_allclose(terrain.highest(a, b, samples=401), expected, atol=2e-3)
    assert np.all(terrain.highest(a, b) >= np.maximum(terrain.height(a), terrain.height(b)))


def test_lines_broadcast_and_unfit_ones_are_refused():
    hills = Hills()
    assert hills.highest(np.zeros((3, 1, 2)), np.ones((4, 2))).shape == (3, 4)
    with pytest.raises(ShapeError, match="a: got"):
        hills.highest(np.zeros((3, 2)), np.ones((4, 2)))
    with pytest.raises(ArgumentError, match="samples"):
        hills.highest((0, 0), (1, 1), samples=1)


@every_terrain
def test_x_and_z_may_be_given_one_by_one(terrain):
    x, z = np.linspace(-3.0, 3.0, 7)[:, None], np.linspace(-2.0, 2.0, 5)
    xz = np.stack(np.broadcast_arrays(x, z), axis=-1)
    np.testing.assert_array_equal(terrain.height(x, z), terrain.height(xz))
    np.testing.assert_array_equal(terrain.normal(x, z), terrain.normal(xz))
    assert terrain.height(1.0, 2.0) == terrain.height((1.0, 2.0))


def test_places_that_are_none_are_refused():
    for call in (Plane().height, Plane().normal):
        for places, words in (
            ((1.0,), "height.x, z."),
            (("a",), "xz: got 'a'"),
            ((None,), "xz"),
            ((1.0, "b"), "z: got 'b'"),
        ):
            with pytest.raises(ArgumentError, match=words):
                call(*places)
        with pytest.raises(ShapeError, match=r"z: got shape .3,.; expected a shape that broadcasts with that of x"):
            call(np.zeros(2), np.zeros(3))
