"""Primitives that Numba lacks and that LLVM needs to turn a kernel's loop into SIMD code.

LLVM must assume that rows of different arrays overlap, and stops checking beyond some number of rows: `load` and
`store` state that the rows of the output overlap nothing else. Only this module, `numba_lowering.py` and
`machine_code.py` use Numba's inner modules and llvmlite.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


def _address(context: Any, builder: Any, kind: Any, array: Any, row: Any, index: Any) -> Any:
    """The address of array[row, index], whose rows are contiguous."""
    view = make_array(kind)(context, builder, array)
    offset = builder.mul(cgutils.unpack_tuple(builder, view.strides)[0], row)
    base = builder.gep(builder.bitcast(view.data, cgutils.voidptr_t), [offset], inbounds=True)
    return builder.gep(builder.bitcast(base, view.data.type), [index], inbounds=True)


def _scope(builder: Any, name: str) -> Any:
    """An alias scope: memory of this name is no memory of another name."""
    module = builder.module
    domain = module.add_metadata([ir.MetaDataString(module, "limbik")])
    return module.add_metadata([ir.MetaDataString(module, f"limbik {name}"), domain])


def _mark(builder: Any, instruction: Any, own: str, others: list[str]) -> None:
    module = builder.module
    instruction.set_metadata("alias.scope", module.add_metadata([_scope(builder, own)]))
    instruction.set_metadata("noalias", module.add_metadata([_scope(builder, name) for name in others]))


@intrinsic  # type: ignore[misc]
def load(typing_context: Any, array: Any, row: Any, index: Any) -> Any:
    """array[row, index] of an input."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        value = builder.load(_address(context, builder, array, *values))
        _mark(builder, value, "input", [])
        return value

    return array.dtype(array, types.intp, types.intp), generate


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def store(typing_context: Any, array: Any, count: Any, number: Any, row: Any, index: Any, value: Any) -> Any:
    """array[row, index] = value: store number `number` of `count` in a loop, literals both, each to its own row."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address = _address(context, builder, array, values[0], values[3], values[4])
        others = ["input", *(f"row {k}" for k in range(count.literal_value) if k != number.literal_value)]
        _mark(builder, builder.store(values[5], address), f"row {number.literal_value}", others)
        return context.get_dummy_value()

    return types.void(array, count, number, types.intp, types.intp, array.dtype), generate


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def carry(typing_context: Any, array: Any, rows: Any, count: Any, place: Any, index: Any, value: Any) -> Any:
    """array[place, index] = value: a number for a later loop, in place `place` of `count`; the output has `rows`."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        own = place.literal_value
        address = _address(context, builder, array, values[0], values[3], values[4])
        others = ["input", *_names("row", rows), *(name for k, name in enumerate(_names("carried", count)) if k != own)]
        _mark(builder, builder.store(values[5], address), f"carried {own}", others)
        return context.get_dummy_value()

    return types.void(array, rows, count, place, types.intp, array.dtype), generate


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def fetch(typing_context: Any, array: Any, rows: Any, place: Any, index: Any) -> Any:
    """array[place, index], which an earlier loop carried; the output has `rows`."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        value = builder.load(_address(context, builder, array, values[0], values[2], values[3]))
        _mark(builder, value, f"carried {place.literal_value}", _names("row", rows))
        return value

    return array.dtype(array, rows, place, types.intp), generate


def _names(kind: str, count: Any) -> list[str]:
    return [f"{kind} {k}" for k in range(count.literal_value)]


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def fold_bits(typing_context: Any, word: Any, value: Any, places: Any) -> Any:
    """A word xor the bits of a float of the same width, rotated left by a literal number of places."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        bits = ir.IntType(value.bitwidth)
        number, places_ = builder.bitcast(values[1], bits), places.literal_value % value.bitwidth
        if places_:
            left, right = ir.Constant(bits, places_), ir.Constant(bits, value.bitwidth - places_)
            number = builder.or_(builder.shl(number, left), builder.lshr(number, right))
        return builder.xor(values[0], number)

    return word(word, value, places), generate


@intrinsic  # type: ignore[misc]
def add_weighted(typing_context: Any, total: Any, word: Any, weight: Any) -> Any:
    """Total + weight · word, modulo the words' width, the upper half of the word mixed into its lower half first."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        half = ir.Constant(ir.IntType(word.bitwidth), word.bitwidth // 2)
        mixed = builder.xor(values[1], builder.lshr(values[1], half))
        return builder.add(values[0], builder.mul(mixed, values[2]))

    return total(total, word, weight), generate
