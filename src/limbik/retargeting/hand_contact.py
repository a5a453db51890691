"""Hands that touch each other, the head, the hips, the legs or the other arm where the source's do.

How near a hand is to a part of the body is measured from the part's axis. Where it is as near as a touch, the hand goes
to the same place along that axis, as far from it as the source's hand, scaled by the width of the part; farther away
that counts for less, and from a little distance on for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.smoothing import smooth
from limbik.retargeting.figure_parts import FINGERS
from limbik.retargeting.part_frames import PartFrames, World
from limbik.retargeting.transfer import Transfer, limb_length
from limbik.rotations import inverse, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import RigLimb

# In lengths of the arm: how far a hand that touches a part is from its axis. Hands beside a walker are 0.2 from a leg.
TOUCHING_ARM_LENGTHS = {"hand": 0.2, "leg": 0.15, "arm": 0.12, "torso": 0.2, "head": 0.2}
FREE_DISTANCES = 1.35  # times the distance of a touch: beyond, a hand goes where its arm points
HEAD_NECK_LENGTHS = 2.0  # of the way from the neck's first joint to the head's: where the head ends
MAX_WAY_ARM_LENGTHS = 0.4  # that a hand goes to touch the body: bodies of other shapes are out of reach
SMOOTHING_SECONDS = 0.05  # half the width of the window over which the hands' displacements are smoothed
MAX_TOUCH_SPEED_ARM_LENGTHS_S = 0.6  # of a hand over what it touches: one that is twice as fast passes by
MAX_MISS_ARM_LENGTHS = 1e-4  # a displacement that is smaller does not count


class Segment(NamedTuple):
    """The axis of a part of the body in a motion."""

    kind: str
    first: Array  # (frames, 3)
    last: Array  # (frames, 3)
    width: float  # of the part, metres: relative to another figure's


def touch_as_source(transfer: Transfer, source: World, posed: Clip) -> Clip:
    """The clip with hands brought to what they touch in the source, whose joints in the world are given.

    First to the body, then, each half of the way, to each other.
    """
    arms = [name for name, limb in transfer.limbs.items() if limb.kind == "arm" and not limb.stands]
    for find in (_ways_to_body, _ways_to_hands):
        world = posed.world()
        for name, way in find(transfer, arms, source, world, posed.fps).items():
            shift, hand = smooth(way, round(SMOOTHING_SECONDS * posed.fps)), transfer.limbs[name].joints[-1]
            if np.abs(shift).max(initial=0.0) > MAX_MISS_ARM_LENGTHS * limb_length(transfer.target, name):
                goal, turn = world[0][:, hand] + shift, world[1][:, hand]
                posed = posed.reach(transfer.limbs[name], goal, end_rotation=turn)
    return posed


def _ways_to_hands(transfer: Transfer, arms: list[str], source: World, target: World, fps: float) -> dict[str, Array]:
    """How far (frames, 3) each hand is to move towards the others."""
    ours, theirs = ({name: palm(one, name, world) for name in arms} for one, world in _both(transfer, source, target))
    ways = {name: np.zeros(target[0][:, 0].shape) for name in arms if len(arms) > 1}
    for a, b in combinations(arms, 2):
        arm, scale = limb_length(transfer.source, a), limb_length(transfer.target, a) / limb_length(transfer.source, a)
        apart = ours[b] - ours[a]
        weight = _nearness(np.linalg.norm(apart, axis=-1), TOUCHING_ARM_LENGTHS["hand"] * arm)
        weight *= _stillness(apart / arm, fps)
        half = 0.5 * weight[:, None] * (theirs[b] - theirs[a] - scale * apart)
        ways[a], ways[b] = ways[a] + half, ways[b] - half
    return ways


def _ways_to_body(transfer: Transfer, arms: list[str], source: World, target: World, fps: float) -> dict[str, Array]:
    """How far (frames, 3) each hand is to move to what it touches of the body."""
    ways, figures = {}, _both(transfer, source, target)
    for name in arms:
        hands = [palm(figure, name, world) for figure, world in figures]
        arm = limb_length(transfer.source, name)
        moves, weights = np.zeros(hands[1].shape), np.zeros(len(hands[1]))
        others = sorted(one for one in transfer.limbs if one != name)
        for ours, theirs in zip(*(_segments(*figure, others) for figure in figures), strict=True):
            along, away = _from_axis(hands[0], ours)
            distance = np.linalg.norm(away, axis=-1)
            weight = _nearness(distance, TOUCHING_ARM_LENGTHS[ours.kind] * arm)
            path = np.stack([along * np.linalg.norm(ours.last - ours.first, axis=-1), distance], axis=-1) / arm
            weight *= _stillness(path, fps)
            wanted = theirs.first + along[:, None] * (theirs.last - theirs.first) + theirs.width / ours.width * away
            moves += weight[:, None] * (wanted - hands[1])
            weights += weight
        way = moves / np.maximum(weights, 1.0)[:, None]
        most = MAX_WAY_ARM_LENGTHS * limb_length(transfer.target, name)
        ways[name] = way / np.sqrt(1.0 + np.sum(way * way, axis=-1, keepdims=True) / most**2)
    return ways


def _both(transfer: Transfer, source: World, target: World) -> tuple[tuple[PartFrames, World], ...]:
    return (transfer.source, source), (transfer.target, target)


def palm(figure: PartFrames, name: str, world: World) -> Array:
    """The palm (frames, 3) of an arm's hand: between the wrist and where its fingers begin, where they are known."""
    wrist = figure.parts.limbs[name].joints[-1]
    fingers = [figure.parts.chains.get(name.replace("arm", finger)) for finger in FINGERS if finger != "thumb"]
    bases = [figure.rest[0][chain[0]] for chain in fingers if chain]
    if not bases:
        return world[0][:, wrist]
    ahead = 0.5 * (np.mean(bases, axis=0) - figure.rest[0][wrist])
    return world[0][:, wrist] + rotate(world[1][:, wrist], rotate(inverse(figure.rest[1][wrist]), ahead))


def _nearness(distance: Array, touching: float) -> Array:
    """From 1 (touching) to 0 (free), smoothly."""
    t = np.clip((FREE_DISTANCES - distance / touching) / (FREE_DISTANCES - 1.0), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _stillness(path: Array, fps: float) -> Array:
    """From 1 (still) to 0 (passing by), smoothly, of a hand on a path (frames, n), in lengths of the arm."""
    if len(path) < 2:
        return np.ones(len(path))
    speed = np.linalg.norm(np.gradient(smooth(path, round(SMOOTHING_SECONDS * fps)), 1.0 / fps, axis=0), axis=-1)
    t = np.clip(2.0 - speed / MAX_TOUCH_SPEED_ARM_LENGTHS_S, 0.0, 1.0)
    return smooth(t * t * (3.0 - 2.0 * t), round(SMOOTHING_SECONDS * fps))


def _from_axis(points: Array, axis: Segment) -> tuple[Array, Array]:
    """Where points (frames, 3) are along an axis, (frames,) from 0 to 1, and their ways (frames, 3) from it."""
    way, to = axis.last - axis.first, points - axis.first
    along = np.clip(np.sum(to * way, axis=-1) / np.maximum(np.sum(way * way, axis=-1), 1e-12), 0.0, 1.0)
    return along, to - along[:, None] * way


def _segments(figure: PartFrames, world: World, others: list[str]) -> Iterator[Segment]:
    """The axes of what a hand can touch: torso, head, and the other limbs, which all have two links."""
    positions, limbs, torso = world[0], figure.parts.limbs, figure.parts.torso
    hips = _middle(positions, [limb for limb in limbs.values() if limb.kind == "leg"])
    shoulders = _middle(positions, [limb for limb in limbs.values() if limb.kind == "arm"])
    yield Segment("torso", hips, shoulders, 0.5 * (_width(figure, "leg") + _width(figure, "arm")))
    neck = positions[:, torso.neck[0]] if torso.neck else shoulders
    head = positions[:, torso.neck[-1]] if len(torso.neck) > 1 else neck + 0.3 * (shoulders - hips)
    yield Segment("head", neck, neck + HEAD_NECK_LENGTHS * (head - neck), _width(figure, "arm"))
    for other in others:
        limb = limbs[other]
        if len(limb.joints) == 3:
            for a, b in pairwise(limb.joints):
                yield Segment(limb.kind, positions[:, a], positions[:, b], limb_length(figure, other))


def _middle(positions: Array, limbs: list[RigLimb]) -> Array:
    return np.mean(positions[:, [limb.joints[0] for limb in limbs]], axis=1)


def _width(figure: PartFrames, kind: str) -> float:
    """How far the roots of the limbs of a kind are apart at rest."""
    roots = figure.rest[0][[limb.joints[0] for limb in figure.parts.limbs.values() if limb.kind == kind]]
    return max(float(np.ptp(roots, axis=0).max()), 1e-3)
