"""The kernels of `filling` and `shading`, compiled by Numba when they are first called, or loaded from its cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from limbik.engines import numba_compiler
from limbik.engines.kernel_cache import KernelFile

FILES = ("filling.py", "shading.py")
KERNELS = ("fill", "skin", "shade", "stamp")
# A call copies all the numbers of a tuple such as the light: without these calls a picture takes half the time.
INLINED = ("ground_colour", "body_colour", "shone", "sunlit")


def kernel(name: str) -> Callable[..., None]:
    """One of the KERNELS; it releases the GIL."""
    return _kernels()[name]


@cache
def _kernels() -> dict[str, Callable[..., None]]:
    import numba

    # Both files as one, without what the second imports from the first: all that the kernels depend on.
    lines = [line for name in FILES for line in Path(__file__).with_name(name).read_text("utf-8").split("\n")]
    text = "\n".join(line for line in lines if not line.startswith("from limbik."))
    file = numba_compiler.kernel_file(text, repr(INLINED))
    module = file.module
    functions = {name: one for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    for name in functions.keys() - set(KERNELS):
        inline = "always" if name in INLINED else "never"
        setattr(module, name, numba.njit(inline=inline, **numba_compiler.OPTIONS)(functions[name]))
    return {name: _compiled(functions[name], file) for name in KERNELS}


def _compiled(function: Any, file: KernelFile) -> Callable[..., None]:
    dispatcher = numba_compiler.jit(function, file)

    def call(*arguments: Any) -> None:
        known = len(dispatcher.overloads)
        if not known:
            file.refresh()
        dispatcher(*arguments)
        if len(dispatcher.overloads) > known:
            file.publish()

    return call
