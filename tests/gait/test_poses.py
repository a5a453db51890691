"""Poses and clips are those of a skeleton whose bones keep their lengths, and of a crowd all at once."""

import numpy as np
import pytest

import limbik
from limbik.gait.creature import creature
from limbik.gait.creature_machines import machines
from limbik.gait.walker import Walker
from limbik.gait.walking import walk
from limbik.skeleton.pose import Pose

from .walks import PRESETS, ahead, journey, stepped


@pytest.mark.parametrize("name", PRESETS)
def test_bones_keep_their_lengths(name):
    walked = journey(name, "hills")
    skeleton = walked.clip.skeleton
    children = np.flatnonzero(skeleton.parents >= 0)
    joints = walked.clip.positions()
    bones = np.linalg.norm(joints[:, children] - joints[:, skeleton.parents[children]], axis=-1)
    assert np.abs(bones - skeleton.lengths[children]).max() < 1e-12


@pytest.mark.parametrize("name", PRESETS)
def test_at_rest_a_creature_stands_on_level_ground(name):
    kind = creature(name)
    figure = machines(kind)
    joints = Pose.rest(figure.skeleton).positions()
    assert np.abs(joints[figure.joints.feet, 1]).max() < 1e-12
    assert np.allclose(joints[0], (0.0, kind.height, 0.0))
    for leg, chain in zip(kind.legs, figure.joints.chains, strict=True):
        behind = kind.body.length * leg.segment
        assert np.allclose(joints[chain[-1], ::2], (leg.foothold[0], leg.foothold[1] - behind), atol=1e-12)


def test_left_and_right_are_mirror_images_at_rest():
    figure = machines(creature("quadruped"))
    joints = Pose.rest(figure.skeleton).positions()
    for name in ("fore_hip", "fore_knee", "hind_knee", "hind_ankle", "hind_tip"):
        left, right = (joints[figure.skeleton.index(f"{side}_{name}")] for side in ("left", "right"))
        assert np.allclose(left * (-1.0, 1.0, 1.0), right, atol=1e-12)


@pytest.mark.parametrize("name", PRESETS)
def test_the_pose_of_a_frame_is_that_of_the_clip(name):
    walker = Walker(name, "hills", count=2)
    poses, states = [], []
    for _ in range(20):
        walker.step(1 / 60, (0.1, 0.2))
        poses.append(walker.pose)
        states.append(walker.state)
    clip = walker.clip(states, 60.0)
    assert np.allclose(poses[-1].positions(), clip.positions()[-1], atol=1e-12)
    assert walker.skeleton.has_joints_of(clip.skeleton) and walker.feet == clip.feet
    assert np.array_equal(walker.skeleton.translations, clip.skeleton.translations)
    assert np.array_equal(walker.contacts.reshape(-1), clip.contacts[-1])


@pytest.mark.parametrize("name", PRESETS)
def test_finer_frames_show_no_faster_joints(name):
    """Where something jumps from one frame to the next, four times as many frames show it four times as fast."""
    coarse, fine = (
        stepped(Walker(name, "hills"), 3.0, lambda t, w: (ahead(w, creature(name).cruise), 10.0), fps)
        for fps in (60.0, 240.0)
    )
    assert fine.turning.max() < 1.6 * coarse.turning.max()


def test_the_same_seed_is_the_same_walk_and_another_is_another():
    once, again, other = (walk("hexapod", "hills", seconds=2.0, seed=seed, count=2) for seed in (4, 4, 5))
    assert np.array_equal(once.rotations, again.rotations) and np.array_equal(once.translations, again.translations)
    assert not np.allclose(once.rotations, other.rotations)


def test_a_crowd_is_one_clip_with_a_root_for_each():
    clip = walk("spider", "hills", seconds=1.0, count=12, fps=30.0)
    assert len(clip.skeleton.roots) == 12 and clip.skeleton.names[0] == "spider_001/body"
    assert clip.skeleton.names[clip.skeleton.roots[11]] == "spider_012/body"
    assert len(clip.feet) == 96 and clip.contacts.shape == (31, 96)
    starts = clip.translations[0, list(clip.skeleton.roots)][:, ::2]
    gaps = np.linalg.norm(starts[:, None] - starts, axis=-1) + np.eye(12) * 9.0
    assert gaps.min() > 0.7  # wider than a spider


@pytest.mark.parametrize("name", ["hexapod", "biped"])
def test_each_of_a_crowd_walks_as_it_would_alone(name):
    crowd = Walker(name, "hills", count=7, seed=3)
    alone = [Walker(name, "hills") for _ in range(7)]
    for k, walker in enumerate(alone):
        walker._state[:] = crowd._state[k]
    speed = creature(name).cruise
    for _ in range(90):
        for each in (crowd, *alone):
            each.step(1 / 60, ahead(each, speed), turn_degrees=17.0)
    together = np.concatenate([each.state.tips for each in alone], axis=-1)
    assert np.array_equal(crowd.state.tips, together)
    assert np.array_equal(crowd.state.planted, np.concatenate([each.state.planted for each in alone], axis=-1))


def test_a_walk_is_saved_and_read_again(tmp_path):
    clip = walk("quadruped", "hills", seconds=1.0)
    for ending in ("glb", "bvh"):
        limbik.save(clip, tmp_path / f"walk.{ending}")
        again = limbik.load(tmp_path / f"walk.{ending}", unit="m")
        same = [again.skeleton.index(name) for name in clip.skeleton.names]  # BVH files have an order of their own
        assert len(again) == len(clip)
        assert np.abs(again.positions()[:, same] - clip.positions()).max() < 1e-4


def test_parts_swing_with_their_legs_and_rest_when_the_creature_stands():
    walked = stepped(Walker("biped"), 6.0, lambda t, w: (ahead(w, 1.3 if t < 3.0 else 0.0), 0.0))
    skeleton = walked.clip.skeleton
    assert walked.walker.at_rest.all()
    hand, other = (walked.joints[:, 0, skeleton.index(name), 2] for name in ("left_hand", "right_hand"))
    foot = walked.joints[:, 0, skeleton.index("left_leg_tip"), 2]
    middle = walked.joints[:, 0, 0, 2]
    swing = slice(60, 180)
    # A hand swings with the foot of the other side.
    assert np.corrcoef((hand - middle)[swing], (foot - middle)[swing])[0, 1] < -0.7
    assert np.corrcoef((hand - middle)[swing], (other - middle)[swing])[0, 1] < -0.7
    rest = Pose.rest(skeleton).positions()
    at_rest = walked.joints[-1, 0, skeleton.index("left_hand")] - walked.joints[-1, 0, 0]
    assert np.allclose(at_rest, rest[skeleton.index("left_hand")] - rest[0], atol=1e-3)
