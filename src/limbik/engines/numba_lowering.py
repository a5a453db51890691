"""A function without branches as LLVM instructions, written directly instead of by Numba's own passes.

Numba infers types and lowers a function statement by statement, in Python, which takes seconds for a formula of a few
hundred steps. A trace needs none of that: its numbers have one type, and it has no control flow. `straight_line` calls
the function once on objects that append an instruction for each operation, and Numba sees a single call. The
instructions are those that Numba would choose, so that a kernel gives the same bits as NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


class Value:
    """A real number or a truth value of LLVM; an operation on it appends an instruction."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def instruction(self, name: str, *others: Value) -> Value:
        """An instruction of llvmlite's builder."""
        return Value(self.builder, getattr(self.builder, name)(self.value, *(other.value for other in others)))

    def call(self, name: str) -> Value:
        """A call of a function that LLVM knows, such as "llvm.sqrt"."""
        function = self.builder.module.declare_intrinsic(name, [self.value.type])
        return Value(self.builder, self.builder.call(function, [self.value]))

    def _compared(self, sign: str, other: Value) -> Value:
        compare = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered  # NaN differs from all
        return Value(self.builder, compare(sign, self.value, other.value))

    def __add__(self, other: Value) -> Value:
        return self.instruction("fadd", other)

    def __sub__(self, other: Value) -> Value:
        return self.instruction("fsub", other)

    def __mul__(self, other: Value) -> Value:
        return self.instruction("fmul", other)

    def __truediv__(self, other: Value) -> Value:
        return self.instruction("fdiv", other)

    def __neg__(self) -> Value:
        return self.instruction("fneg")

    def __abs__(self) -> Value:
        return self.call("llvm.fabs")

    def __lt__(self, other: Value) -> Value:
        return self._compared("<", other)

    def __le__(self, other: Value) -> Value:
        return self._compared("<=", other)

    def __gt__(self, other: Value) -> Value:
        return self._compared(">", other)

    def __ge__(self, other: Value) -> Value:
        return self._compared(">=", other)

    def __eq__(self, other: Any) -> Any:
        return self._compared("==", other)

    def __ne__(self, other: Any) -> Any:
        return self._compared("!=", other)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Value) -> Value:
        return self.instruction("and_", other)

    def __or__(self, other: Value) -> Value:
        return self.instruction("or_", other)

    def __invert__(self) -> Value:
        return self.instruction("not_")


def _signbit(number: Value) -> Value:
    bits = ir.IntType(32 if isinstance(number.value.type, ir.FloatType) else 64)
    integer = number.builder.bitcast(number.value, bits)
    return Value(number.builder, number.builder.icmp_signed("<", integer, ir.Constant(bits, 0)))


OPERATIONS: dict[str, Callable[..., Value]] = {
    "sqrt": lambda number: number.call("llvm.sqrt"),
    "floor": lambda number: number.call("llvm.floor"),
    "multiply_add": lambda a, b, c: a.instruction("fma", b, c),  # with one rounding
    # LLVM would move work into the arms of a branch, where it no longer vectorises.
    "select": lambda condition, yes, no: condition.instruction("select", yes, no),
    "signbit": _signbit,
}


def straight_line(outputs: int, conditions: int) -> Callable[[FunctionType], Any]:
    """A decorator that makes an intrinsic of a function: its instructions stand in the place of a call.

    The function's arguments are real numbers of one type. It returns a tuple of `outputs` real numbers followed by
    `conditions` truth values. It may use arithmetic, comparisons, `&`, `|`, `~`, `abs`, the functions of OPERATIONS,
    NumPy's floats among its globals, and `real(...)` of a literal.
    """

    def decorate(function: FunctionType) -> Any:
        def typed(typing_context: Any, *arguments: Any) -> Any:
            number = arguments[0]
            results = types.Tuple([number] * outputs + [types.boolean] * conditions)

            def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
                kind = context.get_value_type(number)

                def real(literal: float) -> Value:
                    return Value(builder, ir.Constant(kind, literal))

                globals_ = function.__globals__.items()
                constants = {name: real(float(value)) for name, value in globals_ if isinstance(value, np.floating)}
                written = FunctionType(function.__code__, {**constants, **OPERATIONS, "real": real})
                answers = written(*(Value(builder, value) for value in values))
                return context.make_tuple(builder, signed.return_type, [answer.value for answer in answers])

            return results(*arguments), generate

        context = Parameter("typing_context", Parameter.POSITIONAL_OR_KEYWORD)
        named: Any = typed
        named.__signature__ = Signature([context, *signature(function).parameters.values()])  # Numba packs *arguments
        return intrinsic(named)

    return decorate


Places = tuple[tuple[int, int, int], ...]


def row_function(places: int, loads: Places, stores: Places) -> Any:
    """A decorator that makes an intrinsic of a function, as `straight_line` does, with its reading and writing.

    The intrinsic takes three arrays of real numbers, and so many places in them.

    Args:
        places: how many.
        loads: for each argument of the function, the number of its array and of a place, and what to add to that.
        stores: the same for each number that the function returns.
    """

    def decorate(function: FunctionType) -> Any:
        def typed(typing_context: Any, *arguments: Any) -> Any:
            def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
                data = [
                    make_array(kind)(context, builder, one).data
                    for kind, one in zip(signed.args[:3], values[:3], strict=True)
                ]
                starts = values[3:]
                kind = context.get_value_type(signed.args[0].dtype)

                def real(literal: float) -> Value:
                    return Value(builder, ir.Constant(kind, literal))

                def address(array: int, start: int, place: int) -> Any:
                    first = builder.gep(data[array], [starts[start]], inbounds=True)
                    return builder.gep(first, [ir.Constant(ir.IntType(64), place)], inbounds=True)

                globals_ = function.__globals__.items()
                constants = {name: real(float(value)) for name, value in globals_ if isinstance(value, np.floating)}
                written = FunctionType(function.__code__, {**constants, **OPERATIONS, "real": real})
                read = (Value(builder, builder.load(address(*one))) for one in loads)
                answers = written(*read)
                for place, answer in zip(stores, answers, strict=True):
                    builder.store(answer.value, address(*place))
                return context.get_dummy_value()

            return types.void(*arguments), generate

        names = ["state", "scratch", "fixed", *(f"place_{k}" for k in range(places))]
        context = Parameter("typing_context", Parameter.POSITIONAL_OR_KEYWORD)
        named: Any = typed
        parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        named.__signature__ = Signature([context, *parameters])
        return intrinsic(named)

    return decorate
