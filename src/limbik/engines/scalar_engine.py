"""The engine of plain floats: one limb at a time, in microseconds, with nothing to load or compile."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases, Trace, Writer, answer_trace, component

WORD = re.compile(r"\w+")
Sizes = Mapping[str, int]  # groups' numbers of components

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


def function(line: Trace, full: Callable[..., Any] | None) -> Callable[..., tuple[float, ...]]:
    """A Python function of the line's parameters; where a rare condition holds, it hands over to `full`."""
    parameters = ", ".join(line.parameters)
    body, outputs = _body(line, f"full({parameters})")
    return _defined([f"def straight({parameters}):", *_inside([*body, f"return ({outputs},)"])], {"full": full})


def array_function(
    line: Trace, fixed: Sizes, free: Sizes, shape: tuple[int, ...], full: Callable[..., Any] | None
) -> Callable[[Mapping[str, Any]], Callable[..., Array]]:
    """A function from the fixed groups, by name, to a function from the free groups, in order, to an array.

    What the fixed groups settle is worked out in the first of the two: for a limb and its lengths, once.
    """
    body, outputs = _body(line, f"rare({', '.join(free)})")
    before, after = _split(body, free)
    # Packed into the array's memory, the outputs take less than half the time of an array made from a tuple.
    after += [f"out = empty({shape})", f"pack(out, 0, {outputs})", "return out"]
    reading = [f"{names}, = {group}" for group, names in _components(free).items()]
    inner = [f"def straight({', '.join(free)}):", *_inside([*reading, *after]), "return straight"]
    reading = [f"{names}, = groups[{group!r}]" for group, names in _components(fixed).items()]
    text = ["def straight(groups):", *_inside(["rare = full and full(groups)", *reading, *before, *inner])]
    return _defined(text, {"full": full, "empty": np.empty, "pack": Struct(f"{len(line.outputs)}d").pack_into})


def _body(line: Trace, instead: str) -> tuple[list[str], str]:
    """The statements that work the outputs out, or return something instead; and the outputs' names."""
    writer = Writer(TEMPLATES)
    for condition in line.conditions:  # before what would divide by zero
        writer.line(f"if {writer.write(condition)}: return {instead}")
    outputs = [writer.write(output) for output in line.outputs]
    return writer.lines(*outputs), ", ".join(outputs)


def _split(body: list[str], free: Sizes) -> tuple[list[str], list[str]]:
    """The statements that need none of the free groups, and the others."""
    before, after = [], []
    waiting = set(WORD.findall(" ".join(_components(free).values())))
    for statement in body:
        if statement.startswith("if ") or not waiting.isdisjoint(WORD.findall(statement)):
            after.append(statement)
            waiting.add(statement.split()[0])
        else:
            before.append(statement)
    return before, after


def _components(groups: Sizes) -> dict[str, str]:
    return {group: ", ".join(component(group, k) for k in range(size)) for group, size in groups.items()}


def _inside(body: list[str]) -> list[str]:
    return [f"    {one}" for one in body]


def _defined(text: list[str], names: Mapping[str, Any]) -> Callable[..., Any]:
    scope = {**NAMES, **names}
    exec("\n".join(text), scope)
    return scope["straight"]


@cache
def compiled(program: Program, answer: str, flags: Flags) -> Callable[..., tuple[float, ...]]:
    """An answer as a function from the components of its groups to its numbers."""
    full = function(answer_trace(program, answer, flags, rare=True), None)
    return function(answer_trace(program, answer, flags, rare=False), full)


@cache
def binder(
    program: Program, answer: str, flags: Flags, free: tuple[str, ...], same: Aliases = ()
) -> Callable[[Mapping[str, Any]], Callable[..., Array]]:
    """An answer as a function from all other groups, by name, to one from the free ones, in order, to its array."""
    needed = [name for name in program.groups_of(answer) if name not in dict(same)]
    fixed = {name: program.all_groups[name] for name in needed if name not in free}
    given = {name: program.all_groups[name] for name in free}
    shape = program.answers[answer].shape
    full = array_function(answer_trace(program, answer, flags, True, same), fixed, given, shape, None)
    return array_function(answer_trace(program, answer, flags, False, same), fixed, given, shape, full)


@cache
def caller(program: Program, answer: str, flags: Flags) -> Callable[[Mapping[str, tuple[float, ...]]], Array]:
    """An answer as a function from the groups, by name, to its array of float64."""
    names = program.groups_of(answer)
    run = binder(program, answer, flags, names)({})
    pick = itemgetter(*names)
    return lambda groups: run(*pick(groups))
