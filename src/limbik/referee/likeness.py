"""How alike two figures move: where their thighs, shanks and arms point, and where they face, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import angles_between

LINKS = {"leg": ("thigh", "shank"), "arm": ("upper arm", "forearm")}
Pairs = Mapping[str, tuple[Sequence[int], Sequence[int]]]  # joints of the two figures, by limb


@dataclass(frozen=True)
class Likeness:
    """Angles between the links of two figures in the same frames, in degrees.

    Attributes:
        median: By link, such as "left shank", the median over the frames; "facing" from above, across the hips.
        worst: By link, the 95th percentile.
    """

    median: dict[str, float]
    worst: dict[str, float]

    def as_dict(self) -> dict[str, dict[str, float]]:
        """The measures, ready for JSON."""
        return {"median": self.median, "worst": self.worst}

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The measures as text: headings, and a line for each link."""
        lines = [[name, f"{angle:.1f}", f"{self.worst[name]:.1f}"] for name, angle in self.median.items()]
        return ["angle to the source, degrees", "median", "95 %"], lines


def likeness(ours: Array, theirs: Array, limbs: Pairs) -> Likeness:
    """The likeness of two motions from the positions of their joints, (frames, joints, 3) each, and their limbs."""
    angles: dict[str, Array] = {}
    for name, joints in limbs.items():
        kind = "leg" if "leg" in name else "arm"
        links = [np.diff(p[:, list(j)], axis=1) for p, j in zip((ours, theirs), joints, strict=True)]
        if links[0].shape[1] != links[1].shape[1]:
            continue
        words = LINKS[kind] if links[0].shape[1] == 2 else [f"{kind} {k + 1}" for k in range(links[0].shape[1])]
        side = name.replace(f"_{kind}", "").replace(kind, "").replace("_", " ")
        for k, word in enumerate(words):
            angles[f"{side} {word}".strip()] = angles_between(links[0][:, k], links[1][:, k])
    across = [_across(p, limbs, k) for k, p in enumerate((ours, theirs))]
    if across[0] is not None and across[1] is not None:
        angles["facing"] = angles_between(across[0], across[1])
    found = {name: np.degrees(angle) for name, angle in angles.items() if len(angle)}
    return Likeness(
        {name: float(np.median(angle)) for name, angle in found.items()},
        {name: float(np.quantile(angle, 0.95)) for name, angle in found.items()},
    )


def _across(positions: Array, limbs: Pairs, who: int) -> Array | None:
    """The level directions (frames, 3) from the right hips to the left ones."""
    hips = {
        side: [pair[who][0] for name, pair in limbs.items() if name.startswith(side) and "leg" in name]
        for side in ("left", "right")
    }
    if not (hips["left"] and hips["right"]):
        return None
    way = np.mean(positions[:, hips["left"]], axis=1) - np.mean(positions[:, hips["right"]], axis=1)
    return way * [1.0, 0.0, 1.0]
