"""The orders in which legs take turns, by the names that they have in the field.

A leg's phase is the fraction of the cycle by which it touches down after the others' common start. Legs come in rows,
front to back, each with a left and a right one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limbik.errors import ArgumentError, ChoiceError

Pattern = Callable[[int, int, int], float]  # of row from the back, side (0 left, 1 right), and rows

LONGEST = 6  # rows that a ripple spans at most; a longer body has several

FOUR: dict[str, dict[tuple[int, int], float]] = {
    # Lateral sequence: each hind foot is followed by the fore foot of its side.
    "walk": {(0, 0): 0.0, (1, 0): 0.25, (0, 1): 0.5, (1, 1): 0.75},
    "trot": {(0, 0): 0.0, (1, 1): 0.0, (0, 1): 0.5, (1, 0): 0.5},
    "pace": {(0, 0): 0.0, (1, 0): 0.0, (0, 1): 0.5, (1, 1): 0.5},
    "bound": {(0, 0): 0.0, (0, 1): 0.0, (1, 0): 0.5, (1, 1): 0.5},
    # Transverse: hind feet, then fore feet, the same side first.
    "gallop": {(0, 0): 0.0, (0, 1): 0.12, (1, 0): 0.44, (1, 1): 0.56},
}


def _tripod(row: int, side: int, rows: int) -> float:
    """Neighbours alternate; the legs of six stand on two tripods in turn."""
    return 0.5 * ((row + side) % 2)


def _ripple(row: int, side: int, rows: int) -> float:
    """A wave from back to front on either side, half a cycle apart."""
    return (row / min(rows, LONGEST) + 0.5 * side) % 1.0


def _wave(row: int, side: int, rows: int) -> float:
    """One leg after the other, from back to front, on the left and then on the right."""
    return (row + side * rows) / (2 * rows)


MANY: dict[str, Pattern] = {"tripod": _tripod, "ripple": _ripple, "wave": _wave}


def phases(pattern: str, sides: Sequence[int], place: str) -> tuple[float, ...]:
    """The phase of each leg. sides: 0 for a left leg, 1 for a right one, rows front to back, left before right."""
    rows = len(sides) // 2
    if list(sides) != [0, 1] * rows:
        raise ArgumentError(place, repr(pattern), "a phase for each leg; named patterns are for legs in pairs")
    known = MANY | ({name: _four(name) for name in FOUR} if rows == 2 else {})
    if pattern not in known:
        raise ChoiceError(place, pattern, [*known, "a list of phases"])
    return tuple(known[pattern](rows - 1 - leg // 2, side, rows) for leg, side in enumerate(sides))


def _four(name: str) -> Pattern:
    return lambda row, side, rows: FOUR[name][row, side]
