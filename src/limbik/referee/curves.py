"""A comparison as curves to plot: few enough points for a page, and integers, which are short as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison, FootMotion
from limbik.referee.foot_measures import standing_speeds
from limbik.referee.soles import BALL, HEEL
from limbik.referee.surface import heights
from limbik.skeleton.timing import intervals
from limbik.terrains.base import Terrain

POINTS = 240  # at most, for each curve: about one for every two pixels of a plot


def curves(comparison: Comparison) -> dict[str, Any]:
    """Curves before and after, ready for JSON: one value for every `step` frames, starting at frame `first`.

    For each foot: `slide` in mm/s (None where its ball does not stand); `heel_height` and `toe_height` above the ground
    in mm; `knee` in tenths of a degree from straight; `ball` and `heel`, the intervals in which they stand, as first
    frame and one past the last. For the pelvis: how far it is raised, and the ground under it, in mm.
    """
    clip, terrain = comparison.after, comparison.terrain
    frames = len(comparison.rise)
    step = max(1, -(-frames // POINTS))
    return {
        "first": comparison.skipped,
        "frames": frames,
        "fps": clip.fps,
        "step": step,
        "feet": [_foot(foot, terrain, clip.fps, step) for foot in comparison.feet],
        "pelvis": _whole(1e3 * (comparison.rise + comparison.pelvis_offset[:, 1])[::step]),
        "ground": _whole(1e3 * comparison.rise[::step]),
    }


def foot_curves(foot: FootComparison, terrain: Terrain, fps: float) -> tuple[dict[str, Array], dict[str, Array]]:
    """The curves (frames,) of a foot by name, before and after.

    `slide`: speed of the ball in m/s, NaN where it does not stand. `height`, `heel_height` and `toe_height` above the
    ground in metres, `height` that of the lowest point of the sole. `knee`: radians from straight. `reach`: distance
    from hip to ankle over the length of the leg.
    """
    before = _curves(foot.before, heights(foot.before_on_terrain.sole, terrain), foot.ball, fps)
    return before, _curves(foot.after, heights(foot.after.sole, terrain), foot.ball, fps)


def _curves(motion: FootMotion, sole: Array, ball: Array, fps: float) -> dict[str, Array]:
    return {
        "slide": standing_speeds(motion.ball, ball, fps),
        "height": sole.min(axis=-1),
        "heel_height": sole[:, HEEL],
        "toe_height": sole[:, BALL:].min(axis=-1),
        "knee": motion.knee,
        "reach": motion.extension,
    }


def _foot(foot: FootComparison, terrain: Terrain, fps: float, step: int) -> dict[str, Any]:
    """The curves of a foot for JSON: a value for every `step` frames; of slides the largest."""
    before, after = foot_curves(foot, terrain, fps)
    scales = {"slide": 1e3, "heel_height": 1e3, "toe_height": 1e3, "knee": 10.0 * np.degrees(1.0)}
    if foot.pointlike:
        del scales["heel_height"]
    both: dict[str, Any] = {name: {} for name in scales}
    for which, found in (("before", before), ("after", after)):
        for name, scale in scales.items():
            few = _largest_in_steps(found[name], step) if name == "slide" else found[name][::step]
            both[name][which] = _whole(scale * few)
    return {
        "name": foot.name.replace("_", " "),
        "ball": intervals(foot.ball),
        "heel": intervals(foot.heel),
        **both,
    }


def _largest_in_steps(values: Array, step: int) -> Array:
    """The largest of every `step` values; NaN where all of them are."""
    padded = np.full(step * -(-len(values) // step), np.nan)
    padded[: len(values)] = values
    return np.fmax.reduce(padded.reshape(-1, step), axis=1)


def _whole(values: Array) -> list[int | None]:
    return [round(value) if np.isfinite(value) else None for value in values.tolist()]
