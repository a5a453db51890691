"""The answer of a robot limb: joint angles, and what became of each target."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from limbik.arrays import HANDLERS, Array
from limbik.errors import NoSuchAnswerError, did_you_mean
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED
from limbik.limbs.array_types import ArrayType
from limbik.limbs.inputs import with_batch
from limbik.limbs.status import Status, counted
from limbik.robots.jacobians import singular_values

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

MAX_REPORTED_ROWS = 1_000_000  # the report of a larger batch would take too long for a repr
MAX_SINGULAR_VALUE = 1e-7  # of a pose that is singular to within rounding


@dataclass(frozen=True, eq=False, repr=False)
class RobotSolution(Generic[ArrayType]):
    """Joint angles for one pose of the tip or a batch of them, as `solve`, `branches` and `track` return them.

    Answers have the names and meanings that they have in `limbik.Solution`: arrays with the batch's leading axes, of
    the library and dtype of the inputs; numbers, a bool or a `Status` where it is a single pose. Positions and
    rotations are in the frame of the limb's base.
    """

    limb: RobotLimb
    """The limb that was solved for."""
    _position: ArrayType
    _rotation: ArrayType
    angles: ArrayType
    """Joint angles in radians, (..., n), base first."""
    branch: ArrayType
    """The number of the branch, (...,): 0 up to `limb.branch_count`."""
    cost: ArrayType
    """What the branch was chosen by, (...,)."""
    library: str | None = None
    """The library of the arrays; None for NumPy."""
    is_track: bool = False
    """Whether it is a track, with time on axis 0."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single pose."""
        return tuple(self._angles.shape[:-1])

    @property
    def dtype(self) -> object:
        """The dtype of the answers, NumPy's or the library's."""
        return self._angles.dtype

    @property
    def target(self) -> ArrayType:
        """The positions that the tip was sent to, (..., 3), metres, with the batch's leading axes."""
        return with_batch(self._position, self.shape)

    @property
    def target_rotation(self) -> ArrayType:
        """The rotations that the tip was sent to, (..., 4), quaternions xyzw, with the batch's leading axes."""
        return with_batch(self._rotation, self.shape)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints, base first."""
        return self.limb.joints

    angle_names = joint_names

    @property
    def joints(self) -> ArrayType:
        """A point on each joint's axis, base first, and the tip: (..., n + 1, 3), metres."""
        count = len(self.limb.chain)
        numbers: Any = self.limb._evaluate_chain("joints", self._angles)
        return numbers[..., 3 * count : 6 * count + 3].reshape(*self.shape, count + 1, 3)

    def degrees(self) -> ArrayType:
        """`angles` in degrees.

        Returns:
            The angles, of the shape of `angles`.
        """
        return self._angles * (180 / math.pi)

    @property
    def status(self) -> Status | ArrayType:
        """The status of each target: a `Status` for a single pose, otherwise an array (...,) of its numbers, int8."""
        cost: Any = self.cost
        handler = HANDLERS[self.library] if self.library else None
        first: Any = self.limb.chain.points[0]
        if handler:
            first = handler.convert(first, self._angles, handler.working(self._angles.dtype))
        found: Any = self.limb.forward(self._angles)[0]
        xp: Any = handler.module() if handler else np
        with np.errstate(over="ignore"):
            near = _distance(self._position, first) < _distance(found, first)
        codes = xp.where(near, float(Status.TOO_NEAR), float(Status.TOO_FAR))
        codes = xp.where(cost < NOT_REACHED, float(Status.LIMITED), codes)
        codes = xp.where(cost < BEYOND_LIMIT, float(Status.REACHED), codes)
        codes = xp.where(xp.isnan(cost), float(Status.INVALID), codes)
        if handler:
            return handler.small_integers(codes)
        return Status(int(codes)) if self.shape == () else codes.astype(np.int8)  # pyright: ignore[reportReturnType]

    @property
    def status_names(self) -> str | Array:
        """The names of `status`: a str for a single pose, otherwise a NumPy array (...,) of them."""
        status: Any = self.status
        numbers = np.asarray(HANDLERS[self.library].numpy(status) if self.library else status, int)
        names = np.array([one.name for one in sorted(Status)])[numbers]
        return str(names) if names.ndim == 0 else names

    @property
    def reached(self) -> ArrayType:
        """Whether the tip is at the target, within the joints' limits, (...,); a bool for a single pose."""
        cost: Any = self.cost
        return self._item(cost < BEYOND_LIMIT)

    @property
    def held(self) -> ArrayType:
        """Where a track lags behind its target, (...,), booleans: it could not be followed within limits and steps."""
        cost: Any = self.cost
        return self._item((cost >= BEYOND_LIMIT) & self.is_track)

    @property
    def within_limits(self) -> ArrayType:
        """Whether all joints are within their limits, (...,); a bool for a single pose."""
        angles, xp = self._angles, np
        slack = 1e-9 if "64" in str(angles.dtype) else 1e-4
        lower, upper = self.limb.lower, self.limb.upper
        if self.library:
            handler = HANDLERS[self.library]
            xp, working = handler.module(), handler.working(angles.dtype)
            lower, upper = (handler.convert(limit, angles, working) for limit in (lower, upper))
        within: Any = xp.all((angles >= lower - slack) & (angles <= upper + slack), -1)
        return self._item(within)

    @property
    def residual(self) -> ArrayType:
        """Distance from the tip to the target, metres, by forward kinematics, (...,); a float for a single pose."""
        return self._item(self._errors[..., 0])

    @property
    def rotation_residual(self) -> ArrayType:
        """Angle between the tip's rotation and the target's, radians, (...,); a float for a single pose."""
        return self._item(self._errors[..., 1])

    @property
    def jacobian(self) -> ArrayType:
        """The tip's velocity and angular velocity for each joint, (..., 6, n), as `RobotLimb.jacobian` has it."""
        return self.limb.jacobian(self.angles)

    @property
    def manipulability(self) -> ArrayType:
        """The product of the Jacobian's singular values (Yoshikawa), lengths in units of the limb's, (...,)."""
        return self._item(self._singular_values.prod(-1))

    @property
    def singular_distance(self) -> ArrayType:
        """The Jacobian's smallest singular value, lengths in units of the limb's: 0 where singular, (...,)."""
        return self._item(self._singular_values[..., -1])

    @property
    def singular(self) -> ArrayType:
        """Whether the pose is singular to within rounding: some joints are then chosen freely, (...,)."""
        return self._item(self._singular_values[..., -1] < MAX_SINGULAR_VALUE)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises the error that led here
            known = [one for one in (*type(self).__annotations__, *dir(type(self))) if not one.startswith("_")]
            raise NoSuchAnswerError("robot-limb", name, did_you_mean(name, known))

    # --- as a batch

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single solution has no length")
        return self.shape[0]

    def __getitem__(self, index: Any) -> RobotSolution[ArrayType]:
        """The solutions of some rows of the batch; a slice of a track along time is a track."""
        if not self.shape:
            raise IndexError("a single solution cannot be indexed")
        rows = np.arange(math.prod(self.shape)).reshape(self.shape)[index]
        first = index[0] if isinstance(index, tuple) else index
        arrays = (self.target, self.target_rotation, self.angles, self.branch, self.cost)
        picked = [array.reshape(-1, *array.shape[len(self.shape) :])[rows] for array in map(_any, arrays)]
        is_track = self.is_track and isinstance(first, slice) and (first.step or 1) > 0
        return RobotSolution(self.limb, *picked, library=self.library, is_track=is_track)

    def __iter__(self) -> Iterator[RobotSolution[ArrayType]]:
        return (self[k] for k in range(len(self)))

    # --- for people

    def __repr__(self) -> str:
        if self.shape or self.library:
            text = f"robot limb solutions, shape {self.shape}, {self.dtype}"
            if self.library:
                return f"{text} ({self.library})"
            reported = 0 < math.prod(self.shape) <= MAX_REPORTED_ROWS
            return f"{text}: {counted(_any(self.status), _any(self.residual))}" if reported else text
        status = Status(_any(self.status))
        lines = [f"robot limb solution: {status.name}, {status.words}"]
        for name, angle, kind in zip(self.joint_names, self._angles, self.limb.chain.kinds, strict=True):
            lines.append(f"  {name}  {f'{np.degrees(angle):.2f}°' if kind == 'hinge' else f'{angle:.6g} m'}")
        return "\n".join([*lines, f"  residual  {self.residual:.3g} m, {self.rotation_residual:.3g} rad"])

    # --- how they are computed

    @property
    def _angles(self) -> Any:
        return self.angles

    def _item(self, value: Any) -> Any:
        """The value; of a single pose on NumPy as a float or bool."""
        return value if self.library or self.shape else value.item()

    @cached_property
    def _errors(self) -> Any:
        return self.limb._evaluate_chain("errors", self._angles, self._position, self._rotation)

    @cached_property
    def _singular_values(self) -> Any:
        return singular_values(self.limb.chain, self.jacobian)


def _distance(point: Any, other: Any) -> Any:
    gap = point - other
    return (gap * gap).sum(-1) ** 0.5


def _any(array: Any) -> Any:
    """The array, for which a type checker knows no operations."""
    return array
