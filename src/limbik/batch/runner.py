"""ground_files() and retarget_files(): many clips from files into files, each once, in whatever process."""

from __future__ import annotations

import os
import pickle
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from limbik.arguments import file_path, shown, whole
from limbik.arrays import Array
from limbik.batch.clip_job import Job, Outcome, PageWriter, Work
from limbik.batch.planning import TERRAIN_NAME, plan
from limbik.batch.pools import run_in_processes, run_in_this_process, run_on_ray
from limbik.batch.records import intact_record, mark_unfinished, write_record
from limbik.batch.retarget_job import RetargetWork
from limbik.engines.threads import cores
from limbik.errors import ArgumentError
from limbik.files.atomic_write import clear_leftovers
from limbik.grounding.settings import Settings, as_settings
from limbik.retargeting.joint_map import MappingLike, read_mapping
from limbik.terrains.base import MESH_SPACING, Terrain
from limbik.terrains.planes import Plane
from limbik.terrains.specs import TerrainLike, as_terrain
from limbik.terrains.terrain_export import save_mesh

TERRAIN_MARGIN_METRES = 1.0  # of terrain shown around the area of the clips
MAX_TERRAIN_VERTICES = 250_000  # of the terrain that is shown, approximately
MAX_DEATHS = 2  # a clip is given up after its process has died this many times
DEATHS_MESSAGE = f"the process working on it died {MAX_DEATHS} times"


def ground_files(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    terrain: TerrainLike,
    out: str | os.PathLike[str],
    *,
    settings: Settings | Mapping[str, float | None] | None = None,
    animation: str | int | None = None,
    format: str | None = None,
    jobs: int | None = None,
    ray: str | bool = False,
    page: PageWriter | None = None,
    repeat: int = 1,
) -> Iterator[Outcome]:
    """Grounds clips from files into files of the same names in a folder.

    A clip is skipped if an earlier result from the same input and settings is intact. A clip that fails, or whose
    process dies, does not stop the others. Beside each result a record is written (.json: report, curves, checksums),
    and beside all of them the terrain (`terrain.glb`). Existing files are replaced, each at once and whole.

    Args:
        paths: Files (.bvh, .glb, .gltf) and folders, which are searched with their subfolders.
        terrain: What `ground` accepts.
        out: The folder for the results; created if necessary.
        settings: A `Settings`, or a dictionary of some of its fields. Default: `Settings()`.
        animation: Name or index of the animation in glTF files that have several. Default: the first.
        format: "bvh" or "glb", the format to write. Default: each file's own.
        jobs: Number of clips at a time, each in a process of its own; 1 works in this process. Default: one per core.
        ray: True for a Ray cluster (at RAY_ADDRESS, or started on this machine), or the address of one. Its machines
            must share the folders.
        page: Function of (grounded, path) that writes a page beside each clip. Default: no pages.
        repeat: How many times cycles are played, as for `ground`.

    Returns:
        An iterator of outcomes, in the order in which clips are finished.

    Raises:
        ArgumentError: An argument is not one of the above, or nothing is there to be grounded.
        LimbikError: Worker processes cannot start, or no Ray cluster answers.
    """
    if page is not None and not callable(page):
        raise ArgumentError("page", shown(page), "a function of (grounded, path)")
    work = Work(as_terrain(terrain), as_settings(settings), animation, page, whole("repeat", repeat, 1))
    return run_jobs(plan(paths, out, format), work, out, jobs, ray)


def retarget_files(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    figure: str | os.PathLike[str],
    out: str | os.PathLike[str],
    terrain: TerrainLike | None = None,
    *,
    mapping: MappingLike | None = None,
    settings: Settings | Mapping[str, float | None] | None = None,
    animation: str | int | None = None,
    jobs: int | None = None,
    ray: str | bool = False,
    page: PageWriter | None = None,
) -> Iterator[Outcome]:
    """Puts the motion of files on another figure, as `retarget` does, into files of a folder.

    Results have the names of their clips and the format of the figure's file, of which they keep everything else. What
    is skipped, what is written beside, and what happens to clips that fail, is as in `ground_files`.

    Args:
        paths: Files of motion, and folders, which are searched with their subfolders.
        figure: The file of the figure.
        out: The folder for the results; created if necessary.
        terrain: What `retarget` accepts (default: a floor at y = 0).
        mapping: The joints that are not found by themselves, as for `retarget`.
        settings: A `Settings`, or a dictionary of some of its fields. Default: `Settings()`.
        animation: Name or index of the animation in files that have several. Default: the first.
        jobs: Number of clips at a time, each in a process of its own; 1 works in this process. Default: one per core.
        ray: True for a Ray cluster, or the address of one, as for `ground_files`.
        page: Function of (retargeted, path) that writes a page beside each clip. Default: no pages.

    Returns:
        An iterator of outcomes, in the order in which clips are finished.

    Raises:
        ArgumentError: An argument is not one of the above, or there is no clip.
        LimbikError: Worker processes cannot start, or no Ray cluster answers.
    """
    if page is not None and not callable(page):
        raise ArgumentError("page", shown(page), "a function of (retargeted, path)")
    surface = Plane() if terrain is None else as_terrain(terrain)
    given = None if mapping is None else read_mapping(mapping)
    work = RetargetWork(
        surface, as_settings(settings), animation, page, figure=file_path("figure", figure), mapping=given
    )
    return run_jobs(plan(paths, out, work.format), work, out, jobs, ray)


def run_jobs(
    jobs: list[Job], work: Work, out: str | os.PathLike[str], count: int | None = None, ray: str | bool = False
) -> Generator[Outcome]:
    """Does planned jobs; yields outcomes as they are finished. `count` is the argument `jobs` of `ground_files`."""
    if count is not None:
        count = whole("jobs", count, 1)
    if not isinstance(ray, bool | str):
        raise ArgumentError("ray", shown(ray), "True, False, or the address of a Ray cluster")
    return _run(jobs, work, Path(out), count, ray)


def _run(jobs: list[Job], work: Work, out: Path, count: int | None, ray: str | bool) -> Generator[Outcome]:
    corners, fresh = np.empty((0, 2)), False  # low and high corners of the area of all clips
    with closing(_outcomes(jobs, work, count, ray)) as outcomes:
        for outcome in outcomes:
            fresh |= outcome.fresh
            if outcome.area:
                corners = np.array([*corners, *outcome.area])
                corners = np.stack([corners.min(axis=0), corners.max(axis=0)])
            yield outcome
    if len(corners) and (fresh or not intact_record(out / TERRAIN_NAME, [out / TERRAIN_NAME])):
        _write_terrain(work.terrain, out / TERRAIN_NAME, *corners)


def _outcomes(jobs: list[Job], work: Work, count: int | None, ray: str | bool) -> Generator[Outcome]:
    """Outcomes of jobs; a job whose process died is given to another one."""
    queue, deaths, remaining = deque(jobs), Counter[Job](), set(jobs)
    try:
        with closing(_results(work, queue, count, ray)) as results:
            for job, outcome in results:
                if outcome is None:
                    _clear_leftovers(job)
                    deaths[job] += 1
                    if deaths[job] < MAX_DEATHS:
                        queue.append(job)
                        continue
                remaining.discard(job)
                yield outcome or Outcome(job, error=f"{job.source}: {DEATHS_MESSAGE}")
    finally:
        for job in remaining.difference(queue):  # a process of an interrupted run may not have cleaned up
            _clear_leftovers(job)


def _results(
    work: Work, queue: deque[Job], count: int | None, ray: str | bool
) -> Generator[tuple[Job, Outcome | None]]:
    if ray is not False:
        return run_on_ray(work, queue, ray if isinstance(ray, str) else None, count)
    count = min(count or cores(), len(queue))
    if count == 1:
        return run_in_this_process(work, queue)
    for name, part in (("terrain", work.terrain), ("page", work.page)):
        try:
            pickle.dumps(part)
        except Exception as error:
            wanted = f"one that can be pickled for other processes ({error}); or jobs=1"
            raise ArgumentError(name, repr(part), wanted) from None
    return run_in_processes(work, queue, count)


def _clear_leftovers(job: Job) -> None:
    """Removes temporary files that a dead process left."""
    for path in (job.target, job.record, job.page):
        clear_leftovers(path)


def _write_terrain(terrain: Terrain, path: Path, low: Array, high: Array) -> None:
    """Writes the terrain around the area between two corners (2,) as a mesh, and its record."""
    low, high = np.floor(low - TERRAIN_MARGIN_METRES), np.ceil(high + TERRAIN_MARGIN_METRES)
    spacing = float(np.sqrt(np.prod(high - low) / MAX_TERRAIN_VERTICES))
    with suppress(ArgumentError):  # there may be no ground in the area
        with mark_unfinished(path):
            save_mesh(terrain, path, low, high, spacing if spacing > MESH_SPACING else None)
        write_record(path, [path])
