"""What creatures climb: stairs in a size that suits them, up to the highest step, and that they say what stops them."""

import re
from dataclasses import replace

import numpy as np
import pytest

import limbik
from limbik.gait.climbing import what_blocks
from limbik.gait.creature import creature, preset_names
from limbik.terrains.specs import terrain
from limbik.terrains.stairs import Stairs

from .walks import PRESETS


def climbed(name, stairs, slowest=0.5):
    """A walk long enough to climb a flight with the whole body, and the height of the lowest foot over the top."""
    kind = creature(name)
    length = kind.body.segments * kind.body.length + max(sum(leg.lengths) for leg in kind.legs)
    seconds = (stairs.start + stairs.steps * stairs.run + length) / (slowest * kind.cruise)
    clip = limbik.walk(name, stairs, seconds=seconds, fps=20.0, secondary=False)
    return clip, clip.positions()[-1, list(clip.feet), 1].min() - stairs.steps * stairs.rise


@pytest.mark.parametrize("name", preset_names())
def test_stairs_without_options_are_a_flight_that_the_creature_climbs_to_its_end(name):
    stairs = limbik.Walker(name, "stairs").terrain
    assert isinstance(stairs, Stairs) and stairs.steps is not None
    clip, above = climbed(name, stairs)
    first, last = clip.positions()[[0, -1]]
    assert above > -1e-3
    feet = list(clip.feet)
    assert np.abs(first[feet, 1]).max() < 1e-3 and first[feet, 2].max() < stairs.start  # it starts on level ground
    root = clip.skeleton.roots[0]
    assert last[root, 1] - first[root, 1] == pytest.approx(stairs.steps * stairs.rise, rel=0.1)
    planted = clip.positions()[:, feet][clip.contacts]
    assert np.abs(planted[:, 1] - stairs.height(planted[:, ::2])).max() < 2e-3
    assert not clip.blocked.any() and not clip.notes


def test_stairs_for_the_biped_are_those_of_people():
    assert limbik.Walker("biped", "stairs").terrain == Stairs(0.17, 0.3, start=1.1, steps=8)


def test_stairs_with_options_are_kept():
    for spec in ("stairs:rise=0.17", "stairs:run=0.3", "stairs:steps=3"):
        assert limbik.Walker("spider", spec).terrain == terrain(spec)
    own = Stairs()
    assert limbik.Walker("spider", own).terrain is own
    assert terrain("stairs") == own


@pytest.mark.parametrize("name", PRESETS)
def test_flights_up_to_the_highest_step_are_climbed(name):
    kind = creature(name)
    run = round(0.5 * min(sum(leg.lengths) for leg in kind.legs), 3)
    start = limbik.Walker(name, "stairs").terrain.start
    _, above = climbed(name, Stairs(0.95 * kind.highest_step, run, start=start, steps=4), slowest=0.3)
    assert above > -1e-3


@pytest.mark.parametrize("name", preset_names())
def test_what_stops_a_creature_is_told(name):
    kind = creature(name)
    clip = limbik.walk(name, "stairs:rise=0.5", seconds=1.5 / kind.cruise, fps=20.0)
    assert clip.blocked.shape == (len(clip), 1)
    assert not clip.blocked[0].any() and clip.blocked[-1].all()
    assert clip.positions()[-1, list(clip.feet), 1].max() < 0.1
    (note,) = clip.notes
    assert "stairs of 0.5 m" in note and f"{kind.highest_step:.2g} m" in note and f"{kind.steepest:g}°" in note


def test_blocked_is_of_each_of_a_crowd_and_goes_with_the_frames():
    clip = limbik.walk("hexapod", "stairs:rise=0.5,start=0.9", seconds=4.0, fps=10.0, count=3)
    assert clip.blocked.shape == (41, 3) and clip.blocked[-1].any()
    assert np.array_equal(clip[10:40:3].blocked, clip.blocked[10:40:3])
    assert clip.resampled(20.0).blocked is None
    assert clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1], contacts=None).blocked is None


def test_a_low_body_does_not_carry_a_creature_up_what_is_too_steep():
    kind = creature("centipede")
    low = replace(kind, steepest=20.0, height=0.041, body=replace(kind.body, thickness=0.028))
    for degrees, passes in ((15.0, True), (35.0, False)):
        clip = limbik.walk(low, f"slope:{degrees}", seconds=6.0, fps=20.0)
        way = clip.translations[-1, 0] - clip.translations[0, 0]
        assert (way[1] > 0.1) == (way[2] > 0.4) == passes
        assert clip.blocked[-1].all() != passes


def test_the_first_segment_may_have_no_legs():
    kind = creature("centipede")
    legs = tuple(leg for leg in kind.legs if leg.segment > 0)
    gaits = tuple(replace(gait, phases=gait.phases[2:]) for gait in kind.gaits)
    headed = replace(kind, legs=legs, gaits=gaits, parts=())
    clip = limbik.walk(headed, "stairs", seconds=6.0, fps=20.0)
    assert clip.translations[-1, 0, 1] - clip.translations[0, 0, 1] > 0.03 and not clip.blocked.any()


@pytest.mark.parametrize("kind", preset_names())
def test_a_creature_is_not_said_to_climb_what_blocks_it(kind):
    walking = creature(kind)
    for rise in (0.5, walking.highest_step, 0.99 * walking.highest_step):
        told = what_blocks(walking, terrain(f"stairs:rise={rise:.4f}"))
        assert float(re.search(r"up to about ([0-9.]+) m", told)[1]) < rise
