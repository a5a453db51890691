"""Hills are as high, as far apart and as random as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.terrains.hills import Hills

from .grounds import hills, places


@given(hills, places)
def test_heights_stay_within_the_height(terrain, xz):
    assert abs(terrain.height(xz)) <= terrain.amplitude


def stretch(side, seed, samples=200):
    x, z = np.meshgrid(*2 * [np.linspace(0.0, side, samples)])
    return Hills(0.3, seed, 4.0).height(np.stack([x, z], axis=-1))


@pytest.mark.parametrize("seed", range(20))
def test_a_stretch_of_a_few_hills_reaches_most_of_the_height(seed):
    heights = stretch(20.0, seed)
    assert heights.max() > 0.8 * 0.3
    assert heights.min() < -0.8 * 0.3


@pytest.mark.parametrize("seed", range(3))
def test_hilltops_are_about_their_size_apart(seed):
    heights = stretch(80.0, seed, 500)
    inner = heights[1:-1, 1:-1]
    around = [np.roll(heights, (a, b), (0, 1))[1:-1, 1:-1] for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    hilltops = np.count_nonzero(np.all([inner > each for each in around], axis=0))
    assert 80.0 / np.sqrt(hilltops) == pytest.approx(4.0, rel=0.15)


def test_a_seed_is_the_same_landscape_everywhere():
    xz = [[0.0, 0.0], [1.0, 2.0], [-3.5, 7.25], [100.0, -40.0]]
    expected = {
        0: [-0.1970907355, 0.1774268169, -0.1726953414, 0.0566779226],
        3: [-0.0418586449, 0.1101165564, 0.0204650654, 0.0077390272],
        2**63 - 1: [-0.0766268223, -0.0229527784, -0.0176174237, -0.149859959],
    }
    for seed, heights in expected.items():
        np.testing.assert_allclose(Hills(0.3, seed, 4.0).height(xz), heights, rtol=0.0, atol=1e-9)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_another_seed_is_another_landscape(one, other):
    xz = np.random.default_rng(0).uniform(-10.0, 10.0, (50, 2))
    same = np.allclose(Hills(seed=one).height(xz), Hills(seed=other).height(xz), atol=1e-3)
    assert same == (one == other)


@given(st.floats(0.5, 50.0), places)
def test_size_stretches_the_ground_and_height_lifts_it(size, xz):
    near, far = Hills(1.0, 5, 1.0), Hills(0.25, 5, size)
    assert far.height(np.multiply(xz, size)) == pytest.approx(0.25 * near.height(xz), abs=1e-9)
