"""Quality measures of a walk, from the positions of the joints in its clip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature
from limbik.gait.joint_layout import JointLayout
from limbik.skeleton.clip import Clip

FRAMES_AT_ONCE = 100


@dataclass(frozen=True)
class WalkReport:
    """The measures.

    distance: mean distance that the bodies covered, metres. steps: number of touch-downs of all feet. slide: greatest
    movement of a planted foot between two frames, metres. penetration: greatest depth of a foot below the ground,
    metres. extension: greatest distance from a hip to its ankle, over the length of the leg.
    """

    distance: float
    steps: int
    slide: float
    penetration: float
    extension: float


def measured(clip: Clip, creature: Creature) -> WalkReport:
    """The report on a clip of `walk`, of one creature or a crowd."""
    assert clip.contacts is not None and clip.terrain is not None
    layout = JointLayout(creature)
    joints = len(layout.names)
    lengths = np.array([sum(leg.lengths[:2]) for leg in creature.legs])
    hips, ankles = ([chain[k] for chain in layout.chains] for k in (0, 2))
    slide = penetration = extension = 0.0
    for positions, contacts in _blocks(clip):
        feet = positions[:, list(clip.feet)]
        stays = contacts[1:] & contacts[:-1]
        moved = np.linalg.norm(np.diff(feet, axis=0), axis=-1)
        slide = max(slide, float(np.max(moved, where=stays, initial=0.0)))
        penetration = max(penetration, float(np.max(clip.terrain.height(feet[..., ::2]) - feet[..., 1])))
        each = positions.reshape(len(positions), -1, joints, 3)
        stretched = np.linalg.norm(each[:, :, ankles] - each[:, :, hips], axis=-1) / lengths
        extension = max(extension, float(stretched.max()))
    roots = clip.translations[:, clip.skeleton.roots]
    way = np.linalg.norm(np.diff(roots[..., ::2], axis=0), axis=-1)
    landed = _standing(clip.contacts, layout, len(creature.legs))
    steps = int(np.count_nonzero(landed[1:] & ~landed[:-1]))
    return WalkReport(float(way.sum(axis=0).mean()), steps, slide, penetration, extension)


def _blocks(clip: Clip) -> Iterator[tuple[Array, Array]]:
    """Positions and contacts in blocks of frames; each begins with the last frame of the one before."""
    assert clip.contacts is not None
    for start in range(0, max(len(clip) - 1, 1), FRAMES_AT_ONCE):
        frames = slice(start, start + FRAMES_AT_ONCE + 1)
        yield clip[frames].positions(), clip.contacts[frames]


def _standing(contacts: Array, layout: JointLayout, legs: int) -> Array:
    """(frames, creatures, legs) bool: which legs are in stance, on their tip or their heel."""
    each = contacts.reshape(len(contacts), -1, len(layout.feet))
    standing = each[..., :legs].copy()
    standing[..., list(layout.heels)] |= each[..., legs : legs + len(layout.heels)]
    return standing
