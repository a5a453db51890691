"""Motions of the parts that belong to no leg: head, arms, tail, antennae."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas import quaternions
from limbik.gait.joint_layout import JointLayout
from limbik.gait.posture import Posture
from limbik.gait.rig import Rig
from limbik.gait.walker_state import WalkerState, spring_parts

LOOK_AHEAD = 0.5  # seconds of a turn that a head looks ahead
WANDER_RATES = np.array([0.11, 0.173, 0.271])  # frequencies of irregular motions, over the creature's tempo
WANDER_WEIGHTS = np.array([0.5, 0.3, 0.2])


class PartMotion:
    """Local rotations of the parts of a creature."""

    def __init__(self, rig: Rig, layout: JointLayout) -> None:
        parts = rig.creature.parts
        legs = [leg.name for leg in rig.creature.legs]
        moving = [k for k, part in enumerate(parts) if _moves(part)]
        chosen = [parts[k] for k in moving]
        self._tempo = rig.tempo
        self._joints = [layout.names.index(part.name) for part in chosen]
        self._axes = np.array(["xyz".index(part.axis) for part in chosen], int)
        self._with = [legs.index(part.leg) if part.leg else 0 for part in chosen]
        self._lead = np.array([part.lead for part in chosen])[:, None]
        self._swing = np.radians([part.swing for part in chosen])[:, None]
        self._bend = np.radians([part.bend for part in chosen]).reshape(-1, 2).T[:, :, None]
        self._lean = np.array([part.lean for part in chosen])[:, None]
        self._wander = np.radians([part.wander for part in chosen])[:, None]
        self._breath = np.radians([part.breath for part in chosen])[:, None]
        self._shy = np.array([part.steady > 0.0 for part in chosen])[:, None]
        springs = spring_parts(rig.creature)
        self._sprung = [moving.index(k) for k in springs]
        steady = [k for k, part in enumerate(chosen) if part.steady > 0.0]
        self._steady = [
            (
                self._joints[k],
                chosen[k].steady,
                np.radians(chosen[k].look),
                _above(layout, self._joints[k], rig.segments),
            )
            for k in steady
        ]

    def turn(self, out: Array, trunk: Array, state: WalkerState) -> None:
        """Writes the rotations of the parts into (4, joints, creatures), from those of the segments."""
        if not self._joints:
            return
        posture = state.carried
        angles = self._angles(state, posture)
        out[:, self._joints] = _turned(angles)
        for joint, share, look, above in self._steady:
            world = trunk[:, above[0]]
            for parent in above[1:]:
                world = _product(world, out[:, parent])
            seen = np.minimum(np.maximum(LOOK_AHEAD * posture.turn, -look), look)
            half = 0.5 * (posture.heading + seen)
            none = 0.0 * half
            ahead = _product(np.array([none, np.sin(half), none, np.cos(half)]), out[:, joint])
            x, y, z, w = world
            level = _product(np.array([-x, -y, -z, w]), ahead)
            level = level * np.where((level * out[:, joint]).sum(axis=0) < 0.0, -1.0, 1.0)
            mixed = out[:, joint] + share * (level - out[:, joint])
            out[:, joint] = mixed / np.sqrt((mixed * mixed).sum(axis=0))

    def _angles(self, state: WalkerState, posture: Posture) -> Array:
        """(3, parts, creatures) Rotations about x, y and z, radians."""
        beat = (2.0 * np.pi) * (state.rhythm[self._with] + self._lead)
        about = self._swing * np.cos(beat) * (posture.activity * (0.4 + 0.6 * posture.stride))
        low, high = self._bend
        about = about + low + (high - low) * posture.hurry
        angles = np.zeros((3, *about.shape))
        angles[self._axes, np.arange(len(about))] = about
        angles[0] += self._lean * posture.lean + self._breath * posture.breath
        if self._wander.any() and posture.time.any():
            idle = self._wander * np.where(self._shy, 1.0 - posture.activity, 1.0)
            time = (2.0 * np.pi * self._tempo) * WANDER_RATES[:, None, None] * posture.time
            for axis, ahead in ((1, 0.0), (0, 1.9)):
                apart = np.arange(len(about))[:, None] * 2.4 + ahead
                waves = np.sin(time + apart * np.array([1.0, 1.7, 2.3])[:, None, None])
                angles[axis] += idle * np.tensordot(WANDER_WEIGHTS, waves, axes=1) * (1.0 if axis else 0.5)
        if self._sprung:
            angles[1, self._sprung] += state.sprung[0]
            angles[0, self._sprung] -= state.sprung[1]
        return angles


def _moves(part: Any) -> bool:
    return bool(
        part.swing
        or any(part.bend)
        or part.lean
        or part.steady
        or part.look
        or part.wander
        or part.breath
        or part.spring
    )


def _above(layout: JointLayout, joint: int, segments: int) -> list[int]:
    """The joints above a part, from its segment down."""
    above: list[int] = []
    while joint >= segments or not above:
        joint = layout.parents[joint]
        above.append(joint)
    return above[::-1]


def _turned(angles: Array) -> Array:
    """Rotations (4, ...) about y, then x, then z, from angles (3, ...) about x, y and z."""
    half = 0.5 * angles
    (sx, sy, sz), (cx, cy, cz) = np.sin(half), np.cos(half)
    turned: Any = quaternions.turn_x((0.0, sy, 0.0, cy), cx, sx)  # pyright: ignore[reportArgumentType]
    return np.array(quaternions.turn_z(turned, cz, sz))  # pyright: ignore[reportArgumentType]


def _product(a: Array, b: Array) -> Array:
    found: Any = quaternions.multiply(tuple(a), tuple(b))  # pyright: ignore[reportArgumentType]
    return np.array(found)
