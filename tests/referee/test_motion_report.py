"""The report is true: faults put into a clip show up in it, by as much, and what is not there does not."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from limbik.referee.comparison import compare
from limbik.referee.motion_report import Report, report_of
from limbik.referee.soles import sole_of
from limbik.referee.stances import trim_scraping
from tests.assets import asset, present
from tests.grounding.measures import bone_lengths, frozen, intervals

TERRAINS = ["plane", "slope:10,heading=90", "stairs:rise=0.17,run=0.3"]
LEGS = ("left_leg", "right_leg")


@pytest.fixture(scope="module", params=list(product(["sample", *present("bvh/cmu_35_01.bvh")], TERRAINS)), ids=str)
def walked(request):
    """A walk on a terrain: one of limbik's own, and a recording."""
    clip, on = request.param
    return ground(samples.walk(150) if clip == "sample" else limbik.load(asset(clip))[1:], on)


@pytest.fixture(scope="module")
def walk():
    """A walk without a fault, as it is on a plane."""
    return samples.walk(240)


def judged(before, after, terrain="plane"):
    """The report on two clips."""
    limbs = [limbik.find_limbs(before)[name] for name in LEGS]
    return report_of(compare(before, after, limbik.terrain(terrain), limbs))


def test_a_walk_stands_as_walks_do(walk):
    limbs = [limbik.find_limbs(walk)[name] for name in LEGS]
    compared = compare(walk, walk, limbik.terrain("plane"), limbs)
    stands = np.stack([foot.standing for foot in compared.feet])
    assert stands.any(axis=0).all() and not compared.flight.any()
    for foot in compared.feet:
        landings = [first for first, _ in intervals(foot.standing) if first > 0]
        assert 0.5 < np.mean(foot.standing[landings[0] : landings[-1]]) < 0.72  # samples.STANCE is 0.62


def test_what_scrapes_over_the_ground_does_not_stand():
    """A point comes to rest along a line: only where it is within 20 mm of its usual place does it stand."""
    along = np.concatenate([np.linspace(-0.06, 0.0, 13)[:-1], np.zeros(30), np.linspace(0.0, 0.05, 11)[1:], [1.0]])
    points = np.stack([along, 0.0 * along, 0.0 * along], axis=-1)
    flags = np.ones(len(along), bool)
    flags[-1] = False
    found = trim_scraping(flags, points, 0.02)
    assert np.array_equal(found, flags & (np.abs(along) <= 0.02 + 1e-12))


def test_nothing_that_is_not_there_is_found(walk):
    report = judged(walk, walk)
    row = report.total
    assert row.after == row.before
    assert (row.pops, row.jerks, row.flips, row.straight, row.heading_deg) == (1.0, 1.0, 0, 0, 0.0)
    assert report.pose_cm == report.pelvis_offset_cm == report.bone_change_mm == 0.0
    assert report.body_below_mm == (0.0, 0.0) and report.legs_apart_mm[0] == report.legs_apart_mm[1] > 100.0
    assert row.found == 0.0 and report.unsupported == 1.0  # the clip has no contacts


@pytest.mark.parametrize("lower", [0.004, 0.03])
def test_a_clip_that_is_lowered_goes_into_the_ground_by_as_much(walk, lower):
    before = judged(walk, walk).total.after
    down = judged(walk, walk.moved(translation=(0.0, -lower, 0.0))).total.after
    up = judged(walk, walk.moved(translation=(0.0, lower, 0.0))).total.after
    for name in ("heel", "toe"):
        deeper = getattr(down, f"{name}_penetration_mm") - getattr(before, f"{name}_penetration_mm")
        assert deeper == pytest.approx(1e3 * lower, abs=1.0)
        assert getattr(up, f"{name}_float_mm") - getattr(before, f"{name}_float_mm") == pytest.approx(
            1e3 * lower, abs=1.0
        )


def test_a_foot_that_slips_while_it_stands_is_found_whoever_held_it(walk):
    """Even where the clip's own contacts are silent about it."""
    stands = compare(walk, walk, limbik.terrain("plane"), [limbik.find_limbs(walk)["left_leg"]]).feet[0].ball
    first, stop = max(intervals(stands), key=lambda one: one[1] - one[0])
    shift = np.zeros((len(walk), 3))
    shift[(first + stop) // 2 :, 0] = 0.02
    quiet = walk.moved(translation=shift).with_(feet=(0, 1), contacts=np.zeros((len(walk), 2), bool))
    was, now = judged(walk, walk), judged(walk, quiet)
    assert now.total.after.slide_mm == pytest.approx(20.0, abs=was.total.after.slide_mm + 0.5)
    assert now.total.found == 0.0


def test_the_front_of_a_step_is_as_deep_as_the_way_out(walk):
    """A sole that is 12 mm behind the front of a step 17 cm high is 12 mm inside it."""
    limbs = [limbik.find_limbs(walk)[name] for name in LEGS]
    still = frozen(walk, 0, 40)
    compared = compare(still, still, limbik.terrain("plane"), limbs)
    front = max(foot.before.sole[0, :, 2].max() for foot in compared.feet)
    stairs = limbik.terrain(f"stairs:rise=0.17,run=3,start={front - 0.012}")
    depth = report_of(compare(still, still, stairs, limbs)).total.after.sole_penetration_mm
    assert 8.0 < depth < 16.0


@pytest.mark.parametrize("name", ["LeftLeg", "RightFoot", "Head"])
def test_a_joint_that_pops_is_named_if_it_is_a_legs(walk, name):
    rotations = walk.rotations.copy()
    joint = walk.skeleton.index(name)
    rotations[100:, joint] = (
        Rotation.from_quat(rotations[100:, joint]) * Rotation.from_rotvec([1.2, 0.0, 0.0])
    ).as_quat()
    report = judged(walk, walk.with_(rotations=rotations))
    if name == "Head":
        assert report.total.pops == 1.0
        return
    assert report.total.joint == name and abs(report.total.frame - 100) <= 4
    assert report.total.pops > 2.0
    assert report.total.after.acceleration_rad_s2 == pytest.approx(1.2 * 30.0**2, rel=0.4)


def test_accelerations_are_those_over_thirtieths_of_a_second(walked):
    clips = walked.before, walked.clip
    for foot, row in zip(walked.feet, walked.report.feet, strict=True):
        joints = [*foot.limb.path(walked.clip.skeleton), *foot.limb.toes[:1]]
        peaks = []
        for clip in clips:
            step = round(clip.fps / 30)
            found = []
            for joint in joints:
                turns = Rotation.from_quat(clip.rotations[:, joint])
                speed = (turns[:-step].inv() * turns[step:]).as_rotvec() * clip.fps / step
                found.append(np.linalg.norm(speed[step:] - speed[:-step], axis=-1).max() * clip.fps / step)
            peaks.append(np.array(found))
        assert row.after.acceleration_rad_s2 == pytest.approx(peaks[1].max(), rel=1e-6)
        assert row.pops == pytest.approx((np.maximum(peaks[1], 40) / np.maximum(peaks[0], 40)).max(), rel=1e-6)


def test_a_knee_that_flips_folds_or_snaps_is_found(walk):
    joint = walk.skeleton.index("LeftLeg")
    bent = Rotation.from_quat(walk.rotations[:, joint])
    usual = bent.mean().as_rotvec()
    usual = usual / np.linalg.norm(usual)
    rotations = walk.rotations.copy()
    rotations[120, joint] = Rotation.from_rotvec(-0.5 * usual).as_quat()
    rotations[160, joint] = Rotation.from_rotvec(2.9 * usual).as_quat()
    report = judged(walk, walk.with_(rotations=rotations))
    left, right = report.feet
    assert left.flips == 1 and right.flips == 0
    assert left.after.fold_deg > 155.0 > 120.0 > right.after.fold_deg
    assert left.after.snap_deg > 80.0 > right.after.snap_deg


def test_a_crouch_is_how_much_more_a_standing_knee_bends(walk):
    lower = walk.moved(translation=(0.0, -0.08, 0.0))
    places = walk.positions()
    for name in LEGS:
        limb = limbik.find_limbs(walk)[name]
        lower = lower.reach(limb, places[:, limb.joints[-1]], end_rotation=walk.world()[1][:, limb.joints[-1]])
    report = judged(walk, lower)
    hip, knee, ankle = (lower.positions()[:, lower.skeleton.index(n)] for n in ("LeftUpLeg", "LeftLeg", "LeftFoot"))
    bend = 180.0 - np.degrees(
        np.arccos(
            np.sum((hip - knee) * (ankle - knee), axis=-1)
            / np.linalg.norm(hip - knee, axis=-1)
            / np.linalg.norm(ankle - knee, axis=-1)
        )
    )
    assert 10.0 < report.feet[0].crouch_deg < bend.max()
    assert report.total.after.slide_mm < 1.0 + judged(walk, walk).total.after.slide_mm


def test_the_seam_of_a_cycle(walk):
    cycle = walk[:61]
    there = judged(cycle, cycle)
    assert there.seam_mm[0] < 5.0 and there.seam_deg[0] < 1.0
    rotations = cycle.rotations.copy()
    joint = cycle.skeleton.index("LeftLeg")
    rotations[-1, joint] = (Rotation.from_quat(rotations[-1, joint]) * Rotation.from_rotvec([0.2, 0, 0])).as_quat()
    broken = judged(cycle, cycle.with_(rotations=rotations))
    assert broken.seam_deg[1] > 10.0 and broken.seam_mm[1] > 50.0
    assert judged(walk[:50], walk[:50]).seam_mm is None


def test_a_foot_that_is_turned_while_it_stands(walk):
    joint = walk.skeleton.index("LeftUpLeg")
    turned = walk.with_(rotations=walk.rotations.copy())
    rotations = walk.rotations.copy()
    rotations[:, joint] = (
        Rotation.from_euler("y", 25, degrees=True) * Rotation.from_quat(rotations[:, joint])
    ).as_quat()
    report = judged(walk, turned.with_(rotations=rotations))
    assert report.feet[0].heading_deg == pytest.approx(25.0, abs=4.0) and report.feet[1].heading_deg == 0.0


def test_somebody_must_stand_in_a_walk_and_nobody_in_flight(walk):
    places = np.zeros((len(walk), 3))
    t = np.arange(60) / walk.fps
    places[100:160, 1] = 4.9 * t * (t[-1] - t)  # a leap, in which gravity alone acts
    leap = walk.moved(translation=places)
    limbs = [limbik.find_limbs(walk)[name] for name in LEGS]
    compared = compare(leap, leap, limbik.terrain("plane"), limbs)
    assert compared.flight[115:145].all() and not compared.flight[:90].any()
    claimed = np.ones((len(leap), 2), bool)
    report = report_of(compare(leap, leap, limbik.terrain("plane"), limbs, claimed))
    assert report.total.invented > 0.1


def test_bones_and_pelvis(walked):
    old, new = walked.before.positions(), walked.clip.positions()
    hips = [walked.clip.skeleton.names.index(name) for name in ("LeftUpLeg", "RightUpLeg")]
    middle, after = (one[:, hips].mean(axis=1) for one in (old, new))
    rise = walked.terrain.height(middle[:, [0, 2]])
    offset = after - middle - np.stack([0 * rise, rise, 0 * rise], axis=-1)
    assert walked.report.pelvis_offset_cm == pytest.approx(1e2 * np.linalg.norm(offset, axis=-1).max())
    lengths = [bone_lengths(clip) for clip in (walked.before, walked.clip)]
    assert walked.report.bone_change_mm == pytest.approx(1e3 * np.abs(lengths[1] - lengths[0]).max(), abs=1e-9)
    relative = (new - after[:, None]) - (old - middle[:, None])
    assert walked.report.pose_cm == pytest.approx(1e2 * np.sqrt(np.mean(np.sum(relative**2, axis=-1))))


def test_feet_without_heels_have_none_to_measure(walk):
    limbs = [replace(limbik.find_limbs(walk)[name], toes=()) for name in LEGS]
    report = report_of(compare(walk, walk, limbik.terrain("plane"), limbs))
    for row in report.feet:
        assert row.after.heel_penetration_mm is row.after.heel_float_mm is row.after.sole_angle_deg is None
        assert row.after.toe_penetration_mm is not None and row.contacts > 2


def test_a_body_that_lies_does_not_stand_on_its_feet(walk):
    lying = frozen(walk, 0, 60).moved(rotation=Rotation.from_euler("x", -90, degrees=True).as_quat())
    lying = lying.moved(translation=(0.0, 0.1 - lying.positions()[..., 1].min(), 0.0))
    assert judged(lying, lying).total.contacts == 0


def test_a_sole_is_measured_on_the_floor_although_the_foot_rests_elsewhere_for_a_while(walk):
    """As a dancer's that rests on something, or a foot on its heel: the ball is not on the floor in a tenth."""
    standing = frozen(walk, 20, 300)
    raised = standing.moved(translation=np.where(np.arange(300)[:, None] < 270, 0.0, [0.0, 0.2, 0.0]))
    limb = limbik.find_limbs(walk)["left_leg"]
    flat, both = (sole_of(clip, limb, clip.world(), 0.0) for clip in (standing, raised))
    assert both.thickness == pytest.approx(flat.thickness, abs=1e-6)


def test_tiny_clips_are_measured(walk):
    for frames in (1, 2, 3):
        report = judged(walk[:frames], walk[:frames])
        assert report.frames == frames and "nan" not in str(report)


def test_the_report_goes_through_json(walked):
    content = json.loads(json.dumps(walked.report.as_dict(), allow_nan=False))
    assert Report.from_dict(content) == walked.report
    assert content["total"]["pops"] == walked.report.total.pops
    assert [row["name"] for row in content["feet"]] == ["left_leg", "right_leg"]


def test_the_report_as_text(walked):
    lines = str(walked.report).splitlines()
    assert lines[1].split() == ["before", "→", "after", "total", "left", "leg", "right", "leg"]
    (slide,) = (line for line in lines if line.startswith("slide in a stance, mm"))
    total = walked.report.total
    assert slide.split("mm")[1].split()[:3] == [f"{total.before.slide_mm:.1f}", "→", f"{total.after.slide_mm:.1f}"]
    assert "nan" not in str(walked.report) and "None" not in str(walked.report)


def test_a_body_that_sways_is_seen(walk):
    still = judged(walk, walk)
    assert still.sway_cm == 0.0
    names = list(walk.skeleton.names)
    joint = names.index(next(name for name in names if "Spine" in name or "LowerBack" in name))
    angle = np.radians(10.0) * np.sin(np.arange(len(walk)) * 2 * np.pi / 60)
    rotations = walk.rotations.copy()
    swing = Rotation.from_rotvec(angle[:, None] * [0.0, 0.0, 1.0])
    rotations[:, joint] = (Rotation.from_quat(rotations[:, joint]) * swing).as_quat()
    report = judged(walk, walk.with_(rotations=rotations))
    assert 5.0 < report.sway_cm < 20.0 and report.total.after.slide_mm == pytest.approx(still.total.after.slide_mm)
