"""Recorded clips as positions of joints in known layouts."""

import numpy as np

import limbik
from tests.assets import asset

# The joints of CMU's skeleton that are the 22 of HumanML3D.
CMU_JOINTS = (
    *("Hips", "LeftUpLeg", "RightUpLeg", "LowerBack", "LeftLeg", "RightLeg", "Spine", "LeftFoot", "RightFoot"),
    *("Spine1", "LeftToeBase", "RightToeBase", "Neck", "LeftShoulder", "RightShoulder", "Neck1", "LeftArm", "RightArm"),
    *("LeftForeArm", "RightForeArm", "LeftHand", "RightHand"),
)


def recording(name):
    """A recorded clip."""
    return limbik.load(asset(f"bvh/cmu_{name}.bvh"))


def humanml3d_positions(clip):
    """The positions (frames, 22, 3) of a clip with CMU's skeleton."""
    return np.ascontiguousarray(clip.positions()[:, [clip.skeleton.index(name) for name in CMU_JOINTS]])


def mediapipe_landmarks(positions):
    """MediaPipe's 33 world landmarks of 22 positions: centred on the hips, y down, z away from a camera in front."""
    places = np.zeros((len(positions), 33, 3))
    rows = {11: 16, 12: 17, 13: 18, 14: 19, 15: 20, 16: 21, 23: 1, 24: 2, 25: 4, 26: 5, 27: 7, 28: 8, 31: 10, 32: 11}
    for landmark, joint in rows.items():
        places[:, landmark] = positions[:, joint]
    across = positions[:, 16] - positions[:, 17]
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    ahead = np.cross(across, [0.0, 1.0, 0.0])
    head = positions[:, 15] + [0.0, 0.1, 0.0]
    places[:, :11] = (head + 0.09 * ahead)[:, None]
    places[:, 7], places[:, 8] = head + 0.07 * across, head - 0.07 * across
    for side, wrist, elbow in ((0, 20, 18), (1, 21, 19)):
        along = positions[:, wrist] - positions[:, elbow]
        along *= 0.4 / np.linalg.norm(along, axis=-1, keepdims=True)
        for n, aside in ((17, -0.03), (19, 0.03), (21, 0.05)):
            places[:, n + side] = positions[:, wrist] + (0.2 if n < 21 else 0.1) * along + aside * ahead
        places[:, 29 + side] = positions[:, 7 + side] - [0.0, 0.05, 0.0]
    places -= 0.5 * (places[:, [23]] + places[:, [24]])
    return places * [1.0, -1.0, -1.0]
