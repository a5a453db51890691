"""Feet move smoothly through the air, arrive in time, and clear what lies between."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.gait.creature import creature
from limbik.gait.swing_arcs import Course, hump, hump_rate, lift_needed, travel
from limbik.gait.walker import Walker
from limbik.terrains.specs import as_terrain

from .walks import PRESETS, journey


@given(st.lists(st.tuples(st.floats(0.01, 0.2), st.floats(-1, 1)), min_size=2, max_size=12))
def test_a_course_arrives_at_its_last_goal_at_rest_however_often_that_changed(steps):
    course = Course(np.zeros((1, 1)))
    swing = 0.0
    for step, goal in steps:
        if swing + step >= 1.0:
            break
        course.goal[:] = goal
        course.advance(np.full((1, 1), swing), np.full((1, 1), step))
        swing += step
    course.advance(np.full((1, 1), swing), np.full((1, 1), 1.0 - swing))
    assert course.now == course.goal and abs(course.rate.item()) < 1e-9


@given(st.lists(st.floats(0.01, 0.3), min_size=1, max_size=10))
def test_a_course_does_not_depend_on_the_steps_that_are_taken(steps):
    course = Course(np.zeros((1, 1)))
    course.goal[:] = 2.0
    swing = 0.0
    for step in steps:
        taken = min(step, 1.0 - swing)
        course.advance(np.full((1, 1), swing), np.full((1, 1), taken))
        swing += taken
        assert course.now.item() == pytest.approx(2.0 * travel(swing), abs=1e-9)


def test_a_course_is_smooth_where_its_goal_jumps():
    course, places = Course(np.zeros((1, 1))), []
    for k in range(1000):
        course.goal[:] = 1.0 if k < 400 else -0.5
        course.advance(np.full((1, 1), k / 1000), np.full((1, 1), 0.001))
        places.append(course.now.item())
    speed = np.diff(places) * 1000
    assert np.abs(np.diff(speed)).max() < 0.1  # no jump of the speed: with finer steps it is less
    assert abs(speed[0]) < 0.1 and abs(speed[-1]) < 0.1


@given(st.floats(0.001, 0.999))
def test_the_rate_of_the_hump_is_its_derivative(swing):
    step = 1e-6
    found = (hump(travel(np.array(swing + step))) - hump(travel(np.array(swing - step)))) / (2 * step)
    assert hump_rate(np.array(swing)) == pytest.approx(found, abs=2e-4)


@given(st.floats(-0.25, 0.25), st.floats(0.2, 0.8), st.floats(0.1, 0.9))
def test_arcs_clear_a_step_up_or_down(rise, length, edge):
    ground = as_terrain(f"stairs:rise={rise!r},run=10,start={edge * length!r},steps=1" if rise else "plane")
    start, goal = np.zeros((3, 1)), np.array([[0.0], [ground.height((0.0, length))], [length]])
    lift = lift_needed(ground, start, goal, None, np.zeros(1), np.full(1, 0.05), None)
    part = travel(np.linspace(0.0, 1.0, 400))
    height = goal[1] * part + lift * hump(part)
    assert np.all(height >= ground.height(np.stack([0.0 * part, part * length], axis=-1)) - 1e-12)
    assert lift[0] <= 0.05 + 2.0 * abs(rise) / hump(min(edge, 1.0 - edge))


@pytest.mark.parametrize("name", PRESETS)
def test_feet_touch_down_and_lift_off_gently(name):
    """The first and the last frame in the air are slow beside the fastest."""
    walk = journey(name, "plane")
    speed = np.linalg.norm(np.diff(walk.tips[300:, 0], axis=0), axis=-1) * walk.fps
    standing = walk.contacts[300:, 0, : walk.legs]
    leaves, lands = standing[:-1] & ~standing[1:], ~standing[:-1] & standing[1:]
    assert speed[leaves].mean() < 0.3 * speed.max()
    assert speed[lands].mean() < 0.3 * speed.max()


@pytest.mark.parametrize("name", PRESETS)
def test_a_foot_that_is_lifted_high_stays_clear_of_its_hip(name):
    """By more than a third of the leg: nearer, the knee would fold altogether."""
    kind = creature(name)
    kind = dataclasses.replace(kind, gaits=tuple(dataclasses.replace(gait, lift=0.9) for gait in kind.gaits))
    walker = Walker(kind, seed=1)
    lengths = np.array([sum(leg.lengths) for leg in kind.legs])
    nearest = np.inf
    for _ in range(60):
        walker.step(1.0 / 60.0, (0.0, 0.5))
        state = walker._crowd.state
        nearest = min(nearest, (np.linalg.norm(state.tips - state.hips, axis=0)[:, 0] / lengths).min())
    assert 0.35 < nearest < 0.5  # some foot comes as near as it may
