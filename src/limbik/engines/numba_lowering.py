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
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
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


class RowLoop(NamedTuple):
    """A loop over the rows of a stage; see `stage_runner.py`. Numbers of the table are given by their places in it.

    row_count: the number of the table that says how many rows, or −1 for one. records: of each record the array of
    reals in which it lies (0 for a thing's state, 1 for its scratch, 2 for parameters), the number of the table
    that says where the first one is, the size of one, and the number that says where its links begin, −1 for the
    same row, −2 for the only one. guard: a record and the place of a number in it which says whether a row is left
    out. loads, stores: a record and a place in it for each argument of the function, and for each number that it
    returns.
    """

    row_count: int
    records: tuple[tuple[int, int, int, int], ...]
    guard: tuple[int, int] | None
    loads: tuple[tuple[int, int], ...]
    stores: tuple[tuple[int, int], ...]


INTEGER = ir.IntType(64)
SIZES = 0, 1  # the numbers of the table that say how much state and scratch a thing has


def row_loop(*shape: Any) -> Callable[[FunctionType], Any]:
    """A decorator that makes an intrinsic of a function, as `straight_line` does: a loop over rows, read and written.

    The intrinsic takes three arrays of reals, the table and the links, the number of a thing, and that from which its
    scratch is counted. shape: the fields of a RowLoop.
    """
    loop = RowLoop(*shape)

    def decorate(function: FunctionType) -> Any:
        def typed(
            typing_context: Any, state: Any, scratch: Any, fixed: Any, table: Any, links: Any, thing: Any, begin: Any
        ) -> Any:
            def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
                arrays = [
                    make_array(k)(context, builder, v).data for k, v in zip(signed.args, values[:5], strict=False)
                ]
                _Rows(builder, arrays, values[5], values[6]).run(loop, function)
                return context.get_dummy_value()

            return types.void(state, scratch, fixed, table, links, thing, begin), generate

        return intrinsic(typed)

    return decorate


class _Rows:
    """The instructions of a loop over rows."""

    def __init__(self, builder: Any, arrays: list[Any], thing: Any, begin: Any) -> None:
        self._builder, self._reals, (self._table, self._links) = builder, arrays[:3], arrays[3:]
        here = builder.sub(thing, begin)
        self._things = [
            builder.mul(number, self._number(self._table, INTEGER(size)))
            for number, size in zip((thing, here), SIZES, strict=True)
        ]

    def run(self, loop: RowLoop, function: FunctionType) -> None:
        """Appends the loop."""
        builder = self._builder
        starts = []
        for memory, first, _, _ in loop.records:
            start = self._number(self._table, INTEGER(first))
            starts.append(start if memory == 2 else builder.add(start, self._things[memory]))
        count = INTEGER(1) if loop.row_count < 0 else self._number(self._table, INTEGER(loop.row_count))
        with cgutils.for_range(builder, count) as rows:
            places = [
                self._place(start, size, link, rows.index)
                for start, (_, _, size, link) in zip(starts, loop.records, strict=True)
            ]
            if loop.guard is None:
                self._row(loop, function, places)
            else:
                flag = self._number(*self._real(loop, places, *loop.guard))
                with builder.if_then(builder.fcmp_ordered(">", flag, ir.Constant(flag.type, 0.5))):
                    self._row(loop, function, places)

    def _row(self, loop: RowLoop, function: FunctionType, places: list[Any]) -> None:
        builder = self._builder
        values = [Value(builder, self._number(*self._real(loop, places, *one))) for one in loop.loads]

        def real(literal: float) -> Value:
            return Value(builder, ir.Constant(ir.DoubleType(), literal))

        globals_ = function.__globals__.items()
        constants = {name: real(float(value)) for name, value in globals_ if isinstance(value, np.floating)}
        written = FunctionType(function.__code__, {**constants, **OPERATIONS, "real": real})
        for one, answer in zip(loop.stores, written(*values), strict=True):
            builder.store(answer.value, builder.gep(*self._real(loop, places, *one)))

    def _place(self, start: Any, size: int, link: int, row: Any) -> Any:
        builder = self._builder
        if link == -2:
            return start
        if link >= 0:
            row = self._number(self._links, builder.add(self._number(self._table, INTEGER(link)), row))
        return builder.add(start, builder.mul(row, INTEGER(size)))

    def _real(self, loop: RowLoop, places: list[Any], record: int, place: int) -> tuple[Any, Any]:
        return self._reals[loop.records[record][0]], [self._builder.add(places[record], INTEGER(place))]

    def _number(self, array: Any, index: Any) -> Any:
        builder = self._builder
        return builder.load(builder.gep(array, index if isinstance(index, list) else [index], inbounds=True))
