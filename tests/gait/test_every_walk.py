"""What holds for every creature on every ground, straight and turning."""

from itertools import product

import numpy as np
import pytest

from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.planes import Plane
from tests.thoroughness import some

from .walks import GROUNDS, PRESETS, journey

FASTEST = 75.0  # radians a second that a joint may turn, at the most; on level ground a third of it
STRETCHED = 0.9999  # of a leg's length: never quite straight


# Of the module's scope, so that tests of one walk are run one after the other, and it is made once.
@pytest.fixture(scope="module", params=some(product(PRESETS, GROUNDS), 3), ids="-".join)
def walk(request):
    return journey(*request.param)


def test_feet_that_stand_do_not_move(walk):
    assert walk.slide < 1e-6


def test_feet_stand_on_the_ground_and_are_never_below_it(walk):
    assert np.abs(walk.above_ground[walk.contacts]).max() < 1e-3
    tips, others = walk.above_ground[..., : walk.legs], walk.above_ground[..., walk.legs :]
    # The mesh is found by rays in single precision.
    assert tips.min() > (-1e-9 if not isinstance(walk.terrain, Mesh) else -1e-4)
    assert others.min(initial=0.0) > -2e-3  # heels and toes


def test_every_leg_reaches_in_every_frame(walk):
    asked = walk.states.tips.reshape(3, walk.legs, len(walk.clip), -1).transpose(2, 3, 1, 0)
    assert np.abs(walk.tips - asked).max() < 1e-9
    assert walk.extension.max() < STRETCHED


def test_joints_never_pop(walk):
    assert walk.turning.max() < (FASTEST if walk.terrain != Plane() else FASTEST / 3.0)


def test_bodies_stay_above_the_ground(walk):
    trunk = walk.joints[:, :, : walk.creature.body.segments]
    clear = trunk[..., 1] - walk.terrain.height(trunk[..., ::2])
    assert clear.min() > 0.25 * walk.creature.height


def test_feet_keep_apart(walk):
    assert walk.apart > 0.5 * walk.creature.foot
