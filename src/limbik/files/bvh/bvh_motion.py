"""Reads and writes the MOTION section of a BVH file: the frame time, and a line of numbers for each frame."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import BinaryIO

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.bvh.hierarchy import LARGEST, is_number, shown
from limbik.files.text_rows import TextWriter, read_lines
from limbik.skeleton.skeleton import freeze

DECIMALS = 6  # a millionth of a degree, or of the file's unit
COMMON_RATES = (24, 25, 30, 50, 60, 100, 120, 240)  # frames a second
SECONDS = 1e-9, 1e9  # the range of frame times

# Blanks and colons are one class: two adjacent repetitions would backtrack over a long run of blanks.
_FRAMES = re.compile(rb"\s*frames[:\s]*([^:\s]\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*frame\s*time[:\s]*([^:\s]\S*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Motion:
    """The MOTION section."""

    values: Array  # (frames, channels), as in the file
    frame_time: str
    fps: float
    claimed: int  # the number of frames that the file states


def read_motion(data: bytes, start: int, columns: int, path: object) -> Motion:
    """The motion in data[start:]. Every line is a frame: recordings that were cut or joined may state an old count."""
    claimed, at = _stated(_FRAMES, "Frames:", "a whole number", str.isdecimal, data, start, path)
    frame_time, at = _stated(_FRAME_TIME, "Frame Time:", "seconds above 0", _is_duration, data, at, path)
    return Motion(freeze(read_rows(data, at, columns, path)), frame_time, rate(frame_time), int(claimed))


def _stated(
    pattern: re.Pattern[bytes], what: str, wanted: str, fits: Callable[[str], bool], data: bytes, at: int, path: object
) -> tuple[str, int]:
    """The value of a line such as "Frames: 300", and where the text continues."""
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
    """Frames a second from a frame time as written: a common, integer or television rate where one fits it."""
    seconds = float(frame_time)
    digit = 10.0 ** int(Decimal(frame_time).as_tuple().exponent)  # some programs round the last digit, some truncate
    common = min(COMMON_RATES, key=lambda fps: abs(1.0 / fps - seconds))
    whole, television = round(1.0 / seconds), round(1.001 / seconds) / 1.001
    if abs(whole * seconds - 1.0) < 1e-12:
        return float(whole)
    for fps in (common, whole, television):
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
            raise FileError(path, f"line {number}", f"{shown(bad)} is not a usable number")
        if words and len(words) != columns:
            raise FileError(path, f"line {number}", f"{len(words)} numbers; the joints have {columns} channels")
    return np.empty((0, columns))


def write_motion(file: BinaryIO, values: Array, frame_time: str) -> None:
    """Writes the text from MOTION on."""
    frames, columns = values.shape
    file.write(f"MOTION\nFrames: {frames}\nFrame Time: {frame_time}\n".encode())
    if columns:
        writer = TextWriter(file, [""] * columns, {}, before=["", *[" "] * (columns - 1)], end="\n", missing="")
        writer.write(np.round(values, DECIMALS) + 0.0)  # no −0.0
