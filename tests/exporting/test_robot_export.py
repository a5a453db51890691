"""A robot's limb as source: it gives limbik's own answers, within limits, and the same bits in C, C++ and Rust."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError
from limbik.limbs.status import Status
from limbik.robots.descent import descend
from limbik.robots.robot_limb import RobotLimb
from tests.cli.command import run
from tests.exporting.robot_limbs import exact_limbs, general_chain, limbs, poses, unit, unit_name
from tests.exporting.toolchains import TOOLCHAINS, Toolchain
from tests.robots.random_chains import angle_gap, random_chain

ROWS = 40
# One limb for each way in which `solve` is put together.
KINDS = (
    "three parallel, last two meet",
    "two",
    "five, leg",
    "six, nearly a wrist",
    "six, one axis aside",
    "five, nearly a leg",
    "seven, swivel",
    "seven, wrist and last joint",
    "iterative 4, slides 1",
    "iterative 7, slides 1",
)


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    """Every limb in C."""
    return TOOLCHAINS["c"]([unit(family) for family in limbs()], tmp_path_factory.mktemp("c"))


def solved(program: Toolchain, family: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles, status and what is missed, metres and radians."""
    limb = limbs()[family]
    found = program.run(unit_name(family), "solve", rows)
    joints = len(limb.chain)
    return found[:, :joints], found[:, joints].astype(int), found[:, joints + 1 :]


def limbik_solves(limb: RobotLimb, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """limbik's own angles and status."""
    joints = len(limb.chain)
    rotation = rows[:, 3:7] if limb.uses_rotation else None
    found = limb.solve(rows[:, :3], rotation, near=rows[:, -joints:])
    return found.angles, np.asarray(found.status)


@pytest.mark.parametrize("family", limbs())
def test_angles_lead_where_limbik_says(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    angles = np.random.default_rng(0).uniform(*limb.range_of_starts, (ROWS, len(limb.chain)))
    found = in_c.run(unit_name(family), "forward", angles)
    assert np.abs(found - np.concatenate(limb.forward(angles), axis=1)).max() < 1e-12


@pytest.mark.parametrize("family", limbs())
def test_an_answer_close_to_near_is_limbiks_own(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    rows = poses(limb, ROWS, "close")
    angles, status, _ = solved(in_c, family, rows)
    wanted, wanted_status = limbik_solves(limb, rows)
    assert (status == wanted_status).all() and (status == Status.REACHED).all()
    # Where joints have a choice, limbik's own answers vary by so much with the last bit of a target.
    has_choice = limb.redundancy or (limb.uses_rotation and not limb.oriented)
    assert np.abs(angles - wanted).max() < (1e-6 if has_choice else 1e-9)


@pytest.mark.parametrize("family", exact_limbs())
def test_the_best_branch_is_limbiks_own(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    rows = poses(limb, ROWS, "random")
    angles, status, missed = solved(in_c, family, rows)
    wanted, wanted_status = limbik_solves(limb, rows)
    assert (status == wanted_status).all()
    assert np.abs(angles - wanted).max() < 1e-9
    assert missed[:, 0].max() < 1e-12


@pytest.mark.parametrize("family", [family for family in limbs() if family not in exact_limbs()])
def test_answers_far_from_near_are_no_worse_than_limbiks(in_c: Toolchain, family: str) -> None:
    """Some are found by descents from other angles than limbik's: most of those are nearer, few farther away."""
    limb = limbs()[family]
    rows = poses(limb, 2 * ROWS, "random")
    angles, status, missed = solved(in_c, family, rows)
    wanted, wanted_status = limbik_solves(limb, rows)
    near = rows[:, -len(limb.chain) :]
    assert (wanted_status == Status.REACHED).mean() > 0.97
    assert (status == Status.REACHED).mean() > 0.97
    counted = missed[status == Status.REACHED][:, : 1 + limb.oriented]
    assert counted.max() < 1e-9
    assert not limb.is_beyond_limits(angles).any()
    farther = ((angles - near) ** 2).sum(axis=1) > ((wanted - near) ** 2).sum(axis=1) + 1e-6
    assert farther.mean() < 0.1


@pytest.mark.parametrize("family", limbs())
def test_out_of_reach_the_pose_is_the_nearest_within_limits(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    rows = poses(limb, ROWS, "out of reach")
    angles, status, missed = solved(in_c, family, rows)
    wanted, wanted_status = limbik_solves(limb, rows)
    assert (status == wanted_status).mean() > 0.9
    assert not limb.is_beyond_limits(angles).any()
    own = np.linalg.norm(limb.forward(wanted)[0] - rows[:, :3], axis=1)
    assert np.median(missed[:, 0] / own) < 1.05


@pytest.mark.parametrize("family", limbs())
def test_near_is_the_answer_where_it_is_one(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    near = np.random.default_rng(1).uniform(*limb.range_of_starts, (ROWS, len(limb.chain)))
    tips = in_c.run(unit_name(family), "forward", near)[:, : 7 if limb.uses_rotation else 3]
    angles, status, _ = solved(in_c, family, np.concatenate([tips, near], axis=1))
    assert (angles == near).all() and (status == Status.REACHED).all()


@pytest.mark.parametrize("family", KINDS)
def test_what_is_not_finite_is_invalid_and_what_is_far_away_out_of_reach(in_c: Toolchain, family: str) -> None:
    rows = poses(limbs()[family], 4, "random")
    rows[0, 1], rows[1, -1], rows[2, 0], rows[3, :3] = np.nan, np.nan, np.inf, 1e200
    angles, status, _ = solved(in_c, family, rows)
    assert (status == [Status.INVALID] * 3 + [Status.TOO_FAR]).all()
    assert np.isnan(angles[:3]).all() and np.isfinite(angles[3]).all()


@pytest.mark.parametrize("family", exact_limbs())
def test_every_branch_by_its_number(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    rows = poses(limb, ROWS, "random")
    pose, near, joints = rows[:, : -len(limb.chain)], rows[:, -len(limb.chain) :], len(limb.chain)
    wanted = limb.branches(pose[:, :3], pose[:, 3:] if limb.uses_rotation else None, near=near)
    for number in range(limb.branch_count):
        found = in_c.run(unit_name(family), "branch", np.insert(pose, pose.shape[1], number, axis=1))
        assert angle_gap(found[:, :joints], wanted.angles[number]).max() < 1e-9
        reached = np.asarray(wanted.status)[number] == Status.REACHED
        assert (found[reached, joints] < 1e-12).all()


@pytest.mark.parametrize("family", [family for family in KINDS if limbs()[family].oriented] + ["two"])
def test_a_step_of_a_descent_is_limbiks_own(in_c: Toolchain, family: str) -> None:
    limb = limbs()[family]
    rows = poses(limb, ROWS, "random")
    pose, near = rows[:, : -len(limb.chain)], rows[:, -len(limb.chain) :]
    inside = np.zeros((ROWS, 1))
    state = in_c.run(unit_name(family), "begin", np.concatenate([near, inside], axis=1))
    pull = [near, inside] if len(limb.chain) > 6 else []
    found = in_c.run(unit_name(family), "descend", np.concatenate([pose, *pull, inside, state], axis=1))
    rotation = pose[:, 3:] if limb.uses_rotation else np.tile([0.0, 0.0, 0.0, 1.0], (ROWS, 1))
    wanted = descend(limb, near, pose[:, :3], rotation, 1)
    assert np.abs(found[:, : len(limb.chain)] - wanted).max() < 1e-9


@pytest.mark.parametrize("language", ["cpp", "rust"])
def test_the_same_bits_as_in_c(in_c: Toolchain, language: str, tmp_path: Path) -> None:
    program = TOOLCHAINS[language]([unit(family) for family in KINDS], tmp_path)
    for family in KINDS:
        for near in ("close", "random", "out of reach"):
            rows = poses(limbs()[family], ROWS // 2, near)
            found = [one.run(unit_name(family), "solve", rows) for one in (program, in_c)]
            assert found[0].tobytes() == found[1].tobytes(), family


@pytest.mark.parametrize("language", ["csharp", "js"])
def test_the_same_answers_as_in_c(in_c: Toolchain, language: str, tmp_path: Path) -> None:
    program = TOOLCHAINS[language]([unit(family) for family in KINDS], tmp_path)
    for family in KINDS:
        rows = poses(limbs()[family], ROWS // 2, "close")
        angles, status, _ = solved(program, family, rows)
        wanted, wanted_status, _ = solved(in_c, family, rows)
        assert (status == wanted_status).all(), family
        assert (np.abs(angles - wanted).max(axis=1) < 1e-6).mean() > 0.9, family


@pytest.mark.parametrize("language", ["c", "csharp-mathematics"])
def test_float32(language: str, tmp_path: Path) -> None:
    program = TOOLCHAINS[language]([unit(family, "float32") for family in KINDS], tmp_path)
    for family in KINDS:
        limb = limbs()[family]
        _, status, missed = solved(program, family, poses(limb, ROWS, "close"))
        assert (status == Status.REACHED).mean() > 0.9, family
        assert missed[status == Status.REACHED][:, : 1 + limb.oriented].max() < 1e-4, family


def test_the_same_bytes_each_time() -> None:
    limb = limbs()["seven, swivel"]
    assert limbik.export(limb, "c").text == limbik.export(RobotLimb(limb.chain), "c").text


@pytest.mark.parametrize("language", ["cpp", "js", "rust", "glsl"])
def test_a_swivel_is_an_input_of_a_branch(language: str) -> None:
    limb = RobotLimb(random_chain("seven, swivel", 1, squared=True))
    assert "swivel" in limbik.export(limb, language).text


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    limbik.samples.write(tmp_path)
    printed = run(capsys, f"export {tmp_path}/arm.urdf --tip tool --to rust --name arm")
    arm = limbik.Robot.load(tmp_path / "arm.urdf").limbs()["arm"]
    assert printed.out == limbik.export(arm, "rust", name="arm").text


def test_what_cannot_be_exported_is_refused() -> None:
    with pytest.raises(ArgumentError, match="solved by descents, which shaders lack"):
        limbik.export(limbs()["six, one axis aside"], "glsl")
    with pytest.raises(ArgumentError, match="none of them for a robot"):
        limbik.export(limbs()["two"], "c", options=["twist"])
    with pytest.raises(ArgumentError, match="24 joints or fewer"):
        limbik.export(RobotLimb(general_chain(25)), "c")
    with pytest.raises(ArgumentError, match="does not use itself"):
        limbik.export(limbs()["two"], "csharp", name="solve")
