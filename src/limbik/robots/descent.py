"""Descents of robot limbs towards poses of the tip, within limits, on the geometry of the file itself.

A fixed number of steps (`formulas/robots/descent.py`) leads from given angles to an answer, or to a pose that is
nearest to the target. The measure of nearness, against whose slope the steps go, is the distance of the tip, and four
times the sine of a quarter of the angle between the rotations, times a part of the limb's length, added in squares.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import HANDLERS, common_library
from limbik.engines import tensor_dispatch, tracks
from limbik.engines.robot_flags import ChainFlags
from limbik.engines.robot_programs import descent_program
from limbik.engines.track_steps import groups_read
from limbik.limbs.inputs import FLOAT64

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
        angles = _repeat(limb, ChainFlags(oriented), inputs, angles, count)
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


def _repeat(limb: RobotLimb, flags: ChainFlags, inputs: dict[str, Any], angles: Any, count: int) -> Any:
    """The angles after so many steps, by the engine that suits the arrays."""
    chain = limb.chain
    program, joints = descent_program(chain.letters), len(chain)
    given = {**chain.inputs, **inputs}
    if library := common_library((angles, *inputs.values())):
        state = HANDLERS[library].join([angles, angles * 0])
        shape, dtype = tuple(angles.shape[:-1]), angles.dtype
        for _ in range(count):
            groups = {name: given.get(name, state) for name in program.groups_of("descend")}
            state = tensor_dispatch.run(library, program, "descend", flags, groups, shape, dtype)
        return state[..., :joints]
    shape = angles.shape[:-1]
    names = groups_read(program, "descend")
    arrays, varying = [], []
    for name in names:
        varies = type(given[name]) is not tuple
        if varies:
            full = np.broadcast_to(given[name], (*shape, program.all_groups[name]))
            arrays.append(np.ascontiguousarray(full.reshape(-1, full.shape[-1]).T, FLOAT64))
        varying.append((False, varies))
    state = np.zeros((2 * joints, prod(shape)))
    state[:joints] = np.clip(angles, given["lower"], given["upper"]).reshape(-1, joints).T
    key = (flags, tuple(varying))
    if (taken := limb._descents.get(key)) is None:
        taken = limb._descents[key] = tracks.Steps(program, "descend", flags, FLOAT64, key[1])
    same = tuple([given[name] for name, (_, varies) in zip(names, varying, strict=True) if not varies])
    _, after = taken.follow(same, arrays, count, state)
    return after[:joints].T.reshape(*shape, joints)
