"""The report of a comparison: how well a figure keeps to the ground, before and after, for each foot and in total."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from limbik.referee.comparison import Comparison, turning_of
from limbik.referee.measures import (
    Measures,
    Row,
    body_below,
    foot_row,
    is_cycle,
    legs_apart,
    pose_distance,
    seam,
    standing_speeds,
    sway,
)

Pair = tuple[float, float]  # before and after


@dataclass(frozen=True)
class Report:
    """What changed between two versions of a clip, usually by `ground`.

    "After" is the clip on the terrain. "Before" is the original clip: slide, accelerations, knees and extension are its
    own; penetration, float and sole angles are those of the same motion with each frame raised by the height of the
    terrain under its hips. Both are measured in the same stances, which the referee finds in the original clip by rules
    of its own. A stray pose in front of the motion is left out.
    """

    clip: str  # name of the clip
    terrain: str  # the terrain, as a spec
    frames: int  # number of frames
    fps: float  # frames per second of the clip
    feet: tuple[Row, ...]  # a row for each foot
    total: Row  # a row for all feet
    unsupported: float  # share of frames in which no foot is held although the feet carry the body and it does not fall
    seam_mm: Pair | None  # largest distance of a joint in the last frame from the first, around the root; of cycles
    seam_deg: Pair | None  # largest rotation from the last frame to the first; of cycles
    legs_apart_mm: Pair | None  # least distance between two legs, knee to toes
    body_below_mm: Pair  # largest depth of a joint other than the feet's below the ground
    pose_cm: float  # distance of joints from where they were around the hips, root mean square
    pelvis_offset_cm: float  # largest distance of the middle of the hips from where the raised clip has it, in cm
    bone_change_mm: float  # largest change of a bone's length in mm
    notes: tuple[str, ...] = ()  # what the maker of the new clip has to say about it
    frames_per_second: float | None = None  # frames grounded per second, if it was timed
    sway_cm: float = 0.0  # how far the top of the figure sways to and fro over its hips more than before, in cm

    def as_dict(self) -> dict[str, object]:
        """The report as a dictionary, ready for JSON."""
        content = {**asdict(self), "feet": [_row_dict(row) for row in self.feet], "total": _row_dict(self.total)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in content.items()}

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Report:
        """The report from a dictionary that `as_dict` returned."""
        read: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in content.items()
        }
        return cls(**{**read, "feet": tuple(map(_row_of, read["feet"])), "total": _row_of(read["total"])})

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The report as text: headings, and lines of cells, the first of which names the measure."""
        rows = [self.total, *self.feet]
        lines = [[label, *(cell(row) for row in rows)] for label, cell in REPORT_LINES]
        whole = [
            ("unsupported, % of frames", number(100.0 * self.unsupported, ".1f")),
            ("seam of the cycle, mm", _pair_text(self.seam_mm, ".1f")),
            ("seam of the cycle, degrees", _pair_text(self.seam_deg, ".1f")),
            ("legs apart, mm", _pair_text(self.legs_apart_mm, ".0f")),
            ("body below ground, mm", _pair_text(self.body_below_mm, ".0f")),
            ("distance to the pose, cm", number(self.pose_cm, ".1f")),
            ("pelvis offset, cm", number(self.pelvis_offset_cm, ".1f")),
            ("sway of the head, cm", number(self.sway_cm, ".1f")),
            ("bone length change, mm", number(self.bone_change_mm, ".1g")),
        ]
        if self.frames_per_second is not None:
            whole.append(("frames per second", number(self.frames_per_second, ",.0f")))
        nothing = [""] * len(self.feet)
        lines += [[label, value, *nothing] for label, value in whole]
        return ["before → after", *(row.name.replace("_", " ") for row in rows)], lines

    def __str__(self) -> str:
        heading, lines = self.table()
        widths = [max(len(line[k]) for line in [heading, *lines]) for k in range(len(heading))]
        text = [
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in [heading, *lines]
        ]
        head = f"{self.clip or 'clip'} on {self.terrain}: {self.frames} frames at {self.fps:g} fps"
        return "\n".join([head, *text, *self.notes])


def report_of(comparison: Comparison, notes: Sequence[str] = ()) -> Report:
    """The report of a comparison. notes: what the maker of the new clip has to say about it."""
    clip, skipped = comparison.after, comparison.skipped
    clips = comparison.before[skipped:], clip[skipped:]
    turning = turning_of(clips[0]), turning_of(clips[1])
    feet = tuple(foot_row(comparison, foot, turning) for foot in comparison.feet)
    seams = [seam(comparison, after) for after in (False, True)] if is_cycle(comparison) else None
    apart = [legs_apart(comparison, after) for after in (False, True)]
    claimed = np.any([foot.claimed for foot in comparison.feet], axis=0)
    nobody = np.any([foot.standing for foot in comparison.feet], axis=0) & ~claimed & ~comparison.flight
    return Report(
        clip=clip.name,
        terrain=repr(comparison.terrain),
        frames=len(clip),
        fps=clip.fps,
        feet=feet,
        total=_total(comparison, feet),
        unsupported=float(np.mean(nobody)) if len(nobody) else 0.0,
        seam_mm=None if seams is None else (1e3 * seams[0][0], 1e3 * seams[1][0]),
        seam_deg=None if seams is None else (float(np.degrees(seams[0][1])), float(np.degrees(seams[1][1]))),
        legs_apart_mm=None if apart[0] is None or apart[1] is None else (1e3 * apart[0], 1e3 * apart[1]),
        body_below_mm=(1e3 * body_below(comparison, False), 1e3 * body_below(comparison, True)),
        pose_cm=1e2 * pose_distance(comparison),
        sway_cm=1e2 * sway(comparison),
        pelvis_offset_cm=100.0 * float(np.linalg.norm(comparison.pelvis_offset, axis=-1).max(initial=0.0)),
        bone_change_mm=1e3 * comparison.bone_change,
        notes=tuple(notes),
    )


def _total(comparison: Comparison, rows: Sequence[Row]) -> Row:
    """The largest measures of all feet; of found stances the least."""
    worst = max(rows, key=lambda row: row.pops or 0.0)
    before, after = (_largest_fields([getattr(row, which) for row in rows], Measures) for which in ("before", "after"))
    for measures, which in ((before, "before"), (after, "after")):
        pairs = [(getattr(foot, which).ball, foot.ball) for foot in comparison.feet]
        speeds = np.concatenate([standing_speeds(ball, stands, comparison.after.fps) for ball, stands in pairs])
        speeds = speeds[np.isfinite(speeds)]
        measures["slide_cm_s"] = 1e2 * float(speeds.mean()) if len(speeds) else None
    total = _largest_fields(rows, Row, skip=("name", "before", "after", "joint", "frame"))
    found = [row.found for row in rows if row.found is not None]
    total |= {"contacts": sum(row.contacts for row in rows), "found": min(found, default=None)}
    total |= {"flips": sum(row.flips for row in rows), "straight": sum(row.straight for row in rows)}
    return Row(
        "total", before=Measures(**before), after=Measures(**after), joint=worst.joint, frame=worst.frame, **total
    )


def _largest_fields(parts: Sequence[Any], kind: Any, skip: Iterable[str] = ()) -> dict[str, Any]:
    """The largest value of each field, None where no part has one."""
    names = [field.name for field in fields(kind) if field.name not in skip]
    values = {name: [value for part in parts if (value := getattr(part, name)) is not None] for name in names}
    return {name: max(found, default=None) for name, found in values.items()}


def _row_dict(row: Row) -> dict[str, Any]:
    return {**asdict(row), "crouch_deg": row.crouch_deg}


def _row_of(row: dict[str, Any]) -> Row:
    content = {name: value for name, value in row.items() if name != "crouch_deg"}
    return Row(**{**content, "before": Measures(**row["before"]), "after": Measures(**row["after"])})


def _pair_cell(name: str, form: str) -> Callable[[Row], str]:
    """A cell with a measure before and after."""

    def cell(row: Row) -> str:
        values = [getattr(one, name) for one in (row.before, row.after)]
        return number(None, form) if values == [None, None] else " → ".join(number(value, form) for value in values)

    return cell


def _pair_text(pair: Pair | None, form: str) -> str:
    return number(None, form) if pair is None else " → ".join(number(value, form) for value in pair)


def number(value: float | None, form: str) -> str:
    """A number as text, or a dash for None and values that are not finite; never −0."""
    if value is None or not np.isfinite(value):
        return "–"
    text = format(value, form)
    return text.lstrip("-") if not float(text.replace(",", "")) else text


REPORT_LINES: Iterable[tuple[str, Callable[[Row], str]]] = (
    ("stances", lambda row: str(row.contacts)),
    ("  held, % of their frames", lambda row: number(None if row.found is None else 100.0 * row.found, ".1f")),
    ("  held in flight, % of frames", lambda row: number(100.0 * row.invented, ".1f")),
    ("slide in a stance, mm", _pair_cell("slide_mm", ".1f")),
    ("slide, cm/s", _pair_cell("slide_cm_s", ".1f")),
    ("heel penetration, mm", _pair_cell("heel_penetration_mm", ".1f")),
    ("heel float, mm", _pair_cell("heel_float_mm", ".1f")),
    ("toe penetration, mm", _pair_cell("toe_penetration_mm", ".1f")),
    ("toe float, mm", _pair_cell("toe_float_mm", ".1f")),
    ("sole penetration, mm", _pair_cell("sole_penetration_mm", ".1f")),
    ("swing penetration, mm", _pair_cell("swing_penetration_mm", ".1f")),
    ("sole angle, degrees", _pair_cell("sole_angle_deg", ".1f")),
    ("heading change, degrees", lambda row: number(row.heading_deg, ".1f")),
    ("angular acceleration, rad/s²", _pair_cell("acceleration_rad_s2", ",.0f")),
    ("pops, after / before", lambda row: number(row.pops, ".2f")),
    ("  at joint, frame", lambda row: f"{row.joint or '–'}, {row.frame if row.joint else '–'}"),
    ("jerk, after / before", lambda row: number(row.jerks, ".2f")),
    ("knee fold, degrees", _pair_cell("fold_deg", ".0f")),
    ("knee step in 1/30 s, degrees", _pair_cell("snap_deg", ".0f")),
    ("knee flips, frames", lambda row: str(row.flips)),
    ("knee in single support, degrees", _pair_cell("single_support_deg", ".0f")),
    ("leg extension", _pair_cell("extension", ".3f")),
    ("straighter than before, frames", lambda row: str(row.straight)),
)
