"""limbik's own wheel, built from the installed package: what applications with a Python of their own install."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from limbik import __version__

OLDEST_TIME = (1980, 1, 1, 0, 0, 0)  # in archives: the same files give the same bytes
WHEEL_NAME = f"limbik-{__version__}-py3-none-any.whl"
TAGS = "Wheel-Version: 1.0\nGenerator: limbik\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel() -> bytes:
    """The wheel: limbik's files, its metadata, and the record of both."""
    info = f"limbik-{__version__}.dist-info"
    made = dict(_package_files(files("limbik"), PurePosixPath("limbik")))
    made[f"{info}/METADATA"] = _metadata().encode()
    made[f"{info}/WHEEL"] = TAGS.encode()
    record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in made.items())
    made[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return archive(made)


def archive(made: Mapping[str, str | bytes]) -> bytes:
    """Files by their paths as a zip file, the same bytes each time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path, content in made.items():
            entry = zipfile.ZipInfo(path, OLDEST_TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            zipped.writestr(entry, content)
    return buffer.getvalue()


def _package_files(folder: Traversable, path: PurePosixPath) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += [] if entry.name == "__pycache__" else _package_files(entry, path / entry.name)
        elif not entry.name.endswith(".pyc"):
            found.append((str(path / entry.name), entry.read_bytes()))
    return found


def _metadata() -> str:
    """The distribution's metadata; the least there must be where limbik is imported from a folder."""
    try:
        return str(metadata("limbik"))
    except PackageNotFoundError:
        return f"Metadata-Version: 2.1\nName: limbik\nVersion: {__version__}\nRequires-Dist: numpy\n"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
