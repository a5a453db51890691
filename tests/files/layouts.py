"""A table's columns for the tests: a point that every row has, a direction and a side that it may have."""

from pathlib import Path

import numpy as np

from limbik.files.table_files import read_table, write_table
from limbik.files.table_rows import Layout

POINT = ("x", "y", "z")
UP = ("up_x", "up_y", "up_z")
LAYOUT = Layout({"point": POINT, "up": UP, "side": ("side",)}, ("point",), (("point",), ("point", "up")))
WORDS = {"status": ["GOOD", "BAD"]}


def read(path: Path, layout: Layout = LAYOUT):
    """All rows of a file: groups, which are bad, what is said of them with its place, and the places of the rows."""
    reader = read_table(path, layout)
    chunks = list(reader.chunks())
    sizes = [len(layout.groups[group]) for group in reader.groups]
    groups = {
        group: np.concatenate([np.empty((0, size)), *(chunk.groups[group] for chunk in chunks)])
        for group, size in zip(reader.groups, sizes, strict=True)
    }
    bad = np.concatenate([np.empty(0, bool), *(chunk.bad for chunk in chunks)])
    faults = [f"{chunk.place(row)}: {why}" for chunk in chunks for row, why in chunk.faults.items()]
    return groups, bad, faults


def write(path: Path, columns, values, words=None, pieces: int = 1) -> None:
    """Writes a whole table, in some pieces."""
    with write_table(path, columns, words or {}) as put:
        for piece in np.array_split(values, pieces):
            put(piece)
