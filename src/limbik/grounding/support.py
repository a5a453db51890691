"""What carries a figure: its feet, or something else while it sits, lies, falls, flies or stands on its hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.grounding.plants import Plant
from limbik.grounding.smoothing import smoothed
from limbik.grounding.strides import Strides
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.torso import pelvis_of

ABOVE = 0.2  # leg lengths: a hip that is less high above its ankle does not rest on the foot; in deep squats 0.24
HIGH = 0.05  # leg lengths above the height of the foot at rest: a foot that rests higher is not on the floor
HIGHER = 0.25  # leg lengths above y = 0, where the figure at rest does not stand there
TRAVELS = 1.0  # leg lengths: a figure that goes farther walks on what is under its feet, however high
FADE = 0.15  # seconds to either side over which feet take over
HARDLY = 0.1  # of the time: feet that stand for less do not carry the figure
NOTED = 0.02  # share of frames that is worth a note


def able_feet(clip: Clip, limbs: Sequence[RigLimb], positions: Array) -> Array:
    """Where feet may carry the figure (frames, feet): hips are above them, and they are down on the floor."""
    hips, ankles = (positions[:, [limb.joints[k] for limb in limbs], 1] for k in (0, -1))
    links = [np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1) for limb in limbs]
    leg = np.array([np.median(one.sum(axis=-1)) for one in links])
    upright: Array = hips - ankles > ABOVE * leg
    pelvis = positions[:, pelvis_of(clip.skeleton, limbs)][:, [0, 2]]
    if np.ptp(pelvis, axis=0).max(initial=0.0) > TRAVELS * leg.mean():
        return upright
    balls = [(limb.toes or limb.joints[-1:])[0] for limb in limbs]
    return upright & (positions[:, balls, 1] < _floors(clip, balls, leg))


def _floors(clip: Clip, balls: Sequence[int], leg: Array) -> Array:
    """The height (feet,) above which a ball is not on the floor: by the figure at rest, if that stands at y = 0."""
    rest = Pose.rest(clip.skeleton).positions()[balls, 1]
    stands = np.all((rest >= 0.0) & (rest < HIGHER * leg))
    return rest + HIGH * leg if stands else HIGHER * leg


def carried_by_feet(able: Array, fps: float) -> Array:
    """How far (frames,) feet carry the figure, from 0 to 1. able: (frames, feet), where each could."""
    feet = np.any(able, axis=1)
    return np.ones(len(feet)) if feet.all() else np.clip(smoothed(feet.astype(float), round(FADE * fps)), 0.0, 1.0)


def hardly_stands(plants: Sequence[Sequence[Plant]], able: Array) -> bool:
    """Whether plants of all feet last so briefly that the figure is as good as never on them. able: (frames, feet)."""
    down = np.zeros(len(able), bool)
    for plant in (one for some in plants for one in some):
        down[plant.first : plant.stop] = True
    return bool(np.sum(down) < HARDLY * np.sum(np.any(able, axis=1)))


def notes_on(carried: Array, stands: Array, strides: Strides | None, frames: slice) -> tuple[str, ...]:
    """What is worth saying about some frames of it. carried: (frames,). stands: (frames, feet)."""
    carried, stands, found = carried[frames], stands[frames], []
    lying = float(np.mean(carried < 0.5)) if len(carried) else 0.0
    if lying > NOTED:
        found.append(
            f"In {lying:.0%} of the frames no foot carries the figure (it sits, lies, falls, flies or stands on its "
            "hands): there it follows the ground as a whole."
        )
    elif not stands.any():
        found.append("No foot stands in any frame: the figure follows the ground under its feet.")
    if strides is not None:
        behind = float(np.linalg.norm(strides.shift[frames][-1]))
        found.append(f"Strides are shortened to fit the steps of the ground: the figure ends {behind:.2f} m behind.")
        if not strides.fits:
            high = f"{strides.steepest:.0%} of its legs"
            found.append(f"Steps remain that are {high} high, higher than it can climb well.")
    return tuple(found)
