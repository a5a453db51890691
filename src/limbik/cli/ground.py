"""`limbik ground`: clips on a terrain, feet planted, with a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from cyclopts import App, Parameter

from limbik.arguments import whole
from limbik.cli.options import Animation, Flag, Ground, Overwrite, animation_of, refuse_existing
from limbik.cli.running import BAD_INPUT, printable, progress, tell
from limbik.errors import ArgumentError
from limbik.grounding.settings import Settings, descriptions

if TYPE_CHECKING:
    from limbik.batch.clip_job import Outcome

app = App(name="ground")

MAX_CLIP_LINES = 40  # clips listed one by one
TABLE_COLUMNS = ("slide mm", "penetration mm", "float mm", "sole degrees", "pops ×", "knee fold degrees", "pelvis cm")


def _options() -> Any:
    """The settings of `ground` as options: names, types, defaults and help are those of `Settings`."""
    types, texts = get_type_hints(Settings), descriptions()
    options = [
        (one.name, Annotated[types[one.name], Parameter(help=texts[one.name])], one.default) for one in fields(Settings)
    ]
    place = {"__module__": __name__}  # without it cyclopts takes the class for a builtin type, which has no fields
    made = make_dataclass("SettingsOptions", options, frozen=True, kw_only=True, namespace=place)
    return Parameter(name="*", group="Settings")(made)


if TYPE_CHECKING:
    SettingsOptions = Settings
else:
    SettingsOptions = _options()
DEFAULTS = SettingsOptions()


@app.default
def ground(
    *clips: Annotated[Path, Parameter(help="Motion files (.bvh, .glb, .gltf) and folders of them.")],
    terrain: Ground,
    out: Annotated[Path, Parameter(help="Folder for the results, created if needed.")],
    jobs: Annotated[
        int | None, Parameter(help="Number of clips at a time, each in its own process (default: one per core).")
    ] = None,
    ray: Annotated[
        bool | str,
        Parameter(
            help="Distribute the clips with Ray: on this machine, or on the cluster at an address given here.",
            show_default=False,
        ),
    ] = False,
    report: Annotated[
        Path | None, Parameter(help="Output page with all numbers and plots, such as report.html.")
    ] = None,
    html: Annotated[
        Flag, Parameter(help="Write a page beside each clip that plays it offline, before and after.")
    ] = False,
    footsteps: Annotated[
        Path | None,
        Parameter(help="Where the feet of one clip are to stand: a .json of --write-footsteps that you have edited."),
    ] = None,
    write_footsteps: Annotated[
        Flag, Parameter(help="Write when and where feet stand beside each clip, such as walk.bvh.footsteps.json.")
    ] = False,
    format: Annotated[
        Literal["glb", "bvh"] | None, Parameter(help="Format to write (default: that of each clip).")
    ] = None,
    animation: Animation = None,
    repeat: Annotated[
        int, Parameter(help="How many times cycles (clips whose last frame meets their first) are played.")
    ] = 1,
    as_json: Annotated[Flag, Parameter(name="--json", help="Print one JSON object per clip and line.")] = False,
    overwrite: Overwrite = False,
    settings: SettingsOptions = DEFAULTS,
) -> int:
    """Put clips on a terrain: the same motion with feet planted on slopes, stairs and hills, and a report.

    Example: limbik ground walk.bvh --terrain slope:10 --out hill

    A second run grounds only what is new, changed or damaged. Files that no earlier run has written are not replaced
    without --overwrite. A clip that fails is reported at the end, the others are grounded all the same, and the exit
    status is 2. With --html, walk.bvh.html is written beside walk.bvh. Lengths and speeds among the settings are
    fractions of the leg's length.
    """
    from limbik.batch.clip_job import Work
    from limbik.batch.planning import foreign_files, plan
    from limbik.batch.runner import ground_jobs
    from limbik.files.footstep_files import load_footsteps
    from limbik.pages.clip_page import write_grounded_page
    from limbik.terrains.specs import terrain as terrain_of

    _check(report, out, ray, overwrite)
    chosen = Settings(**asdict(settings))
    planned = plan(clips, out, format)
    if footsteps is not None and len(planned) != 1:
        raise ArgumentError("--footsteps", footsteps, f"one clip to go with it, and not {len(planned)}")
    steps = None if footsteps is None else load_footsteps(footsteps)
    for path in foreign_files(planned, out, pages=html):
        refuse_existing(path, overwrite)
    writer = write_grounded_page if html else None
    times = whole("repeat", repeat, 1)
    work = Work(terrain_of(terrain), chosen, animation_of(animation), writer, times, steps, write_footsteps)
    found: list[Outcome] = []
    try:
        with progress() as advance, closing(ground_jobs(planned, work, out, jobs, ray)) as outcomes:
            advance(0, len(planned), "")
            for outcome in outcomes:
                found.append(outcome)
                advance(len(found), len(planned), outcome.job.source.name)
    finally:  # an interrupted run shows what it finished, too
        order = {job: k for k, job in enumerate(planned)}
        found.sort(key=lambda one: order[one.job])
        _print_outcomes(found, as_json)
    if report is not None:
        from limbik.pages.report_page import write_report_page

        write_report_page(found, report, chosen)
    errors = [one.error for one in found if one.error]
    for error in errors:
        tell(error)
    return BAD_INPUT if errors else 0


def _check(report: Path | None, out: Path, ray: str | bool, overwrite: bool) -> None:
    """Checks before the work what would otherwise fail after it."""
    from limbik.files.clip_files import SUFFIXES
    from limbik.pages.report_page import is_report

    if isinstance(ray, str) and ray.lower().endswith(SUFFIXES):
        raise ArgumentError("--ray", ray, "the address of a cluster, or nothing: put it after the clips")
    if report is None:
        return
    if report.suffix.lower() not in (".html", ".htm"):
        raise ArgumentError("--report", report, "a page, .html")
    if not report.parent.is_dir() and report.parent.resolve() != out.resolve():
        raise ArgumentError("--report", report, "a page in a folder that exists")
    if not (report.is_file() and is_report(report)):
        refuse_existing(report, overwrite)


def _print_outcomes(outcomes: Sequence[Outcome], as_json: bool) -> None:
    """Prints a table of all clips, or of all feet if there is one clip; or one line of JSON per clip."""
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
    for note in () if others else report.notes:
        console.print(note, soft_wrap=True)
    if len(done) > MAX_CLIP_LINES:
        console.print(f" … and {len(done) - MAX_CLIP_LINES} more; --report and --json show them")
    fresh = sum(one.fresh for one, _ in done)
    before = f", {len(done) - fresh} up to date" if fresh < len(done) else ""
    console.print(f"{first.job.out}: {fresh} clip{'s' * (fresh != 1)} grounded{before}", soft_wrap=True)


def _outcome_content(outcome: Outcome) -> dict[str, object]:
    source = {"file": str(outcome.job.source)}
    if outcome.report is None:
        return {**source, "error": outcome.error}
    content = {**source, "out": str(outcome.job.target), "fresh": outcome.fresh, "report": outcome.report.as_dict()}
    return {**content, "error": outcome.error} if outcome.error else content
