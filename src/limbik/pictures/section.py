"""What a limb reaches in a plane: the targets of a fine grid, all solved at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures.spatial_view import Plane, bending_plane

AnyLimb = PlanarTwoLink | TwoLink | ThreeLink

SIDE = 1000  # targets along a side of a grid: a million in all
ROOM = 1.1  # times the limb's reach: how far the grid goes
LEVEL = np.array([1.0, 0.0, 0.0])  # the hinge of a plane that runs forward and up


@dataclass(frozen=True, eq=False)
class Grid:
    """Targets in a plane: coordinates (n,) of columns, to the right, and of rows, up; and the plane, if in space."""

    right: Array
    high: Array
    plane: Plane | None

    @property
    def points(self) -> Array:
        """(rows, columns, 2)."""
        return np.stack(np.meshgrid(self.right, self.high), axis=-1)

    @property
    def targets(self) -> Array:
        """(rows, columns, 2), or (rows, columns, 3) in space."""
        return self.points if self.plane is None else self.plane.place(self.points)

    def flat(self, joints: Array) -> Array:
        """Joints (..., 2) of the limb that the grid is for, or (..., 3), as points of the plane (..., 2)."""
        return joints if self.plane is None else self.plane.flat(joints)


@dataclass(frozen=True, eq=False)
class Section:
    """The outcome for each target; all (...,)."""

    status: Array  # numbers of `Status`; LIMITED where the links could reach, but only with a joint beyond its range
    bend: Array  # the middle joint's, radians, 0 straight; NaN where the target is not reached
    both: Array  # where either bend reaches: they differ only for three links whose last joint has limits

    @property
    def reached(self) -> Array:
        """Where the tip gets to the target."""
        return self.status == Status.REACHED

    @property
    def one_bend_only(self) -> bool:
        """Whether there are targets that one bend reaches and the other does not."""
        return bool((self.reached & ~self.both).any() and self.both.any())


def grid_of(limb: AnyLimb, up: Array | None, side: int = SIDE) -> Grid:
    """The grid that shows all that a limb, attached at zero, can reach.

    All of the plane for a planar limb; a half plane for two links, forward of the vertical, for what they reach does
    not change when turned; for three, the plane of `up` and the vertical, for it does not when turned about `up`.
    """
    far = ROOM * float(limb.reach)
    across = np.linspace(-far, far, side)
    if isinstance(limb, PlanarTwoLink):
        return Grid(across, across, None)
    if up is None:
        return Grid(across[side // 2 :], across, bending_plane(np.zeros(3), LEVEL))
    hinge = np.array([-up[2], 0.0, up[0]])  # across `up` and the vertical
    size = float(np.linalg.norm(hinge))
    return Grid(across, across, bending_plane(np.zeros(3), hinge / size if size > 1e-9 else LEVEL))


def section(limb: AnyLimb, targets: Array, up: Array | None = None) -> Section:
    """What becomes of targets (..., 2 or 3) that a limb, attached at zero, is to reach.

    up: (3,), the direction that a three-link limb's last link is to have; other limbs have none.
    """
    poses = _poses(limb, targets, up)
    unlimited = type(limb)(*limb.lengths.tolist())
    free = _poses(unlimited, targets, up)[0].status
    reached = np.stack([pose.reached for pose in poses])
    some = np.logical_or.reduce(reached)
    status = np.where(some, int(Status.REACHED), np.where(free == Status.REACHED, int(Status.LIMITED), free))
    bends = np.abs([pose.angles[..., 1 if isinstance(limb, PlanarTwoLink) else 3] for pose in poses])
    bend = np.where(some, np.where(reached, bends, 0.0).max(axis=0), np.nan)
    return Section(status, bend, np.logical_and.reduce(reached))


def _poses(limb: AnyLimb, targets: Array, up: Array | None) -> list[Solution]:
    """The poses of which one reaches if any does: both bends of three links, whose last joints then differ."""
    if isinstance(limb, ThreeLink):
        assert up is not None
        return [limb.solve(targets, up, bend=bend) for bend in (1, -1)]
    return [limb.solve(targets)]
