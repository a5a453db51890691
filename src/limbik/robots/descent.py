"""Descents of robot limbs towards poses of the tip, within limits, on the geometry of the file itself.

A fixed number of steps (`formulas/robots/descent.py`) leads from given angles to an answer, or to a pose that is
nearest to the target. The measure of nearness, against whose slope the steps go, is the distance of the tip, and four
times the sine of a quarter of the angle between the rotations, times a part of the limb's length, added in squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import HANDLERS, common_library
from limbik.engines import repeated_steps
from limbik.engines.robot_flags import ChainFlags
from limbik.engines.robot_programs import descent_program

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

MAX_MISS = 1e-9  # metres or radians by which an answer may miss
MAX_MISS_FLOAT32 = 2e-5
METRES_PER_RADIAN = 0.25  # times the limb's length: what a radian counts in the measure
METRES_PER_FREE_RADIAN = 0.02  # the same where the joints do not determine the rotation
PULLED_STEPS, EXACT_STEPS = 8, 5  # towards angles to be near, and then onto the target
FREE_EXACT_STEPS = 4  # onto the target's position, whatever the rotation


def descend(
    limb: RobotLimb,
    angles: Any,
    position: Any,
    rotation: Any,
    steps: int,
    *,
    near: Any = None,
    lower: Any = None,
    upper: Any = None,
) -> Any:
    """The angles after a number of steps, each joint within its limits.

    With `near`, the part of the motion of redundant joints that does not move the tip leads towards these angles; the
    last steps then only lead to the target.

    Args:
        limb: the limb.
        angles: (..., n), from where it starts, radians or metres.
        position: (..., 3), the target.
        rotation: (..., 4), likewise.
        steps: how many there are; EXACT_STEPS or FREE_EXACT_STEPS follow where they are needed.
        near: (..., n); default: nothing pulls.
        lower, upper: (..., n), limits in place of the limb's own.

    Returns:
        The angles, (..., n).
    """
    pulled = near is not None and len(limb.chain) > 6
    inputs = {"position": position, "rotation": rotation, "near": near if pulled else limb.default_near}
    inputs |= {name: _limit(limb, name, given) for name, given in (("lower", lower), ("upper", upper))}
    phases = [(steps, 1.0 if pulled else 0.0, limb.uses_rotation)]
    if pulled:
        phases.append((EXACT_STEPS, 0.0, True))
    if limb.uses_rotation and not limb.oriented:
        phases.append((FREE_EXACT_STEPS, 0.0, False))
    radian = METRES_PER_RADIAN if limb.oriented else METRES_PER_FREE_RADIAN
    for count, pull, oriented in phases:
        inputs["measure"] = (1.0 / limb.length, radian, pull)
        angles = take_steps(limb, ChainFlags(oriented), inputs, angles, count)
    return angles


def _limit(limb: RobotLimb, name: str, given: Any) -> Any:
    """A limit of the joints as a group: the limb's own, a number for all joints, or an array (..., n)."""
    own = tuple(getattr(limb, name).tolist())
    return own if given is None else (float(given),) * len(own) if np.ndim(given) == 0 else given


def miss_and_measure(limb: RobotLimb, angles: Any, position: Any, rotation: Any) -> tuple[Any, Any]:
    """By how much the tip misses its target, (...), and the measure of nearness, metres, (...).

    A miss is in metres, or in radians where that is more and the joints determine the rotation.
    """
    errors = limb._evaluate_chain("errors", angles, position, rotation)
    length, angle = errors[..., 0], errors[..., 1]
    if not limb.uses_rotation:
        return length, length
    radian = METRES_PER_RADIAN if limb.oriented else METRES_PER_FREE_RADIAN
    library = common_library((errors,))
    xp: Any = HANDLERS[library].module() if library else np
    nearness = xp.sqrt(length**2 + (4.0 * radian * limb.length * xp.sin(0.25 * angle)) ** 2)
    return xp.maximum(length, angle) if limb.oriented else length, nearness


def take_steps(limb: RobotLimb, flags: ChainFlags, inputs: dict[str, Any], angles: Any, count: Any) -> Any:
    """The angles after so many steps, by the engine that suits the arrays.

    Args:
        limb: the limb.
        flags: what the steps heed.
        inputs: the groups of the descent's program that are not the limb's own: tuples, or arrays (..., numbers).
        angles: (..., n), from where it starts.
        count: how many steps; on JAX it may be traced.

    Returns:
        The angles, (..., n).
    """
    program, joints = descent_program(limb.chain.letters), len(limb.chain)
    given = {**limb.chain.inputs, **inputs}
    if library := common_library((angles, *inputs.values())):
        state = HANDLERS[library].join([angles, angles * 0])
        return repeated_steps.on_tensors(library, program, "descend", flags, given, state, count)[..., :joints]
    start = np.clip(angles, given["lower"], given["upper"])
    state = np.concatenate([start, np.zeros_like(start)], axis=-1)
    return repeated_steps.on_arrays(program, "descend", flags, given, state, count)[..., :joints]
