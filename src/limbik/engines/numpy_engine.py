"""The engine of NumPy: the reference, always there, with nothing to compile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Trace, Writer, answer_trace, record

# Enough rows to drown the cost of a call, few enough that a line's temporaries stay in the cache.
BLOCK = 16_384

TEMPLATES = {
    "negative": "-{0}",
    "sqrt": "sqrt({0})",
    "absolute": "abs({0})",
    "minimum": "minimum({0}, {1})",
    "maximum": "maximum({0}, {1})",
    "where": "where({0}, {1}, {2})",
    "outside": "~(({0} >= {1}) & ({0} <= {2}))",
    "atan2": "atan2({0}, {1})",
    "floor": "floor({0})",
    "multiply_add": "{0} * {1} + {2}",
    "signbit": "signbit({0})",
    "sin": "sin({0})",
    "cos": "cos({0})",
    "exp": "exp({0})",
}
FUNCTIONS: dict[str, Any] = {
    "sqrt": np.sqrt,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "where": np.where,
    "atan2": np.arctan2,
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "floor": np.floor,
    "signbit": np.signbit,
    "any": np.any,
}
# How far squares and the factors that rescue them go, as powers of two, for each number type.
POWERS = {np.dtype(np.float64): (900, 600), np.dtype(np.float32): (100, 100)}


def constants(dtype: np.dtype[Any]) -> dict[str, Any]:
    """The named constants of a number type."""
    square, factor = POWERS[dtype]
    two = dtype.type(2)
    return {
        "EPSILON": np.finfo(dtype).eps,
        "NAN": dtype.type(np.nan),
        "LARGE_SQUARE": two**square,
        "SMALL_SQUARE": two**-square,
        "SHRINK": two**-factor,
        "GROW": two**factor,
    }


def function(line: Trace, dtype: np.dtype[Any], full: Callable[..., Any] | None) -> Callable[..., Any]:
    """A function of the line's parameters as arrays; where a rare condition holds anywhere, it hands over to `full`."""
    literals: dict[str, Any] = {}

    def literal(number: float) -> str:
        # Typed: where(condition, -1.0, 1.0) of plain floats would be float64 whatever the rest is.
        name = f"literal_{number!r}".replace(".", "_").replace("-", "minus_").replace("+", "")
        literals[name] = dtype.type(number)
        return name

    writer = Writer(TEMPLATES, literal)
    parameters = ", ".join(line.parameters)
    for condition in line.conditions:
        writer.line(f"if any({writer.write(condition)}): return full({parameters})")
    outputs = [writer.write(output) for output in line.outputs]
    body = [*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]
    text = f"def straight({parameters}):\n" + "".join(f"    {one}\n" for one in body)
    names = {**FUNCTIONS, **constants(dtype), **literals, "abs": np.abs, "full": full}
    exec(text, names)
    return names["straight"]


@cache
def compiled(program: Program, answer: str, flags: Flags, dtype: np.dtype[Any]) -> Callable[..., Any]:
    """An answer as a function from the components of its groups, arrays or numbers, to its numbers."""
    full = function(answer_trace(program, answer, flags, rare=True), dtype, None)
    return function(answer_trace(program, answer, flags, rare=False), dtype, full)


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[np.ndarray[Any, Any]],
    rows: int,
    dtype: np.dtype[Any],
    out: np.ndarray[Any, Any] | None = None,
) -> np.ndarray[Any, Any]:
    """An answer for many rows: (numbers, rows), from groups of shape (components, rows) or (components, 1).

    Written into `out` where that is given.
    """
    straight = compiled(program, answer, flags, dtype)
    if out is None:
        out = np.empty((program.answers[answer].size, rows), dtype)
    with np.errstate(all="ignore"):  # rare rows overflow and divide by zero before they are put right
        for start in range(0, rows, BLOCK):
            block = slice(start, start + BLOCK)
            parts = [row if group.shape[1] == 1 else row[block] for group in groups for row in group]
            for k, numbers in enumerate(straight(*parts)):
                out[k, block] = numbers
    return out


def evaluate(formula: Callable[..., Any], **groups: Sequence[Any]) -> list[Any]:
    """The numbers of any formula, worked out on float64: for the odd value that is not worth a program."""
    line = record(formula, {name: len(parts) for name, parts in groups.items()}, {}, rare=True)
    with np.errstate(all="ignore"):
        return list(function(line, np.dtype(np.float64), None)(*(part for parts in groups.values() for part in parts)))
