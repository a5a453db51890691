"""A frame with NaN or infinity affects itself alone, in `reach` and in `aim`."""

import numpy as np
import pytest

from limbik import Clip, Pose, samples
from tests.assets import asset, present

BAD = [5, 20, 21, 39]


@pytest.fixture(scope="module", params=["sample", *present("gltf/Fox.glb")])
def clip(request):
    from limbik import load

    return samples.walk(40) if request.param == "sample" else load(asset(request.param), fps=60)[:40]


def targets_of(clip, limb):
    """Points that pass behind the shoulder or hip, where frames depend on their neighbours."""
    positions, joints = clip.positions(), list(clip.skeleton.limbs[limb].joints)
    reach = np.linalg.norm(np.diff(positions[0, joints], axis=0), axis=-1).sum()
    turn = np.linspace(0, 3 * np.pi, len(clip))
    return positions[:, joints[0]] + 0.7 * reach * np.stack([np.sin(turn), 0.3 * np.cos(turn), np.cos(turn)], axis=-1)


def without(clip, frames):
    keep = np.setdiff1d(np.arange(len(clip)), frames)
    scales = None if clip.scales is None else clip.scales[keep]
    return Clip(clip.skeleton, clip.rotations[keep], clip.translations[keep], scales, fps=clip.fps), keep


def check(clip, broken, posed, wanted, keep, joints):
    assert np.array_equal(posed.rotations[keep], wanted.rotations)
    assert np.isnan(posed.rotations[np.ix_(BAD, joints[:2])]).all()
    others = np.setdiff1d(np.arange(len(clip.skeleton)), joints)
    assert np.array_equal(posed.rotations[:, others], broken.rotations[:, others], equal_nan=True)


@pytest.mark.parametrize("limb", ["left_leg", "right_arm"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("what", ["targets", "pole", "end_rotation", "rotations", "translations"])
def test_a_bad_frame_is_nan_alone(clip, limb, value, what):
    arguments = {"targets": targets_of(clip, limb)}
    if what == "pole":
        arguments["pole"] = np.tile([0.1, 0.3, 1.0], (40, 1))
    if what == "end_rotation":
        arguments["end_rotation"] = np.tile([0.0, 0.0, 0.0, 1.0], (40, 1))
    short, keep = without(clip, BAD)
    wanted = short.reach(limb, **{name: array[keep] for name, array in arguments.items()})
    broken = clip
    if what in arguments:
        arguments[what] = arguments[what].copy()
        arguments[what][BAD, 1] = value
    else:
        changed = np.array(getattr(clip, what))
        changed[BAD, 0] = value
        broken = clip.with_(**{what: changed})
    posed = broken.reach(limb, **arguments)
    check(clip, broken, posed, wanted, keep, list(clip.skeleton.limbs[limb].joints))


def test_a_frame_of_no_weight_needs_no_target(clip):
    targets, weight = targets_of(clip, "left_arm"), np.ones(40)
    targets[BAD], weight[BAD] = np.nan, 0.0
    posed = clip.reach("left_arm", targets, weight=weight)
    assert np.isfinite(posed.rotations).all()
    assert np.array_equal(posed.rotations[BAD], clip.rotations[BAD])


def test_options_may_differ_from_frame_to_frame():
    clip = samples.walk(40)
    targets, soften = targets_of(clip, "left_arm"), np.linspace(0.7, 1.0, 40)
    short, keep = without(clip, BAD)
    wanted = short.reach("left_arm", targets[keep], soften=soften[keep], middle_limits=(0.1, 2.5))
    targets[BAD] = np.nan
    posed = clip.reach("left_arm", targets, soften=soften, middle_limits=(0.1, 2.5))
    assert np.array_equal(posed.rotations[keep], wanted.rotations)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 1, 4)])
def test_any_leading_axes(shape):
    clip, rng = samples.walk(40), np.random.default_rng(0)
    pose = Pose(clip.skeleton, clip.rotations[rng.integers(0, 40, shape)], clip.translations[0])
    targets = pose.positions()[..., pose.skeleton.index("LeftHand"), :] + 0.1
    wanted = pose.reach("left_arm", targets).rotations
    bad = np.ones(shape, bool) if not shape else np.arange(np.prod(shape)).reshape(shape) % 3 == 1
    posed = pose.reach("left_arm", np.where(bad[..., None], np.nan, targets)).rotations
    if len(shape) != 1:  # on one axis, which is time, bones bend about the mean hinge of all frames
        assert np.allclose(posed[~bad], wanted[~bad], atol=1e-6)
    assert np.isnan(posed[bad]).any(axis=(-2, -1)).all() and np.isfinite(posed[~bad]).all()


def test_aim_at_a_bad_target_affects_its_frame_alone():
    clip = samples.walk(40)
    targets = clip.positions()[:, 0] + [1.0, 0.5, 2.0]
    wanted = clip.aim("head", targets)
    targets[BAD] = np.nan
    posed = clip.aim("head", targets)
    keep = np.setdiff1d(np.arange(40), BAD)
    assert np.array_equal(posed.rotations[keep], wanted.rotations[keep])
    assert np.isnan(posed.rotations[BAD, clip.skeleton.index("Head")]).all()
