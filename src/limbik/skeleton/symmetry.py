"""The symmetry of a figure at rest: its plane, and which joints are mirror images of each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.skeleton.naming import counterpart, tokens
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

NO_PARTNER = -1
# How far a joint may lie from its counterpart's mirror image, relative to the figure's size: no figure is symmetric.
MAX_GAP_SIZES = 0.1
ROUNDING_GAP = 1e-6  # of that distance: smaller differences are rounding errors
MIN_NEAR_SHARE = 0.9  # of the joints near their images across the best plane: planes with as many are as good
# Joints with more children than this are not searched for the sides of a body.
MAX_SIDE_CHILDREN = 16
UP = np.array([0.0, 1.0, 0.0])
FACING = np.array([1e-6, 0.0, 1.0])  # the default front: +z, or +x where +z points across

Siblings = Sequence[int]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The plane of symmetry of a figure at rest, and its pairs of joints.

    partners: (joints,) the number of the counterpart; a joint's own in the middle of the figure; NO_PARTNER below a
    joint that has a counterpart where the joint itself has none.
    """

    normal: Array  # (3,), toward the figure's left
    partners: Array
    named: bool  # whether names tell which side is the left one
    error: float  # the mean distance of joints from the mirror images of their counterparts
    near: int  # joints that are near those images: names pair joints across any plane

    @property
    def paired(self) -> Array:
        """(joints,) bool: where the counterpart is another joint."""
        return (self.partners != NO_PARTNER) & (self.partners != np.arange(len(self.partners)))

    @property
    def forward(self) -> Array:
        """(3,) The horizontal direction that the figure faces."""
        return np.cross(self.normal, UP)


def symmetry(skeleton: Skeleton) -> Symmetry:
    """The plane across which most joints have a counterpart, by name or by position at rest."""
    positions = Pose.rest(skeleton).positions()
    size = float(np.max(np.ptp(positions, axis=0)))
    found = [_symmetry_across(skeleton, positions, size, normal) for normal in _normals(skeleton, positions)]
    most = max(one.near for one in found)
    best = [one for one in found if one.near >= MIN_NEAR_SHARE * most]
    # The world's axes come first: another plane must be clearly better.
    limit = 2.0 * min(one.error for one in best) + 1e-6 * size
    return next(one for one in best if one.error <= limit)


def _normals(skeleton: Skeleton, positions: Array) -> Iterator[Array]:
    """Candidates for the direction across the figure, the most likely first."""
    yield np.array([1.0, 0.0, 0.0])
    yield np.array([0.0, 0.0, 1.0])
    numbers = {tokens(label): joint for joint, label in enumerate(skeleton.labels)}
    left = [joint for joint, reading in enumerate(skeleton.readings) if reading.side == "left"]
    pairs = [(joint, numbers.get(counterpart(skeleton.labels[joint]))) for joint in left]
    across = sum((positions[a] - positions[b] for a, b in pairs if b is not None), start=np.zeros(3))
    if np.any(across):
        yield normalized(across)
    sizes, middles = _descendants(skeleton, positions)
    votes: Counter[tuple[float, ...]] = Counter()
    for family in (skeleton.roots, *skeleton.children):
        for a, b in combinations(family if len(family) <= MAX_SIDE_CHILDREN else (), 2):
            level = (middles[a] - middles[b]) * (1.0 - UP)
            if sizes[a] == sizes[b] and np.any(level):
                votes[tuple(np.round(normalized(level), 6))] += 1
    yield from (normalized(np.array(normal)) for normal, _ in votes.most_common(6))


def _symmetry_across(skeleton: Skeleton, positions: Array, size: float, normal: Array) -> Symmetry:
    """The pairs across one plane. Children match the children of their parent's counterpart."""
    mirror = np.eye(3) - 2.0 * np.outer(normal, normal)
    shift = 2.0 * np.median(positions @ normal) * normal  # the median ignores a root or a sword off the plane
    points = np.hstack([positions, _descendants(skeleton, positions)[1]])
    images = np.hstack([points[:, :3] @ mirror + shift, points[:, 3:] @ mirror + shift])
    partners = np.full(len(skeleton), NO_PARTNER)
    waiting: list[tuple[Siblings, Siblings]] = [(skeleton.roots, skeleton.roots)]
    while waiting:
        ours, theirs = waiting.pop()
        gaps = np.linalg.norm(images[list(ours), None] - points[None, list(theirs)], axis=-1)
        pairs = _match(skeleton.labels, ours, theirs, gaps, MAX_GAP_SIZES * size)
        if ours == theirs:
            taken = {joint for pair in pairs for joint in pair}
            pairs += [(joint, joint) for joint in ours if joint not in taken]
        for a, b in pairs:
            partners[a], partners[b] = b, a
            if skeleton.children[a] and skeleton.children[b]:
                waiting.append((skeleton.children[a], skeleton.children[b]))
    paired = np.flatnonzero((partners != NO_PARTNER) & (partners != np.arange(len(partners))))
    others = partners[paired]
    sides = np.array([{"left": 1.0, "right": -1.0}.get(skeleton.readings[joint].side, 0.0) for joint in paired])
    left = float(sides @ ((positions[paired] - positions[others]) @ normal))
    if (left or np.cross(normal, UP) @ FACING) < 0.0:
        normal = -normal
    error = np.linalg.norm(images[paired, :3] - positions[others], axis=-1)
    mean = float(np.mean(error)) if len(paired) else 0.0
    return Symmetry(normal, partners, left != 0.0, mean, int(np.sum(error <= MAX_GAP_SIZES * size)))


def _match(names: Sequence[str], ours: Siblings, theirs: Siblings, gaps: Array, near: float) -> list[tuple[int, int]]:
    """Counterparts in two families, or within one: by name, the rest by position, the nearest first."""
    called = {tokens(names[joint]): k for k, joint in enumerate(theirs)}
    ranked = [
        (-1.0, i, called[other]) for i, a in enumerate(ours) if (other := counterpart(names[a])) and other in called
    ]
    # Of joints in one place the first belong together, and the second: rounding errors do not tell them apart.
    steps = np.rint(gaps / (ROUNDING_GAP * near or 1.0))
    ranked += [(steps[i, k], i, k) for i, k in np.argwhere(gaps <= near).tolist()]
    matched: list[tuple[int, int]] = []
    taken: set[int] = set()
    for _, i, k in sorted(ranked):
        pair = ours[i], theirs[k]
        if taken.isdisjoint(pair):
            taken.update(pair)
            matched.append(pair)
    return matched


def _descendants(skeleton: Skeleton, positions: Array) -> tuple[Array, Array]:
    """The number (joints,) and the mean position (joints, 3) of each joint and its descendants."""
    sizes, sums = np.ones(len(skeleton), int), positions.copy()
    for joint in range(len(skeleton) - 1, -1, -1):
        if (parent := skeleton.parents[joint]) >= 0:
            sizes[parent] += sizes[joint]
            sums[parent] += sums[joint]
    return sizes, sums / sizes[:, None]
