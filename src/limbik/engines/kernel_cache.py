"""Generated kernels as modules with a source file, and a cache on disk of what a compiler made of them.

Each process works on kernels in a temporary folder of its own, and packs finished machine code into one file of the
user's cache folder: `KEY.kernel`, a checksum followed by a zip archive. The key is a hash of everything that machine
code depends on, so an entry is never stale. A damaged entry fails its checksum; it is deleted and made again. Where
nothing can be written, kernels are compiled without a cache.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import io
import os
import shutil
import sys
import tempfile
import time
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType

SUFFIX = ".kernel"
LARGEST = 64 << 20  # bytes of all entries together; the least recently used ones beyond that are deleted
STALE = 3600.0  # seconds after which a half-written entry is taken to be abandoned
STAMP = (1_000_000_000, 1_000_000_000)  # Numba compares the source's modification time: the same in every process


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


class KernelFile:
    """A generated module, in a file of the process's own folder.

    Args:
        text: the module's source.
        depends: whatever else its machine code depends on: versions, options, sources of what it imports.
    """

    def __init__(self, text: str, *depends: str) -> None:
        self.key = hashlib.sha256("\0".join((text, sys.version, *depends)).encode()).hexdigest()[:24]
        self._name = f"limbik_kernel_{self.key}"
        self._folder: Path | None = None
        self._packed = b""  # the digest of what the cache holds
        try:
            folder = _working_folder(os.getpid()) / self.key
            self._restore(folder)
            source = folder / f"{self._name}.py"
            source.write_text(text, "utf-8")
            os.utime(source, STAMP)
            self.module = _imported(self._name, source)
            self._folder = folder
        except OSError:  # no temporary folder, or a full one
            self.module = ModuleType(self._name)
            exec(text, self.module.__dict__)

    @property
    def cacheable(self) -> bool:
        """Whether the module has a file, next to which a compiler can leave machine code."""
        return self._folder is not None

    def _restore(self, folder: Path) -> None:
        """Makes the folder, with the machine code of an intact cache entry; deletes a damaged entry."""
        machine_code = folder / "__pycache__"
        machine_code.mkdir(parents=True, exist_ok=True)
        if (cached := self._entry()) is None:
            return
        try:
            data = cached.read_bytes()
            if data[:32] == self._packed != b"":
                return
            if hashlib.sha256(data[32:]).digest() != data[:32]:
                cached.unlink()
                return
            with zipfile.ZipFile(io.BytesIO(data[32:])) as archive:
                for name in archive.namelist():
                    (machine_code / Path(name).name).write_bytes(archive.read(name))
            self._packed = data[:32]
            os.utime(cached)  # used just now
        except OSError:  # not there, not readable
            return

    def refresh(self) -> None:
        """Takes from the cache folder what other processes have stored of this module since."""
        if self._folder is not None:
            self._restore(self._folder)

    def publish(self) -> None:
        """Stores what the compiler has left next to the module in the cache folder, if that is anything new."""
        if self._folder is None or (entry := self._entry()) is None:
            return
        try:
            memory = io.BytesIO()
            with zipfile.ZipFile(memory, "w") as archive:
                for path in sorted((self._folder / "__pycache__").glob("*.nb?")):
                    archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes())
            packed = memory.getvalue()
            digest = hashlib.sha256(packed).digest()
            if digest == self._packed:
                return
            entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=entry.parent, suffix=".part", delete=False) as file:
                try:
                    file.write(digest + packed)
                    file.close()
                    os.replace(file.name, entry)
                except OSError:
                    os.unlink(file.name)
                    raise
            self._packed = digest
            _clean(entry.parent)
        except OSError:  # read-only, full, or a file where the folder should be
            return

    def _entry(self) -> Path | None:
        folder = cache_folder()
        return None if folder is None else folder / (self.key + SUFFIX)


@cache
def _working_folder(process: int) -> Path:
    """The folder of this process's kernels, deleted when it ends."""
    folder = Path(tempfile.mkdtemp(prefix="limbik-"))

    def remove() -> None:
        if os.getpid() == process:  # not a fork of it
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Numba's cache looks the module up by name
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module


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
