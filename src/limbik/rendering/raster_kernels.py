"""The kernels of `filling` and `shading`, compiled by Numba when they are first called, or loaded from its cache."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from limbik.arrays import Array
from limbik.engines.loading import kernels, loaded
from limbik.engines.numba_compiler import array_type, nothing_from

KERNEL_FILES = ("filling.py", "shading.py")
# A call copies all the numbers of a tuple such as the light: without these calls a picture takes half the time.
INLINED_FUNCTIONS = ("ground_colour", "body_colour", "light_surface", "visible_sun")


def kernel(name: str) -> Callable[..., None]:
    """One of the functions fill, skin, shade and stamp, compiled; it releases the GIL."""
    return partial(_run, name)


def _run(name: str, *arguments: Any) -> None:
    numbers = list(_flatten(arguments))
    key = RasterKernel(name, tuple(map(_shape, arguments)), tuple(map(_type, numbers)))
    (kernels.get(key) or loaded(key))(*numbers)


class RasterKernel(NamedTuple):
    """A function of the files for arguments of some types; its kernel takes them without the tuples around them."""

    name: str
    arguments: tuple[Any, ...]  # of each, what `_shape` says
    types: tuple[str, ...]  # of all that are not tuples, in order

    def text(self) -> str:
        """The kernel's source: both files as one, and a function that makes the tuples."""
        names = iter(f"a{k}" for k in range(len(self.types)))
        classes: dict[str, str] = {}
        made = ", ".join(_tuple_expression(shape, names, classes) for shape in self.arguments)
        head = ["from collections import namedtuple", "import numba", *classes.values()]
        parameters = ", ".join(f"a{k}" for k in range(len(self.types)))
        return "\n".join([*head, _kernel_source(), f"def kernel({parameters}):", f"    {self.name}({made})", ""])

    def signature(self) -> str:
        """It takes what is in the tuples, in order."""
        return nothing_from(*self.types)


def _flatten(values: tuple[Any, ...]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flatten(value)
        else:
            yield value


def _shape(value: Any) -> Any:
    """None for what is no tuple; else the tuple's name and fields, if any, and the shapes of what is in it."""
    if not isinstance(value, tuple):
        return None
    fields = getattr(value, "_fields", ())
    return (type(value).__name__ if fields else "", fields, tuple(map(_shape, value)))


def _tuple_expression(shape: Any, names: Iterator[str], classes: dict[str, str]) -> str:
    """The expression that makes an argument of names in order; adds the definitions of the tuples' classes."""
    if shape is None:
        return next(names)
    name, fields, parts = shape
    inner = "".join(f"{_tuple_expression(part, names, classes)}, " for part in parts)
    if name:
        classes[name] = f"{name} = namedtuple({name!r}, {fields!r})"
    return f"{name}({inner})"


def _type(value: Array | float) -> str:
    if isinstance(value, int):
        return "intp"
    if isinstance(value, float):
        return "float64"
    layout = "C" if value.flags.c_contiguous else "A"
    return array_type(value.dtype.name, value.ndim, layout, written=value.flags.writeable)


@cache
def _kernel_source() -> str:
    """Both files as one, without what the second imports from the first; their functions are marked for Numba."""
    lines = [line for name in KERNEL_FILES for line in Path(__file__).with_name(name).read_text("utf-8").split("\n")]
    text = "\n".join(line for line in lines if not line.startswith("from limbik."))

    def decorate(found: re.Match[str]) -> str:
        inline = "always" if found[1] in INLINED_FUNCTIONS else "never"
        return f'@numba.njit(inline={inline!r}, error_model="numpy", no_cpython_wrapper=True)\n{found[0]}'

    return re.sub(r"^def (\w+)", decorate, text, flags=re.MULTILINE)
