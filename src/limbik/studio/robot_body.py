"""A robot in the scene without the meshes of its file: rods, joints as cylinders, and feet or fingers at its limbs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import capsules
from limbik.pictures import palette
from limbik.robots.robot import Robot
from limbik.rotations import inverse, normalized, rotate
from limbik.studio.dragged_limb import DraggedLimb
from limbik.studio.scene.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi

# Colours by kind of piece, and by whether it belongs to the limb that is dragged.
PIECE_COLOURS = {
    ("rod", False): "#C9CED4",
    ("joint", False): "#5B646D",
    ("end", False): "#3B4249",
    ("rod", True): palette.LINK,
    ("joint", True): "#12466B",
    ("end", True): "#12466B",
}
MAX_ROD_RADIUS = 0.034  # greatest radius of a rod, over the robot's size
END_RADIUS = 0.5  # radius of a rod at the end of a limb, over the greatest
HINGE_SIZE = 1.2, 0.75  # radius of the cylinder at a joint over that of the rod; half its length over its own radius
MIN_FOOT_JOINTS = 5  # joints of a leg that has a foot which can be flat on the ground
# In radii of the limb there: half the width of a sole, its length ahead of the tip and behind; of a gripper, half its
# width, and its length.
SOLE_SIZE, FINGER_SIZE = (0.7, 3.0, 1.8), (1.3, 2.6)
AHEAD, LEFT = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])  # of robots, by convention
ROD_SIDES = 12


class Piece(NamedTuple):
    """A rod with round ends, between points of two links."""

    kind: str  # "rod", "joint" or "end"
    links: tuple[int, int]
    points: tuple[Array, Array]  # (3,) each, in the frames of the links, metres
    radius: float


class RobotBody:
    """A robot, drawn with one of its limbs in other colours.

    Attributes:
        size: of the robot as it stands, metres.
        radii: of the rods that end in each link, (links,), metres.
        lowest: the least height of what was drawn last, metres.
    """

    lowest: float

    def __init__(self, scene: SceneApi, name: str, robot: Robot, limbs: list[DraggedLimb]) -> None:
        self._robot = robot
        self._number = {link: number for number, link in enumerate(robot.links)}
        self._places, self._turns = robot.forward(limbs[0].angles)  # as it stands
        self.size = max(float(np.ptp(self._places, axis=0).max()), *(limb.length for limb in limbs))
        self.radii = self._rod_radii()
        pieces = [*self._rods(limbs), *self._joints()]
        for limb in limbs:
            pieces += self._end(limb)
        self._kinds = np.array([piece.kind for piece in pieces])
        self._links, self._points = (np.array([piece[k] for piece in pieces]) for k in (1, 2))
        self._radii = np.array([piece.radius for piece in pieces])
        self._solids = {
            part: Solid(scene, f"{name}/{part[0]}{'-of-limb' * part[1]}", tone) for part, tone in PIECE_COLOURS.items()
        }

    def draw(self, dragged: DraggedLimb) -> None:
        """Draws the robot as it is, with the limb that is dragged."""
        places, turns = dragged.frames()
        ends = places[self._links] + rotate(turns[self._links], self._points)
        self.lowest = float((ends[..., 2].min(axis=1) - self._radii).min())
        moved = dragged.moving_links()
        near = np.isin(self._links, [self._number[dragged.base], *moved]).all(axis=1)
        own = near & np.isin(self._links[:, 1], moved)
        for (kind, limb), solid in self._solids.items():
            chosen = (self._kinds == kind) & (own == limb)
            draw_rods(solid, ends[chosen], self._radii[chosen])

    def draw_limb(self, solid: Solid, dragged: DraggedLimb, angles: Array) -> None:
        """Draws the limb alone, at other angles (n,)."""
        path, links = dragged.joints(angles), dragged.moving_links()
        draw_rods(solid, np.stack([path[:-1], path[1:]], axis=1), 0.9 * self.radii[[*links, links[-1]]])

    def _rod_radii(self) -> Array:
        """(links,): less, the less hangs from a link."""
        below = np.zeros(len(self._places))
        for link in range(len(below) - 1, 0, -1):
            parent = self._robot.parents[link]
            length = float(np.linalg.norm(self._places[link] - self._places[parent]))
            below[parent] = max(below[parent], below[link] + length)
        part = below / (below.max() or 1.0)
        return MAX_ROD_RADIUS * self.size * (END_RADIUS + (1.0 - END_RADIUS) * part)

    def _rods(self, limbs: list[DraggedLimb]) -> Iterator[Piece]:
        """Rods from links to those that they carry, among those that the same link carries, and to the limbs' tips.

        Links that carry no joint are left out, such as sensors.
        """
        parents, origin = self._robot.parents, np.zeros(3)
        shown = {self._number[joint.link] for joint in (*self._robot.joints, *self._robot.mimics)}
        for link in tuple(shown):
            while (link := parents[link]) >= 0:
                shown.add(link)
        for link in shown:
            if self._robot.links[link] == "world":
                continue
            carried = [other for other in sorted(shown) if parents[other] == link]
            pairs = [*((link, other) for other in carried), *combinations(carried, 2)]
            yield from (Piece("rod", pair, (origin, origin), float(self.radii[pair[1]])) for pair in pairs)
        for limb in limbs:
            last = limb.moving_links()[-1]
            (tip,) = self._in_link(last, limb.joints(limb.limb_angles)[-1:])
            yield Piece("rod", (last, last), (origin, tip), float(self.radii[last]))

    def _joints(self) -> Iterator[Piece]:
        """A short cylinder at each joint, along its axis."""
        wide, long = HINGE_SIZE
        for joint in (*self._robot.joints, *self._robot.mimics):
            link = self._number[joint.link]
            radius, middle = wide * float(self.radii[link]), np.array(joint.anchor)
            half = long * radius * np.array(joint.axis)
            yield Piece("joint", (link, link), (middle - half, middle + half), radius)

    def _end(self, limb: DraggedLimb) -> list[Piece]:
        """What is at the end of a limb: a sole for legs with ankles, a ball for others, two fingers for arms."""
        link, tip = limb.moving_links()[-1], limb.joints(limb.limb_angles)[-1]
        radius = float(self.radii[link])
        if not limb.name.endswith("leg"):
            (wide, long), along = FINGER_SIZE, self._direction(limb)
            aside = normalized(np.cross(along, np.eye(3)[np.argmin(np.abs(along))]))
            left, right = (tip + side * wide * radius * aside for side in (1.0, -1.0))
            ahead = long * radius * along
            pairs, radius = [(left, right), (left, left + ahead), (right, right + ahead)], 0.6 * radius
        elif len(limb.limb.joints) < MIN_FOOT_JOINTS:
            pairs, radius = [(tip, tip)], 1.3 * radius
        else:
            wide, ahead, behind = (size * radius for size in SOLE_SIZE)
            rows = [tip + side * wide * LEFT for side in (-1.0, 0.0, 1.0)]
            pairs, radius = [(row - behind * AHEAD, row + ahead * AHEAD) for row in rows], 0.7 * radius
        return [Piece("end", (link, link), tuple(self._in_link(link, np.array(pair))), radius) for pair in pairs]

    def _direction(self, limb: DraggedLimb) -> Array:
        """Where a limb points at its end, (3,): along the last of its links that is not tiny."""
        steps = np.diff(limb.joints(limb.limb_angles), axis=0)
        return normalized(steps[np.linalg.norm(steps, axis=1) >= 0.02 * limb.length][-1])

    def _in_link(self, link: int, points: Array) -> Array:
        """Points (n, 3) of the robot's world as it stands, in the frame of a link."""
        return rotate(inverse(self._turns[link]), points - self._places[link])


def draw_rods(solid: Solid, ends: Array, radii: Array) -> None:
    """Draws rods with ends (n, 2, 3) and radii (n,) as one mesh; hides it where there are none."""
    if not len(ends):
        solid.hide()
        return
    shape = capsules(ends[:, 0], ends[:, 1], np.stack([radii, radii], axis=1), np.zeros(len(ends), int), ROD_SIDES)
    solid.draw(shape.positions, shape.triangles)
