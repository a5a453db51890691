"""A robot's limb as source: it compiles, and gives limbik's own angles."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError
from limbik.exporting.language import Unit
from limbik.exporting.robot_functions import robot_functions
from limbik.robots.robot_limb import RobotLimb
from tests.exporting.toolchains import TOOLCHAINS
from tests.robots.random_chains import angle_gap, forward, random_chain


def test_a_limb_in_c_gives_the_same_angles(tmp_path: Path) -> None:
    chain = random_chain("three parallel, last two meet", 5, squared=True)
    limb = RobotLimb(chain)
    program = TOOLCHAINS["c"]([Unit("arm", ["arm"], robot_functions(limb), "float64")], tmp_path)
    position, rotation = forward(chain, np.random.default_rng(0).uniform(-3, 3, (20, 6)))
    poses = np.concatenate([position, rotation.as_quat()], axis=1)
    rows = np.concatenate([np.insert(poses, [7] * 3, sign, axis=1) for sign in product((1.0, -1.0), repeat=3)])
    *angles, lack = program.run("arm", "solve", rows).T.reshape(7, 8, 20)
    wanted = limb.branches(position, rotation.as_quat())
    assert angle_gap(np.stack(angles, axis=-1), wanted.angles).max() < 1e-9
    reached = lack < 1e-12
    assert (reached == (wanted.status == limbik.Status.REACHED)).all()
    tips = program.run("arm", "forward", np.stack(angles, axis=-1).reshape(-1, 6)).reshape(8, 20, 7)
    assert np.abs(tips[..., :3] - position)[reached].max() < 1e-12


@pytest.mark.parametrize("language", ["cpp", "js", "rust", "glsl"])
def test_a_swivel_is_an_input(language: str) -> None:
    limb = RobotLimb(random_chain("seven, swivel", 1, squared=True))
    assert "swivel" in limbik.export(limb, language).text


def test_what_has_no_closed_form_or_takes_no_options_is_refused() -> None:
    with pytest.raises(ArgumentError, match="closed form exactly"):
        limbik.export(RobotLimb(random_chain("five, leg", 0)), "c")
    with pytest.raises(ArgumentError, match="none of them for a robot"):
        limbik.export(RobotLimb(random_chain("two", 0)), "c", options=["twist"])
