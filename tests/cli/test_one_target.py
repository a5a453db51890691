"""One target: what is printed is the library's own answer, for people and for programs."""

import json

import numpy as np
import pytest

import limbik

from .command import ARM, LEG, run

TARGET = "--target 0.2 -0.6 0.3"
LEG_TARGET = f"{LEG} {TARGET} --up 0 -1 0"

# What is typed, and the same asked of the library.
ASKED = [
    (f"three-link {LEG_TARGET}", lambda: limbik.ThreeLink(0.45, 0.42, 0.12).solve([0.2, -0.6, 0.3], [0, -1, 0])),
    (
        f"three-link {LEG_TARGET} --origin 0.1 0.2 -1e-1 --bend -1 --style easy --hint 1 0 0",
        lambda: limbik.ThreeLink(0.45, 0.42, 0.12).solve(
            [0.2, -0.6, 0.3], [0, -1, 0], origin=[0.1, 0.2, -0.1], bend=-1, style="easy", hint=[1, 0, 0]
        ),
    ),
    (
        f"three-link {LEG} --target 0 -0.95 0 --up 1 0 0 --priority position",
        lambda: limbik.ThreeLink(0.45, 0.42, 0.12).solve([0, -0.95, 0], [1, 0, 0], priority="position"),
    ),
    (
        f"three-link {LEG_TARGET} --middle-limits 0.1 1.5 --last-limits -0.5 0.5",
        lambda: limbik.ThreeLink(0.45, 0.42, 0.12, middle_limits=(0.1, 1.5), last_limits=(-0.5, 0.5)).solve(
            [0.2, -0.6, 0.3], [0, -1, 0]
        ),
    ),
    (
        f"two-link {ARM} {TARGET} --pole 0 1 0 --origin 0.1 0 0 --twist 0.5 --soften 0.9 --stretch 1.5",
        lambda: limbik.TwoLink(0.45, 0.42).solve(
            [0.2, -0.6, 0.3], [0, 1, 0], [0.1, 0, 0], twist=0.5, soften=0.9, stretch=1.5
        ),
    ),
    (
        f"two-link {ARM} --target 5 0 0 --stretch 1.1",
        lambda: limbik.TwoLink(0.45, 0.42).solve([5, 0, 0], stretch=1.1),
    ),
    (
        f"planar {ARM} --target .2 -.6 --origin -1e-1 0 --bend -1 --middle-limits 0 1",
        lambda: limbik.PlanarTwoLink(0.45, 0.42, middle_limits=(0, 1)).solve([0.2, -0.6], origin=[-0.1, 0], bend=-1),
    ),
]


# Those that type no angles are asked in degrees, too.
ASKED_IN_UNITS = [(line, asked, False) for line, asked in ASKED] + [
    (line, asked, True) for line, asked in ASKED if "limits" not in line and "twist" not in line
]


@pytest.mark.parametrize(("line", "asked", "degrees"), ASKED_IN_UNITS)
def test_json_is_the_library_s_answer(capsys, line, asked, degrees):
    told = run(capsys, f"solve {line} --json" + " --degrees" * degrees)
    assert told.status == 0 and not told.err
    answer, solution = json.loads(told.out), asked()
    unit = np.degrees if degrees else np.asarray
    assert answer["angle_unit"] == ("deg" if degrees else "rad")
    assert answer["status"] == solution.status.name
    assert answer["reached"] == solution.reached
    assert answer["residual"] == solution.residual
    assert answer["singular"] == solution.singular
    assert np.array_equal(list(answer["angles"].values()), unit(solution.angles))
    assert np.array_equal(list(answer["joints"].values()), solution.joints)
    if "planar" not in line:
        assert np.array_equal(list(answer["rotations_xyzw"].values()), solution.rotations)
    if "three-link" in line:
        assert answer["up_error"] == unit(solution.up_error)
        assert answer["out_of_plane"] == unit(solution.out_of_plane)
    if "two-link" in line:
        assert answer["stretch"] == solution.stretch


def test_json_names_things_in_the_field_s_words(capsys):
    leg = json.loads(run(capsys, f"solve three-link {LEG_TARGET} --json").out)
    assert leg["limb"] == "three-link"
    assert leg["lengths"] == [0.45, 0.42, 0.12]
    assert list(leg["angles"]) == ["yaw", "roll", "first", "second", "last"]
    assert list(leg["joints"]) == ["origin", "knee", "ankle", "tip"]
    assert list(leg["rotations_xyzw"]) == ["first", "second", "last"]
    arm = json.loads(run(capsys, f"solve planar {ARM} --target 0.5 0 --json").out)
    assert list(arm["angles"]) == ["first", "second"]
    assert list(arm["joints"]) == ["origin", "elbow", "tip"]
    assert "rotations_xyzw" not in arm


def test_angles_are_typed_in_degrees_too(capsys):
    turned = f"two-link {ARM} {TARGET} --twist"
    assert (
        json.loads(run(capsys, f"solve {turned} 30 --degrees --json").out)["joints"]
        == json.loads(run(capsys, f"solve {turned} {np.pi / 6!r} --json").out)["joints"]
    )
    limited = f"three-link {LEG_TARGET}"
    in_degrees = run(capsys, f"solve {limited} --middle-limits 10 45 --last-limits -20 20 --degrees --json")
    limits = "--middle-limits {!r} {!r} --last-limits {!r} {!r}".format(*np.radians([10, 45, -20, 20]).tolist())
    in_radians = run(capsys, f"solve {limited} {limits} --json")
    joints = [json.loads(told.out)["joints"]["knee"] for told in (in_degrees, in_radians)]
    assert np.allclose(*joints, atol=1e-12)
    assert json.loads(in_degrees.out)["status"] == "LIMITED"


def test_a_table_for_people(capsys):
    told = run(capsys, f"solve three-link {LEG_TARGET} --degrees")
    solution = limbik.ThreeLink(0.45, 0.42, 0.12).solve([0.2, -0.6, 0.3], [0, -1, 0])
    lines = [line.split() for line in told.out.splitlines()]
    assert told.status == 0
    assert ["status", "reached"] in lines
    assert ["knee", *(f"{part:.6f}" for part in solution.joints[1])] in lines
    assert ["yaw", "roll", "first", "second", "last"] in lines
    assert [f"{angle + 0.0:.4f}" for angle in solution.degrees()] in [
        [n.replace("-0.0000", "0.0000") for n in line] for line in lines
    ]
    assert ["first", *(f"{part:.6f}" for part in solution.rotations[0])] in lines
    assert "out of plane" not in told.out
    assert all(len(line) <= 80 for line in told.out.splitlines())


def test_the_table_says_where_rotations_are_the_whole_answer(capsys):
    told = run(capsys, f"solve three-link {LEG_TARGET} --style easy --hint 1 0 0")
    assert "rotations are the whole answer" in told.out


def test_a_target_out_of_reach_is_told_and_is_no_failure(capsys):
    told = run(capsys, f"solve two-link {ARM} --target 5 0 0")
    assert told.status == 0
    assert "too far" in told.out
    assert "4.13 from tip to target" in told.out


def test_a_free_plane_and_a_stretch_are_told(capsys):
    assert "bending plane was free" in run(capsys, "solve two-link --lengths 1 1 --target 0 0 0 --pole 0 0 0").out
    assert "aim was free" in run(capsys, f"solve planar {ARM} --target 0 0").out
    assert "1.2 times as long" in run(capsys, "solve two-link --lengths 1 1 --target 2.4 0 0 --stretch 1.5").out


@pytest.mark.parametrize(
    ("line", "count"),
    [(f"three-link {LEG_TARGET}", 8), (f"two-link {ARM} {TARGET}", 2), (f"planar {ARM} --target 0.2 -0.6", 2)],
)
def test_every_branch_is_one_of_the_library_s(capsys, line, count):
    told = run(capsys, f"solve {line} --all --json")
    branches = json.loads(told.out)["branches"]
    assert len(branches) == count
    assert [branch["branch"] for branch in branches] == list(range(count))
    limb = {
        "t": lambda: limbik.ThreeLink(0.45, 0.42, 0.12).branches([0.2, -0.6, 0.3], [0, -1, 0]),
        "w": lambda: limbik.TwoLink(0.45, 0.42).branches([0.2, -0.6, 0.3]),
        "p": lambda: limbik.PlanarTwoLink(0.45, 0.42).branches([0.2, -0.6]),
    }
    own = limb["p" if "planar" in line else "w" if "two" in line else "t"]()
    assert np.allclose([list(branch["angles"].values()) for branch in branches], own.angles, atol=1e-12)
    assert [branch["same_joints_as"] for branch in branches] == own.same_joints_as.tolist()
    assert [branch["distinct"] for branch in branches] == own.distinct.tolist()


def test_the_table_of_branches_says_which_share_their_joints_and_which_are_not_distinct(capsys):
    near = run(capsys, f"solve three-link {LEG_TARGET} --all").out
    assert "Joints of branches 0, 1, 2, 3: bend 1" in near
    assert "Joints of branches 4, 5, 6, 7: bend -1" in near
    assert "not distinct" not in near
    far = run(capsys, f"solve three-link {LEG} --target 2 0 0 --up 0 -1 0 --all").out
    assert far.count("not distinct") == 4
    assert all(len(line) <= 80 for line in (near + far).splitlines())
