"""Reads and writes tables as text: CSV with a header, and JSON with one object a line; many lines at a time."""

from __future__ import annotations

import csv
import json
import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from reprlib import repr as short
from typing import Any, BinaryIO

import numpy as np

from limbik.errors import FileError
from limbik.files.number_lines import LineWriter, number, number_rows
from limbik.files.table_rows import CHUNK_ROWS, MAX_EXPLAINED_ROWS, Array, Chunk, Layout, Reader

FIRST_BLOCK_BYTES = 1 << 18  # which tells how long the lines are
MAX_BLOCK_BYTES = 1 << 24  # however long the lines are
MAX_LINE_BYTES = 1 << 20  # beyond which a line is no row
TOO_LONG = f"is longer than {MAX_LINE_BYTES:,} bytes"
PIECE_BYTES = 1 << 15  # about a bad line, which are read line by line
NUMBER_TYPES = {int, float}  # and not bool, which is an int to isinstance


class LineReader(Reader):
    """Reads a file with a row on each line; blank lines are skipped."""

    skip = 0  # lines before the first row

    @abstractmethod
    def read_rows(self, text: bytes) -> Array | None:
        """Reads whole lines fast, as (rows, columns), or returns None where one of them is bad."""

    @abstractmethod
    def read_row(self, line: bytes) -> list[float]:
        """Reads a line, or raises a ValueError that says what is wrong with it."""

    def chunks(self) -> Iterator[Chunk]:
        for text, first, fraction in _blocks(self.path, self.skip):
            rows: list[Array] = []
            lines: list[Array] = []
            faults: dict[int, str] = {}
            count = 0
            for numbers, places, why in self._read(text, first):
                rows.append(numbers)
                lines.append(places)
                faults |= {count + row: fault for row, fault in why.items()}
                count += len(numbers)
            yield self.chunk(np.concatenate(rows), np.concatenate(lines), "line", fraction, faults)

    def _read(self, text: bytes, first: int) -> Iterator[tuple[Array, Array, dict[int, str]]]:
        """Rows (rows, columns), NaN where they are bad, their lines, and faults by row; a bad line slows its piece."""
        numbers = self.read_rows(text)
        count = text.count(b"\n") + (not text.endswith(b"\n"))
        if numbers is not None and numbers.shape == (count, len(self.columns)):
            yield numbers, np.arange(first, first + count), {}
            return
        pieces = list(_pieces(text))
        if len(pieces) == 1:
            yield self._read_line_by_line(text, first)
            return
        for piece in pieces:
            yield from self._read(piece, first)
            first += piece.count(b"\n")

    def _read_line_by_line(self, text: bytes, first: int) -> tuple[Array, Array, dict[int, str]]:
        found: list[list[float]] = []
        places: list[int] = []
        faults: dict[int, str] = {}
        for place, line in enumerate(text.split(b"\n"), first):
            if not line.strip():
                continue
            try:
                if len(line) > MAX_LINE_BYTES:
                    raise ValueError(TOO_LONG)
                found.append(self.read_row(line))
            except ValueError as error:
                if len(faults) < MAX_EXPLAINED_ROWS:
                    faults[len(found)] = str(error)
                found.append([np.nan] * len(self.columns))
            places.append(place)
        return np.array(found, float).reshape(-1, len(self.columns)), np.array(places, int), faults


def _blocks(path: Path, skip: int = 0) -> Iterator[tuple[bytes, int, float]]:
    """The lines of a file after the first `skip`, in blocks of about `CHUNK_ROWS` lines, fewer where they are long.

    Of a line longer than `MAX_LINE_BYTES`, the end may be replaced by a null character.

    Yields their bytes, the number of the first of them (from 1), and how much of the file is then read.
    """
    total = max(1, path.stat().st_size)
    with path.open("rb") as file:
        for _ in range(skip):
            file.readline()
        line, size = skip + 1, FIRST_BLOCK_BYTES
        while text := file.read(size):
            if text.count(b"\n") > 2 * CHUNK_ROWS:  # the lines are shorter than those before
                file.seek(-len(text), os.SEEK_CUR)
                size //= 2
                continue
            if not text.endswith(b"\n"):
                text += _rest_of_line(file)
            count = text.count(b"\n")
            yield text, line, min(1.0, file.tell() / total)
            line += count
            size = min(max(FIRST_BLOCK_BYTES, CHUNK_ROWS * len(text) // max(1, count)), MAX_BLOCK_BYTES)


def _rest_of_line(file: BinaryIO) -> bytes:
    """The rest of the line; of one that is too long the next part, and a null character, with which it is no row."""
    rest = part = file.readline(MAX_LINE_BYTES)
    while len(part) == MAX_LINE_BYTES and not part.endswith(b"\n"):
        part = file.readline(MAX_LINE_BYTES)
    return rest if part is rest else rest + b"\0\n"


def _pieces(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines, each but the last of at least a neighbourhood."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + PIECE_BYTES) + 1 or len(text)
        yield text[start:end]
        start = end


# --- CSV


class CsvReader(LineReader):
    """The rows of a CSV file whose first line names the columns, in any order. Blank lines are skipped."""

    skip = 1

    def __init__(self, path: Path, layout: Layout) -> None:
        with path.open("rb") as file:
            head = file.readline(MAX_LINE_BYTES)
        if not head.strip():
            raise FileError(path, "", "is empty; expected a header, such as " + _example_header(layout))
        if len(head) == MAX_LINE_BYTES and not head.endswith(b"\n"):
            raise FileError(path, "line 1", TOO_LONG)
        columns = _column_names(path, head, layout)
        super().__init__(path, layout, layout.check(path, "line 1", columns), columns)

    def read_rows(self, text: bytes) -> Array | None:
        return number_rows(text, len(self.columns), ",")

    def read_row(self, line: bytes) -> list[float]:
        try:
            fields = next(csv.reader([line.decode("utf-8", "replace")]))
        except csv.Error as error:
            raise ValueError(str(error)) from None
        if len(fields) != len(self.columns):
            count = f"{len(fields)} field" + "s" * (len(fields) != 1)
            raise ValueError(f"{count} where the header has {len(self.columns)}")
        return [_field_number(name, field) for name, field in zip(self.columns, fields, strict=True)]


def csv_writer(file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> LineWriter:
    """Writes rows as CSV: a header, then numbers that read back the same; NaN becomes an empty field."""
    file.write(",".join(columns).encode() + b"\n")
    return LineWriter(file, columns, words, before=["", *[","] * (len(columns) - 1)], end="\n", missing="")


def _column_names(path: Path, head: bytes, layout: Layout) -> list[str]:
    try:
        names = [name.strip() for name in next(csv.reader([head.decode("utf-8-sig").rstrip("\r\n")]))]
    except (UnicodeDecodeError, csv.Error):
        raise FileError(path, "line 1", "is not text; expected a header, such as " + _example_header(layout)) from None
    if all(_is_number(name) for name in names):
        raise FileError(path, "line 1", f"holds numbers; expected a header, such as {_example_header(layout)}")
    return names


def _example_header(layout: Layout) -> str:
    return ",".join(layout.columns_of(layout.required))


def _is_number(text: str) -> bool:
    try:
        number(text.encode())
    except ValueError:
        return False
    return True


def _field_number(name: str, field: str) -> float:
    if _is_number(field):
        return number(field.encode())
    short = field if len(field) <= 30 else field[:27] + "..."
    raise ValueError(f"{name} is {short!r}, not a number" if field.strip() else f"{name} is empty")


# --- JSON lines


class JsonLinesReader(LineReader):
    """Rows by group, {"point": [1, 2, 3]}, or by column, {"x": 1, ...}; the first decides which groups all have."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._known = set(layout.groups) | set(layout.columns)
        line, first = _first_object(path, layout.required[0])
        unknown = [name for name in first if name not in self._known]
        if unknown:
            known = ", ".join(dict.fromkeys([*layout.groups, *layout.columns]))
            raise FileError(path, f"line {line}", f"unknown name {short(unknown[0])}; known are {known}")
        groups = tuple(
            group
            for group, columns in layout.groups.items()
            if group in layout.required or group in first or set(columns) & set(first)
        )
        self._layout = {group: layout.groups[group] for group in groups}
        super().__init__(path, layout, groups, layout.columns_of(groups))

    def read_rows(self, text: bytes) -> Array | None:
        """The numbers of whole lines, read as one array of objects, or None where they are not one object a line."""
        lines = text.removesuffix(b"\n").split(b"\n")
        try:
            found = json.loads(b"[" + b",".join(lines) + b"]")
            whole = all(line[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines)
            return np.array([self._row(one) for one in found], float) if whole and len(found) == len(lines) else None
        except (ValueError, RecursionError):
            return None

    def read_row(self, line: bytes) -> list[float]:
        try:
            return self._row(_parse_object(line))
        except RecursionError:
            raise ValueError("is nested too deep") from None

    def _row(self, found: dict[str, Any]) -> list[float]:
        if not found.keys() <= self._known:
            raise ValueError(f"unknown name {short(next(name for name in found if name not in self._known))}")
        row: list[Any] = []
        for group, columns in self._layout.items():
            if len(columns) > 1 and group in found:
                if not isinstance(found[group], list) or len(found[group]) != len(columns):
                    got = json.dumps(found[group])[:30]
                    raise ValueError(f"{group} is {got}; expected {len(columns)} numbers in brackets")
                row += found[group]
            else:
                row += [found.get(column, ...) for column in columns]
        if not NUMBER_TYPES.issuperset(map(type, row)):
            named = zip(self.columns, row, strict=True)
            column, value = next((column, value) for column, value in named if type(value) not in NUMBER_TYPES)
            is_what = "is missing" if value is ... else f"is {json.dumps(value)[:30]}, not a number"
            raise ValueError(f"{column} {is_what}")
        try:
            return [float(number) for number in row]
        except OverflowError:
            raise ValueError("a number is too large") from None


def jsonl_writer(file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> LineWriter:
    """Writes rows as one flat object per line; NaN becomes null."""
    quoted = {name: [json.dumps(word) for word in choices] for name, choices in words.items()}
    before = [(", " if k else "{") + json.dumps(name) + ": " for k, name in enumerate(columns)]
    return LineWriter(file, columns, quoted, before, end="}\n", missing="null")


def _first_object(path: Path, example: str) -> tuple[int, dict[str, Any]]:
    empty = True
    for lines, first, _ in _blocks(path):
        for line, text in enumerate(lines.split(b"\n"), first):
            if not text.strip():
                continue
            empty = False
            try:
                return line, _parse_object(text)
            except ValueError:
                continue
    raise FileError(path, "", "is empty" if empty else f'no line is an object such as {{"{example}": [...]}}')


def _parse_object(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("is not an object such as {...}")
    return found
