"""A skeleton at rest as a figure in the world: its chains of joints, which of them bend, and where limbs end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

import numpy as np

from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton

MIN_LIMB_JOINTS = 3  # joints of a limb
# A last bone shorter than this fraction of the limb's longest is a foot's or hand's; a first one, a hip's or collar's.
SHORT_LAST_BONE, SHORT_FIRST_BONE = 0.5, 0.7
# Joints closer than this fraction of the figure's size coincide.
COINCIDENT_SIZES = 1e-4
# Of a leg's length: how far its end is below its root where it hangs, and how far below hips shoulders may be.
MIN_HANG_LENGTHS, MAX_SHOULDER_DROP_LENGTHS = 0.1, 0.3
LONG_STRAIGHT_LENGTHS = (
    0.6  # of a limb's length: straight bones that are longer have a joint that bends, such as a straight knee
)
STRAIGHT_COSINE = np.cos(np.radians(5.0))


class RestFigure:
    """A skeleton at rest: world positions of its joints, its height, and its chains of joints."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.positions = positions = Pose.rest(skeleton).positions()
        self._places: list[list[float]] = positions.tolist()
        self.readings = skeleton.readings
        self.lowest = float(np.min(positions[:, 1]))
        self.height = float(np.ptp(positions[:, 1]))
        self.size = float(np.max(np.ptp(positions, axis=0)))
        # The length of the longest chain below each joint, and the child through which it goes.
        self._reach = np.zeros(len(skeleton))
        self._onward = np.full(len(skeleton), -1)
        for joint in range(len(skeleton) - 1, -1, -1):
            parent = int(skeleton.parents[joint])
            if parent >= 0 and self._is_own(joint):
                length = self.distance(parent, joint) + self._reach[joint]
                if length > self._reach[parent] or self._onward[parent] < 0:
                    self._reach[parent], self._onward[parent] = length, joint

    def _is_own(self, joint: int) -> bool:
        """Whether a joint is part of the body, or at least the end of a bone."""
        reading = self.readings[joint]
        return not reading.helper or reading.end or reading.pivot

    def distance(self, a: int, b: int) -> float:
        return dist(self._places[a], self._places[b])

    def apart(self, a: int, b: int) -> bool:
        """Whether two joints do not coincide."""
        return self.distance(a, b) > COINCIDENT_SIZES * self.size

    def line(self, joint: int) -> list[int]:
        """The longest chain of joints below a joint, which is its first."""
        line = [joint]
        while (onward := int(self._onward[line[-1]])) >= 0:
            line.append(onward)
        return line

    def toes(self, ankle: int) -> tuple[int, ...]:
        """The joints beyond an ankle: those named as toes, by default the longest chain."""
        children = [child for child in self.skeleton.children[ankle] if self._is_own(child)]
        named = [child for child in children if self.readings[child].part == "toe"]
        if not children:
            return ()
        first = max(named or children, key=lambda child: self.distance(ankle, child) + self._reach[child])
        line = [joint for joint in self.line(first) if not self.readings[joint].pivot]
        return tuple(joint for joint in line if self.apart(ankle, joint))

    def is_low(self, joints: Sequence[int]) -> bool:
        """Whether the lowest of these joints is near the figure's lowest point."""
        return bool(np.min(self.positions[list(joints), 1]) - self.lowest <= 0.15 * self.height)

    def stands(self, limbs: Sequence[RigLimb]) -> bool:
        """Whether a figure with these limbs, legs among them, stands: a leg hangs down, and arms are not below legs."""
        heights = self.positions[:, 1]
        legs = [limb.joints for limb in limbs if limb.kind == "leg"]
        length = max(sum(self.bones(leg)) for leg in legs)
        hips = min(heights[leg[0]] for leg in legs)
        hangs = [
            heights[leg[0]] - heights[leg[-1]] > MIN_HANG_LENGTHS * length and self.is_low(self.line(leg[-1]))
            for leg in legs
        ]
        return any(hangs) and all(
            heights[limb.joints[0]] > hips - MAX_SHOULDER_DROP_LENGTHS * length for limb in limbs if limb.kind == "arm"
        )

    def lowest_of(self, limb: RigLimb) -> float:
        """The height of the lowest of a limb's end and toes."""
        return float(np.min(self.positions[[limb.joints[-1], *limb.toes], 1]))

    def bends(self, before: int, joint: int, after: int) -> bool:
        """Whether three joints are not in a straight line at rest."""
        inward, outward = self.positions[joint] - self.positions[before], self.positions[after] - self.positions[joint]
        return bool(inward @ outward < STRAIGHT_COSINE * np.linalg.norm(inward) * np.linalg.norm(outward))

    def without_short_ends(self, line: Sequence[int]) -> list[int]:
        """A chain without the short bones of hip or collar and of foot or hand, and without coincident joints."""
        line = self.without_short_tail(line)
        longest = max(self.bones(line), default=0.0)
        while len(line) > MIN_LIMB_JOINTS and self.distance(line[0], line[1]) < SHORT_FIRST_BONE * longest:
            if self.readings[line[0]].part == "upper":
                break
            line.pop(0)
        return line

    def without_short_tail(self, line: Sequence[int]) -> list[int]:
        """A chain without the short bones of foot or hand, and without coincident joints."""
        line = self.without_repetitions(line)
        longest = max(self.bones(line), default=0.0)
        while len(line) > MIN_LIMB_JOINTS and self.distance(line[-2], line[-1]) < SHORT_LAST_BONE * longest:
            line.pop()
        return line

    def without_twists(self, line: Sequence[int]) -> list[int]:
        """A chain without the joints between straight bones, which only twist; a straight limb keeps its middle one."""
        bent = [
            joint
            for before, joint, after in zip(line, line[1:], line[2:], strict=False)
            if self.bends(before, joint, after)
        ]
        kept = [line[0], *bent, *line[1:][-1:]]
        total, at = sum(self.bones(line)), np.cumsum([0.0, *self.bones(line)])
        places = {joint: float(at[k]) for k, joint in enumerate(line)}
        for upper, lower in pairwise(tuple(kept)):
            between = [joint for joint in line if places[upper] < places[joint] < places[lower]]
            if between and places[lower] - places[upper] > LONG_STRAIGHT_LENGTHS * total:
                middle = 0.5 * (places[upper] + places[lower])
                kept.insert(kept.index(lower), min(between, key=lambda joint: abs(places[joint] - middle)))
        return kept

    def without_repetitions(self, line: Sequence[int]) -> list[int]:
        """A chain without coincident joints: of those, the one with the most specific name is kept, else the first."""
        kept = [line[0]]  # at the start, without names, the last: the parent of the limb proper
        for joint in line[1:]:
            if self.apart(kept[-1], joint):
                kept.append(joint)
            elif self._name_rank(joint) + (len(kept) == 1) > self._name_rank(kept[-1]):
                kept[-1] = joint
        return kept

    def _name_rank(self, joint: int) -> int:
        part = self.readings[joint].part
        return 0 if not part else 1 if part == "base" else 2

    def bones(self, line: Sequence[int]) -> list[float]:
        return [self.distance(a, b) for a, b in pairwise(line)]
