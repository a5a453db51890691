"""The yaw's cut lies beside straight back: bases that face straight ahead, back or aside are not on it."""

import numpy as np
import pytest

import limbik
from tests.limbs.engines_under_test import ENGINES, run

LEG, ARM, TAIL = limbik.ThreeLink(0.45, 0.42, 0.12), limbik.TwoLink(0.45, 0.42), limbik.NLink([0.3, 0.3, 0.2])
AXES = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
PAST_BACK = 0.01


CASES = {
    "arm": lambda target, axis: (ARM.solve, {"target": target, "pole": axis}),
    "tail": lambda target, axis: (TAIL.solve, {"target": target, "pole": axis}),
    "leg": lambda target, axis: (LEG.solve, {"target": target, "up": 0.3 * target[::-1] + axis}),
    "easy leg": lambda target, axis: (LEG.solve, {"target": target, "up": target[::-1], "hint": axis}),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("axis", np.eye(3), ids="xyz")
def test_a_tiny_change_is_never_a_whole_turn(case, axis, engine):
    rng = np.random.default_rng(5)
    target = rng.normal(size=(300, 3)) * 0.4
    target[::2, 0] = 0.0  # straight ahead and straight back
    method, arrays = CASES[case](target, np.tile(axis, (300, 1)))
    options = {"style": "easy"} if "hint" in arrays else {}
    changed = {name: value + rng.normal(size=value.shape) * 1e-9 for name, value in arrays.items()}
    before, after = (run(engine, method, "float64", one, **options).angles[:, 0] for one in (arrays, changed))
    assert np.all(np.abs(after - before) < 1.001 * np.pi)
    if case == "easy leg" and axis[2]:
        assert np.array_equal(np.unique(before.round(9)), np.round([0.0, np.pi], 9))
        assert np.all(np.abs(after - before) < 1e-6)


@pytest.mark.parametrize("limb", [ARM, LEG, TAIL])
def test_the_range_of_the_yaw(limb):
    rng = np.random.default_rng(6)
    target, side = rng.normal(size=(2, 20_000, 3))
    yaw = limb.solve(target, side).angles[:, 0]
    assert yaw.min() > PAST_BACK - np.pi
    assert yaw.max() <= PAST_BACK + np.pi
    assert yaw.max() > np.pi
    angles = limb.solve(target, side)
    np.testing.assert_allclose(limb.forward(angles.angles), angles.joints, atol=1e-12)
