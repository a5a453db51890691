"""The report is true: its numbers agree with independent measurements, and faults in a clip show up in it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from limbik.grounding.settings import Settings
from limbik.referee.motion_report import Report
from tests.assets import asset
from tests.grounding.measures import bone_lengths, intervals

TERRAINS = ["plane", "slope:10,heading=90", "stairs:rise=0.17,run=0.3", "hills:height=0.3,seed=3"]


@pytest.fixture(scope="module", params=[(clip, on) for clip in ("sample", "recording") for on in TERRAINS], ids=str)
def walked(request):
    """A walk on a terrain: one of limbik's own, and a recording."""
    clip, on = request.param
    return ground(samples.walk(150) if clip == "sample" else limbik.load(asset("bvh/cmu_35_01.bvh"))[1:], on)


def world_rotations(clip):
    """Rotations of all joints in the world, a SciPy Rotation of (frames,) for each."""
    turns = []
    for joint, parent in enumerate(clip.skeleton.parents):
        own = Rotation.from_quat(clip.rotations[:, joint])
        turns.append(own if parent < 0 else turns[parent] * own)
    return turns


def spans(flags):
    """The runs of true, as arrays of frames."""
    return [np.arange(first, stop) for first, stop in intervals(flags)]


def sole(clip, foot):
    """Heel, ball and tip of a foot's sole, (frames, 3) each: the joints, less the sole's thickness."""
    places, turns = clip.positions(), world_rotations(clip)
    heel = places[:, foot.ankle] + turns[foot.ankle].apply(foot.heel)
    flat_up = Rotation.from_quat(foot.flat).inv().apply([0.0, 1.0, 0.0])
    up = turns[foot.ball].apply(Rotation.from_quat(foot.toes_flat).inv().apply(flat_up))
    return heel, places[:, foot.ball] - foot.sole * up, places[:, foot.tip] - foot.tip_sole * up


def over_ground(points, terrain):
    return 1e3 * (points[:, 1] - terrain.height(points[:, [0, 2]]))


def test_slide_is_how_far_standing_feet_get(walked):
    for k, (foot, row) in enumerate(zip(walked.feet, walked.report.feet, strict=True)):
        for clip, measures in ((walked.before, row.before), (walked.clip, row.after)):
            ball, heel = clip.positions()[:, foot.ball], sole(clip, foot)[0]
            stands = [(ball, run) for run in spans(walked.clip.contacts[:, k])]
            stands += [(heel, run) for run in spans(walked.heels[:, k])]
            slides = [np.linalg.norm(points[run] - points[run[0]], axis=-1).max() for points, run in stands]
            assert measures.slide_mm == pytest.approx(1e3 * max(slides), abs=1e-6)
            speeds = [np.linalg.norm(np.diff(ball[run], axis=0), axis=-1) for run in spans(walked.clip.contacts[:, k])]
            assert measures.slide_cm_s == pytest.approx(1e2 * clip.fps * np.concatenate(speeds).mean(), abs=1e-6)
        assert row.contacts == len(spans(walked.clip.contacts[:, k]))
    assert walked.report.total.before.slide_mm == max(row.before.slide_mm for row in walked.report.feet)
    assert walked.report.total.contacts == sum(row.contacts for row in walked.report.feet)


def test_penetration_and_float_are_those_of_heel_and_toes(walked):
    root = walked.before.positions()[:, 0]
    rise = walked.terrain.height(root[:, [0, 2]])
    raised_clip = walked.before.moved(translation=np.stack([0 * rise, rise, 0 * rise], axis=-1))
    for k, (foot, row) in enumerate(zip(walked.feet, walked.report.feet, strict=True)):
        stands, on_heel = walked.clip.contacts[:, k], walked.heels[:, k]
        for clip, measures in ((raised_clip, row.before), (walked.clip, row.after)):
            heel, *toes = (over_ground(points, walked.terrain) for points in sole(clip, foot))
            assert measures.heel_penetration_mm == pytest.approx(max(0.0, -heel[on_heel].min()), abs=1e-6)
            assert measures.heel_float_mm == pytest.approx(max(0.0, heel[on_heel].max()), abs=1e-6)
            standing = np.concatenate([toe[stands] for toe in toes])
            assert measures.toe_penetration_mm == pytest.approx(max(0.0, -standing.min()), abs=1e-6)
            assert measures.toe_float_mm == pytest.approx(max(0.0, standing.max()), abs=1e-6)
            lowest = np.min([heel, *toes], axis=0)[~(stands | on_heel)]
            assert measures.swing_penetration_mm == pytest.approx(max(0.0, -lowest.min()), abs=1e-6)


def test_the_sole_is_compared_with_the_ground_in_the_middle_of_its_stance(walked):
    for k, (foot, row) in enumerate(zip(walked.feet, walked.report.feet, strict=True)):
        flats = spans(walked.clip.contacts[:, k] & walked.heels[:, k])
        middle = [run[(len(run) - 1) // 2] for run in flats]
        points = np.stack(sole(walked.clip, foot), axis=1)[middle]
        normal = walked.terrain.normal(points[..., [0, 2]]).mean(axis=1)
        flat_up = Rotation.from_quat(foot.flat).inv().apply([0.0, 1.0, 0.0])
        up = world_rotations(walked.clip)[foot.ankle][middle].apply(flat_up)
        cosine = np.sum(up * normal, axis=-1) / np.linalg.norm(normal, axis=-1)
        # arccos is blunt near 1: to 1e-6 degrees it is not known
        assert row.after.sole_angle_deg == pytest.approx(np.degrees(np.arccos(np.minimum(cosine, 1))).max(), abs=1e-5)


def test_pops_are_the_largest_angular_acceleration_of_any_joint(walked):
    for clip, measures in (
        (walked.before, walked.report.total.before),
        (walked.clip, walked.report.total.after),
    ):
        largest = (0.0, "", 0)
        for joint, name in enumerate(clip.skeleton.names):
            turns = Rotation.from_quat(clip.rotations[:, joint])
            speed = (turns[:-1].inv() * turns[1:]).as_rotvec() * clip.fps
            change = np.linalg.norm(np.diff(speed, axis=0), axis=-1) * clip.fps
            largest = max(largest, (change.max(), name, int(change.argmax()) + 1))
        assert measures.acceleration_rad_s2 == pytest.approx(largest[0], rel=1e-6)
        assert (measures.joint, measures.frame) == largest[1:]
    ratio = walked.report.total.after.acceleration_rad_s2 / walked.report.total.before.acceleration_rad_s2
    assert walked.report.total.pops == ratio


def test_legs_bones_and_pelvis(walked):
    old, new = walked.before.positions(), walked.clip.positions()
    for foot, row in zip(walked.feet, walked.report.feet, strict=True):
        reach = np.linalg.norm(new[:, foot.limb.joints[-1]] - new[:, foot.limb.joints[0]], axis=-1) / foot.leg
        assert row.after.extension == pytest.approx(reach.max())
        assert row.after.out_of_reach == np.sum(reach > walked.settings.extension + 1e-4)
    rise = walked.terrain.height(old[:, 0][:, [0, 2]])
    offset = new[:, 0] - old[:, 0] - np.stack([0 * rise, rise, 0 * rise], axis=-1)
    assert walked.report.pelvis_offset_cm == pytest.approx(1e2 * np.linalg.norm(offset, axis=-1).max())
    lengths = [bone_lengths(clip) for clip in (walked.before, walked.clip)]
    assert walked.report.bone_change_mm == pytest.approx(1e3 * np.abs(lengths[1] - lengths[0]).max(), abs=1e-9)


@pytest.fixture(scope="module")
def clean():
    """A walk on a slope without a fault."""
    return ground(samples.walk(180), "slope:10")


def measured(grounded, clip):
    return replace(grounded, clip=clip).report


def test_a_clip_that_is_lowered_goes_into_the_ground_by_as_much(clean):
    before, after = clean.report, measured(clean, clean.clip.moved(translation=(0.0, -0.007, 0.0)))
    for was, row in zip(before.feet, after.feet, strict=True):
        for part in ("heel", "toe"):
            deeper = getattr(was.after, f"{part}_penetration_mm") + 7.0
            assert getattr(row.after, f"{part}_penetration_mm") == pytest.approx(deeper, abs=1e-3)
        assert row.after.slide_mm == pytest.approx(was.after.slide_mm, abs=1e-6)
    raised = measured(clean, clean.clip.moved(translation=(0.0, 0.007, 0.0))).total.after
    assert raised.heel_float_mm == pytest.approx(before.total.after.heel_float_mm + 7.0, abs=1e-3)
    assert raised.heel_penetration_mm == 0.0
    assert measured(clean, clean.clip.moved(translation=(0.0, 0.5, 0.0))).pelvis_offset_cm > 45.0


def test_a_foot_that_slips_while_it_stands_is_found(clean):
    middle = np.mean(np.flatnonzero(clean.clip.contacts[:, 0])[:10]).astype(int)
    shift = np.zeros((len(clean.clip), 3))
    shift[middle + 1 :, 0] = 0.005
    slipped = measured(clean, clean.clip.moved(translation=shift))
    assert slipped.feet[0].after.slide_mm == pytest.approx(5.0, abs=0.01)
    assert slipped.total.after.slide_mm == pytest.approx(5.0, abs=0.01)


@pytest.mark.parametrize("name, foot", [("LeftLeg", 0), ("Head", None)])
def test_a_joint_that_pops_is_named(clean, name, foot):
    rotations = clean.clip.rotations.copy()
    joint = clean.clip.skeleton.index(name)
    rotations[100, joint] = (Rotation.from_quat(rotations[100, joint]) * Rotation.from_rotvec([1.0, 0, 0])).as_quat()
    popped = measured(clean, clean.clip.with_(rotations=rotations))
    assert (popped.total.after.joint, popped.total.after.frame) == (name, 100)
    assert popped.total.after.acceleration_rad_s2 == pytest.approx(2.0 * 60.0**2, rel=0.1)
    assert popped.total.pops > 4.0
    legs = [row.after.joint for row in popped.feet]
    assert legs[foot] == name if foot is not None else name not in legs


def test_a_leg_beyond_its_limit_is_out_of_reach(clean):
    strict = replace(clean, settings=replace(clean.settings, extension=0.9))
    assert clean.report.total.after.out_of_reach == 0
    assert strict.report.total.after.out_of_reach > 20


def test_ground_that_is_too_steep_is_to_be_stood_on_at_the_limit():
    steep = ground(samples.walk(180), "slope:30", settings=Settings(align_limit_degrees=20.0))
    assert steep.report.total.after.sole_angle_deg < 0.5
    assert replace(steep, settings=Settings(align_limit_degrees=45.0)).report.total.after.sole_angle_deg > 9.5


def test_a_stray_pose_in_front_is_left_out():
    clip = samples.walk(180)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[0], translations[0] = clip.skeleton.rotations, clip.skeleton.translations
    stray = ground(clip.with_(rotations=rotations, translations=translations), "slope:10").report
    without = ground(clip[1:], "slope:10").report
    assert stray.frames == without.frames + 1
    assert stray.total.after.slide_mm == pytest.approx(without.total.after.slide_mm, abs=1e-6)
    for which in ("before", "after"):
        content = getattr(without.total, which)
        assert getattr(stray.total, which).acceleration_rad_s2 == pytest.approx(content.acceleration_rad_s2)
        assert getattr(stray.total, which).frame == content.frame + 1


def test_feet_without_heels_have_none_to_measure():
    clip = samples.walk(90)
    legs = [replace(limbik.find_limbs(clip)[name], toes=()) for name in ("left_leg", "right_leg")]
    report = ground(clip, "slope:10", legs=legs).report
    for row in report.feet:
        assert row.after.heel_penetration_mm is row.after.heel_float_mm is row.after.sole_angle_deg is None
        assert row.after.toe_penetration_mm is not None


def test_a_foot_that_never_stands_has_nothing_but_its_leg(clean):
    contacts = clean.clip.contacts & [False, True]
    report = replace(clean, clip=clean.clip.with_(contacts=contacts), heels=clean.heels & [False, True]).report
    assert report.feet[0].contacts == 0
    assert report.feet[0].after.slide_mm is report.feet[0].after.toe_float_mm is None
    assert report.feet[0].after.extension == clean.report.feet[0].after.extension
    assert report.total.after.slide_mm == clean.report.feet[1].after.slide_mm


def test_the_report_goes_through_json(walked):
    content = json.loads(json.dumps(walked.report.as_dict(), allow_nan=False))
    assert Report.from_dict(content) == walked.report
    assert content["total"]["pops"] == walked.report.total.pops
    assert [row["name"] for row in content["feet"]] == ["left_leg", "right_leg"]


def test_the_report_as_text(walked):
    lines = str(walked.report).splitlines()
    assert len({len(line) for line in lines[1:]}) == 1
    assert lines[1].split() == ["before", "→", "after", "total", "left", "leg", "right", "leg"]
    (slide,) = (line for line in lines if line.startswith("slide in a contact, mm"))
    total = walked.report.total
    assert slide.split("mm")[1].split()[:3] == [f"{total.before.slide_mm:.1f}", "→", f"{total.after.slide_mm:.1f}"]
    assert "nan" not in str(walked.report) and "None" not in str(walked.report)
