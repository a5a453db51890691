"""What gives way when position and direction cannot both be had."""

import mpmath
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


SHORT = [(1e-3, 1e-3, 1.0), (1e-6, 1e-6, 1.0), (1e-5, 1e-3, 1.0), (1e-9, 1e-8, 1.0), (2e-3, 1e-3, 5.0)]
OTHERS = [(1e-3, 0.5, 0.4), (0.5, 1e-4, 0.3), (1e-5, 0.5, 0.5), (0.4, 0.3, 1e-5), (1e-3, 1.0, 1e-3), (0.45, 0.42, 0.12)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("lengths", SHORT + OTHERS, ids=str)
def test_position_first_is_exact_whatever_the_links(lengths, dtype):
    """Against the same triangle with 60 digits: tip, status, and where the ankle lies."""
    epsilon = float(np.finfo(dtype).eps)
    first, second, last = (mpmath.mpf(length) for length in lengths)
    reach = sum(lengths)
    near, far = float(max(2 * max(lengths) - reach, 0)), reach
    margin = 64 * epsilon * reach
    rng = np.random.default_rng(11)
    distance = near + margin + max(far - near - 2 * margin, 0) * np.append(rng.random((200, 1)), [[0.0], [1.0]], 0)
    target, up = (reference.random_directions(rng, 202) * one for one in (distance, 1.0))
    target, up = target.astype(dtype), up.astype(dtype)
    s = limbik.ThreeLink(*lengths).solve(target, up, priority="position")
    inside = (distance[:, 0] >= near + margin) & (distance[:, 0] <= far - margin)
    assert np.all(s.status[inside] == Status.REACHED)
    assert s.residual[inside].max(initial=0.0) < 4 * epsilon * reach
    with mpmath.workdps(60):
        for k in np.flatnonzero(inside)[:40]:
            goal, wanted = (mpmath.matrix(one[k].tolist()) for one in (target, up))
            wanted /= mpmath.norm(wanted)
            size = mpmath.norm(goal)
            onward = goal / size
            held = min(max(mpmath.norm(goal - last * wanted), abs(first - second)), first + second)
            cosine = (size**2 + last**2 - held**2) / (2 * size * last)
            cosine = min(max(cosine, -1), 1)
            side = wanted - (wanted.T * onward)[0] * onward
            side /= mpmath.norm(side)
            beside = last * mpmath.sqrt((1 - cosine) * (1 + cosine))
            ankle = goal - last * cosine * onward - beside * side
            error = mpmath.norm(ankle - mpmath.matrix(s.joints[k, 2].astype(float).tolist()))
            # Near the edge of its circle the ankle moves with the root of what is rounded.
            assert error < 16 * epsilon * reach * (1 + reach / max(float(beside), reach * epsilon**0.5))


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
