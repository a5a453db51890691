"""Skeletons, poses and clips never change, whatever happens to the arrays that they were made from."""

import numpy as np
import pytest

from limbik import Clip, Pose, Skeleton, samples
from limbik.skeleton.skeleton import as_frozen_array, freeze

WALK = samples.walk(10)


def arrays():
    """Writable arrays of all fields, by class and name."""
    skeleton = {name: np.array(getattr(WALK.skeleton, name)) for name in ("parents", "translations", "rotations")}
    skeleton |= {"scales": np.full((31, 3), 1.5), "end_sites": np.zeros(31, bool)}
    pose = {"rotations": np.array(WALK.rotations), "translations": np.array(WALK.translations)}
    pose["scales"] = np.ones((10, 31, 3))
    return skeleton, pose, np.zeros((10, 2), bool)


def views(array):
    """Ways in which the caller may go on writing to an array that was passed on."""
    read_only = array.view()
    read_only.flags.writeable = False
    return {"itself": array, "view": array[:], "read-only view": read_only, "transposed": array.T.copy().T}


@pytest.mark.parametrize("way", ["itself", "view", "read-only view", "transposed"])
def test_later_changes_of_the_callers_arrays_change_nothing(way):
    skeleton, pose, contacts = arrays()
    passed = {name: views(array)[way] for name, array in skeleton.items()}
    bones = Skeleton(WALK.skeleton.names, **passed)
    parts = {name: views(array)[way] for name, array in pose.items()}
    made = [bones, Pose(bones, **parts), Clip(bones, **parts, feet=(3, 4), contacts=views(contacts)[way])]
    held = [(owner, name) for owner in made for name in (*pose, *(skeleton if owner is bones else ()))]
    held.append((made[2], "contacts"))
    before = [getattr(owner, name).copy() for owner, name in held]
    for array in (*passed.values(), *parts.values(), *skeleton.values(), *pose.values(), contacts):
        if array.flags.writeable:
            array[...] = 1 - array if array.dtype != bool else ~array
    for (owner, name), was in zip(held, before, strict=True):
        assert np.array_equal(getattr(owner, name), was), (type(owner), name)
        with pytest.raises(ValueError, match="read-only"):
            getattr(owner, name)[...] = 0
        with pytest.raises(AttributeError):
            setattr(owner, name, was)


def test_with_takes_its_own_copy_too():
    rotations = np.array(WALK.rotations)
    clip = WALK.with_(rotations=rotations)
    rotations[3] = 0.0
    assert np.array_equal(clip.rotations, WALK.rotations)


def test_what_nobody_can_write_to_is_not_copied():
    fresh = freeze(np.ones((10, 31, 4)))
    assert as_frozen_array("array", fresh) is fresh and np.shares_memory(as_frozen_array("part", fresh[2:5]), fresh)
    assert np.shares_memory(Clip(WALK.skeleton, fresh).rotations, fresh)
    assert WALK.with_(name="other").rotations is WALK.rotations
    still = Clip(WALK.skeleton, fresh)
    assert still.translations.strides[0] == 0  # the rest pose is broadcast over the frames


def test_they_compare_by_identity_and_can_be_keys():
    other = WALK.with_()
    for one, same in ((WALK, other), (WALK[0], WALK[0]), (WALK.skeleton, samples.walk(3).skeleton)):
        assert one == one and one != same and len({one, same}) == 2
    assert WALK.skeleton.has_joints_of(Skeleton(WALK.skeleton.names, WALK.skeleton.parents, np.zeros((31, 3))))
    assert not WALK.skeleton.has_joints_of(Skeleton(("a",), [-1], [[0, 0, 0]]))


def test_frames_can_be_iterated_over():
    assert [np.array_equal(pose.rotations, WALK.rotations[k]) for k, pose in enumerate(WALK)] == [True] * 10
