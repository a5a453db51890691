"""The records of a binary FBX file: named nodes with properties and children, read where they are used.

A record is the offset of its end, the number and the size of its properties, its name, its properties, and its children
up to a record of zeros. Arrays may be compressed; they are unpacked when asked for, in bounded memory.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
HEADER_BYTES = len(MAGIC) + 4
VERSIONS = (7000, 8000)  # from the first up to before the second
WIDE_VERSION = 7500  # from which on offsets have 64 bits
MAX_DEPTH = 32  # of records within records
MAX_CHILDREN = 1_000_000  # of one record
MIN_ARRAY_ROOM = 128 << 20  # bytes that all arrays of a file may take, however small it is
ARRAY_ROOM_RATIO = 32  # and how many times the size of the file
SCALARS = {"Y": struct.Struct("<h"), "C": struct.Struct("<b"), "I": struct.Struct("<i"), "F": struct.Struct("<f")}
SCALARS |= {"D": struct.Struct("<d"), "L": struct.Struct("<q")}
ARRAYS = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1", "c": "<i1"}
ARRAY_HEAD = struct.Struct("<III")  # numbers, encoding, bytes
LENGTH = struct.Struct("<I")


class PackedArray(NamedTuple):
    """An array that has not been unpacked yet."""

    kind: str
    length: int
    encoding: int
    start: int
    size: int


class FbxFile:
    """The bytes of a file, and how much memory its arrays may still take."""

    def __init__(self, data: bytes, path: object) -> None:
        self.data, self.path = data, path
        if not data.startswith(MAGIC):
            raise FileError(path, "", _why_not(data))
        if len(data) < HEADER_BYTES:
            raise FileError(path, "", "ends within its header")
        self.version = int.from_bytes(data[len(MAGIC) : HEADER_BYTES], "little")
        if not VERSIONS[0] <= self.version < VERSIONS[1]:
            raise FileError(path, "", f"is FBX version {self.version / 1000:g}; binary files of version 7 are read")
        self._head = struct.Struct("<QQQB" if self.version >= WIDE_VERSION else "<IIIB")
        self._room = max(MIN_ARRAY_ROOM, ARRAY_ROOM_RATIO * len(data))

    @cached_property
    def top(self) -> dict[str, Record]:
        """The outermost records by name; where several have the same, the first."""
        found: dict[str, Record] = {}
        for record in self.records(HEADER_BYTES, len(self.data), 0):
            found.setdefault(record.name, record)
        return found

    def fault(self, place: str, why: str) -> FileError:
        """The error for something wrong at a place in the file."""
        return FileError(self.path, place, why)

    def records(self, start: int, stop: int, depth: int) -> Iterator[Record]:
        """The records from byte `start` up to one of zeros, or to byte `stop`."""
        if depth > MAX_DEPTH:
            raise self.fault(f"byte {start}", f"nests records more than {MAX_DEPTH} deep")
        count = 0
        while start + self._head.size <= stop:
            end, properties, size, length = self._head.unpack_from(self.data, start)
            if end == 0:
                return
            body = start + self._head.size + length
            if not body + size <= end <= stop:
                raise self.fault(f"byte {start}", f"has a record that ends at byte {end}, of {stop}")
            count += 1
            if count > MAX_CHILDREN:
                raise self.fault(f"byte {start}", f"has a record of more than {MAX_CHILDREN:,} others")
            name = self.data[body - length : body].decode("utf-8", "replace")
            yield Record(self, name, properties, body, body + size, end, depth)
            start = end

    def unpack(self, array: PackedArray, place: str) -> Array:
        """The numbers of an array, read-only."""
        dtype = np.dtype(ARRAYS[array.kind])
        size = array.length * dtype.itemsize
        self._room -= size
        if self._room < 0:
            raise self.fault(place, f"asks for {size:,} bytes more than a file of {len(self.data):,} may")
        data = self.data[array.start : array.start + array.size]
        if array.encoding == 1:
            try:
                data = zlib.decompressobj().decompress(data, size + 1)
            except zlib.error as error:
                raise self.fault(place, f"has an array that cannot be unpacked ({error})") from None
        elif array.encoding != 0:
            raise self.fault(place, f"has an array of the unknown encoding {array.encoding}")
        if len(data) != size:
            raise self.fault(place, f"has an array of {len(data):,} bytes; it says {size:,}")
        return np.frombuffer(data, dtype)


class Record:
    """A record; its properties and children are read when they are asked for."""

    __slots__ = ("_count", "_depth", "_end", "_file", "_start", "_stop", "name")

    def __init__(self, file: FbxFile, name: str, count: int, start: int, stop: int, end: int, depth: int) -> None:
        self.name = name
        self._file, self._count, self._start, self._stop, self._end, self._depth = file, count, start, stop, end, depth

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"byte {self._start}, {self.name[:40]!r}"

    def fault(self, why: str) -> FileError:
        """The error for something wrong in it."""
        return self._file.fault(self.place, why)

    def children(self) -> Iterator[Record]:
        """The records in it."""
        return self._file.records(self._stop, self._end, self._depth + 1)

    def child(self, name: str) -> Record | None:
        """The first record in it of this name."""
        return next((one for one in self.children() if one.name == name), None)

    def properties(self) -> list[Any]:
        """Numbers, texts, bytes, and arrays that are not unpacked yet."""
        data, at, found = self._file.data, self._start, []
        try:
            for _ in range(self._count):
                if at >= self._stop:
                    raise self.fault("has fewer properties than it says")
                kind = chr(data[at])
                at += 1
                if kind in SCALARS:
                    found.append(SCALARS[kind].unpack_from(data, at)[0])
                    at += SCALARS[kind].size
                elif kind in ARRAYS:
                    count, encoding, size = ARRAY_HEAD.unpack_from(data, at)
                    at += ARRAY_HEAD.size
                    found.append(PackedArray(kind, count, encoding, at, size))
                    at += size
                elif kind in "SR":
                    (size,) = LENGTH.unpack_from(data, at)
                    at += LENGTH.size
                    part = data[at : at + size]
                    found.append(part.decode("utf-8", "replace") if kind == "S" else part)
                    at += size
                else:
                    raise self.fault(f"has a property of the unknown kind {kind!r}")
                if at > self._stop:
                    raise self.fault("has a property that is longer than the record")
        except struct.error:
            raise self.fault("has a property that is cut off") from None
        return found

    def array(self, name: str, width: int = 1) -> Array | None:
        """The numbers of the array in a record in it, (n,), or (n, width); None where there is none."""
        child = self.child(name)
        if child is None:
            return None
        packed = next(iter(child.properties()), None)
        if not isinstance(packed, PackedArray):
            raise child.fault("holds no array")
        numbers = self._file.unpack(packed, child.place)
        if len(numbers) % width:
            raise child.fault(f"holds {len(numbers)} numbers; expected a multiple of {width}")
        return numbers if width == 1 else numbers.reshape(-1, width)

    def floats(self, name: str, width: int = 1) -> Array | None:
        """The same as float64; raises FileError where some are not finite."""
        numbers = self.array(name, width)
        if numbers is None:
            return None
        numbers = numbers.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise self.fault(f"holds {name} that are not finite")
        return numbers

    def text(self, name: str) -> str:
        """The text in a record in it; empty where there is none."""
        child = self.child(name)
        found = next(iter(child.properties()), "") if child else ""
        return found if isinstance(found, str) else ""


def _why_not(data: bytes) -> str:
    """Why bytes that do not begin as a binary FBX file are not read."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b";") or b"FBXHeaderExtension" in start:
        return "is an ASCII FBX file; save it as binary FBX, version 7 (2014 or newer), or convert it to .glb"
    return "is no FBX file" if data else "is empty"
