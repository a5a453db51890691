"""Where the body of a figure goes: its soles as high as the source's, scaled, and its feet still where they stand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_detection import measure_foot
from limbik.grounding.foot_mesh import foot_vertices
from limbik.grounding.motion import read_motion
from limbik.grounding.plants import feet_able_to_stand
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smooth
from limbik.retargeting.part_frames import World
from limbik.rotations import about, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb

LOWEST_FOOT_LEG_LENGTHS = 0.03  # by which a foot is higher than the lowest when it counts for a third as much
SMOOTHING_SECONDS = 0.05  # half the width of the window over which the height is smoothed
MIN_STANDING_SECONDS = 0.15  # a figure's feet are measured in its clip where they stand for longer in it
HANDOVER_SECONDS = 0.12  # half the width of the window over which the body goes over from foot to foot
REST_FRAMES = 3  # of the clip of a figure at rest


def measure_feet(clip: Clip, limbs: Mapping[str, RigLimb]) -> dict[str, Foot]:
    """The feet of the limbs that walk in a clip, by the names of the limbs."""
    world = clip.world()
    able = feet_able_to_stand(clip, list(limbs.values()), world[0])
    found = {}
    for k, (name, limb) in enumerate(limbs.items()):
        found[name], _ = measure_foot(clip, limb, world, Settings(), 0.0, able[:, k])
    return found


def clip_on_floor(figure: Clip, limbs: Mapping[str, RigLimb]) -> Clip:
    """The figure standing on a floor: its own motion, where it is one of bones without a mesh, else its rest pose."""
    bare = all(foot_vertices(figure, limb.joints[-1]) is None for limb in limbs.values())
    if bare and len(figure) >= MIN_STANDING_SECONDS * figure.fps and not figure.is_coarse and figure.duration > 0.0:
        motion = read_motion(figure.with_(feet=(), contacts=None), list(limbs.values()), Settings(), 0.0)
        seconds = [sum(one.lift - one.down for one in plants) / figure.fps for plants in motion.plants]
        if min(seconds) > MIN_STANDING_SECONDS:
            return figure
    return rest_clip(figure, limbs)


def rest_clip(figure: Clip, limbs: Mapping[str, RigLimb]) -> Clip:
    """The figure at rest for some frames, with its soles on the floor, where its mesh shows them."""
    rest = Pose.rest(figure.skeleton)
    count, joints = REST_FRAMES, len(figure.skeleton)
    still = figure.with_(
        rotations=np.broadcast_to(rest.rotations, (count, joints, 4)),
        translations=np.broadcast_to(rest.translations, (count, joints, 3)),
        scales=None if rest.scales is None else np.broadcast_to(rest.scales, (count, joints, 3)),
        feet=(),
        contacts=None,
        terrain=None,
    )
    positions, rotations = rest.world()
    soles = []
    for limb in limbs.values():
        ankle = limb.joints[-1]
        vertices = foot_vertices(figure, ankle)
        if vertices is not None:
            soles.append(float((positions[ankle] + rotate(rotations[ankle], vertices))[:, 1].min()))
    return still.moved([0.0, -min(soles), 0.0]) if soles else still


def heights_of_soles(world: World, local: Array, feet: Mapping[str, Foot]) -> Array:
    """How high (frames, feet) each sole is, under the heel or the ball. local: the joints' local rotations."""
    lowest = []
    for foot in feet.values():
        points = foot.sole_points(world[0][:, foot.ankle], world[1][:, foot.ankle], local[:, foot.ball])
        lowest.append(points[:, points.shape[1] // 3 : 3, 1].min(axis=-1))  # not the ends, which dip into the floor
    return np.stack(lowest, axis=-1)


def height_over_floor(moved: Clip, wanted: Array, stands: Array, feet: Mapping[str, Foot]) -> Array:
    """By how much (frames,) a figure is to be raised for its soles to be as high as wanted, (frames, feet).

    stands: (frames, feet) bool, when the balls of the feet stand: on average they are on the floor then.
    """
    world, leg = moved.world(), float(np.mean([foot.leg for foot in feet.values()]))
    away = wanted - heights_of_soles(world, moved.rotations, feet)
    low = wanted - wanted.min(axis=1, keepdims=True)
    weight = np.exp(-low / (LOWEST_FOOT_LEG_LENGTHS * leg))
    rise = smooth(np.sum(weight * away, axis=1) / np.sum(weight, axis=1), round(SMOOTHING_SECONDS * moved.fps))
    balls = np.stack([foot.ball_positions(*world)[:, 1] - foot.sole for foot in feet.values()], axis=-1)
    return rise - np.mean((balls + rise[:, None])[stands]) if stands.any() else rise


def shift_over_feet(balls: Array, wanted: Array, stands: Array, headings: Array, fps: float) -> Array:
    """By how much (frames, 3) a body is to be moved over the ground for its feet to stay where they stand.

    balls: (frames, feet, 3), of its feet. wanted: of the source's, scaled: these stand still. stands: (frames, feet)
    bool. headings: (frames,) of the body, radians. Feet that are farther apart, or farther ahead, than the source's
    stay so: only what differs from that counts.
    """
    away = (wanted - balls) * [1.0, 0.0, 1.0]
    own = rotate(about(UP, -headings)[:, None], away)
    weight = np.stack([smooth(one.astype(float), max(round(HANDOVER_SECONDS * fps), 1)) for one in stands.T], axis=-1)
    total = np.sum(weight, axis=0)
    usual = np.einsum("tk,tki->ki", weight, own) / np.maximum(total, 1e-9)[:, None]
    away = rotate(about(UP, headings)[:, None], own - usual)
    shift = np.sum(weight[..., None] * away, axis=1) / np.maximum(weight.sum(axis=1), 1.0)[:, None]
    return smooth(shift, round(SMOOTHING_SECONDS * fps))
