"""Tracks frame by frame: whatever takes a step, floats, NumPy or a kernel that came meanwhile, the bits are equal."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.engines import dispatch, loading, thresholds
from limbik.limbs import track as tracking
from tests.thoroughness import some

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)
NAMES = ("joints", "angles", "rotations")


def path(rows, frames=6, dtype="float64"):
    """Moving targets; some frames stand still, some are invalid, some rows pass through the origin."""
    rng = np.random.default_rng(0)
    start, way = rng.normal(size=(2, rows, 3)) * 0.3
    target = start + np.linspace(0, 1, frames)[:, None, None] * way
    target[2] = target[1]
    target[3, ::5] = np.nan
    target[4, ::3] = 0.0
    return target.astype(dtype), rng.normal(size=(rows, 3)).astype(dtype)


def frame_by_frame(limb, target, side):
    """The answers of every frame, each a track of its own that continues the one before."""
    last, found = None, []
    for now in target:
        last = limb.track(now[None], side, previous=last)
        found.append([np.array(getattr(last, name)[0]) for name in NAMES])
    return found


def assert_same(found, expected):
    for now, other in zip(found, expected, strict=True):
        for a, b in zip(now, other, strict=True):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b, equal_nan=True)


@pytest.mark.parametrize(
    ("limb", "rows", "dtype"), some([(LEG, 1, "float64"), (LEG, 30, "float64"), (ARM, 7, "float32")], 2)
)
def test_a_kernel_that_comes_meanwhile_does_not_show(limb, rows, dtype, monkeypatch):
    target, side = path(rows, dtype=dtype)
    with monkeypatch.context() as patch:
        patch.setattr(loading, "kernels", {})
        patch.setattr(thresholds, "KERNEL_MIN_SECONDS", np.inf)
        without = frame_by_frame(limb, target, side)
    with limbik.warm_up():
        frame_by_frame(limb, target, side)
    monkeypatch.setattr("limbik.engines.tracks._without_kernel", lambda *_: pytest.fail("there was a kernel"))
    assert_same(frame_by_frame(limb, target, side), without)


@pytest.mark.parametrize("rows", [3, 15])
def test_floats_and_numpy_take_the_same_steps(rows):
    target, side = path(rows)
    with dispatch.use("numpy"):
        expected = frame_by_frame(LEG, target, side)
    assert_same(frame_by_frame(LEG, target, side), expected)


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_angles_are_made_continuous_alike_on_every_engine(engine):
    turns = np.linspace(0, 9, 12)[:, None, None] * np.array([[1.0, 0.7, -1.3, 2.0, 0.3], [-2.0, 1.5, 0.2, 1.0, -1.0]])
    angles = (turns + np.pi) % (2 * np.pi) - np.pi
    angles[5, 0] = np.nan
    angles[7, 1, 1] = np.pi / 2
    before = angles[0].T + 2 * np.pi
    found, _ = tracking._continuous(angles, before)
    with dispatch.use(engine):
        assert np.array_equal(tracking._continuous(angles, before)[0], found, equal_nan=True)
    valid = np.isfinite(angles).all(-1)
    for one, other in zip(angles[valid], found[valid], strict=True):  # the same chain
        chains = [Rotation.from_euler("YZX", (yaw, roll, first)) for yaw, roll, first, *_ in (one, other)]
        assert (chains[0].inv() * chains[1]).magnitude() < 1e-14 * 64
        assert np.allclose(np.exp(1j * one[3:]), np.exp(1j * other[3:]), atol=1e-14)
    assert np.abs(np.diff(found[:, 1], axis=0)).max() < np.pi
    assert not np.shares_memory(found, angles)
