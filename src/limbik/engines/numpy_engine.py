"""The NumPy engine: the reference, always available, with nothing to compile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.generated_source import define, indented
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Trace, Writer, engine_trace, record

TEMPLATES = {"outside": "~(({0} >= {1}) & ({0} <= {2}))", "multiply_add": "{0} * {1} + {2}"}
NAMES = ("sqrt", "absolute", "minimum", "maximum", "where", "sin", "cos", "floor", "signbit", "any")
FUNCTIONS: dict[str, Any] = {"atan2": np.arctan2, **{name: getattr(np, name) for name in NAMES}}
# Exponents of two, by number type: the range of squares that lose no digits, and the factor that brings others back.
POWERS = {np.dtype(np.float64): (900, 600), np.dtype(np.float32): (100, 100)}


def constants(dtype: np.dtype[Any]) -> dict[str, float]:
    """The values of the constants that formulas name, for a number type."""
    square, factor = POWERS[dtype]
    squares = {"LARGE_SQUARE": 2.0**square, "SMALL_SQUARE": 2.0**-square}
    factors = {"SHRINK": 2.0**-factor, "GROW": 2.0**factor}
    limits = np.finfo(dtype)
    return {"EPSILON": float(limits.eps), "LARGEST": float(limits.max), "NAN": float("nan"), **squares, **factors}


def function(trace: Trace, dtype: np.dtype[Any], full: Callable[..., Any] | None) -> Callable[..., Any]:
    """A function of the trace's parameters as arrays, which calls `full` instead where a rare condition holds."""
    lines, literals = text(trace, dtype)
    typed = {name: dtype.type(value) for name, value in constants(dtype).items()}
    scope = {**FUNCTIONS, **typed, **literals, "full": full}
    return define(f"{trace.name}_{dtype.name}", lines, scope)


def text(trace: Trace, dtype: np.dtype[Any]) -> tuple[list[str], dict[str, Any]]:
    """The source of that function, and the literals that it refers to."""
    literals: dict[str, Any] = {}

    def literal(number: float) -> str:
        # Typed: where(condition, -1.0, 1.0) of plain floats would be float64 whatever the rest is.
        name = f"literal_{number!r}".replace(".", "_").replace("-", "minus_").replace("+", "")
        literals[name] = dtype.type(number)
        return name

    writer = Writer(TEMPLATES, literal)
    parameters = ", ".join(trace.parameters)
    for condition in trace.conditions:
        writer.statement(f"if any({writer.write(condition)}): return full({parameters})")
    outputs = [writer.write(output) for output in trace.outputs]
    body = [*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]
    return [f"def {trace.name}_{dtype.name}({parameters}):", *indented(body)], literals


@cache
def compiled(program: Program, answer: str, flags: Flags, dtype: np.dtype[Any]) -> Callable[..., Any]:
    """A function from the components of an answer's groups, arrays or numbers, to its numbers."""
    full = function(engine_trace(program, answer, flags, dtype, rare=True), dtype, None)
    return function(engine_trace(program, answer, flags, dtype, rare=False), dtype, full)


def run(function: Callable[..., Any], groups: Sequence[Array], out: Array, rows: int) -> Array:
    """A compiled answer for many rows, so many at a time, written into `out`, (numbers, rows).

    Groups are (components, rows), or (components, 1) where they are the same for all rows.
    """
    with np.errstate(all="ignore"):  # rare rows may overflow or divide by zero before they are corrected
        for start in range(0, out.shape[1], rows):
            block = slice(start, start + rows)
            parts = [row if group.shape[1] == 1 else row[block] for group in groups for row in group]
            for k, numbers in enumerate(function(*parts)):
                out[k, block] = numbers
    return out


def evaluate(formula: Callable[..., Any], **groups: Sequence[Any]) -> list[Any]:
    """The numbers that a formula gives in float64: for what is not worth a program.

    The formula is a module's function: it is compiled once for the sizes of its groups, and kept.
    """
    run = _evaluator(formula, tuple((name, len(parts)) for name, parts in groups.items()))
    with np.errstate(all="ignore"):
        return list(run(*(part for parts in groups.values() for part in parts)))


@cache
def _evaluator(formula: Callable[..., Any], sizes: tuple[tuple[str, int], ...]) -> Callable[..., Any]:
    return function(record(formula, dict(sizes), {}, rare=True), np.dtype(np.float64), None)
