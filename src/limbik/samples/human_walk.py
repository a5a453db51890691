"""A human walk, computed rather than recorded."""

from __future__ import annotations

from functools import cache

import numpy as np

from limbik.arguments import whole
from limbik.arrays import Array
from limbik.rotations import about, multiply
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.timing import ease

FPS = 60.0
STRIDE, STEP = 1.0, 1.0  # length in metres and duration in seconds of a stride
STANCE = 0.62  # the fraction of a stride during which a foot stands
LIFT, ANKLE, HIPS = 0.11, 0.08, 0.93  # metres: lift of a foot, and heights of ankle and hips

# Each joint: its name, its parent's name, and its position in the parent's frame, metres; facing +z, arms spread. The
# right side mirrors the left.
MIDDLE = (
    ("Hips", "", (0.0, HIPS, 0.0)),
    ("LowerBack", "Hips", (0.0, 0.05, -0.01)),
    ("Spine", "LowerBack", (0.0, 0.12, 0.0)),
    ("Spine1", "Spine", (0.0, 0.13, 0.0)),
    ("Neck", "Spine1", (0.0, 0.17, 0.0)),
    ("Neck1", "Neck", (0.0, 0.06, 0.01)),
    ("Head", "Neck1", (0.0, 0.07, 0.01)),
)
LEFT = (
    ("LHipJoint", "Hips", (0.05, -0.02, 0.0)),
    ("LeftUpLeg", "LHipJoint", (0.05, -0.03, 0.0)),
    ("LeftLeg", "LeftUpLeg", (0.0, -0.41, 0.02)),
    ("LeftFoot", "LeftLeg", (0.0, -0.41, -0.03)),
    ("LeftToeBase", "LeftFoot", (0.0, -0.05, 0.14)),
    ("LeftShoulder", "Spine1", (0.04, 0.11, 0.0)),
    ("LeftArm", "LeftShoulder", (0.13, 0.0, 0.0)),
    ("LeftForeArm", "LeftArm", (0.28, 0.0, -0.01)),
    ("LeftHand", "LeftForeArm", (0.25, 0.0, 0.02)),
    ("LeftFingerBase", "LeftHand", (0.08, 0.0, 0.0)),
    ("LeftHandIndex1", "LeftFingerBase", (0.04, 0.0, 0.0)),
    ("LThumb", "LeftHand", (0.04, 0.0, 0.04)),
)


def _skeleton() -> Skeleton:
    """The 31 joints of the CMU motion capture database."""
    right = [(_other(name), _other(parent), (-x, y, z)) for name, parent, (x, y, z) in LEFT]
    joints = [*MIDDLE, *LEFT, *right]
    names = tuple(name for name, _, _ in joints)
    parents = [names.index(parent) if parent else -1 for _, parent, _ in joints]
    return Skeleton(names, np.array(parents), np.array([place for _, _, place in joints]))


def _other(name: str) -> str:
    if name.startswith("Left"):
        return "Right" + name[4:]
    return "R" + name[1:] if name.startswith(("LHip", "LThumb")) else name


def walk(frames: int = 300) -> Clip:
    """A human walk straight ahead, along +z, on level ground.

    The skeleton has the 31 joints of the CMU motion capture database. The feet are planted by `reach`; the arms swing.

    Args:
        frames: Number of frames, at 60 frames a second.

    Returns:
        The clip, of a figure 1.5 m tall from toes to head joint that walks at 1 m/s.

    Raises:
        ArgumentError: `frames` is not a positive whole number.
    """
    return _walk(whole("frames", frames, 1))


@cache
def _walk(frames: int) -> Clip:
    figure = _skeleton()
    phase = np.arange(frames) / (STEP * FPS)
    rotations = np.zeros((frames, len(figure), 4))
    rotations[..., 3] = 1.0
    translations = np.tile(figure.translations, (frames, 1, 1))
    # The hips advance at constant speed, and sink twice in a stride.
    down = 0.06 - 0.015 * np.cos(4.0 * np.pi * phase)
    translations[:, 0] = np.stack([0.02 * np.sin(2.0 * np.pi * phase), HIPS - down, STRIDE * phase], axis=-1)
    for side, sign, shift in (("Left", 1.0, 0.5), ("Right", -1.0, 0.0)):  # each arm swings with the opposite leg
        swing = 0.45 * np.sin(2.0 * np.pi * (phase + shift))
        hanging = about(np.array([0.0, 0.0, 1.0]), np.full(frames, -1.35 * sign))
        rotations[:, figure.index(f"{side}Arm")] = multiply(about(np.array([1.0, 0.0, 0.0]), swing), hanging)
        bent = about(np.array([0.0, 1.0, 0.0]), -sign * (0.35 - 0.3 * swing))
        rotations[:, figure.index(f"{side}ForeArm")] = bent
    clip = Clip(figure, rotations, translations, fps=FPS, name="walk")
    for name, sign, shift in (("left_leg", 1.0, 0.0), ("right_leg", -1.0, 0.5)):
        ankles, feet = _step(phase + shift, sign * 0.09, shift)
        clip = clip.reach(name, ankles, end_direction=feet)
    return clip


def _step(phase: Array, lateral: float, shift: float) -> tuple[Array, Array]:
    """Positions of an ankle (frames, 3) and directions from it to the toe (frames, 3)."""
    count, within = np.divmod(phase, 1.0)
    swing = np.clip((within - STANCE) / (1.0 - STANCE), 0.0, 1.0)
    ahead = STRIDE * (count + ease(swing) + STANCE / 2.0 - shift)
    raised = np.sin(np.pi * swing) ** 2
    pitch = -0.34 - 0.5 * np.sin(2.0 * np.pi * np.minimum(swing, 0.5))
    toe = np.stack([np.zeros_like(phase), np.sin(pitch), np.cos(pitch)], axis=-1)
    return np.stack([np.full_like(phase, lateral), ANKLE + LIFT * raised, ahead], axis=-1), toe
