"""A rest pose in which a figure stands, read from its motion where its file has none.

In files of some recordings the pose without rotations is no pose: all bones lie along one axis. What is read from a
figure at rest (which limbs carry it, where it faces, what mirrors what) is then read from how it stands in the motion.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from limbik.arrays import Array
from limbik.rotations import about, inverse, multiply, normalized
from limbik.skeleton.pose import Pose
from limbik.skeleton.rest_figure import RestFigure
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.symmetry import UP, symmetry

FLAT_HEIGHT_SIZES = (
    0.4  # the height of a figure without named legs, over its size, below which its rest pose may be none
)
MIN_DROP_LENGTHS = 0.3  # how far the end of a leg is below its root while a figure stands, over the leg's length
MIN_STANDING_HEIGHT = 0.9  # of the largest height, or of how far legs come down: frames in which the figure stands


def is_standing(skeleton: Skeleton) -> bool:
    """Whether a skeleton's rest pose is one: legs hang down in it or, where no names tell of legs, it is not flat."""
    from limbik.skeleton.limb_finding import limbs_by_name

    if any(reading.kind == "leg" and reading.side for reading in skeleton.readings):
        figure = RestFigure(skeleton)
        limbs = limbs_by_name(figure)
        if any(limb.kind == "leg" for limb in limbs):
            return figure.stands(limbs)
    extents = np.ptp(Pose.rest(skeleton).positions(), axis=0)
    return bool(extents[1] > FLAT_HEIGHT_SIZES * extents.max()) or _has_limbs(skeleton)


def _has_limbs(skeleton: Skeleton) -> bool:
    from limbik.skeleton.limb_finding import NoLimbsError

    try:
        return bool(skeleton.limbs)
    except NoLimbsError:
        return False


def standing_skeleton(pose: Pose) -> Skeleton:
    """The skeleton of poses; where it does not stand at rest and the poses do, with a rest pose read from these.

    That has the mean rotations of the frames in which the figure stands, and faces +z where names tell left from right.
    Translations stay those of the file wherever joints keep them.
    """
    skeleton = pose.skeleton
    if skeleton.stands_at_rest or not pose.rotations.size:
        return skeleton
    rotations, translations = (
        array.reshape(-1, *array.shape[-2:])[_standing_frames(pose)] for array in (pose.rotations, pose.translations)
    )
    if not len(rotations):
        return skeleton
    local = _means(rotations)
    pelvis = skeleton.torso.pelvis
    above = skeleton.ancestors(pelvis)
    local[list(above)] = rotations[0, list(above)]
    turns = _without_headings(_product(rotations, (*reversed(above), pelvis)))
    local[pelvis] = multiply(inverse(_product(local, tuple(reversed(above)))), turns)
    moved = np.ptp(translations, axis=0).max(-1) + np.abs(translations[0] - skeleton.translations).max(-1)
    moved = (moved > 1e-6 * np.abs(skeleton.translations).max()) & (skeleton.parents >= 0)
    offsets = np.where(moved[:, None], translations.mean(axis=0), skeleton.translations)
    found = replace(skeleton, rotations=local, translations=offsets)
    plane = symmetry(found)
    if plane.named:
        roots, ahead = list(skeleton.roots), plane.forward
        local[roots] = multiply(about(UP, np.arctan2(-ahead[0], ahead[2])), local[roots])
        found = replace(skeleton, rotations=local, translations=offsets)
    return found if found.stands_at_rest and _has_limbs(found) else skeleton


def _named_legs(skeleton: Skeleton) -> list[tuple[int, ...]]:
    from limbik.skeleton.limb_finding import limbs_by_name

    return [limb.joints for limb in limbs_by_name(RestFigure(skeleton)) if limb.kind == "leg"]


def _standing_frames(pose: Pose) -> Array:
    """The numbers of the frames in which the figure stands, the one in which it is tallest first."""
    positions = pose.positions().reshape(-1, len(pose.skeleton), 3)
    legs = _named_legs(pose.skeleton)
    if legs:
        drops = [positions[:, leg[0], 1] - positions[:, leg[-1], 1] for leg in legs]
        lengths = [np.linalg.norm(np.diff(positions[:, leg], axis=1), axis=-1).sum(-1) for leg in legs]
        height = np.mean(drops, axis=0) / np.mean(lengths, axis=0)
        height[height < MIN_DROP_LENGTHS] = -np.inf
    else:
        height = np.ptp(positions[..., 1], axis=-1)
    finite = np.isfinite(positions).all(axis=(1, 2)) & np.isfinite(height)
    height = np.where(finite, height, -np.inf)
    order = np.argsort(-height, kind="stable")
    return order[(height[order] >= MIN_STANDING_HEIGHT * height[order[0]]) & np.isfinite(height[order])]


def _means(rotations: Array) -> Array:
    """The mean rotations (..., 4) over axis 0 of quaternions (frames, ..., 4), which are near each other."""
    signs = np.where(np.sum(rotations * rotations[:1], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return normalized(np.mean(signs * rotations, axis=0))


def _product(rotations: Array, joints: tuple[int, ...]) -> Array:
    """The product (..., 4) of the local rotations of joints, from the root on."""
    found = np.broadcast_to([0.0, 0.0, 0.0, 1.0], rotations[..., 0, :].shape)
    for joint in joints:
        found = multiply(found, rotations[..., joint, :])
    return found


def _without_headings(rotations: Array) -> Array:
    """The mean (4,) of world rotations (frames, 4), each turned about the vertical to be nearest to the first."""
    away = multiply(rotations, inverse(rotations[:1]))
    return _means(multiply(about(UP, -2.0 * np.arctan2(away[:, 1], away[:, 3])), rotations))
