"""Limbs whose foot hangs from another part of the rig than the shin: reach moves both, as if they were one chain."""

import numpy as np
import pytest

import limbik
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS


@pytest.mark.parametrize("convention", ["feet that hang from the root", "feet under IK controls"])
def test_a_foot_that_hangs_from_another_part_of_the_rig_takes_its_leg_along(convention):
    """The shin ends where the foot is; bones keep their lengths; no other joint moves; scales of ancestors count."""
    rng = np.random.default_rng(3)
    skeleton = figures.resting(*CONVENTIONS[convention].read(), rng=rng)
    scales = np.ones((20, len(skeleton), 3))
    scales[:, 0] = 2.0
    clip = figures.moving(skeleton, rng, amount=0.3).with_(scales=scales)
    limb = limbik.find_limbs(clip)["left_leg"]
    hip, knee, foot = limb.joints
    old = clip.positions()
    reach = np.linalg.norm(old[:, foot] - old[:, knee], axis=-1) + np.linalg.norm(old[:, knee] - old[:, hip], axis=-1)
    targets = old[:, hip] + 0.8 * reach[:, None] * [0.0, -0.8, 0.6]
    turn = figures.random_quaternions(rng, 20)
    posed = clip.reach("left_leg", targets, end_rotation=turn)
    new, rotations = posed.world()
    assert np.abs(new[:, foot] - targets).max() < 1e-12
    assert np.abs(np.abs(np.sum(rotations[:, foot] * turn, axis=-1)) - 1.0).max() < 1e-12
    for a, b in ((hip, knee), (knee, foot)):
        lengths = [np.linalg.norm(one[:, a] - one[:, b], axis=-1) for one in (old, new)]
        assert np.abs(lengths[1] - lengths[0]).max() < 1e-12
    moved = {joint for joint in range(len(skeleton)) if np.abs(new[:, joint] - old[:, joint]).max() > 1e-12}
    assert moved <= {knee, foot, *(j for j in range(len(skeleton)) if {knee, foot} & set(skeleton.ancestors(j)))}
    assert np.array_equal(clip.reach("left_leg", targets, weight=0.0).translations, clip.translations)
    half = clip.reach("left_leg", targets, weight=0.5).positions()
    assert np.abs(np.linalg.norm(half[:, knee] - half[:, foot], axis=-1) - lengths[0]).max() < 1e-12
    pelvis = posed.positions()[:, clip.skeleton.torso.pelvis] - [0.0, 0.02, 0.0]
    both = limbik.reach_ends(posed, {"left_foot": targets + [0.0, 0.02, 0.02], "pelvis": pelvis})
    assert set(both.residual) == {"left_foot", "right_foot", "pelvis"}
    assert max(residual.max() for residual in both.residual.values()) < 1e-9


def test_a_frame_that_is_not_finite_is_lost_alone_where_the_foot_hangs_elsewhere():
    rng = np.random.default_rng(4)
    clip = figures.moving(figures.resting(*CONVENTIONS["feet under IK controls"].read()), rng, amount=0.2)
    targets = np.tile([0.1, 0.2, 0.1], (20, 1))
    whole = clip.reach("right_leg", targets)
    targets[7] = np.nan
    part = clip.reach("right_leg", targets)
    assert np.isnan(part.rotations[7, list(limbik.find_limbs(clip)["right_leg"].joints)]).all()
    others = np.arange(20) != 7
    assert np.array_equal(part.rotations[others], whole.rotations[others])
    assert np.array_equal(part.translations[others], whole.translations[others])
