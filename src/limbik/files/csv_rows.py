"""Reads and writes CSV with a header."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileError
from limbik.files.lines import LONGEST, TOO_LONG, LineReader
from limbik.files.table_rows import Array, Layout
from limbik.files.text_rows import TextWriter, number, read_lines


class CsvReader(LineReader):
    """The rows of a CSV file whose first line names the columns, in any order. Blank lines are skipped."""

    skip = 1

    def __init__(self, path: Path, layout: Layout) -> None:
        with path.open("rb") as file:
            head = file.readline(LONGEST)
        if not head.strip():
            raise FileError(path, "", "is empty; expected a header, such as " + _example(layout))
        if len(head) == LONGEST and not head.endswith(b"\n"):
            raise FileError(path, "line 1", TOO_LONG)
        columns = _names(path, head, layout)
        super().__init__(path, layout, layout.check(path, "line 1", columns), columns)

    def many(self, text: bytes) -> Array | None:
        return read_lines(text, len(self.columns), b",")

    def one(self, line: bytes) -> list[float]:
        try:
            fields = next(csv.reader([line.decode("utf-8", "replace")]))
        except csv.Error as error:
            raise ValueError(str(error)) from None
        if len(fields) != len(self.columns):
            count = f"{len(fields)} field" + "s" * (len(fields) != 1)
            raise ValueError(f"{count} where the header has {len(self.columns)}")
        return [_number(name, field) for name, field in zip(self.columns, fields, strict=True)]


def csv_writer(file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> TextWriter:
    """Writes rows as CSV: a header, then numbers that read back the same; NaN becomes an empty field."""
    file.write(",".join(columns).encode() + b"\n")
    return TextWriter(file, columns, words, before=["", *[","] * (len(columns) - 1)], end="\n", missing="")


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
    short = field if len(field) <= 30 else field[:27] + "..."
    raise ValueError(f"{name} is {short!r}, not a number" if field.strip() else f"{name} is empty")
