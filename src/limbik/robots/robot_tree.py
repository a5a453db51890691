"""A robot's links and joints as a tree of frames, each moved by at most one joint: what forward kinematics runs on."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import did_you_mean, shown
from limbik.robots.description import RobotJoint, RobotSpec
from limbik.robots.placements import ZERO, Placement, Vector3, about, compose
from limbik.robots.side_branches import Branches
from limbik.skeleton.kinematics import generations


class FrameTable(NamedTuple):
    """The frames as arrays; parents come before children."""

    parents: Array  # (frames,), −1 for the root
    offsets: Array  # (frames, 3), in the parent's frame
    rests: Array  # (frames, 4), relative to the parent, xyzw
    axes: Array  # (frames, 3), unit; zero where no joint moves the frame
    columns: Array  # (frames,), of the angles; 0 where no joint moves the frame
    factors: Array  # (frames, 2): slide and angle are factor × the column's value + addend
    addends: Array  # (frames, 2)


class Motion(NamedTuple):
    """A joint's value: factor × the angle in a column + addend."""

    column: int
    factor: float
    addend: float


class RobotTree:
    """The frames of a robot: one for each joint, and one for each link that is not its last joint's frame.

    Attributes:
        spec: the links and joints as the file has them.
        joints: those that move by themselves, in the order of the angles.
        mimics: those that follow others.
        links: (links,), the frame of each link.
        joint_frames: the frame that each joint moves, also of those that follow others.
        base: the number of the link that `forward` places.
    """

    def __init__(self, spec: RobotSpec) -> None:
        self.spec = spec
        joints = [joint for link in spec.links for joint in link.joints]
        self.joints = [joint for joint in joints if joint.mimic is None]
        self.mimics = [joint for joint in joints if joint.mimic is not None]
        self.floating = [number for number, link in enumerate(spec.links) if link.floating]
        self.base = self.floating[0] if self.floating else 0
        self.joint_frames: dict[str, int] = {}
        self._parents: list[int] = []
        self._places: list[Placement] = []
        self._movers: list[RobotJoint | None] = []
        links: list[int] = []
        for link in spec.links:
            frame = -1 if link.parent < 0 else links[link.parent]
            step, anchor = link.place, ZERO
            for joint in link.joints:
                # A joint's frame has the link's axes, and its origin on the joint's axis.
                frame = self._add(frame, compose(step, Placement(_minus(joint.anchor, anchor))), joint)
                self.joint_frames[joint.name] = frame
                step, anchor = Placement(), joint.anchor
            if not link.joints or any(anchor):
                frame = self._add(frame, compose(step, Placement(_minus(ZERO, anchor))), None)
            links.append(frame)
        self.links = np.array(links)
        self.table = self._table(resolve_mimics(spec, self.joints))
        self.levels = generations(self.table.parents)
        self.compiled: dict[str, Any] = {}  # forward kinematics as JAX compiled it, by dtype

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "compiled": {}}

    def _add(self, parent: int, place: Placement, joint: RobotJoint | None) -> int:
        self._parents.append(parent)
        self._places.append(place)
        self._movers.append(joint)
        return len(self._parents) - 1

    def _table(self, motions: dict[str, Motion]) -> FrameTable:
        count = len(self._parents)
        columns, factors, addends = np.zeros(count, np.int64), np.zeros((count, 2)), np.zeros((count, 2))
        for frame, joint in enumerate(self._movers):
            if joint is not None:
                motion, kind = motions[joint.name], int(joint.kind == "hinge")
                columns[frame], factors[frame, kind] = motion.column, motion.factor
                addends[frame, kind] = motion.addend - joint.reference
        return FrameTable(
            np.array(self._parents, np.int64),
            np.array([place.position for place in self._places], float),
            np.array([place.rotation for place in self._places], float),
            np.array([joint.axis if joint else ZERO for joint in self._movers], float),
            columns,
            factors,
            addends,
        )

    @cached_property
    def constants(self) -> list[tuple[int, tuple[float, ...]]]:
        """Each frame's parent, and its offset, rest and axis, as plain numbers."""
        rows = np.concatenate([self.table.offsets, self.table.rests, self.table.axes], axis=1)
        return [(parent, tuple(row)) for parent, row in zip(self._parents, rows.tolist(), strict=True)]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each link, by its name."""
        return {link.name: number for number, link in enumerate(self.spec.links)}

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each link."""
        found: list[list[int]] = [[] for _ in self.spec.links]
        for number, link in enumerate(self.spec.links):
            if link.parent >= 0:
                found[link.parent].append(number)
        return found

    @cached_property
    def moving_children(self) -> list[list[int]]:
        """For each link, the children that a joint moves, or that have one below them."""
        links = self.spec.links
        moving = [bool(link.joints or link.held or link.floating) for link in links]
        found: list[list[int]] = [[] for _ in links]
        for number in range(len(links) - 1, 0, -1):
            if moving[number]:
                moving[links[number].parent] = True
                found[links[number].parent].insert(0, number)
        return found

    @cached_property
    def branches(self) -> Branches:
        """The branches below each link, and which of them are limbs or lead to limbs."""
        positions = [self.link_at_zero(number).position for number in range(len(self.spec.links))]
        return Branches(self.spec.links, self.moving_children, positions)

    @cached_property
    def at_zero(self) -> list[Placement]:
        """Where each frame is in the world while all angles are zero."""
        found: list[Placement] = []
        for frame, (parent, place) in enumerate(zip(self._parents, self._places, strict=True)):
            axis, (slide, angle) = self.table.axes[frame].tolist(), self.table.addends[frame].tolist()
            moved = compose(place, Placement(tuple(slide * part for part in axis), about(tuple(axis), angle)))
            found.append(moved if parent < 0 else compose(found[parent], moved))
        return found

    def link_at_zero(self, number: int) -> Placement:
        """Where a link is in the world while all angles are zero."""
        return self.at_zero[self.links[number]]


def _minus(a: Vector3, b: Vector3) -> Vector3:
    return tuple(p - q for p, q in zip(a, b, strict=True))


def resolve_mimics(spec: RobotSpec, joints: list[RobotJoint]) -> dict[str, Motion]:
    """What moves each joint, by its name; `joints` are those that move by themselves, in the order of the columns."""
    motions = {joint.name: Motion(column, 1.0, 0.0) for column, joint in enumerate(joints)}
    motions |= {name: Motion(0, 0.0, 0.0) for name in spec.fixed}  # a fixed joint's value is zero
    links = {joint.name: link for link in spec.links for joint in link.joints}
    waiting = {joint.name: joint.mimic for link in spec.links for joint in link.joints if joint.mimic}
    while waiting:
        ready = [name for name, mimic in waiting.items() if mimic.joint in motions]
        if not ready:
            name, mimic = next(iter(waiting.items()))
            if mimic.joint in waiting:
                links[name].element.fail(f"mimics {shown(mimic.joint)}, which, in a circle, mimics it")
            known = did_you_mean(mimic.joint, motions)
            links[name].element.fail(f"mimics a joint that does not exist, or floats: {shown(mimic.joint)}{known}")
        for name in ready:
            mimic = waiting.pop(name)
            other = motions[mimic.joint]
            addend = mimic.multiplier * other.addend + mimic.offset
            motions[name] = Motion(other.column, mimic.multiplier * other.factor, addend)
    return motions
