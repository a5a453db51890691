"""Fast enough for a game, one or a thousand. The least of many times is taken: a busy machine must not fail it."""

import time

import numpy as np
import pytest

from limbik.gait.walker import Walker


def _least(walker, steps, speed):
    walker.step(1 / 60, (0.0, speed))
    walker.pose
    best = np.inf
    for _ in range(steps):
        start = time.perf_counter()
        walker.step(1 / 60, (0.0, speed))
        walker.pose
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.parametrize(("name", "speed"), [("hexapod", 0.35), ("spider", 0.45), ("quadruped", 0.8), ("biped", 1.2)])
def test_a_step_of_one_creature_takes_less_than_half_a_millisecond(name, speed):
    walker = Walker(name, "plane")
    best = np.inf
    for _ in range(300):
        start = time.perf_counter()
        walker.step(1 / 60, (0.0, speed))
        best = min(best, time.perf_counter() - start)
    assert best < 0.5e-3


def test_a_thousand_hexapods_walk_sixty_frames_a_second():
    assert _least(Walker("hexapod", "hills", 1000), 20, 0.35) < 1 / 60


def test_many_cost_no_more_each_than_a_hundred():
    few, many = (_least(Walker("hexapod", "hills", count), 12, 0.35) / count for count in (100, 3000))
    assert many < 1.3 * few
