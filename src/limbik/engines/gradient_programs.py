"""The backward pass of an answer as a program of its own, which every engine runs like a limb's."""

from __future__ import annotations

from functools import cache
from typing import Any

from limbik.engines.differentiation import input_slopes
from limbik.engines.programs import Answer, Program
from limbik.engines.trace import flatten
from limbik.formulas.operations import LARGEST, Real, Symbol, maximum, minimum

SLOPES = "slopes"  # the group that holds the slopes of the answer's numbers
GRADIENT = "gradient"  # the program's only answer: the slopes of the wanted groups, one after the other


def bounded(slope: Real) -> Real:
    """A slope, or the nearest finite number."""
    return minimum(maximum(slope, -LARGEST), LARGEST) if isinstance(slope, Symbol) else slope


@cache
def gradient_program(program: Program, answer: str, wanted: tuple[str, ...]) -> Program:
    """The program that computes the slopes of some groups from the groups and the slopes of an answer's numbers.

    Args:
        program: the limb's.
        answer: one of the program's answers.
        wanted: names of groups that the answer depends on.
    """
    names = program.groups_of(answer)
    sizes = program.all_groups
    groups = {**{name: sizes[name] for name in names}, SLOPES: program.answers[answer].size}
    arguments = (*groups, *program.flags._fields)

    def slopes_of_groups(*values: Any) -> Any:
        given = dict(zip(arguments, values, strict=True))
        outputs = flatten(program.evaluate(answer, given))
        inputs = [symbol for name in wanted for symbol in given[name]]
        # A direction's slopes grow with the reciprocal of its length: that of a subnormal one is no finite number.
        return tuple(bounded(slope) for slope in input_slopes(outputs, given[SLOPES], inputs))

    return Program(
        name=f"{program.name}_{answer}_gradient",
        pose=slopes_of_groups,
        groups=groups,
        flags=program.flags,
        answers={GRADIENT: Answer(lambda slopes: slopes, (sum(sizes[name] for name in wanted),))},
        report=(),
    )
