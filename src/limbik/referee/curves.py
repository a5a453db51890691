"""A comparison as curves to plot: few enough points for a page, and integers, which are short as text."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison, MeasuredFoot
from limbik.referee.measures import heights, standing_speeds
from limbik.referee.soles import BALL, HEEL
from limbik.skeleton.timing import intervals
from limbik.terrains.base import Terrain

MAX_CURVE_POINTS = 240  # at most, for each curve: about one for every two pixels of a plot

BeforeAfter = dict[str, list[int | None]]  # a curve "before" and "after"


class JsonFootCurves(TypedDict):
    """Curves of one foot."""

    name: str
    ball: list[tuple[int, int]]  # intervals in which it stands, as first frame and one past the last
    heel: list[tuple[int, int]]
    slide: BeforeAfter  # of the ball, in mm/s; None where it does not stand
    heel_height: NotRequired[BeforeAfter]  # above the ground, in mm; not of a pointlike foot
    toe_height: BeforeAfter
    knee: BeforeAfter  # tenths of a degree from straight


class JsonCurves(TypedDict):
    """Curves before and after: one value for every `step` frames, starting at frame `first`."""

    first: int
    frames: int
    fps: float
    step: int
    feet: list[JsonFootCurves]
    pelvis: list[int | None]  # how far it is raised, in mm
    ground: list[int | None]  # the height of the ground under it, in mm


def curves(comparison: Comparison) -> JsonCurves:
    """The curves of a comparison, before and after, ready for JSON."""
    clip, terrain = comparison.after, comparison.terrain
    frames = len(comparison.rise)
    step = max(1, -(-frames // MAX_CURVE_POINTS))
    return {
        "first": comparison.skipped,
        "frames": frames,
        "fps": clip.fps,
        "step": step,
        "feet": [_foot_for_json(foot, terrain, clip.fps, step) for foot in comparison.feet],
        "pelvis": _integers(1e3 * (comparison.rise + comparison.pelvis_offset[:, 1])[::step]),
        "ground": _integers(1e3 * comparison.rise[::step]),
    }


def foot_curves(foot: FootComparison, terrain: Terrain, fps: float) -> tuple[dict[str, Array], dict[str, Array]]:
    """The curves (frames,) of a foot by name, before and after.

    `slide`: speed of the ball in m/s, NaN where it does not stand. `height`, `heel_height` and `toe_height` above the
    ground in metres, `height` that of the lowest point of the sole. `knee`: radians from straight. `reach`: distance
    from hip to ankle over the length of the leg.
    """
    before = _curves(foot.before, heights(foot.before_on_terrain.sole, terrain), foot.ball, fps)
    return before, _curves(foot.after, heights(foot.after.sole, terrain), foot.ball, fps)


def _curves(motion: MeasuredFoot, sole: Array, ball: Array, fps: float) -> dict[str, Array]:
    return {
        "slide": standing_speeds(motion.ball, ball, fps),
        "height": sole.min(axis=-1),
        "heel_height": sole[:, HEEL],
        "toe_height": sole[:, BALL:].min(axis=-1),
        "knee": motion.knee,
        "reach": motion.extension,
    }


def _foot_for_json(foot: FootComparison, terrain: Terrain, fps: float, step: int) -> JsonFootCurves:
    """The curves of a foot for JSON: a value for every `step` frames; of slides the largest."""
    before, after = foot_curves(foot, terrain, fps)
    scales = {"slide": 1e3, "heel_height": 1e3, "toe_height": 1e3, "knee": 10.0 * np.degrees(1.0)}
    if foot.pointlike:
        del scales["heel_height"]
    found: Any = {name: {} for name in scales}
    for which, curves in (("before", before), ("after", after)):
        for name, scale in scales.items():
            few = _maxima_in_steps(curves[name], step) if name == "slide" else curves[name][::step]
            found[name][which] = _integers(scale * few)
    about = {"name": foot.name.replace("_", " "), "ball": intervals(foot.ball), "heel": intervals(foot.heel)}
    return about | found


def _maxima_in_steps(values: Array, step: int) -> Array:
    """The largest of every `step` values; NaN where all of them are."""
    padded = np.full(step * -(-len(values) // step), np.nan)
    padded[: len(values)] = values
    return np.fmax.reduce(padded.reshape(-1, step), axis=1)


def _integers(values: Array) -> list[int | None]:
    return [round(value) if np.isfinite(value) else None for value in values.tolist()]
