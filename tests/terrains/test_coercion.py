"""What is given where a terrain is expected; terrains as keys and across processes."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from limbik.errors import ArgumentError
from limbik.terrains.function_terrain import Adapted, Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.hills import Hills
from limbik.terrains.planes import Slope
from limbik.terrains.specs import as_terrain

from .grounds import GROUNDS, KINDS, Saddle, random_field, waves

XZ = np.random.default_rng(0).uniform(-3.0, 3.0, (20, 2))


def test_specs_paths_arrays_functions_and_objects_become_terrains(tmp_path):
    samples = np.arange(12.0).reshape(3, 4)
    np.save(tmp_path / "ground.npy", samples)
    hills = Hills()
    assert as_terrain(hills) is hills
    assert as_terrain("slope:10") == Slope(10)
    assert as_terrain(tmp_path / "ground.npy") == Heightfield(samples)
    assert as_terrain(samples) == as_terrain(samples.tolist()) == Heightfield(samples, 0.1)
    assert as_terrain(waves) == Function(waves)
    np.testing.assert_array_equal(as_terrain(waves).height(XZ), waves(*XZ.T))
    assert as_terrain(Saddle()) == Adapted(Saddle())
    np.testing.assert_allclose(as_terrain(Saddle()).height(XZ), Saddle().height(XZ))
    np.testing.assert_allclose(as_terrain(Saddle()).normal(XZ), Saddle().normal(XZ))


def test_a_function_may_return_one_number_for_all():
    assert as_terrain(lambda x, z: 2).height(XZ).tolist() == [2.0] * 20


@pytest.mark.parametrize(
    "function, words",
    [(lambda x, z: [1.0, 2.0], "shape"), (lambda x, z: None, "numbers"), (lambda x, z: x * np.nan, "finite")],
)
def test_what_a_function_returns_is_checked(function, words):
    with pytest.raises(ArgumentError, match=f"result of .*({words})"):
        as_terrain(function).height(XZ)


@pytest.mark.parametrize("terrain", GROUNDS, ids=KINDS)
def test_a_pickled_terrain_is_the_same(terrain):
    terrain.normal(XZ)  # so that there is something to leave behind
    copy = pickle.loads(pickle.dumps(terrain))
    assert copy == terrain
    assert hash(copy) == hash(terrain)
    assert copy.key() == terrain.key()
    assert repr(copy) == repr(terrain)
    np.testing.assert_array_equal(copy.height(XZ), terrain.height(XZ))
    np.testing.assert_array_equal(copy.normal(XZ), terrain.normal(XZ))


def test_terrains_differ_where_their_content_does():
    field = random_field()
    others = [random_field(1), Heightfield(field.heights, 0.4), Heightfield(field.heights, 0.5, (0.0, 0.0)), *GROUNDS]
    others.remove(field)
    assert all(field != other and field.key() != other.key() for other in others)
    assert len({terrain.key() for terrain in GROUNDS}) == len(set(GROUNDS)) == len(GROUNDS)
    assert field == random_field(source="elsewhere.npy")


def test_terrains_do_not_change():
    for terrain in GROUNDS:
        for name in vars(terrain):
            with pytest.raises(AttributeError):
                setattr(terrain, name, 1.0)


def _height_and_key(terrain):
    return terrain.height(XZ), terrain.key()


def test_terrains_go_to_other_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for terrain, (heights, key) in zip(GROUNDS, pool.map(_height_and_key, GROUNDS), strict=True):
            np.testing.assert_array_equal(heights, terrain.height(XZ))
            assert key == terrain.key()


def test_only_ground_of_triangles_and_pictures_brings_other_packages_in():
    code = "import sys, limbik.terrains.specs; print({'trimesh', 'PIL', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout.strip() == "set()"


class _Level:
    """Someone else's ground, which compares as arrays do."""

    def __init__(self, at):
        self.at = at

    def height(self, xz):
        return np.full(len(xz), self.at)

    def normal(self, xz):
        return np.tile([0.0, 1.0, 0.0], (len(xz), 1))

    def __eq__(self, other):
        return np.array([self.at == other.at] * 2)

    __hash__ = None


def test_terrains_compare_by_content_whatever_their_objects_do():
    assert as_terrain(_Level(1.0)) == as_terrain(_Level(1.0)) != as_terrain(_Level(2.0))
    assert len({as_terrain(_Level(1.0)), as_terrain(_Level(1.0))}) == 1
    assert as_terrain("plane") != "plane"


@pytest.mark.parametrize(
    "value", [None, 3, 2.5, True, {"plane": 1}, b"plane", Heightfield, object(), [[1, 2], [3]], [[1, "a"], [2, 3]]]
)
def test_what_is_no_terrain_is_refused(value):
    with pytest.raises(ArgumentError, match=r"slope:10.*f\(x, z\)|heights: got"):
        as_terrain(value)
