"""A mannequin for a figure that has no mesh of its own: found from its limbs, whatever its joints are called."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from limbik.arrays import Array
from limbik.bodies import head_shapes, limb_shapes, trunk_shapes
from limbik.bodies.body import Body, rigid_body
from limbik.bodies.builder import BodyBuilder
from limbik.bodies.capsules import bone_mesh
from limbik.bodies.look import MANNEQUIN
from limbik.errors import LimbikError
from limbik.rotations import normalized
from limbik.skeleton.naming import tokens
from limbik.skeleton.skeleton import RigLimb, Skeleton

MANNEQUIN_SIDES = 12
MAX_SAME_JOINT_DISTANCE = 0.01  # joints nearer than this part of the figure's size are one
# Least half width over the stature: in rest poses with raised arms shoulders are close together.
MIN_SHOULDER_HALF_WIDTH = 0.105
MIN_FINGER_CHAINS = 4  # chains beyond the wrist from which on they are fingers
UP = np.array([0.0, 1.0, 0.0])


def mannequin(skeleton: Skeleton) -> Body:
    """The body of one figure: a mannequin where it has two legs, two arms and a head, else bones."""
    try:
        figure = _Figure(skeleton)
        if figure.is_human:
            return figure.body()
    except LimbikError:  # no limbs
        pass
    return rigid_body(skeleton, bone_mesh(skeleton))


class _Figure:
    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._b = BodyBuilder(skeleton, MANNEQUIN, MANNEQUIN_SIDES)
        self._places = self._b.places
        limbs = skeleton.limbs.values()
        self._legs = [limb for limb in limbs if limb.kind == "leg"]
        self._arms = [limb for limb in limbs if limb.kind == "arm" and not limb.stands]
        self._size = float(np.ptp(self._places, axis=0).max())

    @property
    def is_human(self) -> bool:
        if (
            len(self._legs) != 2
            or len(self._arms) != 2
            or not self._has_root
            or len(self._spine) < 2
            or self._stature <= 0.0
        ):
            return False
        rises = self._places[self._spine[-1]] - self._places[self._spine[0]]
        return bool(rises[1] > 0.5 * np.linalg.norm(rises) > 0.0)

    @property
    def _has_root(self) -> bool:
        """Whether legs and head belong to one tree."""
        return len({self._ways(joint)[0] for joint in (self._head_joint, *(leg.joints[0] for leg in self._legs))}) == 1

    def body(self) -> Body:
        b = self._b
        hips = 0.5 * self._distance_between(self._legs)
        shoulders = max(0.5 * self._distance_between(self._arms), MIN_SHOULDER_HALF_WIDTH * self._stature)
        low = float(self._places[self._spine[0], 1] - np.mean([self._places[leg.joints[0], 1] for leg in self._legs]))
        neck = 0.034 * self._stature
        trunk_shapes.torso(
            b, self._spine, self._pelvis, hips + 0.045 * self._stature, shoulders, neck, max(low, 0.0), self._left
        )
        for leg in self._legs:
            self._leg(leg)
        for arm in self._arms:
            self._arm(arm)
        self._head(neck)
        return b.build()

    # --- measures

    @cached_property
    def _left(self) -> Array:
        """The direction of the figure's left side, level."""
        sides = {
            side: [self._places[limb.joints[0]] for limb in self._legs if limb.side == side]
            for side in ("left", "right")
        }
        across = (
            np.mean(sides["left"], axis=0) - np.mean(sides["right"], axis=0) if all(sides.values()) else np.eye(3)[0]
        )
        return normalized(across * [1.0, 0.0, 1.0])

    @cached_property
    def _ahead(self) -> Array:
        return np.cross(self._left, UP)

    @cached_property
    def _stature(self) -> float:
        feet = [self._places[joint, 1] for leg in self._legs for joint in (*leg.joints, *leg.toes)]
        head = [self._head_joint, *self._skeleton.children[self._head_joint]]  # hands may be above it
        return float(self._places[head, 1].max() - min(feet)) * 1.03

    def _distance_between(self, limbs: list[RigLimb]) -> float:
        first, second = (self._places[limb.joints[0]] for limb in limbs)
        return float(np.linalg.norm(first - second))

    # --- torso and head

    @cached_property
    def _head_joint(self) -> int:
        """The joint of the head: by its name, else the last but one of the chain above the chest."""
        named = [k for k, name in enumerate(self._skeleton.names) if "head" in tokens(name)]
        if named:
            return named[0]
        above = [k for k in range(len(self._skeleton)) if not self._skeleton.children[k]]
        return max(above, key=lambda joint: float(self._places[joint, 1]))

    def _ways(self, joint: int) -> list[int]:
        """The joints from the root to a joint."""
        way = [joint]
        while self._skeleton.parents[way[-1]] >= 0:
            way.append(int(self._skeleton.parents[way[-1]]))
        return way[::-1]

    @cached_property
    def _pelvis(self) -> int:
        """The last joint on the way to the head that carries both legs."""
        shared = [set(self._ways(leg.joints[0])) for leg in self._legs]
        to_head = self._ways(self._head_joint)
        return max((joint for joint in to_head if all(joint in way for way in shared)), key=to_head.index)

    @cached_property
    def _spine_to_head(self) -> list[int]:
        """The joints from the pelvis to the head, without those that are in the same place."""
        to_head = self._ways(self._head_joint)
        start = to_head.index(self._pelvis)
        kept = to_head[start : start + 1]
        for joint in to_head[start + 1 :]:
            if np.linalg.norm(self._places[joint] - self._places[kept[-1]]) > MAX_SAME_JOINT_DISTANCE * self._size:
                kept.append(joint)
            else:
                kept[-1] = joint  # the last of several in one place carries the next bone
        return kept

    @cached_property
    def _spine(self) -> list[int]:
        """The joints from the pelvis to the base of the neck: the first that is not below the shoulders."""
        way = self._spine_to_head
        shoulders = np.mean([self._places[arm.joints[0], 1] for arm in self._arms]) if self._arms else np.inf
        above = [k for k, joint in enumerate(way) if self._places[joint, 1] > shoulders]
        last = above[0] if above else len(way) - 1
        return way[: max(min(last, len(way) - 2), 1) + 1]

    def _head(self, neck: float) -> None:
        b, head = self._b, self._spine_to_head[-1]
        beyond = self._skeleton.children[head]
        base, top = self._places[head], [self._places[joint] for joint in beyond]
        height = 0.14 * self._stature
        way = self._spine_to_head[len(self._spine) - 1 :]
        if len(way) > 1:
            up = normalized(base - self._places[way[0]])
            limb_shapes.human_neck(b, way, self._spine[-2], neck)
        else:
            up = normalized(top[0] - base) if top else UP
        head_shapes.human_head(b, head, base, up, self._ahead, height, mannequin=True)

    # --- limbs

    def _leg(self, leg: RigLimb) -> None:
        b, ankle = self._b, leg.joints[-1]
        places = self._places
        long = 0.15 * self._stature
        ahead = normalized((places[leg.toes[0]] - places[ankle]) * [1.0, 0.0, 1.0]) if leg.toes else self._ahead
        ahead = ahead if ahead.any() else self._ahead
        floor = float(min(places[joint, 1] for joint in (ankle, *leg.toes))) - 0.008 * self._stature
        floor = floor if leg.toes else floor - 0.035 * self._stature
        heel = places[ankle] - 0.28 * long * ahead
        reach = max((float((places[joint] - heel) @ ahead) for joint in leg.toes), default=0.0)
        toes = heel + max(reach + 0.1 * long, long) * ahead
        limb_shapes.human_leg(b, leg.joints, self._pelvis, (heel, toes, leg.toes[0] if leg.toes else ankle), floor)

    def _arm(self, arm: RigLimb) -> None:
        wrist = arm.joints[-1]
        chains = [chain for chain in self._chains(wrist) if len(chain) > 2]
        own = len(chains) >= MIN_FINGER_CHAINS
        limb_shapes.arm(self._b, arm.joints, self._carrier(arm), self._ahead, fingers=own)
        if own:
            for chain in chains:
                limb_shapes.digit(self._b, chain[1:], 0.0052 * self._stature)

    def _carrier(self, arm: RigLimb) -> int:
        """The joint of the spine from which an arm hangs."""
        return next((joint for joint in self._ways(arm.joints[0])[::-1] if joint in self._spine), self._spine[-1])

    def _chains(self, joint: int) -> list[list[int]]:
        """The chains that start at a joint, from it to their ends; each goes along its first children."""
        found = []
        for child in self._skeleton.children[joint]:
            chain = [joint, child]
            while self._skeleton.children[chain[-1]]:
                chain.append(self._skeleton.children[chain[-1]][0])
            found.append(chain)
        return found
