"""Statuses where a few roundings decide: what is missed by more than they can explain is not reached."""

import numpy as np
import pytest

import limbik
from limbik.limbs.status import Status

EPSILON = np.finfo(float).eps
SPATIAL = {
    "two links": limbik.TwoLink(0.45, 0.42),
    "three links": limbik.ThreeLink(0.45, 0.42, 0.12),
    "in the plane": limbik.PlanarTwoLink(0.45, 0.42),
    "a chain": limbik.NLink([0.45, 0.42, 0.3, 0.2]),
}


def solved(limb, distance, origin=0.0):
    """A target so far along x, and that distance as rounding leaves it, from an origin on the same line."""
    size = 2 if isinstance(limb, limbik.PlanarTwoLink) else 3
    along = np.eye(size)[0]
    given = ([1.0, 0.0, 0.0],) if isinstance(limb, limbik.ThreeLink) else ()
    return limb.solve(along * (origin + distance), *given, origin=along * origin)


@pytest.mark.parametrize("limb", SPATIAL.values(), ids=SPATIAL)
def test_a_reach_beyond_rounding_is_too_far(limb):
    """The slack is 16 roundings of the reach here: 8 of the links, 8 of the target."""
    reach = float(limb.reach)
    for roundings, status in ((0, Status.REACHED), (8, Status.REACHED), (24, Status.TOO_FAR), (1000, Status.TOO_FAR)):
        found = solved(limb, reach * (1.0 + roundings * EPSILON))
        assert found.status == status, roundings
        assert found.residual <= 1.1 * roundings * EPSILON * reach + EPSILON


@pytest.mark.parametrize("limb", SPATIAL.values(), ids=SPATIAL)
def test_the_slack_grows_with_the_distance_from_the_world_s_origin(limb):
    """8 roundings of the target's coordinates, and as many of the limb's origin."""
    reach, origin = float(limb.reach), 1e6
    assert solved(limb, reach + 8.0 * EPSILON * origin, origin).status == Status.REACHED
    assert solved(limb, reach + 32.0 * EPSILON * origin, origin).status == Status.TOO_FAR


@pytest.mark.parametrize("limb", [limb for name, limb in SPATIAL.items() if name in ("two links", "in the plane")])
def test_within_the_shortest_reach_is_too_near(limb):
    first, second = 0.45, 0.42
    least = first - second
    assert solved(limb, least).status == Status.REACHED
    assert solved(limb, least - 4.0 * EPSILON).status == Status.REACHED
    assert solved(limb, least - 40.0 * EPSILON).status == Status.TOO_NEAR


@pytest.mark.parametrize("kind", [limbik.TwoLink, limbik.PlanarTwoLink])
def test_limits_tell_limited_from_too_far_and_too_near(kind):
    """A target that the links reach but the limits do not is LIMITED; what neither reaches is too far or too near."""
    limb = kind(0.45, 0.42, middle_limits=(np.radians(10.0), np.radians(120.0)))
    longest = np.sqrt(0.45**2 + 0.42**2 - 2 * 0.45 * 0.42 * np.cos(np.radians(170.0)))
    shortest = np.sqrt(0.45**2 + 0.42**2 - 2 * 0.45 * 0.42 * np.cos(np.radians(60.0)))
    for distance, status in (
        (longest * (1.0 - 1e-14), Status.REACHED),
        (longest * (1.0 + 1e-13), Status.LIMITED),
        (0.87, Status.LIMITED),
        (0.87 * (1.0 + 64 * EPSILON), Status.TOO_FAR),
        (shortest * (1.0 + 1e-14), Status.REACHED),
        (shortest * (1.0 - 1e-13), Status.LIMITED),
        (0.03, Status.LIMITED),
        (0.03 - 64 * EPSILON, Status.TOO_NEAR),
    ):
        assert solved(limb, distance).status == status, distance
