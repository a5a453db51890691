"""Soft reach: monotone, slope-continuous, never past the target; stretch: exact up to its factor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik
from limbik import Status

LIMB = limbik.TwoLink(0.45, 0.42)
L = 0.87


def reached(distance, soften):
    return LIMB.solve(np.stack([distance, 0 * distance, 0 * distance], -1), soften=soften).joints[..., 2, 0]


@given(soften=st.floats(0.05, 0.999), low=st.floats(0.0, 3.0))
def test_monotone_and_never_past_the_target(soften, low):
    d = low + np.linspace(0.03, 0.1, 500)
    tip = reached(d, soften)
    assert np.all(np.diff(tip) >= -4e-16)  # but for the last bit, at saturation
    assert np.all(tip <= d * (1 + 1e-15))
    assert np.all(tip <= L)


@given(soften=st.floats(0.05, 0.99))
def test_slope_is_one_at_the_onset_and_has_no_corner(soften):
    a = soften * L
    h = 1e-5 * (L - a)
    before = (reached(np.array([a]), soften) - reached(np.array([a - h]), soften)) / h
    after = (reached(np.array([a + h]), soften) - reached(np.array([a]), soften)) / h
    if a - h > 0.03:
        assert abs(before[0] - 1) < 1e-6
        assert abs(after[0] - 1) < 1e-4
    d = np.linspace(a, 2.5, 20_001)
    slope = np.gradient(reached(d, soften), d)
    assert np.abs(np.diff(slope)).max() < 2 * (d[1] - d[0]) / (L - a) + 1e-6  # |second derivative| <= 1 / s
    assert slope.max() < 1 + 1e-4


def test_the_curve_is_the_one_documented():
    d = np.linspace(0.1, 3, 300)
    a, s = 0.8 * L, 0.2 * L
    expected = np.where(d > a, a + s * (1 - np.exp(-(d - a) / s)), d)
    assert np.abs(reached(d, 0.8) - expected).max() < 1e-14


def test_soft_status_is_honest():
    s = LIMB.solve([[0.5, 0, 0], [0.86, 0, 0], [2, 0, 0]], soften=0.9)
    assert s.status.tolist() == [Status.REACHED, Status.TOO_FAR, Status.TOO_FAR]
    assert np.abs(s.residual - [0, 0.86 - s.joints[1, 2, 0], 2 - s.joints[2, 2, 0]]).max() < 1e-15


@pytest.mark.parametrize("soften", [1.0, 0.9])
def test_stretch_reaches_up_to_its_factor(soften):
    d = np.linspace(0.1, 1.4, 400)
    target = np.stack([0 * d, d, 0 * d], -1)
    s = LIMB.solve(target, soften=soften, stretch=1.3)
    assert np.abs(s.joints[:, 2] - target)[s.reached].max() < 1e-15
    if soften == 1.0:
        assert np.array_equal(s.reached, d <= 1.3 * L)
    lengths = np.linalg.norm(np.diff(s.joints, axis=1), axis=-1)
    assert np.abs(lengths - LIMB.lengths * s.stretch[:, None]).max() < 1e-15
    assert s.stretch.min() == 1.0
    assert s.stretch.max() <= 1.3
    assert np.all(np.diff(s.joints[:, 2, 1]) >= -1e-15)


def test_twist_turns_the_elbow_about_the_aim():
    aim = np.array([0.3, 0.5, 0.2])
    plain = LIMB.solve(aim, pole=(0, 0, 1))
    turned = LIMB.solve(aim, pole=(0, 0, 1), twist=np.pi / 3)
    e = aim / np.linalg.norm(aim)
    a, b = (s.joints[1] - (s.joints[1] @ e) * e for s in (plain, turned))
    assert abs(np.arctan2(np.cross(a, b) @ e, a @ b) - np.pi / 3) < 1e-12
    assert np.abs(turned.joints[2] - aim).max() < 1e-15
    around = LIMB.solve(aim, pole=(0, 0, 1), twist=np.linspace(0, 2 * np.pi, 9))
    assert np.abs(around.joints[0] - around.joints[-1]).max() < 1e-15
