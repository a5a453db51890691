"""The calls that are measured: limbs, inputs within reach, options; a memory copy, and NumPy written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
from timing import Work

import limbik

Array = np.ndarray[Any, Any]

ARM, LEG = (0.45, 0.42), (0.45, 0.42, 0.12)
LIMBS = ("two-link", "three-link")
NUMBERS = {  # of an answer
    "joints": {"two-link": 9, "three-link": 12},
    "angles": {"two-link": 4, "three-link": 5},
    "rotations": {"two-link": 8, "three-link": 12},
}
DISTINCT_ROWS = 1 << 20  # beyond, targets repeat
LIST = 0  # the number of rows that stands for one target as Python lists


def limb(name: str, **limits: Any) -> Any:
    """A limb of the size of a human leg."""
    return limbik.TwoLink(*ARM, **limits) if name == "two-link" else limbik.ThreeLink(*LEG, **limits)


def inputs(name: str, rows: int, dtype: str = "float64", seed: int = 0) -> list[Any]:
    """Random targets within reach and poles or directions, (rows, 3) each; Python lists for `LIST`."""
    rng = np.random.default_rng(seed)
    some = min(max(rows, 1), DISTINCT_ROWS)
    second = _directions(rng, some)
    radius = ARM[0] - ARM[1] + 2 * ARM[1] * rng.uniform(0.1, 0.95, (some, 1))
    target = radius * _directions(rng, some) + (LEG[2] * second if name == "three-link" else 0.0)
    if rows == LIST:
        return [target[0].tolist(), second[0].tolist()]
    return [np.resize(one, (rows, 3)).astype(dtype) for one in (target, second)]


def _directions(rng: np.random.Generator, rows: int) -> Array:
    vectors = rng.normal(size=(rows, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def call(solve: Callable[..., Any], answer: str, *arguments: Any, **options: Any) -> Work:
    """The public call, reading one answer; its kernel is loaded before."""
    read = attrgetter(answer)
    work = partial(solve, *arguments, **options)
    with limbik.warm_up():
        read(work())
    return lambda: read(work())


def option_calls(name: str, answer: str, rows: int) -> Iterator[tuple[str, Work]]:
    """The default call, and the call with each option."""
    target, second = inputs(name, rows)

    def numbers(low: float, high: float) -> Any:
        return high if rows == LIST else np.resize([low, high], rows)

    if name == "two-link":
        yield "default", call(limb(name).solve, answer, target)
        yield "pole for each row", call(limb(name).solve, answer, target, second)
        for option, value in (("twist", 0.3), ("soften", 0.9), ("stretch", 1.2)):
            yield option, call(limb(name).solve, answer, target, **{option: value})
        yield "twist for each row", call(limb(name).solve, answer, target, twist=numbers(0.1, 0.5))
        yield "middle_limits", call(limb(name, middle_limits=(0.2, 2.5)).solve, answer, target)
        return
    hint = inputs(name, rows, seed=1)[1]
    solve = partial(call, limb(name).solve, answer, target, second)
    yield "default", solve()
    yield "bend for each row", solve(bend=numbers(-1.0, 1.0))
    yield "hint", solve(hint=hint)
    yield "style easy", solve(style="easy")
    yield "style easy, hint", solve(style="easy", hint=hint)
    yield "priority position", solve(priority="position")
    yield "middle_limits", call(limb(name, middle_limits=(0.2, 2.5)).solve, answer, target, second)
    yield "last_limits", call(limb(name, last_limits=(-0.8, 0.8)).solve, answer, target, second)


def copy(name: str, answer: str, rows: int, dtype: str = "float64") -> Work:
    """A copy into new memory that reads and writes as many bytes as the call: its inputs and its answer."""
    source = np.zeros((6 + NUMBERS[answer][name]) * max(rows, 1) // 2, dtype)
    return source.copy


def numpy_joints(name: str, target: Array, second: Array) -> Array:
    """The joints, (rows, 3 or 4, 3), as one writes it by hand; for targets within reach."""
    a, b = ARM
    last = second / np.linalg.norm(second, axis=1, keepdims=True) * LEG[2] if name == "three-link" else None
    end = target if last is None else target - last
    reach = np.linalg.norm(end, axis=1, keepdims=True)
    aim = end / reach
    along = (a * a - b * b + reach * reach) / (2 * reach)
    side = second - (second * aim).sum(axis=1, keepdims=True) * aim
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    middle = along * aim + np.sqrt(np.maximum(a * a - along * along, 0.0)) * side
    joints = [np.zeros_like(end), middle, end]
    return np.stack(joints if last is None else [*joints, target], axis=1)
