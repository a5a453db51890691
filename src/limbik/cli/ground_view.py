"""The outcomes of `limbik ground`, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from limbik.batch.clip_job import Outcome
from limbik.cli.contents_view import printable
from limbik.referee.motion_report import Report, number

MOST = 40  # clips listed one by one
WIDEST = 1000  # characters of a line


def show_outcomes(outcomes: Sequence[Outcome], as_json: bool) -> None:
    """Prints a table of all clips, or of all feet if there is one clip; or one line of JSON per clip."""
    if as_json:
        for one in outcomes:
            print(json.dumps(_as_dict(one)))
        return
    done = [(one, one.report) for one in outcomes if one.report]
    if not done:
        return
    console = Console(highlight=False, markup=False)
    if len(done) == 1:
        _show_one(console, *done[0])
    else:
        _show_all(console, done)
    fresh = sum(one.fresh for one, _ in done)
    before = f", {len(done) - fresh} up to date" if fresh < len(done) else ""
    console.print(f"{done[0][0].job.out}: {fresh} clip{'s' * (fresh != 1)} grounded{before}", soft_wrap=True)


def _as_dict(outcome: Outcome) -> dict[str, object]:
    source = {"file": str(outcome.job.source)}
    if outcome.report is None:
        return {**source, "error": outcome.error}
    content = {**source, "out": str(outcome.job.target), "fresh": outcome.fresh, "report": outcome.report.as_dict()}
    return {**content, "error": outcome.error} if outcome.error else content


def _show_one(console: Console, outcome: Outcome, report: Report) -> None:
    title = f"{printable(str(outcome.job.target))}: {report.frames} frames at {report.fps:.6g} fps on {report.terrain}"
    console.print(title, style="bold", soft_wrap=True)
    _show_table(console, *report.table())
    for note in report.notes:
        console.print(note, soft_wrap=True)


def _show_all(console: Console, done: Sequence[tuple[Outcome, Report]]) -> None:
    lines = [[printable(str(one.job.place)), *(cell(report) for _, cell in COLUMNS)] for one, report in done[:MOST]]
    console.print(f"{len(done)} clips on {done[0][1].terrain}; before → after", style="bold", soft_wrap=True)
    _show_table(console, ["clip", *(name for name, _ in COLUMNS)], lines)
    if len(done) > MOST:
        console.print(f" … and {len(done) - MOST} more; --report and --json show them")


def _show_table(console: Console, heading: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for k, name in enumerate(heading):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    for line in lines:
        table.add_row(*line)
    needed = Measurement.get(console, console.options.update_width(WIDEST), table).maximum
    console.width = max(console.width, needed)  # wrapped lines are better than truncated numbers
    console.print(table)


def _both(*names: str) -> Callable[[Report], str]:
    """A column with the largest of some measures, before and after."""

    def cell(report: Report) -> str:
        values = [report.total.largest(*names, after=after) for after in (False, True)]
        return " → ".join(number(value, ".1f") for value in values)

    return cell


COLUMNS: tuple[tuple[str, Callable[[Report], str]], ...] = (
    ("slide mm", _both("slide_mm")),
    ("penetration mm", _both("heel_penetration_mm", "toe_penetration_mm")),
    ("float mm", _both("heel_float_mm", "toe_float_mm")),
    ("sole °", _both("sole_angle_deg")),
    ("pops ×", lambda report: number(report.total.pops, ".2f")),
    ("knee fold °", _both("fold_deg")),
    ("pelvis cm", lambda report: number(report.pelvis_offset_cm, ".1f")),
)
