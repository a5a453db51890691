"""Positions of joints, and the feature vectors of HumanML3D, which hold them, as clips.

A feature vector has, for a figure of n joints, 12 n − 1 numbers: the root's turn and velocity over the ground from this
frame to the next (half the angle, radians a frame; x and z, metres a frame), its height, the positions of the other
joints as seen from the root's heading (3 n − 3), their rotations (6 n − 6), velocities (3 n) and four contacts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, FileError, as_unicode
from limbik.files.file_limits import check_joint_frames, joint_frames_limit, size_of_file
from limbik.files.npy_files import map_npy
from limbik.files.npz import npz_reader
from limbik.rotations import about, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.joint_layouts import LAYOUT_NAMES, JointLayout, layout_of
from limbik.skeleton.symmetry import UP
from limbik.skeleton.units import Unit

FEATURE_WIDTHS = {263: "humanml3d", 251: "kit"}
CONTACTS = 4  # the last numbers of a feature vector, 0 or 1


def load(
    path: Path,
    sample: str | int | None = None,
    unit: str | float | Unit = "auto",
    up_axis: str = "auto",
    fps: float | None = None,
    limit: int | None = None,
    names: str | None = None,
) -> Clip:
    """The clip in a .npz or .npy file: see `limbik.load`."""
    if path.suffix.lower() == ".npz":
        clip = npz_reader.load(path, sample, fps, limit, names)
        if clip is not None:
            return clip
        numbers, stated = npz_reader.positions_in(path, limit)
    else:
        room = joint_frames_limit(limit, size_of_file(path))
        numbers, stated = map_npy(path), None
        if numbers.dtype.kind not in "iuf":
            raise FileError(path, "", f"holds {numbers.dtype}; expected numbers")
        if numbers.size > 12 * room:
            raise FileError(path, "", f"has shape {numbers.shape}; load(path, limit=...) allows more numbers")
        numbers = np.array(numbers, np.float64)
        if not np.isfinite(numbers).all():
            raise FileError(path, "", "holds values that are not finite")
    if numbers.ndim == 2 and numbers.shape[1] in FEATURE_WIDTHS:
        found = layout_of((numbers.shape[1] + 1) // 12, FEATURE_WIDTHS[numbers.shape[1]])
        assert found is not None
        layout, numbers = found, positions_of_features(numbers, path)
    else:
        numbers = _chosen_sample(numbers, sample, path)
        layout = _layout(numbers, names, path)
    check_joint_frames(path, "", layout.rows, len(numbers), joint_frames_limit(limit, path.stat().st_size))
    from limbik.learning.fit import fit

    rate = fps or stated or layout.fps
    try:
        clip = fit(numbers, layout.name, fps=rate, unit=unit, up_axis=up_axis)
    except ArgumentError as error:
        raise FileError(path, "", str(error)) from None
    return clip.with_(name=as_unicode(path.stem))


def positions_of_features(features: Array, path: object = "features") -> Array:
    """The positions (frames, joints, 3) in feature vectors (frames, 12 × joints − 1); metres, +y up."""
    if not len(features) or not np.all(np.isin(features[:, -CONTACTS:], (0.0, 1.0))):
        wanted = "0 or 1, as in feature vectors that are not normalised: multiply by their deviation, and add the mean"
        raise FileError(path, "", f"has contacts other than {wanted}")
    joints = (features.shape[1] + 1) // 12
    turned = np.concatenate([[0.0], np.cumsum(features[:-1, 0])])
    world = about(UP, -2.0 * turned)
    steps = np.zeros((len(features), 3))
    steps[1:, [0, 2]] = features[:-1, 1:3]
    root = np.cumsum(rotate(world, steps), axis=0)
    root[:, 1] = features[:, 3]
    others = features[:, 4 : 4 + 3 * (joints - 1)].reshape(len(features), joints - 1, 3)
    positions = np.empty((len(features), joints, 3))
    positions[:, 0] = root
    positions[:, 1:] = rotate(world[:, None], others) + root[:, None] * [1.0, 0.0, 1.0]
    return positions


def _chosen_sample(numbers: Array, sample: str | int | None, path: Path) -> Array:
    """Positions (frames, joints, 3), of one of several samples."""
    if numbers.ndim == 2 and numbers.shape[1] % 3 == 0:
        numbers = numbers.reshape(len(numbers), -1, 3)
    lead = numbers.ndim == 4
    samples = len(numbers) if lead else 1
    number = 0 if sample is None else sample
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < max(samples, 1):
        raise ArgumentError("animation", repr(sample), f"the number of a sample of {path}, below {samples}")
    if numbers.ndim not in (3, 4) or numbers.shape[-1] != 3 or not numbers.size:
        wanted = "(frames, joints, 3), (samples, frames, joints, 3), or feature vectors (frames, 263 or 251)"
        raise FileError(path, "", f"has shape {numbers.shape}; expected {wanted}")
    return numbers[number] if lead else numbers


def _layout(positions: Array, names: str | None, path: Path) -> JointLayout:
    found = layout_of(positions.shape[1], names)
    if found is None:
        known = f"names={names!r}" if names else f"one of {', '.join(LAYOUT_NAMES)}"
        raise FileError(
            path, "", f"has {positions.shape[1]} joints, which {known} has not; limbik.fit takes other ones"
        )
    return found
