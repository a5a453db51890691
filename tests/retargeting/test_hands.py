"""Hands that touch each other in the source do so on any figure; hands that only pass do not."""

import numpy as np
import pytest

import limbik
from limbik import samples

from .figures import figure

GAP_METRES = 0.08


@pytest.fixture(scope="module")
def clasped():
    """A walk with the hands held together in front of the chest."""
    walk = samples.walk(60)
    index, places = walk.skeleton.index, walk.positions()
    left = places[:, index("LeftArm")] - places[:, index("RightArm")]
    left /= np.linalg.norm(left, axis=-1, keepdims=True)
    ahead = np.cross(left, [0.0, 1.0, 0.0])
    middle = 0.5 * (places[:, index("LeftArm")] + places[:, index("RightArm")]) + 0.3 * ahead - [0.0, 0.2, 0.0]
    return walk.reach("left_arm", middle + 0.5 * GAP_METRES * left).reach("right_arm", middle - 0.5 * GAP_METRES * left)


@pytest.mark.parametrize("name", ["gltf/KayKit_Rogue.glb", "gltf/RiggedFigure.glb", "vrm/Godette_vrm0.vrm", "biped"])
def test_hands_that_touch_do_so_on_any_figure(name, clasped):
    result = limbik.retarget(clasped, figure(name))
    source, target = (
        one.positions()[:, [limbik.find_limbs(one)[arm].joints[-1] for arm in ("left_arm", "right_arm")]]
        for one in (result.source, result.clip)
    )
    gap = [np.linalg.norm(one[:, 1] - one[:, 0], axis=-1) for one in (source, target)]
    assert np.all(np.abs(gap[1] - GAP_METRES * result.scale) < 0.05)
    assert np.median(np.abs(gap[1] - gap[0] * result.scale)) < 0.03


@pytest.mark.parametrize("name", ["gltf/KayKit_Rogue.glb", "vrm/Godette_vrm0.vrm"])
def test_hands_that_swing_past_the_body_swing_on(name):
    result = limbik.retarget(samples.walk(60), figure(name))
    assert max(angle for part, angle in result.likeness.worst.items() if "arm" in part) < 0.1
