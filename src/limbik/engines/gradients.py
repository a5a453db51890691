"""Gradients: reverse-mode differentiation of formulas, and the backward pass of an answer as a program of its own.

The gradient of a step is the derivative, with respect to the step, of the number that a caller differentiates. The
result is a formula like any other, which every engine can run; its rare cases are those of the formula it was derived
from. Where a step has no derivative (the root of 0, the angle of (0, 0), the absolute value of 0) its gradient
is 0, and the minimum or maximum of two equal numbers is the first of them: gradients are finite everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from limbik.engines.programs import Answer, Program
from limbik.engines.trace import flatten, in_order
from limbik.formulas.operations import LARGEST, Real, Symbol, cos, maximum, minimum, sin, where

OUTPUT_GRADIENT = "output_gradient"  # the input that holds the gradient with respect to the answer's numbers
GRADIENT = "gradient"  # the program's only answer: the gradients of the wanted inputs, one after the other
Gradients = tuple[Real | None, ...]  # of a step's inputs; None where the input is no number or changes nothing


def bounded(gradient: Real) -> Real:
    """A gradient, or the nearest finite number."""
    return minimum(maximum(gradient, -LARGEST), LARGEST) if isinstance(gradient, Symbol) else gradient


@cache
def gradient_program(program: Program, answer: str, wanted: tuple[str, ...]) -> Program:
    """The program that computes the gradients of some groups from the groups and the gradients of an answer's numbers.

    Args:
        program: the limb's.
        answer: one of the program's answers.
        wanted: names of groups that the answer depends on.
    """
    names = program.groups_of(answer)
    sizes = program.all_groups
    groups = {**{name: sizes[name] for name in names}, OUTPUT_GRADIENT: program.answers[answer].size}
    arguments = (*groups, *program.flags._fields)

    def gradients_of_inputs(*values: Any) -> Any:
        given = dict(zip(arguments, values, strict=True))
        outputs = flatten(program.evaluate(answer, given))
        inputs = [symbol for name in wanted for symbol in given[name]]
        # A direction's gradients grow with the reciprocal of its length: that of a subnormal one is no finite number.
        return tuple(bounded(gradient) for gradient in input_gradients(outputs, given[OUTPUT_GRADIENT], inputs))

    return Program(
        name=f"{program.name}_{answer}_gradient",
        pose=gradients_of_inputs,
        groups=groups,
        flags=program.flags,
        answers={GRADIENT: Answer(lambda gradients: gradients, (sum(sizes[name] for name in wanted),))},
        report=(),
        kernels=program.gradient_kernels,
    )


def input_gradients(outputs: Sequence[Real], gradients: Sequence[Real], inputs: Sequence[Symbol]) -> list[Real]:
    """The gradients of a formula's inputs.

    Args:
        outputs: what the formula returned.
        gradients: one for each output.
        inputs: symbols that the formula was called with.

    Returns:
        One for each input: the sum over the outputs of gradient times derivative.
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

    def add(step: Any, gradient: Real | None) -> None:
        if gradient is not None and id(step) in varying:
            totals[id(step)] = totals[id(step)] + gradient if id(step) in totals else gradient

    for output, gradient in zip(outputs, gradients, strict=True):
        add(output, gradient)
    for number, step in reversed(steps.items()):
        if step.operation != "name" and number in totals:
            for one, gradient in zip(
                step.inputs, _rules[step.operation](totals[number], step, *step.inputs), strict=True
            ):
                add(one, gradient)
    return [totals.get(id(one), 0.0) for one in inputs]


def _divide(gradient: Real, quotient: Symbol, a: Real, b: Real) -> Gradients:
    if isinstance(a, float) and abs(a) == 1.0:  # a reciprocal: its square needs no further division
        return None, -(gradient * quotient * quotient) * a
    part = gradient / b
    return part, -(part * quotient)


def _root(gradient: Real, root: Symbol, a: Real) -> Gradients:
    positive = root > 0.0
    return (where(positive, 0.5 * gradient / where(positive, root, 1.0), 0.0),)


def _angle(gradient: Real, angle: Symbol, y: Real, x: Real) -> Gradients:
    square = x * x + y * y
    somewhere = square > 0.0
    part = where(somewhere, gradient / where(somewhere, square, 1.0), 0.0)
    return part * x, -(part * y)


def _selected(first: Real, gradient: Real) -> Gradients:
    return where(first, gradient, 0.0), where(first, 0.0, gradient)  # type: ignore[arg-type]


# By operation: the gradients of its inputs, from the gradient of the step, the step itself and its inputs.
_rules: dict[str, Callable[..., Gradients]] = {
    "+": lambda gradient, step, a, b: (gradient, gradient),
    "-": lambda gradient, step, a, b: (gradient, -gradient),
    "*": lambda gradient, step, a, b: (gradient * b, gradient * a),
    "/": _divide,
    "negative": lambda gradient, step, a: (-gradient,),
    "barrier": lambda gradient, step, a: (gradient,),
    "exact_quotient": lambda gradient, step, a: (gradient,),
    "multiply_add": lambda gradient, step, a, b, c: (gradient * b, gradient * a, gradient),
    "sqrt": _root,
    "absolute": lambda gradient, step, a: (where(a < 0.0, -gradient, where(a > 0.0, gradient, 0.0)),),
    "minimum": lambda gradient, step, a, b: _selected(a <= b, gradient),
    "maximum": lambda gradient, step, a, b: _selected(a >= b, gradient),
    "where": lambda gradient, step, condition, a, b: (None, *_selected(condition, gradient)),
    "floor": lambda gradient, step, a: (None,),
    "atan2": _angle,
    "unit_angle": _angle,
    "sin": lambda gradient, step, a: (gradient * cos(a),),
    "cos": lambda gradient, step, a: (-(gradient * sin(a)),),
    **{name: lambda gradient, step, *inputs: (None,) * len(inputs) for name in ("<", "<=", ">", ">=", "==", "!=")},
    **{name: lambda gradient, step, *inputs: (None,) * len(inputs) for name in ("&", "|", "outside", "signbit")},
}
