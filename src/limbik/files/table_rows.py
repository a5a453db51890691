"""Rows of numbers from a file: the columns that it may have, and a chunk of its rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError

CHUNK_ROWS = 200_000  # approximate number of rows in memory at a time
MAX_EXPLAINED_ROWS = 10  # bad rows of a chunk that come with an explanation; the others are only counted


@dataclass(frozen=True)
class Layout:
    """The columns that a file may have, in groups of components. A file has all columns of a group or none."""

    groups: Mapping[str, tuple[str, ...]]  # each group's columns, {"point": ("x", "y", "z"), ...}
    required: tuple[str, ...]  # the groups that every file must have
    unnamed: tuple[tuple[str, ...], ...]  # alternatives for an array without names: the groups of its columns

    @property
    def columns(self) -> list[str]:
        return [column for columns in self.groups.values() for column in columns]

    def columns_of(self, groups: Iterable[str]) -> list[str]:
        """The columns of some groups, in order."""
        return [column for group in groups for column in self.groups[group]]

    def check(self, path: Path, place: str, found: Sequence[str]) -> tuple[str, ...]:
        """The groups that a file with these columns has; raises where they do not fit."""
        unknown = [name for name in found if name not in self.columns]
        if unknown:
            raise FileError(path, place, f"unknown column {short(unknown[0])}; known are {', '.join(self.columns)}")
        twice = [name for name in self.columns if found.count(name) > 1]
        if twice:
            raise FileError(path, place, f"column {twice[0]!r} appears twice")
        groups = tuple(group for group, columns in self.groups.items() if set(columns) & set(found))
        needed = [group for group in self.groups if group in groups or group in self.required]
        missing = [column for column in self.columns_of(needed) if column not in found]
        if missing:
            raise FileError(path, place, f"column {missing[0]!r} is missing; found {', '.join(found)}")
        return groups


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows of a file, in order."""

    groups: dict[str, Array]  # each group's numbers, (rows, components)
    bad: Array  # (rows,), which rows could not be read, or hold NaN or infinity
    faults: dict[int, str]  # what is wrong with the first few of the bad rows, by number in the chunk
    lines: Array  # (rows,), where each row is in the file, counted in `unit`s
    unit: str
    fraction: float  # how much of the file is read after the chunk

    def place(self, row: int) -> str:
        """Where a row of the chunk is in the file, in words."""
        return f"{self.unit} {self.lines[row]}"


class Reader(ABC):
    """A file of rows: the groups that it has, its columns in the file's order, and its chunks one after another."""

    def __init__(self, path: Path, layout: Layout, groups: tuple[str, ...], columns: Sequence[str]) -> None:
        self.path, self.groups, self.columns = path, groups, columns
        place = {name: k for k, name in enumerate(columns)}
        self._places = {group: [place[name] for name in layout.groups[group]] for group in groups}

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """The rows, about `CHUNK_ROWS` at a time."""

    def chunk(self, numbers: Array, lines: Array, unit: str, fraction: float, faults: dict[int, str]) -> Chunk:
        """A chunk of numbers (rows, columns) and the faults of rows that could not be read; finds those not finite."""
        bad: Array = np.logical_not(np.isfinite(numbers).all(axis=1))
        for row in np.flatnonzero(bad)[:MAX_EXPLAINED_ROWS].tolist():
            if row not in faults:
                column = int(np.argmin(np.isfinite(numbers[row])))
                faults[row] = f"{self.columns[column]} is {numbers[row, column]}"
        bad[list(faults)] = True
        groups = {group: numbers[:, places] for group, places in self._places.items()}
        return Chunk(groups, bad, dict(sorted(faults.items())[:MAX_EXPLAINED_ROWS]), lines, unit, fraction)
