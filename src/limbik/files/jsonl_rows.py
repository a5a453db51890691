"""Reads and writes JSON lines, one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from limbik.errors import FileError
from limbik.files import text_rows
from limbik.files.lines import blocks, rows_of
from limbik.files.table_rows import Array, Chunk, Layout, chunk

NUMBER_TYPES = {int, float}  # and not bool, which is an int to isinstance


class JsonLinesReader:
    """The rows of a file of objects, one per line: by group, {"point": [1, 2, 3]}, or by column, {"x": 1, "y": 2, ...}.

    The first object decides which groups the file has; every line has to have them. Blank lines are skipped.
    """

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path = path
        self._known = set(layout.groups) | set(layout.columns)
        line, first = self._first_object(layout.required[0])
        unknown = [name for name in first if name not in self._known]
        if unknown:
            known = ", ".join(dict.fromkeys([*layout.groups, *layout.columns]))
            raise FileError(path, f"line {line}", f"unknown name {unknown[0]!r}; known are {known}")
        self.groups = tuple(
            group
            for group, columns in layout.groups.items()
            if group in layout.required or group in first or set(columns) & set(first)
        )
        self._layout = {group: layout.groups[group] for group in self.groups}
        self._columns = layout.columns_of(self.groups)

    def chunks(self) -> Iterator[Chunk]:
        """The rows, about `CHUNK` at a time."""
        for block in blocks(self._path):
            rows = rows_of(block, len(self._columns), self._many, self._one)
            yield chunk(self._columns, self._layout, rows.numbers, rows.lines, "line", block.fraction, rows.faults)

    def _first_object(self, example: str) -> tuple[int, dict[str, Any]]:
        empty = True
        for block in blocks(self._path):
            for line, text in enumerate(block.text.split(b"\n"), block.first):
                if not text.strip():
                    continue
                empty = False
                try:
                    return line, _parsed(text)
                except ValueError:
                    continue
        raise FileError(self._path, "", "is empty" if empty else f'no line is an object such as {{"{example}": [...]}}')

    def _many(self, text: bytes) -> Array | None:
        """The numbers of whole lines, read as one array of objects, or None where they are not one object a line."""
        lines = text.removesuffix(b"\n").split(b"\n")
        try:
            found = json.loads(b"[" + b",".join(lines) + b"]")
            whole = all(line[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines)
            return np.array([self._row(one) for one in found], float) if whole and len(found) == len(lines) else None
        except (ValueError, RecursionError):
            return None

    def _one(self, line: bytes) -> list[float]:
        return self._row(_parsed(line))

    def _row(self, found: dict[str, Any]) -> list[float]:
        if not found.keys() <= self._known:
            raise ValueError(f"unknown name {next(name for name in found if name not in self._known)!r}")
        row: list[Any] = []
        for group, columns in self._layout.items():
            if len(columns) > 1 and group in found:
                row += _components(group, found[group], len(columns))
            else:
                row += [found.get(column, ...) for column in columns]
        if not NUMBER_TYPES.issuperset(map(type, row)):
            raise ValueError(self._wrong(row))
        try:
            return [float(number) for number in row]
        except OverflowError:
            raise ValueError("a number is too large") from None

    def _wrong(self, row: list[Any]) -> str:
        column, value = next(
            (column, value) for column, value in zip(self._columns, row, strict=True) if type(value) not in NUMBER_TYPES
        )
        return f"{column} is missing" if value is ... else f"{column} is {json.dumps(value)[:30]}, not a number"


class JsonLinesWriter:
    """Writes rows as one flat object per line; NaN becomes null."""

    def __init__(self, file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> None:
        self._file = file
        quoted = {name: [json.dumps(word) for word in choices] for name, choices in words.items()}
        before = [(", " if k else "{") + json.dumps(name) + ": " for k, name in enumerate(columns)]
        self._line = text_rows.Line(columns, quoted, before, end="}\n", missing="null")

    def write(self, values: Array) -> None:
        """Writes rows of values (rows, columns); a column of words holds their numbers."""
        for text in self._line.texts(values):
            self._file.write(text)

    def finish(self) -> None:
        """Does nothing: text needs no end."""


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("is not an object such as {...}")
    return found


def _components(group: str, value: Any, size: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != size:
        raise ValueError(f"{group} is {json.dumps(value)[:30]}; expected {size} numbers in brackets")
    return value
