"""The record beside a result: what it was made from, and checksums by which a damaged result is recognised."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TypedDict

from limbik.files.atomic_write import atomic_write
from limbik.referee.curves import JsonCurves

Area = tuple[tuple[float, float], tuple[float, float]]


class Checksum(TypedDict):
    """The size of a file in bytes, and the digest of its content."""

    size: int
    sha256: str


def record_path(target: Path) -> Path:
    """The record of a result: a .json file beside it."""
    return target.with_name(target.name + ".json")


class Record(TypedDict):
    """What is said of a clip beside it, in JSON; of the terrain, and of what is not finished, only its `files`."""

    key: str  # a digest of everything that the result depends on
    report: dict[str, object]  # see `Report.as_dict`
    area: Area  # corners (x, z), low and high, of the rectangle in which the clip moves, in metres
    curves: JsonCurves
    contacts: dict[str, dict[str, list[tuple[int, int]]]]  # see `Grounded.contact_intervals`
    files: dict[str, Checksum]  # by their names; none where the result is not finished


def read_record(target: Path) -> Record:
    """The record of a result; raises OSError or ValueError where there is none that can be read."""
    return json.loads(record_path(target).read_bytes())


def write_record(target: Path, files: Iterable[Path] = (), **content: object) -> None:
    """Writes the record of a result, with the size and checksum of its files. Without files, it is not finished."""
    sums = {path.name: _checksum(path) for path in files}
    with atomic_write(record_path(target)) as file:
        file.write(json.dumps({**content, "files": sums}, separators=(",", ":")).encode())


@contextmanager
def mark_unfinished(target: Path) -> Iterator[None]:
    """Marks a result as unfinished while it is written, so that files of an interrupted run are known as our own."""
    write_record(target)
    try:
        yield
    except BaseException:
        if not target.exists():
            record_path(target).unlink(missing_ok=True)
        raise


def intact_record(target: Path, files: Iterable[Path]) -> Record | None:
    """The record of a result if these of its files are what they were when it was written, or else None."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):  # no record, or not one of ours
        record = read_record(target)
        if all(path.is_file() and record["files"].get(path.name) == _checksum(path) for path in files):
            return record
    return None


def _checksum(path: Path) -> Checksum:
    data = path.read_bytes()
    return {"size": len(data), "sha256": sha256(data).hexdigest()}
