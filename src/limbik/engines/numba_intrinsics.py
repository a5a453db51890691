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
def fetch(typing_context: Any, array: Any, count: Any, number: Any, row: Any, index: Any) -> Any:
    """array[row, index] of what store number `number` of `count` wrote in an earlier loop."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        own = number.literal_value
        value = builder.load(_address(context, builder, array, values[0], values[3], values[4]))
        _mark(builder, value, f"row {own}", [f"row {k}" for k in range(count.literal_value) if k != own])
        return value

    return array.dtype(array, count, number, types.intp, types.intp), generate


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def store(typing_context: Any, array: Any, count: Any, number: Any, row: Any, index: Any, value: Any) -> Any:
    """array[row, index] = value: store number `number` of `count` in a loop, literals both, each to its own row."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address = _address(context, builder, array, values[0], values[3], values[4])
        others = ["input", *(f"row {k}" for k in range(count.literal_value) if k != number.literal_value)]
        _mark(builder, builder.store(values[5], address), f"row {number.literal_value}", others)
        return context.get_dummy_value()

    return types.void(array, count, number, types.intp, types.intp, array.dtype), generate
