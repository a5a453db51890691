"""Limbs and joints by name; wrong arguments end in a LimbikError that names the argument and what is accepted."""

import numpy as np
import pytest

from limbik import Clip, LimbikError, Pose, Skeleton, find_limbs, samples

WALK = samples.walk(10)
TARGET = WALK.positions()[:, WALK.skeleton.index("RightHand")] + [0.0, 0.1, 0.1]
ARM = ("RightArm", "RightForeArm", "RightHand")


@pytest.mark.parametrize("limb", ["right_arm", "Right_Arm", ARM, [name.lower() for name in ARM], "numbers", "array"])
def test_a_limb_may_be_a_name_or_joints(limb):
    arm = find_limbs(WALK)["right_arm"]
    limb = {"numbers": list(arm.joints), "array": np.array(arm.joints)}.get(limb if isinstance(limb, str) else "", limb)
    assert np.array_equal(WALK.reach(limb, TARGET).rotations, WALK.reach(arm, TARGET).rotations)


def test_limbs_of_a_clip_a_pose_and_a_skeleton_are_the_same():
    assert find_limbs(WALK) == find_limbs(WALK[0]) == find_limbs(WALK.skeleton) == WALK.skeleton.limbs


def test_joints_are_found_without_minding_case():
    assert np.array_equal(WALK.aim("head", TARGET).rotations, WALK.aim("Head", TARGET).rotations)
    twins = Skeleton(("Head", "head", "HEAD", "tail", "Tail "), [-1, 0, 0, 0, 0], np.zeros((5, 3)))
    assert twins.index(-1) == 4
    assert [twins.index(name) for name in ("Head", "head", "HEAD", "TAIL")] == [0, 1, 2, 3]
    with pytest.raises(LimbikError, match="'Head', 'head', 'HEAD', spelt exactly"):
        twins.index("heaD")


CASES = {
    "an unknown limb": (lambda: WALK.reach("left_hand", TARGET), "limb.*'left_hand'.*did you mean 'left_arm'"),
    "an unknown key": (lambda: find_limbs(WALK)["left_hand"], "'left_hand'.*'left_leg'.*did you mean 'left_arm'"),
    "no limb": (lambda: WALK.reach(3, TARGET), "limb: got 3"),
    "no limb at all": (lambda: WALK.reach(None, TARGET), "limb: got None"),
    "an unknown joint": (lambda: WALK.aim("Heed", TARGET), "did you mean 'Head'"),
    "a joint that is a float": (lambda: WALK.aim(1.5, TARGET), "joint: got 1.5"),
    "a number beyond": (lambda: WALK.skeleton.index(31), "below 31"),
    "a joint that is True": (lambda: WALK.skeleton.index(True), "joint: got True"),
    "limbs of a number": (lambda: find_limbs(3), "figure: got 3; expected a Skeleton, Pose or Clip"),
    "limbs of quaternions": (lambda: find_limbs(WALK.rotations), "figure: got an array of shape"),
    "too few targets": (lambda: WALK.reach("left_arm", TARGET[:4]), r"10 frames at 60 fps; .*load\(path, fps=30\)"),
    "targets that are text": (lambda: WALK.reach("left_arm", "there"), "targets: got 'there'"),
    "ragged targets": (lambda: WALK.reach("left_arm", [[1, 2], [3]]), "targets"),
    "a text as weight": (lambda: WALK.reach("left_arm", TARGET, weight="all"), "weight: got 'all'"),
    "limits of one": (lambda: WALK.reach("left_arm", TARGET, middle_limits=1.0), "middle_limits: got 1.0"),
    "bones of no length": (lambda: _dot().reach((0, 1, 2), (1, 0, 0)), "'a' and 'b' in one place"),
    "an angle of text": (lambda: WALK.aim("Head", TARGET, max_angle="wide"), "max_angle: got 'wide'"),
    "an offset in the plane": (lambda: WALK.aim("Head", TARGET, offset=(1, 2)), "offset"),
    "fps of text": (lambda: WALK.resampled("a"), "fps: got 'a'; expected a number of frames a second greater than 0"),
    "a clip of no skeleton": (lambda: Clip("walk", WALK.rotations), "skeleton: got 'walk'"),
    "a pose of text": (lambda: Pose(WALK.skeleton, "T"), "rotations: got 'T'"),
    "names that are a text": (lambda: Skeleton("abc", [-1, 0, 1], np.zeros((3, 3))), "names: got 'abc'"),
    "a frame beyond": (lambda: WALK[10], "frame: got 10"),
    "an unknown field": (lambda: WALK.with_(frames=3), "with_: got frames"),
    "a foot that is none": (lambda: WALK.with_(feet=(99,)), "joint: got 99"),
    "after a pose": (lambda: WALK.then(WALK[0]), "other: got .*; expected a Clip"),
    "moved by words": (lambda: WALK.moved("up"), "translation: got 'up'"),
}


def _dot():
    return Pose.rest(Skeleton(("a", "b", "c"), [-1, 0, 1], np.zeros((3, 3))))


@pytest.mark.parametrize("case", CASES)
def test_wrong_arguments_are_named(case):
    call, message = CASES[case]
    with pytest.raises(LimbikError, match=message):
        call()


def test_an_unknown_limb_is_a_key_error_too():
    with pytest.raises(KeyError):
        find_limbs(WALK)["left_hand"]
    assert find_limbs(WALK).get("left_hand") is None and "left_hand" not in find_limbs(WALK)


def test_a_clip_of_key_frames_says_how_to_get_more():
    few = WALK.with_(fps=0.8)
    assert "load(path, fps=30)" in repr(few) and "load" not in repr(WALK)
