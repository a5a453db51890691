"""A skeleton: the names of its joints, their parents, its rest pose, and the limbs that they form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import instance, shown
from limbik.arrays import Array, as_array
from limbik.errors import ArgumentError, ShapeError, did_you_mean
from limbik.rotations import IDENTITY
from limbik.skeleton.naming import Reading, read_all

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from limbik.skeleton.torso import Torso

MAX_INDENT_DEPTH = 40  # the depth beyond which the lines of `tree` are not indented further


def freeze(array: Array) -> Array:
    """Makes a new array read-only, so that a skeleton, pose or clip takes it without a copy."""
    part: Any = array
    while isinstance(part, np.ndarray):
        part.flags.writeable = False
        part = part.base
    return array


def _is_writable(array: Array) -> bool:
    """Whether somebody else may change the array: it, or what it is a view of, can be written to."""
    part: Any = array
    while isinstance(part, np.ndarray):
        if part.flags.writeable:
            return True
        part = part.base
    return not (part is None or isinstance(part, bytes))


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree of joints and its rest pose. Parents come before their children. Immutable; compares by identity.

    Args:
        names: One name for each joint; names need not be unique.
        parents: (joints,) the number of each joint's parent, -1 for a root.
        translations: (joints, 3) position at rest in the parent's frame, metres.
        rotations: (joints, 4) rotation at rest in the parent's frame, quaternions xyzw (default: none).
        scales: (joints, 3) scale at rest (default: 1).
        end_sites: (joints,) bool, true where a joint only marks where its parent's bone ends (default: none).
        roles: What each joint is where its file says so, in VRM's words: "leftUpperLeg"; "" for other joints (default:
            not known, names and shape tell).

    Raises:
        ShapeError: An array has not one row for each joint.
        ArgumentError: A parent does not come before its child, or a value is not a number.
    """

    names: tuple[str, ...]
    parents: Array
    translations: Array
    rotations: Array = None  # pyright: ignore[reportAssignmentType]
    scales: Array = None  # pyright: ignore[reportAssignmentType]
    end_sites: Array = None  # pyright: ignore[reportAssignmentType]
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.names, str) or not all(isinstance(name, str) for name in self.names):
            raise ArgumentError("names", shown(self.names), "a sequence of str, one for each joint")
        object.__setattr__(self, "names", tuple(self.names))
        joints = len(self.names)
        object.__setattr__(self, "roles", tuple(self.roles))
        if len(self.roles) not in (0, joints) or not all(isinstance(role, str) for role in self.roles):
            raise ArgumentError("roles", shown(self.roles), "a sequence of str, one for each joint")
        defaults = {"rotations": np.tile(IDENTITY, (joints, 1)), "scales": np.ones((joints, 3))}
        defaults["end_sites"] = np.zeros(joints, bool)
        for name, width, dtype in (
            ("parents", (), np.int64),
            ("translations", (3,), float),
            ("rotations", (4,), float),
            ("scales", (3,), float),
            ("end_sites", (), bool),
        ):
            value = getattr(self, name)
            keep_array(self, name, defaults[name] if value is None else value, (joints, *width), dtype, "joint")
        if not np.all((self.parents >= -1) & (self.parents < np.arange(joints))):
            raise ArgumentError("parents", shown(self.parents.tolist()), "parents before their children, -1 for a root")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} joints: {', '.join(self.names[:6])}{', …' if len(self) > 6 else ''})"

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each joint's children."""
        found: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                found[parent].append(joint)
        return tuple(map(tuple, found))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the joints without a parent."""
        return tuple(np.flatnonzero(self.parents < 0).tolist())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What to call each joint by: its role where it has one, else its name."""
        return tuple(role or name for role, name in zip(self.roles or self.names, self.names, strict=True))

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """What the joints' roles or names say; private."""
        return read_all(self.names, self.parents.tolist(), self.roles)

    @cached_property
    def stands_at_rest(self) -> bool:
        """Whether the rest pose is one in which a figure stands; in some files all bones lie along one axis."""
        from limbik.skeleton.standing_rest import is_standing

        return not len(self) or is_standing(self)

    @cached_property
    def limbs(self) -> Mapping[str, RigLimb]:
        """The legs and arms by name, as `limbik.find_limbs` finds them; worked out once."""
        from limbik.skeleton.limb_finding import find_limbs

        return find_limbs(self)

    @cached_property
    def torso(self) -> Torso:
        """The pelvis, spine, chest, neck and head between the limbs; worked out once."""
        from limbik.skeleton.torso import find_torso

        return find_torso(self)

    @property
    def lengths(self) -> Array:
        """(joints,) the distance of each joint from its parent at rest, metres; 0 for a root."""
        return np.where(self.parents < 0, 0.0, np.linalg.norm(self.translations, axis=-1))

    def index(self, joint: str | int) -> int:
        """The number of a joint.

        Args:
            joint: Its name, in any case where that is unambiguous, or its number; negative numbers count from the end.

        Returns:
            The joint's number, from 0. Of several joints of exactly this name, the first.

        Raises:
            ArgumentError: There is no such joint, or several differ only by case.
        """
        if isinstance(joint, str):
            exact, lowered = self._numbers
            found = exact.get(joint) or lowered.get(joint.lower(), ())
            if len({self.names[number] for number in found}) > 1:
                names = ", ".join(repr(self.names[number]) for number in found)
                raise ArgumentError("joint", repr(joint), f"one of {names}, spelt exactly")
            if found:
                return found[0]
            listed = ", ".join(map(repr, self.names[:12])) + (", …" if len(self) > 12 else "")
            wanted = f"the name of a joint{did_you_mean(joint, self.names)}; the joints are {listed}"
            raise ArgumentError("joint", repr(joint), wanted)
        whole = isinstance(joint, int | np.integer) and not isinstance(joint, bool)
        if not whole or not -len(self) <= joint < len(self):
            raise ArgumentError("joint", shown(joint), f"the name of a joint, or its number, below {len(self)}")
        return int(joint) % len(self)

    @cached_property
    def _numbers(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """The joints by name, and by name in lower case."""
        exact: dict[str, list[int]] = {}
        lowered: dict[str, list[int]] = {}
        for number, name in enumerate(self.names):
            exact.setdefault(name, []).append(number)
            lowered.setdefault(name.lower(), []).append(number)
        return exact, lowered

    def path(self, ancestor: int, joint: int) -> tuple[int, ...]:
        """The joints from an ancestor down to a joint.

        Args:
            ancestor: The number of the first joint.
            joint: The number of the last joint, a descendant of the first.

        Returns:
            The numbers of the joints on the way, both included.

        Raises:
            ArgumentError: The one is not an ancestor of the other.
        """
        way = [joint]
        while way[-1] != ancestor:
            if way[-1] < 0:
                names = self.names[ancestor], self.names[joint]
                raise ArgumentError("joints", names, "a joint and one of its descendants")
            way.append(int(self.parents[way[-1]]))
        return tuple(reversed(way))

    def ancestors(self, joint: str | int) -> tuple[int, ...]:
        """The joints above a joint.

        Args:
            joint: Its name or number.

        Returns:
            The numbers of its parent, the parent's parent, and so on; the root last.

        Raises:
            ArgumentError: There is no such joint.
        """
        joint, found = self.index(joint), []
        while (joint := int(self.parents[joint])) >= 0:
            found.append(joint)
        return tuple(found)

    def has_joints_of(self, other: Skeleton) -> bool:
        """Whether two skeletons have the same joints.

        Args:
            other: The skeleton to compare with.

        Returns:
            True if names and parents are equal, whatever the rest poses.

        Raises:
            ArgumentError: The other is not a skeleton.
        """
        instance("other", other, Skeleton, "a limbik.Skeleton")
        return self is other or (self.names == other.names and np.array_equal(self.parents, other.parents))


@dataclass(frozen=True)
class RigLimb:
    """A limb of a skeleton.

    Args:
        name: Such as "left_leg".
        kind: "leg" or "arm".
        side: "left", "right", or "" where it has none.
        joints: The numbers of the joints that bend, from root to tip: hip, knee and ankle; shoulder, elbow and wrist;
            four or more in an animal's leg. The last is what `reach` brings to a target; it need not be a descendant of
            the others, as feet are not that hang from an IK control.
        toes: The joints beyond the last one of a limb that walks: toe base, toe end.
        stands: Whether the limb carries the body: at rest its end is near the figure's lowest point.
    """

    name: str
    kind: str
    side: str
    joints: tuple[int, ...]
    toes: tuple[int, ...] = ()
    stands: bool = False

    def path(self, skeleton: Skeleton) -> tuple[int, ...]:
        """All joints from the first to the last, with those in between that only twist.

        Args:
            skeleton: The skeleton that the limb belongs to.

        Returns:
            The numbers of the joints, from root to tip.

        Raises:
            ArgumentError: The limb belongs to another skeleton.
        """
        if self.joints[-2] not in skeleton.ancestors(self.joints[-1]):  # a foot that hangs from another part of the rig
            return (*skeleton.path(self.joints[0], self.joints[-2]), self.joints[-1])
        return skeleton.path(self.joints[0], self.joints[-1])


def as_frozen_array(name: str, value: ArrayLike, dtype: DTypeLike | None = float) -> Array:
    """An argument as an array that nobody can write to: the same memory where it is read-only already, else a copy."""
    try:
        found = np.asarray(as_array(value), dtype)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(name, shown(value), "an array of numbers") from None
    return freeze(found.copy() if _is_writable(found) and (found is value or found.base is not None) else found)


def keep_array(owner: object, name: str, value: ArrayLike, shape: tuple[int, ...], dtype: DTypeLike, per: str) -> None:
    """Sets a field of a frozen dataclass to a read-only array of exactly this shape, one value or row `per` what."""
    array = as_frozen_array(name, value, dtype)
    if array.shape != shape:
        raise ShapeError(name, array.shape, f"{shape}, one for each {per}")
    object.__setattr__(owner, name, array)


def tree(skeleton: Skeleton, most: int | None = None) -> list[str]:
    """One line for each joint, indented below its parent; after `most` lines, one with the number of the others."""
    lines: list[str] = []
    waiting = [(root, 0) for root in reversed(skeleton.roots)]
    while waiting:
        if most is not None and len(lines) == most < len(skeleton):
            return [*lines, f"… and {len(skeleton) - most} more"]
        joint, depth = waiting.pop()
        lines.append("  " * min(depth, MAX_INDENT_DEPTH) + (skeleton.names[joint] or f"(joint {joint})"))
        waiting.extend((child, depth + 1) for child in reversed(skeleton.children[joint]))
    return lines
