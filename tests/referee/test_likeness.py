"""The likeness of two motions: the angles between their links, and where they face, from positions alone."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.referee.likeness import likeness
from limbik.rotations import about, multiply


@pytest.fixture(scope="module")
def walk():
    return samples.walk(30)


def measured(walk, other):
    pairs = {name: (limb.joints, limb.joints) for name, limb in limbik.find_limbs(walk).items()}
    return likeness(walk.positions(), other.positions(), pairs)


def test_a_motion_is_like_itself_moved_and_scaled(walk):
    assert max(measured(walk, walk.moved([1.0, 2.0, 3.0])).worst.values()) < 1e-6
    pairs = {name: (limb.joints, limb.joints) for name, limb in limbik.find_limbs(walk).items()}
    found = likeness(walk.positions(), 0.3 * walk.positions(), pairs)
    assert max(found.worst.values()) < 1e-6
    assert set(found.median) == {
        *(f"{side} {link}" for side in ("left", "right") for link in ("thigh", "shank", "upper arm", "forearm")),
        "facing",
    }


def test_a_turned_link_differs_by_its_angle(walk):
    index = walk.skeleton.index
    clip = walk.with_(rotations=np.tile(walk.skeleton.rotations, (len(walk), 1, 1)))  # at rest, arms to the sides
    rotations = clip.rotations.copy()
    rotations[:, index("LeftForeArm")] = multiply(about([0.0, 1.0, 0.0], 0.2), rotations[:, index("LeftForeArm")])
    found = measured(clip, clip.with_(rotations=rotations))
    assert found.median["left forearm"] == pytest.approx(np.degrees(0.2), rel=0.05)
    assert max(angle for name, angle in found.worst.items() if name != "left forearm") < 1e-6


def test_a_figure_that_is_turned_faces_elsewhere(walk):
    root = walk.skeleton.roots[0]
    rotations = walk.rotations.copy()
    rotations[:, root] = multiply(about([0.0, 1.0, 0.0], 0.5), rotations[:, root])
    assert measured(walk, walk.with_(rotations=rotations)).median["facing"] == pytest.approx(np.degrees(0.5), abs=1e-6)
    heading, lines = measured(walk, walk).table()
    assert heading[0].startswith("angle") and len(lines) == 9 and measured(walk, walk).as_dict()["worst"]
