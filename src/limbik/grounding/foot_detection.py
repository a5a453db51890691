"""Finding the feet of a clip: their joints, their soles, and their rotation when flat on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, LimbikError
from limbik.grounding.contacts import planted, quantile, speeds
from limbik.grounding.settings import Settings
from limbik.rotations import from_matrices, inverse, normalized, reject, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.limb_finding import NoLimbsError, as_limb, find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton, tree
from limbik.skeleton.timing import intervals

CROUCHED = 0.97  # of their length: legs may stretch this far even if they never do in the clip
UNEVEN = 0.1  # leg lengths: plants of a foot that mostly differ more in height were not made on a level floor
MOSTLY = 0.67  # of the time at one level: the foot stands on a floor, whatever it does in the rest
NEARLY_DOWN = 0.2  # leg lengths: a limb that always stays higher above the feet does not walk
BEHIND = 0.2  # of the length from ankle to tip: how far behind the ankle the sole touches the ground; heels are round
CALM = 0.75  # of the frames of its stances in which a ball does not land or rise
FLAT = 0.4  # of a foot's stances: if its ankle rests for less, it does not come down on its heel
TIPPED = 0.07  # leg lengths: an ankle whose heights above the ball differ by more is not that of a flat foot in all
UPSIDE = 0.3  # cosine of the largest angle between the verticals of a flat foot and that of the rest pose
LANDED = 0.009  # leg lengths above the level of its stance: a ball that is higher lands or rises
BRIEF = 0.06  # seconds: a stance that lasts less says little about the foot
STIFF = 0.005  # change of a quaternion's components, about half a degree: toes that turn less never bend
THIN_SOLE = 0.024  # leg lengths: height of the joints above the sole where it cannot be measured


def as_legs(clip: Clip, legs: Any) -> list[RigLimb]:
    """The limbs that walk, from the argument `legs` of `ground`; by default those that carry the figure."""
    if legs is None:
        return walking_limbs(clip)
    chosen = [legs] if isinstance(legs, RigLimb | str) else legs
    if not isinstance(chosen, Sequence | np.ndarray) or not len(chosen):
        wanted = "a list of limbs, each a RigLimb, a name such as 'left_leg', or joints from hip to ankle"
        raise ArgumentError("legs", shown(legs), wanted)
    return [_as_leg(clip.skeleton, leg, number) for number, leg in enumerate(chosen, start=1)]


def _as_leg(skeleton: Skeleton, leg: Any, number: int) -> RigLimb:
    limb = as_limb(skeleton, leg, "legs")
    if limb.kind:
        return limb
    limbs = find_limbs(skeleton, **{f"leg_{number}": limb.joints})  # finds the toes
    return next(one for one in limbs.values() if one.joints == limb.joints)


def walking_limbs(clip: Clip) -> list[RigLimb]:
    """The limbs that carry the figure: its legs, and arms that stand."""
    try:
        limbs = list(find_limbs(clip.skeleton).values())
    except NoLimbsError:
        limbs = []
    legs = [limb for limb in limbs if limb.kind == "leg"]
    found = [*legs, *(limb for limb in limbs if limb.kind != "leg" and limb.stands and _comes_down(clip, limb, legs))]
    if not legs:  # arms alone carry nobody
        arms = f"; found only {', '.join(limb.name for limb in limbs)}" if limbs else ""
        wanted = 'name them, joints from hip to ankle: ground(clip, terrain, legs=[("hip", "knee", "ankle"), ...])'
        raise LimbikError(f"no legs found{arms}; {wanted}. The joints are:\n" + "\n".join(tree(clip.skeleton, most=60)))
    return found


def _comes_down(clip: Clip, limb: RigLimb, legs: list[RigLimb]) -> bool:
    """Whether a limb that could stand gets as low in the clip as legs do.

    The rest pose alone does not show it: in files without rest rotations hands may hang at the height of feet.
    """
    if not legs:
        return True
    heights = clip.positions()[..., 1]
    feet = [heights[:, leg.joints[-1]].min() for leg in legs]
    reach = max(float(clip.skeleton.lengths[list(leg.joints[1:])].sum()) for leg in legs)
    return float(heights[:, limb.joints[-1]].min()) < max(feet) + NEARLY_DOWN * reach


def foot_of(
    clip: Clip, limb: RigLimb, world: tuple[Array, Array], settings: Settings, slow: float, able: Array
) -> tuple[Foot, Array]:
    """The foot of a limb, measured in the clip where it is `able` (frames,) to stand, and where its ball does so.

    world: positions and rotations of all joints in the world.
    """
    positions, rotations = world
    ankle = limb.joints[-1]
    ball, tip = (limb.toes[0], limb.toes[-1]) if limb.toes else (ankle, ankle)
    links = np.median(np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1), axis=0)
    leg = float(links.sum())
    hip, _, third = (positions[:, joint] for joint in limb.joints[:3])
    reach = float(links[:2].sum())
    straightest = float((np.linalg.norm(third - hip, axis=-1) / reach).max())
    reach *= settings.extension or min(max(straightest, CROUCHED), 1.0)
    stands = planted(positions[:, ball], clip.fps, leg, settings, slow) & able
    landed = _landed(positions[:, ball, 1], stands, clip.fps, leg)
    sole = _sole(positions[:, ball], stands, clip.fps, leg) if settings.sole is None else settings.sole
    both = landed & planted(positions[:, ankle], clip.fps, leg, settings, slow, rolls=True)
    resting = both if np.sum(both) > FLAT * np.sum(landed) else landed
    resting = _as_at_rest(resting, _tips(Pose.rest(clip.skeleton).world(), ankle, ball), _tips(world, ankle, ball), leg)
    flat = np.flatnonzero(_calmest(speeds(rotations[:, ankle], clip.fps), resting, 0.5))
    back = inverse(rotations[:, ankle])
    up = normalized(np.mean(rotate(back[flat], UP), axis=0))
    to_ball = np.median(rotate(back, positions[:, ball] - positions[:, ankle]), axis=0)
    to_tip = np.median(rotate(inverse(rotations[:, ball]), positions[:, tip] - positions[:, ball]), axis=0)
    ahead = to_ball if ball != ankle else rotate(back[flat][0], np.array([0.0, 0.0, 1.0]))
    forward = normalized(reject(ahead, up))
    frame = from_matrices(np.stack([np.cross(up, forward), up, forward], axis=-1))
    heel = up * (np.sum(to_ball * up) - sole)
    if clip.skeleton.end_sites[ball]:  # a foot of one bone rolls over its sole, not over toes that lie on the ground
        to_ball, sole = to_ball - sole * up, 0.0
    stiff = (
        ball != ankle
        and not clip.skeleton.end_sites[ball]
        and float(np.ptp(clip.rotations[:, ball], axis=0).max()) < STIFF
    )
    toes = clip.rotations[flat, ball]  # close to each other, so that their mean is a rotation once they agree in sign
    toes = normalized(np.mean(np.where(np.sum(toes * toes[:1], axis=-1, keepdims=True) < 0.0, -toes, toes), axis=0))
    length = float(np.sum((to_ball + rotate(toes, to_tip)) * forward)) if ball != ankle else 0.0
    back = heel - BEHIND * length * forward
    tip_sole = sole + float(np.sum(rotate(toes, to_tip) * up))
    thigh, shank = float(links[0]), float(links[1])
    joints, heights, turned = (ankle, ball, tip), (sole, tip_sole), inverse(frame)
    foot = Foot(limb, leg, (thigh, shank), reach, *joints, *heights, turned, heel, back, to_ball, to_tip, toes, stiff)
    return foot, stands


def _landed(heights: Array, stands: Array, fps: float, leg: float) -> Array:
    """The frames in which a ball stands, without those in which it still comes down or rises already: (frames,) bool.

    heights: (frames,), of the ball. The level of a stance is that of its lower quarter. Runs have stances that are
    hardly longer than the landing; those cut off by the ends of the clip may be nothing else.
    """
    result, found = np.zeros(len(stands), bool), intervals(stands)
    for first, stop in [(a, b) for a, b in found if b - a > BRIEF * fps] or found:
        part = heights[first:stop]
        result[first:stop] = part <= quantile(part, 0.25) + LANDED * leg
    level = quantile(heights[result], 0.5) if result.any() else 0.0
    near = result & (np.abs(heights - level) < 0.5 * UNEVEN * leg)
    return near if np.sum(near) > MOSTLY * np.sum(result) else result  # not where it rests on something else


def _sole(ball: Array, stands: Array, fps: float, leg: float) -> float:
    """Height of the ball (frames, 3) above the ground: above a floor at y = 0 if the plants are level and near it."""
    calm = _calmest(speeds(ball, fps), stands, CALM)
    heights, levels = ball[:, 1], ball[:, 1].copy()
    for first, stop in intervals(stands):
        levels[first:stop] = quantile(heights[first:stop], 0.5)
    spread, uneven = (quantile(one[calm], 0.95) - quantile(one[calm], 0.05) > UNEVEN * leg for one in (heights, levels))
    # A recorded floor may be tilted: the mean is its middle. Of a foot that also stands on its heel, the median is.
    level = quantile(heights[calm], 0.5) if spread else float(np.mean(heights[calm]))
    uneven = spread and uneven and np.mean(np.abs(levels[calm] - level) < 0.5 * UNEVEN * leg) < MOSTLY
    return level if stands.any() and not uneven and 0.0 <= level <= 0.25 * leg else THIN_SOLE * leg


def _tips(world: tuple[Array, Array], ankle: int, ball: int) -> tuple[Array, Array]:
    """Height of an ankle above the ball, and the vertical in its frame. world: positions and rotations of joints."""
    positions, rotations = world
    return positions[..., ankle, 1] - positions[..., ball, 1], rotate(inverse(rotations[..., ankle, :]), UP)


def _as_at_rest(stands: Array, rest: tuple[Array, Array], tips: tuple[Array, Array], leg: float) -> Array:
    """The frames in which a foot stands, without those in which it is tipped, as of one who kneels on the toes.

    Where heights of the ankle above the ball differ much, flat ones are the high or the low ones, as in the rest pose.
    rest and tips: those heights and the vertical in the ankle's frame, in the rest pose and in every frame.
    """
    upright = stands & (np.sum(rest[1] * tips[1], axis=-1) > UPSIDE)
    if np.sum(upright) < 0.1 * np.sum(stands):
        return stands  # the rest pose of this file is not that of one who stands
    low, high = (quantile(tips[0][upright], part) if upright.any() else 0.0 for part in (0.05, 0.95))
    if high - low <= TIPPED * leg:
        return upright
    middle = 0.5 * (low + high)
    alike = upright & ((tips[0] > middle) == (rest[0] > middle))
    if not alike.any():
        return upright
    away = np.abs(tips[0] - rest[0])
    return alike & (away <= quantile(away[alike], 0.5))


def _calmest(speed: Array, stands: Array, part: float) -> Array:
    """The slowest frames of those in which a foot stands: (frames,) bool; all frames if it never does."""
    return stands & (speed <= quantile(speed[stands], part)) if stands.any() else np.ones(len(stands), bool)
