"""Numba, as far as limbik uses it: compiling a kernel's text, with machine code kept on disk.

The modules of Numba that are not part of its public interface are used in `numba_intrinsics.py`, `numba_lowering.py`
and `machine_code.py` only. Where they are missing or behave otherwise, as a newer Numba may have it, kernels cannot be
compiled: `NumbaUnusableError` says so, and batches run on NumPy.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from limbik.errors import LimbikError

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
_failures: list[str] = []  # why Numba turned out to be unusable in this process
_lock = threading.RLock()


class NumbaUnusableError(LimbikError):
    """Numba is installed but cannot compile limbik's kernels."""


@cache
def installed() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


@cache
def compiling() -> threading.RLock:
    """The lock of the compiler: one kernel at a time.

    A process is not forked while another thread holds it: the new one would inherit locks that nobody releases. What
    was registered last is called first before a fork, and Numba takes the lock of `logging`: that has to be registered
    first, or the thread that forks would hold it while it waits for this one.
    """
    import logging  # noqa: F401

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
    return _lock


@cache
def import_numba() -> None:
    """Imports Numba, without colours in its messages.

    To colour one, Numba replaces sys.stdout for a moment. In a thread beside a program that redirects it, such as by
    `contextlib.redirect_stdout`, that would make the redirection permanent: what is printed later would be lost.
    """
    plain = "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
    before = os.environ.get(plain)
    os.environ[plain] = "1"
    try:
        import numba  # noqa: F401
    finally:
        os.environ.pop(plain)
        if before is not None:
            os.environ[plain] = before


def usable() -> bool:
    """Whether Numba is installed and has not failed to compile a kernel."""
    return not _failures and installed()


def fingerprint() -> str:
    """What machine code depends on besides a kernel's own text: versions, processor, options, settings, intrinsics."""
    import llvmlite
    import llvmlite.binding as llvm
    import numba
    import numpy as np

    processor = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    versions = sys.modules["limbik"].__version__, numba.__version__, llvmlite.__version__, np.__version__
    return repr((versions, processor, sorted(OPTIONS.items()), settings, _intrinsics_source()))


@cache
def _intrinsics_source() -> str:
    names = "numba_intrinsics.py", "numba_lowering.py", "machine_code.py"
    return "".join(Path(__file__).with_name(name).read_text("utf-8") for name in names)


def compile_kernel(text: str, signature: Any) -> Callable[..., Any]:
    """The function `kernel` of a text, compiled or found on disk; it releases the GIL.

    Raises:
        NumbaUnusableError: where Numba cannot compile it.
    """
    if not usable():
        raise NumbaUnusableError("; ".join(_failures) or "Numba is not installed")
    with compiling():
        try:
            return _compiled(text, signature)
        except Exception as error:
            _failures.append(f"{type(error).__name__}: {error}")
            warnings.warn(
                f"Numba cannot compile limbik's kernels, so batches run on NumPy, more slowly ({_failures[-1]})",
                RuntimeWarning,
                stacklevel=2,
            )
            raise NumbaUnusableError(_failures[-1]) from error


def _compiled(text: str, signature: Any) -> Callable[..., Any]:
    import numba

    from limbik.engines import kernel_cache, machine_code  # with hashes and JSON, which most programs never need

    key = kernel_cache.entry_key(text, repr(signature), fingerprint())
    if (stored := kernel_cache.read(key)) is not None:
        return machine_code.loaded(stored)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(text, scope)
    (result,) = numba.njit([signature], **OPTIONS)(scope["kernel"]).overloads.values()
    if (made := machine_code.packed(result)) is not None:
        kernel_cache.write(key, made)
    return result.entry_point
