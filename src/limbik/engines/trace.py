"""A trace: the operations that a formula performs, in order, without branches; and its text in an engine's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from limbik.engines.programs import Flags, Program
from limbik.formulas import elementary
from limbik.formulas.operations import Symbol, minimum, recording

INFIX = {
    operator: f"{{0}} {operator} {{1}}" for operator in ("+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "&", "|")
}
MARKS = ("barrier", "exact_quotient")  # what they say of a step matters to few engines
TRANSCENDENTAL = {"atan2", "unit_angle", "sin", "cos"}

Aliases = tuple[tuple[str, str], ...]  # groups that always equal another one: (group, the one it equals)


@dataclass(frozen=True, eq=False)
class Trace:
    """Parameters (names of numbers), outputs, and the conditions under which the full trace must be run instead."""

    name: str  # of the functions that engines make of it
    parameters: tuple[str, ...]
    outputs: tuple[Symbol | float, ...]
    conditions: tuple[Symbol, ...]

    @cached_property
    def steps(self) -> int:
        """How many distinct steps compute the outputs."""
        found: dict[int, Symbol] = {}
        for output in self.outputs:
            for step in in_order(output, found):
                found[id(step)] = step
        return len(found)

    @cached_property
    def rounds_alike(self) -> bool:
        """Whether IEEE arithmetic defines the rounding of every step, so that all engines give the same bits."""
        return not any(self._transcendental)

    @cached_property
    def _transcendental(self) -> list[bool]:
        """Of each output, whether it depends on a transcendental function."""
        found: dict[int, bool] = {}
        for output in self.outputs:
            for step in in_order(output, found):
                inputs = [one for one in step.inputs if isinstance(one, Symbol)]
                found[id(step)] = step.operation in TRANSCENDENTAL or any(found[id(one)] for one in inputs)
        return [isinstance(output, Symbol) and found[id(output)] for output in self.outputs]


def in_order(root: Symbol | float, known: Container[int]) -> Iterator[Symbol]:
    """The steps that compute `root`, inputs first, except those whose ids are known: the caller adds each one's."""
    waiting = [root] if isinstance(root, Symbol) else []
    while waiting:
        step = waiting[-1]
        if missing := [one for one in step.inputs if isinstance(one, Symbol) and id(one) not in known]:
            waiting.extend(missing)
            continue
        waiting.pop()
        if id(step) not in known:
            yield step


def merged(conditions: Sequence[Symbol]) -> list[Symbol]:
    """The same conditions in fewer operations: numbers that must stay in the same range are tested together.

    Their minimum shows whether one is too small, their sum whether one is too large, infinite or NaN.
    """
    ranges: dict[tuple[Any, Any], list[Any]] = {}
    others = []
    for condition in conditions:
        if condition.operation == "outside":
            number, low, high = condition.inputs
            ranges.setdefault((low, high), []).append(number)
        else:
            others.append(condition)
    for (low, high), numbers in ranges.items():
        smallest, total = numbers[0], numbers[0]
        for number in numbers[1:]:
            smallest, total = minimum(smallest, number), total + number
        others += [Symbol("<", smallest, low), Symbol("outside", total, low, high)]
    return others


def flatten(value: Any) -> list[Any]:
    """The leaves of nested tuples, in order."""
    return [leaf for part in value for leaf in flatten(part)] if isinstance(value, tuple) else [value]


def component(group: str, index: int) -> str:
    """The name of one component of a group."""
    return f"{group}_{index}"


def record(
    formula: Callable[..., Any], groups: Mapping[str, int], flags: Mapping[str, bool], rare: bool, name: str = ""
) -> Trace:
    """Runs a formula once on symbols, one for each component of its groups.

    Args:
        formula: takes a tuple of symbols for each group and a bool for each flag, by name; returns nested tuples.
        groups: the number of components of each group.
        flags: the values of the flags.
        rare: whether to include the rare cases; without them, the trace has the conditions that call for them.
        name: of the trace (default: the formula's).
    """
    names = {group: [component(group, k) for k in range(size)] for group, size in groups.items()}
    symbols = {group: tuple(Symbol("name", part) for part in parts) for group, parts in names.items()}
    with recording(rare) as notes:
        outputs = flatten(formula(**symbols, **flags))
    parameters = tuple(part for parts in names.values() for part in parts)
    name = name or formula.__name__.strip("<>_")
    return Trace(name, parameters, tuple(outputs), tuple(() if rare else notes.conditions))


@cache
def answer_trace(program: Program, answer: str, flags: Flags, rare: bool, same: Aliases = ()) -> Trace:
    """The trace of one answer of a program: its formula applied to the pose."""
    copies = dict(same)
    groups = {name: program.all_groups[name] for name in program.groups_of(answer) if name not in copies}

    def whole(**values: Any) -> Any:
        return program.evaluate(answer, values | {copy: values[name] for copy, name in same})

    return record(whole, groups, flags._asdict(), rare, f"{program.name}_{answer}{'_full' * rare}")


@cache
def step_formulas(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """Polynomials that all engines round alike, in place of the functions of each: without fused operations."""
    precision = replace(elementary.FLOAT64 if dtype == np.float64 else elementary.FLOAT32, fused=False)
    return {
        "atan2": lambda y, x: elementary.arctangent(y, x, precision),
        "unit_angle": lambda y, x: elementary.arctangent_of_unit(y, x, precision),
        "sin": lambda a: elementary.sine_and_cosine(a, precision)[0],
        "cos": lambda a: elementary.sine_and_cosine(a, precision)[1],
    }


@cache
def engine_trace(
    program: Program, answer: str, flags: Flags, dtype: np.dtype[Any], rare: bool, same: Aliases = ()
) -> Trace:
    """The trace of an answer as floats, NumPy and Numba run it: with those polynomials where others are built on it.

    Which engine runs a small batch, or a step of a track, depends on what has run before. That must not show.
    """
    trace = answer_trace(program, answer, flags, rare, same)
    return lower(trace, rare, step_formulas(dtype)) if program.answers[answer].built_on else trace


def lower(trace: Trace, rare: bool, formulas: Mapping[str, Callable[..., Any]]) -> Trace:
    """The trace with some operations replaced by formulas, for an engine that lacks them."""
    done: dict[int, Any] = {}
    formulas = {"exact_quotient": lambda quotient: quotient, **formulas}

    def replaced(root: Any) -> Any:
        for step in in_order(root, done):
            inputs = [done[id(one)] if isinstance(one, Symbol) else one for one in step.inputs]
            formula = formulas.get(step.operation)
            done[id(step)] = formula(*inputs) if formula else Symbol(step.operation, *inputs)
        return done[id(root)] if isinstance(root, Symbol) else root

    conditions: list[Symbol] = []
    with recording(rare) as notes:
        for condition in trace.conditions:
            conditions.append(replaced(condition))
            # What a replacement requires comes before the conditions that depend on it.
            conditions[-1:-1] = notes.conditions
            notes.conditions.clear()
        outputs = tuple(replaced(output) for output in trace.outputs)
    return Trace(trace.name, trace.parameters, outputs, (*conditions, *(() if rare else notes.conditions)))


class Writer:
    """Writes steps as assignments in one language: each distinct step once, a step used once inside its user.

    `templates` has the operations that are not written alike in every language, `operation(input, ...)` or infix.
    """

    DEPTH = 12  # the deepest nesting of an expression

    def __init__(
        self, templates: Mapping[str, str], literal: Callable[[float], str] = repr, name: Callable[[str], str] = str
    ) -> None:
        self._templates = {"negative": "-{0}", "atan2": "atan2({0}, {1})", **INFIX, **templates}
        self._templates.setdefault("unit_angle", self._templates["atan2"])
        self._literal = literal
        self._spelling = name
        self._steps: dict[tuple[str, ...], str] = {}  # operation and the names it is applied to: its own name
        self._names: dict[int, str] = {}
        self._kept: list[Symbol] = []  # ids are names only while their owners live
        self._marks: list[tuple[int, str]] = []  # statements of the engine's own: after how many steps, and their text

    def write(self, root: Symbol | float | bool) -> str:
        """Adds the steps that compute `root`; returns the name or literal that holds it."""
        if not isinstance(root, Symbol):
            return repr(root) if isinstance(root, bool) else self._literal(float(root))
        for step in in_order(root, self._names):
            self._kept.append(step)
            self._names[id(step)] = self._name(step)
        return self._names[id(root)]

    def _name(self, step: Symbol) -> str:
        if step.operation == "name":
            return self._spelling(str(step.inputs[0]))
        parts = [self._names[id(one)] if isinstance(one, Symbol) else self.write(float(one)) for one in step.inputs]
        if step.operation in MARKS and step.operation not in self._templates:
            return parts[0]
        key = (step.operation, *parts)
        if key not in self._steps:
            self._steps[key] = self._new_name(step)
        return self._steps[key]

    def _new_name(self, step: Symbol) -> str:
        return f"v{len(self._steps)}"

    def statement(self, text: str) -> None:
        """Adds a statement of the engine's own after the steps so far; the names in it must have been written."""
        self._marks.append((len(self._steps), text))

    def lines(self, *results: str) -> list[str]:
        """The text so far, in order; `results` are names that must exist at its end."""
        named = {*results, *(word for _, text in self._marks for word in re.findall(r"\w+", text))}
        uses = Counter()
        for operation, *parts in self._steps:
            template = self._template(operation, len(parts))
            for k, part in enumerate(parts):
                uses[part] += max(1, template.count(f"{{{k}}}"))
        inside: dict[str, tuple[str, int, str]] = {}  # name: expression, its depth, its operation
        text: list[str] = []
        marks = iter([*self._marks, (len(self._steps) + 1, "")])
        mark = next(marks)
        for number, ((operation, *parts), name) in enumerate(self._steps.items()):
            while mark[0] <= number:
                text.append(mark[1])
                mark = next(marks)
            depth = 1 + max((inside[part][1] for part in parts if part in inside), default=0)
            operands = []
            for place, part in enumerate(parts):
                inner, _, of = inside.pop(part, (part, 0, ""))
                operands.append(self._operand(inner, of, operation, place))
            value = self._template(operation, len(parts)).format(*operands)
            if uses[name] == 1 and name not in named and self._nests(name, value, depth):
                inside[name] = value, depth, operation
            else:
                text.append(self._assignment(name, value, operation))
        return text + [one for _, one in [mark, *marks] if one]

    # What a language may do otherwise.

    def _operand(self, text: str, operation: str, user: str, place: int) -> str:
        """The text of an operand as it stands in its user; `operation` is "" where it is a name or a literal."""
        return f"({text})" if operation else text

    def _nests(self, name: str, value: str, depth: int) -> bool:
        """Whether a value that is used once is written inside its user."""
        return depth < self.DEPTH

    def _assignment(self, name: str, value: str, operation: str) -> str:
        return f"{name} = {value}"

    def _template(self, operation: str, inputs: int) -> str:
        return self._templates.get(operation) or f"{operation}({', '.join(f'{{{k}}}' for k in range(inputs))})"
