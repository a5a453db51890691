"""How a body answers the ground: four-legged figures tilt with it, two-legged ones lean uphill and let a hip drop."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from limbik.arrays import Array
from limbik.grounding.motion import Motion
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smooth
from limbik.rotations import about, inverse, multiply, normalized, rotate, slerp
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP
from limbik.skeleton.limb_finding import NoLimbsError
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.base import Terrain

MAX_TILT_RADIANS = 0.8  # the largest tilt of a four-legged body
SLOPE_RADIUS_LEG_LENGTHS = 0.6  # leg lengths from the root at which the slope of the ground is measured
SLOPE_SAMPLING_SECONDS = 0.05  # seconds between two measurements of that slope
MAX_LEAN_RADIANS = 0.35  # of a body on two legs
MAX_SETBACK_HIP_HEIGHTS = 0.12  # of the pelvis above the feet: how far hips go back, downhill, as the body leans
MAX_HIP_DROP_RADIANS = 0.27  # how far a pelvis tips sideways, one hip below the other


def lean_with_ground(motion: Motion, offsets: Array, terrain: Terrain, settings: Settings) -> Clip:
    """The clip, turned as a whole and in its pelvis as the ground requires; over level ground unchanged.

    offsets: (frames, feet, 3), how far each foot has been displaced. A body that lies turns with the ground.
    """
    clip, feet = motion.clip, motion.feet
    front = np.array([foot.limb.kind == "arm" for foot in feet])
    if front.any() and not front.all():
        return _tilt_body(motion, offsets[..., 1], front, settings)
    pelvis = motion.pelvis
    attached = all(pelvis in clip.skeleton.ancestors(foot.ankle) for foot in feet)  # else feet do not turn with it
    if len(feet) != 2 or len(clip.skeleton.roots) != 1 or not attached:
        return clip
    lean, back = _lean(motion, offsets, terrain, settings) or (None, None)
    drop = _hip_drop(motion, motion.support[:, None] * offsets[..., 1], settings) if settings.lean else None
    if lean is None and drop is None:
        return clip
    still = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(clip), 4))
    lean, drop = (still if turn is None else turn for turn in (lean, drop))
    turned = _steady_head(motion, lean, _turn_pelvis(motion, lean, drop))
    return turned if back is None else turned.moved(translation=back)


def _lean(motion: Motion, offsets: Array, terrain: Terrain, settings: Settings) -> tuple[Array, Array] | None:
    """The rotation (frames, 4) of a body that leans uphill, and how its hips move (frames, 3); None on level ground.

    They go back, downhill, as far as legs would that leaned as the body does, the other way: so it keeps its balance,
    and its legs reach as they did on level ground.
    """
    positions, support, fps = motion.world[0], motion.support, motion.clip.fps
    root, ankles = positions[:, motion.pelvis], [foot.ankle for foot in motion.feet]
    reach = SLOPE_RADIUS_LEG_LENGTHS * motion.leg
    around = reach * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    few = np.arange(0, len(root), max(round(SLOPE_SAMPLING_SECONDS * fps), 1))
    heights = terrain.height(root[few, None][..., [0, 2]] + around)
    slope = np.stack([heights[:, 0] - heights[:, 1], heights[:, 2] - heights[:, 3]], axis=-1) / (2.0 * reach)
    slope = np.stack([np.interp(np.arange(len(root)), few, slope[:, k]) for k in (0, 1)], axis=-1)
    under = terrain.height(positions[few][:, ankles][..., [0, 2]])
    own = min(float(np.std(offsets[few, :, 1]) / max(np.std(under), 1e-9)), 1.0)  # a clip made for such ground leans
    share = own * support * settings.lean + (1.0 - support)
    if not share.any() or not np.any(np.abs(slope) > 1e-6):
        return None
    width = round(settings.pelvis_smoothing * fps)
    slope = smooth(slope, width)
    steep = np.hypot(slope[:, 0], slope[:, 1])
    largest = np.where(support > 0.99, MAX_LEAN_RADIANS, MAX_TILT_RADIANS)
    angle = np.minimum(share * np.arctan(steep), largest)
    # Bodies that lie are tilted with the ground: the side that is uphill rises. Those that stand lean uphill instead.
    angle = angle * (2.0 * support - 1.0)
    uphill = normalized(np.stack([slope[:, 0], 0.0 * steep, slope[:, 1]], axis=-1))
    high = np.maximum(smooth(root[:, 1] - np.mean(positions[:, ankles, 1], axis=1), width), 0.0)
    back = MAX_SETBACK_HIP_HEIGHTS * np.tanh(support * np.tan(angle) / MAX_SETBACK_HIP_HEIGHTS) * high
    return about(np.cross(UP, uphill), angle), -back[:, None] * uphill


def _hip_drop(motion: Motion, rise: Array, settings: Settings) -> Array | None:
    """The rotation (frames, 4) of a pelvis whose hip drops over the lower foot; None where feet rise alike."""
    apart = smooth(rise[:, 0] - rise[:, 1], round(0.5 * settings.pelvis_smoothing * motion.clip.fps))
    if np.abs(apart).max(initial=0.0) < 1e-6:
        return None
    left, right = np.moveaxis(motion.world[0][:, motion.hips], 1, 0)
    across = left - right
    width = np.maximum(np.hypot(across[:, 0], across[:, 2]), 1e-9)
    angle = MAX_HIP_DROP_RADIANS * np.tanh(np.arctan2(apart, width) / MAX_HIP_DROP_RADIANS)
    axis = normalized(np.stack([-across[:, 2], 0.0 * width, across[:, 0]], axis=-1))
    return about(axis, angle)


def _turn_pelvis(motion: Motion, lean: Array, drop: Array) -> Clip:
    """The clip with its pelvis turned by both, and everything on it that is no leg by the lean alone."""
    clip, skeleton, pelvis = motion.clip, motion.clip.skeleton, motion.pelvis
    legs = {joint for hip in motion.hips for joint in skeleton.path(pelvis, hip)}
    own = motion.world[1][:, pelvis]
    turned = multiply(multiply(lean, drop), own)
    back = multiply(inverse(turned), multiply(lean, own))
    local = clip.rotations.copy()
    local[:, pelvis] = multiply(multiply(clip.rotations[:, pelvis], inverse(own)), turned)
    for child in skeleton.children[pelvis]:
        if child not in legs:
            local[:, child] = multiply(back, local[:, child])
    return clip.with_(rotations=local)


def _steady_head(motion: Motion, lean: Array, turned: Clip) -> Clip:
    """The clip `turned` by a lean (frames, 4), with a neck that gives way joint by joint: the head stays upright."""
    neck = _neck(motion.clip.skeleton)
    if not neck:
        return turned
    own, support = motion.world[1], motion.support
    kept = np.where((support == 1.0)[:, None], [0.0, 0.0, 0.0, 1.0], lean)  # who lies is tilted with the head
    local, before = turned.rotations.copy(), lean
    for k, joint in enumerate(neck, start=1):
        after = slerp(lean, kept, np.full(len(lean), k / len(neck)))
        parent = own[:, motion.clip.skeleton.parents[joint]]
        local[:, joint] = multiply(inverse(multiply(before, parent)), multiply(after, own[:, joint]))
        before = after
    return turned.with_(rotations=local)


def _neck(skeleton: Skeleton) -> tuple[int, ...]:
    """The joints from above the chest to the head; none where no torso is found, or they are not one chain."""
    try:
        neck = skeleton.torso.neck
    except NoLimbsError:
        return ()
    return neck if all(skeleton.parents[b] == a for a, b in pairwise(neck)) else ()


def _tilt_body(motion: Motion, rise: Array, front: Array, settings: Settings) -> Clip:
    """The clip of a figure that stands on front and hind legs, tilted with the ground. rise: (frames, feet)."""
    clip, hips = motion.clip, motion.world[0][:, motion.hips]
    ahead = np.mean(hips[:, front], axis=1) - np.mean(hips[:, ~front], axis=1)
    length = np.hypot(ahead[:, 0], ahead[:, 2])
    up = np.mean(rise[:, front], axis=1) - np.mean(rise[:, ~front], axis=1)
    angle = np.clip(np.arctan2(up, np.maximum(length, 1e-9)), -MAX_TILT_RADIANS, MAX_TILT_RADIANS)
    angle = smooth(angle, round(1.8 * settings.pelvis_smoothing * clip.fps))
    axis = normalized(np.stack([-ahead[:, 2], 0.0 * length, ahead[:, 0]], axis=-1))
    turn, centre = about(axis, angle), np.mean(hips, axis=1)
    return clip.moved(translation=centre - rotate(turn, centre), rotation=turn)
