"""A clip as arrays for training: what `limbik.save` writes to .npz files, and `limbik.training_data` returns.

Frames are on axis 0; where a file has several samples (windows, mirrored copies), samples are on axis 0 and frames on
axis 1. Lengths are metres, +y is up, quaternions are xyzw. The heading frame of a frame lies on y = 0 under the root,
with +y up, +z where the pelvis faces, and +x to the figure's left.

positions           (frames, joints, 3)  of all joints in the world, float32
rotations           (frames, joints, 4)  in the parent's frame, float64
translations        (frames, joints, 3)  in the parent's frame, float64
scales              (frames, joints, 3)  in the parent's frame, where something is scaled, float64
rotations_6d        (frames, joints, 6)  `rotations` as the first two columns of their matrices, one after the other
contacts            (frames, feet)       bool, where each foot stands; missing where that is not known
root_heading        (frames,)            radians about +y from +z to where the pelvis faces, unwound
root_turn_velocity  (frames,)            radians a second, from each frame to the next; the last repeats the one before
root_velocity       (frames, 3)          metres a second, of the root in its heading frame, likewise
local_positions     (frames, joints, 3)  in the heading frame
local_velocities    (frames, joints, 3)  metres a second, of the world, along the axes of the heading frame, likewise
feet                (feet,)              joint numbers, as in `contacts`
names, parents      (joints,)            parents come before their children, -1 for a root
rest_translations, rest_rotations, rest_scales, end_sites, roles   (joints, …)  of the skeleton
fps, start, unit    ()                   frames a second; time of the first frame, seconds; metres of the source's unit
name                ()                   of the clip
sample_starts       (samples,)           the first frame of each sample in the clip
sample_mirrored     (samples,)           bool, whether the sample is mirrored
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from limbik.arrays import Array
from limbik.rotations import about, inverse, rotate, to_matrices
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.symmetry import UP, symmetry


def training_arrays(
    clip: Clip, window: int | None = None, stride: int | None = None, mirrored: bool = False
) -> dict[str, Array]:
    """The arrays of a clip; with windows of so many frames, a `stride` apart, or mirrored copies as samples."""
    variants = [clip, *([clip.mirrored()] if mirrored else [])]
    whole = [frame_arrays(one, clip.feet) for one in variants]
    samples: dict[str, Array] = {}
    if window is None and not mirrored:
        frames = whole[0]
    else:
        length = len(clip) if window is None else window
        starts = np.arange(0, len(clip) - length + 1, stride or length)
        at = starts[:, None] + np.arange(length)
        frames = {name: np.concatenate([one[name][at] for one in whole]) for name in whole[0]}
        samples["sample_starts"] = np.tile(starts, len(whole))
        samples["sample_mirrored"] = np.repeat(np.arange(len(whole)) > 0, len(starts))
    return {**frames, **skeleton_arrays(clip), **samples}


def frame_arrays(clip: Clip, feet: tuple[int, ...]) -> dict[str, Array]:
    """The arrays of a clip that have frames on axis 0; its contacts are in the order of `feet`."""
    positions, rotations = clip.world()
    heading = _headings(clip, rotations)
    back = about(UP, -heading)
    root = positions[:, clip.skeleton.torso.pelvis]
    ground = root * [1.0, 0.0, 1.0]
    steps = _rates(positions, clip.fps)
    found = {
        "positions": positions.astype(np.float32),
        "rotations": clip.rotations,
        "translations": clip.translations,
        "rotations_6d": _six_numbers(clip.rotations).astype(np.float32),
        "root_heading": heading.astype(np.float32),
        "root_turn_velocity": _rates(heading, clip.fps).astype(np.float32),
        "root_velocity": rotate(back, _rates(root, clip.fps)).astype(np.float32),
        "local_positions": rotate(back[:, None], positions - ground[:, None]).astype(np.float32),
        "local_velocities": rotate(back[:, None], steps).astype(np.float32),
    }
    if clip.scales is not None:
        found["scales"] = clip.scales
    if clip.contacts is not None:
        found["contacts"] = clip.contacts[:, [clip.feet.index(foot) for foot in feet]]
    return found


def skeleton_arrays(clip: Clip) -> dict[str, Array]:
    """The arrays that say which skeleton a clip has, and how fast it plays."""
    skeleton = clip.skeleton
    found = {
        "names": _texts(skeleton.names),
        "parents": skeleton.parents,
        "rest_translations": skeleton.translations,
        "rest_rotations": skeleton.rotations,
        "rest_scales": skeleton.scales,
        "end_sites": skeleton.end_sites,
        "fps": np.array(clip.fps),
        "start": np.array(clip.start),
        "unit": np.array(clip.unit.metres),
        "name": np.array(clip.name),
    }
    if skeleton.roles:
        found["roles"] = _texts(skeleton.roles)
    if clip.contacts is not None:
        found["feet"] = np.array(clip.feet, np.int64)
    return found


def _headings(clip: Clip, rotations: Array) -> Array:
    """The angles (frames,) about +y from +z to where the pelvis faces, unwound. rotations: the joints' in the world."""
    pelvis = clip.skeleton.torso.pelvis
    ahead = rotate(inverse(Pose.rest(clip.skeleton).world()[1][pelvis]), symmetry(clip.skeleton).forward)
    facing = rotate(rotations[:, pelvis], ahead)
    return np.unwrap(np.arctan2(facing[:, 0], facing[:, 2]))


def _rates(values: Array, fps: float) -> Array:
    """The changes a second of values (frames, ...) from each frame to the next; the last repeats the one before."""
    if len(values) < 2:
        return np.zeros_like(values)
    steps = np.diff(values, axis=0) * fps
    return np.concatenate([steps, steps[-1:]])


def _six_numbers(rotations: Array) -> Array:
    """The first two columns of the matrices of rotations (..., 4), one after the other: (..., 6)."""
    matrices = to_matrices(rotations)
    return np.concatenate([matrices[..., 0], matrices[..., 1]], axis=-1)


def _texts(texts: Iterable[str]) -> Array:
    return np.array(list(texts), np.str_)
