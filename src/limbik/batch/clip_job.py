"""One clip from a file into a file: grounded, with a record beside it of what it was made from and how it went."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from limbik.batch.records import Area, intact_record, mark_unfinished, record_path, write_record
from limbik.errors import FileError, LimbikError
from limbik.files import gltf
from limbik.files.clip_files import load, save
from limbik.files.footstep_files import save_footsteps
from limbik.files.gltf.container import content_of, names_file
from limbik.files.gltf.document import parse
from limbik.grounding.ground import Grounded, ground
from limbik.grounding.settings import Settings
from limbik.referee.curves import curves
from limbik.referee.motion_report import Report
from limbik.retargeting.retarget import Retargeted
from limbik.skeleton.clip import Clip
from limbik.skeleton.footsteps import Footsteps
from limbik.terrains.base import Terrain

PageWriter = Callable[[Any, Path], None]  # of what was made: a Grounded or a Retargeted


@dataclass(frozen=True)
class Job:
    """A clip to be processed."""

    source: Path  # the file that the clip is in
    out: Path  # the folder for results
    place: Path  # the path of the result inside that folder

    @property
    def target(self) -> Path:
        """The file of the result."""
        return self.out / self.place

    @property
    def record(self) -> Path:
        """The .json file beside the target: what it was made from, its report and curves."""
        return record_path(self.target)

    @property
    def page(self) -> Path:
        """The .html file beside the target that plays it, if pages are requested."""
        return self.target.with_name(self.target.name + ".html")

    @property
    def footsteps(self) -> Path:
        """The .json file beside the target with its footsteps, if these are requested."""
        return self.target.with_name(self.target.name + ".footsteps.json")

    def files(self, pages: bool) -> list[Path]:
        """The files that the record is about: the target, and the page if pages are requested."""
        return [self.target, self.page] if pages else [self.target]


@dataclass(frozen=True)
class Outcome:
    """What became of a clip."""

    job: Job  # the job
    report: Report | None = None  # its report, or None if it failed
    error: str | None = None  # what went wrong; beside a report, what went wrong with the page
    fresh: bool = True  # whether the clip was processed in this run; False if an earlier result is still valid
    area: Area | None = None  # corners (x, z), low and high, of the rectangle in which the clip moves, in metres
    likeness: dict[str, float] | None = None  # of a retargeted clip, degrees by part; see `Likeness.median`


@dataclass(frozen=True, eq=False)
class Work:
    """What is done to each clip, in any process: called with a Job, it returns an Outcome."""

    terrain: Terrain  # the terrain to put clips on
    settings: Settings  # the settings of `ground`
    animation: str | int | None = None  # name or index of the animation in files that have several
    page: PageWriter | None = None  # writes a page beside each clip; must be picklable for other processes
    repeat: int = 1  # how many times cycles are played
    footsteps: Footsteps | None = None  # where feet are to stand, of one clip
    write_footsteps: bool = False  # whether those of each result are written beside it
    terrain_key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terrain_key", self.terrain.key())

    def __call__(self, job: Job) -> Outcome:
        """Processes a clip unless a valid result exists. Anything wrong with it is in the outcome."""
        try:
            key = self.key(job)
            return self._earlier_outcome(job, key) or self._process_clip(job, key)
        except Exception as error:
            return Outcome(job, error=_reason(error, job.source))

    def key(self, job: Job) -> str:
        """A digest of everything that the result depends on."""
        from limbik import __version__

        parts = [__version__, self.terrain_key, asdict(self.settings), self.animation, job.target.suffix.lower()]
        parts += [self.repeat] if self.repeat > 1 else []
        parts += [] if self.footsteps is None else [self.footsteps.as_dict()]
        digest = sha256(json.dumps(parts).encode())
        for content in (*input_contents(job.source), *self.other_inputs()):
            digest.update(sha256(content).digest())
        return digest.hexdigest()

    def other_inputs(self) -> Iterable[bytes]:
        """What the result depends on beside the clip and the settings."""
        return ()

    def make(self, clip: Clip) -> Grounded | Retargeted:
        """What becomes of a clip."""
        return ground(clip, self.terrain, settings=self.settings, repeat=self.repeat, footsteps=self.footsteps)

    def _process_clip(self, job: Job, key: str) -> Outcome:
        clip = load(job.source, animation=self.animation)
        start = time.perf_counter()
        made = self.make(clip)
        seconds = time.perf_counter() - start
        likeness, grounded = (made.likeness.median, made.grounded) if isinstance(made, Retargeted) else (None, made)
        report, area = made.report, _area(made.clip)
        job.target.parent.mkdir(parents=True, exist_ok=True)
        with mark_unfinished(job.target):
            if job.page.is_file():
                job.page.unlink()  # it shows another clip
            save(made.clip, job.target)
            if self.write_footsteps:
                save_footsteps(grounded.footsteps, job.footsteps)
        error = None
        if self.page is not None:
            try:
                self.page(made, job.page)
            except Exception as fault:
                error = _reason(fault, job.page)
        content = {"report": report.as_dict(), "area": area, "curves": curves(grounded.comparison)}
        content |= {"contacts": grounded.contact_intervals(), "likeness": likeness}
        write_record(job.target, job.files(pages=self.page is not None and not error), key=key, **content)
        timed = replace(report, frames_per_second=len(made.clip) / seconds)
        return Outcome(job, timed, error, area=area, likeness=likeness)

    def _earlier_outcome(self, job: Job, key: str) -> Outcome | None:
        """The outcome of an earlier run with the same key whose files are intact, or None."""
        record = intact_record(job.target, job.files(pages=self.page is not None))
        if record is None or record.get("key") != key or (self.write_footsteps and not job.footsteps.is_file()):
            return None
        return Outcome(
            job, Report.from_dict(record["report"]), fresh=False, area=record["area"], likeness=record.get("likeness")
        )


def input_contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and of those that it refers to."""
    data = path.read_bytes()
    yield data
    if path.suffix.lower() in gltf.SUFFIXES:
        named = parse(data, str(path), path.parent).arrays
        for key in ("buffers", "images"):
            for each in named[key]:
                if names_file(each.get("uri")):
                    yield content_of(each["uri"], path.parent, None, str(path), key)


def _area(clip: Clip) -> Area:
    places = clip.positions()[..., [0, 2]]
    low, high = (np.round(ends, 3).tolist() for ends in (places.min(axis=(0, 1)), places.max(axis=(0, 1))))
    return (low[0], low[1]), (high[0], high[1])


def _reason(error: Exception, path: Path) -> str:
    """What went wrong with the file at a path, in one line."""
    if isinstance(error, FileError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or path}: {error.strerror or error}"
    return f"{path}: {error if isinstance(error, LimbikError) else f'{type(error).__name__}: {error}'}"
