"""The status of a target."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from limbik.arrays import Array
from limbik.formulas import status as codes


class Status(IntEnum):
    """The status of a target. Arrays of statuses hold these numbers, so `s.status == Status.TOO_FAR` is a mask."""

    REACHED = int(codes.REACHED)
    """The tip is at the target, to within rounding."""
    TOO_FAR = int(codes.TOO_FAR)
    """The target is beyond the links' reach, or where soft reach holds the limb back."""
    TOO_NEAR = int(codes.TOO_NEAR)
    """The target is nearer than the folded links can come."""
    LIMITED = int(codes.LIMITED)
    """The links could reach, but a joint limit holds them back."""
    INVALID = int(codes.INVALID)
    """The row holds NaN or infinity, or target − origin overflows; its answers are NaN."""

    @property
    def words(self) -> str:
        """The status as a phrase, such as "held back by a joint limit"."""
        return _WORDS[self]

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec) if not spec or spec.endswith("s") else format(int(self), spec)


_WORDS = {
    Status.REACHED: "reached",
    Status.TOO_FAR: "too far: the limb is stretched towards the target",
    Status.TOO_NEAR: "too near: the limb is folded as far as it goes",
    Status.LIMITED: "held back by a joint limit",
    Status.INVALID: "invalid: NaN, infinity or overflow in the inputs",
}


def counted(status: Array, residual: Array) -> str:
    """A batch in a line: how many rows have each status, and the largest residual."""
    counts = np.bincount(status.ravel(), minlength=len(Status))
    parts = [f"{count:,} {one.name}" for one, count in zip(Status, counts, strict=True) if count]
    return f"{', '.join(parts)}; largest residual {np.nanmax(residual, initial=0.0):.3g}"
