"""NumPy's .npy files: arrays that are read where they are used, and rows read and written in chunks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from limbik.errors import FileError
from limbik.files.table_rows import CHUNK_ROWS, Array, Chunk, Layout, Reader

MAGIC = np.lib.format.MAGIC_PREFIX
LENGTH_BYTES = {1: 2, 2: 4, 3: 4}  # of the number that says how long the header is, by version
MAX_HEADER_BYTES = 10_000  # as in NumPy, which looks only after it has read the header


def map_npy(path: Path) -> Array:
    """The array in a file, mapped into memory, read-only. Raises FileError where it has none, or Python objects."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + 2)
        if not start.startswith(MAGIC):
            raise FileError(path, "", "is not a .npy file" if start else "is empty")
        length = int.from_bytes(file.read(LENGTH_BYTES.get(start[-2], 0)), "little")
    if length > MAX_HEADER_BYTES:
        raise FileError(path, "", f"has a header of {length:,} bytes; the limit is {MAX_HEADER_BYTES:,}")
    try:
        with np.errstate(over="ignore"):  # of the size in a broken header
            return np.lib.format.open_memmap(path, mode="r", max_header_size=MAX_HEADER_BYTES)
    except Exception as error:  # NumPy does not document what a broken header raises
        why = " ".join(str(error).split())[:150]
        raise FileError(path, "", f"cannot be read as an array: {why}") from None


class NpyReader(Reader):
    """The rows of an array (rows, columns), or of a structured one (rows,) whose fields are named as columns are."""

    def __init__(self, path: Path, layout: Layout) -> None:
        array = map_npy(path)
        self._rows = len(array) if array.ndim else 0
        if array.dtype.names is not None and array.ndim == 1:
            columns = list(array.dtype.names)
            kinds = {array.dtype[name].kind for name in columns}
            groups = layout.check(path, "", columns)
        else:
            kinds = {array.dtype.kind}
            groups = _unnamed_groups(path, array, layout)
            columns = layout.columns_of(groups)
        if not kinds <= set("fiu"):
            raise FileError(path, "", f"holds {array.dtype} values; expected real numbers")
        super().__init__(path, layout, groups, columns)

    def chunks(self) -> Iterator[Chunk]:
        for start in range(0, self._rows, CHUNK_ROWS):
            # Mapped again each time, so that pages already read do not stay in memory.
            part = map_npy(self.path)[start : start + CHUNK_ROWS]
            if part.dtype.names is None:
                numbers = np.array(part, np.float64)
            else:
                numbers = np.stack([part[name].astype(np.float64) for name in self.columns], axis=1)
            lines = np.arange(start, start + len(numbers))
            yield self.chunk(numbers, lines, "row", (lines[-1] + 1) / self._rows, {})


class NpyWriter:
    """Writes rows as a structured array (rows,), a field for each column: float64, or int8 where it numbers words."""

    def __init__(self, file: BinaryIO, columns: Sequence[str], words: Mapping[str, Sequence[str]]) -> None:
        self._file = file
        self._type = np.dtype([(name, np.int8 if name in words else np.float64) for name in columns])
        self._rows = 0
        self._write_header()

    def write(self, values: Array) -> None:
        """Writes rows of values (rows, columns), and how many there are by now into the header."""
        rows = np.empty(len(values), self._type)
        for k, name in enumerate(self._type.names or ()):
            rows[name] = values[:, k]
        self._file.write(rows.data)
        self._rows += len(rows)
        self._file.seek(0)
        self._write_header()
        self._file.seek(0, os.SEEK_END)

    def _write_header(self) -> None:
        # NumPy pads headers so that the first axis can grow: all have the same length.
        header = {"descr": np.lib.format.dtype_to_descr(self._type), "fortran_order": False, "shape": (self._rows,)}
        np.lib.format.write_array_header_2_0(self._file, header)


def _unnamed_groups(path: Path, array: Array, layout: Layout) -> tuple[str, ...]:
    widths = {len(layout.columns_of(groups)): groups for groups in layout.unnamed}
    if array.ndim == 2 and array.shape[1] in widths:
        return widths[array.shape[1]]
    wanted = " or ".join(f"(rows, {width}) for {','.join(layout.columns_of(g))}" for width, g in widths.items())
    raise FileError(path, "", f"has shape {array.shape}; expected {wanted}")
