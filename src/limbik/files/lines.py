"""Reads a text file with a row of numbers on each line, many lines at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from limbik.errors import FileError
from limbik.files.table_rows import CHUNK, EXPLAINED, Array, Chunk, Reader

FIRST = 1 << 18  # bytes of the first block, which tells how long the lines are
LONGEST = 1 << 20  # bytes of a line beyond which the file is something else
NEIGHBOURHOOD = 1 << 15  # bytes about a bad line that are read line by line


def blocks(path: Path, skip: int = 0) -> Iterator[tuple[bytes, int, float]]:
    """The lines of a file after the first `skip`, in blocks of about `CHUNK` lines.

    Yields their bytes, the number of the first of them (from 1), and how much of the file is then read.
    """
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
            yield text, line, min(1.0, file.tell() / total)
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
        for text, first, fraction in blocks(self.path, self.skip):
            yield from self._parts(text, first, fraction)

    def _parts(self, text: bytes, first: int, fraction: float) -> Iterator[Chunk]:
        """The rows in parts, so that a bad line makes its neighbourhood slow and not the whole block."""
        numbers = self.many(text)
        lines = text.count(b"\n") + (not text.endswith(b"\n"))
        if numbers is not None and numbers.shape == (lines, len(self.columns)):
            yield self.chunk(numbers, np.arange(first, first + lines), "line", fraction, {})
            return
        pieces = list(_pieces(text))
        if len(pieces) == 1:
            yield self._line_by_line(text, first, fraction)
            return
        for piece in pieces:
            yield from self._parts(piece, first, fraction)
            first += piece.count(b"\n")

    def _line_by_line(self, text: bytes, first: int, fraction: float) -> Chunk:
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
        numbers = np.array(rows, float).reshape(-1, len(self.columns))
        return self.chunk(numbers, np.array(lines, int), "line", fraction, faults)


def _pieces(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines, each but the last of at least a neighbourhood."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + NEIGHBOURHOOD) + 1 or len(text)
        yield text[start:end]
        start = end
