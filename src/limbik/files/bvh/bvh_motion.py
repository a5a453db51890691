"""The second half of a BVH file: its frame time and a line of numbers for each frame, both ways."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.bvh.hierarchy import LARGEST, is_number, shown
from limbik.files.numbers import read_lines
from limbik.files.text_rows import Line
from limbik.skeleton.skeleton import owned

DECIMALS = 6  # that are written: a millionth of a degree, or of the file's unit
USUAL = (24, 25, 30, 50, 60, 100, 120, 240)  # frames a second
SECONDS = 1e-9, 1e9  # what a frame may last

# A class of blanks and colons in one: two repeats beside each other would try every way to share a long run of blanks.
_FRAMES = re.compile(rb"\s*frames[:\s]*([^:\s]\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*frame\s*time[:\s]*([^:\s]\S*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Motion:
    """What stands after MOTION. values: (frames, channels), as in the file; claimed: how many frames it says it has."""

    values: Array
    frame_time: str
    fps: float
    claimed: int


def read_motion(data: bytes, start: int, columns: int, path: object) -> Motion:
    """The motion whose text follows data[:start]; a frame has so many columns.

    Frames are the lines that are there, however many the file says it has: recordings that are cut short, or joined,
    often keep an old count.
    """
    claimed, at = _stated(_FRAMES, "Frames:", "a whole number", str.isdecimal, data, start, path)
    frame_time, at = _stated(_FRAME_TIME, "Frame Time:", "seconds above 0", _is_duration, data, at, path)
    return Motion(owned(read_rows(data, at, columns, path)), frame_time, rate(frame_time), int(claimed))


def _stated(
    pattern: re.Pattern[bytes], what: str, wanted: str, fits: Callable[[str], bool], data: bytes, at: int, path: object
) -> tuple[str, int]:
    """A statement such as "Frames: 300": what it states, and where the text goes on."""
    found = pattern.match(data, at)
    if found is None:
        here = len(data) - len(data[at:].lstrip())
        raise FileError(path, _place(data, here), f"{what} was expected here")
    text = found[1].decode("latin-1")
    if len(text) > 100 or not text.isascii() or not fits(text):
        raise FileError(path, _place(data, found.start(1)), f"{what} {shown(text)}; expected {wanted}")
    return text, found.end()


def _is_duration(text: str) -> bool:
    return is_number(text) and SECONDS[0] <= float(text) <= SECONDS[1]


def _place(data: bytes, at: int) -> str:
    return f"line {data.count(10, 0, at) + 1}"


def rate(frame_time: str) -> float:
    """Frames a second from a frame time as it is written.

    Where one of the usual rates, a whole one, or one of television's (30000 / 1001) agrees in the digits that are
    there, it was meant.
    """
    seconds = float(frame_time)
    digit = 10.0 ** int(Decimal(frame_time).as_tuple().exponent)  # some programs round the last one, some cut off there
    usual = min(USUAL, key=lambda fps: abs(1.0 / fps - seconds))
    whole, television = round(1.0 / seconds), round(1.001 / seconds) / 1.001
    if abs(whole * seconds - 1.0) < 1e-12:
        return float(whole)
    for fps in (usual, whole, television):
        if fps and abs(1.0 / fps - seconds) < digit:
            return float(fps)
    return 1.0 / seconds


def read_rows(data: bytes, start: int, columns: int, path: object) -> Array:
    """The rows of numbers in data[start:], (frames, columns); each is a line, and blank lines are skipped."""
    values = read_lines(data[start:], columns)
    if values is not None and np.all(np.abs(values) <= LARGEST):
        return values
    for number, line in enumerate(io.BytesIO(data[start:]), data.count(10, 0, start) + 1):
        words = [word.decode("latin-1") for word in line.split()]
        bad = next((word for word in words if not is_number(word)), None)
        if bad is not None:
            raise FileError(path, f"line {number}", f"{shown(bad)} is no number that can be used")
        if words and len(words) != columns:
            raise FileError(path, f"line {number}", f"{len(words)} numbers; the joints have {columns} channels")
    return np.empty((0, columns))


def motion_texts(values: Array, frame_time: str) -> Iterator[bytes]:
    """The text from MOTION on, some frames at a time."""
    frames, columns = values.shape
    yield f"MOTION\nFrames: {frames}\nFrame Time: {frame_time}\n".encode()
    if not columns:
        return
    line = Line([""] * columns, {}, before=["", *[" "] * (columns - 1)], end="\n", missing="")
    step = max(1, (1 << 16) // columns)
    for start in range(0, frames, step):
        yield from line.texts(np.round(values[start : start + step], DECIMALS) + 0.0)  # no −0.0
