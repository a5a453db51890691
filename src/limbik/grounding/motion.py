"""What is read from a clip, whatever the terrain: its feet, when they stand, and whether they carry the figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_detection import measure_foot
from limbik.grounding.plants import Plant, feet_able_to_stand, find_plants, foot_support, hardly_stands
from limbik.grounding.settings import Settings
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.torso import pelvis_of


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip and its feet."""

    clip: Clip
    world: tuple[Array, Array]  # positions and rotations of all joints in the world
    feet: tuple[Foot, ...]
    plants: list[list[Plant]]  # of each foot
    support: Array  # (frames,) how far feet carry the figure, from 0 to 1
    spans: Array  # (frames, feet) distances from hip to ankle
    ankles: Array  # (frames, feet, 3) positions of the ankles; closer to the body where strides are shortened

    @property
    def hips(self) -> list[int]:
        """The joints from which the legs hang."""
        return [foot.limb.joints[0] for foot in self.feet]

    @property
    def pelvis(self) -> int:
        """The joint from which all legs hang."""
        return pelvis_of(self.clip.skeleton, [foot.limb for foot in self.feet])

    @property
    def leg(self) -> float:
        """The mean length of the legs in metres."""
        return float(np.mean([foot.leg for foot in self.feet]))

    @property
    def is_biped(self) -> bool:
        """Whether the figure has no more than two legs."""
        return len(self.feet) < 3

    @property
    def is_always_supported(self) -> bool:
        """Whether feet carry the figure in all frames."""
        return bool(self.support.min(initial=1.0) == 1.0)


def read_motion(
    clip: Clip, limbs: Sequence[RigLimb], settings: Settings, slow: float, shapes: Sequence[Foot] | None = None
) -> Motion:
    """The feet of a clip and when they stand: as the clip's contacts say, or else as its motion shows.

    slow: a speed in m/s below which feet stand in any case. shapes: the feet, where their soles are known already.
    """
    world, contacts = clip.world(), clip.contacts
    able = feet_able_to_stand(clip, limbs, world[0])
    found = [measure_foot(clip, limb, world, settings, slow, able[:, k]) for k, limb in enumerate(limbs)]
    if shapes is not None:
        each = zip(found, shapes, strict=True)
        found = [(replace(shape, reach=foot.reach, stiff=foot.stiff), stands) for (foot, stands), shape in each]
    plants = [
        find_plants(foot, clip, world, settings, slow, stands, None if contacts is None else contacts[:, k])
        for k, (foot, stands) in enumerate(found)
    ]
    if contacts is None and not slow and hardly_stands(plants, able):
        plants = [[] for _ in plants]
    support = foot_support(able, clip.fps) if contacts is None else np.ones(len(clip))
    hips, ankles = (world[0][:, [limb.joints[end] for limb in limbs]] for end in (0, -1))
    feet = tuple(foot for foot, _ in found)
    return Motion(clip, world, feet, plants, support, np.linalg.norm(ankles - hips, axis=-1), ankles)


@dataclass(frozen=True, eq=False)
class Stepping:
    """When feet of known shape stand, as in another motion; for the frames after a stray pose in front.

    Feet that are points stand when their own motion shows it: they have no heel that rises before their ball does.
    """

    shapes: tuple[Foot, ...]
    plants: list[list[Plant]]  # of each foot
    support: Array  # (frames,) how far feet carry the figure, from 0 to 1
    skipped: int  # frames in front of these, 0 or 1
