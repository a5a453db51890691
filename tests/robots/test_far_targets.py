"""Targets far beyond a robot limb's reach, up to the largest numbers: one answer, whatever engine computes it."""

from contextlib import nullcontext

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch
from limbik.limbs.status import Status
from tests.optional import double_precision, optional
from tests.robots import small_robots
from tests.robots.robot_files import MENAGERIE, menagerie
from tests.thoroughness import some

FAR = 10.0 ** np.array(some([20, 300, 12, 3, 120, 160], 3))
POSITIONS = FAR[:, None] * np.resize([[1.0, 0, 0], [0, 1, 0], [0.3, -0.5, 0.8]], (len(FAR), 3))
ROTATION = np.array([0.0, 0.0, 0.0, 1.0])


def limbs_of(path):
    """The limbs that have a closed form, one of each family."""
    found = {}
    for limb in limbik.Robot.load(path).limbs().values():
        try:
            found.setdefault(limb.family, limb)
        except limbik.LimbikError:
            continue
    return some(found.values(), 4)


def is_too_far(found):
    assert (np.asarray(found.status) == Status.TOO_FAR).all()
    assert np.isfinite(np.asarray(found.angles)).all()


def check(limb):
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            is_too_far(limb.solve(POSITIONS, ROTATION))
    is_too_far(limb.solve(POSITIONS[0].tolist(), ROTATION.tolist()))


@pytest.mark.parametrize("name", some(sorted(MENAGERIE, key=lambda name: "g1.xml" not in name), 14))
def test_far_targets_are_too_far_on_every_engine(name):
    for limb in limbs_of(menagerie(name)):
        check(limb)


@pytest.mark.parametrize("name", ["small.xml", "small.urdf"])
def test_of_small_robots_too(name, tmp_path):
    text = small_robots.MJCF if name.endswith("xml") else small_robots.URDF
    for limb in limbs_of(small_robots.write(tmp_path, text, name)):
        check(limb)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_tensors_too(library):
    module = optional(library)
    array = module.tensor if library == "torch" else module.numpy.array
    arm = limbik.Robot.load(menagerie("universal_robots_ur5e/ur5e.xml")).limb("wrist_3_link")
    with double_precision(module) if library == "jax" else nullcontext():
        is_too_far(arm.solve(array(POSITIONS), array(ROTATION)))
