"""Poses of a creature's skeleton from states of a walker, by the closed forms of limbik.limbs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas import quaternions, vectors
from limbik.gait.joint_layout import JointLayout
from limbik.gait.leg_geometry import TOE_RATIO, last_direction, tip
from limbik.gait.part_motion import PartMotion
from limbik.gait.posture import Posture
from limbik.gait.rig import Rig
from limbik.gait.walker_state import WalkerState
from limbik.limbs.solution import Solution
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.rotations import from_axes
from limbik.skeleton.skeleton import Skeleton

SCALAR_LEGS = 24  # number of legs up to which solving them one by one, on floats, is faster than as a batch
# How far toes of feet in swing droop, over their distance to the ground, or are raised where it is higher.
DROOP, RAISED = 0.85, 1.25
MOST_DROOP, MOST_RAISED = 0.45, 0.8  # radians; toes that droop far would snap up where an edge comes below them
BATCH_LEGS = 1 << 16  # legs in one batch, which bounds the memory of intermediate arrays


class CreaturePoser:
    """The joints of a creature, and their rotations in any state."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.layout = JointLayout(rig.creature)
        kinds: dict[tuple[int, bool], list[int]] = {}
        for k, leg in enumerate(rig.creature.legs):
            kinds.setdefault((len(leg.lengths), bool(leg.heel)), []).append(k)
        self._kinds = [_Legs(rig, self.layout, legs) for legs in kinds.values()]
        self._parts = PartMotion(rig, self.layout)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The creature at rest."""
        layout = self.layout
        rest = self.rotations(_standing(self._rig))[:, :, 0].T
        return Skeleton(tuple(layout.names), np.array(layout.parents), np.array(layout.translations), rest)

    def rotations(self, state: WalkerState) -> Array:
        """Local rotations, (4, joints, creatures), xyzw."""
        segments, count = state.middle.shape[1:]
        out = np.zeros((4, len(self.layout.names), count))
        out[3] = 1.0
        trunk = _trunk(state.angles)
        out[:, 0] = trunk[:, 0]
        if segments > 1:
            out[:, 1:segments] = _relative(trunk[:, :-1], trunk[:, 1:])
        for legs in self._kinds:
            legs.turn(out, trunk, state)
        self._parts.turn(out, trunk, state)
        return out


class _Legs:
    """Legs of one kind: two links, three links in a plane, or three links of which the last is a foot with a heel."""

    def __init__(self, rig: Rig, layout: JointLayout, legs: list[int]) -> None:
        self._rig = rig
        self._all = slice(None) if len(legs) == rig.legs else legs
        self._segments = rig.segment[legs]
        self._joints = np.array([layout.chains[leg][:-1] for leg in legs]).T
        self._tips = [layout.chains[leg][-1] for leg in legs]
        lengths = [rig.creature.legs[leg].lengths for leg in legs]
        self._three, self._heels = len(lengths[0]) == 3, legs[0] in layout.heels
        self._natural = self._three and not self._heels
        kind = ThreeLink if self._three else TwoLink
        self._limb, self._single = kind(*np.array(lengths).T[:, :, None]), [kind(*one) for one in lengths]
        self._bends = [int(rig.side[leg, 0]) for leg in legs]

    def turn(self, out: Array, trunk: Array, state: WalkerState) -> None:
        """Writes the rotations of the legs' joints into (4, joints, creatures), from those of the segments."""
        bodies = trunk.take(self._segments, axis=1)
        links = self._links(bodies, state)
        if self._heels:
            feet, toes = self._feet(state)
            links[:, -1] = feet
            out[:, self._tips] = _relative(feet, toes)
        parents = np.concatenate([bodies[:, None], links[:, :-1]], axis=1)
        out[:, self._joints] = _relative(parents, links)

    def _links(self, bodies: Array, state: WalkerState) -> Array:
        """World rotations of links, (4, links, legs, creatures), whose knees always turn about +x in the same sense."""
        hips, tips, last = state.hips[:, self._all], state.tips[:, self._all], state.last[:, self._all]
        ankles = tips - self._rig.last[self._all] * last
        knees = self._rig.side[self._all] * last if self._natural else _rotated(bodies, self._rig.knee[:, self._all])
        if self._heels:
            # The hinge lies across body and foot in every phase of the swing: the knee of a raised leg points up.
            across = _cross(state.normal[:, self._all], knees + state.toe[:, self._all])
            knees = _cross(ankles - hips, across)
        links = self._solved(tips, last, hips, knees)
        hinge_x, hinge_y, hinge_z = _cross(knees, ankles - hips)
        x, y, z, w = links[:, 0]
        along = (0.5 - y * y - z * z) * hinge_x + (x * y + z * w) * hinge_y + (x * z - y * w) * hinge_z
        # Solvers choose between a hinge and its opposite by the limb's direction; half a turn about a link swaps them.
        x, y, z, w = links
        return np.where(along < 0.0, np.array([y, -x, w, -z]), links)

    def _solved(self, *vectors: Array) -> Array:
        """World rotations of links, from tips, directions of last links, hips, and directions of knees."""
        legs, count = vectors[0].shape[1:]
        if legs * count <= SCALAR_LEGS:
            rows = zip(*(array.reshape(3, -1).T.tolist() for array in vectors), strict=True)
            found = [
                self._solve(self._single[k // count], self._bends[k // count], *row).rotations
                for k, row in enumerate(rows)
            ]
            return np.array(found).T.reshape(4, -1, legs, count)
        blocks, size = [], max(1, BATCH_LEGS // legs)
        for start in range(0, count, size):
            block = slice(start, start + size)
            parts = (array[..., block].transpose(1, 2, 0) for array in vectors)
            solution = self._solve(self._limb, self._rig.side[self._all], *parts)
            blocks.append(solution.rotations.transpose(3, 2, 0, 1))
        return np.concatenate(blocks, axis=-1)

    def _solve(self, limb: Any, bend: Any, tip: Any, last: Any, hip: Any, knee: Any) -> Solution:
        if self._natural:
            return limb.solve(tip, last, hip, bend=bend)
        if self._heels:
            return limb.solve(tip, last, hip, style="easy", hint=knee)
        return limb.solve(tip, knee, hip)

    def _feet(self, state: WalkerState) -> Array:
        """World rotations (2, 4, legs, creatures) of feet with heels, and of their toes.

        Toes bend so that they stay above the ground while the foot rolls over the ball.
        """
        toe, normal, last = (array[:, self._all] for array in (state.toe, state.normal, state.last))
        length = TOE_RATIO * self._rig.heel[self._all]
        above = state.clearance[self._all] / length
        droop = np.minimum(np.maximum(np.where(above < 0.0, RAISED, DROOP) * above, -MOST_RAISED), MOST_DROOP)
        angle = np.maximum(state.roll[self._all], -droop) + state.toe_rise[self._all]
        ahead = np.cos(angle) * toe + np.sin(angle) * normal
        forward = np.array([last, ahead]).swapaxes(0, 1)
        return _facing(forward, _cross(normal, toe)[:, None]).swapaxes(0, 1)


def _standing(rig: Rig) -> WalkerState:
    """A creature at rest on level ground."""
    legs, height = rig.creature.legs, rig.creature.height
    behind = -rig.creature.body.length * np.arange(rig.segments)
    middle = np.array([0.0 * behind, height + 0.0 * behind, behind])[:, :, None]
    of_legs = middle.take(rig.segment, axis=1)
    none = np.zeros((rig.legs, 1))
    return WalkerState(
        middle=middle,
        angles=np.zeros_like(middle),
        hips=of_legs + rig.attachment,
        tips=of_legs + np.array([tip(leg, height) for leg in legs]).T[:, :, None],
        last=np.array([last_direction(leg) for leg in legs]).T[:, :, None],
        normal=np.array([none, none + 1.0, none]),
        toe=np.array([rig.toe[0], none, rig.toe[1]]),
        roll=none,
        clearance=none,
        toe_rise=none,
        rhythm=none,
        planted=none == 0.0,
        toes_down=none == 0.0,
        posture=np.zeros((len(Posture._fields), 1)),
        sprung=np.zeros((2, rig.springs, 1)),
        blocked=np.zeros(1, bool),
    )


# --- rotations as (4, ...) and vectors as (3, ...), components first


def _trunk(angles: Array) -> Array:
    """World rotations (4, segments, creatures) from yaw, the sine of the pitch and the slope of the roll."""
    half = 0.5 * np.array([angles[0], -np.arcsin(angles[1]), np.arctan(angles[2])])
    sine, cosine = np.sin(half), np.cos(half)
    pitched: Any = quaternions.turn_x((0.0, sine[0], 0.0, cosine[0]), cosine[1], sine[1])  # pyright: ignore[reportArgumentType]
    return np.array(quaternions.turn_z(pitched, cosine[2], sine[2]))  # pyright: ignore[reportArgumentType]


def _relative(parents: Array, children: Array) -> Array:
    """World rotations of children (4, ...) relative to those of their parents."""
    x, y, z, w = parents
    product: Any = quaternions.multiply((-x, -y, -z, w), tuple(children))  # pyright: ignore[reportArgumentType]
    return np.array(product)


def _rotated(rotations: Array, vectors: Array) -> Array:
    turned: Any = quaternions.rotate(tuple(rotations), tuple(vectors))  # pyright: ignore[reportArgumentType]
    return np.array(np.broadcast_arrays(*turned))


def _cross(a: Array, b: Array) -> Array:
    product: Any = vectors.cross(tuple(a), tuple(b))  # pyright: ignore[reportArgumentType]
    return np.array(product)


def _facing(forward: Array, left: Array) -> Array:
    """Rotations (4, ...) with +z along `forward`, and +x as near to `left` as possible."""
    forward = forward / np.sqrt((forward * forward).sum(axis=0))
    left = np.array(vectors.reject(tuple(left), tuple(forward)))  # pyright: ignore[reportArgumentType]
    left = left / np.sqrt((left * left).sum(axis=0))
    return from_axes(left, _cross(forward, left), forward)


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
