"""Which files are grounded, and where the results go."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from limbik.arguments import choice, file_path, shown
from limbik.batch.clip_job import Job
from limbik.batch.records import record_path
from limbik.errors import ArgumentError, FileError
from limbik.files.clip_files import FOLDER_SUFFIXES, SUFFIXES

OUTPUT_FORMATS = ("bvh", "glb", "vrm", "vrma")
UNWRITTEN_AS = ".glb"  # of formats that are only read, such as FBX
TERRAIN_NAME = "terrain.glb"  # the terrain, beside the clips that walk on it


def plan(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    out: str | os.PathLike[str],
    format: str | None = None,
) -> list[Job]:
    """The jobs for files and folders of clips, one for each; for the arguments see `ground_files`.

    Raises FileError if none of the clips exists, and ArgumentError if there are none, two results would be the same
    file, or one would replace its source.
    """
    if format is not None:
        choice("format", format, OUTPUT_FORMATS)
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    if not isinstance(paths, Iterable):
        raise ArgumentError("clips", shown(paths), "paths of motion files, or of folders of them")
    out = file_path("out", out)
    if out.suffix.lower() in SUFFIXES and not out.is_dir():
        raise ArgumentError("out", out, f"a folder, such as {out.stem}: results have the names of their clips")
    jobs: dict[Path, Job] = {}
    for path in (file_path("clips", one) for one in paths):
        for source, place in clips_at(path, out):
            written = f".{format}" if format else place.suffix if place.suffix.lower() in SUFFIXES else UNWRITTEN_AS
            job = Job(source, out, place.with_suffix(written))
            other = jobs.setdefault(job.target, job)
            if job.target == out / TERRAIN_NAME:
                raise ArgumentError("clips", source, f"another name; the terrain is written to {job.target}")
            if other != job:
                raise ArgumentError("clips", f"{other.source} and {source}", f"one clip for {job.target}")
            if source.resolve() == job.target.resolve():
                raise ArgumentError("out", out, f"another folder than that of {source}")
    if not jobs:
        raise ArgumentError("clips", "none", f"motion files ({', '.join(FOLDER_SUFFIXES)}), or folders of them")
    if not any(source.exists() for source in (job.source for job in jobs.values())):
        raise FileError(next(iter(jobs.values())).source, "", "does not exist")
    return list(jobs.values())


def foreign_files(jobs: Iterable[Job], out: Path, pages: bool) -> Iterator[Path]:
    """Existing files that a run would replace although none wrote them: without a record beside them."""
    owned = {out / TERRAIN_NAME: [out / TERRAIN_NAME]}
    owned |= {job.target: job.files(pages) for job in jobs}
    for target, files in owned.items():
        if not record_path(target).is_file():
            yield from (path for path in files if path.exists())


def clips_at(path: Path, out: Path) -> Iterator[tuple[Path, Path]]:
    """The clips at a path, each with its place in the folder `out`; files inside `out` itself are left out."""
    if not path.is_dir():
        yield path, Path(path.name)
        return
    inside = out.resolve() if path.resolve() in out.resolve().parents else None
    for source in sorted(path.rglob("*")):
        hidden = source.name.startswith(".") or source.name == TERRAIN_NAME
        if source.suffix.lower() not in FOLDER_SUFFIXES or hidden or not source.is_file():
            continue
        if inside is None or inside not in source.resolve().parents:
            yield source, source.relative_to(path)
