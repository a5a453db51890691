"""Where the bytes of a glTF file are: in chunks of a .glb, in the document as data URIs, or in files beside it."""

from __future__ import annotations

import base64
import binascii
import re
import reprlib
import struct
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from limbik.errors import FileError
from limbik.files.file_limits import MAX_FILE_BYTES

MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942  # types of chunks
HEADER_BYTES = 12  # the magic word, the version and the file's length
MAX_GLB_BYTES = (1 << 32) - 1

Chunk = tuple[int, memoryview]
# Media types of images by the first bytes of a file.
SIGNATURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}


def chunks_of(data: bytes, name: str) -> list[Chunk]:
    """The type and the data of every chunk of a .glb, at least one. name: of the file, for errors."""
    if len(data) < HEADER_BYTES + 8:
        raise FileError(name, "", f"ends after {len(data)} bytes, within the header of a .glb")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise FileError(name, "byte 4", f"is glTF {version}; expected 2")
    if not HEADER_BYTES + 8 <= length <= len(data):
        raise FileError(name, "byte 8", f"states that the file has {length} bytes; it has {len(data)}")
    found, at = [], HEADER_BYTES
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if size > length - at - 8:
            raise FileError(name, f"byte {at}", f"is a chunk of {size} bytes, of which {length - at - 8} exist")
        found.append((kind, memoryview(data)[at + 8 : at + 8 + size]))
        at += 8 + size
    if found[0][0] != JSON_CHUNK:
        raise FileError(name, f"byte {HEADER_BYTES}", "is not a chunk of JSON, which a .glb starts with")
    return found


def glb_bytes(text: bytes, binary: bytes | bytearray, further: tuple[Chunk, ...], name: str) -> bytes:
    """A .glb of JSON, binary data, if there is any, and further chunks."""
    chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
    if binary:
        chunks.append((BINARY_CHUNK, bytes(binary) + bytes(-len(binary) % 4)))
    chunks.extend((kind, bytes(data)) for kind, data in further)
    length = HEADER_BYTES + sum(8 + len(data) for _, data in chunks)
    if length > MAX_GLB_BYTES:
        raise FileError(name, "", f"would have {length} bytes; a .glb holds {MAX_GLB_BYTES} at most, a .gltf more")
    parts = [MAGIC, struct.pack("<II", 2, length)]
    for kind, data in chunks:
        parts += [struct.pack("<II", len(data), kind), data]
    return b"".join(parts)


def media_type(image: bytes) -> str | None:
    """The media type of an image file; None where it is not known."""
    return next((kind for start, kind in SIGNATURES.items() if image.startswith(start)), None)


def names_file(uri: Any) -> bool:
    """Whether a URI is a relative path, rather than embedded data or a web address."""
    return isinstance(uri, str) and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", uri)


def data_uri(data: bytes | bytearray | memoryview) -> str:
    """A URI that holds the bytes."""
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def content_of(uri: Any, folder: Path | None, length: int | None, name: str, place: str, start: int = 0) -> bytes:
    """The bytes that a URI names; of a file `length` bytes from `start` (default: all). name, place: for the error."""
    if not isinstance(uri, str):
        raise FileError(name, place, f"is {reprlib.repr(uri)}; expected text")
    if uri.startswith("data:"):
        return _inline(uri, name, place)
    path = file_named(uri, folder, name, place)
    try:
        size = path.stat().st_size
        wanted = size if length is None else length
        if size < start + wanted:
            raise FileError(name, place, f"{reprlib.repr(uri)} has {size} bytes; the document says {start + wanted}")
        if wanted > MAX_FILE_BYTES:
            raise FileError(name, place, f"{wanted:,} bytes of {reprlib.repr(uri)}; the limit is {MAX_FILE_BYTES:,}")
        with path.open("rb") as file:
            file.seek(start)
            return file.read(wanted)
    except OSError as error:
        raise FileError(name, place, f"{reprlib.repr(uri)} cannot be read ({error.strerror})") from None


def file_named(uri: str, folder: Path | None, name: str, place: str) -> Path:
    """The file that a relative URI names; it must be inside the document's folder, links resolved."""
    if not names_file(uri):
        raise FileError(name, place, f"is {reprlib.repr(uri)}; expected data or the path of a file in the same folder")
    if folder is None:
        raise FileError(name, place, f"names the file {reprlib.repr(uri)}, and the document is in no folder")
    relative = unquote(uri)
    parts = PurePosixPath(relative).parts
    plain = parts and not {"\\", "\0", ":"} & set(relative) and not relative.startswith("/") and ".." not in parts
    try:
        path = folder.joinpath(*parts).resolve() if plain else folder
        if not plain or not path.is_relative_to(folder.resolve()):
            raise FileError(name, place, f"{reprlib.repr(uri)} leads out of the folder; expected a file inside it")
        if not path.is_file():
            raise FileError(name, place, f"{reprlib.repr(uri)} is not a file in {folder}")
    except (OSError, RuntimeError):  # too long a name, or links in a circle
        raise FileError(name, place, f"{reprlib.repr(uri)} is not the path of a file") from None
    return path


def _inline(uri: str, name: str, place: str) -> bytes:
    head, comma, text = uri.partition(",")
    if not (comma and head.endswith(";base64")):
        raise FileError(name, place, f"is {reprlib.repr(head)}; expected data in base64")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FileError(name, place, f"is broken base64 ({error})") from None
