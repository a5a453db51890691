"""The motion of one figure in the bones of another: every part turns as the source's, the hips go the scaled way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.retargeting.figure_parts import FINGERS
from limbik.retargeting.part_frames import PartFrames, World
from limbik.rotations import IDENTITY, about, inverse, multiply, rotate, slerp
from limbik.skeleton.bending import link_frames
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, freeze


@dataclass(frozen=True, eq=False)
class Transfer:
    """What is needed to move one figure like another."""

    source: PartFrames
    target: PartFrames

    @property
    def legs(self) -> list[str]:
        """The limbs that both figures have and that carry the source."""
        return [name for name, limb in self.limbs.items() if limb.stands or limb.kind == "leg"]

    @property
    def feet(self) -> list[str]:
        """The limbs that both figures walk on."""
        return [name for name in self.target.feet if name in self.source.feet]

    @property
    def limbs(self) -> dict[str, RigLimb]:
        """The target's limbs that the source has, too."""
        ours = self.source.parts.limbs
        return {name: limb for name, limb in self.target.parts.limbs.items() if name in ours}

    @property
    def scale(self) -> float:
        """The length of the target's legs, relative to the source's."""
        ours, theirs = (sum(limb_length(one, name) for name in self.legs) for one in (self.source, self.target))
        return theirs / ours


def limb_length(figure: PartFrames, name: str) -> float:
    """The length of a limb's links, metres."""
    points = figure.rest[0][list(figure.parts.limbs[name].joints)]
    return float(np.linalg.norm(np.diff(points, axis=0), axis=-1).sum())


def transfer_motion(transfer: Transfer, source: World, figure: Clip, like: Clip, standing: Mapping[str, Array]) -> Clip:
    """The figure with the source's motion, its hips where the source's are, scaled by the length of the legs.

    source: the source's joints in the world. like: the source, for frame rate and name. standing: how far each foot
    stands, (frames,) from 0 to 1.
    """
    turned = _world_rotations(transfer, source, standing)
    skeleton, count = figure.skeleton, len(like)
    rest = Pose.rest(skeleton)
    world: list[Array] = []
    rotations = np.tile(rest.rotations, (count, 1, 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = world[parent] if parent >= 0 else IDENTITY
        if joint in turned:
            world.append(turned[joint])
            rotations[:, joint] = multiply(inverse(above), turned[joint])
        else:
            world.append(multiply(above, rest.rotations[joint]))
    scales = None if rest.scales is None else np.broadcast_to(rest.scales, (count, *rest.scales.shape))
    moved = figure.with_(
        rotations=freeze(rotations),
        translations=np.broadcast_to(rest.translations, (count, len(skeleton), 3)),
        scales=scales,
        fps=like.fps,
        start=like.start,
        name=like.name or figure.name,
        feet=(),
        contacts=None,
        terrain=None,
    )
    return _place_hips(transfer, source, moved)


def _place_hips(transfer: Transfer, source: World, moved: Clip) -> Clip:
    """The clip with the middle of its hips where the source's are, scaled."""
    legs = [name for name in transfer.legs if transfer.limbs[name].kind == "leg"] or transfer.legs
    ours, theirs = ([one.parts.limbs[name].joints[0] for name in legs] for one in (transfer.source, transfer.target))
    wanted = transfer.scale * np.mean(source[0][:, ours], axis=1)
    return move_body(moved, transfer.target, wanted - np.mean(moved.positions()[:, theirs], axis=1))


def move_body(clip: Clip, figure: PartFrames, shift: Array) -> Clip:
    """The clip with its pelvis, and all that hangs from it, moved by (frames, 3) metres."""
    pelvis = figure.parts.torso.pelvis
    parent = int(clip.skeleton.parents[pelvis])
    translations = np.array(clip.translations)
    if parent < 0:
        local = shift
    elif clip.scales is None:
        local = rotate(inverse(clip.world()[1][:, parent]), shift)
    else:
        local = np.linalg.solve(clip.world_matrices()[:, parent, :, :3], shift[..., None])[..., 0]
    translations[:, pelvis] += local
    return _attach_ends(clip.with_(translations=freeze(translations)), figure)


def keep_roots(clip: Clip, figure: PartFrames) -> Clip:
    """The clip with its root where it is at rest, and its pelvis where it was: moved without what hangs beside it."""
    roots, pelvis = list(clip.skeleton.roots), figure.parts.torso.pelvis
    limbs = figure.parts.limbs.values()
    if pelvis in roots or any(pelvis not in clip.skeleton.ancestors(limb.joints[-1]) for limb in limbs):
        return clip
    root = clip.skeleton.ancestors(pelvis)[-1]
    shift = clip.translations[:, root] - clip.skeleton.translations[root]
    translations = np.array(clip.translations)
    translations[:, root] = clip.skeleton.translations[root]
    return move_body(clip.with_(translations=freeze(translations)), figure, shift)


def _attach_ends(moved: Clip, figure: PartFrames) -> Clip:
    """The clip with feet that hang from another part of the rig than their legs put at the ends of these."""
    skeleton, at_rest = moved.skeleton, figure.rest
    for limb in figure.parts.limbs.values():
        *_, above, end = limb.joints
        if above in skeleton.ancestors(end):
            continue
        parent = int(skeleton.parents[end])
        link = rotate(inverse(at_rest[1][above]), at_rest[0][end] - at_rest[0][above])
        positions, rotations = moved.world()
        wanted = positions[:, above] + rotate(rotations[:, above], link)
        translations = np.array(moved.translations)
        matrices = moved.world_matrices()[:, parent]
        local = np.linalg.solve(matrices[..., :3], (wanted - matrices[..., 3])[..., None])
        translations[:, end] = local[..., 0]
        moved = moved.with_(translations=freeze(translations))
    return moved


def _world_rotations(transfer: Transfer, source: World, standing: Mapping[str, Array]) -> dict[int, Array]:
    """The rotations (frames, 4) in the world of the target's joints that the source moves."""
    ours, theirs = transfer.source, transfer.target
    frames: dict[int, Array] = {}  # of the target's joints

    def of_joints(joints: tuple[int, ...]) -> list[Array]:
        return [multiply(source[1][:, joint], ours.frames[joint]) for joint in joints]

    torsos = ours.parts.torso, theirs.parts.torso
    pelvis = of_joints((torsos[0].pelvis,))[0]
    spine = [pelvis, *of_joints(torsos[0].spine)]
    frames |= _share(spine, torsos[1].spine) | {torsos[1].pelvis: pelvis}
    frames |= _share([spine[-1], *of_joints(torsos[0].neck)], torsos[1].neck)
    chains = ours.parts.chains
    for name, joints in theirs.parts.chains.items():
        if name == "tail" and name in chains:
            frames |= _share([pelvis, *of_joints(chains[name])], joints)
        elif "clavicle" in name:
            frames |= _share([spine[-1], *of_joints(chains.get(name, ()))], joints)
    for name, limb in transfer.limbs.items():
        frames |= _limb(transfer, name, limb, source, standing.get(name))
        if limb.kind == "arm" and not limb.stands and _turns_hand(theirs, limb):
            hand = of_joints(ours.parts.limbs[name].joints[-1:])[0]
            frames[limb.joints[-1]] = hand
            for finger in FINGERS:
                own = theirs.parts.chains.get(name.replace("arm", finger), ())
                like = _finger_like(ours, name, finger)
                if own and like:
                    frames |= _share([hand, *of_joints(like)], own)
    return {joint: multiply(frame, inverse(theirs.frames[joint])) for joint, frame in frames.items()}


def _share(frames: list[Array], joints: tuple[int, ...]) -> dict[int, Array]:
    """The frames of a chain of joints, from those of one with any number of joints, which begin with its base."""
    found = {}
    for k, joint in enumerate(joints, start=1):
        below, part = divmod(k * (len(frames) - 1), len(joints))
        between = frames[below] if not part else slerp(frames[below], frames[below + 1], part / len(joints))
        found[joint] = between
    return found


def _limb(transfer: Transfer, name: str, limb: RigLimb, source: World, standing: Array | None) -> dict[int, Array]:
    """The frames of a limb's links, and of its foot and toes."""
    ours, theirs = transfer.source, transfer.target
    own = ours.parts.limbs[name]
    points = source[0][:, list(own.joints)]
    frames = ours.limb_frames(name, source, np.diff(points, axis=1))
    if len(own.joints) != len(limb.joints):
        frames = _resample_links(transfer, name, source, points)
    found = {joint: frames[:, k] for k, joint in enumerate(limb.joints[:-1])}
    if name in theirs.feet and name in ours.feet:
        foot, like = theirs.feet[name], ours.feet[name]
        stands = multiply(source[1][:, like.ankle], ours.frames[like.ankle])
        if standing is not None and not foot.pointlike and not like.pointlike:
            stands = _tip_by_length(stands, transfer.scale * _foot_length(like) / _foot_length(foot), standing)
        found[foot.ankle] = stands
        if not foot.pointlike and not theirs.parts.skeleton.end_sites[foot.ball]:
            bends = not like.pointlike and not ours.parts.skeleton.end_sites[like.ball]
            found[foot.ball] = multiply(source[1][:, like.ball], ours.frames[like.ball]) if bends else stands
    return found


def _foot_length(foot: Foot) -> float:
    """How far the ball of a flat foot is ahead of the ankle."""
    return max(float(rotate(foot.flat, foot.to_ball)[2]), 1e-3 * foot.leg)


def _tip_by_length(frames: Array, ratio: float, standing: Array) -> Array:
    """Frames (frames, 4) of a long foot that raises its heel no higher than the source's, scaled, while it stands.

    ratio: of the source's length, scaled, to the foot's.
    """
    if ratio >= 1.0:
        return frames
    ahead, across = (rotate(frames, axis) for axis in ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    sine = np.clip(ahead[:, 1], -1.0, 0.0)  # a heel that lands is under the ankle, however long the foot
    return multiply(about(across, standing * (np.arcsin(sine) - np.arcsin(ratio * sine))), frames)


def _resample_links(transfer: Transfer, name: str, source: World, points: Array) -> Array:
    """The frames (frames, links, 4) of a limb whose links are chords of the source's limb, (frames, joints, 3)."""
    ours, theirs = transfer.source, transfer.target
    shares = []
    for one in (ours, theirs):
        lengths = np.linalg.norm(np.diff(one.rest[0][list(one.parts.limbs[name].joints)], axis=0), axis=-1)
        shares.append(np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum())
    at = np.clip(np.searchsorted(shares[0], shares[1], side="right") - 1, 0, len(shares[0]) - 2)
    part = (shares[1] - shares[0][at]) / (shares[0][at + 1] - shares[0][at])
    chosen = points[:, at] + part[:, None] * (points[:, at + 1] - points[:, at])
    middles = 0.5 * (shares[1][1:] + shares[1][:-1])
    link = np.clip(np.searchsorted(shares[0], middles, side="right") - 1, 0, len(shares[0]) - 2)
    carriers = np.array(ours.carriers[name])[link]
    return link_frames(np.diff(chosen, axis=1), rotate(source[1][:, carriers], ours.hinges[name][link]))


def _turns_hand(figure: PartFrames, limb: RigLimb) -> bool:
    """Whether a hand is one joint; where its fingers grow from the forearm, turning one of them would tear it."""
    skeleton, hand = figure.parts.skeleton, limb.joints[-1]
    beside = skeleton.children[int(skeleton.parents[hand])]
    return all(one == hand or skeleton.readings[one].helper or skeleton.end_sites[one] for one in beside)


def _finger_like(figure: PartFrames, name: str, finger: str) -> tuple[int, ...]:
    """The source's finger that one of the target moves like: of the same name, or where it has one for all, that."""
    chains = {one: figure.parts.chains.get(name.replace("arm", one), ()) for one in FINGERS}
    if chains[finger] or finger == "thumb":
        return chains[finger]
    others = [chain for one, chain in chains.items() if chain and one != "thumb"]
    return others[-1] if others else ()
