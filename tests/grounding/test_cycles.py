"""Cycles: they loop as before, go on over the ground, and only those that walk on the spot travel."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.errors import ArgumentError
from limbik.files.gltf.gltf_reader import animations_of, clip_of, own_source
from limbik.grounding.cycles import as_cycle, is_cycle
from limbik.grounding.ground import ground
from tests.assets import asset
from tests.grounding import measures


def on_the_spot(clip):
    """The clip with its root held in place over the ground."""
    root = clip.positions()[:, :1]
    return clip.moved(translation=-(root[:, 0] * [1.0, 0.0, 1.0]))


@pytest.fixture(scope="module")
def treadmill():
    """One stride of a walk at 1 m/s, on the spot; the last frame is the first once more."""
    return on_the_spot(samples.walk(61))


def seam(clip):
    """How far joints around the root are in the last frame from where they are in the first, metres."""
    around = clip.positions() - clip.positions()[:, :1] * [1.0, 0.0, 1.0]
    return np.linalg.norm(around[-1] - around[0], axis=-1).max()


def test_a_walk_on_the_spot_travels_as_its_feet_push(treadmill):
    result = ground(treadmill, "plane")
    root = result.before.positions()[:, 0]
    assert root[-1, 2] - root[0, 2] == pytest.approx(1.0, abs=0.03) and abs(root[-1, 0]) < 0.02
    assert len(result.clip) == 61 and max(measures.slides(result.clip)) < 1e-6


@pytest.mark.parametrize("fps", [24.0, 30.0, 120.0])
def test_travel_does_not_depend_on_the_frame_rate(treadmill, fps):
    root = ground(treadmill.resampled(fps), "plane").before.positions()[:, 0]
    assert root[-1, 2] - root[0, 2] == pytest.approx(1.0, abs=0.06)


def test_a_cycle_is_a_cycle_on_a_plane_afterwards(treadmill):
    assert seam(treadmill) < 1e-6
    assert seam(ground(treadmill, "plane").clip) < 3e-3
    assert ground(treadmill, "plane").report.seam_mm[1] < 3.0


def test_the_seam_of_a_cycle_that_climbs_is_measured_without_the_climb(treadmill):
    result = ground(treadmill, "slope:20")
    assert np.ptp(result.clip.positions()[[0, -1], 0, 1]) > 0.3
    assert result.report.seam_mm[1] < 10.0


@pytest.mark.parametrize("duplicate", [True, False])
def test_a_cycle_is_repeated_over_the_ground(treadmill, duplicate):
    clip = treadmill if duplicate else treadmill[:-1]
    result = ground(clip, "slope:5", repeat=4)
    assert len(result.clip) == 4 * 60 + duplicate
    root = result.clip.positions()[:, 0]
    assert root[-1, 2] == pytest.approx(4.0, abs=0.15)
    steps = np.linalg.norm(np.diff(root, axis=0), axis=-1)
    assert steps.max() < 2.0 * np.median(steps)  # no jump from one repetition to the next
    assert max(measures.slides(result.clip)) < 1e-6


def test_a_cycle_that_turns_goes_round():
    clip = samples.walk(61)
    turn = np.radians(np.linspace(0.0, 30.0, 61))
    half = np.stack([0 * turn, np.sin(turn / 2), 0 * turn, np.cos(turn / 2)], axis=-1)
    cycle = as_cycle(on_the_spot(clip).moved(rotation=half), list(limbik.find_limbs(clip).values()))
    assert cycle is not None
    longer, frames = cycle.repeat(12, 30)
    assert frames == slice(30, 30 + 12 * 60 + 1)
    first, last = longer.rotations[30, 0], longer.rotations[30 + 12 * 60, 0]
    assert abs(first @ last) == pytest.approx(1.0, abs=1e-6)  # twelve times thirty degrees
    assert np.abs(np.diff(longer.positions(), axis=0)).max() < 0.12


def test_what_is_no_cycle_is_not_repeated():
    walk = samples.walk(100)
    assert not is_cycle(walk)
    with pytest.raises(ArgumentError, match=r"repeat.*last frame"):
        ground(walk, "plane", repeat=2)
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(ArgumentError, match="repeat"):
            ground(samples.walk(61), "plane", repeat=wrong)


def test_a_figure_that_stays_stays():
    """Shifting its weight, waving, or stepping on the spot without pushing back."""
    clip = on_the_spot(samples.walk(61))
    still = clip.with_(rotations=np.repeat(clip.rotations[:1], 61, axis=0))
    sway = np.zeros((61, 3))
    sway[:, 0] = 0.05 * np.sin(np.linspace(0, 2 * np.pi, 61))
    before = ground(still.moved(translation=sway), "plane").before
    assert np.abs(before.positions()[:, 0] - still.moved(translation=sway).positions()[:, 0]).max() < 1e-9
    frozen = measures.frozen(clip, 0, 30)
    assert np.abs(ground(frozen, "plane").clip.positions() - frozen.positions()).max() < 5e-3


def test_every_clip_of_a_game_character():
    """Seventy-six clips: none fails, none that does not walk travels, cycles loop, and those that sit or lie stay."""
    first = limbik.load(asset("gltf/KayKit_Rogue.glb"))
    document = own_source(first).document
    names = [one.name for one in animations_of(document)]
    assert len(names) == 76
    for k, name in enumerate(names):
        if not any(word in name for word in ("Walk", "Run", "Sit", "Lie", "Death", "Dodge", "Throw", "Jump", "Idle")):
            continue
        clip = clip_of(document, k)
        result = ground(clip, "plane")
        old, new = (one.positions()[:, 0][:, [0, 2]] for one in (clip, result.clip))
        travelled = np.linalg.norm((new[-1] - new[0]) - (old[-1] - old[0]))
        assert (travelled > 0.5) == name.startswith(("Walking", "Running")), name
        if result.report.seam_mm is not None:
            assert result.report.seam_mm[1] < result.report.seam_mm[0] + 3.0, name
            assert result.report.seam_deg[1] < result.report.seam_deg[0] + 1.0, name
        if name.startswith(("Sit", "Lie")) and name.endswith(("Idle", "Pose")):
            assert np.abs(result.clip.positions() - clip.positions()).max() < 0.01, name
            assert "follows the ground as a whole" in " ".join(result.notes)


@pytest.mark.parametrize(("name", "travels"), [("Running", 6.7), ("Walking", 3.4), ("WalkJump", 0.0), ("Idle", 0.0)])
def test_only_the_cycles_of_a_robot_that_walk_or_run_travel(name, travels):
    """A foot that comes close to the ground as it swings forward does not hide that the robot runs."""
    clip = limbik.load(asset("gltf/RobotExpressive.glb"), animation=name)
    root = ground(clip, "plane").before.positions()[:, 0]
    assert root[-1, 2] - root[0, 2] == pytest.approx(travels, abs=0.1)


def test_feet_that_slide_over_the_floor_carry_the_figure():
    """A stance that is widened by sliding both feet at once: where none stands, legs still reach the ground."""
    clip = limbik.load(asset("gltf/KayKit_Rogue.glb"), animation="1H_Ranged_Aiming")
    assert ground(clip, "hills:height=0.3,seed=3").report.total.pops < 5.0


def test_a_gallop_uphill_ends_as_it_began():
    """It climbs by more than its legs are long while it is grounded among its repetitions."""
    result = ground(limbik.load(asset("gltf/Fox.glb"), animation="Run"), "slope:10")
    before, after = result.report.seam_mm
    assert after <= before + 0.1 and result.report.seam_deg[1] <= result.report.seam_deg[0] + 0.1


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_walk_on_the_spot_from_which_frames_were_cut_travels(treadmill, cut):
    """Exporters repeat the first frame, or leave out the last: such a walk is one stride all the same."""
    clip = treadmill.resampled(30.0)[: -cut or None]
    root = ground(clip, "plane").before.positions()[:, 0]
    assert root[-1, 2] - root[0, 2] == pytest.approx(1.0, abs=0.2)


def test_a_walk_that_travels_and_ends_in_nearly_the_pose_it_began_with_is_no_cycle():
    assert not is_cycle(samples.walk(58).resampled(30.0))


def test_a_walk_whose_arm_does_not_come_back_is_a_cycle(treadmill):
    """Its legs and its pelvis do: a forearm that ends 5 degrees from where it began does not matter."""
    arm = treadmill.skeleton.names.index("RightForeArm")
    angle = 0.5 * np.radians(np.linspace(0.0, 5.0, len(treadmill)))
    turn = np.stack([np.sin(angle), 0.0 * angle, 0.0 * angle, np.cos(angle)], axis=-1)
    rotations = treadmill.rotations.copy()
    rotations[:, arm] = limbik.rotations.multiply(rotations[:, arm], turn)
    clip = treadmill.with_(rotations=rotations)
    assert is_cycle(clip)
    legs = [joint for limb in limbik.find_limbs(clip).values() if limb.kind == "leg" for joint in limb.joints]
    ends = ground(clip, "plane").clip.positions()[[0, -1]][:, legs] * [1.0, 1.0, 0.0]
    assert np.abs(ends[1] - ends[0]).max() < 3e-3
