"""What the limbs have in common: lengths that are checked once, and ranges of the middle joint."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from limbik.arrays import library_of
from limbik.engines.numpy_engine import evaluate
from limbik.errors import ArgumentError
from limbik.formulas.triangle import chord_at, total_and_asymmetry
from limbik.limbs.fast_path import FastPath
from limbik.limbs.inputs import Group, Numbers, positive, stack

Range = tuple[float, float]


class Limb:
    """Links of fixed lengths; each length one number, or an array for many limbs at once."""

    _length_names: tuple[str, ...]
    # The quick way, for one limb and calls without options. Defaults are told by identity, which is quick: one in other
    # words (1.0 for 1) goes the general way, to the same answers.
    _fast_path: FastPath | None = None

    def __init__(self, lengths: tuple[Numbers, ...], middle_limits: Range | None) -> None:
        checked = [positive(name, length) for name, length in zip(self._length_names, lengths, strict=True)]
        self._lengths: Group = stack(*((one,) if isinstance(one, float | int) else one[..., None] for one in checked))
        if not library_of(self._lengths) and np.any(self.lengths > np.finfo(float).max / 64):
            raise ArgumentError("length", self.lengths.max(), "lengths whose sum is far from overflow")
        self.middle_limits = read_range("middle_limits", middle_limits, 0.0, math.pi)
        self._span: Group = self._chord_range()

    @property
    def lengths(self) -> Any:
        """The links' lengths, (..., links)."""
        return self._lengths if library_of(self._lengths) else np.asarray(self._lengths)

    @property
    def reach(self) -> Any:
        """The distance from origin to tip of the straight limb."""
        return self.lengths.sum(-1)

    def _chord_range(self) -> Group:
        """The shortest and longest chord that the middle joint's range allows, as fractions of the first two links."""
        if self.middle_limits is None:
            return 0.0, 1.0
        if library_of(self._lengths):
            raise ArgumentError("middle_limits", self.middle_limits, "None for links whose lengths are tensors")
        low, high = self.middle_limits
        first, second = (self.lengths[..., k] for k in range(2))

        def chords(lengths: Any, cosines: Any) -> Any:
            _, asymmetry = total_and_asymmetry(*lengths)
            return tuple(chord_at(cosine, asymmetry) for cosine in cosines)

        near, far = evaluate(chords, lengths=(first, second), cosines=(math.cos(high), math.cos(low)))
        return (float(near), float(far)) if np.ndim(near) == 0 else np.stack([near, far], -1)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{one:g}" for one in self._lengths) if isinstance(self._lengths, tuple) else "..."
        limits = f", middle_limits={self.middle_limits}" if self.middle_limits else ""
        return f"{type(self).__name__}({numbers}{limits})"


def read_range(name: str, value: Any, lowest: float, highest: float) -> Range | None:
    """A range of angles in radians, within [lowest, highest], or None."""
    if value is None:
        return None
    wanted = f"a pair (from, to) of radians, {lowest:.4g} <= from <= to <= {highest:.4g}"
    try:
        low, high = (float(part) for part in value)
    except (TypeError, ValueError):
        raise ArgumentError(name, repr(value), wanted) from None
    slack = 1e-12
    if not lowest - slack <= low <= high <= highest + slack:
        raise ArgumentError(name, repr(value), wanted)
    return max(low, lowest), min(high, highest)
