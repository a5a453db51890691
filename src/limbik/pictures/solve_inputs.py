"""The inputs of a solution, to draw them beside its pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.limbs.solution import Solution


@dataclass(frozen=True, eq=False)
class SolveInputs:
    """The target, and the directions given with it: unit vectors, or None."""

    target: Array
    up: Array | None = None  # of the last link
    pole: Array | None = None  # of the middle joint: a two-link limb's pole, a three-link limb's hint


def solve_inputs(solution: Solution) -> SolveInputs:
    """The inputs of a single solution."""
    groups = solution._groups
    flags = solution._flags._asdict()
    target = np.asarray(groups.get("requested_target", groups["target"]), float)
    # A frame that is fixed (a track, a last joint at its limit) has its own plane in place of the hint.
    hint = "hint" if flags.get("hinted") and not flags.get("fixed_frame") else "requested_pole"
    return SolveInputs(target, _direction(groups.get("requested_up")), _direction(groups.get(hint)))


def _direction(vector: Any) -> Array | None:
    if vector is None:
        return None
    array = np.asarray(vector, float)
    length = np.linalg.norm(array)
    return array / length if length > 0 and np.isfinite(length) else None
