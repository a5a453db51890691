"""Mirrored, each joint is at its counterpart's mirror image, whatever axes joints have, and bones keep their length."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.symmetry import NO_PARTNER, symmetry
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS

MIRROR = np.array([-1.0, 1.0, 1.0])


def counterparts(convention):
    """The number of each joint's counterpart, by what the convention's sides are called."""
    left = figures.read_tree(convention.tree, convention.left, convention.right)[0]
    right = figures.read_tree(convention.tree, convention.right, convention.left)[0]
    return [left.index(name) for name in right]


def bones(clip):
    positions = clip.positions()
    children = np.flatnonzero(clip.skeleton.parents >= 0)
    return np.linalg.norm(positions[:, children] - positions[:, clip.skeleton.parents[children]], axis=-1)


@given(st.sampled_from(sorted(CONVENTIONS)), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_joints_are_at_their_counterparts_mirror_image(convention, seed, named, turned):
    convention, rng = CONVENTIONS[convention], np.random.default_rng(seed)
    names, parents, places = convention.read()
    if turned:  # the rest pose may face anywhere
        places = Rotation.from_euler("y", rng.uniform(-np.pi, np.pi)).apply(places) + [0.3, 0.0, 2.0]
    called = names if named else [f"node_{k}" for k in range(len(names))]
    skeleton = figures.resting(called, parents, places, rng=rng)
    clip = figures.moving(skeleton, rng, 6)
    if named:  # bones that stretch, too; without names nothing tells which of two joints in one place does
        clip = clip.with_(translations=clip.translations + rng.normal(0.0, 0.1, clip.translations.shape))
    wanted = clip.positions()[:, counterparts(convention)] * MIRROR
    assert np.abs(clip.mirrored().positions() - wanted).max() < 1e-5
    if not named:
        assert np.allclose(bones(clip.mirrored()), bones(clip), atol=1e-12)


@given(st.sampled_from(sorted(CONVENTIONS)), st.integers(0, 2**32))
def test_mirrored_twice_is_the_motion_itself(convention, seed):
    rng = np.random.default_rng(seed)
    names, parents, places = CONVENTIONS[convention].read()
    skeleton = figures.resting(names, parents, places + rng.normal(0.0, 0.01, places.shape), rng=rng)
    clip = figures.moving(skeleton, rng, 5, scales=rng.uniform(0.5, 2.0, (5, 1, 1)), feet=(1, 2))
    twice = clip.mirrored().mirrored()
    assert twice.feet == clip.feet
    assert np.allclose(twice.positions(), clip.positions(), atol=1e-9)
    assert np.allclose(np.abs(np.sum(twice.rotations * clip.rotations, axis=-1)), 1.0, atol=1e-9)
    assert np.allclose(twice.scales, clip.scales, atol=1e-9)


def test_bones_of_an_uneven_figure_keep_their_lengths():
    rng = np.random.default_rng(3)
    names, parents, places = CONVENTIONS["Mixamo"].read()
    skeleton = figures.resting(names, parents, places * rng.uniform(0.95, 1.05, places.shape), rng=rng)
    clip = figures.moving(skeleton, rng, 10)
    mirrored = clip.mirrored()
    assert np.allclose(bones(mirrored), bones(clip), atol=1e-12)
    wanted = clip.positions()[:, counterparts(CONVENTIONS["Mixamo"])] * MIRROR
    assert np.abs(mirrored.positions() - wanted).max() < 0.3  # as near as its bones let it


def test_scales_go_along_with_the_axes_of_their_joint():
    rng = np.random.default_rng(4)
    names, parents, places = CONVENTIONS["Unity"].read()
    skeleton = figures.resting(names, parents, places)  # frames that are mirror images: plain axes
    clip = figures.moving(skeleton, rng, 4, scales=rng.uniform(0.5, 2.0, (4, len(names), 3)))
    wanted = clip.positions()[:, counterparts(CONVENTIONS["Unity"])] * MIRROR
    assert np.allclose(clip.mirrored().positions(), wanted, atol=1e-9)


def test_what_has_no_counterpart_stays_in_the_hand_that_holds_it():
    rng = np.random.default_rng(5)
    names, parents, places = CONVENTIONS["Unity"].read()
    hand = names.index("rightHand")
    names, parents = [*names, "Sword", "SwordTip"], [*parents, hand, len(names)]
    places = np.vstack([places, places[hand] + [0.0, 0.1, 0.3], places[hand] + [0.0, 0.2, 0.9]])
    skeleton = figures.resting(names, parents, places, rng=rng)
    assert symmetry(skeleton).partners[-2:].tolist() == [NO_PARTNER, NO_PARTNER]
    clip = figures.moving(skeleton, rng, 5)
    mirrored = clip.mirrored()
    assert np.array_equal(mirrored.rotations[:, -2:], clip.rotations[:, -2:])
    hilt = np.linalg.norm(clip.positions()[:, -2] - clip.positions()[:, hand], axis=-1)
    assert np.allclose(np.linalg.norm(mirrored.positions()[:, -2] - mirrored.positions()[:, hand], axis=-1), hilt)


def test_a_figure_without_sides_is_turned_round():
    rng = np.random.default_rng(6)
    skeleton = figures.resting(["a", "b", "c"], [-1, 0, 1], np.array([(0, 0, 0), (0, 1, 0), (0, 2, 0.5)]), rng=rng)
    clip = figures.moving(skeleton, rng, 5)
    assert np.allclose(clip.mirrored().positions(), clip.positions() * MIRROR, atol=1e-12)


def test_contacts_are_of_the_other_foot():
    convention = CONVENTIONS["LAFAN1"]
    skeleton = figures.resting(*convention.read())
    feet = skeleton.index("LeftFoot"), skeleton.index("RightFoot")
    contacts = np.random.default_rng(0).random((5, 2)) < 0.5
    clip = figures.moving(skeleton, np.random.default_rng(7), 5, feet=feet, contacts=contacts)
    mirrored = clip.mirrored()
    assert mirrored.feet == feet[::-1]
    assert np.array_equal(mirrored.contacts, contacts)


def test_pairs_are_told_apart_where_they_start_in_one_place():
    names, parents, places = CONVENTIONS["CMU"].read()
    skeleton = figures.resting([str(k) for k in range(len(names))], parents, places)
    assert symmetry(skeleton).partners.tolist() == counterparts(CONVENTIONS["CMU"])


def test_a_nearly_even_figure_is_mirrored_across_the_axis_of_the_world():
    rng = np.random.default_rng(8)
    names, parents, places = CONVENTIONS["CMU"].read()
    for _ in range(20):
        skeleton = figures.resting(names, parents, places + rng.normal(0.0, 0.01, places.shape))
        assert symmetry(skeleton).normal.tolist() == [1.0, 0.0, 0.0]


def test_sides_are_those_that_the_names_tell():
    names, parents, places = CONVENTIONS["SMPL"].read()
    plane = symmetry(Skeleton(tuple(names), parents, np.zeros((len(names), 3)) + [0.0, 0.1, 0.0]))
    assert plane.partners.tolist() == counterparts(CONVENTIONS["SMPL"])  # where all joints are in one line
    backward = symmetry(figures.resting(names, parents, places * [-1, 1, -1]))
    assert backward.named
    assert backward.normal.tolist() == [-1.0, 0.0, 0.0]
