"""What gives way when position and direction cannot both be had."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import limbik
from limbik import Status
from tests import reference

LEG = limbik.ThreeLink(0.45, 0.42, 0.3)


def cases(count, seed=0):
    rng = np.random.default_rng(seed)
    target = reference.random_directions(rng, count) * rng.uniform(0.0, 1.5, (count, 1))
    return target, reference.random_directions(rng, count)


def test_up_first_keeps_the_direction_and_goes_to_the_nearest_point_on_the_ray():
    target, up = cases(2000)
    s = LEG.solve(target, up)
    missed = ~s.reached
    assert missed.any()
    assert np.abs(s.up_error).max() < 1e-14
    ankle = target - 0.3 * up
    d = np.linalg.norm(ankle, axis=-1)
    nearest = np.clip(d, 0.03, 0.87)
    assert np.abs(s.residual - np.abs(d - nearest)).max() < 1e-14
    assert np.abs(s.joints[:, 2] - ankle * (nearest / d)[:, None]).max() < 1e-14
    assert np.array_equal(s.status == Status.TOO_FAR, d > 0.87 + 1e-12)
    assert np.array_equal(s.status == Status.TOO_NEAR, d < 0.03 - 1e-12)


def test_position_first_reaches_whatever_can_be_reached():
    target, up = cases(2000)
    s = LEG.solve(target, up, priority="position")
    d = np.linalg.norm(target, axis=-1)
    assert np.array_equal(s.reached, d <= 1.17 + 1e-12)
    assert np.abs(reference.link_lengths(s.joints) - LEG.lengths).max() < 1e-12
    far = d > 1.17
    assert np.abs(s.residual[far] - (d[far] - 1.17)).max() < 1e-12
    kept = LEG.solve(target, up).reached
    assert np.abs(s.up_error[kept]).max() < 1e-12
    assert s.up_error[~kept & s.reached].min() > 0


def test_position_first_gives_up_no_more_direction_than_it_must():
    """Against a search over all directions in the plane of target and up."""
    target, up = cases(60, seed=3)
    for e, u in zip(target, up, strict=True):
        s = LEG.solve(e, u, priority="position")
        if not s.reached or s.up_error == 0:
            continue
        onward = e / np.linalg.norm(e)
        side = u - (u @ onward) * onward
        side /= np.linalg.norm(side)

        def wrist(phi, onward=onward, side=side, e=e):
            return np.linalg.norm(e - 0.3 * (np.cos(phi) * onward + np.sin(phi) * side))

        asked = np.arctan2(u @ side, u @ onward)
        turns = np.linspace(0, np.pi, 20_001)
        allowed = [t for t in turns for phi in (asked - t, asked + t) if 0.03 <= wrist(phi) <= 0.87]
        assert abs(s.up_error - allowed[0]) < 4e-4


def test_position_first_is_continuous_where_it_begins():
    """Just inside and just outside up-first's reach the poses agree."""
    up = np.array([0.3, 0.8, 0.1])
    up /= np.linalg.norm(up)
    ray = np.array([0.5, -0.2, 0.7])
    ray /= np.linalg.norm(ray)
    inside, outside = (ray * (0.87 + gap) + 0.3 * up for gap in (-1e-12, 1e-12))
    a, b = (LEG.solve(target, up, priority="position") for target in (inside, outside))
    assert a.reached
    assert b.reached
    assert np.abs(a.joints - b.joints).max() < 1e-5  # the knee moves with the root of the gap


@pytest.mark.parametrize("bend", [1, -1])
def test_too_near_for_position_first(bend):
    """A foot longer than the leg cannot come back to the hip: the nearest point is, and the status says near."""
    leg = limbik.ThreeLink(0.2, 0.15, 0.9)
    s = leg.solve([0.1, 0, 0], [0, 1, 0], priority="position", bend=bend)
    assert s.status is Status.TOO_NEAR
    best = minimize_scalar(lambda r: abs(0.9 - r - 0.1), bounds=(0.05, 0.35), method="bounded").fun
    assert abs(s.residual - best) < 1e-5
