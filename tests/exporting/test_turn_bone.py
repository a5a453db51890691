"""`turn_bone`: a rig's bone turned by as much as its link, in languages without an engine's quaternions."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik.exporting.functions import LimbFunctions
from limbik.exporting.language import Unit
from tests.exporting.toolchains import TOOLCHAINS


@pytest.mark.parametrize("language", ["c", "cpp", "rust"])
def test_a_bone_keeps_its_rotation_relative_to_its_link(language, tmp_path):
    functions = LimbFunctions("two_link", frozenset(["bones"]), ("rotations",)).functions("float64")
    program = TOOLCHAINS[language]([Unit("two_link", ["two links"], functions, "float64")], tmp_path)
    before, after, bone = (Rotation.random(100, random_state=seed) for seed in range(3))
    rows = np.concatenate([one.as_quat() for one in (before, after, bone)], axis=1)
    turned = Rotation.from_quat(program.run("two_link", "turn_bone", rows))
    assert ((after.inv() * turned).inv() * (before.inv() * bone)).magnitude().max() < 1e-14
