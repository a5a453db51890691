"""Frames: solutions whose aim and side were chosen beforehand, by joint limits or by a track."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from limbik.limbs.calls import Inputs, Plans, TensorPlans
from limbik.limbs.solution import Solution


def cut(solution: Solution[Any], numbers: Any, sizes: Mapping[str, int]) -> dict[str, Any]:
    """The inputs that an answer (..., numbers) of a solution holds one after the other, as parts."""
    plans = solution._plans
    if isinstance(plans, TensorPlans):
        return cut_tensor(numbers, sizes)
    if not plans.layouts:
        return cut_rows(tuple(numbers.tolist()), sizes)
    flat = np.moveaxis(np.asarray(numbers), -1, 0)  # components first; in memory they mostly are
    return cut_rows(np.ascontiguousarray(flat).reshape(len(flat), math.prod(flat.shape[1:])), sizes)


def cut_tensor(numbers: Any, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Parts of so many components each, one after the other."""
    ends = accumulate(sizes.values())
    return {name: numbers[..., end - sizes[name] : end] for name, end in zip(sizes, ends, strict=True)}


def cut_rows(numbers: Any, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Parts of so many rows each, one after the other."""
    found, first = {}, 0
    for name, size in sizes.items():
        found[name] = numbers[first : first + size]
        first += size
    return found


def solution_of_frame(
    solution: Solution[Any], inputs: Inputs, frame: Mapping[str, Any], kind: type[Solution[Any]]
) -> Any:
    """The solution with inputs that a frame chose, as parts, arrays (components, rows); the others are a solution's."""
    plans, parts = solution._plans, solution._parts
    if isinstance(plans, TensorPlans):
        every = {**plans.inputs.by_name(parts), **frame}
        return kind(
            TensorPlans(inputs, plans.library, plans.dtype), solution._shape, [every[name] for name in inputs.names]
        )
    key = inputs.flags, *frame
    form = plans.frames.get(key)
    if form is None:
        form = plans.frames[key] = _describe(plans, inputs, frame)
    return kind(
        form.plans,
        solution._shape,
        [parts[one] if type(one) is int else one if type(one) is tuple else frame[one] for one in form.sources],
    )


class _Form(NamedTuple):
    """How the parts of a frame's solution are made."""

    plans: Plans
    sources: list[Any]  # of each part: the number of a part before, the name of one that the frame chose, or a constant


def _describe(plans: Plans, inputs: Inputs, frame: Mapping[str, Any]) -> _Form:
    before = plans.inputs
    places = {name: k for k, name in enumerate(before.names)}
    places |= {alias: places[name] for alias, name in before.aliases}
    sources = [name if name in frame else places.get(name, before.fixed.get(name)) for name in inputs.names]
    if not plans.layouts:
        return _Form(inputs.one, sources)
    letters = {str: "r", tuple: "c"}
    layouts = "".join([plans.layouts[one] if type(one) is int else letters[type(one)] for one in sources])
    return _Form(inputs.plans(plans.array_dtype, layouts, plans.library or ""), sources)
