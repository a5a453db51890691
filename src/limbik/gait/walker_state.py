"""The state of a walker: what a pose of its creatures needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.arrays import Array
from limbik.engines.stage_runner import Machine
from limbik.engines.stages import Record, fields_of, size_of
from limbik.gait.creature import Creature
from limbik.gait.records import Body, Joint, Leg, Segment, Spring

# What poses and contacts depend on; see records.py.
POSED: dict[type[Record], tuple[str, ...]] = {
    Body: ("idle", "yaw", "now", "activity", "striding", "hurry", "lean", "breath", "idle_time", "blocked"),
    Leg: (
        ("tip", "last", "hip", "ankle", "course_normal", "course_toe", "roll", "clearance", "toe_rise", "rhythm")
        + ("planted", "tip_contact", "heel_contact", "toe_contact")
    ),
    Segment: ("yaw", "pitch", "roll", "level", "left", "up", "forward", "middle"),
    Spring: ("yaw_off", "pitch_off"),
}
BLOCK_CREATURES = 1024  # that are posed together


class PosedNumbers:
    """Which numbers of a creature's state a pose needs, and how its joints turn then.

    Args:
        pose: the program of poses.
        creature: whose.
    """

    def __init__(self, pose: Machine, creature: Creature) -> None:
        self._pose, self._creature, places = pose, creature, pose.places
        self.columns = np.array(
            [
                places.place(kind, row) + fields_of(kind)[name].offset + k
                for kind, names in POSED.items()
                for name in names
                for row in range(places.layout.counts[kind.rows])
                for k in range(len(fields_of(kind)[name].parts))
            ]
        )
        self._first: dict[tuple[type[Record], str], tuple[int, int, int]] = {}
        first = 0
        for kind, names in POSED.items():
            for name in names:
                rows, size = places.layout.counts[kind.rows], len(fields_of(kind)[name].parts)
                self._first[kind, name] = first, rows, size
                first += rows * size

    def __reduce__(self) -> tuple[Callable[[Creature], PosedNumbers], tuple[Creature]]:
        return _posed_numbers, (self._creature,)  # a copy runs the same kernels

    def field(self, numbers: Array, kind: type[Record], name: str) -> Array:
        """(components, rows, creatures) A field of states (creatures, numbers); of one number (rows, creatures)."""
        first, rows, size = self._first[kind, name]
        found = numbers[:, first : first + rows * size].T.reshape(rows, size, len(numbers))
        return found[:, 0] if size == 1 else found.transpose(1, 0, 2)

    def rotations(self, numbers: Array) -> Array:
        """(creatures, joints, 4) Local rotations, xyzw, in states (creatures, numbers)."""
        places = self._pose.places
        joints, size = places.layout.counts["joint"], size_of(Joint)
        local = fields_of(Joint)["local"].offset
        found = np.empty((len(numbers), joints, 4))
        for start in range(0, len(numbers), BLOCK_CREATURES):
            block = numbers[start : start + BLOCK_CREATURES]
            state, turned = np.zeros((len(block), places.size)), np.zeros((len(block), places.scratch))
            state[:, self.columns] = block
            self._pose.run(state, scratch=turned)
            found[start : start + BLOCK_CREATURES] = turned.reshape(len(block), joints, size)[..., local : local + 4]
        return found


def _posed_numbers(creature: Creature) -> PosedNumbers:
    from limbik.gait.creature_machines import machines

    return machines(creature).posed


@dataclass(frozen=True, eq=False)
class WalkerState:
    """Creatures at one time, or at several times, one after the other on the last axis.

    numbers: (creatures, numbers), as `posed` knows them.
    """

    numbers: Array
    posed: PosedNumbers

    def _field(self, kind: type[Record], name: str) -> Array:
        return self.posed.field(self.numbers, kind, name)

    @cached_property
    def middle(self) -> Array:
        """(3, segments, creatures) Centres of the segments."""
        return self._field(Segment, "middle")

    @cached_property
    def angles(self) -> Array:
        """(3, segments, creatures) Yaw in radians, sine of the pitch (nose up) and slope of the roll (left up)."""
        return np.array([self._field(Segment, name) for name in ("yaw", "pitch", "roll")])

    @cached_property
    def hips(self) -> Array:
        """(3, legs, creatures) Hips in the world."""
        return self._field(Leg, "hip")

    @cached_property
    def tips(self) -> Array:
        """(3, legs, creatures) Tips in the world."""
        return self._field(Leg, "tip")

    @cached_property
    def roll(self) -> Array:
        """(legs, creatures) Radians by which feet point up, about the heel, or down, about the tip."""
        return self._field(Leg, "roll")

    @cached_property
    def planted(self) -> Array:
        """(legs, creatures) bool: feet in stance."""
        return self._field(Leg, "planted") > 0.5

    @cached_property
    def contacts(self) -> tuple[Array, Array, Array]:
        """(legs, creatures) bool each: tips, heels and ends of toes that are on the ground."""
        tips, heels, toes = (self._field(Leg, f"{name}_contact") > 0.5 for name in ("tip", "heel", "toe"))
        return tips, heels, toes

    @cached_property
    def blocked(self) -> Array:
        """(creatures,) bool: which cannot go where they are asked to."""
        return self._field(Body, "blocked")[0] > 0.5

    @cached_property
    def rotations(self) -> Array:
        """(creatures, joints, 4) Local rotations of the joints, xyzw."""
        return self.posed.rotations(self.numbers)


def joined(states: Sequence[WalkerState]) -> WalkerState:
    """Several states as one, in the order of time."""
    return WalkerState(np.concatenate([state.numbers for state in states]), states[0].posed)
