"""Hostile inputs: no warning (pytest makes them errors), no NaN but in INVALID rows, neighbours untouched."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik
from limbik import Status
from tests import reference
from tests.limbs.engines_under_test import ENGINES, run
from tests.thoroughness import THOROUGH

ORDINARY = [0.0, -0.0, 0.3, -0.5, 1.0]
HOSTILE = [5e-324, -5e-324, 1e-310, 1e-160, 1e160, -1e300, 1e300, 1.7e308]
NOT_NUMBERS = [np.nan, np.inf, -np.inf]


def rows_of(rng, count, pool, size=3):
    return rng.choice(pool, (count, size))


LIMBS = {
    "planar": (limbik.PlanarTwoLink, (0.5, 0.4), {"target": 2, "origin": 2}),
    "planar equal": (limbik.PlanarTwoLink, (0.5, 0.5), {"target": 2, "origin": 2}),
    "two": (limbik.TwoLink, (0.45, 0.42), {"target": 3, "pole": 3, "origin": 3}),
    "two equal": (limbik.TwoLink, (0.45, 0.45), {"target": 3, "pole": 3, "origin": 3}),
    "two unequal": (limbik.TwoLink, (1e-6, 1.0), {"target": 3, "pole": 3, "origin": 3}),
    "two tiny": (limbik.TwoLink, (1e-310, 2e-310), {"target": 3, "pole": 3, "origin": 3}),
    "two huge": (limbik.TwoLink, (1e300, 2e300), {"target": 3, "pole": 3, "origin": 3}),
    "leg": (limbik.ThreeLink, (0.45, 0.42, 0.12), {"target": 3, "up": 3, "origin": 3}),
    "leg equal": (limbik.ThreeLink, (0.45, 0.45, 0.45), {"target": 3, "up": 3, "origin": 3}),
    "leg unequal": (limbik.ThreeLink, (1.0, 1e-6, 1e-6), {"target": 3, "up": 3, "origin": 3}),
    "leg long foot": (limbik.ThreeLink, (1e-6, 1e-6, 1.0), {"target": 3, "up": 3, "origin": 3}),
}
OPTIONS = {
    "leg": [
        {"style": style, "priority": priority, "hint": hint}
        for style, priority, hint in itertools.product(("natural", "easy"), ("up", "position"), (None, (0.0, 0.0, 0.0)))
    ],
    "two": [{}, {"soften": 0.9}, {"stretch": 1.2}, {"soften": 0.9, "stretch": 1.2, "twist": 0.3}],
}
OPTIONS_APART = [{}, {"style": "easy"}, {"priority": "position"}, {"hint": (0.0, 0.0, 0.0)}]


def check_no_nan(s, invalid):
    """NaN in invalid rows, and nowhere else; every status honest about which."""
    assert np.array_equal(np.asarray(s.status) == Status.INVALID, invalid)
    for name in ("joints", "angles", "rotations", "residual", "up_error", "out_of_plane", "stretch"):
        try:
            values = np.asarray(getattr(s, name))
        except AttributeError:
            continue
        bad = np.isnan(values).reshape(len(invalid), -1)
        assert np.array_equal(bad.any(1), invalid), name
        assert np.array_equal(bad.all(1), invalid), name
    assert not np.any(np.asarray(s.reached)[invalid])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", LIMBS)
def test_hostile_numbers_give_honest_answers(kind, engine):
    limb_type, lengths, groups = LIMBS[kind]
    rng = np.random.default_rng(7)
    count = 60 if engine == "floats" else 400
    arrays = {name: rows_of(rng, count, ORDINARY + HOSTILE, size) for name, size in groups.items()}
    with np.errstate(over="ignore"):
        beyond = ~np.isfinite(arrays["target"] - arrays["origin"]).all(1)
    # Each set of options is a kernel to compile for each answer.
    brief = kind == "leg" and engine == "numba" and not THOROUGH
    for options in OPTIONS_APART if brief else OPTIONS.get(kind, [{}]):
        s = run(engine, limb_type(*lengths).solve, "float64", arrays, **options)
        check_no_nan(s, beyond)


@pytest.mark.parametrize("engine", ["numpy", "numba"])
@pytest.mark.parametrize("kind", [kind for kind in LIMBS if "tiny" not in kind and "huge" not in kind])
def test_hostile_float32(kind, engine):
    limb_type, lengths, groups = LIMBS[kind]
    rng = np.random.default_rng(8)
    pool = [*ORDINARY, 1e-45, 1e-40, 1e-20, 1e20, -3e38]
    arrays = {name: rows_of(rng, 400, pool, size).astype("float32") for name, size in groups.items()}
    with np.errstate(over="ignore"):
        beyond = ~np.isfinite(arrays["target"] - arrays["origin"]).all(1)
    s = run(engine, limb_type(*lengths).solve, "float32", arrays)
    check_no_nan(s, beyond)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", LIMBS)
def test_bad_rows_leave_their_neighbours_alone(kind, engine):
    limb_type, lengths, groups = LIMBS[kind]
    rng = np.random.default_rng(9)
    clean = {name: rng.uniform(-0.6, 0.6, (60, size)) for name, size in groups.items()}
    spoiled = {name: value.copy() for name, value in clean.items()}
    invalid = np.zeros(60, bool)
    for row in (0, 7, 31, 59):
        name = list(groups)[row % len(groups)]
        spoiled[name][row, rng.integers(groups[name])] = NOT_NUMBERS[row % 3]
        invalid[row] = True
    limb = limb_type(*lengths)
    before = run(engine, limb.solve, "float64", clean)
    after = run(engine, limb.solve, "float64", spoiled)
    check_no_nan(after, invalid)
    for name in ("joints", "angles", "residual", "status"):
        assert np.array_equal(getattr(before, name)[~invalid], getattr(after, name)[~invalid])


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_on_hostile_rows(engine):
    rng = np.random.default_rng(10)
    arrays = {name: rows_of(rng, 300, ORDINARY + HOSTILE + NOT_NUMBERS) for name in ("target", "up", "hint")}
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    a = run("numpy", leg.solve, "float64", arrays)
    b = run(engine, leg.solve, "float64", arrays)
    for name in ("joints", "rotations", "residual", "status", "singular"):
        assert np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True), name
    assert np.allclose(a.angles, b.angles, rtol=0, atol=4e-15, equal_nan=True)


@pytest.mark.parametrize("lengths", [(0.45, 0.42, 0.12), (0.5, 0.5, 0.2)])
@pytest.mark.parametrize("style", ["natural", "easy"])
@pytest.mark.parametrize("priority", ["up", "position"])
@pytest.mark.parametrize(
    ("target", "up"),
    [
        ((0, 0, 0), (0, 1, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((0, 0.12, 0), (0, 1, 0)),  # ankle on the origin
        ((0, 0.2, 0), (0, 1, 0)),
        ((0, -0.6, 0), (0, -1, 0)),  # up along the aim
        ((0, -0.6, 0), (0, 1, 0)),
        ((0.3, 0.4, 0.1), (0.3, 0.4, 0.1)),
        ((0.3, 0.4, 0.1), (0, 0, 0)),
        ((9, 9, 9), (1, 0, 0)),
        ((0, 5e-324, 0), (5e-324, 0, 0)),
    ],
)
def test_degenerate_legs_keep_their_lengths(lengths, style, priority, target, up):
    s = limbik.ThreeLink(*lengths).solve(target, up, style=style, priority=priority)
    assert np.all(np.isfinite(s.joints))
    assert np.abs(reference.link_lengths(s.joints) - lengths).max() < 1e-15
    assert np.abs(np.linalg.norm(s.rotations, axis=-1) - 1).max() < 1e-15
    assert abs(s.residual - np.linalg.norm(s.joints[3] - target)) < 1e-15
    ahead = reference.turn(s.rotations, [0, 0, 1.0])
    assert np.abs(ahead * np.array(lengths)[:, None] - np.diff(s.joints, axis=0)).max() < 1e-15


@given(
    target=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    up=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    ratio=st.floats(1e-6, 1e6),
    bend=st.sampled_from([1, -1]),
    style=st.sampled_from(["natural", "easy"]),
    priority=st.sampled_from(["up", "position"]),
)
def test_any_finite_leg_is_a_leg(target, up, ratio, bend, style, priority):
    lengths = (1.0, ratio, 0.5)
    leg = limbik.ThreeLink(*lengths)
    s = leg.solve(target, up, bend=bend, style=style, priority=priority)
    near = 1e-12 * leg.reach
    assert np.abs(reference.link_lengths(s.joints) - lengths).max() < near
    if s.reached:
        assert math.dist(s.joints[3], target) <= near
    else:
        assert s.residual > 0
    if priority == "up" and math.hypot(*up) > 0:
        assert s.up_error < 1e-12
    assert np.abs(leg.forward(s.angles, out_of_plane=s.out_of_plane) - s.joints).max() < near


@given(
    target=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    pole=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    ratio=st.floats(1e-6, 1e6),
    soften=st.floats(0.01, 1),
    stretch=st.floats(1, 3),
)
def test_any_finite_arm_is_an_arm(target, pole, ratio, soften, stretch):
    lengths = np.array([1.0, ratio])
    limb = limbik.TwoLink(*lengths)
    s = limb.solve(target, pole, soften=soften, stretch=stretch)
    near = 1e-12 * limb.reach
    assert 1 <= s.stretch <= stretch
    assert np.abs(reference.link_lengths(s.joints) - lengths * s.stretch).max() < near * stretch
    assert np.linalg.norm(s.joints[2]) <= (math.hypot(*target) + abs(1 - ratio)) * (1 + 1e-12)


@pytest.mark.parametrize("distance", [0.87, 0.03])
def test_a_target_exactly_at_the_limit_is_reached(distance):
    """0.45 + 0.42 and 0.45 − 0.42 in floating point are full stretch and full fold, whatever their last bit."""
    for direction in reference.random_directions(np.random.default_rng(1), 200):
        assert limbik.TwoLink(0.45, 0.42).solve(direction * distance).reached


def test_status_is_honest_about_near_misses():
    limb = limbik.TwoLink(0.45, 0.42)
    assert limb.solve([0.87 + 1e-9, 0, 0]).status is Status.TOO_FAR
    assert limb.solve([0.03 - 1e-9, 0, 0]).status is Status.TOO_NEAR
    assert abs(limb.solve([1.0, 0, 0]).residual - 0.13) < 1e-15
    assert limb.solve([np.nan, 0, 0]).status is Status.INVALID


def test_a_target_that_is_next_to_nothing_beside_the_limb_folds_it():
    """The distance over the length is below the smallest number there is."""
    arm = limbik.PlanarTwoLink(1e300, 1e300)
    for target in ([1e-130, 0.0], [[1e-130, 0.0]] * 3):
        joints = np.asarray(arm.solve(target).joints).reshape(-1, 3, 2)
        assert np.isfinite(joints).all()
        assert np.hypot(*joints[:, 1].T) == pytest.approx(1e300)
    s = limbik.TwoLink(1e300, 1e300).solve([1e-130, 0.0, 0.0], stretch=2.0)
    assert np.isfinite(s.joints).all()
