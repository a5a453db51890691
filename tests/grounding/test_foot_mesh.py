"""Files with a skin show how far a shoe reaches beyond the joints of a foot: it stays out of treads and risers."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.grounding.foot_mesh import foot_vertices
from limbik.grounding.ground import ground
from limbik.referee.measures import depths
from tests.grounding.test_bars import STAIRS


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    """A rig whose toes are one joint without an end, and its mesh, from a file."""
    path = tmp_path_factory.mktemp("rig") / "character.glb"
    limbik.save(samples.character(300), path)
    return limbik.load(path)


def boot_depths(result, k):
    """How deep (frames,) vertices of a boot are inside the ground, metres; those of its toes bend with the ball."""
    foot, (positions, rotations) = result.feet[k], result.clip.world()
    vertices = foot_vertices(result.before, foot.ankle)
    forward = limbik.rotations.rotate(limbik.rotations.inverse(foot.flat), np.array([0.0, 0.0, 1.0]))
    toes = vertices @ forward > foot.to_ball @ forward
    around = limbik.rotations.rotate(limbik.rotations.inverse(foot.toes_flat), vertices[toes] - foot.to_ball)
    points = positions[:, foot.ankle, None] + limbik.rotations.rotate(rotations[:, foot.ankle, None], vertices[None])
    points[:, toes] = positions[:, foot.ball, None] + limbik.rotations.rotate(rotations[:, foot.ball, None], around)
    return depths(points, result.terrain).max(axis=1)


def test_the_tip_of_a_shoe_comes_from_its_mesh(character):
    foot = ground(character, "plane").feet[0]
    assert not np.any(foot.to_tip)
    assert 0.03 < np.linalg.norm(foot.to_front) < 0.1
    assert np.array_equal(ground(samples.walk(120), "plane").feet[0].to_front, np.zeros(3))


@pytest.mark.parametrize("spec", ["plane", *STAIRS])
def test_boots_stay_out_of_treads_and_risers(character, spec):
    result = ground(character, spec)
    for k in range(2):
        deep, stands = boot_depths(result, k), result.standing[:, k]
        assert deep[stands].max() <= 0.005 and deep[~stands].max() <= 0.002


def test_clips_without_a_mesh_have_no_vertices():
    assert foot_vertices(samples.walk(30), 3) is None
