"""One pose at a time, by kernels once these have been loaded: what a control loop calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_engine
from limbik.engines.numba_track import TrackKernel
from limbik.engines.robot_flags import ChainFlags, NoFlags
from limbik.engines.robot_programs import chain_program, descent_program
from limbik.engines.track_steps import groups_read
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64, floats
from limbik.robots.array_solving import CLOSE_RADIANS, MAX_EXACT_MISS, MAX_SHORT_MISS, SHORT_STEPS
from limbik.robots.descent import EXACT_STEPS, METRES_PER_RADIAN
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Floats = tuple[float, ...]
NO_BRANCH = np.array(-1, np.int8)


class SinglePose:
    """One pose of a limb, given as numbers: by its closed form, or by a descent from angles to be near."""

    def __init__(self, limb: RobotLimb) -> None:
        family = limb.closed_form
        self._joints = len(limb.chain)
        simple = not (family.layout.free_parameter or family.newton_steps)
        self._closed_form = ClosedFormOfOne(limb) if simple else None
        self._descent = DescentOfOne(limb) if limb.oriented and not family.is_complete else None

    def solve(self, position: object, rotation: object, near: object, *, every: bool) -> RobotSolution | None:
        """The best branch, or every branch; None where that takes more, or the kernels have not been loaded."""
        way = self._closed_form if every or self._closed_form else self._descent
        if way is None or dispatch.chosen() == "numpy" or not all(one in loading.kernels for one in way.kernels):
            return None
        place, turn = floats(position, 3), floats(rotation, 4)
        aim = None if near is None else floats(near, self._joints)
        if not (place and turn and (near is None or aim)):
            return None
        if isinstance(way, DescentOfOne):
            return way.best(place, turn, aim) if aim else None
        return way.every(place, turn, aim) if every else way.best(place, turn, aim)

    def note(self, seconds: float) -> None:
        """Counts the time that a call took without kernels, which are loaded when that pays."""
        for kernel in self._kernels():
            if kernel not in loading.kernels:
                loading.note(kernel, seconds)

    def _kernels(self) -> list[loading.Kernel]:
        return [kernel for way in (self._closed_form, self._descent) if way for kernel in way.kernels]


class ClosedFormOfOne:
    """All branches of one pose as rows of a kernel; what does not change is kept here."""

    def __init__(self, limb: RobotLimb) -> None:
        family = limb.closed_form
        self.limb = limb
        program = family.layout.program
        names = program.groups_of("placed")
        layouts = tuple("rows" if name == "signs" else "constant" for name in names)
        self.kernels = (numba_engine.Kernel(program, "placed", family.layout.flags, FLOAT64, layouts, ()),)
        given = {**family.inputs, "position": (0.0,) * 3, "rotation": (0.0,) * 4, "near": limb.default_near}
        constant = [name for name in names if name != "signs"]
        parts = [given[name] for name in constant]
        self._constants = np.concatenate([np.array(part, float) for part in parts])[None]
        starts = dict(zip(constant, np.cumsum([0, *map(len, parts)]), strict=False))
        self._pose = int(starts["position"])  # position and rotation follow one another
        self._near = int(starts["near"])
        self._signs = np.ascontiguousarray(np.array(family.signs).T)
        self._shape = len(limb.chain) + 1, family.branches

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

    def _evaluate(self, position: Floats, rotation: Floats, near: Floats | None) -> Array:
        """Angles and cost of every branch, (n + 1, branches)."""
        constants = self._constants.copy()
        row = constants[0]
        row[self._pose : self._pose + 7] = position + rotation
        if near is not None:
            row[self._near : self._near + len(near)] = near
        out = np.empty(self._shape)
        loading.kernels[self.kernels[0]](0, self._shape[1], constants, self._signs, out)
        return out


class DescentOfOne:
    """A short descent from angles to be near: the same steps, and so the same bits, as those of a batch."""

    def __init__(self, limb: RobotLimb) -> None:
        chain, joints = limb.chain, len(limb.chain)
        steps, errors = descent_program(chain.letters), chain_program(chain.letters)
        pose = {"position": (0.0,) * 3, "rotation": (0.0,) * 4}
        given = {**chain.inputs, **pose, "near": limb.default_near, "measure": (0.0,) * 3}
        given |= {"lower": tuple(limb.lower.tolist()), "upper": tuple(limb.upper.tolist())}
        names = groups_read(steps, "descend")
        names_of_errors = [name for name in errors.groups_of("errors") if name != "angles"]
        layouts = tuple("rows" if name == "angles" else "constant" for name in errors.groups_of("errors"))
        self.kernels = (
            TrackKernel(steps, "descend", ChainFlags(limb.uses_rotation), FLOAT64, ((False, False),) * len(names)),
            numba_engine.Kernel(errors, "errors", NoFlags(), FLOAT64, layouts, ()),
        )
        self._limb, self._is_redundant = limb, joints > 6
        self._constants, self._places = _pack(given, names)
        self._errors, self._error_places = _pack(given, names_of_errors)
        self._measure = 1.0 / limb.length, METRES_PER_RADIAN

    def best(self, position: Floats, rotation: Floats, near: Floats) -> RobotSolution | None:
        """`near` itself if it is an answer, or the one close to it; None where there may be none."""
        limb, target = self._limb, position + rotation
        errors = self._errors.copy()
        errors[self._error_places["position"] : self._error_places["position"] + 7] = target
        around = np.array(near)
        if self._miss(errors, around) <= MAX_EXACT_MISS and not limb.is_beyond_limits(around):
            return self._solution(position, rotation, around, np.array(0.0))
        constants = self._constants.copy()
        constants[self._places["position"] : self._places["position"] + 7] = target
        constants[self._places["near"] : self._places["near"] + len(near)] = near
        state = np.zeros(4 * len(near))
        state[: len(near)] = np.clip(around, limb.lower, limb.upper)
        phases = ((SHORT_STEPS, 1.0), (EXACT_STEPS, 0.0)) if self._is_redundant else ((SHORT_STEPS, 0.0),)
        for count, pull in phases:
            constants[self._places["measure"] : self._places["measure"] + 3] = *self._measure, pull
            state = self._descend(constants, state, count)
        angles = state[: len(near)].copy()
        apart = angles - around
        if not (np.abs(apart).max() <= CLOSE_RADIANS and self._miss(errors, angles) <= MAX_SHORT_MISS):
            return None
        return self._solution(position, rotation, angles, np.asarray(np.sum(apart**2)))

    def _descend(self, constants: Array, state: Array, count: int) -> Array:
        """The state after so many steps: the kernel writes it to one half of its memory, then to the other."""
        half = len(state) // 2
        loading.kernels[self.kernels[0]](0, 1, count, constants[:, None], state[:, None], np.empty((0, 1)))
        after = state[count % 2 * half :][:half]
        return np.concatenate([after[: half // 2], np.zeros(half // 2), np.zeros(half)])

    def _miss(self, errors: Array, angles: Array) -> float:
        """By how much the tip misses its target: metres, or radians where that is more."""
        out = np.empty((2, 1))
        loading.kernels[self.kernels[1]](0, 1, errors[None], angles[:, None], out)
        return float(out.max())

    def _solution(self, position: Floats, rotation: Floats, angles: Array, cost: Array) -> RobotSolution:
        return RobotSolution(self._limb, np.array(position), np.array(rotation), angles, NO_BRANCH, cost)


def _pack(given: dict[str, Floats], names: Sequence[str]) -> tuple[Array, dict[str, int]]:
    """The numbers of groups, one after the other, and where each begins."""
    parts = [given[name] for name in names]
    places = np.cumsum([0, *map(len, parts)]).tolist()
    return np.array([number for part in parts for number in part]), dict(zip(names, places, strict=False))
