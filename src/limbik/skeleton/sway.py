"""Tails, ears, hair and capes that follow the motion of a figure, by springs whose step is exact.

The far end of each bone hangs on a damped spring from where the clip has it. Between frames it is drawn along a
straight line, for which the motion of a spring is known: the same at any frame rate, and stable at any stiffness. The
bone points to its far end; its length stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from limbik import arguments
from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.rotations import IDENTITY, inverse, multiply, normalized, rotate, shortest_arc, slerp
from limbik.skeleton.bending import perpendicular
from limbik.skeleton.reach import blend_rotations, frame_by_frame
from limbik.springs import free_swing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.clip import Clip


def sway(
    clip: Clip, joints: Sequence[str | int], frequency: float, damping: float, max_angle: float, weight: ArrayLike
) -> Array:
    """Local rotations (frames, joints, 4) with a chain that follows the clip by springs: see `Clip.sway`."""
    rate = 2.0 * np.pi * arguments.number("frequency", frequency, 0.0, unit="hertz", above=True)
    damping = arguments.number("damping", damping, 0.0)
    most = arguments.number("max_angle", max_angle, 0.0, np.pi, unit="radians", above=True)
    positions, turned = clip.world()[:2]
    chain = _bones(clip, positions, joints)
    weights = frame_by_frame(clip, "weight", weight)
    ends = positions[:, [end for _, end in chain]]
    lags = spring_lags(ends, rate, damping, clip.fps)
    rotations = clip.rotations.copy()
    before = clip.skeleton.parents[chain[0][0]]
    above = turned[:, before] if before >= 0 else np.broadcast_to(IDENTITY, turned[:, 0].shape)
    place = positions[:, chain[0][0]]
    reached = chain[0][0]
    carried = np.broadcast_to(IDENTITY, above.shape)  # the turn of the bone before
    for (joint, end), pulled, wanted in zip(chain, np.moveaxis(lags, 1, 0), np.moveaxis(ends, 1, 0), strict=True):
        if joint != reached:  # joints between the bones move as one with the bone before
            place = place + rotate(carried, positions[:, joint] - positions[:, reached])
            above = multiply(carried, turned[:, clip.skeleton.parents[joint]])
        bone = wanted - positions[:, joint]
        carried = _limit_turns(bone, wanted + pulled - place, most)
        now = multiply(carried, turned[:, joint])
        rotations[:, joint] = multiply(inverse(above), now)
        place, reached, above = place + rotate(carried, bone), end, now
    return blend_rotations(clip.rotations, rotations, weights)


def spring_lags(paths: Array, rate: float, damping: float, fps: float) -> Array:
    """How far points on springs are, (frames, ..., 3), from the paths (frames, ..., 3) that they follow."""
    (a, b), (c, d) = free_swing(rate, damping, 1.0 / fps)
    lag = np.zeros_like(paths)
    velocities = np.diff(paths, axis=0) * fps
    speed = np.zeros(paths.shape[1:])  # relative to the path
    for frame, velocity in enumerate(velocities):
        if frame:
            speed = speed - (velocity - velocities[frame - 1])
        lag[frame + 1] = a * lag[frame] + b * speed
        speed = c * lag[frame] + d * speed
        lost = ~np.isfinite(speed)  # a frame that is not finite: the point starts again at rest
        if lost.any():
            speed[lost], lag[frame + 1][lost] = 0.0, 0.0
    return lag


def _bones(clip: Clip, positions: Array, joints: Sequence[str | int]) -> list[tuple[int, int]]:
    """The bones of a chain, as pairs of joints; the last joint's ends at its first child, if it has one."""
    wanted = "a chain of joints, by name or number, from root to tip"
    if isinstance(joints, str) or not isinstance(joints, Sequence | np.ndarray) or not len(joints):
        raise ArgumentError("joints", shown(joints), wanted)
    skeleton = clip.skeleton
    numbers = [skeleton.index(joint) for joint in joints]
    for above, below in pairwise(numbers):
        skeleton.path(above, below)  # raises where one is no descendant of the other
    children = skeleton.children[numbers[-1]]
    if children:
        numbers.append(int(children[0]))
    lengths = np.linalg.norm(np.diff(positions[:, numbers], axis=1), axis=-1)
    bones = [
        pair for pair, length in zip(pairwise(numbers), lengths.T, strict=True) if not len(clip) or np.any(length > 0.0)
    ]
    if not bones:
        raise ArgumentError("joints", shown(joints), f"{wanted}, with a bone of some length")
    return bones


def _limit_turns(bone: Array, toward: Array, most: float) -> Array:
    """Turns (frames, 4) of bones towards directions; large ones ease towards the largest."""
    turn = shortest_arc(normalized(bone), normalized(toward), perpendicular(normalized(bone)))
    angle = 2.0 * np.arctan2(np.linalg.norm(turn[..., :3], axis=-1), np.abs(turn[..., 3]))
    share = np.where(angle > 0.0, most * np.tanh(angle / most) / np.where(angle > 0.0, angle, 1.0), 1.0)
    return slerp(np.broadcast_to(IDENTITY, turn.shape), turn, share)
