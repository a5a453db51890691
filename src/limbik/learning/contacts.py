"""When the feet of a clip stand, found as `limbik.ground` finds it."""

from __future__ import annotations

import numpy as np

from limbik.errors import LimbikError
from limbik.grounding.foot_detection import walking_limbs
from limbik.grounding.motion import read_motion
from limbik.grounding.settings import Settings
from limbik.skeleton.clip import Clip


def with_contacts(clip: Clip) -> Clip:
    """The clip with its feet and their contacts; as it is where it has these, or no legs."""
    if clip.contacts is not None or not len(clip):
        return clip
    try:
        limbs = walking_limbs(clip)
    except LimbikError:
        return clip
    motion = read_motion(clip, limbs, Settings(), 0.0)
    contacts = np.zeros((len(clip), len(limbs)), bool)
    for foot, plants in enumerate(motion.plants):
        for plant in plants:
            contacts[plant.ball : max(plant.rise, plant.ball + 1), foot] = True
    return clip.with_(feet=tuple(limb.joints[-1] for limb in limbs), contacts=contacts)
