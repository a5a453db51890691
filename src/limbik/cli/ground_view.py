"""The outcomes of `limbik ground`, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from limbik.batch.clip_job import Outcome
from limbik.cli.contents_view import printable
from limbik.cli.terminal_tables import show_table, table, terminal
from limbik.pages.report_page import COLUMNS

MOST = 40  # clips listed one by one
SHOWN = ("slide mm", "penetration mm", "float mm", "sole degrees", "pops ×", "knee fold degrees", "pelvis cm")


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
    heading = ["clip", *SHOWN]
    lines = [[printable(str(one.job.place)), *(COLUMNS[name](found) for name in SHOWN)] for one, found in done[:MOST]]
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
