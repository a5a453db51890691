"""What all limbs have in common: link lengths and joint limits, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array, library_of
from limbik.engines.numpy_engine import evaluate
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases
from limbik.errors import ArgumentError
from limbik.formulas.triangle import chords_at
from limbik.limbs.array_types import AnyArrayLike
from limbik.limbs.branches import Branches
from limbik.limbs.calls import Inputs, read_call
from limbik.limbs.inputs import COPIED_MAX_BYTES, FLOAT32, FLOAT64, Group, Groups, floats, positive, stack
from limbik.limbs.pytrees import register_pytrees
from limbik.limbs.solution import Solution, solution_of_call

Range = tuple[float, float]
REPR_MAX_LIMBS = 16


class InputsByFlags(dict[Flags, Inputs]):
    """What calls of a limb pass, by the flags of their formula, each made when first used."""

    def __init__(self, limb: Limb) -> None:
        super().__init__()
        self._limb = limb

    def __missing__(self, flags: Flags) -> Inputs:
        self[flags] = found = self._limb._describe_inputs(flags)
        return found


class Limb:
    """Links of fixed lengths; each length one number, or an array for many limbs at once. Limbs compare by value."""

    _program: Program
    _lengths: Group
    _vectors: tuple[str, ...]  # the inputs that are vectors of a call
    _options: tuple[str, ...]  # those that its options make
    _no_options: tuple[Group, ...] = ()  # what they are by default
    _frame: tuple[str, ...]  # those that a frame of a track, or of limits, has besides
    _frame_aliases: Aliases = ()  # inputs that equal one of the vectors, except in a frame
    _origin: tuple[float, ...]  # the default, recognised by identity
    _width = 3  # how many components a vector has
    _varies: bool  # whether the lengths are arrays
    _first_answer = "joints"  # what the last large solution was first read for: the next one computes it in `solve`

    def _keep_lengths(self, lengths: Group) -> None:
        """Keeps checked lengths, (..., links), so that the caller cannot change them."""
        self._lengths = lengths
        self._varies = type(lengths) is not tuple
        self._inputs = InputsByFlags(self)
        if not library_of(lengths):
            if np.any(self.lengths > np.finfo(float).max / 64):
                raise ArgumentError("length", self.lengths.max(), "lengths whose sum is far from overflow")
            if isinstance(lengths, np.ndarray):
                lengths.flags.writeable = False

    @property
    def lengths(self) -> Array:
        """The links' lengths, (..., links); a tensor where they were given as tensors."""
        return self._lengths if library_of(self._lengths) else np.asarray(self._lengths)

    @property
    def reach(self) -> Array:
        """The distance from origin to tip of the straight limb, (...,)."""
        return self.lengths.sum(-1)

    @property
    def _limits(self) -> dict[str, Any]:
        """The joint limits, by the names of the constructor's parameters."""
        raise NotImplementedError

    def _own_inputs(self, flags: Flags) -> Groups:
        """The inputs that the limb determines: its lengths, and what limits and shares make of them."""
        raise NotImplementedError

    def _varying_inputs(self, flags: Flags) -> list[Group]:
        """Those of the limb's own inputs that are arrays: a call passes them after its options."""
        return [value for value in self._own_inputs(flags).values() if type(value) is not tuple]

    def _describe_inputs(self, flags: Flags) -> Inputs:
        own = self._own_inputs(flags)
        names = (*self._vectors, *self._options, *(name for name, value in own.items() if type(value) is not tuple))
        fixed = {name: value for name, value in own.items() if type(value) is tuple}
        aliases: Aliases = self._frame_aliases
        if getattr(flags, "fixed_frame", False):
            names, aliases = (*names, *(name for name in self._frame if name not in names)), ()
        fixed |= {"aim": (0.0, 0.0, 0.0), "limited": (0.0,)}
        fixed = {name: value for name, value in fixed.items() if name not in names and name in self._program.all_groups}
        return Inputs(self._program, flags, names, aliases, fixed, self)

    def _solve(
        self,
        flags: Flags,
        vectors: tuple[Any, ...],
        options: tuple[Group, ...],
        out: Solution[Any] | None,
        *,
        in_place: bool = True,
    ) -> Solution[Any]:
        """The solution for the vectors of a call, target first, and the inputs that its options make.

        Floats, and small arrays of one shape and dtype, are read here, in as few steps as possible; whatever else there
        is, `read_call` reads to the same parts.
        """
        if out is not None or self._varies:
            return self._solve_whatever(flags, vectors, options, out, in_place)
        origin, width, parts = self._origin, self._width, []
        shape: Any = None
        dtype: Any = None
        layouts, wide = "", False
        for vector in vectors:
            if vector is origin:
                parts.append(vector)
                continue
            kind = type(vector)
            if kind is list and len(vector) == width:  # as in `floats`, without the time of a call
                for number in vector:
                    if type(number) is not float:
                        break
                else:
                    parts.append(tuple(vector))
                    continue
            elif kind is np.ndarray and vector.ndim > 1:
                if shape is None:
                    shape, dtype = vector.shape, vector.dtype
                    if shape[-1] != width or not (dtype is FLOAT64 or dtype is FLOAT32):
                        return self._solve_whatever(flags, vectors, options, None, in_place)
                    if not 0 < vector.nbytes <= COPIED_MAX_BYTES:
                        return self._solve_whatever(flags, vectors, options, None, in_place)
                elif vector.shape != shape or vector.dtype is not dtype:
                    return self._solve_whatever(flags, vectors, options, None, in_place)
                layouts += "c" * (len(parts) - len(layouts))
                if vector.strides[0] == vector.itemsize and vector.ndim == 2:
                    parts.append(vector.T.copy())
                    layouts += "r"
                else:
                    parts.append(vector.copy() if vector.ndim == 2 else vector.copy().reshape(-1, width))
                    layouts += "i"
                continue
            numbers = floats(vector, width)
            if numbers is None:
                return self._solve_whatever(flags, vectors, options, None, in_place)
            wide = wide or kind is np.ndarray
            parts.append(numbers)
        inputs = self._inputs[flags]
        if shape is None and options is self._no_options:
            parts += options
            return Solution(inputs.one, (), parts)
        for option in options:
            if type(option) is not tuple:
                if shape is None or option.shape[:-1] != shape[:-1] or option.dtype is not dtype or len(shape) > 2:
                    return self._solve_whatever(flags, vectors, options, None, in_place)
                layouts += "c" * (len(parts) - len(layouts)) + "r"
                parts.append(option.T.copy())
                continue
            parts.append(option)
        if shape is None:
            return Solution(inputs.one, (), parts)
        if wide and dtype is FLOAT32:
            return self._solve_whatever(flags, vectors, options, None, in_place)
        layouts += "c" * (len(parts) - len(layouts))
        return Solution(inputs.plans(dtype, layouts), shape[:-1], parts)

    def _solve_whatever(
        self,
        flags: Flags,
        vectors: tuple[Any, ...],
        options: tuple[Group, ...],
        out: Solution[Any] | None,
        in_place: bool,
    ) -> Solution[Any]:
        call = read_call(self, flags, vectors, options)
        return solution_of_call(self._inputs[flags], call, out, in_place=in_place)

    def _branches(
        self, flags: Flags, vectors: tuple[Any, ...], options: tuple[Group, ...], signs: Sequence[tuple[float, ...]]
    ) -> Branches[Any]:
        """The solutions with each of several signs, on a leading axis."""
        call = read_call(self, flags, vectors, options)
        place, shape = self._inputs[flags].names.index("signs"), call.shape
        call.values[place] = np.reshape(signs, (len(signs), *(1,) * len(shape), -1))
        call = call._replace(shape=(len(signs), *shape))
        return solution_of_call(self._inputs[flags], call, kind=Branches, in_place=False)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        """What limbs that are equal have in common; of lengths that are tensors, their identity."""
        lengths = self._lengths
        if library_of(lengths):
            return id(lengths), repr(self._limits)
        array = self.lengths
        return array.dtype.char, array.shape, array.tobytes(), repr(self._limits)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_inputs"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._inputs = InputsByFlags(self)

    def __repr__(self) -> str:
        if isinstance(self._lengths, tuple):
            parts = [repr(one) for one in self._lengths]
        elif isinstance(self._lengths, np.ndarray) and self._lengths.size <= REPR_MAX_LIMBS * self._lengths.shape[-1]:
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

    def __init__(self, lengths: tuple[AnyArrayLike, ...], middle_limits: Range | None) -> None:
        checked = [positive(name, length) for name, length in zip(self._length_names, lengths, strict=True)]
        self._keep_lengths(stack(*((one,) if isinstance(one, float | int) else one[..., None] for one in checked)))
        self.middle_limits = read_range("middle_limits", middle_limits, 0.0, math.pi)
        self._chords: Group = self._chord_range()
        register_pytrees()

    @property
    def _limits(self) -> dict[str, Any]:
        return {"middle_limits": self.middle_limits}

    def _own_inputs(self, flags: Flags) -> Groups:
        return {"lengths": self._lengths, "chord_range": self._chords}

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
