"""retarget: any figure moves like any other, whatever its bones; feet stand, and nothing has to be set."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.rotations import inverse, logarithm, multiply
from tests.assets import asset, present

from .figures import BIPEDS, degrees_apart, figure, links, motion, with_other_axes, without_rest_pose

WALK = "bvh/cmu_02_01.bvh"


@pytest.fixture(scope="module", params=[*BIPEDS, "biped", "character"])
def pair(request):
    """A recorded walk, or limbik's own where there are no recordings, on a figure."""
    walk = motion(WALK) if present(WALK) else samples.walk(90)
    return request.param, limbik.retarget(walk, figure(request.param))


def test_limbs_point_where_the_sources_do(pair):
    name, result = pair
    source, target = (limbik.find_limbs(one) for one in (result.source, result.clip))
    for limb in ("left_arm", "right_arm", "left_leg", "right_leg"):
        apart = np.median(degrees_apart(links(result.source, source, limb), links(result.clip, target, limb)), axis=0)
        most = 0.1 if "arm" in limb else 7.0 if "RiggedFigure" in name else 4.0
        assert apart.max() < most, f"{limb}: {apart}"
    assert result.likeness.median["facing"] < 2.0


def test_feet_stand_still_on_the_floor(pair):
    _, result = pair
    assert (result.report.total.after.slide_mm or 0.0) < 1.0
    assert (result.report.total.after.sole_angle_deg or 0.0) < 2.0
    assert result.report.total.found is None or result.report.total.found > 0.95
    stands = {foot.name: np.sum(foot.stands.any(axis=1)) for foot in result.grounded.comparison.feet}
    for leg, frames in result.missed_frames.items():  # a frame or two where a heel lands
        assert len(frames) <= 0.12 * stands[leg], (leg, frames)
        assert any(leg.replace("_", " ") in note for note in result.report.notes) == bool(frames)


def test_bones_keep_their_lengths_and_the_rest_of_the_figure_its_pose(pair):
    name, result = pair
    skeleton = result.clip.skeleton
    changes = np.abs(result.clip.translations - figure(name).skeleton.translations).max(axis=(0, 2))
    feet = [limb.joints[-1] for limb in result.map.target.limbs.values() if limb.kind == "leg"]
    hanging = [foot for foot in feet if result.map.target.torso.pelvis not in skeleton.ancestors(foot)]
    changes[[*skeleton.roots, result.map.target.torso.pelvis, *hanging]] = 0.0
    assert changes.max() < 1e-9


@pytest.mark.parametrize("name", BIPEDS[:4] or ["character"])
def test_a_figure_moves_as_the_source_wherever_bones_point(name):
    walk = motion(WALK) if present(WALK) else samples.walk(90)
    expected = limbik.retarget(walk, figure(name)).clip.positions()
    np.testing.assert_allclose(
        limbik.retarget(with_other_axes(walk), figure(name)).clip.positions(), expected, atol=1e-9
    )


@pytest.mark.parametrize("name", present("vrm/basic_armature_vrm1.vrm") or ["character"])
def test_the_axes_of_the_figures_own_bones_do_not_matter(name):
    walk = samples.walk(60)
    expected = limbik.retarget(walk, figure(name)).clip.positions()
    other = with_other_axes(figure(name).with_(body=None, source=None))
    np.testing.assert_allclose(limbik.retarget(walk, other).clip.positions(), expected, atol=1e-9)


@pytest.mark.parametrize(
    "takes", [("bvh/cmu_02_01.bvh", "bvh/cmu_16_15.bvh"), ("bvh/cmu_16_35.bvh", "bvh/cmu_02_01.bvh")]
)
def test_files_whose_rest_pose_is_none_move_and_are_moved(takes):
    source, target = (without_rest_pose(motion(take)) for take in takes)
    assert not limbik.Skeleton(
        source.skeleton.names, source.skeleton.parents, source.skeleton.translations
    ).stands_at_rest
    for clip, who in ((source, figure("biped")), (motion(takes[0]), target), (source, target)):
        result = limbik.retarget(clip, who)
        assert result.likeness.median["facing"] < 2.0 and max(result.likeness.median.values()) < 4.0
        assert (result.report.total.after.slide_mm or 0.0) < 1.0


@pytest.mark.parametrize("name", ["vrm/basic_armature_vrm1.vrm", "gltf/KayKit_Rogue.glb", "vrm/Godette_vrm0.vrm"])
def test_the_mirrored_motion_gives_the_mirrored_result(name):
    walk = samples.walk(60)
    expected = limbik.retarget(walk, figure(name)).clip.mirrored().positions()
    np.testing.assert_allclose(limbik.retarget(walk.mirrored(), figure(name)).clip.positions(), expected, atol=1e-5)


@pytest.mark.parametrize("name", present(WALK) or ["character"])
def test_a_figures_own_motion_comes_back_as_it_is(name):
    clip = figure(name)
    for own in (clip, clip.skeleton):
        result = limbik.retarget(clip, own)
        np.testing.assert_allclose(result.clip.rotations, clip.rotations, atol=1e-6)
        np.testing.assert_allclose(result.clip.translations, clip.translations, atol=1e-6)
        assert result.report.total.contacts > 0 and max(result.likeness.median.values()) < 1e-6
    assert limbik.retarget(clip[:60], clip, "slope:5").clip.terrain is not None


@pytest.mark.parametrize("name", ["vrm/basic_armature_vrm1.vrm", "vrm/Godette_vrm0.vrm"])
def test_there_and_back_again_is_where_it_began(name):
    walk = samples.walk(90)
    back = limbik.retarget(limbik.retarget(walk, figure(name)).clip, walk).clip
    away = np.linalg.norm(back.positions() - walk.positions(), axis=-1)
    turned = np.degrees(np.linalg.norm(logarithm(multiply(inverse(back.world()[1]), walk.world()[1])), axis=-1))
    limbs = [joint for limb in limbik.find_limbs(walk).values() for joint in limb.joints]
    assert np.median(away) < 0.01 and np.median(turned) < 2.0
    assert np.median(turned[:, limbs]) < 2.0


@pytest.mark.parametrize("terrain", ["slope:8", "stairs:rise=0.1,run=0.3"])
def test_feet_stand_on_any_terrain(terrain):
    result = limbik.retarget(samples.walk(90), figure("biped"), terrain)
    after = result.report.total.after
    assert after.slide_mm < 1.0 and after.sole_penetration_mm < 3.0 and after.toe_float_mm < 3.0
    assert result.clip.terrain is not None and np.ptp(result.clip.positions()[:, 0, 1]) > 0.03


@pytest.mark.parametrize("names", [("gltf/Fox.glb", "quadruped"), ("quadruped", "gltf/Fox.glb")])
def test_quadrupeds_move_like_quadrupeds(names):
    fox, creature = limbik.load(asset("gltf/Fox.glb"), animation="Walk"), limbik.walk("quadruped", "plane", seconds=2)
    source, target = (fox, creature) if names[1] == "quadruped" else (creature, fox)
    result = limbik.retarget(source, target)
    pairs = result.map.pairs
    assert {"left_leg", "right_leg", "left_arm", "right_arm", "neck", "tail"} <= pairs.keys()
    assert (result.report.total.after.slide_mm or 0.0) < 1.0
    ours, theirs = source.positions(), result.clip.positions()
    for limb in ("left_leg", "right_leg", "left_arm", "right_arm"):
        way = [p[:, joints[-1]] - p[:, joints[0]] for p, joints in zip((ours, theirs), pairs[limb], strict=True)]
        way = [one / np.linalg.norm(one, axis=-1, keepdims=True) for one in way]
        assert np.median(degrees_apart(*way)) < 12.0, limb


def test_a_foot_that_stops_in_the_air_stays_there():
    walk = samples.walk(60)
    still = walk[30:31]
    held = limbik.Clip(walk.skeleton, np.repeat(still.rotations, 60, axis=0), np.repeat(still.translations, 60, axis=0))
    lifted = held.reach("left_leg", held.positions()[:, held.skeleton.index("LeftFoot")] + [0.0, 0.25, 0.0])
    result = limbik.retarget(lifted, figure("biped"))
    limbs = limbik.find_limbs(result.clip)
    left, right = (result.clip.positions()[:, limbs[f"{side}_leg"].joints[-1], 1] for side in ("left", "right"))
    assert np.all(left - right > 0.2 * result.scale)


def test_who_is_to_move_may_be_a_skeleton_a_pose_or_a_file(tmp_path):
    walk, own = samples.walk(30), figure("biped")
    limbik.save(own, tmp_path / "character.glb")
    for who in (
        own.skeleton,
        limbik.Pose.rest(own.skeleton),
        tmp_path / "character.glb",
        str(tmp_path / "character.glb"),
    ):
        result = limbik.retarget(walk, who)
        assert len(result.clip) == 30 and result.clip.fps == walk.fps and result.clip.contacts.any()


def test_results_show_themselves():
    result = limbik.retarget(samples.walk(30), figure("biped"))
    shown = result._repr_html_()
    assert "<iframe" in shown and "Source" in shown and "thigh" in shown
    assert "left leg" in result.map._repr_html_() and "left leg" in str(result.map)
    assert result.report.as_dict()["total"]["after"]["slide_mm"] is not None


def test_malformed_arguments_are_refused():
    walk = samples.walk(10)
    for bad in (3, None, "nowhere.glb"):
        with pytest.raises(limbik.LimbikError):
            limbik.retarget(walk, bad)
    with pytest.raises(limbik.LimbikError, match="frame"):
        limbik.retarget(walk[:0], walk)
    with pytest.raises(limbik.LimbikError, match="finite"):
        limbik.retarget(walk.with_(rotations=walk.rotations * np.nan), figure("biped"))
    with pytest.raises(limbik.LimbikError, match=r"stands on 2 limbs.*quadrupeds"):
        limbik.retarget(walk, limbik.walk("quadruped", "plane", seconds=0.2))
