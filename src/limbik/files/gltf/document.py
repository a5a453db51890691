"""A glTF document: its parsed JSON, its binary data, and the errors where either is broken."""

from __future__ import annotations

import json
import reprlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from limbik.errors import FileError
from limbik.files.file_limits import joint_frames_limit
from limbik.files.gltf.container import BINARY_CHUNK, MAGIC, Chunk, chunks_of, content_of, file_named, names_file

COMPRESSION = ("EXT_meshopt_compression", "KHR_meshopt_compression")
MAX_WHOLE_FILE_BYTES = 64 << 20  # larger files beside a document are read part by part
# The top-level arrays that limbik reads; all others are kept unchanged.
ARRAYS = ("accessors", "animations", "buffers", "bufferViews", "images", "nodes", "scenes", "skins")

JsonObject: TypeAlias = dict[str, Any]  # of a document; what it holds is checked where it is read


@dataclass(frozen=True, eq=False)
class Document:
    """A parsed document; immutable."""

    name: str  # of the file, for messages
    content: JsonObject  # the JSON object
    original: bytes  # the whole file
    folder: Path | None = None  # of the files that its URIs name
    is_binary: bool = False  # a .glb, not a .gltf
    binary: memoryview | None = None  # the binary chunk of a .glb
    chunks: tuple[Chunk, ...] = ()  # the type and data of any further chunks
    limit: int | None = None  # the largest number of joints × frames (default: by size)
    _loaded: dict[int, memoryview] = field(default_factory=dict, init=False)
    _stored: dict[int, int] = field(default_factory=dict, init=False)  # bytes that buffers take where they are stored

    def __reduce__(self) -> tuple[Any, ...]:
        # Memory views cannot be pickled; the file's bytes can.
        return parse, (self.original, self.name, self.folder, self.limit)

    @cached_property
    def arrays(self) -> dict[str, list[JsonObject]]:
        """The top-level arrays of objects by name; empty where the file has none."""
        return {name: self.objects(self.content, name, "") for name in ARRAYS}

    def fault(self, place: str, why: str) -> FileError:
        """The error for something wrong at a place in the document."""
        return FileError(self.name, place, why)

    def objects(self, owner: JsonObject, key: str, place: str) -> list[JsonObject]:
        """An array of objects that may be missing."""
        found = owner.get(key, [])
        if type(found) is not list or not all(type(item) is dict for item in found):
            raise self.fault(f"{place}{key}", f"is {reprlib.repr(found)}; expected an array of objects")
        return found

    def object(self, owner: JsonObject, key: str, place: str) -> JsonObject:
        """An object that may be missing."""
        found = owner.get(key, {})
        if type(found) is not dict:
            raise self.fault(f"{place}.{key}", f"is {reprlib.repr(found)}; expected an object")
        return found

    def whole(
        self, owner: JsonObject, key: str, place: str, default: int | None = None, below: int | None = None
    ) -> int:
        """A count, or an index below `below`."""
        found = owner.get(key, default)
        if type(found) is not int or found < 0 or (below is not None and found >= below):
            wanted = "a whole number, 0 or more" if below is None else f"a whole number below {below}"
            raise self.fault(f"{place}.{key}", f"is {reprlib.repr(found)}; expected {wanted}")
        return found

    def wholes(self, owner: JsonObject, key: str, place: str, below: int) -> list[int]:
        """An array of indices below `below`, which may be missing."""
        found = owner.get(key, [])
        if type(found) is not list or not all(type(item) is int and 0 <= item < below for item in found):
            wanted = f"an array of whole numbers below {below}"
            raise self.fault(f"{place}.{key}", f"is {reprlib.repr(found)}; expected {wanted}")
        return found

    def length(self, number: int) -> int:
        """The length of a buffer in bytes, as the document states it."""
        return self.whole(self.arrays["buffers"][number], "byteLength", f"buffers[{number}]")

    def buffer(self, number: int) -> memoryview:
        """The bytes of a buffer, as many as the document states; read at the first call."""
        if number not in self._loaded:
            self._loaded[number] = self._load(number, self.length(number))
            self._stored[number] = len(self._loaded[number])
        return self._loaded[number]

    def part(self, number: int, start: int, stop: int) -> memoryview:
        """Bytes `start` to `stop` of a buffer. Of large files beside the document only these are read."""
        uri: Any = self.arrays["buffers"][number].get("uri")
        if self.length(number) <= MAX_WHOLE_FILE_BYTES or not names_file(uri):
            return self.buffer(number)[start:stop]
        place = f"buffers[{number}].uri"
        if number not in self._stored:
            found = file_named(uri, self.folder, self.name, place).stat()
            if found.st_size < self.length(number):
                says = f"the document says {self.length(number)}"
                raise self.fault(place, f"{reprlib.repr(uri)} has {found.st_size} bytes; {says}")
            # A file of mostly nothing takes less space than its size says.
            self._stored[number] = min(found.st_size, 512 * getattr(found, "st_blocks", found.st_size))
        return memoryview(content_of(uri, self.folder, stop - start, self.name, place, start))

    def _load(self, number: int, length: int) -> memoryview:
        buffer, place = self.arrays["buffers"][number], f"buffers[{number}]"
        if "uri" in buffer:
            data = memoryview(content_of(buffer["uri"], self.folder, length, self.name, f"{place}.uri"))
        elif number == 0 and self.binary is not None:
            data = self.binary
        elif any(name in COMPRESSION for name in self.object(buffer, "extensions", place)):
            raise self.fault(place, "holds compressed data (meshopt); expected a file saved without compression")
        else:
            raise self.fault(place, "has no data: neither a uri nor the binary chunk of a .glb")
        if len(data) < length:
            raise self.fault(place, f"holds {len(data)} bytes; it says {length}")
        return data[:length]

    def fits(self, binary: bool, folder: Path) -> bool:
        """Whether a file of this kind in this folder can refer to the same files."""
        named = [*self.arrays["buffers"], *self.arrays["images"]]
        beside = folder.resolve() == self.folder or not any(names_file(each.get("uri")) for each in named)
        return self.is_binary == binary and beside

    @property
    def room(self) -> int:
        """Joints × frames, or keys, that the file may hold."""
        return joint_frames_limit(self.limit, self._size)

    @property
    def mesh_room(self) -> int:
        """Vertices and corners of faces that the file's meshes may have, counted wherever they are shown."""
        return joint_frames_limit(None, self._size)

    @property
    def _size(self) -> int:
        return len(self.original) + sum(self._stored.values())


def parse(data: bytes, name: str, folder: Path | None = None, limit: int | None = None) -> Document:
    """The document in a file's bytes, .glb or .gltf."""
    if not data:
        raise FileError(name, "", "is empty")
    if not data.startswith(MAGIC):
        return Document(name, _content(data, name), data, folder, limit=limit)
    first, *others = chunks_of(data, name)
    binary = next((chunk for chunk in others if chunk[0] == BINARY_CHUNK), None)
    further = tuple(chunk for chunk in others if chunk is not binary)
    content = _content(bytes(first[1]), name)
    return Document(name, content, data, folder, True, binary and binary[1], further, limit)


def _content(text: bytes, name: str) -> JsonObject:
    try:
        # Some writers pad the chunk with zeros instead of spaces.
        content = json.loads(str(text, "utf-8-sig").rstrip("\0"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise FileError(name, f"byte {error.start} of the JSON", "is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} of the JSON, column {error.colno}"
        raise FileError(name, place, f"is broken ({error.msg})") from None
    except ValueError as error:
        raise FileError(name, "JSON", f"is broken ({error})") from None
    except RecursionError:
        raise FileError(name, "JSON", "is nested too deeply") from None
    if not isinstance(content, dict):
        raise FileError(name, "JSON", f"is {reprlib.repr(content)}; expected an object")
    asset = content.get("asset")
    version = asset.get("version") if isinstance(asset, dict) else None
    if not (isinstance(version, str) and version.startswith("2.")):
        raise FileError(name, "asset.version", f"is {reprlib.repr(version)}; expected '2.0'")
    return content


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number in JSON")
