"""Figures whose rest pose is none, because all bones lie along one axis in it, are read from their motion."""

import time
import tracemalloc

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import Clip, Goal, Pose, Skeleton, samples
from limbik.skeleton.symmetry import symmetry
from limbik.terrains import Plane
from tests.assets import asset
from tests.skeleton.figures import along

FEET = ("left_foot", "right_foot")
PARTS = ("Head", "Hips", "LeftUpLeg", "RightUpLeg", "LeftToeBase")


@pytest.fixture(scope="module", params=["sample", "bvh/cmu_07_01.bvh", "bvh/cmu_05_02.bvh"])
def clip(request):
    clip = samples.walk(60) if request.param == "sample" else limbik.load(asset(request.param), fps=30)[1:]
    turn = Rotation.from_euler("y", 2.0).as_quat()
    return clip.moved((12.0, 0.0, -7.0), turn)  # facing anywhere, far from the origin


def test_limbs_are_those_of_the_motion(clip):
    bare_clip, bare = along(clip)
    assert np.abs(bare_clip.positions() - clip.positions()).max() < 1e-12
    wanted = limbik.find_limbs(clip)
    assert not bare.stands_at_rest
    assert limbik.find_limbs(bare_clip) == wanted
    assert limbik.find_limbs(bare_clip.skeleton) == wanted
    assert limbik.find_limbs(bare_clip[0]) == wanted
    assert limbik.find_limbs(bare) == wanted, "all legs stand, by their names"
    assert limbik.find_limbs(Pose(bare, bare_clip.rotations[5], bare_clip.translations[5])) == wanted
    assert np.array_equal(bare_clip.rotations, along(clip)[0].rotations)


def test_the_rest_pose_stands_and_faces_forward(clip):
    skeleton = along(clip)[0].skeleton
    at_rest = Pose.rest(skeleton).positions()
    joints = {name: at_rest[skeleton.index(name)] for name in (*PARTS, "LeftFoot", "RightFoot")}
    lengths = skeleton.lengths[[skeleton.index("LeftLeg"), skeleton.index("LeftFoot")]].sum()
    for side in ("LeftFoot", "RightFoot"):
        assert joints["Hips"][1] - joints[side][1] > 0.8 * lengths
    assert joints["Head"][1] > joints["Hips"][1]
    assert joints["LeftUpLeg"][0] > joints["RightUpLeg"][0]
    assert joints["LeftToeBase"][2] > joints["LeftFoot"][2]
    assert symmetry(skeleton).forward @ [0.0, 0.0, 1.0] > 0.999


def test_a_hand_reaches_and_feet_stay(clip):
    bare_clip, bare = along(clip)
    before = clip.positions()
    joint = {end: limb.joints[-1] for end, limb in clip.skeleton.torso.ends.items()}
    target = before[:, joint["left_hand"]] + [0.03, 0.02, 0.05]
    found, usual = limbik.reach_ends(bare_clip, {"left_hand": target}), limbik.reach_ends(clip, {"left_hand": target})
    assert found.reached.all()
    for end in FEET:
        assert np.abs(found.pose.positions()[:, joint[end]] - before[:, joint[end]]).max() < 1e-12
    assert np.abs(found.pose.positions() - usual.pose.positions()).max() < 1e-6
    by_hand = Pose(bare, bare_clip.rotations[3], bare_clip.translations[3]).reach({"left_hand": target[3]})
    assert (
        np.abs(by_hand.positions()[[joint[end] for end in FEET]] - before[3, [joint[end] for end in FEET]]).max()
        < 1e-12
    )


def test_a_limb_reaches_as_usual(clip):
    target = clip.positions()[:, clip.skeleton.index("LeftHand")] * [1.0, 0.9, 1.0]
    bare_clip = along(clip)[0]
    apart = bare_clip.reach("left_arm", target).positions() - clip.reach("left_arm", target).positions()
    assert np.abs(apart).max() < 1e-9


def test_a_head_looks_ahead():
    """Which way a head looks is read from the mean pose."""
    clip = samples.walk(60)
    bare_clip = along(clip)[0]
    aside = Goal(direction=(1.0, 0.0, 1.0))
    one, other = (limbik.reach_ends(which, {"head": aside}).pose.world()[1] for which in (clip, bare_clip))
    head = clip.skeleton.index("Head")
    before, after = clip.world()[1][:, head], bare_clip.world()[1][:, head]
    turn = Rotation.from_quat(other[:, head].copy()) * Rotation.from_quat(after.copy()).inv()
    usual = Rotation.from_quat(one[:, head].copy()) * Rotation.from_quat(before.copy()).inv()
    assert (turn * usual.inv()).magnitude().max() < np.radians(5.0)


def test_grounding_is_as_usual(clip):
    terrain = Plane()
    placed, usual = (limbik.ground(which, terrain) for which in (along(clip)[0], clip))
    assert [foot.limb.name for foot in placed.feet] == [foot.limb.name for foot in usual.feet]
    assert np.mean(np.asarray(placed.clip.contacts) == np.asarray(usual.clip.contacts)) > 0.97
    apart = np.linalg.norm(placed.clip.positions() - usual.clip.positions(), axis=-1)
    assert np.median(apart) < 0.03


def test_figures_that_lie_or_crouch_at_first():
    """The frames in which a figure stands are what counts, and where it never does, names."""
    clip = samples.walk(60)
    lying = Rotation.from_euler("x", -np.pi / 2).as_quat()
    falls = clip[:40].moved((0.0, -0.5, 0.0), lying).then(clip[40:], blend=0.0, follow=False)
    bare_clip, bare = along(falls)
    assert bare_clip.skeleton.stands_at_rest
    assert limbik.find_limbs(bare_clip) == limbik.find_limbs(clip)
    never = Clip(bare, bare_clip.rotations[:40], bare_clip.translations[:40])
    assert never.skeleton is bare
    assert limbik.find_limbs(never) == limbik.find_limbs(clip)


@pytest.mark.parametrize("axis", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1)])
def test_any_axis(axis):
    clip = samples.walk(60)
    bare_clip, bare = along(clip, axis)
    assert not bare.stands_at_rest
    assert bare_clip.skeleton.stands_at_rest
    assert limbik.find_limbs(bare_clip) == limbik.find_limbs(bare) == limbik.find_limbs(clip)


def test_figures_without_names():
    clip = samples.walk(60)
    bare_clip, bare = along(clip)
    names = tuple(f"joint{k}" for k in range(len(bare)))
    nameless = Skeleton(names, bare.parents, bare.translations, end_sites=bare.end_sites)
    found = limbik.find_limbs(Clip(nameless, bare_clip.rotations, bare_clip.translations))
    assert {name: limb.joints for name, limb in found.items() if limb.stands} == {
        name: limb.joints for name, limb in limbik.find_limbs(clip).items() if limb.stands
    }


def test_broken_frames_do_not_count():
    bare_clip, bare = along(samples.walk(30))
    rotations = bare_clip.rotations.copy()
    rotations[3, 5] = np.nan
    assert limbik.find_limbs(Clip(bare, rotations, bare_clip.translations)) == limbik.find_limbs(bare_clip)
    nothing = Clip(bare, np.full_like(rotations, np.nan), bare_clip.translations)
    assert nothing.skeleton is bare


def test_files_keep_what_they_say(tmp_path):
    """A rest pose from the motion changes neither a file's numbers nor its joints."""
    bare_clip, bare = along(samples.walk(20))
    limbik.save(bare_clip, tmp_path / "walk.bvh")
    loaded = limbik.load(tmp_path / "walk.bvh")
    assert loaded.skeleton.stands_at_rest
    order = [bare.index(name) for name in loaded.skeleton.names]
    assert np.abs(loaded.positions() - bare_clip.positions()[:, order]).max() < 1e-5
    limbik.save(loaded, tmp_path / "again.bvh")
    assert (tmp_path / "again.bvh").read_bytes() == (tmp_path / "walk.bvh").read_bytes()
    for frames in (loaded, loaded[5:]):
        limbik.save(frames, tmp_path / "walk.glb")
        again = limbik.load(tmp_path / "walk.glb")
        assert np.abs(again.positions() - frames.positions()).max() < 1e-5
        limbik.save(again.with_(fps=30.0), tmp_path / "slow.glb")
        assert np.abs(limbik.load(tmp_path / "slow.glb").positions() - frames.positions()).max() < 1e-5


@pytest.mark.parametrize("name", ["a", "LeftLeg", "head"])
def test_long_chains_take_time_and_memory_in_proportion(name):
    """Files may have any number of joints in each other; whether they stand is asked of each clip."""

    def clip(joints):
        bones = np.tile([1.0, 0.0, 0.0], (joints, 1))
        skeleton = Skeleton((name,) * joints, np.arange(joints) - 1, bones)
        return Clip(skeleton, skeleton.rotations[None])

    def seconds(joints):
        start = time.process_time()
        clip(joints)
        return time.process_time() - start

    assert seconds(10_000) < 30.0 * max(seconds(1_000), 0.02)  # ten times the joints; a hundred would be their square
    tracemalloc.start()
    try:
        clip(2_000)
        assert tracemalloc.get_traced_memory()[1] < 2_000 * 3_000  # bytes; a list of all above each joint takes 16 MB
    finally:
        tracemalloc.stop()
