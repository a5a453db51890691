"""URIs of a document: embedded data, or files in the document's folder and nowhere else."""

from __future__ import annotations

import base64
import binascii
import re
import reprlib
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from limbik.errors import FileError
from limbik.files.file_limits import FILE_BYTES

# Media types of images by the first bytes of a file.
SIGNATURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}


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
        if wanted > FILE_BYTES:
            raise FileError(name, place, f"{wanted:,} bytes of {reprlib.repr(uri)}; the limit is {FILE_BYTES:,}")
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
