"""The engine of plain floats: one limb at a time, in microseconds, with nothing to load or compile."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

from limbik.engines.programs import Program
from limbik.engines.straight_line import StraightLine, Writer, answer_line

TEMPLATES = {
    "negative": "-{0}",
    "sqrt": "sqrt({0})",
    "absolute": "abs({0})",
    "minimum": "{0} if {0} < {1} else {1}",
    "maximum": "{0} if {0} > {1} else {1}",
    "where": "{1} if {0} else {2}",
    "outside": "not {1} <= {0} <= {2}",
    "atan2": "atan2({0}, {1})",
    "floor": "floor({0})",
    "multiply_add": "{0} * {1} + {2}",
    "signbit": "copysign(1.0, {0}) < 0.0",
    "sin": "sin({0})",
    "cos": "cos({0})",
    "exp": "exp({0})",
}
NAMES: dict[str, Any] = {
    "sqrt": math.sqrt,
    "atan2": math.atan2,
    "sin": math.sin,
    "cos": math.cos,
    "exp": math.exp,
    "floor": math.floor,
    "copysign": math.copysign,
    "EPSILON": 2.0**-52,
    "NAN": math.nan,
    "LARGE_SQUARE": 2.0**900,
    "SMALL_SQUARE": 2.0**-900,
    "SHRINK": 2.0**-600,
    "GROW": 2.0**600,
}


def function(line: StraightLine, full: Callable[..., Any] | None) -> Callable[..., tuple[float, ...]]:
    """A Python function of the line's parameters; where a rare condition holds, it hands over to `full`."""
    writer = Writer(TEMPLATES)
    parameters = ", ".join(line.parameters)
    for condition in line.conditions:  # before what would divide by zero
        writer.line(f"if {writer.write(condition)}: return full({parameters})")
    outputs = [writer.write(output) for output in line.outputs]
    body = [*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]
    text = f"def straight({parameters}):\n" + "".join(f"    {one}\n" for one in body)
    names = {**NAMES, "full": full}
    exec(text, names)
    return names["straight"]


@cache
def compiled(program: Program, answer: str, flags: tuple[bool, ...]) -> Callable[..., tuple[float, ...]]:
    """An answer as a function from the components of its groups to its numbers."""
    full = function(answer_line(program, answer, flags, rare=True), None)
    return function(answer_line(program, answer, flags, rare=False), full)


@cache
def caller(
    program: Program, answer: str, flags: tuple[bool, ...]
) -> Callable[[Mapping[str, tuple[float, ...]]], tuple[float, ...]]:
    """An answer as a function from the groups, by name, to its numbers."""
    straight = compiled(program, answer, flags)
    pick = itemgetter(*program.groups_of(answer))
    return lambda groups: straight(*chain.from_iterable(pick(groups)))
