"""What moves creatures of a kind: the programs of the walk with their parameters, and their skeleton at rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np

from limbik.arrays import Array
from limbik.engines.stage_runner import Machine
from limbik.engines.stages import Record, fields_of, size_of
from limbik.gait.creature import Creature
from limbik.gait.joint_layout import JointLayout
from limbik.gait.kind import layout_of
from limbik.gait.leg_geometry import last_direction, tip, toe_direction
from limbik.gait.program import BEGIN, POSE, PUSH, STEP
from limbik.gait.records import Leg, Segment
from limbik.gait.walker_state import PosedNumbers
from limbik.skeleton.skeleton import Skeleton

MAX_KINDS = 64  # that are kept


class CreatureMachines:
    """The programs of one kind of creature. begin: sets it on the ground. step: moves it. posed: turns its joints."""

    def __init__(self, creature: Creature) -> None:
        self.creature = creature
        layout = layout_of(creature)
        self.begin, self.step, self.push, self._pose = (Machine(one, layout) for one in (BEGIN, STEP, PUSH, POSE))
        self.posed = PosedNumbers(self._pose, creature)
        self.joints = JointLayout(creature)

    def __reduce__(self) -> tuple[Callable[[Creature], CreatureMachines], tuple[Creature]]:
        return machines, (self.creature,)  # a copy runs the same kernels

    @cached_property
    def skeleton(self) -> Skeleton:
        """The creature at rest on level ground."""
        rotations = self.posed.rotations(self._standing()[:, self.posed.columns])[0]
        joints = self.joints
        return Skeleton(tuple(joints.names), np.array(joints.parents), np.array(joints.translations), rotations)

    def rows(self, state: Array, kind: type[Record], name: str) -> Array:
        """(creatures, rows, components) A field in states (creatures, numbers), the same memory."""
        places, field, size = self.step.places, fields_of(kind)[name], size_of(kind)
        first, count = places.first[kind], places.layout.counts[kind.rows]
        block = state[:, first : first + count * size].reshape(len(state), count, size)
        return block[:, :, field.offset : field.offset + len(field.parts)]

    def _standing(self) -> Array:
        """(1, numbers) The state of a creature at rest."""
        creature, state = self.creature, np.zeros((1, self.step.places.size))
        behind = -creature.body.length * np.arange(creature.body.segments)
        middle = np.array([0.0 * behind, creature.height + 0.0 * behind, behind]).T
        for name, value in {
            "middle": middle,
            "level": [[1.0]],
            "left": (1, 0, 0),
            "up": (0, 1, 0),
            "forward": (0, 0, 1),
        }.items():
            self.rows(state, Segment, name)[0] = value
        for k, leg in enumerate(creature.legs):
            centre, last = middle[leg.segment], last_direction(leg)
            end = centre + tip(leg, creature.height)
            ankle = end - leg.lengths[2] * last if len(leg.lengths) == 3 else end
            vectors = {"hip": centre + leg.attachment, "tip": end, "last": last, "ankle": ankle}
            vectors |= {"course_normal": (0.0, 1.0, 0.0), "course_toe": toe_direction(leg)}
            for name, value in vectors.items():
                self.rows(state, Leg, name)[0, k] = value
        return state


@lru_cache(maxsize=MAX_KINDS)
def machines(creature: Creature) -> CreatureMachines:
    """The machines of a creature."""
    return CreatureMachines(creature)


def crowd_skeleton(skeleton: Skeleton, name: str, count: int) -> Skeleton:
    """Copies of a skeleton as one, each with a root and a number in the names of its joints; one copy is unchanged."""
    if count == 1:
        return skeleton
    digits = max(len(str(count)), 3)
    numbers = [f"{name}_{k + 1:0{digits}d}" for k in range(count)]
    parents = np.tile(skeleton.parents, (count, 1))
    above = parents + len(skeleton) * np.arange(count)[:, None]
    return Skeleton(
        tuple(f"{number}/{joint}" for number in numbers for joint in skeleton.names),
        np.where(parents < 0, -1, above).reshape(-1),
        np.tile(skeleton.translations, (count, 1)),
        np.tile(skeleton.rotations, (count, 1)),
    )
