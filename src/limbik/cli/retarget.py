"""`limbik retarget`: the motion of files on other figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from limbik.cli.clip_outcomes import check_outputs, finish, print_outcomes, run_planned
from limbik.cli.options import Animation, Flag, Jobs, Overwrite, Ray, ReportPage, animation_of, refuse_existing
from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.batch.clip_job import Job, Outcome
    from limbik.batch.retarget_job import RetargetWork

app = App(name="retarget")


@app.default
def retarget(
    *clips: Annotated[Path, Parameter(help="Motion files (.bvh, .glb, .gltf, .vrm, .vrma) and folders of them.")],
    to: Annotated[list[Path], Parameter(help="The file of the figure that is to move; or several, --to A --to B.")],
    out: Annotated[Path, Parameter(help="The file to write, of one clip; or a folder, created if needed.")],
    terrain: Annotated[str, Parameter(help="The ground: plane, slope:10, stairs, hills, or a file.")] = "plane",
    map: Annotated[
        Path | None, Parameter(help="A map of joints (.json) for what is not found by itself, as --save-map writes.")
    ] = None,
    save_map: Annotated[
        Path | None, Parameter(help="Write the map of joints that was found (.json), to be corrected and used again.")
    ] = None,
    jobs: Jobs = None,
    ray: Ray = False,
    report: ReportPage = None,
    html: Annotated[Flag, Parameter(help="Write a page beside each result that plays it beside its source.")] = False,
    animation: Animation = None,
    as_json: Annotated[Flag, Parameter(name="--json", help="Print one JSON object per clip and line.")] = False,
    overwrite: Overwrite = False,
) -> int:
    """Put the motion of one figure on another: your character moves like a recording, feet planted, on any ground.

    Example: limbik retarget walk.bvh --to character.glb --terrain stairs --out walk.glb --html

    Bipeds move like bipeds, quadrupeds like quadrupeds, whatever their proportions, rest poses and the names of their
    joints. Of the figure's file everything else is kept: mesh, materials, licence. Many clips go into a folder; a
    second run makes only what is new, changed or damaged. With several figures, each has a folder of its name there.
    """
    from limbik.batch.planning import foreign_files, plan
    from limbik.batch.retarget_job import RetargetWork
    from limbik.files.clip_files import SUFFIXES, load
    from limbik.grounding.settings import Settings
    from limbik.pages.clip_page import write_retargeted_page
    from limbik.retargeting.joint_map import map_joints, read_mapping
    from limbik.terrains.specs import terrain as terrain_of

    check_outputs(report, out, ray, overwrite)
    one_file = out.suffix.lower() in SUFFIXES and not out.is_dir()
    if one_file and (len(clips) != 1 or len(to) != 1 or clips[0].is_dir()):
        raise ArgumentError("--out", out, f"a folder, such as {out.stem}, for several clips or figures")
    surface, given = terrain_of(terrain), None if map is None else read_mapping(map)
    writer = write_retargeted_page if html else None
    if save_map is not None:
        refuse_existing(save_map, overwrite)
    found: list[Outcome] = []
    for figure in to:
        work = RetargetWork(surface, Settings(), animation_of(animation), writer, figure=figure, mapping=given)
        folder = out.parent if one_file else out / figure.stem if len(to) > 1 else out
        if one_file:
            found += _make_one(clips[0], out, work, overwrite, as_json)
        else:
            planned = plan(clips, folder, work.format)
            for path in foreign_files(planned, folder, pages=html):
                refuse_existing(path, overwrite)
            found += run_planned(planned, work, folder, jobs, ray, as_json, "retargeted")
        if save_map is not None:
            first = next((one.job.source for one in found), clips[0])
            skeletons = load(first, animation=animation_of(animation)).skeleton, load(figure).skeleton
            map_joints(*skeletons, given).save(save_map)
            save_map = None
    return finish(found, report, Settings())


def _make_one(clip: Path, out: Path, work: RetargetWork, overwrite: bool, as_json: bool) -> list[Outcome]:
    """One clip in one file, with the page beside it."""
    from limbik.batch.clip_job import Job

    job: Job = Job(clip, out.parent, Path(out.name))
    if not job.record.is_file():
        for path in job.files(pages=work.page is not None):
            refuse_existing(path, overwrite)
    outcome = work(job)
    print_outcomes([outcome], as_json, "retargeted")
    return [outcome]
