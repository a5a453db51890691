"""Reverse-mode differentiation of formulas: from the slopes of the outputs to those of the inputs, as symbols.

A slope is the derivative of the number that a caller differentiates, with respect to a step. The result is a formula
like any other: its rare cases are those of the formula it was derived from, and every engine can run it. Where a step
has no derivative (the root of 0, the angle of the point (0, 0), the absolute value of 0) its slope is 0, and the
minimum or maximum of two equal numbers is the first of them: slopes are finite everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from limbik.engines.trace import in_order
from limbik.formulas.operations import Real, Symbol, cos, sin, where

Slopes = tuple[Real | None, ...]  # of a step's inputs; None where the input is no number or changes nothing


def input_slopes(outputs: Sequence[Real], slopes: Sequence[Real], inputs: Sequence[Symbol]) -> list[Real]:
    """The slopes of a formula's inputs.

    Args:
        outputs: what the formula returned.
        slopes: one for each output.
        inputs: symbols that the formula was called with.

    Returns:
        One for each input: the sum over the outputs of slope times derivative.
    """
    steps: dict[int, Symbol] = {}
    for output in outputs:
        for step in in_order(output, steps):
            steps[id(step)] = step
    varying = {id(one) for one in inputs}
    for number, step in steps.items():
        if any(id(one) in varying for one in step.inputs):
            varying.add(number)
    totals: dict[int, Real] = {}

    def add(step: Any, slope: Real | None) -> None:
        if slope is not None and id(step) in varying:
            totals[id(step)] = totals[id(step)] + slope if id(step) in totals else slope

    for output, slope in zip(outputs, slopes, strict=True):
        add(output, slope)
    for number, step in reversed(steps.items()):
        if step.operation != "name" and number in totals:
            for one, slope in zip(step.inputs, _rules[step.operation](totals[number], step, *step.inputs), strict=True):
                add(one, slope)
    return [totals.get(id(one), 0.0) for one in inputs]


def _divide(slope: Real, quotient: Symbol, a: Real, b: Real) -> Slopes:
    if isinstance(a, float) and abs(a) == 1.0:  # a reciprocal: its square needs no further division
        return None, -(slope * quotient * quotient) * a
    part = slope / b
    return part, -(part * quotient)


def _root(slope: Real, root: Symbol, a: Real) -> Slopes:
    positive = root > 0.0
    return (where(positive, 0.5 * slope / where(positive, root, 1.0), 0.0),)


def _angle(slope: Real, angle: Symbol, y: Real, x: Real) -> Slopes:
    square = x * x + y * y
    somewhere = square > 0.0
    part = where(somewhere, slope / where(somewhere, square, 1.0), 0.0)
    return part * x, -(part * y)


def _selected(first: Real, slope: Real) -> Slopes:
    return where(first, slope, 0.0), where(first, 0.0, slope)  # type: ignore[arg-type]


# By operation: the slopes of its inputs, from the slope of the step, the step itself and its inputs.
_rules: dict[str, Callable[..., Slopes]] = {
    "+": lambda slope, step, a, b: (slope, slope),
    "-": lambda slope, step, a, b: (slope, -slope),
    "*": lambda slope, step, a, b: (slope * b, slope * a),
    "/": _divide,
    "negative": lambda slope, step, a: (-slope,),
    "barrier": lambda slope, step, a: (slope,),
    "exact_quotient": lambda slope, step, a: (slope,),
    "multiply_add": lambda slope, step, a, b, c: (slope * b, slope * a, slope),
    "sqrt": _root,
    "absolute": lambda slope, step, a: (where(a < 0.0, -slope, where(a > 0.0, slope, 0.0)),),
    "minimum": lambda slope, step, a, b: _selected(a <= b, slope),
    "maximum": lambda slope, step, a, b: _selected(a >= b, slope),
    "where": lambda slope, step, condition, a, b: (None, *_selected(condition, slope)),
    "floor": lambda slope, step, a: (None,),
    "atan2": _angle,
    "unit_angle": _angle,
    "sin": lambda slope, step, a: (slope * cos(a),),
    "cos": lambda slope, step, a: (-(slope * sin(a)),),
    **{name: lambda slope, step, *inputs: (None,) * len(inputs) for name in ("<", "<=", ">", ">=", "==", "!=")},
    **{name: lambda slope, step, *inputs: (None,) * len(inputs) for name in ("&", "|", "outside", "signbit")},
}
