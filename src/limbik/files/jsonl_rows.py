"""Reads and writes JSON lines, one object per line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from reprlib import repr as short
from typing import Any, BinaryIO

import numpy as np

from limbik.errors import FileError
from limbik.files.lines import LineReader, blocks
from limbik.files.table_rows import Array, Layout
from limbik.files.text_rows import TextWriter

NUMBER_TYPES = {int, float}  # and not bool, which is an int to isinstance


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

    def many(self, text: bytes) -> Array | None:
        """The numbers of whole lines, read as one array of objects, or None where they are not one object a line."""
        lines = text.removesuffix(b"\n").split(b"\n")
        try:
            found = json.loads(b"[" + b",".join(lines) + b"]")
            whole = all(line[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines)
            return np.array([self._row(one) for one in found], float) if whole and len(found) == len(lines) else None
        except (ValueError, RecursionError):
            return None

    def one(self, line: bytes) -> list[float]:
        try:
            return self._row(_parsed(line))
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


def jsonl_writer(file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> TextWriter:
    """Writes rows as one flat object per line; NaN becomes null."""
    quoted = {name: [json.dumps(word) for word in choices] for name, choices in words.items()}
    before = [(", " if k else "{") + json.dumps(name) + ": " for k, name in enumerate(columns)]
    return TextWriter(file, columns, quoted, before, end="}\n", missing="null")


def _first_object(path: Path, example: str) -> tuple[int, dict[str, Any]]:
    empty = True
    for lines, first, _ in blocks(path):
        for line, text in enumerate(lines.split(b"\n"), first):
            if not text.strip():
                continue
            empty = False
            try:
                return line, _parsed(text)
            except ValueError:
                continue
    raise FileError(path, "", "is empty" if empty else f'no line is an object such as {{"{example}": [...]}}')


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("is not an object such as {...}")
    return found
