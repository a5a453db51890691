"""A solution and its numbers in words, for plots, notebooks and the studio."""

from __future__ import annotations

import numpy as np

from limbik.limbs.solution import Solution
from limbik.limbs.status import Status

# What people call the angles, in the order of `Solution.angles`, whose own names serve any limb.
ANGLES = {
    "planar": ("shoulder", "elbow"),
    "two_link": ("yaw", "roll", "shoulder", "elbow"),
    "three_link": ("yaw", "roll", "hip", "knee", "ankle"),
}
ROUNDING_MM = 1e-6  # millimetres; less is rounding


def outcome(solution: Solution) -> str:
    """Status and residual of a single solution in one line."""
    limb, status = solution._program.name, Status(solution.status)
    if status is Status.INVALID:
        return status.words
    text = status.words if status is Status.REACHED else f"{status.words}; {solution.residual:.3g} from the target"
    if limb == "three_link" and solution.up_error > 1e-9:
        text += f"; last link {np.degrees(solution.up_error):.1f}° from up"
    if solution.singular:
        text += "; the aim was free" if limb == "planar" else "; the bending plane was free"
    return text


def named_angles(solution: Solution) -> list[tuple[str, float]]:
    """Each angle of a single solution: what people call it, and its degrees."""
    found = list(zip(ANGLES.get(solution._program.name, solution.angle_names), solution.degrees(), strict=True))
    if "out_of_plane" in solution._program.report and solution.out_of_plane:
        found.append(("out of plane", np.degrees(solution.out_of_plane)))
    return found


def angles(solution: Solution) -> str:
    """The angles in degrees, in one line."""
    if solution.status is Status.INVALID:
        return ""
    return "   ".join(f"{name} {degrees(angle)}" for name, angle in named_angles(solution))


def degrees(angle: float) -> str:
    """An angle in degrees as text; a dash where there is none."""
    if np.isnan(angle):
        return "–"
    return f"{round(angle, 1) + 0.0:.1f}°".replace("-", "−")  # + 0.0: no "−0.0"


def millimetres(metres: float) -> str:
    """A length of at least zero in millimetres as text, without the noise of rounding."""
    length = 1e3 * metres
    return f"{length:.1f} mm" if length >= 0.1 else f"{length:.1g} mm" if length >= ROUNDING_MM else "0 mm"
