"""What a plot shows of a limb: its pose, the inputs of `solve`, and the region within reach of its second link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import NLinkFlags
from limbik.limbs.solution import Solution
from limbik.pictures import palette

STEPS = 181  # points of a circle


@dataclass(frozen=True, eq=False)
class LimbScene:
    """A pose in the plane or in space, its inputs, and the annulus around its origin that the first two links reach."""

    joints: Array  # (joints, 2 or 3)
    names: tuple[str, ...]
    target: Array
    near: float
    far: float
    ghosts: Sequence[Array] = ()  # joints of other poses
    up: Array | None = None  # the last link as requested; in a planar view, its part in the plane
    pole: Array | None = None  # unit direction of the middle joint, likewise

    @property
    def origin(self) -> Array:
        """Where the limb is attached."""
        return self.joints[0]

    def arrows(self) -> list[tuple[Array, str]]:
        """Start and end, (2, 2 or 3), and colour of up, which ends in the target, and of a pole not seen end-on."""
        found = []
        if self.up is not None:
            found.append((np.stack([self.target - self.up, self.target]), palette.UP))
        if self.pole is not None and np.linalg.norm(self.pole) > 0.05:
            found.append((np.stack([self.origin, self.origin + 0.35 * self.far * self.pole]), palette.POLE))
        return found

    def key(self, others: str, target: str = "target") -> list[tuple[str, str, str]]:
        """Legend entries: kind (link, ghost, cross, arrow or region), colour, text. others: the ghosts' text."""
        entries = [("link", palette.LINK, "solution")]
        if self.ghosts:
            entries.append(("ghost", palette.GHOST, others))
        entries.append(("cross", palette.TARGET, target))
        if self.up is not None:
            entries.append(("arrow", palette.UP, "up, requested"))
        if self.pole is not None:
            entries.append(("arrow", palette.POLE, "hint" if self.up is not None else "pole"))
        reaching = "ankle" if "ankle" in self.names else "tip"
        return [*entries, ("region", palette.REGION_EDGE, f"within reach of the {reaching}")]


def solve_inputs(solution: Solution) -> tuple[Array, Array | None, Array | None]:
    """Target, up and pole (or hint) of a single solution; the directions are unit vectors, or None."""
    groups = solution._groups
    flags = solution._flags._asdict()
    target = np.asarray(groups.get("requested_target", groups["target"]), float)
    # A fixed frame (a track, a last joint at its limit) has its own plane in place of the hint.
    hint = "hint" if flags.get("hinted") and not flags.get("fixed_frame") else "requested_pole"
    return target, _direction(groups.get("requested_up")), _direction(groups.get(hint))


def last_link(joints: Array, up: Array | None) -> Array | None:
    """The last link of joints, turned to a unit direction, if there is one."""
    return None if up is None else up * np.linalg.norm(joints[-1] - joints[-2])


def _direction(vector: Any) -> Array | None:
    if vector is None:
        return None
    array = np.asarray(vector, float)
    length = np.linalg.norm(array)
    return array / length if length > 0 and np.isfinite(length) else None


def radii(solution: Solution) -> tuple[float, float]:
    """The least and greatest distance of the second link's end, within the middle joint's limits and as stretched.

    Of a chain, those of its tip.
    """
    if isinstance(solution._flags, NLinkFlags):
        lengths = solution._groups["lengths"]
        near, far = solution._groups["span"][:2] if solution._flags.shared else (2 * max(lengths) / sum(lengths) - 1, 1)
        return max(near, 0.0) * sum(lengths), far * sum(lengths)
    first, second = solution._groups["lengths"][:2]
    near, far = solution._groups["chord_range"]
    stretch = solution.stretch if solution._program.name == "two_link" else 1.0
    return max(near * (first + second), abs(first - second)), far * (first + second) * stretch


def circle(radius: float) -> Array:
    """Points (steps, 2) once around."""
    turn = np.linspace(0.0, 2.0 * math.pi, STEPS)
    return radius * np.stack([np.cos(turn), np.sin(turn)], -1)


def ring(near: float, far: float) -> Array:
    """The outline (points, 2) of an annulus: around the outside, and back around the inside."""
    return np.concatenate([circle(far), circle(near)[::-1]]) if near > 0 else circle(far)
