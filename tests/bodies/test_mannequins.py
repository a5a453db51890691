"""Figures without a mesh: a mannequin with hands and a head where they are human, bones where they are not."""

import numpy as np
import pytest

import limbik
from limbik.bodies.mannequin import mannequin
from limbik.skeleton.skeleton import Skeleton
from tests.assets import SAMPLE_BVH, asset


def figures():
    yield limbik.samples.walk(2).skeleton
    yield limbik.load(asset(SAMPLE_BVH)).skeleton


@pytest.mark.parametrize("which", [0, 1])
def test_humans_have_hands_heads_and_shoes(which):
    skeleton = list(figures())[which]
    body = mannequin(skeleton)
    coat = next(part for part in body.parts if part.material.name == "coat")
    places = limbik.Pose.rest(skeleton).positions()
    most = coat.joints[np.arange(len(coat.joints)), coat.weights.argmax(axis=1)]
    size = np.ptp(places[:, 1])
    for limb in skeleton.limbs.values():
        own = coat.positions[most == limb.joints[-1]]
        reach = np.linalg.norm(own - places[limb.joints[-1]], axis=-1).max()
        assert 0.05 * size < reach < 0.2 * size  # a hand or a shoe
    head = next(k for k, name in enumerate(skeleton.names) if name.lower().endswith("head"))
    own = coat.positions[most == head]
    assert np.all(np.ptp(own, axis=0) > 0.06 * size) and np.ptp(own[:, 1]) < 0.2 * size
    assert np.allclose(coat.weights.sum(axis=1), 1.0)


def test_other_figures_are_drawn_as_bones():
    chain = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 0]]))
    assert [part.material.name for part in mannequin(chain).parts] == ["bone"]
    alone = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    assert len(mannequin(alone).parts[0].positions)


def test_mannequins_move_with_their_bones():
    clip = limbik.samples.walk(2)
    from limbik.rendering.posed_figures import PosedFigures

    places = PosedFigures(clip).mesh_of([clip[1]]).places
    joints = clip.positions()[1]
    low, high = joints.min(axis=0) - 0.2, joints.max(axis=0) + 0.35
    assert np.all((places > low) & (places < high))


def test_figures_that_rest_with_arms_raised_beside_the_head_have_shoulders_and_a_head_of_their_size():
    skeleton = limbik.samples.walk(2).skeleton
    names = list(skeleton.names)
    translations = skeleton.translations.copy()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shoulder, elbow, wrist = (skeleton.limbs[f"{side}_arm"].joints[k] for k in (0, 1, -1))
        translations[shoulder, 0] = 0.2 * translations[shoulder, 0]
        for joint in (elbow, wrist):
            translations[joint] = [0.01 * sign, np.linalg.norm(translations[joint]), 0.0]
    raised = Skeleton(tuple(names), skeleton.parents, translations)
    wide, heads = [], []
    for one in (skeleton, raised):
        coat = next(part for part in mannequin(one).parts if part.material.name == "coat")
        most = coat.joints[np.arange(len(coat.joints)), coat.weights.argmax(axis=1)]
        head = next(k for k, name in enumerate(names) if name.lower().endswith("head"))
        heads.append(np.ptp(coat.positions[most == head, 1]))
        trunk = coat.positions[np.isin(most, [k for k, name in enumerate(names) if "pine" in name or "hest" in name])]
        wide.append(np.ptp(trunk[:, 0]))
    assert heads[1] == pytest.approx(heads[0], rel=0.05)
    assert wide[1] > 0.6 * wide[0]
    assert limbik.Pose.rest(skeleton).positions()[:, 1].max() < limbik.Pose.rest(raised).positions()[:, 1].max()
