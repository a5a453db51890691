"""A robot's limb as source: it compiles, and gives limbik's own angles."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError
from limbik.robots.robot_limb import RobotLimb
from tests.exporting.toolchains import tool
from tests.robots.random_chains import angle_gap, forward, random_chain

DRIVER = """
#include <stdio.h>
#include "arm.h"
int main(void) {
    double p[3], q[4], b[3];
    while (scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", p, p+1, p+2, q, q+1, q+2, q+3, b, b+1, b+2) == 10) {
        arm_solution s = arm_solve(p, q, b[0], b[1], b[2]);
        arm_pose t = arm_forward(s.joint_0, s.joint_1, s.joint_2, s.joint_3, s.joint_4, s.joint_5);
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g ", s.joint_0, s.joint_1, s.joint_2, s.joint_3, s.joint_4,
               s.joint_5, s.lack);
        printf("%.17g %.17g %.17g\\n", t.position[0], t.position[1], t.position[2]);
    }
    return 0;
}
"""


def test_a_limb_in_c_gives_the_same_angles(tmp_path: Path) -> None:
    compiler = tool("gcc")
    chain = random_chain("three parallel, last two meet", 5, squared=True)
    limb = RobotLimb(chain)
    limbik.export(limb, "c", name="arm").write(tmp_path / "arm.h")
    (tmp_path / "driver.c").write_text(DRIVER)
    program = tmp_path / "driver"
    subprocess.run(
        [compiler, "-O1", "-Wall", "-Werror", str(tmp_path / "driver.c"), "-o", str(program), "-lm"], check=True
    )
    position, rotation = forward(chain, np.random.default_rng(0).uniform(-3, 3, (20, 6)))
    signs = np.array(list(product((1.0, -1.0), repeat=3)))
    rows = [[*place, *turn, *sign] for sign in signs for place, turn in zip(position, rotation.as_quat(), strict=True)]
    text = "\n".join(" ".join(f"{number:.17g}" for number in row) for row in rows)
    out = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True).stdout
    found = np.array([line.split() for line in out.splitlines()], float).reshape(8, 20, 10)
    wanted = limb.branches(position, rotation.as_quat())
    assert angle_gap(found[..., :6], wanted.angles).max() < 1e-9
    reached = found[..., 6] < 1e-12
    assert (reached == (wanted.status == limbik.Status.REACHED)).all()
    assert np.abs(found[..., 7:] - position)[reached].max() < 1e-12


@pytest.mark.parametrize("language", ["cpp", "js", "rust", "glsl"])
def test_a_swivel_is_an_input(language: str) -> None:
    limb = RobotLimb(random_chain("seven, swivel", 1, squared=True))
    assert "swivel" in limbik.export(limb, language).text


def test_what_has_no_closed_form_or_takes_no_options_is_refused() -> None:
    with pytest.raises(ArgumentError, match="closed form exactly"):
        limbik.export(RobotLimb(random_chain("five, leg", 0)), "c")
    with pytest.raises(ArgumentError, match="none of them for a robot"):
        limbik.export(RobotLimb(random_chain("two", 0)), "c", options=["twist"])
