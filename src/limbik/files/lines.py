"""Reads a text file with a row of numbers on each line, many lines at a time."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from limbik.files.table_rows import CHUNK, EXPLAINED, Array, Chunk, Reader

FIRST = 1 << 18  # bytes of the first block, which tells how long the lines are
LARGEST = 1 << 24  # bytes of any block, however long the lines are
LONGEST = 1 << 20  # bytes of a line beyond which it is no row
TOO_LONG = f"is longer than {LONGEST:,} bytes"
NEIGHBOURHOOD = 1 << 15  # bytes about a bad line that are read line by line


def blocks(path: Path, skip: int = 0) -> Iterator[tuple[bytes, int, float]]:
    """The lines of a file after the first `skip`, in blocks of about `CHUNK` lines, fewer where they are long.

    Of a line longer than `LONGEST`, the end may be replaced by a null character.

    Yields their bytes, the number of the first of them (from 1), and how much of the file is then read.
    """
    total = max(1, path.stat().st_size)
    with path.open("rb") as file:
        for _ in range(skip):
            file.readline()
        line, size = skip + 1, FIRST
        while text := file.read(size):
            if text.count(b"\n") > 2 * CHUNK:  # the lines are shorter than those before
                file.seek(-len(text), os.SEEK_CUR)
                size //= 2
                continue
            if not text.endswith(b"\n"):
                text += _rest_of_line(file)
            count = text.count(b"\n")
            yield text, line, min(1.0, file.tell() / total)
            line += count
            size = min(max(FIRST, CHUNK * len(text) // max(1, count)), LARGEST)


def _rest_of_line(file: BinaryIO) -> bytes:
    """The rest of the line; of one that is too long the next part, and a null character, with which it is no row."""
    rest = part = file.readline(LONGEST)
    while len(part) == LONGEST and not part.endswith(b"\n"):
        part = file.readline(LONGEST)
    return rest if part is rest else rest + b"\0\n"


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
            rows: list[Array] = []
            lines: list[Array] = []
            faults: dict[int, str] = {}
            self._read(text, first, rows, lines, faults)
            yield self.chunk(np.concatenate(rows), np.concatenate(lines), "line", fraction, faults)

    def _read(self, text: bytes, first: int, rows: list[Array], lines: list[Array], faults: dict[int, str]) -> None:
        """Appends rows, NaN where they are bad, and the lines they are on; a bad line makes its neighbourhood slow."""
        numbers = self.many(text)
        count = text.count(b"\n") + (not text.endswith(b"\n"))
        if numbers is not None and numbers.shape == (count, len(self.columns)):
            rows.append(numbers)
            lines.append(np.arange(first, first + count))
            return
        pieces = list(_pieces(text))
        if len(pieces) == 1:
            self._read_line_by_line(text, first, rows, lines, faults)
            return
        for piece in pieces:
            self._read(piece, first, rows, lines, faults)
            first += piece.count(b"\n")

    def _read_line_by_line(
        self, text: bytes, first: int, rows: list[Array], lines: list[Array], faults: dict[int, str]
    ) -> None:
        found: list[list[float]] = []
        places: list[int] = []
        before = sum(map(len, lines))
        for number, line in enumerate(text.split(b"\n"), first):
            if not line.strip():
                continue
            try:
                if len(line) > LONGEST:
                    raise ValueError(TOO_LONG)
                found.append(self.one(line))
            except ValueError as error:
                if len(faults) < EXPLAINED:
                    faults[before + len(found)] = str(error)
                found.append([np.nan] * len(self.columns))
            places.append(number)
        rows.append(np.array(found, float).reshape(-1, len(self.columns)))
        lines.append(np.array(places, int))


def _pieces(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines, each but the last of at least a neighbourhood."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + NEIGHBOURHOOD) + 1 or len(text)
        yield text[start:end]
        start = end
