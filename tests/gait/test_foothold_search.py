"""Feet stand where they can: not on edges, not on steep ground, not on one another."""

import numpy as np
import pytest

from limbik.engines.stage_runner import Machine
from limbik.engines.stages import Program, Stage, While, fields_of
from limbik.gait.creature import creature
from limbik.gait.footholds import SEARCH_RADIUS
from limbik.gait.kind import layout_of
from limbik.gait.program import FIND, KEPT, PARAMETERS, SCRATCH
from limbik.gait.records import Body, Kind, Leg, LegShape
from limbik.gait.swings import begin_searches
from limbik.gait.walker import Walker
from limbik.terrains.base import Terrain
from limbik.terrains.specs import as_terrain

from .walks import ahead, journey, stepped

SEARCH = Program("find", (While(Body, "searches", (*FIND, Stage(begin_searches))),), KEPT, SCRATCH, PARAMETERS)
FAR_AWAY = 1e9
RADIUS, REACH = 0.05, 0.4


class _Found:
    """Footholds (3, n) that the first leg of n creatures finds at places (2, n), with its toes along +z.

    other: x and z of the foot of the second leg. level: that is expected, by default that of the ground there.
    """

    def __init__(self, terrain, places, heel=0.0, radius=RADIUS, other=(FAR_AWAY, FAR_AWAY), level=None):
        kind = creature("biped" if heel else "hexapod")
        machine = Machine(SEARCH, _changed(layout_of(kind), heel, radius))
        state = np.zeros((places.shape[1], machine.places.size))
        for leg in range(len(kind.legs)):
            self._of(machine, state, leg, "hold")[:] = FAR_AWAY
        self._of(machine, state, 1, "hold")[:, ::2] = np.reshape(other, (-1, 2))
        self._of(machine, state, 0, "searches")[:] = 1.0
        self._of(machine, state, 0, "new_wish")[:] = places.T
        self._of(machine, state, 0, "new_toe")[:] = 0.0, 1.0
        level = as_terrain(terrain).height(*places) if level is None else level
        self._of(machine, state, 0, "level")[:, 0] = level
        state[:, machine.places.columns(Body, "searches")] = 1.0
        machine.run(state, as_terrain(terrain).height)
        self.place, self.normal, self.toe = (
            self._of(machine, state, 0, f"found_{name}").T for name in ("place", "normal", "toe")
        )
        self.there = self._of(machine, state, 0, "there")[:, 0] > 0.5

    @staticmethod
    def _of(machine, state, leg, name):
        field = fields_of(Leg)[name]
        first = machine.places.place(Leg, leg) + field.offset
        return state[:, first : first + len(field.parts)]


def _changed(layout, heel, radius):
    """The parameters with a radius, a heel, and a length from which the reach of the search follows."""
    for kind, values in (
        (Kind, {"foot": radius, "apart": 0.1, "steepest": 1.0, "paired": 0.0}),
        (LegShape, {"heel": heel, "heeled": heel > 0.0, "length": REACH / SEARCH_RADIUS}),
    ):
        for name, value in values.items():
            layout.values[kind][:, fields_of(kind)[name].offset] = value
    return layout


def test_level_ground_is_taken_where_it_is_looked_for():
    places = np.random.default_rng(1).uniform(-3.0, 3.0, (2, 50))
    found = _Found("slope:20", places)
    assert found.there.all()
    assert np.array_equal(found.place[::2], places)
    assert np.allclose(found.place[1], as_terrain("slope:20").height(places.T))
    assert np.allclose(found.normal.T, as_terrain("slope:20").normal(places.T))
    assert np.allclose((found.normal * found.toe).sum(axis=0), 0.0) and np.allclose((found.toe**2).sum(axis=0), 1.0)


def test_an_edge_is_refused_and_the_nearest_tread_taken():
    stairs = as_terrain("stairs:rise=0.2,run=0.5,start=0")
    z = np.linspace(0.0, 2.0, 101)
    found = _Found(stairs, np.stack([0.0 * z, z]))
    into = found.place[2] % 0.5
    assert into.min() > 0.05 - 1e-9 and into.max() < 0.45 + 1e-9
    assert np.abs(found.place[2] - z).max() < 0.13


def test_ground_that_is_too_steep_is_refused():
    ridge = as_terrain(lambda x, z: np.where(np.abs(z) < 0.1, 3.0 * (0.1 - np.abs(z)), 0.0))
    z = np.linspace(-0.3, 0.3, 61)
    found = _Found(ridge, np.stack([0.0 * z, z]))
    assert np.all(found.place[1] < 1e-9)


def test_another_foot_is_not_stepped_on():
    other = np.array([0.3, 0.7])
    found = _Found("plane", np.array([[0.31], [0.69]]), other=other)
    assert 0.1 <= np.linalg.norm(found.place[::2, 0] - other) < 0.2


def test_a_foot_with_a_heel_has_both_on_the_ground():
    hills = as_terrain("hills:height=0.3,size=2")
    places = np.random.default_rng(2).uniform(-5.0, 5.0, (2, 200))
    found = _Found(hills, places, heel=0.19, radius=0.12)
    heels = found.place - 0.19 * found.toe
    assert np.abs(heels[1] - hills.height(heels[::2].T)).max() < 1e-3


def test_ground_out_of_reach_is_no_foothold():
    wall = as_terrain(lambda x, z: np.where(z > 0.5, 2.0, 0.0))
    z = np.linspace(0.0, 2.0, 81)
    found = _Found(wall, np.stack([0.0 * z, z]), level=0.0)
    assert np.abs(found.place[1, found.there]).max() < 1e-9
    assert np.array_equal(
        found.there, z < 0.5 + 0.4 - 0.05
    )  # as far as the search goes, and the foot stays off the wall


@pytest.mark.parametrize("name", ["spider", "hexapod", "quadruped"])
def test_nobody_stands_on_the_edges_of_stairs(name):
    walk = journey(name, "stairs")
    feet, around = walk.feet[walk.contacts], np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    ring = 0.4 * walk.creature.foot * np.stack([np.cos(around), np.sin(around)], axis=-1)
    heights = walk.terrain.height(feet[:, None, ::2] + ring)
    good = np.ptp(heights, axis=1) == 0.0
    assert good.mean() > 0.995


class _Counting(Terrain):
    """Level ground that counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def _content_key(self):
        return "counting"

    def _heights(self, x, z):
        self.asked += 1
        return np.zeros(x.shape)

    def _gradients(self, x, z):
        return np.zeros(x.shape), np.zeros(x.shape)


def test_the_ground_is_asked_a_few_times_a_frame_however_many_walk():
    asked = []
    for count in (1, 50):
        ground = _Counting()
        walker = Walker("hexapod", ground, count=count)
        ground.asked = 0
        stepped(walker, 1.0, lambda t, w: (ahead(w, 0.35), 0.0))
        asked.append(ground.asked / 60)
    assert asked[0] < 3.0 and asked[1] < 6.0
