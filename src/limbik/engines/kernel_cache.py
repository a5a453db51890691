"""Kernels as files: their text, kept in the user's cache folder under a name made of all that it depends on.

So compilers that read sources find them, machine code kept beside them is found again, and none can be stale.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def cache_folder() -> Path:
    """Where compiled kernels are kept: the platform's cache folder, or LIMBIK_CACHE."""
    if named := os.environ.get("LIMBIK_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "limbik"


def _stored(text: str, compiler: str) -> Path | None:
    """The file that holds a kernel's text, written if need be; None where nothing can be written."""
    import hashlib
    import tempfile

    key = hashlib.sha256((text + compiler + sys.version).encode()).hexdigest()[:24]
    path = cache_folder() / f"limbik_kernel_{key}.py"
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".tmp", delete=False) as file:
                file.write(text)
            os.replace(file.name, path)
    except OSError:
        return None
    return path


def load(text: str, compiler: str) -> tuple[Any, bool]:
    """The text as a module, and whether there is a file of it, beside which machine code can be kept."""
    path = _stored(text, compiler)
    if path is None:
        bare = ModuleType("limbik_kernel")
        exec(text, bare.__dict__)
        return bare, False
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # Numba's cache looks the module up by name
    spec.loader.exec_module(module)
    return module, True
