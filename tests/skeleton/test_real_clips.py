"""Limbs, mirrors, rates and joints on the real rigs and clips."""

from functools import cache

import numpy as np
import pytest

from limbik.files.clip_files import load
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.symmetry import NO_PARTNER, symmetry
from tests.assets import CLIPS, SAMPLE_BVH, asset, present

MIRROR = np.array([-1.0, 1.0, 1.0])
HUMAN = {
    "left_leg": ("LeftUpLeg", "LeftLeg", "LeftFoot"),
    "right_leg": ("RightUpLeg", "RightLeg", "RightFoot"),
    "left_arm": ("LeftArm", "LeftForeArm", "LeftHand"),
    "right_arm": ("RightArm", "RightForeArm", "RightHand"),
}
FOX = {
    "left_leg": ("b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017", "b_LeftFoot02_018"),
    "right_leg": ("b_RightLeg01_019", "b_RightLeg02_020", "b_RightFoot01_021", "b_RightFoot02_022"),
    "left_arm": ("b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011"),
    "right_arm": ("b_RightUpperArm_06", "b_RightForeArm_07", "b_RightHand_08"),
}
FIGURE = {
    f"{side}_{limb}": tuple(f"{limb}_joint_{letter}_{k}" for k in (1, 2, 3))
    for limb in ("leg", "arm")
    for side, letter in (("left", "L"), ("right", "R"))
}
RIGS = dict(zip(present("gltf/Fox.glb", "gltf/RiggedFigure.glb"), (FOX, FIGURE), strict=False))
LIMBS = {**dict.fromkeys([SAMPLE_BVH, *CLIPS], HUMAN), **RIGS}
STANDING = {"gltf/Fox.glb": {"leg", "arm"}}


@cache
def loaded(path):
    return load(path)


def nameless(skeleton):
    return Skeleton(
        tuple(f"node_{joint}" for joint in range(len(skeleton))),
        skeleton.parents,
        skeleton.translations,
        skeleton.rotations,
        skeleton.scales,
        skeleton.end_sites,
    )


@pytest.mark.parametrize("name", LIMBS)
@pytest.mark.parametrize("names", [True, False])
def test_limbs_are_found_by_name_and_by_shape(name, names):
    skeleton = loaded(asset(name)).skeleton
    limbs = find_limbs(skeleton if names else nameless(skeleton))
    assert {name: tuple(skeleton.names[joint] for joint in limb.joints) for name, limb in limbs.items()} == LIMBS[name]
    for limb in limbs.values():
        assert limb.stands == (limb.kind in STANDING.get(name, {"leg"}))
    toes = {"LeftToeBase", "leg_joint_L_5"}
    if name != "gltf/Fox.glb":
        assert skeleton.names[limbs["left_leg"].toes[0]] in toes


@pytest.mark.parametrize(
    "name", present("gltf/RiggedSimple.glb", "gltf/SimpleSkin.gltf", "gltf/RecursiveSkeletons.glb")
)
def test_figures_without_limbs_are_an_error(name):
    with pytest.raises(NoLimbsError):
        find_limbs(loaded(asset(name)).skeleton)


@pytest.mark.parametrize("name", LIMBS)
def test_mirrored_real_motion(name):
    clip = loaded(asset(name))
    plane = symmetry(clip.skeleton)
    assert plane.normal.tolist() == [1.0, 0.0, 0.0]
    assert (plane.partners != NO_PARTNER).all()
    mirrored = clip.mirrored()
    positions = clip.positions()
    wanted = positions[:, plane.partners] * MIRROR
    size = np.ptp(positions[0], axis=0).max()
    uneven = 0.08 if name in CLIPS else 0.003  # a person's own bones differ from left to right
    assert np.linalg.norm(mirrored.positions() - wanted, axis=-1).max() < uneven * size
    bones = np.flatnonzero(clip.skeleton.parents >= 0)
    lengths, mirrored_lengths = (
        np.linalg.norm(one[:, bones] - one[:, clip.skeleton.parents[bones]], axis=-1)
        for one in (positions, mirrored.positions())
    )
    if name in CLIPS:
        assert np.allclose(mirrored_lengths, lengths, atol=1e-12)
    assert np.allclose(mirrored.mirrored().positions(), positions, atol=1e-9 * size)


@pytest.mark.parametrize("name", [SAMPLE_BVH, *CLIPS])
def test_resampled_real_motion(name):
    clip = loaded(asset(name))
    slow = clip.resampled(clip.fps / 4.0)
    assert np.array_equal(slow.rotations, clip.rotations[::4])
    again = slow.resampled(clip.fps)
    gap = np.linalg.norm(again.positions() - clip.positions()[: len(again)], axis=-1)
    assert np.median(gap) < 2e-3  # metres: a walk or a run has little between frames at 30 a second


def test_one_walk_goes_on_into_another():
    first, second = (loaded(asset(f"bvh/cmu_{take}.bvh"))[1:] for take in ("16_15", "35_01"))  # frame 0 is a T pose
    joined = first.then(second, blend=0.3)
    fastest = max(np.linalg.norm(np.diff(one.positions(), axis=0), axis=-1).max() for one in (first, second))
    assert np.linalg.norm(np.diff(joined.positions(), axis=0), axis=-1).max() < 1.6 * fastest
    assert joined.duration == pytest.approx(first.duration + second.duration - 0.3, abs=1.5 / first.fps)
    hips = joined.positions()[:, 0] * [1, 0, 1]
    before, after = hips[len(first) - 60] - hips[len(first) - 120], hips[len(first) + 120] - hips[len(first) + 60]
    cosine = before @ after / np.linalg.norm(before) / np.linalg.norm(after)
    assert cosine > 0.95  # both walk straight ahead, and so does the whole
