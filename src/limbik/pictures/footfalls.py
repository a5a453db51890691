"""Footfalls: the intervals in which the feet of a clip are planted, and the measures derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.grounding.ground import ground
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.naming import read
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals

UP = np.array([0.0, 1.0, 0.0])
SIDE_ORDER = ("left", "right", "")
ENDS = ("_tip", "_heel", "_toe")  # suffixes of foot joints in clips that limbik made


@dataclass(frozen=True, eq=False)
class Footfalls:
    """The feet of one figure: those of its left side from front to back, then those of its right side, then others."""

    names: tuple[str, ...]
    sides: tuple[str, ...]  # "left", "right" or ""
    stands: Array  # (frames, feet) bool
    fps: float
    start: float  # time of the first frame, seconds
    speed: float  # mean, over the ground, m/s

    @property
    def duty(self) -> Array:
        """(feet,): the part of its strides in which each foot is planted; NaN where it takes no whole one."""
        found = []
        for foot in self.stands.T:
            landings = _landings(foot)
            found.append(np.mean(foot[landings[0] : landings[-1]]) if len(landings) > 1 else np.nan)
        return np.array(found)

    @property
    def stride(self) -> float:
        """Seconds from one touch-down of a foot to its next, the mean of all feet; NaN where no foot has two."""
        strides = [after - before for foot in self.stands.T for before, after in pairwise(_landings(foot))]
        return float(np.mean(strides)) / self.fps if strides else np.nan

    @property
    def support(self) -> Array:
        """(frames,): the number of planted feet."""
        return np.sum(self.stands, axis=1)


def footfalls(clip: Clip) -> Footfalls:
    """The footfalls of a clip: its contacts or, where it has none, those detected in its motion.

    A foot with several contact points, such as heel and tip, is planted while any of them is.
    """
    if len(clip) < 2:
        raise ArgumentError("clip", f"{len(clip)} frames", "at least two, for feet to stand and to swing in")
    if len(clip.skeleton.roots) != 1:
        raise ArgumentError("clip", f"{len(clip.skeleton.roots)} figures", "a single one")
    if clip.contacts is None:
        return _found(clip)
    if not clip.feet:
        raise ArgumentError("clip", "no feet", "feet with contacts, or no contacts, to find them")
    limbs = []
    with suppress(NoLimbsError):
        limbs = list(find_limbs(clip.skeleton).values())
    names = [_name(clip.skeleton.names[foot], foot, limbs) for foot in clip.feet]
    return _footfalls(clip, clip.feet, names, clip.contacts)


def _found(clip: Clip) -> Footfalls:
    """Detected as `ground` does it, on a plane."""
    walked = ground(clip[int(begins_with_stray_pose(clip)) :], "plane")
    limbs = [foot.limb for foot in walked.feet]
    names = [_limb_name(limb, limbs) for limb in limbs]
    # `before` travels: a cycle in place has a speed, too.
    return _footfalls(walked.before, walked.clip.feet, names, walked.standing)


def _footfalls(clip: Clip, joints: Sequence[int], names: Sequence[str], contacts: Array) -> Footfalls:
    """Points of feet with the same name put together, in order."""
    together = {name: [k for k, other in enumerate(names) if other == name] for name in names}
    sides = {name: read(name).side for name in together}
    positions = clip.positions()
    places = {name: positions[:, [joints[k] for k in points]].mean(axis=1) for name, points in together.items()}
    ahead = _ahead(places, sides)
    order = sorted(together, key=lambda name: (SIDE_ORDER.index(sides[name]), -ahead[name]))
    way = np.linalg.norm(np.diff(positions[:, clip.skeleton.roots[0], ::2], axis=0), axis=-1)
    return Footfalls(
        names=tuple(order),
        sides=tuple(sides[name] for name in order),
        stands=np.stack([np.any(contacts[:, together[name]], axis=1) for name in order], axis=1),
        fps=clip.fps,
        start=clip.start,
        speed=float(way.sum()) / clip.duration,
    )


def _ahead(places: dict[str, Array], sides: dict[str, str]) -> dict[str, float]:
    """How far ahead each foot is on average, metres; 0 where there are not both sides to tell what is ahead."""
    pair = [[places[name] for name in places if sides[name] == side] for side in SIDE_ORDER[:2]]
    if not all(pair):
        return dict.fromkeys(places, 0.0)
    left, right = (np.mean(some, axis=0) for some in pair)
    forward = np.cross(left - right, UP)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-12)
    return {name: float(np.mean(np.sum((place - left) * forward, axis=-1))) for name, place in places.items()}


def _landings(stands: Array) -> list[int]:
    """The frames in which a foot touches down."""
    return [first for first, _ in intervals(stands) if first > 0]


def _name(joint: str, number: int, limbs: list[RigLimb]) -> str:
    """The name of a foot's leg, by the joint's own name or by the limb that it belongs to."""
    for end in ENDS:
        if joint.endswith(end):
            return joint.removesuffix(end).replace("_", " ")
    own = [limb for limb in limbs if number in (*limb.joints, *limb.toes)]
    return _limb_name(own[0], limbs) if own else joint


def _limb_name(limb: RigLimb, limbs: list[RigLimb]) -> str:
    """The name of a leg; those of a four-legged animal are fore and hind."""
    if any(other.kind == "arm" and other.stands for other in limbs):
        return f"{limb.side} {'fore' if limb.kind == 'arm' else 'hind'}".strip()
    return limb.name.replace("_", " ")
