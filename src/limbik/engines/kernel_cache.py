"""Machine code of kernels on disk, one file each, found by a hash of all that it depends on: an entry is never stale.

An entry is a checksum and the bytes that `machine_code` makes. A damaged one fails its checksum; it is deleted and made
again. Whoever writes an entry decides what this process runs: only files of this user are read, in a folder to which
nobody else can write. Where that cannot be had, kernels are compiled without a cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path

SUFFIX = ".kernel"
LARGEST = 64 << 20  # bytes of all entries together; the least recently used ones beyond that are deleted
STALE = 3600.0  # seconds after which a half-written entry is taken to be abandoned


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


def write(key: str, data: bytes) -> None:
    """Stores data under a key, where that is possible: whole, or not at all."""
    if (folder := cache_folder()) is None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _only_ours(folder):
            return
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            try:
                file.write(hashlib.sha256(data).digest() + data)
                file.close()
                os.replace(file.name, folder / (key + SUFFIX))
            except OSError:
                os.unlink(file.name)
                raise
        _clean(folder)
    except OSError:  # read-only, full, or a file where the folder should be
        return


def _only_ours(path: Path) -> bool:
    """Whether a path, and what it links to, is this user's, and nobody else may write there; true on Windows."""
    if not hasattr(os, "geteuid"):
        return True
    status = path.stat()
    return path.lstat().st_uid == status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _clean(folder: Path) -> None:
    """Deletes the least recently used entries beyond LARGEST, abandoned parts, and what limbik 0.1 left."""
    for path in (*folder.glob("limbik_kernel_*.py"), *folder.glob("__pycache__/limbik_kernel_*")):
        path.unlink(missing_ok=True)
    for path in folder.glob("*.part"):
        if time.time() - path.stat().st_mtime > STALE:
            path.unlink(missing_ok=True)
    total = 0
    found = [(status.st_mtime, status.st_size, path) for path in folder.glob("*" + SUFFIX) if (status := path.stat())]
    for _, size, path in sorted(found, reverse=True):
        total += size
        if total > LARGEST:
            path.unlink(missing_ok=True)
