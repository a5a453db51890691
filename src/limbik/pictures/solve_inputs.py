"""What a solution was asked for, so that a picture can show it beside what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.limbs.solution import Solution


@dataclass(frozen=True)
class Asked:
    """Target, and the directions that came with it: unit vectors, or None where none was given."""

    target: Array
    up: Array | None = None  # of the last link
    pole: Array | None = None  # of the middle joint: a two-link limb's pole, a three-link limb's hint


def asked(solution: Solution) -> Asked:
    """What a single solution was asked for."""
    groups = solution._groups
    flags = solution._flags._asdict()
    target = np.asarray(groups.get("requested_target", groups["target"]), float)
    # A frame that is given (a track, a last joint at its limit) holds its own plane where the hint was.
    hint = "hint" if flags.get("hinted") and not flags.get("fixed_frame") else "requested_pole"
    return Asked(target, _direction(groups.get("requested_up")), _direction(groups.get(hint)))


def _direction(vector: Any) -> Array | None:
    if vector is None:
        return None
    array = np.asarray(vector, float)
    length = np.linalg.norm(array)
    return array / length if length > 0 and np.isfinite(length) else None
