"""Robot limbs on NumPy arrays: every branch of the family's formula, and the best of them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch
from limbik.limbs.inputs import Groups, rows_of, with_batch
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

BLOCK = 1 << 14  # rows whose branches are compared together


class Call(NamedTuple):
    """The arguments of `solve`, checked: the groups position, rotation and near."""

    groups: Groups
    shape: tuple[int, ...]
    library: str | None
    dtype: Any


def solve_arrays(limb: RobotLimb, call: Call) -> RobotSolution:
    """The best branch of each row."""
    columns, rows = _columns(call)
    family, joints = limb._family, len(limb.chain)
    best = np.empty((joints + 1, rows), call.dtype)
    best[-1] = np.inf
    branch = np.zeros(rows, np.int8)
    for start in range(0, rows, BLOCK):
        block = slice(start, start + BLOCK)
        held, chosen = best[:, block], branch[block]
        for number, signs in enumerate(family.signs):
            placed = _placed(limb, _part(columns, block), signs, held.shape[1], call.dtype)
            better = ~(placed[-1] >= held[-1])  # NaN too: such a row is invalid in every branch
            np.copyto(held, placed, where=better)
            chosen[better] = number
    return _solution(limb, call, (), best, branch)


def branches_of_arrays(limb: RobotLimb, call: Call) -> RobotSolution:
    """Every branch of each row."""
    columns, rows = _columns(call)
    family, joints = limb._family, len(limb.chain)
    found = np.empty((family.branches, joints + 1, rows), call.dtype)
    for number, signs in enumerate(family.signs):
        _placed(limb, columns, signs, rows, call.dtype, found[number])
    numbers = np.arange(family.branches, dtype=np.int8).reshape(-1, *(1,) * len(call.shape))
    numbers = np.broadcast_to(numbers, (family.branches, *call.shape))
    return _solution(limb, call, (family.branches,), np.moveaxis(found, 1, 0), numbers)


def _columns(call: Call) -> tuple[dict[str, Array], int]:
    rows = rows_of(call.groups.values(), call.shape, call.dtype)
    return dict(zip(call.groups, rows, strict=True)), prod(call.shape)


def _part(columns: dict[str, Array], block: slice) -> dict[str, Array]:
    return {name: column if column.shape[1] == 1 else column[:, block] for name, column in columns.items()}


def _placed(
    limb: RobotLimb, columns: dict[str, Array], signs: Any, rows: int, dtype: Any, out: Array | None = None
) -> Array:
    """One branch of many rows: angles and cost, (n + 1, rows)."""
    family = limb._family
    given = {**family.columns(dtype), **columns, "signs": np.asarray(signs, dtype)[:, None]}
    program, flags = family.layout.program, family.layout.flags
    groups = [given[name] for name in program.groups_of("placed")]
    numbers, _ = dispatch.run(program, "placed", flags, groups, rows, dtype, out, alike=False)
    if out is not None and numbers is not out:
        out[:] = numbers
    return numbers


def _solution(limb: RobotLimb, call: Call, leading: tuple[int, ...], found: Array, branch: Array) -> RobotSolution:
    """The solution from (n + 1, *leading, rows): angles and cost."""
    shape = (*leading, *call.shape)
    position, rotation = (
        with_batch(np.array(call.groups[name], call.dtype), call.shape) for name in ("position", "rotation")
    )
    angles = np.moveaxis(found[:-1].reshape(-1, *shape), 0, -1)
    for _ in range(limb._family.steps):
        angles = limb._chain_answer("step", angles, position, rotation)
    return RobotSolution(limb, position, rotation, angles, branch.reshape(shape), found[-1].reshape(shape))
