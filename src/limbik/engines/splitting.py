"""Answers split at their outermost atan2, so that it can be NumPy's own whatever engine does the rest.

The engines' own atan2 differ in the last bits. For small batches the engine depends on what has run before, which must
not show: there every engine computes the arguments of atan2, to the same bits, and NumPy the angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import Answer, Flags, Program
from limbik.engines.trace import answer_trace, flatten
from limbik.formulas.operations import Symbol, where


class Split(NamedTuple):
    """An answer of a program that computes, instead of angles, the arguments of atan2."""

    program: Program
    answer: str
    size: int  # of the original answer
    angles: tuple[int, ...]  # the numbers of the answer that are angles; their x follow after the answer's numbers
    turned: tuple[int, ...]  # those of them to which a number is added; these follow at the end

    @property
    def memory(self) -> int:
        """How many numbers of a row the split answer has."""
        return self.size + len(self.angles) + len(self.turned)

    def finish(self, numbers: Array) -> Array:
        """The answer, (numbers, rows), from the split one, whose memory it uses."""
        if self.angles:
            first, last, end = self.angles[0], self.angles[-1], self.size + len(self.angles)
            if last - first < len(self.angles):
                np.arctan2(numbers[first : last + 1], numbers[self.size : end], out=numbers[first : last + 1])
            else:
                for k, x in zip(self.angles, numbers[self.size : end], strict=True):
                    np.arctan2(numbers[k], x, out=numbers[k])
            for k, turn in zip(self.turned, numbers[end:], strict=True):
                numbers[k] += turn
        return numbers[: self.size]


@cache
def split(program: Program, answer: str, flags: Flags) -> Split | None:
    """The split answer; the answer itself where it has no transcendental function; None where it cannot be split."""
    spec = program.answers[answer]
    if spec.built_on or answer_trace(program, answer, flags, rare=True).rounds_alike:
        return Split(program, answer, spec.size, (), ())
    outputs = answer_trace(program, answer, flags, rare=True).outputs
    found = {k: arguments for k, output in enumerate(outputs) if (arguments := _arguments(output))}
    angles, turned = tuple(found), tuple(k for k, arguments in found.items() if arguments[2] is not None)
    size = spec.size + len(angles) + len(turned)
    changed = Answer(_split_formula(spec.formula, angles), (size,))
    name = f"{answer}_arguments"
    other = replace(program, answers={**program.answers, name: changed})
    if not answer_trace(other, name, flags, rare=True).rounds_alike:
        return None
    return Split(other, name, spec.size, angles, turned)


def _split_formula(formula: Callable[..., Any], angles: tuple[int, ...]) -> Callable[..., Any]:
    @wraps(formula)
    def arguments(*values: Any) -> Any:
        outputs = flatten(formula(*values))
        ends, turns = [], []
        for k in angles:
            found = _arguments(outputs[k])
            assert found, "the short trace has the same angles as the full one"
            outputs[k], end, turn = found
            ends.append(end)
            turns += [] if turn is None else [turn]
        return *outputs, *ends, *turns

    return arguments


def _arguments(output: Any) -> tuple[Any, Any, Any] | None:
    """The y and x whose atan2 is the output, exactly, and what is added to it, or None; None where it is no atan2."""
    if not isinstance(output, Symbol):
        return None
    if output.operation in ("atan2", "unit_angle"):
        return *output.inputs, None  # type: ignore[return-value]
    if output.operation == "+" and (found := _arguments(output.inputs[0])) and found[2] is None:
        return *found[:2], output.inputs[1]
    if output.operation == "negative" and (found := _arguments(output.inputs[0])) and found[2] is None:
        y, x, _ = found
        return -y, x, None
    if output.operation != "where":
        return None
    condition, *cases = output.inputs
    for other, case in (cases, cases[::-1]):
        found = _arguments(case)
        if found and (other == 0.0 if isinstance(other, float) else _is_nan(other)):
            # atan2(0, 1) is 0, and atan2 of NaN is NaN.
            instead = (0.0, 1.0) if isinstance(other, float) else (other, found[1])
            parts = zip(found[:2], instead, strict=True) if case is cases[0] else zip(instead, found[:2], strict=True)
            y, x = (first if first is second else where(condition, first, second) for first, second in parts)  # type: ignore[arg-type]
            if found[2] is None or _is_nan(other):
                return y, x, found[2]
    return None


def _is_nan(value: Any) -> bool:
    return isinstance(value, Symbol) and value.operation == "name" and str(value.inputs[0]) == "NAN"
