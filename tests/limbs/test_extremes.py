"""Far targets, links of very different lengths, up nearly along the aim: limits hold, quaternions are of unit length,
and the report is true, on every engine."""

import numpy as np
import pytest

import limbik
from tests import reference
from tests.limbs.engines_under_test import run
from tests.optional import double_precision
from tests.thoroughness import THOROUGH

LENGTHS = [
    (0.45, 0.42, 0.12),
    (0.9, 0.9, 5e7),
    (0.4, 3e-4, 0.3),
    (1e-4, 0.8, 2e-10),
    (0.5, 0.7, 1e-8),
    (3e-5, 0.5, 7e7),
]
RUNS = [("floats", "float64"), ("numpy", "float64"), ("numpy", "float32"), ("numba", "float32")]
LIMITS = [(-0.5, 0.5), (-2.5, 0.5), (-np.pi, -1.0), (0.2, 1.5)]


def hard_rows(rng, lengths, count):
    """Targets near and up to 1e10 limbs away; half of the ups along the aim but for 1e-9 to 1."""
    direction = reference.random_directions(rng, count)
    far = 10.0 ** rng.choice([0, 0, -6, 3, 10], (count, 1)) * rng.uniform(0.05, 1.3, (count, 1)) * sum(lengths[:2])
    tilt = 10.0 ** rng.uniform(-9, 0, (count, 1)) * rng.normal(size=(count, 3))
    up = np.where(rng.random((count, 1)) < 0.5, rng.choice([-1, 1], (count, 1)) * direction + tilt, tilt)
    up /= np.linalg.norm(up, axis=-1, keepdims=True)
    return {"target": direction * far + rng.choice([0, 1], (count, 1)) * lengths[2] * up, "up": up}


def check(s, leg, arrays, dtype):
    epsilon = float(np.finfo(dtype).eps)
    rotations = np.asarray(s.rotations, float)
    assert np.abs(np.linalg.norm(rotations, axis=-1) - 1).max() < 16 * epsilon
    foot = reference.turn(rotations[:, 2], [0, 0, 1.0])
    up_error = reference.angle_between(foot, arrays["up"].astype(dtype))
    assert np.abs(up_error - np.asarray(s.up_error)).max() < 64 * epsilon + 2e-8
    reach = sum(leg.lengths) + np.abs(arrays["target"]).sum(-1)
    tip = np.asarray(s.joints, float)[:, 3] - arrays["target"].astype(dtype)
    assert np.all(np.abs(np.linalg.norm(tip, axis=-1) - s.residual) < 16 * epsilon * reach)
    if leg.last_limits:
        # Positive is the way the knee bends; what the number type tells of it depends on the links' ratio.
        first, second = leg.lengths[:2]
        slack = 1e-6 + 64 * epsilon + 16 * epsilon * max(first, second) / min(first, second)
        knee, last = np.asarray(s.angles, float).T[3:]
        bent = np.abs(knee) > 0
        last = (np.sign(knee) * last)[bent]
        low, high = leg.last_limits
        around = np.abs(np.abs(last) - np.pi) < slack if low < slack - np.pi else False
        assert np.all((last >= low - slack) & (last <= high + slack) | around)


@pytest.mark.parametrize(("engine", "dtype"), RUNS)
def test_extremes(engine, dtype):
    rng = np.random.default_rng(21)
    cases = [(lengths, limits) for lengths in LENGTHS for limits in (None, *LIMITS)]
    brief = engine == "numba" and not THOROUGH  # each priority is five kernels to compile
    for number, (lengths, limits) in enumerate(cases):
        for priority in ("up",) if brief else ("up", "position"):
            leg = limbik.ThreeLink(*lengths, middle_limits=[None, (0.1, 2.4)][number % 2], last_limits=limits)
            arrays = hard_rows(rng, lengths, 40 if engine == "floats" else 2000)
            check(run(engine, leg.solve, dtype, arrays, priority=priority), leg, arrays, dtype)


@pytest.mark.parametrize("library", ["torch", "jax", "jax with float64"])
def test_extremes_of_tensors(library):
    module = pytest.importorskip(library.split()[0])
    if library == "torch":
        check_tensors(module.tensor)
    else:
        with double_precision(module, "float64" in library):
            check_tensors(module.numpy.asarray)


def check_tensors(make):
    rng = np.random.default_rng(22)
    for lengths, limits in zip(LENGTHS, (LIMITS * 2), strict=False):
        for priority in ("up", "position"):
            leg = limbik.ThreeLink(*lengths, last_limits=limits)
            arrays = hard_rows(rng, lengths, 500)
            typed = {name: make(value.astype("float32")) for name, value in arrays.items()}
            s = leg.solve(**typed, priority=priority)
            names = ("rotations", "up_error", "joints", "residual", "angles")
            check(_Answers({name: np.asarray(getattr(s, name)) for name in names}), leg, arrays, "float32")


class _Answers:
    def __init__(self, values):
        self.__dict__.update(values)


@pytest.mark.parametrize(("engine", "dtype"), RUNS)
def test_an_aim_next_to_vertical(engine, dtype):
    """The squares of its level part underflow; the plane that is made upright is still made of unit vectors."""
    rng = np.random.default_rng(23)
    lowest = -44 if dtype == "float32" else -320
    target = 10.0 ** rng.uniform(lowest, 0, (200, 3)) * rng.choice([-1, 1], (200, 3))
    target[:, 1] = 0.5
    for limb, options in (
        (limbik.TwoLink(0.45, 0.42), {"pole": target}),
        (limbik.ThreeLink(0.45, 0.42, 0.12), {"up": target}),
        (limbik.ThreeLink(1.0, 1e-10, 1e10), {"up": target}),
    ):
        s = run(engine, limb.solve, dtype, {"target": target * limb.reach, **options})
        rotations = np.asarray(s.rotations, float)
        assert np.abs(np.linalg.norm(rotations, axis=-1) - 1).max() < 16 * np.finfo(dtype).eps
