"""One clip from a file into a file: grounded, with a record beside it of what it was made from and how it went."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import FileError, LimbikError
from limbik.files import gltf
from limbik.files.atomic_write import atomic_write
from limbik.files.clip_files import load, save
from limbik.files.gltf.document import parse
from limbik.files.gltf.uris import content_of, names_file
from limbik.grounding.ground import Grounded, ground
from limbik.grounding.settings import Settings
from limbik.referee.curves import curves
from limbik.referee.motion_report import Report
from limbik.terrains.base import Terrain

Area = tuple[tuple[float, float], tuple[float, float]]
PageWriter = Callable[[Path, Grounded], None]


@dataclass(frozen=True)
class Job:
    """A clip to be grounded: the file that it is in, and its place in the folder that it goes to."""

    source: Path
    out: Path
    place: Path

    @property
    def target(self) -> Path:
        """The file that it goes to."""
        return self.out / self.place

    @property
    def record(self) -> Path:
        """The file beside the target that says what it was made from, with the report and curves to look at."""
        return self.target.with_name(self.target.name + ".json")

    @property
    def page(self) -> Path:
        """The file beside the target that plays it, where pages are asked for."""
        return self.target.with_name(self.target.name + ".html")


@dataclass(frozen=True)
class Outcome:
    """What became of a clip: its report, or where it failed, why. Both, where the clip is done but its page failed.

    fresh: whether it was done now; else it was there already, from the same input and settings. area: the corners
    (x, z) of the rectangle in which it moves, low and high, metres.
    """

    job: Job
    report: Report | None = None
    fault: str | None = None
    fresh: bool = True
    area: Area | None = None


@dataclass(frozen=True)
class Work:
    """What is done to each clip, in whatever process: called with a Job, it gives an Outcome.

    animation: which one of a file that has several, by its name or number. page: what writes a page beside each clip;
    this room has none of its own. To be sent to other processes it must be a function of some module.
    """

    terrain: Terrain
    settings: Settings
    animation: str | int | None = None
    page: PageWriter | None = None
    terrain_key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terrain_key", self.terrain.key())

    def __call__(self, job: Job) -> Outcome:
        """Grounds a clip, unless that is done already. Whatever is wrong with it is told in the outcome."""
        try:
            key = self.key(job)
            return self._finished(job, key) or self._ground(job, key)
        except Exception as error:
            return Outcome(job, fault=_why(error, job.source))

    def key(self, job: Job) -> str:
        """A digest of all that a result depends on."""
        from limbik import __version__

        told = [__version__, self.terrain_key, asdict(self.settings), self.animation, job.target.suffix.lower()]
        digest = sha256(json.dumps(told).encode())
        for content in _contents(job.source):
            digest.update(sha256(content).digest())
        return digest.hexdigest()

    def _ground(self, job: Job, key: str) -> Outcome:
        clip = load(job.source, animation=self.animation)
        start = time.perf_counter()
        grounded = ground(clip, self.terrain, settings=self.settings)
        seconds = time.perf_counter() - start
        report, area = grounded.report, _area(grounded)
        job.target.parent.mkdir(parents=True, exist_ok=True)
        for path in (job.record, job.page):  # neither speaks of another clip than the one beside it
            if path.is_file():
                path.unlink()
        save(grounded.clip, job.target)
        _write(
            job.record, {"key": key, "report": report.as_dict(), "area": area, "curves": curves(grounded.comparison)}
        )
        fault = self._write_page(job, grounded)  # last: whatever happens to it, the clip is done
        return Outcome(job, replace(report, frames_per_second=len(clip) / seconds), fault, area=area)

    def _write_page(self, job: Job, grounded: Grounded) -> str | None:
        """Writes the page, if one is asked for; gives what went wrong with it, if anything did."""
        try:
            if self.page is not None:
                self.page(job.page, grounded)
        except Exception as error:
            return _why(error, job.page)
        return None

    def _finished(self, job: Job, key: str) -> Outcome | None:
        """The outcome of a job that was done before; None where it was not, or not with this key, or has no page."""
        try:
            record = read_record(job)
            there = job.target.is_file() and (self.page is None or job.page.is_file())
            if record["key"] != key or not there:
                return None
            return Outcome(job, Report.from_dict(record["report"]), fresh=False, area=record["area"])
        except (OSError, ValueError, LookupError, TypeError):
            return None  # there is no record, or somebody has been at it


def read_record(job: Job) -> dict[str, Any]:
    """The record of a job that was done."""
    return json.loads(job.record.read_bytes())


def _write(path: Path, record: dict[str, Any]) -> None:
    with atomic_write(path) as file:
        file.write(json.dumps(record, separators=(",", ":")).encode())


def _contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and of those that it names."""
    data = path.read_bytes()
    yield data
    if path.suffix.lower() in gltf.SUFFIXES:
        named = parse(data, str(path), path.parent).arrays
        for key in ("buffers", "images"):
            for each in named[key]:
                if names_file(each.get("uri")):
                    yield content_of(each["uri"], path.parent, None, str(path), key)


def _area(grounded: Grounded) -> Area:
    places = grounded.clip.positions()[..., [0, 2]]
    low, high = (np.round(ends, 3).tolist() for ends in (places.min(axis=(0, 1)), places.max(axis=(0, 1))))
    return (low[0], low[1]), (high[0], high[1])


def _why(error: Exception, path: Path) -> str:
    """What went wrong with the file at a path, in words."""
    if isinstance(error, FileError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or path}: {error.strerror or error}"
    return f"{path}: {error if isinstance(error, LimbikError) else f'{type(error).__name__}: {error}'}"
