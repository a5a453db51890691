"""The answer of a robot limb: joint angles, and what became of each target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import HANDLERS
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED
from limbik.limbs.status import Status, counted

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb


@dataclass(frozen=True, eq=False, repr=False)
class RobotSolution:
    """Joint angles for one pose of the tip or a batch of them, as `solve`, `branches` and `track` return them.

    Arrays have the batch's leading axes and are of the library and number type of the inputs.

    Attributes:
        limb: the limb that was solved for.
        position, rotation: (..., 3) and (..., 4), the targets, with the leading axes of the batch.
        angles: (..., n), radians, base first.
        branch: (...,), the number of the branch: 0 up to `limb.branch_count`.
        cost: (...,), what the branch was chosen by.
        library: that of the arrays; None for NumPy.
        tracked: whether it is a track, with time on axis 0.
    """

    limb: RobotLimb
    position: Any
    rotation: Any
    angles: Any
    branch: Any
    cost: Any
    library: str | None = None
    tracked: bool = False

    def __repr__(self) -> str:
        if self.shape or self.library:
            text = f"robot limb solutions, shape {self.shape}, {self.angles.dtype}"
            if self.library:
                return f"{text} ({self.library})"
            few = 0 < self.cost.size <= 1_000_000  # the report of a larger batch would take too long for a repr
            return f"{text}: {counted(self.status, self.residual)}" if few else text
        lines = [f"robot limb solution: {self.status.name}, {self.status.words}"]
        for name, angle, kind in zip(self.limb.joints, self.angles, self.limb.chain.kinds, strict=True):
            lines.append(f"  {name}  {f'{np.degrees(angle):.2f}°' if kind == 'hinge' else f'{angle:.6g} m'}")
        return "\n".join([*lines, f"  residual  {self.residual:.3g} m, {self.rotation_residual:.3g} rad"])

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single pose."""
        return tuple(self.angles.shape[:-1])

    @cached_property
    def _errors(self) -> Any:
        return self.limb._chain_answer("errors", self.angles, self.position, self.rotation)

    @property
    def residual(self) -> Any:
        """Distance from the tip to the target, metres, (...,): by forward kinematics of the angles."""
        return self._errors[..., 0]

    @property
    def rotation_residual(self) -> Any:
        """Angle between the tip's rotation and the target's, radians, (...,)."""
        return self._errors[..., 1]

    @property
    def reached(self) -> Any:
        """Whether the tip is at the target, within the joints' limits, (...,)."""
        return self.cost < BEYOND_LIMIT

    @property
    def within_limits(self) -> Any:
        """Whether all joints are within their limits, (...,)."""
        xp: Any = HANDLERS[self.library].module() if self.library else np
        slack = 1e-9 if "64" in str(self.angles.dtype) else 1e-4
        lower, upper = self.limb.lower, self.limb.upper
        if self.library:
            handler = HANDLERS[self.library]
            working = handler.working(self.angles.dtype)
            lower, upper = (handler.convert(limit, self.angles, working) for limit in (lower, upper))
        return xp.all((self.angles >= lower - slack) & (self.angles <= upper + slack), -1)

    @property
    def status(self) -> Any:
        """The status of each target: a `Status` for a single pose, otherwise an array (...,) of its numbers, int8."""
        if self.library:
            xp: Any = HANDLERS[self.library].module()
            codes = xp.where(self.cost >= BEYOND_LIMIT, float(Status.LIMITED), float(Status.REACHED))
            codes = xp.where(self.cost >= NOT_REACHED, float(Status.TOO_FAR), codes)
            codes = xp.where(self.cost == self.cost, codes, float(Status.INVALID))
            return HANDLERS[self.library].small_integers(codes)
        found = self.limb.forward(self.angles)[0] - self.limb.chain.points[0]
        wanted = self.position - self.limb.chain.points[0]
        with np.errstate(over="ignore"):
            near = np.linalg.norm(wanted, axis=-1) < np.linalg.norm(found, axis=-1)
        cases = (np.isnan(self.cost), self.cost < BEYOND_LIMIT, self.cost < NOT_REACHED, near)
        codes = np.select(cases, (Status.INVALID, Status.REACHED, Status.LIMITED, Status.TOO_NEAR), Status.TOO_FAR)
        return Status(int(codes)) if self.shape == () else codes.astype(np.int8)

    @cached_property
    def _singular_values(self) -> Any:
        from limbik.robots.nearest import jacobians

        angles = HANDLERS[self.library].numpy(self.angles) if self.library else self.angles
        slopes = jacobians(self.limb, angles.reshape(-1, angles.shape[-1]).astype(float))
        slopes[:, :3] /= self.limb._family.reach
        if not self.limb._family.oriented:
            slopes = slopes[:, :3]
        values = np.full((len(slopes), min(slopes.shape[1:])), np.nan)
        valid = np.isfinite(slopes).all(axis=(1, 2))
        values[valid] = np.linalg.svd(slopes[valid], compute_uv=False)
        return values.reshape(*self.shape, -1)

    @property
    def manipulability(self) -> Any:
        """The product of the Jacobian's singular values (Yoshikawa), lengths in units of the limb's, (...,), NumPy."""
        return self._singular_values.prod(axis=-1)

    @property
    def singular_distance(self) -> Any:
        """The Jacobian's smallest singular value, lengths in units of the limb's: 0 where singular, (...,), NumPy."""
        return self._singular_values[..., -1]

    @property
    def singular(self) -> Any:
        """Whether the pose is singular to within rounding: some joints are then chosen freely, (...,), NumPy."""
        return self.singular_distance < 1e-7
