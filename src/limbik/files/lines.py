"""Reads a text file with a row of numbers on each line, many lines at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from limbik.errors import FileError
from limbik.files.table_rows import CHUNK, EXPLAINED, Array, Chunk, Reader

FIRST = 1 << 18  # bytes of the first block, which tells how long the lines are
LONGEST = 1 << 20  # bytes of a line beyond which the file is something else
NEIGHBOURHOOD = 1 << 15  # bytes about a bad line that are read line by line


class Block(NamedTuple):
    """Whole lines: their bytes, the number of the first of them (from 1), and how much of the file is then read."""

    text: bytes
    first: int
    fraction: float


class Rows(NamedTuple):
    """Rows, and what is wrong with the first bad ones among them."""

    numbers: Array  # (rows, columns), NaN where a row is bad
    lines: Array  # (rows,), the lines that they are on
    faults: dict[int, str]


def blocks(path: Path, skip: int = 0) -> Iterator[Block]:
    """The lines of a file after the first `skip`, in blocks of about `CHUNK` lines."""
    total = max(1, path.stat().st_size)
    with path.open("rb") as file:
        for _ in range(skip):
            file.readline()
        line, size = skip + 1, FIRST
        while text := file.read(size):
            if not text.endswith(b"\n"):
                text += file.readline(LONGEST)
            count = text.count(b"\n")
            if not text.endswith(b"\n") and file.read(1):
                raise FileError(path, f"line {line + count}", "longer than a million characters")
            yield Block(text, line, min(1.0, file.tell() / total))
            line += count
            size = max(FIRST, CHUNK * len(text) // max(1, count))


class LineReader(Reader):
    """Reads a file with a row on each line; blank lines are skipped."""

    skip = 0  # lines before the first row

    @abstractmethod
    def many(self, text: bytes) -> Array | None:
        """Reads whole lines fast, as (rows, columns), or returns None where one of them is blank or bad."""

    @abstractmethod
    def one(self, line: bytes) -> list[float]:
        """Reads a line, or raises a ValueError that says what is wrong with it."""

    def chunks(self) -> Iterator[Chunk]:
        """The rows, about `CHUNK` at a time."""
        for block in blocks(self.path, self.skip):
            parts = list(self._parts(block.text, block.first))
            numbers = np.concatenate([part.numbers for part in parts])
            lines = np.concatenate([part.lines for part in parts])
            starts = np.cumsum([0, *(len(part.lines) for part in parts[:-1])]).tolist()
            faults = {
                start + row: why for start, part in zip(starts, parts, strict=True) for row, why in part.faults.items()
            }
            yield self.chunk(numbers, lines, "line", block.fraction, faults)

    def _parts(self, text: bytes, first: int) -> Iterator[Rows]:
        """The rows in parts, so that a bad line makes its neighbourhood slow and not the whole block."""
        numbers = self.many(text)
        lines = text.count(b"\n") + (not text.endswith(b"\n"))
        if numbers is not None and numbers.shape == (lines, len(self.columns)):
            yield Rows(numbers, np.arange(first, first + lines), {})
            return
        pieces = list(_pieces(text))
        if len(pieces) == 1:
            yield self._line_by_line(text, first)
            return
        for piece in pieces:
            yield from self._parts(piece, first)
            first += piece.count(b"\n")

    def _line_by_line(self, text: bytes, first: int) -> Rows:
        rows: list[list[float]] = []
        lines: list[int] = []
        faults: dict[int, str] = {}
        for number, line in enumerate(text.split(b"\n"), first):
            if not line.strip():
                continue
            try:
                rows.append(self.one(line))
            except ValueError as error:
                if len(faults) < EXPLAINED:
                    faults[len(rows)] = str(error)
                rows.append([np.nan] * len(self.columns))
            lines.append(number)
        return Rows(np.array(rows, float).reshape(-1, len(self.columns)), np.array(lines, int), faults)


def _pieces(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines, each but the last of at least a neighbourhood."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + NEIGHBOURHOOD) + 1 or len(text)
        yield text[start:end]
        start = end
