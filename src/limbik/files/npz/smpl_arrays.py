"""AMASS: rotations of the joints of SMPL's bodies as axis-angle vectors, z up, without the lengths of their bones.

The licensed bodies are not needed. Bones have average lengths, of an adult of 1.7 m (segment lengths as fractions of
the height: Winter, Biomechanics and Motor Control of Human Movement), unless the file has an array `rest_joints`
(joints, 3): the positions of the joints in the body's rest pose, a T-pose with +y up, facing +z, in metres.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.file_limits import check_joint_frames
from limbik.files.npz.npz_archive import NpzArchive
from limbik.rotations import exponential, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.joint_layouts import HUMANML3D, JointLayout, layout_of
from limbik.skeleton.skeleton import Skeleton

Z_UP = np.array([-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])  # takes +z to +y
# From each joint's parent to the joint in a T-pose, in metres: +x left, +y up, +z forward. The right side mirrors them.
AVERAGE_BONES = {
    "pelvis": (0.0, 0.93, 0.0),
    "left_hip": (0.085, -0.08, 0.0),
    "spine1": (0.0, 0.11, -0.01),
    "left_knee": (0.0, -0.4, 0.0),
    "spine2": (0.0, 0.13, 0.0),
    "left_ankle": (0.0, -0.4, -0.02),
    "spine3": (0.0, 0.06, 0.01),
    "left_foot": (0.02, -0.05, 0.12),
    "neck": (0.0, 0.21, -0.03),
    "left_collar": (0.075, 0.12, -0.02),
    "head": (0.0, 0.08, 0.04),
    "left_shoulder": (0.105, 0.03, -0.01),
    "left_elbow": (0.27, 0.0, -0.02),
    "left_wrist": (0.25, 0.0, 0.0),
    "left_hand": (0.09, 0.0, 0.0),
    "jaw": (0.0, -0.01, 0.02),
    "left_eye": (0.03, 0.05, 0.07),
}
# Of each finger: its first joint, seen from the wrist, and the lengths of its first two bones.
AVERAGE_FINGERS = {
    "index": ((0.1, 0.0, 0.025), 0.035, 0.022),
    "middle": ((0.105, 0.0, 0.002), 0.033, 0.024),
    "ring": ((0.098, 0.0, -0.018), 0.03, 0.023),
    "pinky": ((0.09, 0.0, -0.036), 0.022, 0.017),
    "thumb": ((0.035, -0.01, 0.03), 0.035, 0.028),
}


def clip_of_amass(archive: NpzArchive, fps: float | None) -> Clip:
    """The clip in an AMASS file: poses (frames, 3 × joints) of 22, 24, 52 or 55 joints, and trans (frames, 3)."""
    from limbik.files.npz.npz_reader import rate_in

    shape = archive.shape("poses")
    layout = _layout(shape[-1] // 3) if len(shape) == 2 and shape[-1] % 3 == 0 else None
    if layout is None:
        wanted = "(frames, 66, 72, 156 or 165): axis-angle vectors of 22, 24, 52 or 55 joints"
        raise FileError(archive.path, "poses", f"has shape {shape}; expected {wanted}")
    frames, joints = shape[0], layout.rows
    check_joint_frames(archive.path, "", joints, frames, archive.room)
    turns = archive.array("poses", frames, shape[-1]).reshape(frames, joints, 3)
    path = archive.array("trans", frames, 3)
    rotations = exponential(turns)
    rotations[:, 0] = multiply(Z_UP, rotations[:, 0])
    skeleton = Skeleton(layout.names, layout.parents, _bones(archive, layout))
    translations = np.tile(skeleton.translations, (frames, 1, 1))
    translations[:, 0] = rotate(Z_UP, path)
    return Clip(skeleton, rotations, translations, fps=fps or rate_in(archive) or 120.0)


def _layout(joints: int) -> JointLayout | None:
    if joints == HUMANML3D.rows:
        return HUMANML3D
    return next((found for name in ("smpl", "smplh", "smplx") if (found := layout_of(joints, name))), None)


def _bones(archive: NpzArchive, layout: JointLayout) -> Array:
    """From each joint's parent to the joint at rest, (joints, 3)."""
    if "rest_joints" not in archive:
        return np.array([_average_bone(name) for name in layout.names])
    at_rest = archive.array("rest_joints", layout.rows, 3)
    above = np.where(layout.parents[:, None] >= 0, at_rest[layout.parents], 0.0)
    bones = at_rest - above
    bones[0] = [0.0, at_rest[0, 1] - at_rest[:, 1].min(), 0.0]
    return bones


def _average_bone(name: str) -> Array:
    side = "right" if name.startswith("right") else "left"
    mirror = np.array([-1.0 if side == "right" else 1.0, 1.0, 1.0])
    name = name.replace(side, "left")
    if name in AVERAGE_BONES:
        return np.array(AVERAGE_BONES[name]) * mirror
    finger, number = name.removeprefix("left_")[:-1], int(name[-1])
    first, *bones = AVERAGE_FINGERS[finger]
    return np.array(first if number == 1 else (bones[number - 2], 0.0, 0.0)) * mirror
