"""Robot limbs on tensors, where their numbers lie on another device or are not known yet: `array_solving.py` by phases.

A phase begins descents from several angles for each pose, and keeps what they find. All poses take part in each phase
under `jax.jit`, in one loop whose body XLA compiles once; a phase that no pose needs takes no steps. torch selects the
poses that need a phase, unless it records operations, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from limbik.arrays import HANDLERS
from limbik.engines import tensor_dispatch, torch_kernels
from limbik.engines.robot_flags import ChainFlags
from limbik.formulas.robots.answers import BEYOND_LIMIT, FARTHEST, NOT_REACHED
from limbik.robots.array_solving import (
    CLOSE_RADIANS,
    DESCENT_STEPS,
    ITERATIVE_BRANCHES,
    MAX_EXACT_MISS,
    NEAREST_STARTS,
    NEAREST_STEPS,
    PROMISING_STEPS,
    START_SWIVELS,
    SolveArguments,
    scattered_angles,
)
from limbik.robots.descent import (
    EXACT_STEPS,
    FREE_EXACT_STEPS,
    MAX_MISS,
    MAX_MISS_FLOAT32,
    METRES_PER_FREE_RADIAN,
    METRES_PER_RADIAN,
    PULLED_STEPS,
    descend,
    miss_and_measure,
    take_steps,
)
from limbik.robots.swivels import SWIVELS_ALL_AROUND, SWIVELS_AROUND, swivel_of_tensors

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Tensor = Any  # torch.Tensor | jax.Array, neither of which need be installed
STARTS = 16  # for each pose in a phase
START_CANDIDATES = 8  # of them from the closed form, at most
RESTART_ROUNDS = 6  # from as many scattered angles each
GUESSES = 32  # at which the branches of limbs with one scalar are tried


class Poses(NamedTuple):
    """What is asked for, a row each: positions (rows, 3), rotations (rows, 4), near (rows, n), swivels (rows,)."""

    position: Tensor
    rotation: Tensor
    near: Tensor
    swivel: Tensor | None
    near_given: bool


class State(NamedTuple):
    """What has been found: angles (rows, n), costs and branches (rows,), and other angles (starts, rows, n)."""

    angles: Tensor
    cost: Tensor
    branch: Tensor
    pool: Tensor
    unlimited: Tensor  # (rows,): whether limits alone keep the limb from its target

    def select(self, rows: Tensor) -> State:
        """Some of the rows."""
        return State(*(one[:, rows] if name == "pool" else one[rows] for name, one in self._asdict().items()))

    def put(self, rows: Tensor, others: State) -> None:
        """Replaces some of the rows, of tensors of torch."""
        for (name, mine), other in zip(self._asdict().items(), others, strict=True):
            if name == "pool":
                mine[:, rows] = other
            else:
                mine[rows] = other


class Phase(NamedTuple):
    """Descents for the poses that need them."""

    kind: Literal["exact", "find", "again", "pull", "settle", "free", "nearest"]
    steps: int
    pull: float = 0.0
    round: int = 0


@dataclass(frozen=True)
class DeviceSolver:
    """Solves poses of a limb on tensors without gradients."""

    limb: RobotLimb
    poses: Poses
    library: str
    starts: int = STARTS

    # --- tensors

    @property
    def _xp(self) -> Any:
        return HANDLERS[self.library].module()

    @property
    def _working(self) -> str:
        return HANDLERS[self.library].working(self.poses.near.dtype)

    def _convert(self, numbers: Any) -> Tensor:
        return HANDLERS[self.library].convert(numbers, self.poses.near, self._working)

    def _limits(self, *, free: bool = False) -> tuple[Tensor, Tensor]:
        lower, upper = self.limb.lower, self.limb.upper
        return (
            self._convert(np.full_like(lower, -np.inf) if free else lower),
            self._convert(np.full_like(upper, np.inf) if free else upper),
        )

    def _pick(self, values: Tensor, number: Tensor) -> Tensor:
        """Of (k, rows) or (k, rows, n) one in each row."""
        index = number[None] if values.ndim == number.ndim + 1 else number[None, ..., None]
        return HANDLERS[self.library].take_along(values, index)[0]

    def _first(self, values: Tensor, key: Tensor, count: int) -> Tensor:
        """Of (k, rows, n) those with the least keys (k, rows), in order: (count, rows, n)."""
        order = self._xp.argsort(self._xp.where(self._xp.isnan(key), self._convert(np.inf), key), 0)[:count]
        return HANDLERS[self.library].take_along(values, order[..., None])

    # --- measures

    @property
    def _max_miss(self) -> float:
        return MAX_MISS if self._working == "float64" else MAX_MISS_FLOAT32

    def _miss(self, angles: Tensor) -> tuple[Tensor, Tensor]:
        return miss_and_measure(self.limb, angles, self._spread(self.poses.position, angles), self._turns(angles))

    def _turns(self, angles: Tensor) -> Tensor:
        return self._spread(self.poses.rotation, angles)

    def _spread(self, rows: Tensor, angles: Tensor) -> Tensor:
        return self._xp.broadcast_to(rows, (*angles.shape[:-1], rows.shape[-1]))

    def _cost(self, angles: Tensor, miss: Tensor, measure: Tensor) -> Tensor:
        """What answers (..., rows, n) cost: their squared distance from `near`, or much where they miss."""
        apart = ((angles - self.poses.near) ** 2).sum(-1)
        cost = self._xp.where(miss <= self._max_miss, apart, NOT_REACHED * (1.0 + measure / self.limb.length))
        return self._xp.where(self._xp.isnan(cost), self._convert(np.inf), cost)

    def _is_beyond_limits(self, angles: Tensor) -> Tensor:
        lower, upper = self._limits()
        slack = 1e-12 if self._working == "float64" else 1e-5
        return ((angles < lower - slack) | (angles > upper + slack)).any(-1)

    def _within_reach(self) -> Tensor:
        centre, radius = self.limb.chain.ball
        gap = self.poses.position - self._convert(centre)
        return (gap * gap).sum(-1) <= radius**2

    # --- the closed form

    def candidates(self, swivels: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """Every branch, at swivels (k, rows) where there are some: angles (c, rows, n), costs and numbers (c, rows)."""
        limb, xp, poses = self.limb, self._xp, self.poses
        family, handler = limb.closed_form, HANDLERS[self.library]
        rows, joints = poses.near.shape[0], len(limb.chain)
        signs = self._convert(family.signs)
        middle = (1,) if swivels is None else (swivels.shape[0],)
        shape = (family.branches, *middle, rows)
        near = poses.near
        if family.layout.free_parameter == "virtual joint":
            near = handler.join([near, 0.0 * near[..., :1]])
        given = {**family.inputs, "position": poses.position, "rotation": poses.rotation, "near": near}
        if swivels is not None:
            given["swivel"] = handler.cosine_and_sine(swivels[..., None])
        given["signs"] = signs[:, None, None, :]
        program = family.layout.program
        inputs = {name: given[name] for name in program.groups_of("placed")}
        for name, one in inputs.items():
            if type(one) is not tuple:
                inputs[name] = xp.broadcast_to(one, (*shape, one.shape[-1]))
        numbers = tensor_dispatch.run(
            self.library, program, "placed", family.layout.flags, inputs, shape, poses.near.dtype
        ).reshape(-1, rows, family.layout.joints + 1)
        angles, cost = numbers[..., :joints], numbers[..., -1]
        branch = np.repeat(np.arange(family.branches), middle[0])[:, None]
        return angles, cost, self._convert(branch) + xp.zeros_like(cost)

    def _without_virtual_joint(self, angles: Tensor, cost: Tensor) -> Tensor:
        """The cost of branches; of limbs with a virtual joint, whose limit there is none, only what the others cost."""
        if self.limb.closed_form.layout.free_parameter != "virtual joint":
            return cost
        reached = (cost < NOT_REACHED) & ~self._is_beyond_limits(angles)
        return self._xp.where(reached, self._xp.zeros_like(cost), cost)

    def _swivels(self) -> Tensor | None:
        """The swivels at which branches are compared, (k, rows)."""
        family, poses, xp = self.limb.closed_form, self.poses, self._xp
        if "swivel" not in family.layout.program.groups:
            return None
        if poses.swivel is not None:
            return poses.swivel[None]
        none = xp.zeros_like(poses.near[..., 0])
        if not family.layout.has_swivel:
            return self._convert(np.linspace(-np.pi, np.pi, START_SWIVELS, endpoint=False)[:, None]) + none
        last = family.layout.free_parameter == "last joint"
        if poses.near_given:
            middle = poses.near[..., -1] if last else swivel_of_tensors(family, poses.near)
            return middle + self._convert(np.array(SWIVELS_AROUND)[:, None])
        around = SWIVELS_ALL_AROUND
        if last:
            low, high = (float(family.limits[name][-1]) for name in ("lower", "upper"))
            around = np.linspace(max(low, -np.pi), min(high, np.pi), len(around))
        return self._convert(around[:, None]) + none

    # --- phases

    @property
    def _pulls(self) -> bool:
        """Whether joints that are left over are led towards `near`."""
        return self.poses.near_given and self.poses.swivel is None and self.limb.redundancy > 0

    def phases(self) -> list[Phase]:
        """What follows after the closed form."""
        family = self.limb.closed_form
        if self.poses.swivel is not None:
            first = [Phase("exact", PULLED_STEPS)] if family.newton_steps else []
            return [*first, Phase("nearest", NEAREST_STEPS)]
        if family.is_complete:
            return [Phase("nearest", NEAREST_STEPS)]
        again = [Phase("again", 2 * DESCENT_STEPS, round=k) for k in range(RESTART_ROUNDS)]
        pull = [Phase("pull", DESCENT_STEPS, 1.0), Phase("settle", EXACT_STEPS)] if self._pulls else []
        last = [Phase("free", NEAREST_STEPS), Phase("nearest", NEAREST_STEPS)]
        return [Phase("find", DESCENT_STEPS), *again, *pull, *last]

    def begin(self) -> State:
        """What the closed form and `near` itself give."""
        xp, poses, family = self._xp, self.poses, self.limb.closed_form
        lower, upper = self._limits()
        near = xp.clip(poses.near, lower, upper)
        none = xp.zeros_like(near[..., 0])
        state = State(near, none + np.inf, none - 1.0, near[None], none > 0.0)
        pool = [near[None]]
        if family.branches:
            angles, cost, branch = self.candidates(self._swivels())
            exact = family.newton_steps == 0
            key = cost if exact or poses.swivel is not None else self._miss(angles)[1]
            pool.append(self._first(angles, key, START_CANDIDATES))
            number = xp.argmin(xp.where(xp.isnan(cost), self._convert(np.inf), cost), 0)
            if exact:
                state = state._replace(unlimited=self._pick(cost, number) < NOT_REACHED)
                found = self._pick(angles, number)
                best = self._without_virtual_joint(found, self._pick(cost, number))
                state = State(found, best, self._pick(branch, number), near[None], state.unlimited)
            elif poses.swivel is not None:
                state = state._replace(branch=self._pick(branch, number))
        if poses.near_given and poses.swivel is None:
            there = (self._miss(poses.near)[0] <= self._max_exact) & ~self._is_beyond_limits(poses.near)
            state = self._put(state, there, poses.near, none, none - 1.0)
        return state._replace(pool=self._fill(xp.concatenate(pool, 0)))

    @property
    def _max_exact(self) -> float:
        return MAX_EXACT_MISS if self._working == "float64" else 0.0

    def _fill(self, pool: Tensor) -> Tensor:
        """As many starts as a phase has: the given ones, and scattered angles."""
        lacking = self.starts - pool.shape[0]
        spread = self._convert(scattered_angles(self.limb, lacking)[:, None])
        return self._xp.concatenate([pool, self._xp.broadcast_to(spread, (lacking, *pool.shape[1:]))], 0)

    def _put(self, state: State, rows: Tensor, angles: Tensor, cost: Tensor, branch: Tensor) -> State:
        """The state with the answers of some rows replaced."""
        where = self._xp.where
        return state._replace(
            angles=where(rows[..., None], angles, state.angles),
            cost=where(rows, cost, state.cost),
            branch=where(rows, branch, state.branch),
        )

    def needs(self, phase: Phase, state: State) -> Tensor:
        """Which rows need a phase, (rows,)."""
        reached = state.cost < BEYOND_LIMIT
        if phase.kind == "nearest":
            return ~reached
        within = self._within_reach()
        if phase.kind == "exact":
            return within
        if phase.kind in ("pull", "settle"):
            return within & reached & (state.cost > 0.0)
        if phase.kind == "find" and self.poses.near_given:
            apart = self._xp.abs(state.angles - self.poses.near)
            reached = reached & (apart <= CLOSE_RADIANS).all(-1)
        return within & ~reached

    def starts_of(self, phase: Phase, state: State) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Where the descents of a phase begin, (starts, rows, n), the limits, (n,), and how much is pulled."""
        lower, upper = self._limits(free=phase.kind == "free")
        starts = state.pool
        if phase.kind == "again":
            spread = scattered_angles(self.limb, RESTART_ROUNDS * self.starts)[phase.round :: RESTART_ROUNDS]
            starts = self._xp.broadcast_to(self._convert(spread[:, None]), (self.starts, *state.angles.shape))
        elif phase.kind == "nearest":
            starts = self._xp.concatenate([state.angles[None], state.pool[:-1]], 0)
        elif phase.kind in ("free", "exact"):
            one = state.angles[None] if phase.kind == "free" else state.pool[1:2]  # the best branch
            starts = self._xp.broadcast_to(one, state.pool.shape) if self.library == "jax" else one
        return starts, lower, upper, self._convert(phase.pull)

    def descend(self, starts: Tensor, lower: Tensor, upper: Tensor, pull: Tensor, steps: Any) -> Tensor:
        """The angles (starts, rows, n) after so many steps."""
        limb, xp = self.limb, self._xp
        radian = METRES_PER_RADIAN if limb.oriented else METRES_PER_FREE_RADIAN
        measure = xp.stack([self._convert(1.0 / limb.length), self._convert(radian), pull])
        poses = {"position": self.poses.position, "rotation": self.poses.rotation, "near": self.poses.near}
        inputs = {name: self._spread(one, starts) for name, one in poses.items()}
        inputs |= {"lower": lower, "upper": upper, "measure": measure}
        angles = take_steps(limb, ChainFlags(limb.uses_rotation), inputs, xp.clip(starts, lower, upper), steps)
        if limb.uses_rotation and not limb.oriented:
            count = FREE_EXACT_STEPS if type(steps) is int else xp.minimum(steps, FREE_EXACT_STEPS)
            angles = take_steps(limb, ChainFlags(False), inputs, angles, count)
        return angles

    def finish(self, phase: Phase, state: State, moved: Tensor, miss: Tensor, measure: Tensor) -> State:
        """What is kept of where the descents led, of how they miss and of the measure of nearness, (starts, rows)."""
        xp, needed = self._xp, self.needs(phase, state)
        if phase.kind == "free":
            return state._replace(unlimited=state.unlimited | (needed & (miss <= self._max_miss).any(0)))
        if phase.kind in ("find", "pull"):
            state = state._replace(pool=xp.where(needed[:, None], moved, state.pool))
        if phase.kind == "pull":
            return state
        if phase.kind == "nearest":
            return self._keep_nearest(state, needed, moved, measure)
        cost = self._cost(moved, miss, measure)
        number = xp.argmin(cost, 0)
        if phase.kind == "find" and self._prefers_near:
            number = xp.where(cost[0] < BEYOND_LIMIT, xp.zeros_like(number), number)
        best = self._pick(cost, number)
        branch = state.branch if phase.kind == "exact" else xp.zeros_like(best) - 1.0
        return self._put(state, needed & (best < state.cost), self._pick(moved, number), best, branch)

    def _keep_nearest(self, state: State, needed: Tensor, moved: Tensor, measure: Tensor) -> State:
        xp = self._xp
        measure = xp.where(xp.isnan(measure), self._convert(np.inf), measure)
        number = xp.argmin(measure, 0)
        apart = self._pick(measure, number)
        beyond = state.unlimited & self._within_reach()
        missed = xp.where(beyond, self._convert(BEYOND_LIMIT), self._convert(NOT_REACHED))
        missed = missed * (1.0 + xp.clip(apart / self.limb.length, 0.0, 1.0))
        reached = (apart <= self._max_miss) if self.poses.swivel is None else apart < 0.0
        cost = xp.where(reached & self._within_reach(), xp.zeros_like(missed), missed)
        return self._put(state, needed, self._pick(moved, number), cost, state.branch)

    # --- all of it

    def solve(self) -> State:
        """Answers, by all phases for all rows."""
        phases, state = self.phases(), self.begin()
        if self.library == "jax":
            return self._solve_in_one_loop(phases, state)
        for phase in phases:
            moved = self.descend(*self.starts_of(phase, state), phase.steps)
            state = self.finish(phase, state, moved, *self._miss(moved))
        return state

    def _solve_in_one_loop(self, phases: list[Phase], state: State) -> State:
        from jax import lax

        def start(phase: Phase, state: State) -> tuple[Tensor, ...]:
            needed = self.needs(phase, state).any()
            return *self.starts_of(phase, state), self._xp.where(needed, phase.steps, 0)

        def body(number: Tensor, state: State) -> State:
            moved = self.descend(*lax.switch(number, [partial(start, phase) for phase in phases], state))
            finishes = [partial(self.finish, phase) for phase in phases]
            return lax.switch(number, finishes, state, moved, *self._miss(moved))

        return lax.fori_loop(0, len(phases), body, state)

    def solve_by_rows(self) -> State:
        """Answers of tensors of torch, whose rows take part in the phases that they need."""
        rows = self.poses.near.shape[0]
        poses, xp = self.poses, self._xp
        first = self._from_near() if self._starts_from_near else None
        left = xp.arange(rows, device=poses.near.device)
        if first is not None:
            close = (xp.abs(first.angles - poses.near) <= CLOSE_RADIANS).all(-1) if poses.near_given else True
            left = left[~((first.cost < BEYOND_LIMIT) & close)]
            if left.numel() == 0:
                return first
        part = self.select(left)
        state = part.begin()
        if first is not None:
            before = first.select(left)
            state = part._put(state, before.cost < state.cost, before.angles, before.cost, before.branch)
        state = part._follow_phases(state)
        if first is None or left.numel() == rows:
            return state
        first.put(left, state._replace(pool=state.pool[:1]))
        return first

    def _follow_phases(self, state: State) -> State:
        """The state after all phases, each for the rows that need it."""
        for phase in self.phases():
            needed = self.needs(phase, state).nonzero()[:, 0]
            if needed.numel() == 0:
                continue
            some, chosen = self.select(needed), state.select(needed)
            starts, lower, upper, pull = some.starts_of(phase, chosen)
            if phase.kind == "nearest" and self.starts > NEAREST_STARTS:
                starts = some.descend(starts, lower, upper, pull, PROMISING_STEPS)
                starts = some._first(starts, some._miss(starts)[1], NEAREST_STARTS)
            moved = some.descend(starts, lower, upper, pull, phase.steps)
            state.put(needed, some.finish(phase, chosen, moved, *some._miss(moved)))
        return state

    @property
    def _starts_from_near(self) -> bool:
        """Whether a descent from `near` comes first."""
        family = self.limb.closed_form
        if family.is_complete or self.poses.swivel is not None:
            return False
        return self.poses.near_given or not family.layout.has_swivel

    @property
    def _prefers_near(self) -> bool:
        """Whether the answer to which a descent from `near` leads is good enough."""
        return self._starts_from_near and not (self.poses.near_given and self.limb.closed_form.branches)

    def _from_near(self) -> State:
        """Answers to which one descent from `near` leads."""
        poses, xp, limb = self.poses, self._xp, self.limb
        near = poses.near if self._pulls else None
        angles = descend(limb, poses.near, poses.position, poses.rotation, DESCENT_STEPS, near=near)
        cost = self._cost(angles, *self._miss(angles))
        cost = xp.where(self._within_reach(), cost, xp.full_like(cost, np.inf))
        none = xp.zeros_like(cost)
        state = State(angles, cost, none - 1.0, 0.0 + angles[None], none > 0.0)
        if not poses.near_given:
            return state
        there = (self._miss(poses.near)[0] <= self._max_exact) & ~self._is_beyond_limits(poses.near)
        return self._put(state, there, poses.near, none, none - 1.0)

    def select(self, rows: Tensor) -> DeviceSolver:
        """The solver of some rows."""
        position, rotation, near, swivel, near_given = self.poses
        chosen = Poses(position[rows], rotation[rows], near[rows], None if swivel is None else swivel[rows], near_given)
        return replace(self, poses=chosen)

    def branches(self) -> tuple[Tensor, Tensor, Tensor]:
        """Every branch: angles (branches, rows, n), costs and numbers (branches, rows)."""
        limb, xp, poses = self.limb, self._xp, self.poses
        family = limb.closed_form
        lower, upper = self._limits(free=bool(family.branches))
        if not family.branches:
            starts = replace(self, starts=ITERATIVE_BRANCHES)._fill(poses.near[None])
            angles = self.descend(starts, lower, upper, self._convert(0.0), 2 * DESCENT_STEPS)
            number = self._convert(np.arange(ITERATIVE_BRANCHES)[:, None]) + 0.0 * angles[..., 0]
            return angles, self._cost(angles, *self._miss(angles)), number
        angles, cost, number = self.candidates(self._swivel_of_branches())
        if family.layout.free_parameter == "guess":
            angles, cost, number = self._best_guesses(angles, cost, number)
        cost = self._without_virtual_joint(angles, cost)
        if family.newton_steps:
            angles = self.descend(angles, lower, upper, self._convert(0.0), PULLED_STEPS)
            found = self._cost(angles, *self._miss(angles))
            cost = xp.where(xp.isnan(cost), cost, found)
            beyond = self._is_beyond_limits(angles) & (cost < BEYOND_LIMIT)
            cost = xp.where(beyond, xp.full_like(cost, BEYOND_LIMIT), cost)
        return angles, cost, number

    def _swivel_of_branches(self) -> Tensor | None:
        """The swivel of each row's best branch, (1, rows); guesses (k, rows); None where there is no choice."""
        swivels, family = self._swivels(), self.limb.closed_form
        if swivels is None or self.poses.swivel is not None:
            return swivels
        if not family.layout.has_swivel:
            around = np.linspace(-np.pi, np.pi, GUESSES, endpoint=False)[:, None]
            return self._convert(around) + 0.0 * self.poses.near[..., 0]
        angles, cost, _ = self.candidates(swivels)
        best = self._first(angles, cost, 1)[0]
        last = family.layout.free_parameter == "last joint"
        return (best[..., -1] if last else swivel_of_tensors(family, best))[None]

    def _best_guesses(self, angles: Tensor, cost: Tensor, number: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of branches at all guesses the one for each branch that comes nearest to the target."""
        xp, family = self._xp, self.limb.closed_form
        apart = self._miss(angles)[1]
        apart = xp.where(xp.isnan(apart), self._convert(np.inf), apart)
        shape = (family.branches, GUESSES, *cost.shape[1:])
        best = xp.argmin(apart.reshape(shape), 1)[:, None]
        pick = partial(xp.take_along_dim if self.library == "torch" else xp.take_along_axis)
        angles = pick(angles.reshape(*shape, -1), best[..., None], 1)[:, 0]
        return angles, *(pick(one.reshape(shape), best, 1)[:, 0] for one in (cost, number))


def solve_on_device(limb: RobotLimb, arguments: SolveArguments, *, every: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Angles (..., n), costs and numbers of branches (...,), of tensors; every branch on a first axis.

    Args:
        limb: the limb.
        arguments: what is given: tensors with the batch's shape, without gradients.
        every: whether every branch is wanted.

    Returns:
        The angles, costs and branches, of the dtype of `near`; NaN for rows that are not finite.
    """
    library, shape, joints = arguments.library or "", arguments.shape, len(limb.chain)
    handler, xp = HANDLERS[library], HANDLERS[library].module()
    dtype, full = arguments.inputs["near"].dtype, ((limb.branch_count, *shape) if every else shape)
    if 0 in shape:
        none = handler.broadcast(arguments.inputs["near"][..., :1], (*full, 1))
        return handler.broadcast(none, (*full, joints)), none[..., 0], none[..., 0]
    solver, valid = _read_poses(limb, arguments)
    if every:
        angles, cost, branch = solver.branches()
    elif library == "torch" and torch_kernels.eager():
        angles, cost, branch = solver.solve_by_rows()[:3]
    else:
        angles, cost, branch = solver.solve()[:3]
    angles = xp.where(valid[:, None], angles, xp.full_like(angles, np.nan))
    cost = xp.where(valid, cost, xp.full_like(cost, np.nan))
    found = handler.cast(angles, dtype).reshape(*full, joints)
    return found, handler.cast(cost, dtype).reshape(full), handler.cast(branch, dtype).reshape(full)


def _read_poses(limb: RobotLimb, arguments: SolveArguments) -> tuple[DeviceSolver, Tensor]:
    """The solver of the poses as rows, and which of them are finite, (rows,)."""
    library = arguments.library or ""
    xp: Any = HANDLERS[library].module()
    sizes = {"position": 3, "rotation": 4, "near": len(limb.chain), "swivel": 1}
    flat = {name: one.reshape(prod(arguments.shape), sizes[name]) for name, one in arguments.inputs.items()}
    if library == "torch":  # in float64 where the device has it: as NumPy does
        flat = {name: one if one.device.type == "mps" else one.double() for name, one in flat.items()}
    valid = xp.concatenate([xp.isfinite(flat[name]) for name in ("position", "rotation", "near")], -1).all(-1)
    flat = {name: xp.where(valid[:, None], one, xp.ones_like(one)) for name, one in flat.items()}
    swivel = flat["swivel"][..., 0] if "swivel" in flat else None
    position = _bring_near(xp, flat["position"])
    return DeviceSolver(
        limb, Poses(position, flat["rotation"], flat["near"], swivel, arguments.near_given), library
    ), valid


def _bring_near(xp: Any, position: Tensor) -> Tensor:
    """Positions (rows, 3); those beyond any reach, whose powers would overflow, at FARTHEST in the same direction."""
    size = xp.amax(xp.abs(position), -1)[:, None]
    far = size > FARTHEST
    return xp.where(far, position * (FARTHEST / xp.where(far, size, xp.ones_like(size))), position)
