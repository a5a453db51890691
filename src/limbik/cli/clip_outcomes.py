"""What commands print about many clips, and what they check before they begin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from limbik.cli.options import refuse_existing
from limbik.cli.running import BAD_INPUT, printable, progress, tell
from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.batch.clip_job import Job, Outcome, Work
    from limbik.grounding.settings import Settings

MAX_CLIP_LINES = 40  # clips listed one by one
TABLE_COLUMNS = ("slide mm", "penetration mm", "float mm", "sole degrees", "pops ×", "knee fold degrees", "pelvis cm")


def check_outputs(report: Path | None, out: Path, ray: str | bool, overwrite: bool) -> None:
    """Checks before the work what would otherwise fail after it."""
    from limbik.files.clip_files import READ_SUFFIXES
    from limbik.pages.report_page import is_report

    if isinstance(ray, str) and ray.lower().endswith(READ_SUFFIXES):
        raise ArgumentError("--ray", ray, "the address of a cluster, or nothing: put it after the clips")
    if report is None:
        return
    if report.suffix.lower() not in (".html", ".htm"):
        raise ArgumentError("--report", report, "a page, .html")
    if not report.parent.is_dir() and report.parent.resolve() != out.resolve():
        raise ArgumentError("--report", report, "a page in a folder that exists")
    if not (report.is_file() and is_report(report)):
        refuse_existing(report, overwrite)


def run_planned(
    planned: list[Job], work: Work, out: Path, jobs: int | None, ray: str | bool, as_json: bool, what: str
) -> list[Outcome]:
    """Does planned jobs with a progress bar, and prints what became of them. what: was done to them, in a word."""
    from limbik.batch.runner import run_jobs

    found: list[Outcome] = []
    try:
        with progress() as advance, closing(run_jobs(planned, work, out, jobs, ray)) as outcomes:
            advance(0, len(planned), "")
            for outcome in outcomes:
                found.append(outcome)
                advance(len(found), len(planned), outcome.job.source.name)
    finally:  # an interrupted run shows what it finished, too
        order = {job: k for k, job in enumerate(planned)}
        found.sort(key=lambda one: order[one.job])
        print_outcomes(found, as_json, what)
    return found


def finish(found: Sequence[Outcome], report: Path | None, settings: Settings) -> int:
    """Writes the report page, if any, prints what went wrong, and returns the exit status."""
    if report is not None:
        from limbik.pages.report_page import write_report_page

        write_report_page(found, report, settings)
    errors = [one.error for one in found if one.error]
    for error in errors:
        tell(error)
    return BAD_INPUT if errors else 0


def print_outcomes(outcomes: Sequence[Outcome], as_json: bool, what: str) -> None:
    """Prints a table of all clips, or of all feet if there is one clip; or one line of JSON per clip.

    what: what was done to them, in a word.
    """
    if as_json:
        for one in outcomes:
            print(json.dumps(_outcome_content(one)))
        return
    from limbik.cli.terminal_tables import show_table, table, terminal
    from limbik.pages.report_page import COLUMNS

    done = [(one, one.report) for one in outcomes if one.report]
    if not done:
        return
    console = terminal()
    (first, report), *others = done
    title = f"{len(done)} clips on {report.terrain}; before → after"
    heading = ["clip", *TABLE_COLUMNS]
    lines = [
        [printable(str(one.job.place)), *(COLUMNS[name](found) for name in TABLE_COLUMNS)]
        for one, found in done[:MAX_CLIP_LINES]
    ]
    if not others:
        file = printable(str(first.job.target))
        title = f"{file}: {report.frames} frames at {report.fps:.6g} fps on {report.terrain}"
        heading, lines = report.table()
    console.print(title, style="bold", soft_wrap=True)
    show_table(console, table(heading, lines, left=heading[:1]))
    if first.likeness and not others:
        angles = [[name, f"{angle:.1f}"] for name, angle in first.likeness.items()]
        show_table(
            console, table(["median angle to the source", "degrees"], angles, left=["median angle to the source"])
        )
    for note in () if others else report.notes:
        console.print(note, soft_wrap=True)
    if len(done) > MAX_CLIP_LINES:
        console.print(f" … and {len(done) - MAX_CLIP_LINES} more; --report and --json show them")
    fresh = sum(one.fresh for one, _ in done)
    before = f", {len(done) - fresh} up to date" if fresh < len(done) else ""
    console.print(f"{first.job.out}: {fresh} clip{'s' * (fresh != 1)} {what}{before}", soft_wrap=True)


def _outcome_content(outcome: Outcome) -> dict[str, object]:
    source = {"file": str(outcome.job.source)}
    if outcome.report is None:
        return {**source, "error": outcome.error}
    content = {**source, "out": str(outcome.job.target), "fresh": outcome.fresh, "report": outcome.report.as_dict()}
    content |= {} if outcome.likeness is None else {"degrees_from_source": outcome.likeness}
    return {**content, "error": outcome.error} if outcome.error else content
