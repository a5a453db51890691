"""What all limbs have in common: link lengths and joint limits, checked once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import library_of
from limbik.engines.numpy_engine import evaluate
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases
from limbik.errors import ArgumentError
from limbik.formulas.triangle import chords_at
from limbik.limbs.array_types import ArrayLike
from limbik.limbs.fast_path import FastPath
from limbik.limbs.inputs import Group, Groups, copied, positive, stack
from limbik.limbs.one_frame import FrameKind
from limbik.limbs.pytrees import register_pytrees

Range = tuple[float, float]
SHOWN = 16  # how many limbs' lengths `repr` lists


class Limb:
    """Links of fixed lengths; each length one number, or an array for many limbs at once."""

    _program: Program
    _lengths: Group
    _vectors: tuple[str, ...]  # the groups of the vectors that `solve` takes
    _origin: tuple[float, ...]  # the default, recognised by identity
    _aliases: Aliases = ()  # the groups that equal one of those in a call with default options
    # For one limb, and calls with default options. Defaults are recognised by identity, which is fast: an equal value
    # (1.0 for 1) takes the general path, to the same answers.
    _fast_path: FastPath | None = None
    _frame_kinds: dict[Any, FrameKind]  # for tracks of one frame
    _first_answer = "joints"  # what the last large solution was first read for: the next one computes it in `solve`

    def _keep_lengths(self, lengths: Group) -> None:
        """Keeps checked lengths, (..., links), so that the caller cannot change them."""
        self._lengths = lengths
        self._frame_kinds = {}
        if not library_of(lengths):
            if np.any(self.lengths > np.finfo(float).max / 64):
                raise ArgumentError("length", self.lengths.max(), "lengths whose sum is far from overflow")
            if isinstance(lengths, np.ndarray):
                lengths.flags.writeable = False

    @property
    def lengths(self) -> Any:
        """The links' lengths, (..., links)."""
        return self._lengths if library_of(self._lengths) else np.asarray(self._lengths)

    @property
    def reach(self) -> Any:
        """The distance from origin to tip of the straight limb, (...,)."""
        return self.lengths.sum(-1)

    @property
    def _limits(self) -> dict[str, Any]:
        """The joint limits, by the names of the constructor's parameters."""
        raise NotImplementedError

    def _read(self, *arguments: Any, **options: Any) -> tuple[Groups, Flags, Any]:
        """What a Solution is made of, from the arguments of `solve`: the groups, the flags, the number type."""
        raise NotImplementedError

    def _quick(self, out: Any, *vectors: Any) -> Any:
        """The solution by the fast path for a call with default options; None where it cannot do it."""
        return None

    def _make_fast_path(self) -> None:
        if isinstance(self._lengths, tuple):
            self._fast_path = FastPath(self)
            self._quick = self._fast_path.solution

    def __getstate__(self) -> dict[str, Any]:
        made_again = ("_fast_path", "_quick", "_frame_kinds")
        return {name: value for name, value in self.__dict__.items() if name not in made_again}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._frame_kinds = {}
        self._make_fast_path()

    def __repr__(self) -> str:
        if isinstance(self._lengths, tuple):
            parts = [repr(one) for one in self._lengths]
        elif isinstance(self._lengths, np.ndarray) and self._lengths.size <= SHOWN * self._lengths.shape[-1]:
            parts = [repr(column.tolist()) for column in np.moveaxis(self._lengths, -1, 0)]
        else:
            parts = [f"<lengths of {self._lengths.shape[:-1]} limbs>"]
        parts += [f"{name}={limits}" for name, limits in self._limits.items() if limits]
        return f"{type(self).__name__}({', '.join(parts)})"


class MiddleJointLimb(Limb):
    """A limb whose first two links are joined by a joint with limits; each length is an argument of its own."""

    _length_names: tuple[str, ...] = ("first", "second")

    middle_limits: Range | None
    """The range of the middle joint's bend, radians: 0 is straight, π folded. None if free."""

    def __init__(self, lengths: tuple[ArrayLike[Any], ...], middle_limits: Range | None) -> None:
        checked = [positive(name, length) for name, length in zip(self._length_names, lengths, strict=True)]
        self._keep_lengths(stack(*((one,) if isinstance(one, float | int) else one[..., None] for one in checked)))
        self.middle_limits = read_range("middle_limits", middle_limits, 0.0, math.pi)
        self._chords: Group = self._chord_range()
        self._make_fast_path()
        register_pytrees()

    @property
    def _limits(self) -> dict[str, Any]:
        return {"middle_limits": self.middle_limits}

    def _chord_range(self) -> Group:
        """The shortest and longest chord that the middle joint's limits allow, as fractions of the first two links."""
        if self.middle_limits is None:
            return 0.0, 1.0
        if library_of(self._lengths):
            raise ArgumentError("middle_limits", self.middle_limits, "None for links whose lengths are tensors")
        low, high = self.middle_limits
        first, second = (self.lengths[..., k] for k in range(2))
        near, far = evaluate(chords_at, lengths=(first, second), cosines=(math.cos(high), math.cos(low)))
        return (float(near), float(far)) if np.ndim(near) == 0 else np.stack([near, far], -1)


def read_range(name: str, value: Any, lowest: float, highest: float) -> Range | None:
    """A range of angles in radians, within [lowest, highest], or None."""
    if value is None:
        return None
    wanted = f"a pair (low, high) of radians, {lowest:.4g} <= low <= high <= {highest:.4g}"
    try:
        low, high = (float(part) for part in value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(name, shown(value), wanted) from None
    slack = 1e-12
    if not lowest - slack <= low <= high <= highest + slack:
        raise ArgumentError(name, shown(value), wanted)
    return max(low, lowest), min(high, highest)


def with_signs(groups: Groups, signs: list[tuple[float, ...]]) -> Groups:
    """Copies of the groups with one variant of the signs for each branch, on a new leading axis."""
    depth = max((group.ndim - 1 for group in groups.values() if not isinstance(group, tuple)), default=0)
    return {**copied(groups), "signs": np.reshape(signs, (len(signs), *(1,) * depth, -1))}
