"""The engine of Numba: a straight line compiled into one SIMD loop, bit for bit what NumPy gives (but for atan2).

Kernels are written as text, one for each answer, flags, number type and pattern of constant and varying groups, and are
compiled when first used. The text is kept as a file in the user's cache folder, named by all it depends on, so that
Numba's own cache on disk finds the machine code again in the next process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.programs import Program
from limbik.engines.straight_line import Writer, answer_line, component

TEMPLATES = {
    "negative": "-{0}",
    "sqrt": "math.sqrt({0})",
    "absolute": "abs({0})",
    "minimum": "select({0} < {1}, {0}, {1})",
    "maximum": "select({0} > {1}, {0}, {1})",
    "where": "select({0}, {1}, {2})",
    "outside": "not (({0} >= {1}) & ({0} <= {2}))",
    "atan2": "math.atan2({0}, {1})",
    "sin": "math.sin({0})",
    "cos": "math.cos({0})",
    "exp": "math.exp({0})",
}


# Rows that are worked out together; where one of them is a rare case, its block is done again in full.
BLOCK = 512


def _loop(program: Program, answer: str, flags: tuple[bool, ...], loads: list[str], rare: bool) -> list[str]:
    """The lines of one loop over a block; without the rare cases it also notes whether there was one."""
    line = answer_line(program, answer, flags, rare)
    writer = Writer(TEMPLATES, lambda number: f"real({number!r})")
    outputs = [writer.write(output) for output in line.outputs]
    conditions = [writer.write(condition) for condition in line.conditions]
    steps = writer.lines(*outputs, *conditions)
    return [
        "for i in range(first, last):",
        *(f"    {one}" for one in (*loads, *steps)),
        *(f"    store(out, {len(outputs)}, {k}, i, {output})" for k, output in enumerate(outputs)),
        *(f"    seen |= {condition}" for condition in conditions),
    ]


def kernel_text(
    program: Program, answer: str, flags: tuple[bool, ...], dtype: np.dtype[Any], varying: tuple[bool, ...]
) -> str:
    """The source of a kernel: its groups as arrays (components, rows), constant groups as (components, 1)."""
    groups = program.groups_of(answer)
    loads: dict[bool, list[str]] = {False: [], True: []}
    for group, varies in zip(groups, varying, strict=True):
        for k in range(program.all_groups[group]):
            loads[varies].append(f"{component(group, k)} = load({group}, {k}, {'i' if varies else '0'})")
    constants = numpy_engine.constants(dtype)
    lines = [
        "import math",
        "import numpy as np",
        "from limbik.engines.numba_intrinsics import load, select, store",
        f"real = np.{dtype.name}",
        *(f"{name} = real({'np.nan' if name == 'NAN' else repr(float(value))})" for name, value in constants.items()),
        "",
        "def kernel(start, stop, " + ", ".join(groups) + ", out):",
        *(f"    {one}" for one in loads[False]),
        f"    for first in range(start, stop, {BLOCK}):",
        f"        last = min(first + {BLOCK}, stop)",
        "        seen = False",
        *(f"        {one}" for one in _loop(program, answer, flags, loads[True], rare=False)),
        "        if seen:",
        *(f"            {one}" for one in _loop(program, answer, flags, loads[True], rare=True)),
    ]
    return "\n".join(lines) + "\n"


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


def _stored(text: str) -> Path | None:
    """The file that holds a kernel's text, written if need be; None where nothing can be written."""
    key = hashlib.sha256((text + version("numba") + sys.version).encode()).hexdigest()[:24]
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


def _load(text: str) -> tuple[Callable[..., Any], bool]:
    """The kernel as a Python function, and whether Numba may cache its machine code beside it."""
    path = _stored(text)
    if path is None:
        names: dict[str, Any] = {}
        exec(text, names)
        return names["kernel"], False
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # Numba's cache looks the module up by name
    spec.loader.exec_module(module)
    return module.kernel, True


Key = tuple[Program, str, tuple[bool, ...], np.dtype[Any], tuple[bool, ...]]
_kernels: dict[Key, Callable[..., Any]] = {}


def _key(
    program: Program, answer: str, flags: tuple[bool, ...], groups: Sequence[np.ndarray[Any, Any]], dtype: np.dtype[Any]
) -> Key:
    return program, answer, flags, dtype, tuple(group.shape[1] != 1 for group in groups)


def ready(
    program: Program, answer: str, flags: tuple[bool, ...], groups: Sequence[np.ndarray[Any, Any]], dtype: np.dtype[Any]
) -> bool:
    """Whether the kernel for these groups has been used before in this process."""
    return _key(program, answer, flags, groups, dtype) in _kernels


def compiled(key: Key) -> Callable[..., Any]:
    """The compiled kernel; takes start, stop, the groups and the output."""
    if key in _kernels:
        return _kernels[key]
    import numba

    kernel, cacheable = _load(kernel_text(*key))
    options = {"error_model": "numpy", "nogil": True}
    try:
        _kernels[key] = numba.njit(cache=cacheable, **options)(kernel)
    except RuntimeError:  # Numba found no place to write its cache
        _kernels[key] = numba.njit(**options)(kernel)
    return _kernels[key]


def run(
    program: Program,
    answer: str,
    flags: tuple[bool, ...],
    groups: Sequence[np.ndarray[Any, Any]],
    rows: int,
    dtype: np.dtype[Any],
) -> np.ndarray[Any, Any]:
    """An answer for many rows: (numbers, rows), from groups of shape (components, rows) or (components, 1)."""
    kernel = compiled(_key(program, answer, flags, groups, dtype))
    out = np.empty((program.answers[answer].size, rows), dtype)
    kernel(0, rows, *(np.ascontiguousarray(group) for group in groups), out)
    return out
