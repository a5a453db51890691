"""The settings of `ground`, with their units and defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from typing import Any

from limbik.arguments import number, shown
from limbik.errors import ArgumentError, ChoiceError

FIELD_RANGES = {
    "lean": (0.0, 1.0),
    "fit_stride": (0.0, 1.0),
    "extension": (0.5, 1.0),
    "unplant_ratio": (1.0, inf),
    "align_limit_degrees": (0.0, 90.0),
}


@dataclass(frozen=True)
class Settings:
    """How `ground` plants feet. Lengths are fractions of the leg's length, so one value suits figures of any size.

    Attributes:
        plant_speed: Speed in leg lengths per second below which the ball or heel of a foot counts as planted.
        plant_share: Plant speed as a fraction of the foot's own fast speed (90th percentile); the larger one applies.
        unplant_ratio: A planted foot stays planted until its speed exceeds the plant speed by this factor.
        plant_height: Largest height of a planted foot above the lowest point it reaches nearby, in leg lengths.
        unplant_height: Rise above the level of its stance at which a planted foot lets go, in leg lengths.
        unplant_radius: Distance from its place at which a planted foot lets go, in leg lengths.
        shortest_plant: Contacts and gaps between contacts shorter than this are ignored, in seconds.
        align_limit_degrees: Largest tilt of a planted foot in degrees; on steeper ground it tilts by this much.
        extension: Largest extension of a leg as a fraction of its length (default: the largest in the clip).
        release: Longest time over which a foot gives up the velocity that its plant imposed, in seconds.
        pelvis_smoothing: Window over which the pelvis height is smoothed, in seconds (three times that sideways).
        lean: How far the body leans uphill, as a fraction of the slope, while a hip drops over the lower foot; with 0
            the body stays as it is in the clip.
        clearance: Distance that swinging feet keep from the ground, in leg lengths.
        fit_stride: How far strides are shortened where steps are too high for them: 1 as far as needed, 0 not at all.
        foothold_search: Largest shift of a plant along the foot, away from an edge, in leg lengths.
        sole: Height of the foot's joints above the sole in metres (default: measured in the clip).

    Raises:
        ArgumentError: A value is not a number, is negative, or is outside its range.
    """

    plant_speed: float = 0.45
    plant_share: float = 0.1
    unplant_ratio: float = 1.15
    plant_height: float = 0.12
    unplant_height: float = 0.024
    unplant_radius: float = 0.15
    shortest_plant: float = 0.06
    align_limit_degrees: float = 45.0
    extension: float | None = None
    release: float = 0.15
    pelvis_smoothing: float = 0.19
    lean: float = 0.3
    clearance: float = 0.01
    fit_stride: float = 1.0
    foothold_search: float = 0.25
    sole: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:
                object.__setattr__(
                    self, field.name, number(field.name, value, *FIELD_RANGES.get(field.name, (0.0, inf)))
                )


def as_settings(settings: Settings | Mapping[str, float | None] | None) -> Settings:
    """Settings from what `ground` accepts: Settings, a dictionary of some of them, or None for the defaults."""
    if settings is None or isinstance(settings, Settings):
        return settings or Settings()
    if not isinstance(settings, Mapping):
        raise ArgumentError("settings", shown(settings), "a limbik.Settings, or a dictionary of its fields")
    known = [field.name for field in fields(Settings)]
    for name in settings:
        if name not in known:
            raise ChoiceError("settings", name, known)
    values: dict[str, Any] = dict(settings)
    return Settings(**values)


def descriptions() -> dict[str, str]:
    """One sentence on each setting by its name, from the docstring of `Settings`."""
    attributes = (Settings.__doc__ or "").partition("Attributes:")[2].partition("Raises:")[0]
    found = {}
    for part in re.split(r"\n {8}(?=\w+: )", attributes):
        name, _, text = part.partition(": ")
        found[name] = " ".join(text.split())
    return {field.name: found.get(field.name, "") for field in fields(Settings)}  # python -OO has no docstrings
