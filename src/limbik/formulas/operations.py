"""Symbols, which record the operations applied to them, and the operations that formulas are written in.

They are limited to what every engine has: arithmetic, comparisons, `&` and `|`, and the functions below. Constants that
depend on the number type, such as EPSILON, remain names, for which the engine has the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

# Called whenever a symbol is made.
watcher: ContextVar[Callable[[], None] | None] = ContextVar("limbik_watcher", default=None)


class Symbol:
    """One step of a recorded formula: an operation and its inputs.

    Parameters and constants are steps too: the operation "name", with the name as input.
    """

    __slots__ = ("inputs", "operation")
    __hash__ = object.__hash__

    def __init__(self, operation: str, *inputs: Symbol | float | str) -> None:
        self.operation = operation
        self.inputs = inputs
        if watch := watcher.get():
            watch()

    # Recording moves signs outward (a + −b becomes a − b, a − −b becomes a + b, −a·b becomes −(a·b), 1·a becomes a; all
    # exact), so that formulas need not be rewritten for speed.

    def __add__(self, other: Real) -> Symbol:
        if isinstance(other, Zero):
            return self
        if isinstance(other, Symbol) and other.operation == "negative":
            return self - other.inputs[0]  # type: ignore[operator]
        return Symbol("+", self, other)

    def __radd__(self, other: float) -> Symbol:
        if self.operation == "negative":
            return other - self.inputs[0]  # type: ignore[operator, return-value]
        return Symbol("+", other, self)

    def __sub__(self, other: Real) -> Symbol:
        if isinstance(other, Zero):
            return self
        if isinstance(other, Symbol) and other.operation == "negative":
            return self + other.inputs[0]  # type: ignore[operator]
        return Symbol("-", self, other)

    def __rsub__(self, other: float) -> Symbol:
        if self.operation == "negative":
            return other + self.inputs[0]  # type: ignore[operator, return-value]
        return Symbol("-", other, self)

    def __mul__(self, other: Real) -> Symbol:
        if isinstance(other, Zero):
            return other  # type: ignore[return-value]
        if isinstance(other, float) and abs(other) == 1.0:
            return self if other > 0 else -self
        if self.operation == "negative":
            return -(self.inputs[0] * other)  # type: ignore[operator]
        if isinstance(other, Symbol) and other.operation == "negative":
            return -(self * other.inputs[0])  # type: ignore[operator]
        return Symbol("*", self, other)

    def __rmul__(self, other: float) -> Symbol:
        return self * other

    def __truediv__(self, other: Real) -> Symbol:
        return Symbol("/", self, other)

    def __rtruediv__(self, other: float) -> Symbol:
        return Symbol("/", other, self)

    def __neg__(self) -> Symbol:
        if self.operation == "negative":
            return self.inputs[0]  # type: ignore[return-value]
        return Symbol("negative", self)

    def __lt__(self, other: Real) -> Symbol:
        return Symbol("<", self, other)

    def __le__(self, other: Real) -> Symbol:
        return Symbol("<=", self, other)

    def __gt__(self, other: Real) -> Symbol:
        return Symbol(">", self, other)

    def __ge__(self, other: Real) -> Symbol:
        return Symbol(">=", self, other)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        assert isinstance(other, Symbol | float)
        return Symbol("==", self, other)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        assert isinstance(other, Symbol | float)
        return Symbol("!=", self, other)

    def __and__(self, other: Boolean) -> Boolean:
        return Symbol("&", self, other) if isinstance(other, Symbol) else self if other else False

    __rand__ = __and__

    def __or__(self, other: Boolean) -> Boolean:
        return Symbol("|", self, other) if isinstance(other, Symbol) else True if other else self

    __ror__ = __or__

    def __bool__(self) -> bool:
        raise TypeError("a symbol has no truth value: use where(), or rare_case() for a rare case")


class Zero(float):
    """A zero that belongs to a formula's geometry and never changes: recording leaves out what it contributes.

    That is not done for other zeros: products with them tell numbers that are not finite.
    """

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__
    __rsub__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def __mul__(self, other: object) -> Any:
        return self

    __rmul__ = __mul__
    __truediv__ = __mul__

    def __neg__(self) -> Any:
        return self


Real = Symbol | float
Boolean = Symbol | bool
Pair = tuple[Real, Real]
Vector = tuple[Real, Real, Real]
Quaternion = tuple[Real, Real, Real, Real]  # xyzw

EPSILON = Symbol("name", "EPSILON")  # the distance from 1 to the next larger number
LARGEST = Symbol("name", "LARGEST")  # the largest finite number
NAN = Symbol("name", "NAN")
# Squares outside these bounds lose digits to overflow or underflow; scaling by the factors, powers of two, avoids it.
LARGE_SQUARE = Symbol("name", "LARGE_SQUARE")
SMALL_SQUARE = Symbol("name", "SMALL_SQUARE")
SHRINK = Symbol("name", "SHRINK")
GROW = Symbol("name", "GROW")


def sqrt(a: Real) -> Symbol:
    """Square root of a nonnegative number; its derivative at 0 is taken as 0."""
    return Symbol("sqrt", a)


def absolute(a: Real) -> Symbol:
    """Absolute value."""
    return Symbol("absolute", a)


def multiply_add(a: Real, b: Real, c: Real) -> Symbol:
    """a·b + c, in one operation where the engine has one; for polynomials, whose last bit need not agree."""
    return Symbol("multiply_add", a, b, c)


def barrier(a: Real) -> Real:
    """The number itself, as an optimisation barrier: a compiler must compute it once and use that value everywhere.

    Otherwise it may compute the number again for each use and round it differently, which matters for scale factors.
    """
    return Symbol("barrier", a) if isinstance(a, Symbol) else a


def exact_quotient(a: Real, b: Real) -> Real:
    """The correctly rounded a / b. An engine may estimate other divisions, whose last bits need not agree."""
    return Symbol("exact_quotient", a / b) if isinstance(a, Symbol) or isinstance(b, Symbol) else a / b


def signbit(a: Real) -> Symbol:
    """Whether a number has a minus sign, as −0.0 has."""
    return Symbol("signbit", a)


def floor(a: Real) -> Symbol:
    """The largest integer that is not larger, as a number."""
    return Symbol("floor", a)


def minimum(a: Real, b: Real) -> Symbol:
    """The smaller of two numbers."""
    return Symbol("minimum", a, b)


def maximum(a: Real, b: Real) -> Symbol:
    """The larger of two numbers."""
    return Symbol("maximum", a, b)


def where(condition: Boolean, yes: Real, no: Real) -> Real:
    """`yes` where the condition holds, else `no`. Both are computed, so both must be finite."""
    if isinstance(condition, Symbol):
        return Symbol("where", condition, yes, no)
    return yes if condition else no


def outside(a: Real, low: Real, high: Real) -> Symbol:
    """Whether a number is not within [low, high]: smaller, larger, or NaN."""
    return Symbol("outside", a, low, high)


def atan2(y: Real, x: Real) -> Symbol:
    """The angle of the point (x, y), in [−π, π]."""
    return Symbol("atan2", y, x)


def unit_angle(sine: Real, cosine: Real) -> Symbol:
    """atan2 without its care for extremes: one of sine and cosine is neither zero nor tiny, and none is large."""
    return Symbol("unit_angle", sine, cosine)


def sin(a: Real) -> Symbol:
    """Sine."""
    return Symbol("sin", a)


def cos(a: Real) -> Symbol:
    """Cosine."""
    return Symbol("cos", a)


class Recording:
    """How a formula is being recorded: with its rare cases, or without them but with their conditions."""

    def __init__(self, rare: bool) -> None:
        self.rare = rare
        self.conditions: list[Symbol] = []


_current: ContextVar[Recording] = ContextVar("limbik_recording")


@contextmanager
def recording(rare: bool) -> Iterator[Recording]:
    """Within a `with` block, `rare_case` returns `rare`, and the conditions passed to it are collected."""
    token = _current.set(Recording(rare))
    try:
        yield _current.get()
    finally:
        _current.reset(token)


def rare_case(condition: Boolean | None = None) -> bool:
    """Whether to record a rare case.

    A formula is recorded twice: in full, and without its rare cases, for engines that can first test whether any row
    needs them. The condition is that test; leave it out where an earlier condition covers it.
    """
    now = _current.get()
    if isinstance(condition, Symbol):
        now.conditions.append(condition)
    return now.rare
