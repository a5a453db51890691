"""Feet on stairs that have little time: they stay on their tread; runs take two treads a step."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from tests.assets import present
from tests.grounding import measures
from tests.grounding.test_bars import STAIRS, snap, walk


@pytest.fixture(scope="module")
def clips():
    return {}


def hop(seconds):
    """A figure that stands still, but for its left foot, which steps ahead by 0.3 m in so many seconds."""
    clip = measures.frozen(samples.walk(120), 40, 150)
    limb = limbik.find_limbs(clip)["left_leg"]
    positions, rotations = clip.world()
    part = np.clip((np.arange(150) - 60.0) / (seconds * clip.fps), 0.0, 1.0)
    way = np.stack([0.0 * part, 0.05 * np.sin(np.pi * part) ** 2, 0.3 * part**2 * (3.0 - 2.0 * part) - 0.1], axis=-1)
    return clip.reach(limb, positions[:, limb.joints[-1]] + way, end_rotation=rotations[:, limb.joints[-1]]), limb


@pytest.mark.parametrize(("seconds", "rises"), [(0.12, False), (0.6, True)])
def test_a_foot_changes_its_level_only_where_it_has_time(seconds, rises):
    clip, limb = hop(seconds)
    toes = clip.positions()[:, limb.toes[-1], 2]
    edge = 0.6 * toes[0] + 0.4 * toes[-1]
    result = ground(clip, lambda x, z: np.where(z < edge, 0.0, 0.17))
    foot = result.clip.positions()[:, limb.joints[-1], 1]
    assert (foot[-1] - foot[0] > 0.1) == rises
    assert result.standing[-1].all()


@pytest.mark.parametrize("spec", STAIRS)
@pytest.mark.parametrize("name", present("bvh/cmu_16_35.bvh", "bvh/cmu_09_03.bvh"))
def test_runs_take_two_treads_a_step(clips, name, spec):
    clip = walk(clips, name)
    result = ground(clip, spec)
    balls = result.clip.positions()[:, list(result.clip.feet)]
    steps = []
    for k in range(2):
        for first, stop in measures.intervals(result.clip.contacts[:, k]):
            steps.append((first, result.terrain.height(balls[(first + stop) // 2, k, [0, 2]])))
    treads = np.abs(np.diff([height for _, height in sorted(steps)])) / 0.17
    assert np.allclose(treads[1:], 2.0, atol=0.1)
    assert snap(result.report) <= 12.0
