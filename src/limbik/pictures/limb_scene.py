"""What a plot shows of a limb: its pose, the inputs of `solve`, and the region within reach of its second link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import NLinkFlags
from limbik.limbs.solution import Solution
from limbik.pictures import palette

CIRCLE_POINTS = 97  # a tenth of a pixel from round where a circle is 400 pixels wide
MAX_TARGET_REACHES = 5.0  # a target that is further out is drawn at so many times what the limb reaches
FLAT_RIGHT = np.array([0.3, 0.0, 1.0])  # what a flat view has on its right: forward, and a little left
FLAT_UP = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # what it has above; the second where the first is its normal


@dataclass(frozen=True, eq=False)
class Plane:
    """A bending plane: a point of it, and the unit vectors that point right and up in its flat view."""

    origin: Array
    right: Array
    up: Array

    @property
    def toward_viewer(self) -> Array:
        """The plane's normal, out of its flat view."""
        return np.cross(self.right, self.up)

    def project(self, points: Array) -> Array:
        """Points (..., 3) projected into the plane, as (..., 2)."""
        return self.project_directions(points - self.origin)

    def project_directions(self, vectors: Array) -> Array:
        """Directions (..., 3) projected into the plane, as (..., 2)."""
        return np.stack([vectors @ self.right, vectors @ self.up], -1)

    def to_space(self, points: Array) -> Array:
        """Points (..., 2) of the plane, in space: (..., 3)."""
        return self.origin + points[..., :1] * self.right + points[..., 1:] * self.up


def bending_plane(origin: Array, hinge: Array) -> Plane:
    """The plane through the limb's origin across its hinge (3,), turned so that up is up and forward is right."""
    parts = FLAT_UP - np.outer(FLAT_UP @ hinge, hinge)
    sizes = np.linalg.norm(parts, axis=-1)
    first = int(np.argmax(sizes > 0.2))
    up = parts[first] / sizes[first]
    right = np.cross(up, hinge)
    return Plane(origin, right if right @ FLAT_RIGHT >= 0 else -right, up)


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
    target_is_nearer: bool = False  # than it should be, which is too far out for the limb to be seen beside it

    @classmethod
    def of(cls, solution: Solution, ghosts: Sequence[Array] = ()) -> LimbScene:
        """The scene of a single solution."""
        target, up, pole = solve_inputs(solution)
        joints = np.asarray(solution.joints, float)
        last_link = None if up is None else up * np.linalg.norm(joints[-1] - joints[-2])
        away, limit = target - joints[0], MAX_TARGET_REACHES * float(sum(solution._groups["lengths"]))
        largest = max(float(np.abs(away).max()), 1e-300)
        direction = away / largest  # whose length cannot overflow
        distance = largest * float(np.linalg.norm(direction))
        if distance > limit:
            target = joints[0] + limit * direction / np.linalg.norm(direction)
        names, reach = solution.joint_names, radii(solution)
        return cls(joints, names, target, *reach, ghosts, last_link, pole, distance > limit)

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

    def project(self, plane: Plane) -> LimbScene:
        """The scene, of a limb in space, as a plane's flat view shows it."""
        return replace(
            self,
            joints=plane.project(self.joints),
            target=plane.project(self.target),
            ghosts=[plane.project(ghost) for ghost in self.ghosts],
            up=None if self.up is None else plane.project_directions(self.up),
            pole=None if self.pole is None else plane.project_directions(self.pole),
        )


def solve_inputs(solution: Solution) -> tuple[Array, Array | None, Array | None]:
    """Target, up and pole (or hint) of a single solution; the directions are unit vectors, or None."""
    groups = solution._groups
    flags = solution._flags._asdict()
    target = np.asarray(groups.get("requested_target", groups["target"]), float)
    # A fixed frame (a track, a last joint at its limit) has its own plane in place of the hint.
    hint = "hint" if flags.get("hinted") and not flags.get("fixed_frame") else "requested_pole"
    return target, _direction(groups.get("requested_up")), _direction(groups.get(hint))


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
    """Points (CIRCLE_POINTS, 2) once around."""
    angles = np.linspace(0.0, 2.0 * math.pi, CIRCLE_POINTS)
    return radius * np.stack([np.cos(angles), np.sin(angles)], -1)


def ring(near: float, far: float) -> Array:
    """The outline (points, 2) of an annulus: around the outside, and back around the inside."""
    return np.concatenate([circle(far), circle(near)[::-1]]) if near > 0 else circle(far)
