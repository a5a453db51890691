"""The report of a comparison: how well feet keep to the ground, before and after, for each foot and in total."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison, heights, standing_speeds, tilts
from limbik.skeleton.intervals import intervals

TOLERANCE = 1e-4  # leg lengths: an extension beyond the limit by less is rounding


@dataclass(frozen=True)
class Measures:
    """How well one foot, or all feet, keep to the ground: largest values; None where there is nothing to measure."""

    slide_mm: float | None  # distance of a ball or heel from where it was set down, within one contact, in mm
    slide_cm_s: float | None  # mean speed of balls while they stand, in cm/s
    heel_penetration_mm: float | None  # depth of heels below the ground while they stand, in mm
    heel_float_mm: float | None  # height of heels above the ground while they stand, in mm
    toe_penetration_mm: float | None  # depth of ball and tip of the sole below the ground while the ball stands, in mm
    toe_float_mm: float | None  # height of ball and tip of the sole above the ground while the ball stands, in mm
    swing_penetration_mm: float | None  # depth of heels and toes below the ground in swings, in mm
    sole_angle_deg: float | None  # between sole and ground (at most the tilt limit) at mid-stance, in degrees
    acceleration_rad_s2: float | None  # angular acceleration of a joint in its parent's frame, in rad/s²
    joint: str | None  # name of that joint
    frame: int | None  # index of that frame
    extension: float  # distance from hip to ankle as a fraction of the leg's length
    out_of_reach: int  # number of frames in which the extension is beyond its limit


@dataclass(frozen=True)
class Row:
    """One foot, or all feet: the number of contacts, and measures before and after.

    Accelerations of a foot are those of its leg's joints; those of the total are of all joints of the figure.
    """

    name: str
    contacts: int
    before: Measures
    after: Measures

    @property
    def pops(self) -> float | None:
        """The largest angular acceleration after, as a multiple of that before."""
        before, after = self.before.acceleration_rad_s2, self.after.acceleration_rad_s2
        return after / before if after is not None and before else None

    def largest(self, *names: str, after: bool) -> float | None:
        """The largest of some measures, after or before; None if there is none."""
        values = [getattr(self.after if after else self.before, name) for name in names]
        return max((value for value in values if value is not None), default=None)


@dataclass(frozen=True)
class Report:
    """What changed between two versions of a clip, usually by `ground`.

    "After" is the clip on the terrain. "Before" is the original clip: slide, pops and extension are its own;
    penetration, float and sole angles are those of the same motion with each frame raised by the height of the terrain
    under its root. Both are measured in the same contacts. A stray pose in front of the motion is left out.
    """

    clip: str  # name of the clip
    terrain: str  # the terrain, as a spec
    frames: int  # number of frames
    fps: float  # frames per second of the clip
    feet: tuple[Row, ...]  # a row for each foot
    total: Row  # a row for all feet
    pelvis_offset_cm: float  # largest distance of the root from where the raised clip has it, in cm
    bone_change_mm: float  # largest change of a bone's length in mm
    frames_per_second: float | None = None  # frames grounded per second, if it was timed

    def as_dict(self) -> dict[str, Any]:
        """The report as a dictionary, ready for JSON."""
        return {**asdict(self), "feet": [_row_dict(row) for row in self.feet], "total": _row_dict(self.total)}

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Report:
        """The report from a dictionary that `as_dict` returned."""
        feet, total = tuple(map(_row_of, content["feet"])), _row_of(content["total"])
        return cls(**{**content, "feet": feet, "total": total})

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The report as text: headings, and lines of cells, the first of which names the measure."""
        rows = [self.total, *self.feet]
        lines = [[label, *(cell(row) for row in rows)] for label, cell in LINES]
        nothing = [""] * len(self.feet)
        lines.append(["pelvis offset, cm", number(self.pelvis_offset_cm, ".1f"), *nothing])
        lines.append(["bone length change, mm", number(self.bone_change_mm, ".1g"), *nothing])
        if self.frames_per_second is not None:
            lines.append(["frames per second", number(self.frames_per_second, ",.0f"), *nothing])
        return ["before → after", *(row.name.replace("_", " ") for row in rows)], lines

    def __str__(self) -> str:
        heading, lines = self.table()
        widths = [max(len(line[k]) for line in [heading, *lines]) for k in range(len(heading))]
        text = [
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in [heading, *lines]
        ]
        return "\n".join([f"{self.clip or 'clip'} on {self.terrain}: {self.frames} frames at {self.fps:g} fps", *text])


def report_of(comparison: Comparison) -> Report:
    """The report of a comparison."""
    clip = comparison.after
    feet = tuple(
        Row(foot.name, len(intervals(foot.ball)), *(_measures(comparison, foot, after) for after in (False, True)))
        for foot in comparison.feet
    )
    totals = [_total(comparison, feet, after) for after in (False, True)]
    return Report(
        clip=clip.name,
        terrain=repr(comparison.terrain),
        frames=len(clip),
        fps=clip.fps,
        feet=feet,
        total=Row("total", sum(row.contacts for row in feet), *totals),
        pelvis_offset_cm=100.0 * float(np.linalg.norm(comparison.pelvis_offset, axis=-1).max(initial=0.0)),
        bone_change_mm=1e3 * comparison.bone_change,
    )


def _measures(comparison: Comparison, foot: FootComparison, after: bool) -> Measures:
    motion, placed = (foot.after, foot.after) if after else (foot.before, foot.before_on_terrain)
    heel, ball, tip = np.moveaxis(heights(placed.sole, comparison.terrain), -1, 0)
    heels, toes = heel[foot.heel], np.concatenate([ball[foot.ball], tip[foot.ball]])
    middles = [(first + stop - 1) // 2 for first, stop in intervals(foot.ball & foot.heel)]
    angles = tilts(placed, comparison.terrain, comparison.tilt_limit)[middles]
    return Measures(
        slide_mm=_largest([*_slides(motion.ball, foot.ball), *_slides(motion.sole[:, 0], foot.heel)], 1e3),
        slide_cm_s=_mean(standing_speeds(motion.ball, foot.ball, comparison.after.fps), 1e2),
        heel_penetration_mm=_largest(-heels, 1e3, 0.0),
        heel_float_mm=_largest(heels, 1e3, 0.0),
        toe_penetration_mm=_largest(-toes, 1e3, 0.0),
        toe_float_mm=_largest(toes, 1e3, 0.0),
        swing_penetration_mm=_largest(-np.stack([heel, ball, tip])[:, ~(foot.ball | foot.heel)], 1e3, 0.0),
        sole_angle_deg=_largest(np.degrees(angles)),
        **_pop(comparison, foot.joints, after),
        extension=float(motion.extension.max(initial=0.0)),
        out_of_reach=int(np.sum(motion.extension > comparison.extension + TOLERANCE)),
    )


def _total(comparison: Comparison, rows: tuple[Row, ...], after: bool) -> Measures:
    """The measures of all feet."""
    feet = [row.after if after else row.before for row in rows]
    motions = [foot.after if after else foot.before for foot in comparison.feet]
    pairs = zip(motions, comparison.feet, strict=True)
    speeds = [standing_speeds(motion.ball, foot.ball, comparison.after.fps) for motion, foot in pairs]
    extensions = [motion.extension for motion in motions]  # of every foot, (frames,) each
    largest = {
        name: _largest([value for foot in feet if (value := getattr(foot, name)) is not None])
        for name in asdict(feet[0])
        if name.endswith(("_mm", "_deg"))
    }
    return replace(
        feet[0],
        **largest,
        **_pop(comparison, tuple(range(len(comparison.after.skeleton))), after),
        slide_cm_s=_mean(np.concatenate(speeds), 1e2),
        extension=float(np.max(extensions, initial=0.0)),
        out_of_reach=int(np.sum(np.max(extensions, axis=0) > comparison.extension + TOLERANCE)),
    )


def _slides(points: Array, stands: Array) -> list[float]:
    """Largest distance of a point (frames, 3) in each contact from where it was set down, in metres."""
    return [
        float(np.linalg.norm(points[first:stop] - points[first], axis=-1).max()) for first, stop in intervals(stands)
    ]


def _pop(comparison: Comparison, joints: tuple[int, ...], after: bool) -> dict[str, Any]:
    """The largest angular acceleration of some joints, and the middle one of the three frames it is computed from."""
    some = comparison.accelerations[after][:, list(joints)]
    if not some.size:
        return {"acceleration_rad_s2": None, "joint": None, "frame": None}
    frame, joint = (int(k) for k in np.unravel_index(int(np.argmax(some)), some.shape))
    return {
        "acceleration_rad_s2": float(some[frame, joint]),
        "joint": comparison.after.skeleton.names[joints[joint]],
        "frame": comparison.skipped + frame + 1,
    }


def _largest(values: Any, scale: float = 1.0, least: float = -np.inf) -> float | None:
    values = np.asarray(values, float)
    return float(max(scale * values.max(), least)) if values.size else None


def _mean(values: Array, scale: float) -> float | None:
    values = values[np.isfinite(values)]
    return float(scale * values.mean()) if values.size else None


def _row_dict(row: Row) -> dict[str, Any]:
    return {**asdict(row), "pops": row.pops}


def _row_of(row: dict[str, Any]) -> Row:
    return Row(row["name"], row["contacts"], Measures(**row["before"]), Measures(**row["after"]))


def _pair(name: str, form: str) -> Callable[[Row], str]:
    """A cell with a measure before and after."""

    def cell(row: Row) -> str:
        values = [getattr(one, name) for one in (row.before, row.after)]
        return number(None, form) if values == [None, None] else " → ".join(number(value, form) for value in values)

    return cell


def number(value: float | None, form: str) -> str:
    """A number as text, or a dash for None and values that are not finite; never −0."""
    if value is None or not np.isfinite(value):
        return "–"
    text = format(value, form)
    return text.lstrip("-") if not float(text.replace(",", "")) else text


LINES: Iterable[tuple[str, Callable[[Row], str]]] = (
    ("contacts", lambda row: str(row.contacts)),
    ("slide in a contact, mm", _pair("slide_mm", ".1f")),
    ("slide, cm/s", _pair("slide_cm_s", ".1f")),
    ("heel penetration, mm", _pair("heel_penetration_mm", ".1f")),
    ("heel float, mm", _pair("heel_float_mm", ".1f")),
    ("toe penetration, mm", _pair("toe_penetration_mm", ".1f")),
    ("toe float, mm", _pair("toe_float_mm", ".1f")),
    ("swing penetration, mm", _pair("swing_penetration_mm", ".1f")),
    ("sole angle, degrees", _pair("sole_angle_deg", ".1f")),
    ("angular acceleration, rad/s²", _pair("acceleration_rad_s2", ",.0f")),
    ("pops, after / before", lambda row: number(row.pops, ".2f")),
    ("  at joint, frame", lambda row: f"{row.after.joint or '–'}, {row.after.frame if row.after.joint else '–'}"),
    ("leg extension", _pair("extension", ".3f")),
    ("frames out of reach", _pair("out_of_reach", "d")),
)
