"""A robot whose limb follows a target: its angles, what was solved, and where its joints are."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.limbs.status import Status
from limbik.robots.robot import Robot
from limbik.robots.robot_forward import LinkFrames
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.standing import standing_angles
from limbik.rotations import inverse, multiply, rotate

FIRST_BEND = 1.0  # radians: an arm alone starts bent, so that it is in no singularity


class DraggedLimb:
    """One of a robot's limbs; the other joints stay as they are, unless the whole body follows.

    Attributes:
        robot: the robot.
        limb: the limb that follows.
        name: of the limb.
        angles: (joints,) of the whole robot; at first it stands.
        base_pose: position (3,) and rotation (4,) of the robot's base in its world; None for those of the file.
        status, residual: what became of the last target, and the tip's distance from it, metres.
    """

    def __init__(self, robot: Robot, name: str) -> None:
        self.robot, self.name = robot, name
        self.base, self.tip = robot.limb_ends()[name]
        self.limb: RobotLimb = robot.limb(self.tip, self.base)
        self.base_pose: tuple[Array | None, Array | None] = (None, None)
        self.status, self.residual = Status.REACHED, 0.0
        self._held: dict[str, tuple[Array, Array]] = {}
        names = [joint.name for joint in robot.joints]
        self._columns = [names.index(joint) for joint in self.limb.joints]
        self.angles = standing_angles(robot)
        if not robot.poses and len(robot.limb_ends()) == 1:
            self.angles[self._columns] = _bent_angles(self.limb)
        self.family = self.limb.family

    @property
    def length(self) -> float:
        """How far the limb's joints and its tip are from one another, in sum, metres."""
        return float(np.linalg.norm(np.diff(self.joints(self.limb_angles), axis=0), axis=1).sum())

    @property
    def limb_angles(self) -> Array:
        """The angles of the limb's joints, (n,)."""
        return self.angles[self._columns]

    def tip_pose(self) -> tuple[Array, Array]:
        """Position (3,) and rotation (4,) of the tip in the robot's world, at the current angles."""
        place, turn = self._base_pose()
        position, rotation = self.limb.forward(self.limb_angles)
        return place + rotate(turn, position), multiply(turn, rotation)

    def follow(self, position: Array, rotation: Array) -> None:
        """Brings the tip as near to a pose in the robot's world as it can be, by the answer nearest to the last."""
        self._held = {}
        found = self.limb.solve(*self.in_base(position, rotation), near=self.limb_angles)
        self.status, self.residual = Status(int(found.status)), float(found.residual)
        if np.all(np.isfinite(found.angles)):
            self.angles = self.angles.copy()
            self.angles[self._columns] = found.angles

    def follow_with_body(self, position: Array, rotation: Array) -> None:
        """The same with the whole body: base and waist move too, and the feet of the other legs stay."""
        legs = [name for name in self.robot.limb_ends() if name.endswith("leg") and name != self.name]
        self._held = self._held or {leg: self._end_pose(leg) for leg in legs}
        targets = {name: (place[None], turn) for name, (place, turn) in self._held.items()}
        targets[self.name] = np.asarray(position)[None], np.asarray(rotation)
        place, turn = self.base_pose
        found = self.robot.track(targets, previous=self.angles, position=place, rotation=turn, free_base=bool(legs))[0]
        self.status, self.residual = Status(int(found.status[self.name])), float(found.residual[self.name])
        if np.all(np.isfinite(found.angles)):
            self.angles, self.base_pose = found.angles, (found.position, found.rotation)

    def copy_pose(self, other: DraggedLimb) -> None:
        """Takes over the pose of the robot from another of its limbs."""
        self.angles, self.base_pose, self._held = other.angles, other.base_pose, {}

    def frames(self) -> LinkFrames[Array]:
        """Where the robot's links are in its world."""
        return self._frames(self.angles)

    def _frames(self, angles: Array) -> LinkFrames[Array]:
        return self.robot.forward(angles, position=self.base_pose[0], rotation=self.base_pose[1])

    def _end_pose(self, name: str) -> tuple[Array, Array]:
        """Where another limb's end is."""
        other = DraggedLimb(self.robot, name)
        other.copy_pose(self)
        return other.tip_pose()

    def move_joint(self, number: int, angle: float) -> None:
        """Moves one joint of the limb to an angle, radians, or metres of a slide."""
        self._held = {}
        self.angles = self.angles.copy()
        self.angles[self._columns[number]] = angle

    def others(self, position: Array, rotation: Array) -> Array:
        """The angles (k, n) of the other answers that reach the pose, within limits or not."""
        found = self.limb.branches(*self.in_base(position, rotation), near=self.limb_angles)
        right = (found.residual < 1e-6) & np.isfinite(found.angles).all(axis=-1)
        apart = np.abs(found.angles - self.limb_angles).max(axis=-1) > 1e-4
        return _distinct_rows(found.angles[right & apart])

    def joints(self, limb_angles: Array) -> Array:
        """Where the limb's links begin and its tip is, (..., n + 2, 3), for angles (..., n) of the limb."""
        whole = np.broadcast_to(self.angles, (*limb_angles.shape[:-1], len(self.angles))).copy()
        whole[..., self._columns] = limb_angles
        positions, rotations = self._frames(whole)
        links = [self.robot.links.index(self.base), *self.moving_links()]
        place, turn = positions[..., links[0], :], rotations[..., links[0], :]
        tip = place + rotate(turn, self.limb.forward(limb_angles)[0])
        return np.concatenate([positions[..., links, :], tip[..., None, :]], axis=-2)

    def moving_links(self) -> list[int]:
        """The numbers of the links that the limb's joints move, base first."""
        moved = {joint.name: joint.link for joint in self.robot.joints}
        links = dict.fromkeys(self.robot.links.index(moved[name]) for name in self.limb.joints)
        return list(links)

    def in_base(self, position: Array, rotation: Array) -> tuple[Array, Array]:
        """A pose of the robot's world in the frame of the limb's base."""
        place, turn = self._base_pose()
        back = inverse(turn)
        return rotate(back, np.asarray(position) - place), multiply(back, np.asarray(rotation))

    def _base_pose(self) -> tuple[Array, Array]:
        positions, rotations = self.frames()
        number = self.robot.links.index(self.base)
        return positions[number], rotations[number]


def _bent_angles(limb: RobotLimb) -> Array:
    """A first pose: about the middle of the limits, and bent, so that it is not singular."""
    limited = np.isfinite(limb.lower) & np.isfinite(limb.upper)
    middle = np.where(limited, 0.5 * (np.where(limited, limb.lower, 0.0) + np.where(limited, limb.upper, 0.0)), 0.0)
    half = np.where(limited, np.where(limited, limb.upper, 0.0) - middle, np.pi)
    bent = FIRST_BEND * np.cos(np.pi * np.arange(len(middle)) + 0.3)
    return middle + np.clip(bent, -0.3 * half, 0.3 * half)


def _distinct_rows(rows: Array) -> Array:
    """The rows without those that repeat another but for whole turns."""
    kept: list[Array] = []
    for row in rows:
        if all(np.abs(np.sin(0.5 * (row - other))).max() > 1e-4 for other in kept):
            kept.append(row)
    return np.array(kept).reshape(-1, rows.shape[-1])
