"""Soles stay out of the ground, whatever was detected: feet that hardly or never stand, that turn on their heel."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from tests.assets import asset
from tests.grounding.test_bars import forward

STAIRS = "stairs:rise=0.17,run=0.3"
HILLS = "hills:height=0.3,seed=3"


def game(name):
    return forward(limbik.load(asset("gltf/KayKit_Rogue.glb"), animation=name))


def deepest(report):
    """How deep any of a sole is in the ground in any frame, mm."""
    return report.total.largest("sole_penetration_mm", "swing_penetration_mm", after=True)


def hips_above(result):
    """The least height of a hip above the ground, metres."""
    hips = result.clip.positions()[:, [foot.limb.joints[0] for foot in result.feet]]
    return (hips[..., 1] - result.terrain.height(hips[..., [0, 2]])).min()


@pytest.mark.parametrize("spec", [STAIRS, HILLS, "slope:15"])
def test_a_foot_that_never_stands_stays_above_the_ground(spec):
    walk = samples.walk(120)
    stands = np.array(ground(walk, "plane").clip.contacts)
    stands[:, 1] = False
    result = ground(walk, spec, contacts=stands)
    assert not result.standing[:, 1].any()
    assert deepest(result.report) < 20.0


@pytest.mark.parametrize("spec", [STAIRS, HILLS])
@pytest.mark.parametrize("name", ["Running_Strafe_Right", "Running_B", "Dodge_Backward"])
def test_clips_whose_feet_hardly_stand(name, spec):
    result = ground(game(name), spec)
    assert deepest(result.report) <= 31.0
    assert hips_above(result) > 0.25  # legs are 0.38 m long, steps 0.17 m high


def test_a_cycle_begins_to_fall_behind_no_sooner_than_it_begins():
    report = ground(game("Running_B"), STAIRS).report
    assert report.total.pops < 5.0 and report.total.after.snap_deg < 60.0


def test_a_figure_that_stands_up_keeps_its_feet_above_the_ground():
    assert deepest(ground(game("Sit_Floor_StandUp"), STAIRS).report) < 5.0


def test_a_foot_turns_about_the_heel_that_it_stands_on():
    report = ground(forward(limbik.load(asset("bvh/cmu_105_16.bvh"))[1:]), STAIRS).report
    assert report.total.after.sole_penetration_mm < 5.0 and report.total.after.swing_penetration_mm < 20.1


def test_soles_of_a_dance_on_heels_and_balls():
    after = ground(limbik.load(asset("bvh/cmu_05_02.bvh"))[1:], "plane").report.total.after
    assert after.heel_penetration_mm < 2.0 and after.sole_penetration_mm < 10.0 and after.toe_float_mm < 25.0
