"""A skeleton at rest, as a figure that stands in the world: where limbs run, which joints bend, where limbs end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from limbik.skeleton.naming import read
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

LEAST = 3  # joints of a limb
# A last bone shorter than this part of the limb's longest is a foot's or a hand's; a first one, a hip's or a collar's.
SHORT_LAST, SHORT_FIRST = 0.5, 0.7
# Joints nearer than this part of the figure's size lie in one place.
SAME = 1e-4
STRAIGHT = np.cos(np.radians(5.0))


class RestFigure:
    """A skeleton at rest: where its joints are in the world, how tall it is, and how its limbs run."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.positions = positions = Pose.rest(skeleton).positions()
        self.readings = [read(name) for name in skeleton.names]
        self.lowest = float(np.min(positions[:, 1]))
        self.height = float(np.ptp(positions[:, 1]))
        self.size = float(np.max(np.ptp(positions, axis=0)))
        # How long the longest line down from each joint is, and over which child it goes.
        self._reach = np.zeros(len(skeleton))
        self._onward = np.full(len(skeleton), -1)
        for joint in range(len(skeleton) - 1, -1, -1):
            parent = int(skeleton.parents[joint])
            if parent >= 0 and self._is_own(joint):
                length = self.distance(parent, joint) + self._reach[joint]
                if length > self._reach[parent] or self._onward[parent] < 0:
                    self._reach[parent], self._onward[parent] = length, joint

    def _is_own(self, joint: int) -> bool:
        """Whether a joint is part of the body, if only as the end of a bone."""
        return not self.readings[joint].helper or self.readings[joint].end

    def distance(self, a: int, b: int) -> float:
        """Between two joints at rest."""
        return float(np.linalg.norm(self.positions[a] - self.positions[b]))

    def apart(self, a: int, b: int) -> bool:
        """Whether two joints lie in different places."""
        return self.distance(a, b) > SAME * self.size

    def line(self, joint: int) -> list[int]:
        """The longest line of joints that hangs from a joint, itself the first."""
        line = [joint]
        while (onward := int(self._onward[line[-1]])) >= 0:
            line.append(onward)
        return line

    def toes(self, ankle: int) -> tuple[int, ...]:
        """The joints beyond an ankle: those that are called toes, or else the longest line."""
        children = [child for child in self.skeleton.children[ankle] if self._is_own(child)]
        named = [child for child in children if self.readings[child].part == "toe"]
        if not children:
            return ()
        first = max(named or children, key=lambda child: self.distance(ankle, child) + self._reach[child])
        return tuple(joint for joint in self.line(first) if self.apart(ankle, joint))

    def is_low(self, joints: Sequence[int]) -> bool:
        """Whether the lowest of some joints is near the lowest point of the figure."""
        return bool(np.min(self.positions[list(joints), 1]) - self.lowest <= 0.15 * self.height)

    def bends(self, before: int, joint: int, after: int) -> bool:
        """Whether the line through three joints has a corner at rest."""
        inward, outward = self.positions[joint] - self.positions[before], self.positions[after] - self.positions[joint]
        return bool(inward @ outward < STRAIGHT * np.linalg.norm(inward) * np.linalg.norm(outward))

    def without_short_ends(self, line: Sequence[int]) -> list[int]:
        """A line without the short bones of what carries the limb and of its foot or hand, and without repetitions."""
        line = self.without_repetitions(line)
        longest = max(self.bones(line), default=0.0)
        while len(line) > LEAST and self.distance(line[-2], line[-1]) < SHORT_LAST * longest:
            line.pop()
        while len(line) > LEAST and self.distance(line[0], line[1]) < SHORT_FIRST * longest:
            line.pop(0)
        return line

    def without_repetitions(self, line: Sequence[int]) -> list[int]:
        """A line without joints in one place. Of those, the one whose name says most is kept.

        Where names say nothing that is the first, but at the line's start the last, from which the limb really hangs.
        """
        kept = [line[0]]
        for joint in line[1:]:
            if self.apart(kept[-1], joint):
                kept.append(joint)
            elif self._says(joint) + (len(kept) == 1) > self._says(kept[-1]):
                kept[-1] = joint
        return kept

    def _says(self, joint: int) -> int:
        part = self.readings[joint].part
        return 0 if not part else 1 if part == "base" else 2

    def bones(self, line: Sequence[int]) -> list[float]:
        """The distances from each joint of a line to the next."""
        return [self.distance(a, b) for a, b in pairwise(line)]
