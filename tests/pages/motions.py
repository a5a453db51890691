"""Clips to make pages of, that need no files."""

import numpy as np

from limbik import samples
from limbik.bodies.body import rigid_body
from limbik.bodies.capsules import bone_mesh
from limbik.skeleton.skeleton import Skeleton

FOOT, SHIFT, STANCE = ("LeftFoot", "RightFoot"), (0.0, 0.5), 0.62


def walk(frames=120):
    """A human who walks, and which foot stands when; drawn as bones, which are orange."""
    clip = samples.walk(frames)
    phase = np.arange(frames)[:, None] / 60.0 + np.array(SHIFT)
    feet = [clip.skeleton.index(name) for name in FOOT]
    body = rigid_body(clip.skeleton, bone_mesh(clip.skeleton))
    return clip.with_(feet=tuple(feet), contacts=phase % 1.0 < STANCE, body=body)


def crowd(count, frames=60):
    """Many of them, a metre apart, each a little later than the one before."""
    clip = walk(frames)
    joints, skeleton = len(clip.skeleton), clip.skeleton
    first = np.repeat(np.arange(count) * joints, joints)
    parents = np.tile(skeleton.parents, count)
    many = Skeleton(
        tuple(f"{k}/{name}" for k in range(count) for name in skeleton.names),
        np.where(parents < 0, -1, parents + first),
        np.tile(skeleton.translations, (count, 1)),
    )
    translations = np.concatenate([np.roll(clip.translations, k, axis=0) for k in range(count)], axis=1)
    translations[:, ::joints, 0] += np.arange(count)
    return clip.with_(
        skeleton=many,
        body=clip.body,
        rotations=np.concatenate([np.roll(clip.rotations, k, axis=0) for k in range(count)], axis=1),
        translations=translations,
        feet=tuple(k * joints + foot for k in range(count) for foot in clip.feet),
        contacts=np.concatenate([np.roll(clip.contacts, k, axis=0) for k in range(count)], axis=1),
    )
