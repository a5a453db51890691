"""The joints from a base link to a tip as screws, the one description of a robot's limb that solvers work on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from limbik import rotations
from limbik.arrays import Array
from limbik.errors import ArgumentError, did_you_mean, shown
from limbik.robots.description import LinkSpec, RobotJoint
from limbik.robots.placements import Placement, compose, invert, rotate
from limbik.robots.robot_tree import RobotTree

MIN_LENGTH = 1e-6  # metres: of a limb whose axes all meet in its tip


@dataclass(frozen=True, eq=False)
class ScrewChain:
    """Joints from base to tip, where each of them is while all angles are zero, in the base link's frame.

    The tip's transform is the product of exponentials exp(screw 0, angle 0) · exp(screw 1, angle 1) · … · (position,
    rotation): a hinge turns what follows it about its axis, right-handed; a slide moves it along its axis.

    Attributes:
        names: the n joints' names, base first.
        axes: (n, 3), unit directions.
        points: (n, 3), a point on each axis, metres.
        kinds: "hinge" or "slide" for each joint.
        lower, upper: (n,), limits, radians or metres; -inf and inf where there are none.
        position: (3,), the tip's position at zero, metres.
        rotation: (4,), the tip's rotation at zero, a unit quaternion, xyzw.
        base, tip: the names of the links, or of a link and a site, between which the joints are.
        max_velocity: (n,), the joints' largest speeds, rad/s or m/s; inf where there are none. A number holds for all.
    """

    names: tuple[str, ...]
    axes: Array
    points: Array
    kinds: tuple[str, ...]
    lower: Array
    upper: Array
    position: Array
    rotation: Array
    base: str = "base"
    tip: str = "tip"
    max_velocity: Array = field(default_factory=lambda: np.array(np.inf))

    def __post_init__(self) -> None:
        for name in (one.name for one in fields(self)):
            value = getattr(self, name)
            if not isinstance(value, tuple | str):
                own = np.array(np.broadcast_to(value, len(self)) if name == "max_velocity" else value, float)
                own.flags.writeable = False
                object.__setattr__(self, name, own)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, ScrewChain) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    @cached_property
    def _values(self) -> tuple[object, ...]:
        """The fields as values that compare and hash: arrays as text that has every digit."""
        values = (getattr(self, one.name) for one in fields(self))
        return tuple(value if isinstance(value, tuple | str) else repr((value + 0.0).tolist()) for value in values)

    @cached_property
    def letters(self) -> str:
        """A letter for each joint, "h" for a hinge and "s" for a slide."""
        return "".join(kind[0] for kind in self.kinds)

    @cached_property
    def length(self) -> float:
        """From the tip to the nearest point of the last axis, from there to the one before, and so on; metres."""
        _, parts = self._to_base
        return max(sum(part for part in parts if np.isfinite(part)), MIN_LENGTH)

    @cached_property
    def ball(self) -> tuple[Array, float]:
        """The centre, (3,), and the radius of a ball that the tip never leaves, metres; inf with an endless slide."""
        centre, parts = self._to_base
        return centre, float(sum(parts))

    @cached_property
    def wrist_ball(self) -> tuple[Array, Array, float]:
        """A ball that a point of the last axis never leaves: that point in the tip's frame, the centre, the radius.

        The pose of the tip says where that point is, whatever the last joint does. It is the point nearest to the axis
        before, such as the centre of a wrist: the ball is smaller than the tip's by what lies beyond the wrist.
        """
        point, joints = self.position, len(self)
        if joints > 1 and self.kinds[-2:] == ("hinge", "hinge"):
            point, joints = _point_nearest_to_axis(self.axes[-2:], self.points[-2:]), joints - 1
        centre, parts = self._way_to_base(point, joints)
        offset = rotations.rotate(rotations.inverse(self.rotation), point - self.position)
        return offset, centre, float(sum(parts))

    @cached_property
    def _to_base(self) -> tuple[Array, list[float]]:
        return self._way_to_base(self.position, len(self))

    def _way_to_base(self, point: Array, joints: int) -> tuple[Array, list[float]]:
        """Where the way from a point by the nearest points of the axes ends, (3,), and how long its parts are."""
        parts = []
        for k in reversed(range(joints)):
            axis, pivot = self.axes[k], self.points[k]
            if self.kinds[k] == "slide":
                parts.append(float(max(abs(self.lower[k]), abs(self.upper[k]))))
                continue
            foot = pivot + axis * (axis @ (point - pivot))
            parts.append(float(np.linalg.norm(point - foot)))
            point = foot
        return point, parts

    @cached_property
    def inputs(self) -> dict[str, tuple[float, ...]]:
        """The inputs of the chain's program: axes, points and the tip at zero."""
        tip = (*self.position.tolist(), *self.rotation.tolist())
        return {"axes": tuple(self.axes.ravel().tolist()), "points": tuple(self.points.ravel().tolist()), "tip": tip}


def _point_nearest_to_axis(axes: Array, points: Array) -> Array:
    """The point of the second of two lines that is nearest to the first, (3,); of parallel lines, beside its point."""
    first, second = axes
    across = second - first * (first @ second)
    size = across @ across
    way = (across @ (points[0] - points[1])) / size if size > MIN_LENGTH**2 else second @ (points[0] - points[1])
    return points[1] + second * way


def screws_between(
    tree: RobotTree, tip: str, base: str | None, tool: Placement, base_pose: Placement | None
) -> ScrewChain:
    """The joints from a base to a tip, checked; without a base, from where the limb begins.

    Args:
        tree: the robot.
        tip: the name of a link or site.
        base: the name of a link above it.
        tool: the end of a tool in the tip's frame, which replaces the tip.
        base_pose: the base in the caller's world, in which the chain is then given, not in the base's frame.
    """
    number, place = find_tip(tree, tip)
    above = links_above(tree, number)
    start = limb_base(tree, number) if base is None else find_link(tree, "base", base)
    if start not in above:
        raise ArgumentError("base", shown(base), _why_not(tree, number, start))
    way = [tree.spec.links[k] for k in reversed(above[: above.index(start)])]
    joints = _joints_on(way, tip, tree.spec.links[start].name)
    end = compose(tree.link_at_zero(number), compose(place, tool))
    world = compose(base_pose or Placement(), invert(tree.link_at_zero(start)))  # from the robot's world to the chain's
    return _screws(tree, joints, world, end, tree.spec.links[start].name, tip)


def links_above(tree: RobotTree, number: int) -> list[int]:
    """A link, its parent, and so on to the root."""
    found = [number]
    while tree.spec.links[found[-1]].parent >= 0:
        found.append(tree.spec.links[found[-1]].parent)
    return found


def limb_base(tree: RobotTree, number: int) -> int:
    """Where the limb of a tip begins: the nearest link above its last joint from which other joints branch off.

    Without one it is the root, or the link that floats. Where that is a world around the robot, the limb begins at the
    robot's first link if no joint moves it: where a file puts its robot is no part of the limb.
    """
    way = links_above(tree, number)
    base = _branching_link(tree, way)
    first = way[way.index(base) - 1]
    spec = tree.spec.links[first]
    is_fixed_in_world = tree.spec.has_world and base == 0 and first != base and not (spec.joints or spec.held)
    return first if is_fixed_in_world and not spec.floating else base


def _branching_link(tree: RobotTree, way: list[int]) -> int:
    """The first link on the way to the root from which other joints branch off; or the one that floats, or the root.

    Side branches, such as rods and gears, do not count.
    """
    moved = False
    for link, parent in zip(way, [*way[1:], -1], strict=True):
        spec = tree.spec.links[link]
        if spec.floating or parent < 0:
            return link
        moved = moved or bool(spec.joints or spec.held)
        main = tree.branches.main[parent]
        if moved and (len(main) > 1 or link not in main):
            return parent
    return way[-1]


def find_link(tree: RobotTree, name: str, value: object) -> int:
    """The number of a link; `name` is the argument's, for the message."""
    if isinstance(value, str) and value in tree.numbers:
        return tree.numbers[value]
    raise ArgumentError(
        name, shown(value), f"the name of a link{did_you_mean(value, tree.numbers)}: {_list_names(tree.numbers)}"
    )


def find_tip(tree: RobotTree, tip: object) -> tuple[int, Placement]:
    """The link of a tip, and where it is on it; a link goes before a site of the same name."""
    if isinstance(tip, str) and tip in tree.numbers:
        return tree.numbers[tip], Placement()
    for site in tree.spec.sites:
        if site.name == tip:
            return site.link, site.place
    names = [*tree.numbers, *(site.name for site in tree.spec.sites)]
    kinds = "a link or site" if tree.spec.sites else "a link"
    wanted = f"the name of {kinds}{did_you_mean(tip, names)}: {_list_names(names)}; limbs() finds arms and legs"
    raise ArgumentError("tip", shown(tip), wanted)


def _why_not(tree: RobotTree, number: int, start: int) -> str:
    names = [tree.spec.links[k].name for k in links_above(tree, number)]
    if number in links_above(tree, start):
        return f"a link above the tip; the tip {names[0]!r} is above it: exchange them"
    return f"a link above the tip, one of {_list_names(names[1:])}"


def _list_names(names: Iterable[str], most: int = 20) -> str:
    names = list(names)
    return ", ".join(map(repr, names[:most])) + (", …" if len(names) > most else "")


def _joints_on(way: list[LinkSpec], tip: str, base: str) -> list[RobotJoint]:
    """The joints on a way, all of which must be ones that a solver can move."""
    for link in way:
        if link.floating:
            raise ArgumentError("base", shown(base), f"{link.name!r}, which floats, or a link below it")
        if link.held:
            raise ArgumentError(
                "tip", shown(tip), f"a link that is not below ball joint {link.held[0]!r}, or a base below it"
            )
    joints = [joint for link in way for joint in link.joints]
    for joint in joints:
        if joint.mimic:
            follows = f"{joint.name!r}, which follows {joint.mimic.joint!r} and cannot be solved for"
            raise ArgumentError("tip", shown(tip), f"a link that is not below {follows}")
    if not joints:
        raise ArgumentError("tip", shown(tip), f"a link that a joint moves relative to the base, {base!r}")
    return joints


def _screws(
    tree: RobotTree, joints: list[RobotJoint], world: Placement, end: Placement, base: str, tip: str
) -> ScrewChain:
    frames = [tree.at_zero[tree.joint_frames[joint.name]] for joint in joints]
    axes = [rotate(frame.rotation, joint.axis) for frame, joint in zip(frames, joints, strict=True)]
    end = compose(world, end)
    return ScrewChain(
        names=tuple(joint.name for joint in joints),
        axes=np.array([rotate(world.rotation, axis) for axis in axes]),
        points=np.array([compose(world, frame).position for frame in frames]),
        kinds=tuple(joint.kind for joint in joints),
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        position=np.array(end.position),
        rotation=np.array(end.rotation),
        base=base,
        tip=tip,
        max_velocity=np.array([joint.max_velocity for joint in joints]),
    )
