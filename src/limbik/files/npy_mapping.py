"""NumPy's .npy files as arrays that are read where they are used."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError

MAGIC = np.lib.format.MAGIC_PREFIX
LENGTHS = {1: 2, 2: 4, 3: 4}  # bytes of the number that says how long the header is, by version
MAX_HEADER = 10_000  # bytes, as in NumPy, which looks only after it has read the header


def map_npy(path: Path) -> Array:
    """The array in a file, mapped into memory, read-only. Raises FileError where it has none, or Python objects."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + 2)
        if not start.startswith(MAGIC):
            raise FileError(path, "", "is not a .npy file" if start else "is empty")
        length = int.from_bytes(file.read(LENGTHS.get(start[-2], 0)), "little")
    if length > MAX_HEADER:
        raise FileError(path, "", f"has a header of {length:,} bytes; the limit is {MAX_HEADER:,}")
    try:
        with np.errstate(over="ignore"):  # of the size in a broken header
            return np.lib.format.open_memmap(path, mode="r", max_header_size=MAX_HEADER)
    except Exception as error:  # NumPy does not document what a broken header raises
        why = " ".join(str(error).split())[:150]
        raise FileError(path, "", f"cannot be read as an array: {why}") from None
