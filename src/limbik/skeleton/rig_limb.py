"""A limb of a skeleton: which of its joints bend, and what lies beyond."""

from __future__ import annotations

from dataclasses import dataclass

from limbik.skeleton.skeleton import Skeleton


@dataclass(frozen=True)
class RigLimb:
    """A limb of a skeleton.

    name: such as "left_leg". kind: "leg" or "arm". side: "left", "right", or "" where it has none.
    joints: the numbers of the joints that bend, from root to tip: hip, knee and ankle; shoulder, elbow and wrist; four
    or more in an animal's leg. The last is what `reach` brings to a target.
    toes: the joints beyond the last one of a limb that walks: toe base, toe end.
    stands: whether the limb carries the body: at rest its end is near the figure's lowest point.
    """

    name: str
    kind: str
    side: str
    joints: tuple[int, ...]
    toes: tuple[int, ...] = ()
    stands: bool = False

    def path(self, skeleton: Skeleton) -> tuple[int, ...]:
        """All joints from the first to the last: between those that bend there may be some that only twist."""
        return skeleton.path(self.joints[0], self.joints[-1])
