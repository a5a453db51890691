"""Feet that are children of the rig's root, as with IK controls, are grounded as those that are children of shins."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.errors import LimbikError
from limbik.rotations import inverse, multiply, rotate
from tests.assets import asset


def with_detached_feet(clip):
    """The same motion with both feet as children of the root."""
    skeleton, feet = clip.skeleton, [clip.skeleton.limbs[name].joints[-1] for name in ("left_leg", "right_leg")]

    def local(pose):
        positions, world = pose.world()
        rotations, translations = pose.rotations.copy(), pose.translations.copy()
        back = inverse(world[..., :1, :])
        rotations[..., feet, :] = multiply(back, world[..., feet, :])
        translations[..., feet, :] = rotate(back, positions[..., feet, :] - positions[..., :1, :])
        return rotations, translations

    parents = skeleton.parents.copy()
    parents[feet] = 0
    rotations, translations = local(limbik.Pose.rest(skeleton))
    bones = limbik.Skeleton(skeleton.names, parents, translations, rotations, end_sites=skeleton.end_sites)
    return limbik.Clip(bones, *local(clip), fps=clip.fps, name=clip.name)


def test_feet_that_hang_from_the_root_are_grounded_like_others():
    clip = samples.walk(120)
    detached = with_detached_feet(clip)
    assert np.abs(detached.positions() - clip.positions()).max() < 1e-12
    assert {name: limb.joints for name, limb in limbik.find_limbs(detached).items()} == {
        name: limb.joints for name, limb in limbik.find_limbs(clip).items()
    }
    wanted, found = (limbik.ground(one, "slope:10").clip.positions() for one in (clip, detached))
    assert np.abs(found - wanted).max() < 2e-3


def test_legs_of_a_character_whose_feet_hang_from_the_root():
    clip = limbik.load(asset("gltf/RobotExpressive.glb"), animation="Walking")
    limbs = limbik.find_limbs(clip)
    assert [clip.skeleton.names[joint] for joint in limbs["left_leg"].joints] == ["UpperLeg.L", "LowerLeg.L", "Foot.L"]
    assert [name for name, limb in limbs.items() if limb.stands] == ["left_leg", "right_leg"]
    result = limbik.ground(clip, "slope:10")
    foot = limbs["left_leg"].joints[-1]
    stands = result.clip.contacts[:, 0]
    before, after = (one.world()[1][stands, foot] for one in (result.before, result.clip))
    up = rotate(multiply(after, inverse(before)), np.array([0.0, 1.0, 0.0]))  # a foot without toes is a plate, too
    assert np.abs(up - result.terrain.normal((0.0, 0.0))).max() < 1e-3
    total = result.report.total
    assert result.clip.contacts.any(axis=0).all()
    assert total.after.slide_mm < 0.4 * total.before.slide_mm
    assert result.report.bone_change_mm < 1e-6


def test_a_foot_beyond_the_reach_of_its_leg_stays_where_it_is_on_a_plane():
    """In this clip the right foot is 2.1 m from its hip, and the leg 1.5 m long; the figure does not sink for it."""
    clip = limbik.load(asset("gltf/RobotExpressive.glb"), animation="Punch")
    after = limbik.ground(clip, "plane").clip.positions()
    assert np.abs(after - clip.positions()).max() < 0.06


def test_a_figure_with_arms_only_is_not_grounded_on_them():
    clip = samples.walk(10)
    arms = [joint for name in ("left_arm", "right_arm") for joint in clip.skeleton.limbs[name].joints]
    names = [name if joint in arms else f"bone_{joint}" for joint, name in enumerate(clip.skeleton.names)]
    rest = clip.skeleton.translations * [1.0, 0.0, 1.0]  # flat: nothing hangs below anything
    bones = limbik.Skeleton(tuple(names), clip.skeleton.parents, rest)
    with pytest.raises(LimbikError, match=r"no legs found.*left_arm.*legs=\["):
        limbik.ground(limbik.Clip(bones, clip.rotations, clip.translations, fps=30.0), "plane")


def test_legs_without_names_whose_feet_hang_from_the_root_can_be_given():
    clip = with_detached_feet(samples.walk(60))
    limbs = clip.skeleton.limbs
    bones = limbik.Skeleton(
        tuple(f"bone_{k}" for k in range(len(clip.skeleton))),
        clip.skeleton.parents,
        clip.skeleton.translations * [1.0, 0.0, 1.0],
        end_sites=clip.skeleton.end_sites,
    )
    unnamed = limbik.Clip(bones, clip.rotations, clip.translations, fps=clip.fps)
    with pytest.raises(LimbikError, match=r"no legs found; name them.*legs=\["):
        limbik.ground(unnamed, "slope:10")
    legs = [limbs[name].joints for name in ("left_leg", "right_leg")]
    found = limbik.ground(unnamed, "slope:10", legs=legs)
    wanted = limbik.ground(clip, "slope:10", legs=legs)
    assert [foot.limb.joints for foot in found.feet] == legs
    assert np.abs(found.clip.positions() - wanted.clip.positions()).max() < 0.03
