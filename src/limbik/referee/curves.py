"""A comparison as curves to plot: few enough points for a page, and integers, which are short as text."""

from __future__ import annotations

from typing import Any

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


def _foot(foot: FootComparison, terrain: Terrain, fps: float, step: int) -> dict[str, Any]:
    def both(curve: Any, before: FootMotion) -> dict[str, list[int | None]]:
        return {"before": _whole(curve(before)), "after": _whole(curve(foot.after))}

    heel = {
        "heel": intervals(foot.heel),
        "heel_height": both(lambda motion: 1e3 * heights(motion.sole[::step, 0], terrain), foot.before_on_terrain),
    }
    return {
        "name": foot.name.replace("_", " "),
        "ball": intervals(foot.ball),
        **({"heel": []} if foot.pointlike else heel),
        "slide": both(lambda motion: slide(motion, foot.ball, fps, step), foot.before),
        "toe_height": both(
            lambda motion: 1e3 * heights(motion.sole[::step, 1:], terrain).min(axis=-1), foot.before_on_terrain
        ),
        "knee": both(lambda motion: 10.0 * np.degrees(motion.bend[::step]), foot.before),
    }


def slide(motion: FootMotion, stands: Array, fps: float, step: int = 1) -> Array:
    """The largest speed of the ball within every `step` frames in mm/s; NaN where it does not stand."""
    speed = np.full(step * -(-len(stands) // step), np.nan)
    moves = np.linalg.norm(np.diff(motion.ball, axis=0), axis=-1) * fps * 1e3
    speed[1 : len(stands)] = np.where(stands[1:] & stands[:-1], moves, np.nan)
    steps = speed.reshape(-1, step)
    return np.where(np.isnan(steps).all(axis=1), np.nan, np.where(np.isnan(steps), 0.0, steps).max(axis=1))


def _whole(values: Array) -> list[int | None]:
    return [round(value) if np.isfinite(value) else None for value in values.tolist()]
