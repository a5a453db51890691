"""Arrays in .npz archives, read in bounded memory: only those asked for, and never as Python objects."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write
from limbik.files.file_limits import joint_frames_limit, size_of_file
from limbik.files.npy_files import LENGTH_BYTES, MAGIC, MAX_HEADER_BYTES

MAX_ARRAYS = 10_000
MAX_NUMBER = 1e9  # of lengths, whatever their unit; beyond, squares overflow or lose all digits
MAX_NUMBERS_PER_JOINT = 16  # and frame
MAX_TEXT_CHARACTERS = 1_000
KINDS = "biufU"  # of arrays: booleans, numbers and texts
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
READERS = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}


class NpzArchive:
    """The arrays in a .npz file by name."""

    def __init__(self, path: Path, limit: int | None = None) -> None:
        self.path = path
        size = size_of_file(path)
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.infolist()
        except OSError as error:
            raise FileError(path, "", f"cannot be read ({error.strerror})") from None
        except Exception as error:  # zipfile does not document what a broken directory raises
            raise FileError(path, "", f"is not a .npz file ({error or type(error).__name__})") from None
        if len(members) > MAX_ARRAYS:
            raise FileError(path, "", f"holds {len(members):,} files; the limit is {MAX_ARRAYS:,}")
        self.room = joint_frames_limit(limit, size)  # joints × frames
        self._members = {one.filename.removesuffix(".npy"): one for one in members}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return tuple(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def array(self, name: str, *shape: int | None, kinds: str = "iuf") -> Array:
        """An array, whose axes must have these lengths; None stands for any.

        Raises:
            FileError: There is no such array, or it is broken, of another shape or kind, or too large.
        """
        if name not in self._members:
            raise FileError(self.path, "", f"has no array {name!r}; it has {self._listed()}")
        found = self._read(name)
        wanted = "(" + ", ".join("n" if one is None else str(one) for one in shape) + ")"
        if found.ndim != len(shape) or any(
            one not in (None, real) for one, real in zip(shape, found.shape, strict=True)
        ):
            raise FileError(self.path, name, f"has shape {found.shape}; expected {wanted}")
        if found.dtype.kind not in kinds:
            raise FileError(self.path, name, f"holds {found.dtype}; expected {'texts' if 'U' in kinds else 'numbers'}")
        if found.dtype.kind in "iuf" and "f" in kinds:
            with np.errstate(over="ignore", invalid="ignore"):
                found = found.astype(np.float64)
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise FileError(self.path, name, "holds values that are not finite")
        if found.dtype.kind == "f" and np.abs(found).max(initial=0.0) > MAX_NUMBER:
            raise FileError(self.path, name, f"holds numbers beyond {MAX_NUMBER:g}")
        return found

    def number(self, name: str) -> float:
        """An array of a single number."""
        return float(self.array(name, *([1] * self.shape(name).count(1))).reshape(()))

    def texts(self, name: str, count: int) -> tuple[str, ...]:
        """An array of so many texts."""
        return tuple(map(str, self.array(name, count, kinds="U")))

    def text(self, name: str) -> str:
        """An array of a single text."""
        return str(self.array(name, kinds="U"))

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an array."""
        with self._opened(name) as file:
            return self._header(name, file)[0]

    def _listed(self) -> str:
        return ", ".join(map(repr, self.names[:12])) + (", …" if len(self.names) > 12 else "") or "nothing"

    def _opened(self, name: str) -> _Member:
        return _Member(self.path, name, self._members[name])

    def _read(self, name: str) -> Array:
        with self._opened(name) as file:
            shape, fortran, dtype = self._header(name, file)
            count = prod(shape)
            data = file.read(count * dtype.itemsize)
        if len(data) < count * dtype.itemsize:
            raise FileError(self.path, name, f"ends after {len(data):,} of {count * dtype.itemsize:,} bytes")
        return np.frombuffer(data, dtype, count).reshape(shape, order="F" if fortran else "C")

    def _header(self, name: str, file: _Member) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        start = file.read(len(MAGIC) + 2)
        if not start.startswith(MAGIC) or len(start) < len(MAGIC) + 2 or start[-2] not in READERS:
            raise FileError(self.path, name, "is not an array of NumPy")
        length = file.read(LENGTH_BYTES[start[-2]])
        if (size := int.from_bytes(length, "little")) > MAX_HEADER_BYTES:
            raise FileError(self.path, name, f"has a header of {size:,} bytes; the limit is {MAX_HEADER_BYTES:,}")
        try:
            shape, fortran, dtype = READERS[start[-2]](io.BytesIO(length + file.read(size)))
        except Exception as error:  # NumPy does not document what a broken header raises
            why = " ".join(str(error).split())[:150]
            raise FileError(self.path, name, f"cannot be read as an array: {why}") from None
        if dtype.kind == "O":
            raise FileError(self.path, name, "holds Python objects (a pickle), which can run code and are not read")
        if dtype.kind not in KINDS or dtype.itemsize > 4 * MAX_TEXT_CHARACTERS:
            raise FileError(self.path, name, f"holds {dtype}; expected numbers or short texts")
        most = self.room * MAX_NUMBERS_PER_JOINT
        if min(shape, default=0) < 0 or prod(shape) * max(1, dtype.itemsize // 8) > most:
            raise FileError(self.path, name, f"has shape {shape}; the limit is {most:,} numbers: load(path, limit=...)")
        return shape, fortran, dtype


class _Member(io.RawIOBase):
    """A file of an archive, whose errors are FileErrors."""

    def __init__(self, path: Path, name: str, member: zipfile.ZipInfo) -> None:
        super().__init__()
        self._path, self._name = path, name
        if member.compress_type not in METHODS or member.flag_bits & 1:
            raise FileError(path, name, "is compressed otherwise than NumPy does, or encrypted")
        self._archive = self._guarded(lambda: zipfile.ZipFile(path))
        try:
            self._file = self._guarded(lambda: self._archive.open(member))
        except BaseException:
            self._archive.close()
            raise

    def read(self, size: int = -1) -> bytes:
        """So many bytes, fewer at the end."""
        return self._guarded(lambda: self._file.read(size))

    def close(self) -> None:
        """Closes the archive."""
        for part in ("_file", "_archive"):
            with suppress(AttributeError, OSError, ValueError):
                getattr(self, part).close()
        super().close()

    def _guarded(self, work: Any) -> Any:
        try:
            return work()
        except (
            zipfile.BadZipFile,
            zlib.error,
            OSError,
            EOFError,
            RuntimeError,
            NotImplementedError,
            ValueError,
            IndexError,
        ) as error:
            raise FileError(self._path, self._name, f"is broken ({error})") from None


def write_npz(path: Path, arrays: Mapping[str, Array]) -> None:
    """Writes arrays, compressed; the same arrays give the same bytes."""
    with atomic_write(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as target:
                np.lib.format.write_array(target, np.asarray(array), allow_pickle=False)
