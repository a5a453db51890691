"""The outcomes of `limbik ground`, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from limbik.batch.clip_job import Outcome
from limbik.cli.contents_view import printable
from limbik.cli.terminal_tables import show_table, table, terminal
from limbik.referee.motion_report import Report, number

MOST = 40  # clips listed one by one


def show_outcomes(outcomes: Sequence[Outcome], as_json: bool) -> None:
    """Prints a table of all clips, or of all feet if there is one clip; or one line of JSON per clip."""
    if as_json:
        for one in outcomes:
            print(json.dumps(_as_dict(one)))
        return
    done = [(one, one.report) for one in outcomes if one.report]
    if not done:
        return
    console = terminal()
    (first, report), *others = done
    title = f"{len(done)} clips on {report.terrain}; before → after"
    heading = ["clip", *(name for name, _ in COLUMNS)]
    lines = [[printable(str(one.job.place)), *(cell(found) for _, cell in COLUMNS)] for one, found in done[:MOST]]
    if not others:
        file = printable(str(first.job.target))
        title = f"{file}: {report.frames} frames at {report.fps:.6g} fps on {report.terrain}"
        heading, lines = report.table()
    console.print(title, style="bold", soft_wrap=True)
    show_table(console, table(heading, lines, left=heading[:1]))
    for note in () if others else report.notes:
        console.print(note, soft_wrap=True)
    if len(done) > MOST:
        console.print(f" … and {len(done) - MOST} more; --report and --json show them")
    fresh = sum(one.fresh for one, _ in done)
    before = f", {len(done) - fresh} up to date" if fresh < len(done) else ""
    console.print(f"{first.job.out}: {fresh} clip{'s' * (fresh != 1)} grounded{before}", soft_wrap=True)


def _as_dict(outcome: Outcome) -> dict[str, object]:
    source = {"file": str(outcome.job.source)}
    if outcome.report is None:
        return {**source, "error": outcome.error}
    content = {**source, "out": str(outcome.job.target), "fresh": outcome.fresh, "report": outcome.report.as_dict()}
    return {**content, "error": outcome.error} if outcome.error else content


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
