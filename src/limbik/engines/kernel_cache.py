"""Machine code of kernels on disk, one file each, found by a hash of all that it depends on: an entry is never stale.

An entry is a checksum and an object file. A damaged one fails its checksum; it is deleted and made
again. Whoever writes an entry decides what this process runs: only files of this user are read, in a folder to which
nobody else can write. Where that cannot be had, kernels are compiled without a cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

SUFFIX = ".kernel"
LOCK = "lock"
MAX_BYTES = 64 << 20  # of all entries together; the least recently used ones beyond that are deleted
ABANDONED_SECONDS = 3600.0  # after which a half-written entry is taken to be nobody's


def cache_folder() -> Path | None:
    """The folder of compiled kernels: LIMBIK_CACHE, or "limbik" in the platform's cache folder; None without a home."""
    try:
        if named := os.environ.get("LIMBIK_CACHE"):
            return Path(named).expanduser()
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            named = os.environ.get("XDG_CACHE_HOME", "")
            base = Path(named) if os.path.isabs(named) else Path.home() / ".cache"
    except RuntimeError:  # no home folder, no user name
        return None
    return base / "limbik"


def entry_key(*depends: str) -> str:
    """The key of an entry that depends on these texts and on the interpreter."""
    return hashlib.sha256("\0".join((sys.version, *depends)).encode()).hexdigest()[:24]


def read(key: str) -> bytes | None:
    """What is stored under a key, or None; deletes a damaged entry."""
    if (folder := cache_folder()) is None:
        return None
    entry = folder / (key + SUFFIX)
    try:
        if not (_only_ours(folder) and _only_ours(entry)):
            return None
        stored = entry.read_bytes()
        if hashlib.sha256(stored[32:]).digest() != stored[:32]:
            entry.unlink()
            return None
        os.utime(entry)  # used just now
    except OSError:  # not there, not readable
        return None
    return stored[32:]


def writable_folder() -> Path | None:
    """The folder, made if need be; None where entries cannot be stored, as far as can be seen."""
    if (folder := cache_folder()) is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _only_ours(folder) and os.access(folder, os.R_OK | os.W_OK | os.X_OK) else None
    except OSError:
        return None


@contextmanager
def locked(key: str) -> Iterator[None]:
    """Keeps other processes out of the same block for the same key, where the system has locks."""
    folder = cache_folder()
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            if folder is not None:
                file = stack.enter_context((folder / LOCK).open("ab"))
                fcntl.lockf(file, fcntl.LOCK_EX, 1, int(key[:7], 16))
        yield


def write(key: str, data: bytes) -> bool:
    """Stores data under a key, whole or not at all; whether that was possible."""
    if (folder := writable_folder()) is None:
        return False
    try:
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            try:
                file.write(hashlib.sha256(data).digest() + data)
                file.close()
                os.replace(file.name, folder / (key + SUFFIX))
            except OSError:
                os.unlink(file.name)
                raise
    except OSError:  # read-only, or full
        return False
    with suppress(OSError):  # another process deletes as well
        _clean(folder)
    return True


def _only_ours(path: Path) -> bool:
    """Whether a path, and what it links to, is this user's, and nobody else may write there; true on Windows."""
    if not hasattr(os, "geteuid"):
        return True
    status = path.stat()
    return path.lstat().st_uid == status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _clean(folder: Path) -> None:
    """Deletes the least recently used entries beyond MAX_BYTES, and abandoned parts."""
    for path in folder.glob("*.part"):
        if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
            path.unlink(missing_ok=True)
    total = 0
    found = [(status.st_mtime, status.st_size, path) for path in folder.glob("*" + SUFFIX) if (status := path.stat())]
    for _, size, path in sorted(found, reverse=True):
        total += size
        if total > MAX_BYTES:
            path.unlink(missing_ok=True)
