"""The joints of a creature: names, parents and translations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature, Leg
from limbik.gait.leg_geometry import TOE_RATIO, last_direction, toe_direction


class JointLayout:
    """The segments of the body, then the legs, then the appendages.

    A leg has hip, knee, ankle and tip, without an ankle where it has two links; a leg with a heel also has a heel and a
    toe. Links run along +z of their joint. names, parents, translations: those of a Skeleton. chains: joints of each
    leg, hip to tip. heels, toes: joints of the heel and of the end of the toes by the index of the leg, for legs that
    have them.
    """

    def __init__(self, creature: Creature) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.translations: list[tuple[float, ...]] = []
        self.chains: list[list[int]] = []
        self.heels: dict[int, int] = {}
        self.toes: dict[int, int] = {}
        self._length = creature.body.length
        for k in range(creature.body.segments):
            # Segments behind the first have their joint at their front, where they are hinged.
            behind = (0.0, 0.0, -self._length if k > 1 else -0.5 * self._length)
            self._add(f"body_{k + 1}" if k else "body", k - 1, behind if k else (0.0, creature.height, 0.0))
        for leg in creature.legs:
            self._add_leg(leg)
        for part in creature.parts:
            self._add(part.name, self.names.index(part.parent), self._from_joint(part.parent, part.at))

    @property
    def feet(self) -> list[int]:
        """The joints of the feet: the tips of the legs, then the heels and the toes of those that have them."""
        return [*(chain[-1] for chain in self.chains), *self.heels.values(), *self.toes.values()]

    def _add(self, name: str, parent: int, at: Sequence[float] | Array) -> int:
        self.names.append(name)
        self.parents.append(parent)
        self.translations.append(tuple(at))
        return len(self.names) - 1

    def _from_joint(self, segment: str, at: Sequence[float]) -> tuple[float, float, float]:
        """A point relative to the centre of a segment, relative to its joint."""
        back = 0.5 * self._length if segment.startswith("body_") else 0.0
        return at[0], at[1], at[2] - back

    def _add_leg(self, leg: Leg) -> None:
        chain = [self._add(f"{leg.name}_hip", leg.segment, self._from_joint(self.names[leg.segment], leg.attachment))]
        ends = ("knee", "ankle", "tip") if len(leg.lengths) == 3 else ("knee", "tip")
        for end, length in zip(ends, leg.lengths, strict=True):
            chain.append(self._add(f"{leg.name}_{end}", chain[-1], (0.0, 0.0, length)))
        if leg.heel:
            self.heels[len(self.chains)] = self._add(f"{leg.name}_heel", chain[-2], _heel(leg))
            self.toes[len(self.chains)] = self._add(f"{leg.name}_toe", chain[-1], (0.0, 0.0, TOE_RATIO * leg.heel))
        self.chains.append(chain)


def _heel(leg: Leg) -> Array:
    """(3,) The heel in the frame of the ankle, whose +z runs along the last link and whose +x is horizontal."""
    last, toe = last_direction(leg), toe_direction(leg)
    left = np.cross((0.0, 1.0, 0.0), toe)
    axes = np.array([left, np.cross(last, left), last])
    return axes @ (leg.lengths[2] * last - leg.heel * toe)
