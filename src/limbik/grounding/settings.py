"""The settings of `ground`, in the field's words, with their units and defaults."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from math import isfinite

from limbik.errors import ArgumentError


@dataclass(frozen=True)
class Settings:
    """How a clip is grounded. Lengths and speeds are fractions of the leg's length (and of it a second): scale-free.

    plant_speed: below this speed of ball or heel, legs a second, a foot is planted;
    plant_share: or below this share of the foot's fast speed (its 90th percentile), whichever is more.
    unplant_ratio: it is planted until its speed exceeds the plant speed by this factor.
    plant_height: a planted foot is at most this high above the lowest that it comes to nearby, legs.
    unplant_height: it is planted no longer once it has risen by this much of the height through which it swings;
    unplant_radius: or this far from its place, legs.
    shortest_plant: contacts shorter than this are none, and gaps between contacts shorter than it are none, seconds.
    align_limit: the largest tilt of a planted foot, degrees; steeper ground is stood on with this one.
    extension: the most that a leg stretches, as a fraction of its length: the soft limit that keeps knees from locking.
    release: how long it takes at the most to let go of what a plant did to a foot's speed, seconds.
    pelvis_smoothing: the window over which the pelvis's height is smoothed, seconds; its place, over thrice that.
    clearance: by how much a swinging foot clears the ground, legs.
    foothold_search: how far a plant may move along the foot to stand off an edge, legs.
    sole: the height of a foot's joints over its sole, metres, None to take it from the clip.
    """

    plant_speed: float = 0.45
    plant_share: float = 0.1
    unplant_ratio: float = 1.6
    plant_height: float = 0.12
    unplant_height: float = 0.025
    unplant_radius: float = 0.15
    shortest_plant: float = 0.06
    align_limit: float = 45.0
    extension: float = 0.995
    release: float = 0.15
    pelvis_smoothing: float = 0.4
    clearance: float = 0.01
    foothold_search: float = 0.25
    sole: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.name == "sole":
                continue
            if not isinstance(value, int | float) or not isfinite(value) or value < 0:
                raise ArgumentError(field.name, repr(value), "a number that is not negative")
        if not 0.5 <= self.extension <= 1.0:
            raise ArgumentError("extension", self.extension, "a fraction from 0.5 to 1")
        if self.unplant_ratio < 1.0:
            raise ArgumentError("unplant_ratio", self.unplant_ratio, "a factor of at least 1")
        if self.align_limit > 90.0:
            raise ArgumentError("align_limit", self.align_limit, "degrees, at most 90")


def meanings() -> dict[str, str]:
    """What each setting means, a sentence or two, by its name: as the docstring of `Settings` has it."""
    found = {}
    for part in re.split(r"\n {4}(?=\w+: )", Settings.__doc__ or ""):
        name, _, words = part.partition(": ")
        text = " ".join(words.split()).rstrip(";.")
        found[name] = f"{text[:1].upper()}{text[1:]}."
    return {field.name: found.get(field.name, "") for field in fields(Settings)}  # python -OO has no docstrings
