"""The families of robot limbs as programs. A family has one, whatever the robot: its geometry is among the groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from limbik.engines.programs import Answer, Program
from limbik.engines.robot_flags import (
    ChainFlags,
    NoFlags,
    SphericalFlags,
    ThreeFlags,
    ThreeParallelFlags,
    TwoFlags,
)
from limbik.engines.thresholds import KERNEL_MAX_JOINTS, ROBOT_ROWS_PER_THREAD
from limbik.formulas.robots import answers, arms, descent, screw_chain
from limbik.formulas.robots.motions import screws_of

CHAIN, DESCENT = "robot_chain_", "robot_descent_"  # how the names of these programs begin


def _program(
    name: str, family: Callable[..., Any], flags: type[Any], joints: int, signs: int, *, free: bool = False
) -> Program:
    def pose(axes: Any, points: Any, frame: Any, tip: Any, position: Any, rotation: Any, *options: Any) -> Any:
        chosen = dict(zip((*spare, *flags._fields), options, strict=True))
        return answers.robot_pose(family, (axes, points, frame, tip), position, rotation, chosen)

    spare = {"swivel": 2} if free else {}  # cosine and sine
    return Program(
        name=name,
        pose=pose,
        groups={"axes": 3 * joints, "points": 3 * joints, "frame": 7, "tip": 7, "position": 3, "rotation": 4, **spare},
        flags=flags,
        answers={
            "branch": Answer(answers.robot_branch, (joints + 1,), built_on=True),
            "placed": Answer(answers.robot_branch_within_limits, (joints + 1,), built_on=True),
            "placed_pair": Answer(answers.robot_pair_within_limits, (2 * (joints + 1),), built_on=True),
        },
        report=(),
        extra_groups={"signs": signs, "near": joints, "lower": joints, "upper": joints},
        rows_per_thread=ROBOT_ROWS_PER_THREAD,
    )


TWO = _program("robot_two", arms.two_turns, TwoFlags, 2, 1)
THREE = _program("robot_three", arms.three_turns, ThreeFlags, 3, 2)
PLANAR_THREE = _program("robot_planar_three", arms.planar_turns, NoFlags, 3, 1)
SPHERICAL = _program("robot_spherical", arms.spherical_turns, SphericalFlags, 6, 3)
THREE_PARALLEL = _program("robot_three_parallel", arms.three_parallel_turns, ThreeParallelFlags, 6, 3)
SWIVEL = _program("robot_swivel", arms.swivel_turns, NoFlags, 7, 3, free=True)
GUESSED = _program("robot_guessed", arms.guessed_turns, SphericalFlags, 6, 3, free=True)
LOCKED = _program("robot_locked", arms.locked_turns, SphericalFlags, 7, 3, free=True)
SWIVEL_ANGLE = Program(  # what SWIVEL takes, from the angles that it gives
    name="robot_swivel_angle",
    pose=lambda axes, points, angles: (arms.swivel_angle(screws_of(axes, points), angles),),
    groups={"axes": 21, "points": 21, "angles": 7},
    flags=NoFlags,
    answers={"angle": Answer(lambda angle: angle, (1,), built_on=True)},
    report=(),
    rows_per_thread=ROBOT_ROWS_PER_THREAD,
)

FAMILIES = (TWO, THREE, PLANAR_THREE, SPHERICAL, THREE_PARALLEL, SWIVEL, GUESSED, LOCKED)
ROBOT_PROGRAMS = {program.name: program for program in (*FAMILIES, SWIVEL_ANGLE)}


@cache
def chain_program(kinds: str) -> Program:
    """The program of any chain: its forward kinematics, and how far it is from a target.

    kinds: a letter for each joint, "h" for a hinge and "s" for a slide.
    """
    joints = len(kinds)
    return Program(
        name=f"{CHAIN}{kinds}",
        pose=partial(screw_chain.chain_pose, kinds),
        groups={"axes": 3 * joints, "points": 3 * joints, "tip": 7, "angles": joints},
        flags=NoFlags,
        answers={
            "tip": Answer(screw_chain.chain_tip, (7,), built_on=True),
            "joints": Answer(screw_chain.chain_joints, (6 * joints + 7,), built_on=True),
            "errors": Answer(screw_chain.chain_errors, (2,), built_on=True),
            "jacobian": Answer(screw_chain.chain_jacobian, (6 * joints,)),
            "motion": Answer(screw_chain.chain_motion, (7 + 6 * joints,)),
        },
        report=(),
        extra_groups={"position": 3, "rotation": 4},
        kernels=joints <= KERNEL_MAX_JOINTS,
        rows_per_thread=ROBOT_ROWS_PER_THREAD,
    )


@cache
def descent_program(kinds: str) -> Program:
    """The program of a descent of such a chain towards a target, within the joints' limits."""
    joints = len(kinds)

    def pose(axes: Any, points: Any, tip: Any, oriented: bool) -> descent.Geometry:
        return descent.Geometry(kinds, axes, points, tip)

    return Program(
        name=f"{DESCENT}{kinds}",
        pose=pose,
        groups={"axes": 3 * joints, "points": 3 * joints, "tip": 7},
        flags=ChainFlags,
        answers={"descend": Answer(descent.descent_step, (2 * joints,), built_on=True)},
        report=(),
        extra_groups={"position": 3, "rotation": 4, "near": joints, "lower": joints, "upper": joints, "measure": 3}
        | {"descent": 2 * joints},
        kernels=joints <= KERNEL_MAX_JOINTS,
        rows_per_thread=ROBOT_ROWS_PER_THREAD,
    )


def robot_program(name: str) -> Program | None:
    """The program of this name, or None."""
    for start, program in ((CHAIN, chain_program), (DESCENT, descent_program)):
        if name.startswith(start):
            return program(name.removeprefix(start))
    return ROBOT_PROGRAMS.get(name)
