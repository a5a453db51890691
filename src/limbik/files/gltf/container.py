"""The .glb container: chunks, each with a type and a length; the first one is JSON."""

from __future__ import annotations

import struct

from limbik.errors import FileError

MAGIC = b"glTF"
JSON, BINARY = 0x4E4F534A, 0x004E4942  # types of chunks
HEADER = 12  # bytes: the magic word, the version and the file's length
LONGEST = (1 << 32) - 1

Chunk = tuple[int, memoryview]


def chunks_of(data: bytes, name: str) -> list[Chunk]:
    """The type and the data of every chunk of a .glb, at least one. name: of the file, for errors."""
    if len(data) < HEADER + 8:
        raise FileError(name, "", f"ends after {len(data)} bytes, within the header of a .glb")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise FileError(name, "byte 4", f"is glTF {version}; expected 2")
    if not HEADER + 8 <= length <= len(data):
        raise FileError(name, "byte 8", f"states that the file has {length} bytes; it has {len(data)}")
    found, at = [], HEADER
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if size > length - at - 8:
            raise FileError(name, f"byte {at}", f"is a chunk of {size} bytes, of which {length - at - 8} exist")
        found.append((kind, memoryview(data)[at + 8 : at + 8 + size]))
        at += 8 + size
    if found[0][0] != JSON:
        raise FileError(name, f"byte {HEADER}", "is not a chunk of JSON, which a .glb starts with")
    return found


def joined(text: bytes, binary: bytes | bytearray, further: tuple[Chunk, ...], name: str) -> bytes:
    """A .glb of JSON, binary data, if there is any, and further chunks."""
    chunks = [(JSON, text + b" " * (-len(text) % 4))]
    if binary:
        chunks.append((BINARY, bytes(binary) + bytes(-len(binary) % 4)))
    chunks.extend((kind, bytes(data)) for kind, data in further)
    length = HEADER + sum(8 + len(data) for _, data in chunks)
    if length > LONGEST:
        raise FileError(name, "", f"would have {length} bytes; a .glb holds {LONGEST} at most, a .gltf more")
    parts = [MAGIC, struct.pack("<II", 2, length)]
    for kind, data in chunks:
        parts += [struct.pack("<II", len(data), kind), data]
    return b"".join(parts)
