"""`limbik ground`: clips on a terrain, feet planted, with a report."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from cyclopts import App, Parameter

from limbik.cli.faults import FAILED, tell
from limbik.cli.options import Animation, Flag, animation_of
from limbik.cli.running import progress, terminated
from limbik.errors import ArgumentError
from limbik.grounding.settings import Settings, descriptions

app = App(name="ground")


def _options() -> Any:
    """The settings of `ground` as options: their names, types, defaults and help are those of `Settings`."""
    types, texts = get_type_hints(Settings), descriptions()
    options = [
        (one.name, Annotated[types[one.name], Parameter(help=texts[one.name])], one.default) for one in fields(Settings)
    ]
    place = {"__module__": __name__}  # else it would pass for one of Python's own types, which have no fields
    made = make_dataclass("SettingsOptions", options, frozen=True, kw_only=True, namespace=place)
    return Parameter(name="*", group="Settings")(made)


if TYPE_CHECKING:
    SettingsOptions = Settings
else:
    SettingsOptions = _options()
DEFAULTS = SettingsOptions()


@app.default
def ground(
    *clips: Annotated[Path, Parameter(help="Files of motion (.bvh, .glb, .gltf), and folders of them.")],
    terrain: Annotated[str, Parameter(help="Such as slope:10, stairs:rise=0.17,run=0.3, hills:height=0.3, or a file.")],
    out: Annotated[Path, Parameter(help="The folder for the results; made if need be.")],
    jobs: Annotated[
        int | None, Parameter(help="Clips at a time, each in a process of its own; else one a core.")
    ] = None,
    ray: Annotated[
        bool | str, Parameter(help="On a Ray cluster: of this machine, or at an ADDRESS.", show_default=False)
    ] = False,
    report: Annotated[Path | None, Parameter(help="A page with all numbers, and plots: report.html.")] = None,
    html: Annotated[Flag, Parameter(help="A page beside each clip that plays it, before and after; offline.")] = False,
    format: Annotated[Literal["glb", "bvh"] | None, Parameter(help="The format to write; else the file's own.")] = None,
    animation: Animation = None,
    as_json: Annotated[
        Flag, Parameter(name="--json", help="One JSON object for each clip, on a line of its own.")
    ] = False,
    settings: SettingsOptions = DEFAULTS,
) -> int:
    """Put clips on a terrain: the same motion with feet planted on slopes, stairs and hills, and a report that tells.

    limbik ground walk.bvh --terrain slope:10 --out hill. Clips that were done before, from the same input with the same
    settings, are not done again. One that cannot be done is told at the end, and the others are done all the same; the
    exit status is then 1. With --html there is walk.bvh.html beside walk.bvh. Lengths and speeds among the settings are
    fractions of a leg.
    """
    from limbik.batch.clip_job import Work
    from limbik.batch.ground_files import ground_jobs, plan
    from limbik.cli.ground_shown import Shown
    from limbik.pages.grounded_page import write_grounded_page
    from limbik.terrains.specs import terrain as terrain_of

    _check(report, out, ray)
    chosen = Settings(**asdict(settings))
    planned = plan(clips, out, format)
    work = Work(terrain_of(terrain), chosen, animation_of(animation), write_grounded_page if html else None)
    shown = Shown(planned)
    try:
        with terminated(), progress() as advance, closing(ground_jobs(planned, work, out, jobs, ray)) as outcomes:
            advance(0, len(planned), "")
            for outcome in outcomes:
                shown.add(outcome)
                advance(shown.count, len(planned), outcome.job.source.name)
    finally:  # an interrupted run tells what it got done, too
        shown.show(as_json)
    if report is not None:
        from limbik.pages.report_page import write_page

        write_page(report, shown.outcomes, chosen)
    for fault in shown.faults:
        tell(fault)
    return FAILED if shown.faults else 0


def _check(report: Path | None, out: Path, ray: str | bool) -> None:
    """What would else be found out after all the work."""
    from limbik.files.clip_files import SUFFIXES

    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise ArgumentError("--report", report, "a page, .html")
    if report is not None and not report.parent.is_dir() and report.parent.resolve() != out.resolve():
        raise ArgumentError("--report", report, "a page in a folder that is there")
    if isinstance(ray, str) and ray.lower().endswith(SUFFIXES):
        raise ArgumentError("--ray", ray, "the address of a cluster, or nothing after it: put it behind the clips")
