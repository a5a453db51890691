"""The scalar engine: one limb at a time on plain floats, in microseconds, with nothing to import or compile."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.generated_source import define, indented
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases, Trace, Writer, component, engine_trace

FLOAT64 = np.dtype(np.float64)
WORD = re.compile(r"\w+")
Sizes = Mapping[str, int]  # the number of components of each group

TEMPLATES = {
    "minimum": "{0} if {0} < {1} else {1}",
    "maximum": "{0} if {0} > {1} else {1}",
    "where": "{1} if {0} else {2}",
    "outside": "not {1} <= {0} <= {2}",
    "multiply_add": "{0} * {1} + {2}",
    "signbit": "copysign(1.0, {0}) < 0.0",
}
NAMES: dict[str, Any] = {
    "absolute": abs,
    **{name: getattr(math, name) for name in ("sqrt", "atan2", "sin", "cos", "floor", "copysign")},
    **numpy_engine.constants(FLOAT64),
}


def function(trace: Trace, full: Callable[..., Any] | None) -> Callable[..., tuple[float, ...]]:
    """A Python function of the trace's parameters; where a rare condition holds, it calls `full` instead."""
    return define(f"{trace.name}_float", text(trace), {**NAMES, "full": full})


def text(trace: Trace) -> list[str]:
    """The source of that function."""
    parameters = ", ".join(trace.parameters)
    body, outputs = _body(trace, f"full({parameters})")
    return [f"def {trace.name}_float({parameters}):", *indented([*body, f"return ({outputs},)"])]


def array_function(
    trace: Trace, fixed: Sizes, free: Sizes, shape: tuple[int, ...] | None, full: Callable[..., Any] | None
) -> Callable[[Mapping[str, Any]], Callable[..., Any]]:
    """A function from the fixed groups, by name, to a function from a sequence of the free groups to an array.

    What depends on the fixed groups only is computed in the first of the two: once for a limb and its lengths. The
    second is a plan: it ignores the shape and memory of a batch. Without a shape, it takes an array and an offset in
    bytes before the groups, and writes its numbers there.
    """
    given, passed = ("parts, batch=(), memory=None", "parts") if shape else ("out, offset, parts",) * 2
    body, outputs = _body(trace, f"rare({passed})")
    before, after = _split(body, free)
    # Packing the outputs into the array's memory takes less than half the time of making an array from a tuple.
    if shape:
        after += [f"out = empty({shape})", f"pack(out, 0, {outputs})", "return out"]
    else:
        after.append(f"pack(out, offset, {outputs})")
    read = set(WORD.findall(" ".join(body + [outputs])))
    components = _components(free).values()  # of groups that are not read, none is unpacked
    reading = [f"({names},)" if read & set(WORD.findall(names)) else "_" for names in components]
    name = f"{trace.name}_array"
    inner = [f"def {name}({given}):", *indented([f"{', '.join(reading)}, = parts", *after]), f"return {name}"]
    reading = [f"{names}, = groups[{group!r}]" for group, names in _components(fixed).items()]
    outer = [f"def bind_{name}(groups):", *indented(["rare = full and full(groups)", *reading, *before, *inner])]
    pack = Struct(f"{len(trace.outputs)}d").pack_into
    return define(f"bind_{name}", outer, {**NAMES, "full": full, "empty": np.empty, "pack": pack})


def _body(trace: Trace, instead: str) -> tuple[list[str], str]:
    """The statements that compute the outputs, or return something else instead; and the outputs' names."""
    writer = Writer(TEMPLATES)
    for condition in trace.conditions:  # before what would divide by zero
        writer.statement(f"if {writer.write(condition)}: return {instead}")
    outputs = [writer.write(output) for output in trace.outputs]
    return writer.lines(*outputs), ", ".join(outputs)


def _split(body: list[str], free: Sizes) -> tuple[list[str], list[str]]:
    """The statements that do not depend on the free groups, and the others."""
    before, after = [], []
    dependent = set(WORD.findall(" ".join(_components(free).values())))
    for statement in body:
        if statement.startswith("if ") or not dependent.isdisjoint(WORD.findall(statement)):
            after.append(statement)
            dependent.add(statement.split()[0])
        else:
            before.append(statement)
    return before, after


def _components(groups: Sizes) -> dict[str, str]:
    return {group: ", ".join(component(group, k) for k in range(size)) for group, size in groups.items()}


@cache
def compiled(program: Program, answer: str, flags: Flags) -> Callable[..., tuple[float, ...]]:
    """A function from the components of an answer's groups to its numbers."""
    full = function(engine_trace(program, answer, flags, FLOAT64, rare=True), None)
    return function(engine_trace(program, answer, flags, FLOAT64, rare=False), full)


@cache
def binder(
    program: Program, answer: str, flags: Flags, free: tuple[str, ...], same: Aliases = (), *, into: bool = False
) -> Callable[[Mapping[str, Any]], Callable[..., Any]]:
    """A function from the fixed groups, by name, to one from a sequence of the free groups to the answer's array.

    With `into`, the second writes the answer into an array, as `array_function` says.
    """
    needed = [name for name in program.groups_of(answer) if name not in dict(same)]
    fixed = {name: program.all_groups[name] for name in needed if name not in free}
    varying = {name: program.all_groups[name] for name in free}
    shape = None if into else program.answers[answer].shape
    short, full = (engine_trace(program, answer, flags, FLOAT64, rare, same) for rare in (False, True))
    return array_function(short, fixed, varying, shape, array_function(full, fixed, varying, shape, None))
