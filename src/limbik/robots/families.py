"""The families of robot limbs that have a closed form, recognised by how their axes lie.

A family asks for axes that meet in a point and for axes that are parallel. A limb that misses that by a little, as in
files with rounded numbers, is solved as the nearest limb that has it; a fixed number of Newton steps then moves the
answer onto the file's own geometry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.robot_flags import NoFlags
from limbik.engines.robot_programs import chain_program
from limbik.robots.layouts import LAYOUTS, Layout
from limbik.robots.screws import ScrewChain
from limbik.rotations import from_matrices, inverse, multiply

# By how much a limb may miss its family's geometry: lengths relative to the limb's, and angles.
MAX_ROUNDING = 1e-13
MAX_MISS = 0.02  # beyond this a limb does not belong to a family
MAX_LAST_JOINT_MISS = 0.002  # of arms by the last joint: beyond this, its angle says little about the elbow
MAX_NEARLY_MISS = 0.15  # of families that are solved by fixed steps
NEWTON_STEPS = 4  # for a limb that misses its family's geometry by at most MAX_MISS
NEARLY_NEWTON_STEPS = 8  # by at most MAX_NEARLY_MISS
MIN_POSE_JOINTS = 6  # so many joints or more bring the tip to a position and a rotation
MAX_POSITION_JOINTS = 3  # up to so many joints bring the tip to a position, whatever its rotation
NO_LIMIT = 1e6  # stands for a limit that a joint does not have, radians
DISTINCT_LENGTH = 1e-6  # metres: points nearer than this coincide
DISTINCT_ANGLE = 1e-3  # radians: axes that enclose less than this are parallel


@dataclass(frozen=True, eq=False)
class Family:
    """The family of a limb, and the limb's geometry as the family's formula takes it.

    Attributes:
        layout: what the family asks for.
        geometry: the inputs axes, points, frame and tip of the family's program.
        miss: by how much the file's axes miss the family: metres and radians.
        words: what misses by how much.
        reach: the limb's length, metres.
        limits: "lower" and "upper" of the joints that the formula takes, radians.
    """

    layout: Layout
    geometry: dict[str, Array]
    miss: tuple[float, float]
    words: str
    reach: float
    limits: dict[str, Array]
    _columns: dict[np.dtype[Any], dict[str, Array]] = field(default_factory=dict)

    @property
    def newton_steps(self) -> int:
        """How many Newton steps move an answer onto the file's geometry."""
        length, angle = self.miss
        if self.layout.nearly:
            return NEARLY_NEWTON_STEPS
        exact = max(length / self.reach, angle) <= MAX_ROUNDING and self.layout.free_parameter != "guess"
        return 0 if exact else NEWTON_STEPS

    @property
    def name(self) -> str:
        """What the limb is called, such as "6R, spherical wrist and two parallel axes"."""
        return self.layout.name

    def fits_within(self, limit: float) -> bool:
        """Whether the limb belongs to the family if it may miss its geometry by so much."""
        length, angle = self.miss
        last = self.layout.free_parameter == "last joint"
        allowed = MAX_NEARLY_MISS if self.layout.nearly else MAX_LAST_JOINT_MISS if last else MAX_MISS
        most = min(limit, allowed)
        return length <= most * self.reach and angle <= most

    @property
    def oriented(self) -> bool:
        """Whether it brings the tip's rotation to the target too, not only its position."""
        if self.layout.free_parameter == "iterative":
            return self.layout.oriented
        return self.layout.oriented and self.layout.free_parameter != "virtual joint"

    @property
    def is_complete(self) -> bool:
        """Whether the branches of the closed form are all answers that there are, to rounding."""
        return not self.newton_steps and self.layout.free_parameter in ("", "virtual joint")

    @cached_property
    def signs(self) -> list[tuple[float, ...]]:
        """The signs that select each branch; none where there is no closed form."""
        if self.layout.free_parameter == "iterative":
            return []
        return list(product((1.0, -1.0), repeat=self.layout.program.extra_groups["signs"]))

    @cached_property
    def inputs(self) -> dict[str, tuple[float, ...]]:
        """The inputs of the family's program that are the limb's own: its geometry and the joints' limits."""
        return {name: tuple(value.tolist()) for name, value in {**self.geometry, **self.limits}.items()}

    def columns(self, dtype: np.dtype[Any]) -> dict[str, Array]:
        """The limb's own inputs as arrays (numbers, 1)."""
        if dtype not in self._columns:
            self._columns[dtype] = {name: np.array(value, dtype)[:, None] for name, value in self.inputs.items()}
        return self._columns[dtype]

    @cached_property
    def branches(self) -> int:
        """How many branches it has."""
        return len(self.signs)


# --- how axes lie to one another: where they meet, whether they are parallel, and by how much they miss


@dataclass(frozen=True)
class Axes:
    """Lines in space.

    Attributes:
        directions: (n, 3), unit vectors.
        points: (n, 3), a point on each.
    """

    directions: Array
    points: Array

    def parallel(self, first: int, second: int) -> bool:
        """Whether two axes are parallel, to within a small angle."""
        return bool(np.linalg.norm(np.cross(self.directions[first], self.directions[second])) < DISTINCT_ANGLE)

    def distance_from(self, axis: int, point: Array) -> float:
        """The distance of a point from an axis."""
        direction, gap = self.directions[axis], point - self.points[axis]
        return float(np.linalg.norm(gap - direction * (direction @ gap)))

    def meeting_point(self, joints: Sequence[int]) -> tuple[Array, float] | None:
        """The point nearest to axes, and the largest distance of one from it; None where they are all parallel."""
        if all(self.parallel(joints[0], joint) for joint in joints[1:]):
            return None
        total, right = np.zeros((3, 3)), np.zeros(3)
        for joint in joints:
            across = np.eye(3) - np.outer(self.directions[joint], self.directions[joint])
            total += across
            right += across @ self.points[joint]
        point = np.linalg.solve(total, right)
        return point, max(self.distance_from(joint, point) for joint in joints)

    def common_direction(self, joints: Sequence[int]) -> tuple[Array, float]:
        """The mean direction of axes, along the first one, and the largest angle of one with it, radians."""
        chosen = self.directions[list(joints)]
        signs = np.where(chosen @ chosen[0] < 0, -1.0, 1.0)
        mean = (chosen * signs[:, None]).sum(axis=0)
        mean /= np.linalg.norm(mean)
        sines = np.linalg.norm(np.cross(chosen, mean), axis=1)
        return mean, float(np.arctan2(sines, np.abs(chosen @ mean)).max())


# --- which family


def find_family(chain: ScrewChain) -> Family:
    """The family that a limb's geometry misses by the least; one that is solved by iteration where no other fits.

    Args:
        chain: the limb's joints.

    Returns:
        The family, and the limb's geometry made exact for it; `words` says why it has no closed form.
    """
    slides = [name for name, kind in zip(chain.names, chain.kinds, strict=True) if kind != "hinge"]
    if slides:
        return _iterative(chain, f"joint {slides[0]!r} is a slide; only hinges have a closed form here")
    if len(chain) not in LAYOUTS:
        known = ", ".join(map(str, sorted(LAYOUTS)))
        return _iterative(chain, f"{len(chain)} joints from base to tip; closed forms are known for {known}")
    found = [family for layout in LAYOUTS[len(chain)] if (family := _fit(layout, chain)) is not None]
    for limit in (MAX_ROUNDING, MAX_MISS, MAX_NEARLY_MISS):
        if family := next((one for one in found if one.fits_within(limit)), None):
            return family
    lever = np.cross(chain.axes[-1], chain.position - chain.points[-1])
    if len(chain) <= MAX_POSITION_JOINTS and np.linalg.norm(lever) < DISTINCT_LENGTH:
        return _iterative(chain, f"the tip lies on the axis of {chain.names[-1]!r}, which cannot move it")
    if not found:
        return _iterative(chain, f"the axes of {', '.join(chain.names)} are arranged as in no family that is known")
    best = min(found, key=lambda family: max(family.miss[0] / family.reach, family.miss[1]))
    return _iterative(chain, f"no closed form is known for these joints; nearest is {best.name}: {best.words}")


def _iterative(chain: ScrewChain, why: str) -> Family:
    """The family of limbs without a closed form, which descents solve."""
    count = len(chain)
    oriented = count >= MIN_POSE_JOINTS
    what = "" if oriented else ": position only" if count <= MAX_POSITION_JOINTS else ": position, nearest rotation"
    name = f"{count} joint{'s'[: count > 1]}, iterative{what}"
    layout = Layout(name, chain_program(chain.letters), NoFlags(), free_parameter="iterative", oriented=oriented)
    limits = {"lower": np.maximum(chain.lower, -NO_LIMIT), "upper": np.minimum(chain.upper, NO_LIMIT)}
    return Family(layout, {}, (0.0, 0.0), why, chain.length, limits)


def _fit(layout: Layout, chain: ScrewChain) -> Family | None:
    """The limb made to fit a layout; None where axes that must differ coincide, or all that must meet are parallel."""
    axes, names = _in_order(layout, chain)
    directions, points = axes.directions.copy(), axes.points.copy()
    if any(axes.parallel(*pair) for pair in layout.apart):
        return None
    gap = turn = 0.0
    words = []
    for joints in layout.meet:
        meeting = axes.meeting_point(joints)
        if meeting is None:
            return None
        point, miss = meeting
        words.append(f"the axes of {_list_names(names, joints)} miss a common point by {_millimetres(miss)}")
        gap = max(gap, miss)
        points[list(joints)] = point
    for joints in layout.parallel:
        direction, miss = axes.common_direction(joints)
        words.append(f"the axes of {_list_names(names, joints)} are {np.degrees(miss):.4g}° from parallel")
        turn = max(turn, miss)
        for joint in joints:
            directions[joint] = direction * (1.0 if directions[joint] @ direction > 0 else -1.0)
            points[joint] += direction * (direction @ (points[joints[0]] - points[joint]))
    snapped = Axes(directions, points)
    points = np.vstack([points, chain.position])
    if any(snapped.distance_from(axis, points[joint]) < DISTINCT_LENGTH for axis, joint in layout.off):
        return None
    reach = chain.length
    if layout.beside and snapped.distance_from(layout.beside[0], points[layout.beside[1]]) > MAX_NEARLY_MISS * reach:
        return None
    limits = {"lower": np.maximum(chain.lower, -NO_LIMIT), "upper": np.minimum(chain.upper, NO_LIMIT)}
    if layout.free_parameter == "virtual joint":  # what it turns is what the tip's rotation lacks
        limits = {name: np.append(limit, 0.0) for name, limit in limits.items()}
    return Family(layout, _geometry(layout, chain, snapped), (gap, turn), "; ".join(words), reach, limits)


def _in_order(layout: Layout, chain: ScrewChain) -> tuple[Axes, list[str]]:
    """The joints in the order in which the family is solved, and their names."""
    directions, points, names = chain.axes, chain.points, list(chain.names)
    if layout.free_parameter == "virtual joint":
        direction = virtual_axis(layout, chain)
        directions, points = np.vstack([directions, direction]), np.vstack([points, chain.position])
        names.append("the tip")
    order = list(range(layout.joints))
    turned = layout.joints - (layout.free_parameter == "last joint") if layout.reverse else 0
    order[:turned] = order[:turned][::-1]
    signs = np.where(np.arange(layout.joints) < turned, -1.0, 1.0)[:, None]
    return Axes(directions[order] * signs, points[order]), [names[k] for k in order]


def virtual_axis(layout: Layout, chain: ScrewChain) -> Array:
    """The axis of a sixth joint through the tip: one that meets those that the family wants it to meet."""
    axes = Axes(chain.axes, chain.points)
    number = 0 if layout.reverse else 5
    others = [5 - k if layout.reverse else k for joints in layout.meet if number in joints for k in joints]
    others = [k for k in others if k < 5]
    last = chain.axes[4]
    centre = chain.points[4] + last * (last @ (chain.position - chain.points[4]))
    if len(others) > 1 and (meeting := axes.meeting_point(others)):
        centre = meeting[0]
    arm = chain.position - centre
    if np.linalg.norm(arm) < DISTINCT_LENGTH:
        arm = np.cross(last, np.eye(3)[np.abs(last).argmin()])
    elif not others:  # free to choose: perpendicular to the last axis and to the way from it to the tip
        arm = np.cross(last, arm)
    return arm / np.linalg.norm(arm)


def _geometry(layout: Layout, chain: ScrewChain, axes: Axes) -> dict[str, Array]:
    """The inputs of the family's program, in a frame whose z axis is along axis 1."""
    z = axes.directions[1] * layout.up
    helper = np.eye(3)[np.abs(z).argmin()]
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    basis = np.array([x, np.cross(z, x), z])
    frame = from_matrices(basis)
    origin = axes.points[0]
    directions = axes.directions @ basis.T
    for joint in {1, *(one for joints in layout.parallel for one in joints)}:
        directions[joint] = (0.0, 0.0, 1.0 if directions[joint, 2] > 0 else -1.0)
    return {
        "axes": directions.ravel(),
        "points": ((axes.points - origin) @ basis.T).ravel(),
        "frame": np.concatenate([origin, frame]),
        "tip": np.concatenate([basis @ (chain.position - origin), multiply(inverse(chain.rotation), inverse(frame))]),
    }


def _list_names(names: Sequence[str], joints: Sequence[int]) -> str:
    return ", ".join(names[joint] for joint in sorted(joints))


def _millimetres(length: float) -> str:
    return f"{1000 * length:.4g} mm"
