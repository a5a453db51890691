"""Limbs that are solved by one scalar: the outermost joint must turn out as it was guessed.

This is no closed form. A fixed number of secant steps finds the guess; where they fail, as for folded legs, the sign of
the error is looked at all around, and regula falsi steps follow from the nearest change. Newton steps do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import NOT_REACHED
from limbik.formulas.robots.exported import MAX_GUESS_ERROR
from limbik.robots.robot_branches import Columns, DType, Signs, evaluate_branch

if TYPE_CHECKING:
    from limbik.robots.families import Family

Evaluation = Callable[[Array], tuple[Array, Array]]
SECANT_STEPS = 8  # evaluations after the first
GRID_GUESSES = 32  # around the circle
MAX_BRACKETS = 3  # that are tried
REGULA_FALSI_STEPS = 12  # in a bracket


def by_secants(family: Family, columns: Columns, signs: Signs, rows: int, dtype: DType) -> Array:
    """One branch of many rows: angles and cost, (n + 1, rows), by a fixed number of secant steps."""
    evaluate = _guess_evaluation(family, columns, signs, dtype)
    guess = np.zeros(rows, dtype)
    numbers, error = evaluate(guess)
    after = guess + error
    for _ in range(SECANT_STEPS):
        numbers, miss = evaluate(after)
        change = miss - error
        inverse_slope = np.where(np.abs(change) > 1e-14, (after - guess) / np.where(change == 0, 1.0, change), -1.0)
        guess, error = after, miss
        after = after - np.clip(miss * inverse_slope, -1.0, 1.0)
    return _judge_guess(numbers, error)


def by_brackets(family: Family, columns: Columns, signs: Signs, rows: int, dtype: DType) -> Array:
    """One branch of many rows, from the brackets of roots nearest to `near`; those that reach the target first."""
    evaluate = _guess_evaluation(family, columns, signs, dtype)
    grid = np.linspace(-np.pi, np.pi, GRID_GUESSES + 1)
    numbers, errors = zip(*(evaluate(np.full(rows, guess, dtype)) for guess in grid), strict=True)
    errors, lacks = np.stack(errors), np.stack([one[-1] >= NOT_REACHED for one in numbers])
    bracket = (errors[:-1] * errors[1:] <= 0) & (np.abs(errors[1:] - errors[:-1]) < np.pi)
    near = columns["near"][_guessed_joint(family)]
    distance = np.abs((0.5 * (grid[:-1] + grid[1:])[:, None] - near + np.pi) % (2 * np.pi) - np.pi)
    distance_and_lack = np.where(bracket, distance + 10.0 * (lacks[:-1] & lacks[1:]), np.inf)
    order = np.argsort(distance_and_lack, axis=0, kind="stable")[:MAX_BRACKETS]
    best = _solve_in_bracket(evaluate, grid, errors, order[0])
    for number in order[1:]:
        other = _solve_in_bracket(evaluate, grid, errors, number)
        best = np.where(other[-1] < best[-1], other, best)
    return best


def _solve_in_bracket(evaluate: Evaluation, grid: Array, errors: Array, number: Array) -> Array:
    """Angles and cost at the root in a bracket of each row, by regula falsi."""
    low, high = grid[number], grid[number + 1]
    below, above = (np.take_along_axis(errors, number[None] + k, 0)[0] for k in (0, 1))
    answer, error = evaluate(low)
    for _ in range(REGULA_FALSI_STEPS):
        change = above - below
        middle = np.where(change != 0, (low * above - high * below) / np.where(change == 0, 1.0, change), low)
        answer, error = evaluate(middle)
        same = error * below > 0
        # Illinois: the end that stays counts half, so that both ends close in.
        above, below = np.where(same, 0.5 * above, error), np.where(same, error, 0.5 * below)
        high, low = np.where(same, high, middle), np.where(same, middle, low)
    return _judge_guess(answer, error)


def _guess_evaluation(family: Family, columns: Columns, signs: Signs, dtype: DType) -> Evaluation:
    """A function from guesses (rows,) to angles and cost, (n + 1, rows), and to what the guess lacks."""
    joint = _guessed_joint(family)

    def evaluate(guess: Array) -> tuple[Array, Array]:
        turn = np.stack([np.cos(guess), np.sin(guess)]).astype(dtype)
        numbers = evaluate_branch(family, {**columns, "swivel": turn}, signs, len(guess), dtype)
        return numbers, (numbers[joint] - guess + np.pi) % (2 * np.pi) - np.pi

    return evaluate


def _guessed_joint(family: Family) -> int:
    """The joint that is guessed."""
    return 0 if family.layout.reverse else family.layout.joints - 1


def _judge_guess(numbers: Array, error: Array) -> Array:
    missed = np.abs(error) > MAX_GUESS_ERROR
    numbers[-1] = np.where(missed & (numbers[-1] < NOT_REACHED), NOT_REACHED, numbers[-1])
    return numbers
