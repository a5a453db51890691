"""`limbik ground`: clips on a terrain, feet planted, with a report."""

from __future__ import annotations

from dataclasses import asdict, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from cyclopts import App, Parameter

from limbik.arguments import whole
from limbik.cli.clip_outcomes import check_outputs, finish, run_planned
from limbik.cli.options import Animation, Flag, Ground, Jobs, Overwrite, Ray, ReportPage, animation_of, refuse_existing
from limbik.errors import ArgumentError
from limbik.grounding.settings import Settings, descriptions

app = App(name="ground")


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
    jobs: Jobs = None,
    ray: Ray = False,
    report: ReportPage = None,
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
    from limbik.files.footstep_files import load_footsteps
    from limbik.pages.clip_page import write_grounded_page
    from limbik.terrains.specs import terrain as terrain_of

    check_outputs(report, out, ray, overwrite)
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
    found = run_planned(planned, work, out, jobs, ray, as_json, "grounded")
    return finish(found, report, chosen)
