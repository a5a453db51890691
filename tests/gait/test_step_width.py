"""Legs of a pair stay beside each other, in turns too; and what a walker says of the way of a foot is its way."""

import numpy as np
import pytest

from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from limbik.terrains.function_terrain import Function

from .stresses import COMMANDS, depth, jump
from .walks import FPS, ahead, stepped


def _between(walked):
    """The least distance of the axes of the legs of a pair, from the knees down, metres."""
    found, parts = np.inf, np.linspace(0.0, 1.0, 7)[:, None]
    for k in range(0, walked.legs, 2):
        lines = []
        for leg in (k, k + 1):
            chain = walked.joints[:, 0, walked.layout.chains[leg]]
            lines.append(chain[:, 1:-1, None] + (chain[:, 2:] - chain[:, 1:-1])[:, :, None] * parts)
        left, right = (line.reshape(len(line), -1, 1, 3) for line in lines)
        found = min(found, np.linalg.norm(left - right.swapaxes(1, 2), axis=-1).min())
    return found


def _pivot(t, walker):
    return np.zeros(2), 120.0


def _sideways(t, walker):
    return (0.4 * walker.creature.cruise * (1.0 if t % 4.0 < 2.0 else -1.0), 0.0), 0.0


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("command", [COMMANDS["nervous"], _pivot, _sideways], ids=["nervous", "pivot", "sideways"])
@pytest.mark.parametrize(("name", "least"), [("biped", 0.05), ("quadruped", 0.03)])
def test_legs_of_a_pair_do_not_cross_in_turns(name, least, command, seed):
    walked = stepped(Walker(name, seed=seed), 8.0, command)
    assert _between(walked) > least


def test_knees_of_a_galloping_quadruped_keep_apart():
    walked = stepped(Walker("quadruped"), 5.0, lambda t, w: ((0.0, w.fastest), 0.0))
    assert _between(walked) > 0.1


def test_a_foot_goes_the_way_that_arcs_tell():
    """While no goal changes, tips stay on the predicted path, also where it leads round the other leg."""
    walker, told, bowed = Walker("biped"), {}, 0.0
    for _ in range(600):
        walker.step(1.0 / FPS, (0.0, 0.0), turn_degrees=100.0)
        arcs, holds, tips = walker.arcs(60)[0], walker.footholds[0], walker.state.tips[..., 0].T
        for leg in np.flatnonzero(~walker.state.planted[:, 0]):
            if leg in told and np.array_equal(told[leg][1], holds[leg]):
                path = told[leg][0][:, ::2]
                assert np.linalg.norm(path - tips[leg, ::2], axis=-1).min() < 0.01
                way = path[-1] - path[0]
                aside = path - path[0]
                bowed = max(bowed, np.abs(aside[:, 0] * way[1] - aside[:, 1] * way[0]).max() / np.linalg.norm(way))
            else:
                told[leg] = arcs[leg], holds[leg]
        told = {leg: one for leg, one in told.items() if not walker.state.planted[leg, 0]}
    assert bowed > 0.02


def test_a_foot_does_not_go_round_the_other_leg_through_a_wall():
    wall = Function(lambda x, z: np.where(z + 2.0 * x > 3.1, 2.0, 0.0))
    walked = stepped(Walker("biped", wall), 13.0, lambda t, w: ((0.0, 1.3), 0.0))
    assert depth(walked) < 1e-3 and jump(walked) < 0.2


@pytest.mark.parametrize(("seed", "speed", "size", "fps"), [(2, 0.57, 1.17, 144.0), (3, 0.66, 1.014, 60.0)])
def test_feet_that_are_late_do_not_jump(seed, speed, size, fps):
    """Steps down, at less than the usual speed, where feet wait for footholds and heels rise late."""
    told = speed * creature("biped").cruise
    step = Function(lambda x, z: np.where(z > 3.0 * size, -0.2 * size, 0.0))
    walked = stepped(Walker("biped", step, seed=seed), 7.0, lambda t, w: ((0.0, told), 0.0), fps)
    plain = stepped(Walker("biped"), 5.0, lambda t, w: ((0.0, told), 0.0), fps)
    assert jump(walked) < 1.5 * jump(plain)
    assert walked.walker.places[0, 2] > 4.0


def test_a_foot_on_a_slope_finds_its_next_foothold():
    """Heels are uphill of tips on the way down: that is no obstacle."""
    walked = stepped(
        Walker("biped", "hills:height=0.342,seed=10", seed=1), 16.0, lambda t, w: (ahead(w, 0.76 * 1.3), 0.0), 30.0
    )
    hips = walked.states.hips[1].reshape(2, -1).mean(axis=0) - walked.terrain.height(walked.tips[:, 0, :, ::2]).mean(1)
    assert hips.min() > 0.7 * hips[0] and walked.walker.places[0, 2] > 8.0
