"""Frames of the parts of a figure that mean the same in any rig, read from its rest pose and its motion.

A link's frame has +z along the link and +x along the axis about which it bends: of knees and elbows that axis is read
from the motion, as far as they bend in it, and otherwise from the rest pose, in which knees bend backwards and elbows
forwards. A hand's frame has +x towards its thumb, a foot's is upright and ahead where it stands flat, and those of the
torso are so at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.retargeting.figure_parts import FINGERS, FigureParts
from limbik.rotations import about, inverse, multiply, normalized, reject, rotate
from limbik.skeleton.bending import link_frames
from limbik.skeleton.foot import Foot
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton
from limbik.skeleton.symmetry import UP, symmetry

World = tuple[Array, Array]  # positions (..., joints, 3) and rotations (..., joints, 4)

REST_HINGE_WEIGHT = 0.03  # of the axis by default, relative to what a limb bent by a right angle throughout shows
MIN_LEVEL_SHARE = 0.5  # of the way across hips or shoulders that is level, for it to show where they face
MIN_HAND_LENGTHS = 0.02  # of the forearm's length: a joint of the hand that is closer to the wrist shows no direction


@dataclass(frozen=True, eq=False)
class PartFrames:
    """How the joints of a figure lie in the frames of its parts.

    Attributes:
        parts: The parts of the figure.
        rest: Positions (joints, 3) and rotations (joints, 4) of its joints at rest, in the world.
        facing: (4,) rotation about the vertical, from +z to where the figure faces at rest.
        frames: (joints, 4) the frame of each joint's part, in the joint's frame.
        hinges: Of each limb (links, 3), the axes about which links bend, in the frames of `carriers`.
        carriers: Of each limb, the joint that carries the far end of each link.
        feet: The feet of the limbs that walk.
    """

    parts: FigureParts
    rest: World
    facing: Array
    frames: Array
    hinges: Mapping[str, Array]
    carriers: Mapping[str, tuple[int, ...]]
    feet: Mapping[str, Foot]

    def limb_frames(self, name: str, world: World, links: Array) -> Array:
        """The frames (frames, links, 4) of a limb's links (frames, links, 3) in a motion."""
        carriers = list(self.carriers[name])
        return link_frames(links, rotate(world[1][:, carriers], self.hinges[name]))


def read_frames(parts: FigureParts, feet: Mapping[str, Foot], motion: World | None) -> PartFrames:
    """The frames of a figure's parts. motion: its joints in the world, where its clip is one, and not just a pose."""
    skeleton = parts.skeleton
    rest = Pose.rest(skeleton).world()
    ahead = symmetry(skeleton).forward
    facing = about(UP, np.arctan2(ahead[0], ahead[2]))
    frames = multiply(inverse(rest[1]), facing)
    for joint, kind in ((parts.torso.chest, "arm"), (parts.torso.pelvis, "leg")):
        frames[joint] = multiply(inverse(rest[1][joint]), _heading_across(parts, kind, rest[0], facing))
    hinges, carriers = {}, {}
    for name, limb in parts.limbs.items():
        carriers[name] = carriers_of(skeleton, limb)
        hinges[name] = _hinges(limb, carriers[name], rest, ahead, motion)
        turned = list(limb.joints[:-1])
        axes = rotate(rest[1][list(carriers[name])], hinges[name])
        links = np.diff(rest[0][list(limb.joints)], axis=0)
        frames[turned] = multiply(inverse(rest[1][turned]), link_frames(links, axes))
        if name in feet:
            _add_foot(frames, feet[name], skeleton)
        elif limb.kind == "arm":
            _add_hand(frames, parts, limb, rest, ahead)
    return PartFrames(parts, rest, facing, frames, hinges, carriers, feet)


def _heading_across(parts: FigureParts, kind: str, positions: Array, facing: Array) -> Array:
    """The rotation (4,) about the vertical from +z to where hips or shoulders face at rest.

    A rest pose that is read from a motion may be one whose shoulders are turned from its hips.
    """
    roots = {
        side: [positions[limb.joints[0]] for limb in parts.limbs.values() if (limb.kind, limb.side) == (kind, side)]
        for side in ("left", "right")
    }
    if not (roots["left"] and roots["right"]):
        return facing
    left = np.mean(roots["left"], axis=0) - np.mean(roots["right"], axis=0)
    if np.hypot(left[0], left[2]) < MIN_LEVEL_SHARE * np.linalg.norm(left) or not left.any():
        return facing
    return about(UP, np.arctan2(-left[2], left[0]))


def carriers_of(skeleton: Skeleton, limb: RigLimb) -> tuple[int, ...]:
    """The joint that carries the far end of each link: the last twist joint of the link, or the one it begins with."""
    found = []
    for joint, beyond in zip(limb.joints, limb.joints[1:], strict=False):
        above = int(skeleton.parents[beyond])
        found.append(above if joint == above or joint in skeleton.ancestors(above) else joint)
    return tuple(found)


def _hinges(limb: RigLimb, carriers: tuple[int, ...], rest: World, ahead: Array, motion: World | None) -> Array:
    """The axes (links, 3) about which a limb's links bend, each in its carrier's frame."""
    links = normalized(np.diff(rest[0][list(limb.joints)], axis=0))
    left = np.cross(UP, ahead)
    if limb.kind == "leg" or limb.stands:
        default = np.broadcast_to(left, links.shape)
    else:  # elbows bend forwards
        default = np.cross(links, ahead)
        default = np.where(np.linalg.norm(default, axis=-1, keepdims=True) > 0.1, default, left)
    own = normalized(rotate(inverse(rest[1][list(carriers)]), normalized(reject(default, links))))
    if len(limb.joints) != 3:
        return own
    positions, rotations = rest if motion is None else motion
    bones = normalized(np.diff(positions[..., list(limb.joints), :], axis=-2)).reshape(-1, 2, 3)
    bends = np.cross(bones[:, 0], bones[:, 1])  # as long as the sine of the bend
    turns = rotations[..., list(carriers), :].reshape(-1, 2, 4)
    seen = np.mean(rotate(inverse(turns), bends[:, None]), axis=0)
    agrees = np.sum(seen * own, axis=-1, keepdims=True) > 0.0
    return normalized(np.where(agrees, seen, 0.0) + REST_HINGE_WEIGHT * own)


def _add_foot(frames: Array, foot: Foot, skeleton: Skeleton) -> None:
    """Fills in the frames of a foot and its toes; those of a foot without toes are as at rest."""
    if foot.pointlike:
        return
    frames[foot.ankle] = inverse(foot.flat)
    if not skeleton.end_sites[foot.ball]:
        frames[foot.ball] = inverse(multiply(foot.flat, foot.toes_flat))


def _add_hand(frames: Array, parts: FigureParts, limb: RigLimb, rest: World, ahead: Array) -> None:
    """Fills in the frames of a hand and its fingers."""
    positions, rotations = rest
    fingers = {
        finger: parts.chains[name] for finger in FINGERS if (name := limb.name.replace("arm", finger)) in parts.chains
    }
    hand, skeleton = limb.joints[-1], parts.skeleton
    forearm = positions[hand] - positions[limb.joints[-2]]
    far = MIN_HAND_LENGTHS * float(np.linalg.norm(forearm))
    ends = [_tip(skeleton, chain, positions) for finger, chain in fingers.items() if finger != "thumb"]
    ends = ends or [positions[child] for child in skeleton.children[hand] if child not in fingers.get("thumb", ())]
    along = np.mean(ends, axis=0) - positions[hand] if ends else forearm
    along = normalized(along if np.linalg.norm(along) > far else forearm)
    thumb = normalized(reject(_thumb_side(skeleton, fingers, positions, ahead), along))
    if not thumb.any():
        thumb = normalized(reject(UP, along))
    frames[hand] = multiply(inverse(rotations[hand]), link_frames(along, thumb))
    for finger, chain in fingers.items():
        axis = np.cross(along, thumb) if finger == "thumb" else thumb
        points = [*(positions[joint] for joint in chain), _tip(skeleton, chain, positions)]
        link = along
        for joint, next_link in zip(chain, np.diff(points, axis=0), strict=True):
            link = next_link if np.linalg.norm(next_link) > 0.1 * far else link  # without an end, as the one before
            frames[joint] = multiply(inverse(rotations[joint]), link_frames(link, axis))


def _tip(skeleton: Skeleton, chain: tuple[int, ...], positions: Array) -> Array:
    """Where a finger ends: at the mark of its end, or at its last joint."""
    beyond = skeleton.children[chain[-1]]
    return positions[beyond[0] if beyond else chain[-1]]


def _thumb_side(skeleton: Skeleton, fingers: Mapping[str, tuple[int, ...]], positions: Array, ahead: Array) -> Array:
    """The direction (3,) across a hand, towards its thumb: at rest ahead, where no finger shows it."""
    across = [finger for finger in ("index", "middle", "ring", "little") if finger in fingers]
    if len(across) > 1:
        side = positions[fingers[across[0]][0]] - positions[fingers[across[-1]][0]]
        if np.linalg.norm(side) > 0.0:
            return normalized(side)
    if "thumb" in fingers and across:
        tips = (_tip(skeleton, fingers[finger], positions) for finger in ("thumb", across[0]))
        base = positions[skeleton.parents[fingers["thumb"][0]]]
        thumb, finger = (normalized(tip - base) for tip in tips)
        return reject(thumb, finger)
    return ahead
