"""A solution in words, for the foot of a picture or the head of a card."""

from __future__ import annotations

import numpy as np

from limbik.limbs.solution import Solution
from limbik.limbs.status import Status


def kind(solution: Solution) -> str:
    """What kind of limb was solved."""
    return solution._program.name.replace("_", "-").capitalize()


def outcome(solution: Solution) -> str:
    """Status and residual of a single solution in one line."""
    limb, status = solution._program.name, solution.status
    if status is Status.INVALID:
        return status.words
    text = status.words if status is Status.REACHED else f"{status.words}; {solution.residual:.3g} from the target"
    if limb == "three_link" and solution.up_error > 1e-9:
        text += f"; last link {np.degrees(solution.up_error):.1f}° from up"
    if solution.singular:
        text += "; the aim was free" if limb == "planar" else "; the bending plane was free"
    return text


def angles(solution: Solution) -> str:
    """The angles in degrees, in one line."""
    if solution.status is Status.INVALID:
        return ""
    named = zip(solution.angle_names, solution.degrees(), strict=True)
    parts = [f"{name} {degrees(angle)}" for name, angle in named]
    if solution._program.name == "three_link" and solution.out_of_plane:
        parts.append(f"out of plane {degrees(np.degrees(solution.out_of_plane))}")
    return "   ".join(parts)


def degrees(angle: float) -> str:
    """An angle in degrees as text; a dash where there is none."""
    if np.isnan(angle):
        return "–"
    return f"{round(angle, 1) + 0.0:.1f}°".replace("-", "−")  # + 0.0: no "−0.0"
