"""Checks of a file before it is read: its suffix, and its size; a small file must not fill the machine's memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from limbik.errors import FileError

# Joints × frames that any file may hold, however small it is; each takes about 60 bytes of memory.
DEFAULT_JOINT_FRAMES = 2_000_000
MAX_FILE_BYTES = 4 << 30  # the largest file that is read into memory: as much as a .glb can hold


def joint_frames_limit(limit: int | None, size: int) -> int:
    """Joints × frames that a file of `size` bytes may hold: `limit`, by default as many as it has bytes."""
    return max(DEFAULT_JOINT_FRAMES, size) if limit is None else limit


def check_joint_frames(path: object, place: str, joints: int, frames: int, most: int, advice: str = "") -> None:
    """Raises FileError where a file holds more joints × frames than allowed."""
    if joints * frames > most:
        count = f"{joints} joints × {frames} frames are {joints * frames:,}"
        raise FileError(path, place, f"{count}; the limit is {most:,}: load(path, limit=...) allows more{advice}")


def known_suffix(path: Path, known: Iterable[str], wanted: str = "expected one of", advice: str = "") -> str:
    """The suffix of a path in lower case; raises FileError, with the advice, where it is none of the known ones."""
    suffix = path.suffix.lower()
    if suffix not in known:
        found = f"has the suffix {path.suffix!r}" if suffix else "is a folder" if path.is_dir() else "has no suffix"
        raise FileError(path, "", f"{found}; {wanted} {', '.join(known)}{advice}")
    return suffix


def size_of_file(path: Path) -> int:
    """The size of a file in bytes; raises FileError where there is no such file, or it is too large."""
    try:
        if not path.is_file():
            raise FileError(path, "", "is a folder" if path.is_dir() else "does not exist, or is not a file")
        size = path.stat().st_size
    except OSError as error:
        raise FileError(path, "", f"cannot be read ({error.strerror})") from None
    if size > MAX_FILE_BYTES:
        raise FileError(path, "", f"has {size:,} bytes; the limit is {MAX_FILE_BYTES:,}")
    return size


def read_file(path: Path) -> bytes:
    """The bytes of a file; raises FileError where there is no such file, or it is too large."""
    size_of_file(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(path, "", f"cannot be read ({error.strerror})") from None
