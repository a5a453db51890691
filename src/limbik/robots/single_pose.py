"""One pose at a time: all its branches in one call of a compiled kernel; what does not change is kept with the limb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_engine
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64, floats
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Floats = tuple[float, ...]


class SinglePose:
    """The branches of one pose as rows of a kernel, once that has been loaded; until then the general way."""

    def __init__(self, limb: RobotLimb) -> None:
        family = limb._family
        self.limb = limb
        self.suits = not (family.layout.spare or family.steps)
        if not self.suits:
            return
        program = family.layout.program
        names = program.groups_of("placed")
        layouts = tuple("rows" if name == "signs" else "constant" for name in names)
        self._kernel = numba_engine.Kernel(program, "placed", family.layout.flags, FLOAT64, layouts, ())
        given = {**family.groups, "position": (0.0,) * 3, "rotation": (0.0,) * 4, "near": limb._middle}
        parts = [given[name] for name in names if name != "signs"]
        self._constants = np.concatenate([np.array(part, float) for part in parts])[None]
        starts = dict(zip([name for name in names if name != "signs"], np.cumsum([0, *map(len, parts)]), strict=False))
        self._pose = int(starts["position"])  # position and rotation follow one another
        self._near = int(starts["near"])
        self._signs = np.ascontiguousarray(np.array(family.signs).T)
        self._shape = len(limb.chain) + 1, family.branches

    def arguments(self, position: Any, rotation: Any, near: Any) -> tuple[Floats, Floats, Floats | None] | None:
        """The arguments as floats; None where they are something else, or the kernel has not been loaded."""
        if not self.suits or self._kernel not in numba_engine.kernels or dispatch.chosen() == "numpy":
            return None
        place, turn = floats(position, 3), floats(rotation, 4)
        aim = None if near is None else floats(near, len(self.limb.chain))
        return (place, turn, aim) if place and turn and (near is None or aim) else None

    def branches(self, position: Floats, rotation: Floats, near: Floats | None) -> Array:
        """Angles and cost of every branch, (n + 1, branches)."""
        constants = self._constants.copy()
        row = constants[0]
        row[self._pose : self._pose + 7] = position + rotation
        if near is not None:
            row[self._near : self._near + len(near)] = near
        out = np.empty(self._shape)
        numba_engine.kernels[self._kernel](0, self._shape[1], constants, self._signs, out)
        return out

    def best(self, position: Floats, rotation: Floats, near: Floats | None) -> RobotSolution | None:
        """The best branch; None where it does not reach the target within limits."""
        found = self.branches(position, rotation, near)
        number = found[-1].argmin()
        cost = found[-1, number]
        if not cost < BEYOND_LIMIT:
            return None
        angles = found[:-1, number].copy()
        return RobotSolution(self.limb, np.array(position), np.array(rotation), angles, number, cost)

    def every(self, position: Floats, rotation: Floats, near: Floats | None) -> RobotSolution:
        """Every branch."""
        found = self.branches(position, rotation, near)
        numbers = np.arange(self._shape[1], dtype=np.int8)
        return RobotSolution(self.limb, np.array(position), np.array(rotation), found[:-1].T, numbers, found[-1])

    def note(self, seconds: float) -> None:
        """Counts the time that a call took without the kernel, which is loaded when that is worth it."""
        if self.suits and self._kernel not in numba_engine.kernels:
            loading.note(self._kernel, seconds)
