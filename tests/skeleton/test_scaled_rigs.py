"""Rigs with scales reach as exactly as rigs without: small roots, scaled bones, uneven and mirroring scales."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import Clip, Goal, Skeleton, Status, samples
from tests.skeleton.figures import world_by_matrices

WALK = samples.walk(12)
NAMES = WALK.skeleton.names
MIDDLE = [NAMES.index(name) for name in ("Spine", "LeftArm", "LeftUpLeg", "RightForeArm", "RightLeg")]


def scales_of(kind, rng):
    """Scales (joints, 3) of a root in centimetres, and of bones."""
    own = np.ones((len(NAMES), 3))
    own[0] = 0.01
    if kind == "middle":
        own[MIDDLE] = rng.uniform(0.5, 2.0, (len(MIDDLE), 1))
    elif kind != "root":
        own[1:] *= rng.uniform(0.5, 2.0, (len(own) - 1, 1))
    if kind == "rounding":  # as Mixamo's, in single precision
        own *= 1.0 + rng.uniform(-1e-7, 1e-7, own.shape)
    if kind == "uneven":
        own *= 1.0 + rng.uniform(-0.005, 0.005, own.shape)
    if kind == "mirrored":
        own[0, 0] *= -1.0
        own[[NAMES.index("LeftArm"), NAMES.index("RightForeArm")]] *= -1.0
    return own


def with_scales(own):
    """The walk, about the same in the world, by joints with these scales."""
    above = np.ones(len(own))
    for joint, parent in enumerate(WALK.skeleton.parents):
        if parent >= 0:
            above[joint] = above[parent] * np.prod(np.abs(own[parent])) ** (1 / 3)
    skeleton = WALK.skeleton
    offsets = skeleton.translations / above[:, None]
    rig = Skeleton(NAMES, skeleton.parents, offsets, skeleton.rotations, own, skeleton.end_sites)
    return Clip(rig, WALK.rotations, WALK.translations / above[:, None], own, fps=WALK.fps)


KINDS = ["root", "middle", "bones", "rounding", "uneven", "mirrored"]


@pytest.fixture(params=KINDS)
def clip(request):
    return with_scales(scales_of(request.param, np.random.default_rng(3)))


def places(posed):
    rotations, translations = (
        np.reshape(part, (-1, *part.shape[-2:])) for part in (posed.rotations, posed.translations)
    )
    return world_by_matrices(posed.skeleton, rotations, translations, posed.scales.reshape(translations.shape))[0]


def hand_targets(clip, rng, away):
    """Points (frames, 3) at distances from the left shoulder, in arm's lengths."""
    joints = [NAMES.index(name) for name in ("LeftArm", "LeftForeArm", "LeftHand")]
    now = places(clip)
    length = np.linalg.norm(np.diff(now[:, joints], axis=1), axis=-1).sum(-1).min()
    toward = rng.normal(size=(len(clip), 3))
    return now[:, joints[0]] + away * length * toward / np.linalg.norm(toward, axis=-1, keepdims=True)


@pytest.mark.parametrize("limb", ["left_arm", ("LeftArm", "LeftForeArm", "LeftHand"), "numbers"])
def test_a_limb_reaches(clip, limb):
    limb = [NAMES.index(name) for name in ("LeftArm", "LeftForeArm", "LeftHand")] if limb == "numbers" else limb
    targets = hand_targets(clip, np.random.default_rng(0), 0.7)
    for posed, goal in ((clip.reach(limb, targets), targets), (clip[5].reach(limb, targets[5]), targets[5:6])):
        assert np.abs(places(posed)[:, NAMES.index("LeftHand")] - goal).max() < 1e-14
    half = clip.reach(limb, targets, weight=np.linspace(0.0, 1.0, len(clip)))
    assert np.array_equal(half.rotations[0], clip.rotations[0])
    assert np.abs(places(half)[-1, NAMES.index("LeftHand")] - targets[-1]).max() < 1e-14


def test_a_limb_keeps_to_its_options(clip):
    targets = hand_targets(clip, np.random.default_rng(1), 0.7)
    turn = Rotation.random(random_state=2).as_quat()
    posed = clip.reach("left_arm", targets, pole=(0.3, -1.0, 0.2), end_rotation=turn)
    after = places(posed)
    shoulder, elbow, hand = (after[:, NAMES.index(name)] for name in ("LeftArm", "LeftForeArm", "LeftHand"))
    assert np.abs(hand - targets).max() < 1e-14
    normal = np.cross(hand - shoulder, [0.3, -1.0, 0.2])
    assert np.abs(np.sum(normal * (elbow - shoulder), axis=-1)).max() < 1e-9
    assert np.abs(np.abs(posed.world()[1][:, NAMES.index("LeftHand")] @ turn) - 1.0).max() < 1e-12
    toe = clip.reach("left_leg", places(clip)[:, NAMES.index("LeftFoot")], end_direction=(0.0, 0.0, 1.0))
    bone = places(toe)[:, NAMES.index("LeftToeBase")] - places(toe)[:, NAMES.index("LeftFoot")]
    assert np.abs(bone[:, :2]).max() < 1e-8


@pytest.mark.parametrize(("kind", "away"), [(kind, 0.7) for kind in KINDS] + [(kind, 1.4) for kind in KINDS[:4]])
def test_a_hand_reaches_and_feet_stay(kind, away):
    """From farther than the arm is long the torso comes along."""
    clip = with_scales(scales_of(kind, np.random.default_rng(3)))
    before, targets = places(clip), hand_targets(clip, np.random.default_rng(4), away)
    feet = [NAMES.index("LeftFoot"), NAMES.index("RightFoot")]
    for limb in ("left_hand", ("LeftArm", "LeftForeArm", "LeftHand")):
        found = limbik.reach_ends(clip, {limb: targets}, hold=("left_foot", "right_foot"))
        after = places(found.pose)
        assert found.reached.all()
        assert all(np.all(status == Status.REACHED) for status in found.status.values())
        assert np.abs(after[:, feet] - before[:, feet]).max() < 1e-9
        assert np.abs(after[:, NAMES.index("LeftHand")] - targets).max() < 1e-9


def test_several_ends_of_one_pose(clip):
    start = clip[3]
    now = dict(zip(NAMES, places(start)[0], strict=True))
    turn = Rotation.from_euler("yx", [0.2, 0.1])
    foot = (turn * Rotation.from_quat(start.world()[1][NAMES.index("LeftFoot")])).as_quat()
    ends = {
        "left_hand": now["LeftHand"] + [0.05, 0.1, 0.1],
        "right_hand": now["RightHand"] + [-0.1, 0.2, 0.1],
        "left_foot": Goal(now["LeftFoot"] + [0.02, 0.05, 0.05], rotation=foot),
    }
    found = limbik.reach_ends(start, ends, hold=("right_foot",))
    assert found.reached.all()
    assert max(float(one) for one in found.residual.values()) < 1e-13
    after = found.pose.world()[1][NAMES.index("LeftFoot")]
    assert abs(abs(after @ foot) - 1.0) < 1e-12
    assert np.array_equal(start.reach(ends, hold=("right_foot",), weight=0.0).rotations, start.rotations)
