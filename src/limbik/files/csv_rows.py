"""Reads and writes CSV with a header."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileError
from limbik.files import text_rows
from limbik.files.lines import LONGEST, blocks, rows_of
from limbik.files.numbers import number, read_lines
from limbik.files.table_rows import Array, Chunk, Layout, chunk


class CsvReader:
    """The rows of a CSV file whose first line names the columns, in any order. Blank lines are skipped."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path = path
        with path.open("rb") as file:
            head = file.readline(LONGEST)
        if not head.strip():
            raise FileError(path, "", "is empty; expected a header, such as " + _example(layout))
        self._columns = _names(path, head, layout)
        self.groups = layout.check(path, "line 1", self._columns)
        self._layout = {group: layout.groups[group] for group in self.groups}

    def chunks(self) -> Iterator[Chunk]:
        """The rows, about `CHUNK` at a time."""
        for block in blocks(self._path, skip=1):
            rows = rows_of(block, len(self._columns), self._many, self._one)
            yield chunk(self._columns, self._layout, rows.numbers, rows.lines, "line", block.fraction, rows.faults)

    def _many(self, text: bytes) -> Array | None:
        return read_lines(text, len(self._columns), b",")

    def _one(self, line: bytes) -> list[float]:
        try:
            fields = next(csv.reader([line.decode("utf-8", "replace")]))
        except csv.Error as error:
            raise ValueError(str(error)) from None
        if len(fields) != len(self._columns):
            raise ValueError(f"{_count(len(fields), 'field')} where the header has {len(self._columns)}")
        return [_number(name, field) for name, field in zip(self._columns, fields, strict=True)]


class CsvWriter:
    """Writes rows as CSV: a header, then numbers that read back the same; NaN becomes an empty field."""

    def __init__(self, file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> None:
        self._file = file
        self._line = text_rows.Line(columns, words, before=["", *[","] * (len(columns) - 1)], end="\n", missing="")
        file.write(",".join(columns).encode() + b"\n")

    def write(self, values: Array) -> None:
        """Writes rows of values (rows, columns); a column of words holds their numbers."""
        for text in self._line.texts(values):
            self._file.write(text)

    def finish(self) -> None:
        """Does nothing: text needs no end."""


def _names(path: Path, head: bytes, layout: Layout) -> list[str]:
    try:
        names = [name.strip() for name in next(csv.reader([head.decode("utf-8-sig").rstrip("\r\n")]))]
    except (UnicodeDecodeError, csv.Error):
        raise FileError(path, "line 1", "is not text; expected a header, such as " + _example(layout)) from None
    if all(_is_number(name) for name in names):
        raise FileError(path, "line 1", f"holds numbers; expected a header, such as {_example(layout)}")
    return names


def _example(layout: Layout) -> str:
    return ",".join(layout.columns_of(layout.required))


def _is_number(text: str) -> bool:
    try:
        number(text.encode())
    except ValueError:
        return False
    return True


def _number(name: str, field: str) -> float:
    if _is_number(field):
        return number(field.encode())
    raise ValueError(f"{name} is {_shortened(field)!r}, not a number" if field.strip() else f"{name} is empty")


def _shortened(field: str) -> str:
    return field if len(field) <= 30 else field[:27] + "..."


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)
