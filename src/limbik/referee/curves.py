"""A comparison as curves to plot: few enough points for a page, and integers, which are short as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison
from limbik.referee.foot_motion import FootMotion, heights
from limbik.skeleton.intervals import intervals
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


class Curve(NamedTuple):
    """A value for each frame, (frames,), before and after."""

    before: Array
    after: Array


def foot_curves(foot: FootComparison, terrain: Terrain, fps: float) -> dict[str, Curve]:
    """The curves of a foot.

    Args:
        foot: The foot before and after.
        terrain: The ground.
        fps: Frames a second.

    Returns:
        `slide`: speed of the ball in m/s, NaN where it does not stand. `height`, `heel_height` and `toe_height` above
        the ground in metres, `height` of the lowest point of the sole. `knee`: radians from straight. `reach`: distance
        from hip to ankle over the length of the leg.
    """

    def curve(measure: Callable[[FootMotion], Array], before: FootMotion) -> Curve:
        return Curve(measure(before), measure(foot.after))

    heel = curve(lambda motion: heights(motion.sole[:, 0], terrain), foot.before_on_terrain)
    toe = curve(lambda motion: heights(motion.sole[:, 1:], terrain).min(axis=-1), foot.before_on_terrain)
    return {
        "slide": curve(lambda motion: _slide(motion, foot.ball, fps), foot.before),
        "height": Curve(np.minimum(heel.before, toe.before), np.minimum(heel.after, toe.after)),
        "heel_height": heel,
        "toe_height": toe,
        "knee": curve(lambda motion: motion.bend, foot.before),
        "reach": curve(lambda motion: motion.extension, foot.before),
    }


def _foot(foot: FootComparison, terrain: Terrain, fps: float, step: int) -> dict[str, Any]:
    """The curves of a foot for JSON: a value for every `step` frames; of slides the largest."""
    found = foot_curves(foot, terrain, fps)
    found["slide"] = Curve(*(_largest_in_steps(values, step) for values in found["slide"]))
    scales = {"slide": 1e3, "heel_height": 1e3, "toe_height": 1e3, "knee": 10.0 * np.degrees(1.0)}
    if foot.pointlike:
        del scales["heel_height"]
    return {
        "name": foot.name.replace("_", " "),
        "ball": intervals(foot.ball),
        "heel": [] if foot.pointlike else intervals(foot.heel),
        **{
            name: {
                which: _whole(scale * (values if name == "slide" else values[::step]))
                for which, values in found[name]._asdict().items()
            }
            for name, scale in scales.items()
        },
    }


def _slide(motion: FootMotion, stands: Array, fps: float) -> Array:
    """The speed of the ball since the frame before in m/s; NaN where it does not stand in both."""
    speed = np.full(len(stands), np.nan)
    moves = np.linalg.norm(np.diff(motion.ball, axis=0), axis=-1) * fps
    speed[1:] = np.where(stands[1:] & stands[:-1], moves, np.nan)
    return speed


def _largest_in_steps(values: Array, step: int) -> Array:
    """The largest of every `step` values; NaN where all of them are."""
    padded = np.full(step * -(-len(values) // step), np.nan)
    padded[: len(values)] = values
    return np.fmax.reduce(padded.reshape(-1, step), axis=1)


def _whole(values: Array) -> list[int | None]:
    return [round(value) if np.isfinite(value) else None for value in values.tolist()]
