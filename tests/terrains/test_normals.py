"""Normals stand on the ground."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.terrains.heightfield import Heightfield

from .grounds import GROUNDS, KINDS, coordinates, hills, places, slopes, stairs

STEP = 1e-5


def by_differences(terrain, xz):
    """The normal from heights around, worked out as nothing in the library does: a cross product of two secants."""
    xz = np.asarray(xz, float)
    along = []
    for axis in (0, 1):
        step = np.zeros(2)
        step[axis] = STEP
        rise = terrain.height(xz + step) - terrain.height(xz - step)
        along.append(np.insert(2.0 * step, 1, 0.0) + np.array([0.0, 1.0, 0.0]) * np.expand_dims(rise, -1))
    normal = np.cross(along[1], along[0])
    return normal / np.linalg.norm(normal, axis=-1, keepdims=True)


@given(slopes | hills, places)
def test_smooth_ground_has_the_normal_that_its_heights_imply(terrain, xz):
    np.testing.assert_allclose(terrain.normal(xz), by_differences(terrain, xz), atol=2e-6)


@given(st.integers(0, 99), st.floats(0.05, 2.0), places)
def test_a_heightfield_has_the_normal_that_its_heights_imply(seed, spacing, xz):
    field = Heightfield(np.random.default_rng(seed).normal(0.0, spacing, (6, 5)), spacing)
    low = np.array(field.origin)
    high = low + spacing * np.array([4, 5])
    # Its border is a fold, where the ground beyond is level.
    inside = low + spacing * 1e-3 + (high - low - spacing * 2e-3) * (np.array(xz) + 30.0) / 60.0
    np.testing.assert_allclose(field.normal(inside), by_differences(field, inside), atol=1e-3)


@given(stairs, places)
def test_treads_are_level(terrain, xz):
    np.testing.assert_array_equal(terrain.normal(xz), [0.0, 1.0, 0.0])


@pytest.mark.parametrize("terrain", GROUNDS, ids=KINDS)
def test_normals_are_unit_and_point_up(terrain):
    xz = np.random.default_rng(1).uniform(-20.0, 20.0, (500, 2))
    normals = terrain.normal(xz)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1.0, atol=1e-12)
    assert np.all(normals[:, 1] > 0.0)


@given(coordinates, coordinates, st.sampled_from([GROUNDS[7], GROUNDS[8]]))
def test_python_code_has_the_normal_that_its_heights_imply(x, z, terrain):
    np.testing.assert_allclose(terrain.normal((x, z)), by_differences(terrain, (x, z)), atol=1e-6)
