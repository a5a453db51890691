"""The kernels of `filling` and `shading`, compiled by Numba when they are first called, or loaded from its cache."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from limbik.engines.numba_compiler import OPTIONS, compile_kernel

KERNEL_FILES = ("filling.py", "shading.py")
KERNELS = ("fill", "skin", "shade", "stamp")
# A call copies all the numbers of a tuple such as the light: without these calls a picture takes half the time.
INLINED_FUNCTIONS = ("ground_colour", "body_colour", "light_surface", "visible_sun")


def kernel(name: str) -> Callable[..., None]:
    """One of the KERNELS; it releases the GIL."""
    return partial(_run, name)


def _run(name: str, *arguments: Any) -> None:
    import numba

    fields = tuple(getattr(argument, "_fields", ()) for argument in arguments)
    _compile(name, tuple(map(numba.typeof, arguments)), fields)(*arguments)


@cache
def _compile(name: str, types: tuple[Any, ...], fields: tuple[tuple[str, ...], ...]) -> Callable[..., None]:
    """The kernel for arguments of some types, of which tuples have fields: these are not in the types' names."""
    import numba

    return compile_kernel(f"{_kernel_source()}\nkernel = {name}  # {fields}\n", numba.void(*types))


@cache
def _kernel_source() -> str:
    """Both files as one, without what the second imports from the first; all but the kernels are marked for Numba."""
    lines = [line for name in KERNEL_FILES for line in Path(__file__).with_name(name).read_text("utf-8").split("\n")]
    text = "\n".join(line for line in lines if not line.startswith("from limbik."))

    def decorate(found: re.Match[str]) -> str:
        inline = "always" if found[1] in INLINED_FUNCTIONS else "never"
        return f"@numba.njit(inline={inline!r}, **{OPTIONS!r})\n{found[0]}"

    return "import numba\n" + re.sub(rf"^def (?!(?:{'|'.join(KERNELS)})\()(\w+)", decorate, text, flags=re.MULTILINE)
