"""What became of a target."""

from __future__ import annotations

from enum import IntEnum

from limbik.formulas import status as codes


class Status(IntEnum):
    """What became of a target. Arrays of statuses hold these numbers, so `s.status == Status.TOO_FAR` is a mask."""

    REACHED = int(codes.REACHED)
    """The tip is at the target, to within rounding."""
    TOO_FAR = int(codes.TOO_FAR)
    """The target is beyond the links' reach, or beyond where soft reach begins to hold the limb back."""
    TOO_NEAR = int(codes.TOO_NEAR)
    """The target is nearer than the folded links can come."""
    LIMITED = int(codes.LIMITED)
    """The links could reach, but a joint's range does not let them."""
    INVALID = int(codes.INVALID)
    """The row holds NaN or infinity, or target − origin overflows; its answers are NaN."""

    @property
    def words(self) -> str:
        """The status as a person would say it."""
        return _WORDS[self]


_WORDS = {
    Status.REACHED: "reached",
    Status.TOO_FAR: "too far: the limb is stretched towards the target",
    Status.TOO_NEAR: "too near: the limb is folded as far as it goes",
    Status.LIMITED: "held back by a joint limit",
    Status.INVALID: "invalid: NaN, infinity or overflow in the inputs",
}
