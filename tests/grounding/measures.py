"""Measures of grounded clips, from joint positions alone; they share no code with the solver."""

from itertools import pairwise

import numpy as np
from scipy.spatial.transform import Rotation


def intervals(flags):
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return list(zip(edges[::2], edges[1::2], strict=True))


def slides(clip):
    """For each contact of each foot, how far its joint strays while it stands, metres."""
    positions = clip.positions()
    return [
        np.linalg.norm(np.ptp(positions[first:stop, foot], axis=0))
        for k, foot in enumerate(clip.feet)
        for first, stop in intervals(clip.contacts[:, k])
    ]


def heights(clip, terrain):
    """Per foot, how high its joint is over the ground in its contacts, metres, one array a contact."""
    positions = clip.positions()
    return [
        [
            positions[first:stop, foot, 1] - terrain.height(positions[first:stop, foot][:, [0, 2]])
            for first, stop in intervals(clip.contacts[:, k])
        ]
        for k, foot in enumerate(clip.feet)
    ]


def frozen(clip, frame, frames):
    """A figure that stays as it is in one frame of a clip."""
    return clip.with_(rotations=clip.rotations[[frame] * frames], translations=clip.translations[[frame] * frames])


def accelerations(clip):
    """Angular accelerations of the joints in their parents' frames, (frames - 2, joints), radians a second squared."""
    frames, joints = clip.rotations.shape[:2]
    turns = Rotation.from_quat(clip.rotations.reshape(-1, 4))
    steps = [turns[k * joints : (k + 1) * joints] for k in range(frames)]
    speed = np.stack([(a.inv() * b).as_rotvec() * clip.fps for a, b in pairwise(steps)])
    return np.linalg.norm(np.diff(speed, axis=0), axis=-1) * clip.fps


def bone_lengths(clip):
    parents = np.maximum(clip.skeleton.parents, 0)
    positions = clip.positions()
    return np.linalg.norm(positions - positions[:, parents], axis=-1)


def apart(a, b):
    """Root mean square distance between the joints of two clips, metres."""
    return float(np.sqrt(np.mean(np.sum((a.positions() - b.positions()) ** 2, axis=-1))))
