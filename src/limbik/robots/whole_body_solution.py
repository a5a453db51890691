"""The answer of a whole robot: joint values, the base, and what became of each target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.limbs.status import Status, counted
from limbik.robots.body_descent import BodyGoal, BodyState, misses
from limbik.robots.descent import MAX_MISS
from limbik.robots.robot_forward import LinkFrames
from limbik.robots.whole_body import limb_base
from limbik.rotations import rotate

if TYPE_CHECKING:
    from limbik.robots.robot import Robot


@dataclass(frozen=True, eq=False, repr=False)
class WholeBodySolution:
    """Joint values and the base of a robot whose ends were sent to targets, as `Robot.reach` and `track` return them.

    Args:
        robot: The robot.
        angles: (..., joints), radians, or metres for slides, in the order of `robot.joints`, as `forward` takes them.
        position: (..., 3), the base in the world, metres.
        rotation: (..., 4), the base's rotation in the world, xyzw.
        targets: Position (..., 3) and rotation (..., 4) of each end's target, by its name; None for what is free.
        is_track: Whether the first axis is time.
    """

    robot: Robot
    angles: Array
    position: Array
    rotation: Array
    targets: dict[str, tuple[Array | None, Array | None]]
    is_track: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single pose."""
        return self.angles.shape[:-1]

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints, in the order of `angles`."""
        return tuple(joint.name for joint in self.robot.joints)

    @property
    def max_velocity(self) -> Array:
        """The joints' largest speeds, (joints,), rad/s or m/s; inf where the file has none."""
        return np.array([joint.max_velocity for joint in self.robot.joints])

    @property
    def joint_values(self) -> dict[str, Array]:
        """The value (...,) of each joint by its name, as `Robot.forward` takes them."""
        return {name: self.angles[..., k] for k, name in enumerate(self.joint_names)}

    def forward(self) -> LinkFrames:
        """Where the robot's links are.

        Returns:
            Positions (..., links, 3) and rotations (..., links, 4) of all links in the world.
        """
        return self.robot.forward(self.angles, position=self.position, rotation=self.rotation)

    @property
    def residual(self) -> dict[str, Array]:
        """The distance (...,) of each end from its target, metres, by the end's name; 0 where any position will do."""
        return {name: length for name, (length, _) in self._misses.items()}

    @property
    def rotation_residual(self) -> dict[str, Array]:
        """The angle (...,) between each end's rotation and its target's, radians; 0 where any rotation will do."""
        return {name: angle for name, (_, angle) in self._misses.items()}

    @property
    def status(self) -> dict[str, Array]:
        """The status of each end's target (...,), numbers of `limbik.Status`, by the end's name.

        TOO_FAR is for hands and feet whose target is farther from the limb's first joint than the limb is long, where
        the body ended. LIMITED ends are held back by the joints' limits or by the other targets.
        """
        return {goal.end.name: self._status(goal) for goal in self._goals}

    @property
    def reached(self) -> Array:
        """(...,) bool: where every end is at its target."""
        return np.asarray(np.all([status == Status.REACHED for status in self.status.values()], axis=0))

    def __getitem__(self, index: Any) -> WholeBodySolution:
        """Some of the poses, by an index or slice of the leading axes; a slice of a track is a track."""
        picked = {name: (_at(place, index), _at(turn, index)) for name, (place, turn) in self.targets.items()}
        is_track = self.is_track and isinstance(index, slice)
        parts = self.angles[index], self.position[index], self.rotation[index]
        return WholeBodySolution(self.robot, parts[0], parts[1], parts[2], picked, is_track)

    def __repr__(self) -> str:
        lines = [f"whole-body solution, shape {self.shape}" if self.shape else "whole-body solution"]
        for name, status in self.status.items():
            miss = self.residual[name]
            one = f"{Status(int(status)).name}, residual {float(miss):.3g} m" if not self.shape else ""
            lines.append(f"  {name}: {one or counted(status, miss)}")
        return "\n".join(lines)

    # --- how they are computed

    @cached_property
    def _goals(self) -> list[BodyGoal]:
        rows, find = prod(self.shape), self.robot._body_ends.find
        return [
            BodyGoal(
                find(name),
                None if place is None else place.reshape(rows, 3),
                None if turn is None else turn.reshape(rows, 4),
            )
            for name, (place, turn) in self.targets.items()
        ]

    @cached_property
    def _state(self) -> BodyState:
        rows = prod(self.shape)
        return BodyState(*(one.reshape(rows, one.shape[-1]) for one in (self.angles, self.position, self.rotation)))

    @cached_property
    def _misses(self) -> dict[str, tuple[Array, Array]]:
        found = {goal.end.name: misses(goal, self._state) for goal in self._goals}
        return {
            name: (length.reshape(self.shape), angle.reshape(self.shape)) for name, (length, angle) in found.items()
        }

    def _status(self, goal: BodyGoal) -> Array:
        length, angle = self._misses[goal.end.name]
        why = np.full(length.shape, Status.LIMITED)
        if goal.end.limb is not None and goal.position is not None:
            place, turn = limb_base(self.robot, goal, self._state)
            root = place + rotate(turn, goal.end.limb.chain.points[0])
            far = np.linalg.norm(goal.position - root, axis=-1) > goal.end.limb.length
            why = np.where(far.reshape(self.shape), Status.TOO_FAR, why)
        found = np.where(np.maximum(length, angle) <= MAX_MISS, Status.REACHED, why)
        return np.where(np.isnan(length + angle), Status.INVALID, found).astype(np.int8)


def _at(part: Array | None, index: Any) -> Array | None:
    return None if part is None else part[index]
