"""Feet move smoothly through the air, arrive in time, and clear what lies between."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.engines.numpy_engine import evaluate
from limbik.engines.stage_runner import Machine
from limbik.engines.stages import Program, Stage, While
from limbik.gait.creature import creature
from limbik.gait.kind import layout_of
from limbik.gait.program import CLEAR, KEPT, PARAMETERS, SCRATCH
from limbik.gait.records import Body, Leg, Mixed
from limbik.gait.swings import advanced, go_round, hump, hump_rate, travel
from limbik.gait.walker import Walker
from limbik.terrains.specs import as_terrain

from .walks import PRESETS, journey

ZERO = np.zeros(1)


class _Course:
    """A number that moves to a goal."""

    def __init__(self):
        self.goal, self.now = 0.0, (ZERO, ZERO, ZERO)

    def advance(self, swing, step):
        value, rate, force = ((one,) for one in self.now)
        goal, swing, step = ((np.full(1, one),) for one in (self.goal, swing, step))
        self.now = evaluate(_advanced, step=step, swing=swing, value=value, goal=goal, rate=rate, force=force)


def _advanced(step, swing, value, goal, rate, force):
    return advanced(step[0], swing[0], value[0], goal[0], rate[0], force[0])


def _curves(swing):
    part = travel(swing[0])
    return part, hump(part), hump_rate(swing[0])


def _at(swing):
    """Travel, hump and its rate after a fraction of the swing."""
    return evaluate(_curves, swing=(np.asarray(swing, float),))


@given(st.lists(st.tuples(st.floats(0.01, 0.2), st.floats(-1, 1)), min_size=2, max_size=12))
def test_a_course_arrives_at_its_last_goal_at_rest_however_often_that_changed(steps):
    course, swing = _Course(), 0.0
    for step, goal in steps:
        if swing + step >= 1.0:
            break
        course.goal = goal
        course.advance(swing, step)
        swing += step
    course.advance(swing, 1.0 - swing)
    assert course.now[0] == course.goal and abs(course.now[1].item()) < 1e-9


@given(st.lists(st.floats(0.01, 0.3), min_size=1, max_size=10))
def test_a_course_does_not_depend_on_the_steps_that_are_taken(steps):
    course, swing = _Course(), 0.0
    course.goal = 2.0
    for step in steps:
        taken = min(step, 1.0 - swing)
        course.advance(swing, taken)
        swing += taken
        assert course.now[0].item() == pytest.approx(2.0 * _at(swing)[0], abs=1e-9)


def test_a_course_is_smooth_where_its_goal_jumps():
    course, places = _Course(), []
    for k in range(1000):
        course.goal = 1.0 if k < 400 else -0.5
        course.advance(k / 1000, 0.001)
        places.append(course.now[0].item())
    speed = np.diff(places) * 1000
    assert np.abs(np.diff(speed)).max() < 0.1  # no jump of the speed: with finer steps it is less
    assert abs(speed[0]) < 0.1 and abs(speed[-1]) < 0.1


@given(st.floats(0.001, 0.999))
def test_the_rate_of_the_hump_is_its_derivative(swing):
    step = 1e-6
    found = (_at(swing + step)[1] - _at(swing - step)[1]) / (2 * step)
    assert _at(swing)[2] == pytest.approx(found, abs=2e-4)


CLEARING = Program("clear", (Stage(go_round), While(Body, "arches", CLEAR)), KEPT, SCRATCH, PARAMETERS)


@given(st.floats(-0.25, 0.25), st.floats(0.2, 0.8), st.floats(0.1, 0.9))
def test_arcs_clear_a_step_up_or_down(rise, length, edge):
    ground = as_terrain(f"stairs:rise={rise!r},run=10,start={edge * length!r},steps=1" if rise else "plane")
    machine = Machine(CLEARING, layout_of(creature("hexapod")))
    state = np.zeros((1, machine.places.size))
    state[:, machine.places.columns(Mixed, "lift")] = 0.05
    state[:, machine.places.columns(Leg, "searches")] = 1.0
    goal = 0.0, float(ground.height((0.0, length))), length
    state[:, machine.places.columns(Leg, "found_place")] = goal
    machine.run(state, ground.height)
    lift = state[0, machine.places.columns(Leg, "needed")].item()
    part, humps, _ = _at(np.linspace(0.0, 1.0, 400))
    height = goal[1] * part + lift * humps
    assert np.all(height >= ground.height(np.stack([0.0 * part, part * length], axis=-1)) - 1e-12)
    assert lift <= 0.05 + 2.0 * abs(rise) / (2.0 * np.sqrt(edge * (1.0 - edge)))


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
        state = walker.state
        nearest = min(nearest, (np.linalg.norm(state.tips - state.hips, axis=0)[:, 0] / lengths).min())
    assert 0.35 < nearest < 0.5  # some foot comes as near as it may
