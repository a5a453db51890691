"""Robot limbs on NumPy arrays: the best branch of each row, or every branch; and one pose at a time by a kernel."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arrays import HANDLERS, Array, Jax, Torch, library_of
from limbik.engines import dispatch, loading, numba_engine
from limbik.formulas.robots.answers import BEYOND_LIMIT, FARTHEST, NOT_REACHED
from limbik.limbs.inputs import FLOAT64, Groups, floats, rows_of, with_batch
from limbik.robots.guesses import by_brackets, by_secants
from limbik.robots.refinement import beyond_limits, judge_newton_steps, refine_misses
from limbik.robots.robot_branches import Columns, best_branch, every_branch, select_rows
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.swivels import choose_swivel

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Floats = tuple[float, ...]


class SolveArguments(NamedTuple):
    """The arguments of `solve`, checked."""

    inputs: Groups  # position, rotation, near, and swivel, radians, where it was given
    shape: tuple[int, ...]
    library: str | None
    dtype: Any  # NumPy's, or the library's
    near_given: bool

    @property
    def handler(self) -> Torch | Jax:
        """What the library of tensors does its own way."""
        return HANDLERS[self.library or ""]

    @property
    def like(self) -> Any:
        """A tensor among the inputs."""
        return next(one for one in self.inputs.values() if library_of(one))

    @property
    def working(self) -> str:
        """The dtype in which tensors are computed, by its name."""
        return self.handler.working(self.dtype)


def solve_arrays(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """The best branch of each row."""
    family, dtype = limb.closed_form, arguments.dtype
    columns, rows = _as_columns(limb, arguments)
    branch, best = best_branch(family, columns, rows, dtype, by_secants)
    if family.layout.free_parameter == "guess" and (missed := best[-1] >= BEYOND_LIMIT).any():
        again = best_branch(family, select_rows(columns, missed), int(missed.sum()), dtype, by_brackets)
        branch[missed], best[:, missed] = again
    solution = _as_solution(limb, arguments, (), best, branch)
    missed = (solution.cost >= BEYOND_LIMIT).reshape(rows)
    if missed.any():
        refine_misses(solution, select_rows(columns, missed), missed)
    return solution


def branches_of_arrays(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """Every branch of each row."""
    family, shape = limb.closed_form, arguments.shape
    columns, rows = _as_columns(limb, arguments)
    found = every_branch(family, columns, rows, arguments.dtype, by_brackets)
    numbers = np.arange(family.branches, dtype=np.int8).reshape(-1, *(1,) * len(shape))
    numbers = np.broadcast_to(numbers, (family.branches, *shape))
    return _as_solution(limb, arguments, (family.branches,), found, numbers)


def _as_columns(limb: RobotLimb, arguments: SolveArguments) -> tuple[Columns, int]:
    """The inputs as the family's program takes them, (components, rows) or (components, 1); the number of rows."""
    family, rows = limb.closed_form, prod(arguments.shape)
    inputs = arguments.inputs
    found = dict(zip(inputs, rows_of(inputs.values(), arguments.shape, arguments.dtype), strict=True))
    near, position = found["near"], found["position"]
    if not np.abs(position).max(initial=0.0) <= FARTHEST:  # as the formula does
        with np.errstate(invalid="ignore"):
            found["position"] = position * (FARTHEST / np.maximum(np.abs(position).max(axis=0), FARTHEST))
    if family.layout.free_parameter == "virtual joint":
        found["near"] = np.vstack([near, np.zeros_like(near[:1])])
    if family.layout.has_swivel:
        given = found.get("swivel")
        if given is None:
            given = choose_swivel(family, found, rows, arguments.dtype, arguments.near_given)[None]
        found["swivel"] = np.concatenate([np.cos(given), np.sin(given)])
    return found, rows


def _as_solution(
    limb: RobotLimb, arguments: SolveArguments, leading: tuple[int, ...], found: Array, branch: Array
) -> RobotSolution:
    """The solution from (n + 1, *leading, rows): angles and cost."""
    family, shape = limb.closed_form, (*leading, *arguments.shape)
    position, rotation = (
        with_batch(np.array(arguments.inputs[name], arguments.dtype), arguments.shape)
        for name in ("position", "rotation")
    )
    angles, cost = found[: len(limb.chain)], found[-1]
    if family.layout.free_parameter == "virtual joint":
        cost = np.where((cost < NOT_REACHED) & ~beyond_limits(limb, angles), 0.0, cost)
    angles, cost = np.moveaxis(angles.reshape(-1, *shape), 0, -1), cost.reshape(shape)
    for _ in range(family.newton_steps):
        angles = limb._evaluate_chain("step", angles, position, rotation)
    solution = RobotSolution(limb, position, rotation, angles, branch.reshape(shape), cost)
    if family.newton_steps:
        judge_newton_steps(solution)
    return solution


class SinglePose:
    """All branches of one pose as rows of a kernel, once that has been loaded; what does not change is kept here."""

    def __init__(self, limb: RobotLimb) -> None:
        family = limb.closed_form
        self.limb = limb
        self.suits = not (family.layout.free_parameter or family.newton_steps)
        if not self.suits:
            return
        program = family.layout.program
        names = program.groups_of("placed")
        layouts = tuple("rows" if name == "signs" else "constant" for name in names)
        self._kernel = numba_engine.Kernel(program, "placed", family.layout.flags, FLOAT64, layouts, ())
        given = {**family.inputs, "position": (0.0,) * 3, "rotation": (0.0,) * 4, "near": limb.default_near}
        constant = [name for name in names if name != "signs"]
        parts = [given[name] for name in constant]
        self._constants = np.concatenate([np.array(part, float) for part in parts])[None]
        starts = dict(zip(constant, np.cumsum([0, *map(len, parts)]), strict=False))
        self._pose = int(starts["position"])  # position and rotation follow one another
        self._near = int(starts["near"])
        self._signs = np.ascontiguousarray(np.array(family.signs).T)
        self._shape = len(limb.chain) + 1, family.branches

    def arguments(
        self, position: object, rotation: object, near: object
    ) -> tuple[Floats, Floats, Floats | None] | None:
        """The arguments as floats; None where they are something else, or the kernel has not been loaded."""
        if not self.suits or self._kernel not in loading.kernels or dispatch.chosen() == "numpy":
            return None
        place, turn = floats(position, 3), floats(rotation, 4)
        aim = None if near is None else floats(near, len(self.limb.chain))
        return (place, turn, aim) if place and turn and (near is None or aim) else None

    def best(self, position: Floats, rotation: Floats, near: Floats | None) -> RobotSolution | None:
        """The best branch; None where it does not reach the target within limits."""
        found = self._evaluate(position, rotation, near)
        number = found[-1].argmin()
        cost = found[-1, number]
        if not cost < BEYOND_LIMIT:
            return None
        return RobotSolution(self.limb, np.array(position), np.array(rotation), found[:-1, number].copy(), number, cost)

    def every(self, position: Floats, rotation: Floats, near: Floats | None) -> RobotSolution:
        """Every branch."""
        found = self._evaluate(position, rotation, near)
        numbers = np.arange(self._shape[1], dtype=np.int8)
        return RobotSolution(self.limb, np.array(position), np.array(rotation), found[:-1].T, numbers, found[-1])

    def note(self, seconds: float) -> None:
        """Counts the time that a call took without the kernel, which is loaded when that pays."""
        if self.suits and self._kernel not in loading.kernels:
            loading.note(self._kernel, seconds)

    def _evaluate(self, position: Floats, rotation: Floats, near: Floats | None) -> Array:
        """Angles and cost of every branch, (n + 1, branches)."""
        constants = self._constants.copy()
        row = constants[0]
        row[self._pose : self._pose + 7] = position + rotation
        if near is not None:
            row[self._near : self._near + len(near)] = near
        out = np.empty(self._shape)
        loading.kernels[self._kernel](0, self._shape[1], constants, self._signs, out)
        return out
