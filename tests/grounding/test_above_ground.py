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


def test_the_sole_of_a_run_is_measured_where_its_ball_has_landed():
    """Its stances are hardly longer than the landing, and the clip ends in one."""
    report = ground(forward(limbik.load(asset("bvh/cmu_09_03.bvh"))[1:]), "plane").report
    assert deepest(report) < 3.0 and report.total.after.sole_angle_deg < 1.5


def test_knees_do_not_push_toes_into_a_riser():
    """A limp with its toes up before they land: what calms its knee moves the foot forward as well as down."""
    clip = forward(limbik.load(asset("bvh/cmu_105_16.bvh"))[540:820])
    report = ground(clip, STAIRS).report
    assert deepest(report) <= 5.0 and report.total.after.slide_mm <= 3.0


def test_toes_that_roll_over_their_tip_stay_in_place():
    clip = forward(limbik.load(asset("bvh/cmu_105_16.bvh"))[1000:1260])
    assert ground(clip, "slope:10").report.total.after.slide_mm <= 3.0


@pytest.mark.parametrize("spec", [STAIRS, "stairs:rise=-0.17,run=0.3"])
def test_feet_clear_edges_between_frames(spec):
    clip = samples.walk(240).resampled(24.0)
    assert deepest(ground(clip, spec).report) <= 5.0


@pytest.mark.parametrize("name", ["Running_A", "Running_Strafe_Right"])
def test_runs_that_touch_the_ground_for_a_frame_climb_stairs(name):
    """Steps are 45 % of the legs high: strides are shortened, and feet do not slide back under a slower body."""
    result = ground(game(name), STAIRS)
    assert result.standing.any(axis=0).all()
    assert "Strides are shortened" in result.notes[0] and "higher than it can climb well" in result.notes[1]
    assert result.report.total.pops <= 4.5 and result.report.total.flips == 0


def test_toes_that_never_bend_in_a_clip_stay_as_they_are():
    clip = game("1H_Melee_Attack_Slice_Horizontal")
    result = ground(clip, "plane")
    toes = [foot.ball for foot in result.feet]
    assert all(foot.stiff for foot in result.feet)
    assert np.allclose(result.clip.rotations[:, toes], clip.rotations[:, toes], atol=1e-9)
    assert result.report.total.pops < 3.0


def test_toes_let_go_hardly_too_early_in_a_slow_walk():
    """Up stairs a trailing leg does not reach its toes, which the referee finds standing for longer."""
    clip = forward(limbik.load(asset("bvh/cmu_16_15.bvh"))[1:])
    slow = clip.with_(fps=0.75 * clip.fps).resampled(clip.fps)
    report = ground(slow, STAIRS).report
    assert report.total.after.slide_mm < 12.0 and report.total.found > 0.97
