"""Whether Numba can compile limbik's kernels, and all that their machine code depends on; without importing Numba.

The modules of Numba that are not part of its public interface are used in `machine_code.py`, `kernel_entry.py`,
`numba_intrinsics.py` and `numba_lowering.py` only. Where they are missing or behave otherwise, as a newer Numba may
have it, kernels cannot be compiled: `NumbaUnusableError` says so, and batches run on NumPy.
"""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from limbik.errors import LimbikError

SOURCES = "kernel_compiler.py", "kernel_entry.py", "machine_code.py", "numba_intrinsics.py", "numba_lowering.py"
_failures: list[str] = []  # why Numba turned out to be unusable in this process


class NumbaUnusableError(LimbikError):
    """Numba is installed but cannot compile limbik's kernels."""


@cache
def installed() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None and find_spec("llvmlite") is not None


def usable() -> bool:
    """Whether Numba is installed and has not failed to compile a kernel."""
    return not _failures and installed()


def require_usable() -> None:
    """Raises NumbaUnusableError where Numba is not usable."""
    if not usable():
        raise NumbaUnusableError("; ".join(_failures) or "Numba is not installed")


def array_type(number: str, axes: int, layout: str, *, written: bool = False) -> str:
    """The type of an array in Numba's notation; layout: "C" for contiguous arrays, "A" for any."""
    return f"Array({number}, {axes}, {layout!r}, readonly={not written})"


def nothing_from(*arguments: str) -> str:
    """The signature of a function that returns nothing, in Numba's notation."""
    return f"void({', '.join(arguments)})"


def give_up(reason: str) -> None:
    """Notes that Numba cannot compile kernels, and warns of it, once: from now on batches run on NumPy."""
    if not _failures:
        _failures.append(reason)
        message = f"Numba cannot compile limbik's kernels, so batches run on NumPy, more slowly ({reason})"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def fingerprint() -> str:
    """What machine code depends on besides a kernel's own text: versions, processor, settings, how it is made."""
    import llvmlite
    import llvmlite.binding as llvm
    import numpy as np

    processor = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    versions = sys.modules["limbik"].__version__, _numba_version(), llvmlite.__version__, np.__version__
    return repr((versions, processor, settings, _sources()))


@cache
def _numba_version() -> str:
    """The text that says Numba's version: importing Numba takes half a second, reading its metadata 15 ms."""
    spec = find_spec("numba")
    try:
        return Path(spec.origin if spec and spec.origin else "").with_name("_version.py").read_text("utf-8")
    except (OSError, ValueError):
        import numba

        return numba.__version__


@cache
def _sources() -> str:
    return "".join(Path(__file__).with_name(name).read_text("utf-8") for name in SOURCES)
