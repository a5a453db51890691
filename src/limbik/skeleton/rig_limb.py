"""A limb of a skeleton: the joints that bend, and the toes beyond them."""

from __future__ import annotations

from dataclasses import dataclass

from limbik.skeleton.skeleton import Skeleton


@dataclass(frozen=True)
class RigLimb:
    """A limb of a skeleton.

    Args:
        name: Such as "left_leg".
        kind: "leg" or "arm".
        side: "left", "right", or "" where it has none.
        joints: The numbers of the joints that bend, from root to tip: hip, knee and ankle; shoulder, elbow and wrist;
            four or more in an animal's leg. The last is what `reach` brings to a target.
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
        return skeleton.path(self.joints[0], self.joints[-1])
