"""Leg phases of named gaits.

The phase of a leg is its touch-down time as a fraction of the cycle. Legs come in rows, front to back, each with a left
and a right one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limbik.errors import ArgumentError, ChoiceError

Pattern = Callable[[int, int, int], float]  # of row (from the back), side (0 left, 1 right), and number of rows

MAX_RIPPLE_ROWS = 6  # a longer body has several ripples

QUADRUPED_PHASES: dict[str, dict[tuple[int, int], float]] = {
    # Lateral sequence: each hind foot is followed by the fore foot of the same side.
    "walk": {(0, 0): 0.0, (1, 0): 0.25, (0, 1): 0.5, (1, 1): 0.75},
    "trot": {(0, 0): 0.0, (1, 1): 0.0, (0, 1): 0.5, (1, 0): 0.5},
    "pace": {(0, 0): 0.0, (1, 0): 0.0, (0, 1): 0.5, (1, 1): 0.5},
    "bound": {(0, 0): 0.0, (0, 1): 0.0, (1, 0): 0.5, (1, 1): 0.5},
    # Transverse gallop: hind feet, then fore feet, the same side first.
    "gallop": {(0, 0): 0.0, (0, 1): 0.12, (1, 0): 0.44, (1, 1): 0.56},
}


def _tripod(row: int, side: int, rows: int) -> float:
    """Neighbours alternate; six legs form two tripods."""
    return 0.5 * ((row + side) % 2)


def _ripple(row: int, side: int, rows: int) -> float:
    """A wave from back to front on each side, half a cycle apart."""
    return (row / min(rows, MAX_RIPPLE_ROWS) + 0.5 * side) % 1.0


def _wave(row: int, side: int, rows: int) -> float:
    """One leg at a time, from back to front, on the left and then on the right."""
    return (row + side * rows) / (2 * rows)


PATTERNS: dict[str, Pattern] = {"tripod": _tripod, "ripple": _ripple, "wave": _wave}


def phases(pattern: str, sides: Sequence[int], place: str) -> tuple[float, ...]:
    """The phase of each leg. sides: 0 for a left leg and 1 for a right one, front to back, left before right."""
    rows = len(sides) // 2
    if list(sides) != [0, 1] * rows:
        raise ArgumentError(place, repr(pattern), "a phase for each leg; named patterns need legs in pairs")
    known = PATTERNS | ({name: _quadruped(name) for name in QUADRUPED_PHASES} if rows == 2 else {})
    if pattern not in known:
        raise ChoiceError(place, pattern, [*known, "a list of phases"])
    return tuple(known[pattern](rows - 1 - leg // 2, side, rows) for leg, side in enumerate(sides))


def _quadruped(name: str) -> Pattern:
    return lambda row, side, rows: QUADRUPED_PHASES[name][row, side]
