"""The kernels of `filling` and `shading`, compiled by Numba when they are first called, or found on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from limbik.engines import kernel_cache

FILES = ("filling.py", "shading.py")
KERNELS = ("fill", "skin", "shade", "stamp")
# A call copies all the numbers of a tuple such as the light: without these calls a picture takes half the time.
INLINED = ("ground_colour", "body_colour", "shone", "sunlit")
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}


def kernel(name: str) -> Callable[..., None]:
    """One of the KERNELS; it releases the GIL."""
    return _kernels()[name]


@cache
def _kernels() -> dict[str, Callable[..., None]]:
    import numba

    module, cacheable = kernel_cache.load(_text(), numba.__version__)
    functions = {name: one for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    for name in functions.keys() - set(KERNELS):
        inline = "always" if name in INLINED else "never"
        setattr(module, name, numba.njit(inline=inline, **OPTIONS)(functions[name]))
    return {name: _compiled(functions[name], cacheable) for name in KERNELS}


def _text() -> str:
    """Both files as one, without what the second imports from the first; all that the kernels depend on."""
    lines = [line for name in FILES for line in Path(__file__).with_name(name).read_text("utf-8").split("\n")]
    return "\n".join(line for line in lines if not line.startswith("from limbik."))


def _compiled(function: Any, cacheable: bool) -> Callable[..., None]:
    import numba

    try:
        return numba.njit(cache=cacheable, **OPTIONS)(function)
    except RuntimeError:  # no place for Numba's cache
        return numba.njit(**OPTIONS)(function)
