"""Many clips on one terrain: from files into files, each done once, whoever does it."""

from __future__ import annotations

import os
import pickle
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

from limbik.batch.clip_job import Area, Job, Outcome, PageWriter, Work
from limbik.batch.process_pool import in_processes, in_this_process
from limbik.batch.ray_pool import on_ray
from limbik.engines.threads import cores
from limbik.errors import ArgumentError, ChoiceError
from limbik.files.atomic_write import clear_leftovers
from limbik.files.clip_files import SUFFIXES
from limbik.grounding.settings import Settings
from limbik.terrains.base import MESH_SPACING, Terrain
from limbik.terrains.coercion import as_terrain
from limbik.terrains.terrain_export import save_mesh

FORMATS = ("bvh", "glb")
TERRAIN = "terrain.glb"  # the ground, beside the clips that walk on it
MARGIN = 1.0  # metres of ground that are shown beyond where anybody walks
MOST_VERTICES = 250_000  # of the ground that is shown, about
DEATHS = 2  # a clip whose process died so often is given up
DIED = f"the process at work on it died, {DEATHS} times over"


def ground_files(
    paths: Iterable[str | os.PathLike[str]],
    terrain: Any,
    out: str | os.PathLike[str],
    *,
    settings: Settings | None = None,
    animation: str | int | None = None,
    format: str | None = None,
    jobs: int | None = None,
    ray: str | bool = False,
    page: PageWriter | None = None,
) -> Iterator[Outcome]:
    """Grounds clips from files into files of the same names in a folder; gives what became of each as it gets done.

    Clips that were done before, from the same input with the same settings, are not done again. One that cannot be done
    has a `fault`, and does not stop the others; neither does a process that dies. Beside each is a record, a .json with
    its report, and beside them all the ground, `terrain.glb`.

    Args:
        paths: files (.bvh, .glb, .gltf), and folders of them, with the folders inside.
        terrain: what `ground` takes.
        out: the folder to write to; made if need be.
        settings: see `Settings`.
        animation: which one of files that have several, by its name or number.
        format: "bvh" or "glb", to write; else each file's own.
        jobs: how many clips at a time, each in a process of its own; else one for each core. 1 is this process.
        ray: True for a Ray cluster, that of the variable RAY_ADDRESS or else one of this machine alone; or the address
            of one. Its machines share the folders.
        page: what writes a page beside each clip, such as `write_grounded_page`; else there are
            none. Where it fails, the clip is done all the same, and its outcome has a fault beside the report.
    """
    work = Work(as_terrain(terrain), settings or Settings(), animation, page)
    return ground_jobs(plan(paths, out, format), work, out, jobs, ray)


def plan(paths: Iterable[str | os.PathLike[str]], out: str | os.PathLike[str], format: str | None = None) -> list[Job]:
    """The clips in files and folders, and where each goes in the folder `out`."""
    if format not in (None, *FORMATS):
        raise ChoiceError("format", format, FORMATS)
    out = Path(out)
    jobs: dict[Path, Job] = {}
    for path in map(Path, paths):
        for source, place in _clips(path, out):
            job = Job(source, out, place.with_suffix(f".{format}") if format else place)
            other = jobs.setdefault(job.target, job)
            if job.target == out / TERRAIN:
                raise ArgumentError("clips", source, f"another name; {job.target} is where the terrain goes")
            if other != job:
                raise ArgumentError("clips", f"{other.source} and {source}", f"one for each {job.target}")
            if source.resolve() == job.target.resolve():
                raise ArgumentError("out", out, f"another folder than that of {source}")
    if not jobs:
        raise ArgumentError("clips", "none", f"files of motion ({', '.join(SUFFIXES)}), or folders of them")
    return list(jobs.values())


def ground_jobs(
    jobs: list[Job], work: Work, out: str | os.PathLike[str], count: int | None = None, ray: str | bool = False
) -> Generator[Outcome]:
    """Does the work on planned jobs; gives what became of each as it gets done. count: as `jobs` of `ground_files`."""
    if count is not None and count < 1:
        raise ArgumentError("jobs", count, "1 or more")
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    areas: list[Area] = []
    fresh = False
    with closing(_outcomes(jobs, work, count, ray)) as outcomes:
        for outcome in outcomes:
            fresh |= outcome.fresh
            if outcome.area:
                areas = [_around([*areas, outcome.area])]
            yield outcome
    if areas and (fresh or not (out / TERRAIN).exists()):
        _show(work.terrain, out / TERRAIN, areas[0])


def _outcomes(jobs: list[Job], work: Work, count: int | None, ray: str | bool) -> Generator[Outcome]:
    """What became of each job; those whose process died go to another."""
    queue, deaths, open_jobs = deque(jobs), Counter[Job](), set(jobs)
    try:
        with closing(_runner(work, queue, count, ray)) as runner:
            for job, outcome in runner:
                if outcome is None:
                    _clear(job)
                    deaths[job] += 1
                if outcome is None and deaths[job] < DEATHS:
                    queue.append(job)
                    continue
                open_jobs.discard(job)
                yield outcome or Outcome(job, fault=f"{job.source}: {DIED}")
    finally:
        for job in open_jobs.difference(queue):  # where the run is given up, and a process had no time to clear up
            _clear(job)


def _runner(work: Work, queue: deque[Job], count: int | None, ray: str | bool) -> Generator[tuple[Job, Outcome | None]]:
    if ray is not False:
        return on_ray(work, queue, ray if isinstance(ray, str) else None, count)
    count = min(count or cores(), len(queue))
    if count == 1:
        return in_this_process(work, queue)
    for name, part in (("terrain", work.terrain), ("page", work.page)):
        try:
            pickle.dumps(part)
        except Exception as error:
            wanted = f"one that can be sent to other processes ({error}); or jobs=1"
            raise ArgumentError(name, repr(part), wanted) from None
    return in_processes(work, queue, count)


def _clips(path: Path, out: Path) -> Iterator[tuple[Path, Path]]:
    """The files of motion at a path, and where each is to be in the folder `out`, whose own files are none of them."""
    if not path.is_dir():
        yield path, Path(path.name)
        return
    inside = out.resolve() if path.resolve() in out.resolve().parents else None
    for source in sorted(path.rglob("*")):
        hidden = source.name.startswith(".") or source.name == TERRAIN
        if source.suffix.lower() not in SUFFIXES or hidden or not source.is_file():
            continue
        if inside is None or inside not in source.resolve().parents:
            yield source, source.relative_to(path)


def _clear(job: Job) -> None:
    """Removes what a process that died had begun to write."""
    for path in (job.target, job.record, job.page):
        clear_leftovers(path)


def _around(areas: list[Area]) -> Area:
    corners = np.array(areas)
    low, high = corners[:, 0].min(axis=0).tolist(), corners[:, 1].max(axis=0).tolist()
    return (low[0], low[1]), (high[0], high[1])


def _show(terrain: Terrain, path: Path, area: Area) -> None:
    """Writes the ground around an area, as a mesh to look at."""
    low, high = np.floor(np.array(area[0]) - MARGIN), np.ceil(np.array(area[1]) + MARGIN)
    spacing = float(np.sqrt(np.prod(high - low) / MOST_VERTICES))
    with suppress(ArgumentError):  # there may be no ground in it
        save_mesh(terrain, path, low, high, spacing if spacing > MESH_SPACING else None)
