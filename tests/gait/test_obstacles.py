"""What is in the way: creatures step over it, go along it, or stop and say so. Nothing jumps, nothing sinks in."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from limbik.gait.walking import walk
from limbik.terrains.function_terrain import Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.mesh_terrain import Mesh
from tests.thoroughness import some

from .stresses import COMMANDS, GROUNDS, commanded, depth, jump, leg, onward, over_ground, plain, stress_ground
from .walks import PRESETS, stepped

SECONDS = 6.0  # docs/creature_numbers.py does the same for 30 seconds
STOPS = ("wall", "thin_wall", "gap", "ledge_up", "ledge_down", "hole", "island", "stairs_twice_its_height")
PASSES = ("narrow_gap", "slits", "step_up", "step_down", "rubble")


def _sound(walked, speed, stress):
    name = walked.creature.name
    assert jump(walked) < 1.5 * plain(name, speed), stress
    assert depth(walked) < 1e-3, stress
    assert walked.slide < 1e-6, stress


@pytest.mark.parametrize(("name", "kind"), some(product(PRESETS, ("wall", "ledge_down")), 3))
def test_what_cannot_be_crossed_stops_a_creature_before_it(name, kind):
    walked = over_ground(name, kind, SECONDS)
    _sound(walked, creature(name).cruise, kind)
    assert walked.walker.blocked.all()
    assert np.abs(walked.tips[..., 1]).max() < creature(name).gaits[-1].lift + 0.5 * leg(name)
    speed = np.linalg.norm(np.diff(walked.joints[-30:, 0, 0], axis=0), axis=-1) * walked.fps
    assert np.median(speed) < 0.1 * creature(name).cruise


@pytest.mark.parametrize(("name", "kind"), some(product(PRESETS, ("narrow_gap", "step_down")), 3))
def test_what_can_be_crossed_is_crossed(name, kind):
    walked = over_ground(name, kind, SECONDS)
    _sound(walked, creature(name).cruise, kind)
    assert not walked.walker.blocked.any()
    far = walked.walker.places[0, 2]
    assert far > min(0.7 * SECONDS * creature(name).cruise, 5.0 * leg(name))


def _stairs(rise, run, sign):
    return Function(lambda x, z: sign * rise * np.maximum(np.floor((z - 0.6) / run) + 1.0, 0.0))


FLIGHTS = list(product((0.10, 0.17, 0.20), (0.25, 0.29, 0.40), (0.6, 1.3), (-1.0, 1.0)))


@pytest.mark.parametrize(("rise", "run", "speed", "sign"), some(FLIGHTS, 3))
def test_people_go_up_and_down_the_stairs_that_people_build(rise, run, speed, sign):
    walked = stepped(Walker("biped", _stairs(rise, run, sign)), 8.0, lambda t, w: ((0.0, speed), 0.0))
    _sound(walked, speed, (rise, run, sign))
    assert not walked.walker.blocked.any()
    way = walked.joints[-1, 0, 0] - walked.joints[120, 0, 0]
    assert np.hypot(way[1], way[2]) > 0.7 * 6.0 * speed
    names = walked.clip.skeleton.names
    for side in ("left", "right"):
        hips, tips = (walked.joints[:, 0, names.index(f"{side}_leg_{end}")] for end in ("hip", "tip"))
        down, across = hips[:, 1] - tips[:, 1], np.hypot(*(hips - tips)[:, ::2].T)
        assert np.degrees(np.arctan2(down, across)).min() > 35.0  # nobody does the splits


@pytest.mark.parametrize("kind", some([kind for kind in GROUNDS if kind != "pole"], 2))
def test_nothing_jumps_whatever_is_in_the_way(kind):
    walked = over_ground("hexapod", kind, SECONDS)
    _sound(walked, creature("hexapod").cruise, kind)
    if kind in STOPS + PASSES:
        assert walked.walker.blocked.all() == (kind in STOPS)


@pytest.mark.parametrize("name", ["hexapod", "biped"])
def test_a_creature_goes_along_a_wall_that_it_meets_at_an_angle(name):
    walked = over_ground(name, "oblique_wall", SECONDS)
    _sound(walked, creature(name).cruise, "oblique_wall")
    x, _, z = walked.walker.places[0]
    assert not walked.walker.blocked.any() and z > 3.5 * leg(name) and x < -0.2 * leg(name)


@pytest.mark.parametrize(("name", "kind"), some(product(PRESETS, ("restart", "reversal")), 3))
def test_nothing_jumps_whatever_is_asked(name, kind):
    walked = commanded(name, kind, seconds=SECONDS)
    _sound(walked, creature(name).cruise if kind == "restart" else creature(name).speed, kind)
    if kind == "restart":
        assert walked.joints[:, 0, 0, 1].min() > 0.9 * creature(name).height


def test_the_top_speed_backwards_is_lower_and_the_body_stays_up():
    walked = stepped(Walker("biped"), 5.0, lambda t, w: ((0.0, w.fastest if t < 2.5 else -w.fastest), 0.0))
    assert walked.walker.velocities[0, 1] == pytest.approx(-0.6 * walked.walker.fastest, rel=0.03)
    assert walked.joints[:, 0, 0, 1].min() > 0.8 * creature("biped").height


def test_every_kind_of_stress_is_known():
    assert set(STOPS + PASSES) < set(GROUNDS) and len(COMMANDS) == 4


def test_a_creature_that_can_go_nowhere_says_so_and_hangs_on():
    walked = stepped(Walker("hexapod", stress_ground("pole", "hexapod")), 2.0, onward)
    assert walked.walker.blocked.all()
    assert np.abs(walked.joints[-1, 0, 0] - walked.joints[0, 0, 0]).max() < 0.1 * creature("hexapod").height


def test_blocked_is_told_for_each_of_a_crowd_and_ends_when_it_turns_away():
    wall = stress_ground("wall", "hexapod")
    walker = Walker("hexapod", wall, count=2, at=(0.0, 0.0))
    for _ in range(360):
        walker.step(1 / 60, [(0.0, 0.35), (0.0, -0.35)], turn_degrees=0.0)
    assert walker.blocked.tolist() == [True, False]
    for _ in range(60):
        walker.step(1 / 60, (0.0, -0.35), turn_degrees=0.0)
    assert not walker.blocked.any()


def test_a_walk_along_a_path_ends_where_the_way_is_blocked():
    clip = walk("hexapod", stress_ground("wall", "hexapod"), path=[(0.0, 0.0), (0.0, 4.0)], fps=30.0)
    assert clip.duration < 10.0 and clip.translations[-1, 0, 2] < 3.0 * leg("hexapod")


@pytest.mark.parametrize(("name", "degrees"), [("biped", 20.0), ("quadruped", 35.0), ("hexapod", 35.0)])
def test_speed_is_measured_along_the_ground_and_lower_uphill(name, degrees):
    told = creature(name).cruise
    slope = f"slope:{degrees:g}"
    up = stepped(Walker(name, slope), 5.0, lambda t, w: ((0.0, told), 0.0))
    down = stepped(Walker(name, slope, heading_degrees=180.0), 5.0, lambda t, w: ((0.0, -told), 0.0))

    def pace(walked):
        way = np.linalg.norm(walked.joints[-1, 0, 0] - walked.joints[120, 0, 0])
        return way / ((len(walked.clip) - 121) / walked.fps) / told

    assert 0.6 < pace(up) < 0.95 and 0.7 < pace(down) < 1.02
    assert depth(up) < 2e-3 and depth(down) < 2e-3


def _ramp(kind, degrees, unit):
    """A slope that begins two units along z, as a terrain of a kind."""
    ground = Function(lambda x, z: np.tan(np.radians(degrees)) * np.maximum(z - 2.0 * unit, 0.0))
    if kind == "mesh":
        return Mesh(*ground.mesh((-6.0 * unit, -8.0 * unit), (6.0 * unit, 12.0 * unit), 0.5 * unit))
    if kind == "heightfield":
        along = np.arange(-10.0, 12.0, 0.25) * unit
        return Heightfield(ground.height(*np.meshgrid(along, along)), spacing=0.25 * unit, origin=(along[0], along[0]))
    return ground


@pytest.mark.parametrize(("name", "kind"), some(product(PRESETS, ("function", "mesh", "heightfield")), 4))
def test_ground_steeper_than_the_steepest_stops_a_creature_before_it(name, kind):
    limited, start = replace(creature(name), steepest=20.0), 2.0 * leg(name)
    speed = creature(name).cruise
    seconds = 2.0 + 1.5 * start / speed
    for degrees, passes in ((18.0, True), (23.0, False), (35.0, False)):
        walked = stepped(Walker(limited, _ramp(kind, degrees, leg(name))), seconds, onward)
        assert walked.walker.blocked.all() != passes
        # The slope of the ground is that of its surroundings: a foot gets on to a gentle ramp before it is too steep.
        assert (walked.tips[..., 2].max() > start + 0.75 * leg(name)) == passes
        assert depth(walked) < 2e-3


def test_who_stands_on_ground_that_is_too_steep_only_goes_down():
    limited = replace(creature("hexapod"), steepest=20.0)
    for velocity, passes in ((0.3, False), (-0.3, True)):
        walker = Walker(limited, "slope:30")
        walker.step(3.0, (0.0, velocity), turn_degrees=0.0)
        assert walker.blocked.all() != passes and (walker.places[0, 2] < -0.3) == passes


@pytest.mark.parametrize("name", PRESETS)
def test_rough_ground_is_no_steep_ground(name):
    foot, limited = creature(name).foot, replace(creature(name), steepest=20.0)
    bumps = Function(lambda x, z: foot * np.sin(0.5 * x / foot) * np.sin(0.6 * z / foot))
    walker = Walker(limited, bumps)
    walker.step(4.0, (0.0, limited.cruise), turn_degrees=0.0)
    assert not walker.blocked.any() and walker.places[0, 2] > 0.8 * 4.0 * limited.cruise


@pytest.mark.parametrize("name", ["biped", "centipede"])
def test_a_creature_starts_on_a_steep_slope_with_its_feet_on_the_ground_and_climbs_it(name):
    walked = stepped(Walker(name, "slope:35"), 2.0, onward)
    assert walked.contacts[0].all() and walked.standing.any(axis=-1).all()
    assert walked.walker.places[0, 2] > 0.3 * 2.0 * creature(name).cruise


def test_knees_do_not_jump_where_the_body_gives_way():
    walked = stepped(
        Walker("quadruped", "stairs:rise=0.127,run=0.35,start=1"), SECONDS, lambda t, w: ((0.0, w.fastest), 0.0)
    )
    _sound(walked, creature("quadruped").speed, "stairs")


def test_a_foot_that_finds_no_foothold_takes_a_shorter_step():
    walked = stepped(Walker("biped", "stairs:rise=0.17,run=0.3,start=1"), 4.0, lambda t, w: ((0.0, w.fastest), 0.0))
    _sound(walked, creature("biped").speed, "stairs")
    assert walked.walker.places[0, 2] > 4.0


def test_feet_do_not_jump_beside_the_edges_of_stairs():
    """A run up stairs of 19 cm, at 144 Hz, in which legs are out of reach behind the body, and steps get shorter."""
    walker = Walker("biped", "stairs:rise=0.1921,run=0.3,start=1", seed=2)
    states = [walker.state]
    for _ in range(1440):
        walker.step(1.0 / 144.0, (0.0, 0.57 * walker.fastest))
        states.append(walker.state)
    moves = np.linalg.norm(np.diff(walker.clip(states, 144.0).positions(), axis=0), axis=-1)
    assert moves.max() < 0.08  # 0.15 m where a foot drops behind an edge at once
