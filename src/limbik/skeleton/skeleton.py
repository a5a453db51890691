"""A skeleton: its joints' names, their parents, and how it rests."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.rotations import IDENTITY


def frozen(array: Any, dtype: Any = float) -> Array:
    """The array, or a view of it, that cannot be written through."""
    view = np.asarray(array, dtype).view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in an order in which parents come before their children.

    names: one for each joint. parents: (joints,) numbers, -1 for a root.
    translations: (joints, 3), rotations: (joints, 4) xyzw and scales: (joints, 3) at rest, each in its parent's frame.
    end_sites: (joints,) bool, true where a joint only marks where its parent's bone ends, and nothing drives it.
    """

    names: tuple[str, ...]
    parents: Array
    translations: Array
    rotations: Array = None  # pyright: ignore[reportAssignmentType]
    scales: Array = None  # pyright: ignore[reportAssignmentType]
    end_sites: Array = None  # pyright: ignore[reportAssignmentType]

    def __post_init__(self) -> None:
        joints = len(self.names)
        self._keep("names", tuple(self.names))
        self._keep("parents", frozen(self.parents, np.int64))
        self._keep("translations", frozen(self.translations))
        self._keep("rotations", frozen(np.tile(IDENTITY, (joints, 1)) if self.rotations is None else self.rotations))
        self._keep("scales", frozen(np.ones((joints, 3)) if self.scales is None else self.scales))
        self._keep("end_sites", frozen(np.zeros(joints) if self.end_sites is None else self.end_sites, bool))
        for name, width in (("translations", (3,)), ("rotations", (4,)), ("scales", (3,)), ("end_sites", ())):
            if getattr(self, name).shape != (joints, *width):
                raise ShapeError(name, getattr(self, name).shape, f"{(joints, *width)}, one for each joint")
        if self.parents.shape != (joints,):
            raise ShapeError("parents", self.parents.shape, f"({joints},)")
        if joints and not np.all((self.parents >= -1) & (self.parents < np.arange(joints))):
            raise ArgumentError("parents", self.parents.tolist(), "parents before their children, -1 for a root")

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} joints: {', '.join(self.names[:6])}{', …' if len(self) > 6 else ''})"

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each joint."""
        found: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(joint)
        return tuple(map(tuple, found))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The joints without a parent."""
        return tuple(int(joint) for joint in np.flatnonzero(self.parents < 0))

    @property
    def lengths(self) -> Array:
        """(joints,): how far each joint lies from its parent at rest; a root's own offset counts as nothing."""
        return np.where(self.parents < 0, 0.0, np.linalg.norm(self.translations, axis=-1))

    def index(self, joint: str | int) -> int:
        """The number of a joint, by its name or (checked) its number."""
        if isinstance(joint, str):
            if joint in self._numbers:
                return self._numbers[joint]
            near = get_close_matches(joint, self.names, n=3) or self.names
            raise ArgumentError("joint", repr(joint), "a joint's name, such as " + ", ".join(map(repr, near)))
        if not -len(self) <= joint < len(self):
            raise ArgumentError("joint", joint, f"a joint's number, below {len(self)}")
        return int(joint) % len(self)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: joint for joint, name in reversed(list(enumerate(self.names)))}

    def path(self, ancestor: int, joint: int) -> tuple[int, ...]:
        """The joints from an ancestor down to a joint, both included."""
        way = [joint]
        while way[-1] != ancestor:
            if way[-1] < 0:
                names = self.names[ancestor], self.names[joint]
                raise ArgumentError("joints", names, "a joint and one that hangs from it")
            way.append(int(self.parents[way[-1]]))
        return tuple(reversed(way))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skeleton):
            return NotImplemented
        arrays = ("parents", "translations", "rotations", "scales", "end_sites")
        return self.names == other.names and all(np.array_equal(getattr(self, a), getattr(other, a)) for a in arrays)

    __hash__ = None  # pyright: ignore[reportAssignmentType]
