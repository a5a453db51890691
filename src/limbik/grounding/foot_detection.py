"""Finding the feet of a clip: their joints, their soles, and their rotation when flat on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, LimbikError
from limbik.grounding.foot_mesh import foot_shape
from limbik.grounding.plants import contact_frames, quantile, speeds
from limbik.grounding.settings import Settings
from limbik.rotations import from_matrices, inverse, normalized, reject, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.limb_finding import NoLimbsError, as_limb, find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton, tree
from limbik.skeleton.timing import intervals

MIN_REACH_LINK_LENGTHS = 0.97  # of their length: legs may stretch this far even if they never do in the clip
UNEVEN_FLOOR_LEG_LENGTHS = 0.1  # plants of a foot that mostly differ more in height were not made on a level floor
MIN_SHARE_AT_ONE_LEVEL = 0.67  # of the time at one level: the foot stands on a floor, whatever it does in the rest
MAX_STANDING_LIMB_LEG_LENGTHS = 0.2  # a limb that always stays higher above the feet does not walk
HEEL_FOOT_LENGTHS = 0.2  # from ankle to tip: how far behind the ankle the sole touches the ground; heels are round
CALM_PLANT_SHARE = 0.75  # of the frames of its plants in which a ball does not land or rise
MIN_FLAT_PLANT_SHARE = 0.4  # of a foot's plants: if its ankle rests for less, it does not come down on its heel
TIPPED_ANKLE_LEG_LENGTHS = (
    0.07  # an ankle whose heights above the ball differ by more is at times that of a tipped foot
)
MIN_REST_POSE_COSINE = 0.3  # cosine of the largest angle between the verticals of a flat foot and that of the rest pose
MAX_LANDED_BALL_LEG_LENGTHS = 0.009  # above the level of its plant: a ball that is higher lands or rises
BRIEF_PLANT_SECONDS = 0.06  # a plant that lasts less says little about the foot
MAX_STIFF_TOES_CHANGE = 0.005  # of a quaternion's components, about half a degree: toes that turn less never bend
MAX_SHOE_LEG_LENGTHS = 0.2  # from the ball to the tip of a shoe: the large shoes of cartoons fit on no tread
MAX_MESH_SOLE_CHANGE_LEG_LENGTHS = 0.01  # a recorded floor that is off by no more is taken to be that of the mesh
MAX_SUNKEN_METRES = 1e-4  # by which joints may be below a floor on which they lie, by rounding: they have no soles
DEFAULT_SOLE_LEG_LENGTHS = 0.024  # height of the joints above the sole where it cannot be measured

LegLike = RigLimb | str | Sequence[str | int]
LegsLike = Sequence[LegLike] | RigLimb | str


def as_legs(clip: Clip, legs: LegsLike | None) -> list[RigLimb]:
    """The limbs that walk, from the argument `legs` of `ground`; by default those that carry the figure."""
    if legs is None:
        return walking_limbs(clip)
    chosen = [legs] if isinstance(legs, RigLimb | str) else legs
    if not isinstance(chosen, Sequence | np.ndarray) or not len(chosen):
        wanted = "a list of limbs, each a RigLimb, a name such as 'left_leg', or joints from hip to ankle"
        raise ArgumentError("legs", shown(legs), wanted)
    return [_as_leg(clip.skeleton, leg, number) for number, leg in enumerate(chosen, start=1)]


def _as_leg(skeleton: Skeleton, leg: LegLike, number: int) -> RigLimb:
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
    return float(heights[:, limb.joints[-1]].min()) < max(feet) + MAX_STANDING_LIMB_LEG_LENGTHS * reach


def measure_foot(
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
    stands = contact_frames(positions[:, ball], clip.fps, leg, settings, slow) & able
    landed = _landed_frames(positions[:, ball, 1], stands, clip.fps, leg)
    sole = _sole_height(positions[:, ball], stands, clip.fps, leg) if settings.sole is None else settings.sole
    both = landed & contact_frames(positions[:, ankle], clip.fps, leg, settings, slow, rolls=True)
    resting = both if np.sum(both) > MIN_FLAT_PLANT_SHARE * np.sum(landed) else landed
    rest, tips = (_ankle_tips(poses, ankle, ball) for poses in (Pose.rest(clip.skeleton).world(), world))
    resting = _frames_as_at_rest(resting, rest, tips, leg)
    flat = np.flatnonzero(_calmest_frames(speeds(rotations[:, ankle], clip.fps), resting, 0.5))
    inverses = inverse(rotations[:, ankle])
    up = normalized(np.mean(rotate(inverses[flat], UP), axis=0))
    to_ball = np.median(rotate(inverses, positions[:, ball] - positions[:, ankle]), axis=0)
    to_tip = np.median(rotate(inverse(rotations[:, ball]), positions[:, tip] - positions[:, ball]), axis=0)
    ahead = to_ball if ball != ankle else rotate(inverses[flat][0], np.array([0.0, 0.0, 1.0]))
    forward = normalized(reject(ahead, up))
    side = np.cross(up, forward)
    toes = _mean_rotation(clip.rotations[flat, ball])
    shape = None if ball == ankle else foot_shape(clip, ankle, up, forward, leg)
    to_front = to_tip
    if shape is not None:
        height, ahead = shape.under + float(np.sum(to_ball * up)), shape.front - float(np.sum(to_ball * forward))
        if settings.sole is None and abs(height - sole) <= MAX_MESH_SOLE_CHANGE_LEG_LENGTHS * leg:
            sole = height
        if float(np.sum(rotate(toes, to_tip) * forward)) < ahead <= MAX_SHOE_LEG_LENGTHS * leg:
            to_front = rotate(inverse(toes), ahead * forward)
    heel = up * (np.sum(to_ball * up) - sole)
    has_toes = not clip.skeleton.end_sites[ball]
    if not has_toes:  # a foot of one bone rolls over its sole, not over toes that lie on the ground
        to_ball, sole = to_ball - sole * up, 0.0
    length = float(np.sum((to_ball + rotate(toes, to_tip)) * forward)) if ball != ankle else 0.0
    back = heel - HEEL_FOOT_LENGTHS * length * forward
    rear = back
    if shape is not None and np.sum((shape.rear - back) * forward) < 0.0:
        rear = shape.rear - np.sum(shape.rear * side) * side
    turning = float(np.ptp(clip.rotations[:, ball], axis=0).max())
    foot = Foot(
        limb,
        leg,
        links=(float(links[0]), float(links[1])),
        reach=_reach(positions, limb, float(links[:2].sum()), settings.extension),
        ankle=ankle,
        ball=ball,
        tip=tip,
        sole=sole,
        tip_sole=sole + float(np.sum(rotate(toes, to_tip) * up)),
        flat=inverse(from_matrices(np.stack([side, up, forward], axis=-1))),
        heel=heel,
        back=back,
        rear=rear,
        to_ball=to_ball,
        to_tip=to_tip,
        to_front=to_front,
        toes_flat=toes,
        stiff=ball != ankle and has_toes and turning < MAX_STIFF_TOES_CHANGE,
    )
    return foot, stands


def _reach(positions: Array, limb: RigLimb, length: float, extension: float | None) -> float:
    """How far the first two links may stretch, in metres: hardly farther than they do in the clip. length: of both."""
    straightest = np.linalg.norm(positions[:, limb.joints[2]] - positions[:, limb.joints[0]], axis=-1) / length
    return length * (extension or min(max(float(straightest.max()), MIN_REACH_LINK_LENGTHS), 1.0))


def _mean_rotation(rotations: Array) -> Array:
    """The mean (4,) of rotations (n, 4) that are close to each other, once they agree in sign."""
    agree = np.sum(rotations * rotations[:1], axis=-1, keepdims=True) >= 0.0
    return normalized(np.mean(np.where(agree, rotations, -rotations), axis=0))


def _landed_frames(heights: Array, stands: Array, fps: float, leg: float) -> Array:
    """The frames in which a ball stands, without those in which it still comes down or rises already: (frames,) bool.

    heights: (frames,), of the ball. The level of a plant is that of its lower quarter. Runs have plants that are
    hardly longer than the landing; those cut off by the ends of the clip may be nothing else.
    """
    result, found = np.zeros(len(stands), bool), intervals(stands)
    for first, stop in [(a, b) for a, b in found if b - a > BRIEF_PLANT_SECONDS * fps] or found:
        part = heights[first:stop]
        result[first:stop] = part <= quantile(part, 0.25) + MAX_LANDED_BALL_LEG_LENGTHS * leg
    level = quantile(heights[result], 0.5) if result.any() else 0.0
    near = result & (np.abs(heights - level) < 0.5 * UNEVEN_FLOOR_LEG_LENGTHS * leg)
    level_enough = np.sum(near) > MIN_SHARE_AT_ONE_LEVEL * np.sum(result)
    return near if level_enough else result  # not where it rests on something else


def _sole_height(ball: Array, stands: Array, fps: float, leg: float) -> float:
    """Height of the ball (frames, 3) above the ground: above a floor at y = 0 if the plants are level and near it."""
    calm = _calmest_frames(speeds(ball, fps), stands, CALM_PLANT_SHARE)
    heights, levels = ball[:, 1], ball[:, 1].copy()
    for first, stop in intervals(stands):
        levels[first:stop] = quantile(heights[first:stop], 0.5)
    most = UNEVEN_FLOOR_LEG_LENGTHS * leg
    spread, uneven = (quantile(one[calm], 0.95) - quantile(one[calm], 0.05) > most for one in (heights, levels))
    # A recorded floor may be tilted: the mean is its middle. Of a foot that also stands on its heel, the median is.
    level = quantile(heights[calm], 0.5) if spread else float(np.mean(heights[calm]))
    uneven = spread and uneven and np.mean(np.abs(levels[calm] - level) < 0.5 * most) < MIN_SHARE_AT_ONE_LEVEL
    found = stands.any() and not uneven and -MAX_SUNKEN_METRES <= level <= 0.25 * leg
    return max(level, 0.0) if found else DEFAULT_SOLE_LEG_LENGTHS * leg


def _ankle_tips(world: tuple[Array, Array], ankle: int, ball: int) -> tuple[Array, Array]:
    """Height of an ankle above the ball, and the vertical in its frame. world: positions and rotations of joints."""
    positions, rotations = world
    return positions[..., ankle, 1] - positions[..., ball, 1], rotate(inverse(rotations[..., ankle, :]), UP)


def _frames_as_at_rest(stands: Array, rest: tuple[Array, Array], tips: tuple[Array, Array], leg: float) -> Array:
    """The frames in which a foot stands, without those in which it is tipped, as of one who kneels on the toes.

    Where heights of the ankle above the ball differ much, flat ones are the high or the low ones, as in the rest pose.
    rest and tips: those heights and the vertical in the ankle's frame, in the rest pose and in every frame.
    """
    upright = stands & (np.sum(rest[1] * tips[1], axis=-1) > MIN_REST_POSE_COSINE)
    if np.sum(upright) < 0.1 * np.sum(stands):
        return stands  # the rest pose of this file is not that of one who stands
    low, high = (quantile(tips[0][upright], part) if upright.any() else 0.0 for part in (0.05, 0.95))
    if high - low <= TIPPED_ANKLE_LEG_LENGTHS * leg:
        return upright
    middle = 0.5 * (low + high)
    alike = upright & ((tips[0] > middle) == (rest[0] > middle))
    if not alike.any():
        return upright
    away = np.abs(tips[0] - rest[0])
    return alike & (away <= quantile(away[alike], 0.5))


def _calmest_frames(speed: Array, stands: Array, part: float) -> Array:
    """The slowest frames of those in which a foot stands: (frames,) bool; all frames if it never does."""
    return stands & (speed <= quantile(speed[stands], part)) if stands.any() else np.ones(len(stands), bool)
