"""The Triton engine: one fused GPU kernel for a call, from float32 or float64 tensors (N, components) to (N, numbers).

Kernels are generated from the same traces as every other engine's. A block of rows is computed by the short trace, and
again by the full one if a row of it is a rare case, all in one launch, which a CUDA graph can capture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import isnan, prod
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.generated_source import indented
from limbik.engines.kernel_cache import KernelFile
from limbik.engines.numba_engine import elementary_formulas
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Trace, Writer, answer_trace, component, in_order, lower, merged

TEMPLATES = {
    "sqrt": "tl.sqrt({0})",
    "absolute": "tl.abs({0})",
    "minimum": "tl.minimum({0}, {1})",
    "maximum": "tl.maximum({0}, {1})",
    "where": "tl.where({0}, {1}, {2})",
    "outside": "(({0} >= {1}) & ({0} <= {2})) == 0",
    "exp": "tl.exp({0})",
    "floor": "tl.floor({0})",
    "multiply_add": "tl.fma({0}, {1}, {2})",
}
# How a group lies in memory: the index of component k of size; `number` is for groups that are no tensors.
LAYOUTS = {
    "rows": "j * {size} + {k}",
    "same": "j * 0 + {k}",  # the same numbers for all rows
    "one": "j * 0",  # the same number for all rows and components
}


class Tuning(NamedTuple):
    """What a kernel's speed depends on."""

    block: int = 256  # rows computed together
    warps: int = 4
    direct: int = 5  # rows of up to so many numbers are written number by number, longer ones as one run of memory


class Kernel(NamedTuple):
    """What a kernel's text depends on."""

    program: Program
    answer: str
    flags: Flags
    dtype: str
    layouts: tuple[str, ...]  # of each group, a key of LAYOUTS or "number"
    sizes: tuple[int, ...]  # the arrays into which the answer's numbers go, one after the other
    tuning: Tuning = Tuning()

    @property
    def constants(self) -> tuple[str, ...]:
        """The components of groups that are no tensors, as far as the answer depends on them."""
        groups = zip(self.program.groups_of(self.answer), self.layouts, strict=True)
        sizes = self.program.all_groups
        names = [component(name, k) for name, layout in groups if layout == "number" for k in range(sizes[name])]
        used = {name for rare in (False, True) for name in _names_in(self._trace(rare))}
        return tuple(name for name in names if name in used)

    def text(self) -> str:
        """The source. The kernel's parameters: pointers to groups and outputs, the constants, the number of rows."""
        names = self.program.groups_of(self.answer)
        groups = [name for name, layout in zip(names, self.layouts, strict=True) if layout != "number"]
        outputs = [f"out_{k}" for k in range(len(self.sizes))]
        number = "fp32" if self.dtype == "float32" else "fp64"
        constants = self.constants
        typed = [*groups, *outputs, *(f"{name}: '{number}'" for name in constants), "rows: 'i64'"]
        arguments = ", ".join([*groups, *outputs, *constants, "start", "left"])
        conditions = self._trace(False).conditions
        lines = [
            "import triton",
            "import triton.language as tl",
            "",
            "@triton.jit",
            f"def full({arguments}):",
            *indented(self._block(True) if conditions else ["pass"]),
            "",
            f"@triton.jit(do_not_specialize={[*groups, *constants, 'rows']})",
            f"def kernel({', '.join(typed)}):",
            f"    start = tl.program_id(0).to(tl.int64) * {self.tuning.block}",
            f"    left = tl.minimum(rows - start, {self.tuning.block}).to(tl.int32)",
            *(f"    {name} = tl.full(({self.tuning.block},), {name}, tl.{self.dtype})" for name in constants),
            *indented(self._block(False)),
        ]
        if conditions:
            lines += ["    if tl.max((seen & inside).to(tl.int32), axis=0) > 0:", f"        full({arguments})"]
        return "\n".join(lines) + "\n"

    def _block(self, rare: bool) -> list[str]:
        """The statements that load, compute and store `left` rows from `start` on."""
        values = numpy_engine.constants(np.dtype(self.dtype)).items()
        return [
            *(f"{name} = {self._literal(value)}" for name, value in values),
            f"j = tl.arange(0, {self.tuning.block})",
            "inside = j < left",
            f"zeros = tl.where(j < 0, {self._literal(1.0)}, {self._literal(0.0)})",
            *self._loads(),
            *self._steps(rare),
            *self._stores(),
        ]

    def _literal(self, number: float) -> str:
        text = "float('nan')" if isnan(number) else repr(number)
        return text if self.dtype == "float32" else f"tl.full((), {text}, tl.float64)"

    def _trace(self, rare: bool) -> Trace:
        trace = answer_trace(self.program, self.answer, self.flags, rare)
        return lower(trace, rare, elementary_formulas(np.dtype(self.dtype)))

    def _loads(self) -> list[str]:
        lines = []
        for name, layout in zip(self.program.groups_of(self.answer), self.layouts, strict=True):
            size = self.program.all_groups[name]
            for k in range(size if layout != "number" else 0):
                first = f"{name} + start * {size}" if layout == "rows" else name
                place = LAYOUTS[layout].format(k=k, size=size)
                options = "mask=inside, other=1.0, eviction_policy='evict_last'"
                lines.append(f"{component(name, k)} = tl.load({first} + {place}, {options})")
        return lines

    def _steps(self, rare: bool) -> list[str]:
        trace = self._trace(rare)
        bits = {"signbit": f"{{0}}.to(tl.int{self.dtype[5:]}, bitcast=True) < 0"}
        writer = Writer({**TEMPLATES, **bits}, self._literal)
        outputs = [writer.write(output) for output in trace.outputs]
        conditions = [writer.write(condition) for condition in merged(trace.conditions)]
        named = [f"answer_{k} = {output} + zeros" for k, output in enumerate(outputs)]  # of constants too, a block
        seen = [f"seen = {' | '.join(conditions)}"] if conditions else []
        return [*writer.lines(*outputs, *conditions), *named, *seen]

    def _stores(self) -> list[str]:
        lines: list[str] = []
        first = 0
        for number, size in enumerate(self.sizes):
            lines += self._store(f"out_{number} + start * {size}", [f"answer_{first + k}" for k in range(size)])
            first += size
        return lines

    def _store(self, place: str, names: list[str]) -> list[str]:
        size = len(names)
        if size <= self.tuning.direct:
            return [f"tl.store({place} + j * {size} + {k}, {name}, mask=inside)" for k, name in enumerate(names)]
        width = 1 << (size - 1).bit_length()  # Triton's blocks are powers of two; the rest of the row is not written
        row = _interleaved([*names, *["zeros"] * (width - size)])
        return [
            f"place = tl.arange(0, {width * self.tuning.block})",
            f"row = place // {width}",
            f"column = place % {width}",
            f"tl.store({place} + row * {size} + column, {row}, mask=(row < left) & (column < {size}))",
        ]


def _names_in(trace: Trace) -> set[str]:
    steps: dict[int, Any] = {}
    for root in (*trace.outputs, *trace.conditions):
        for step in in_order(root, steps):
            steps[id(step)] = step
    return {str(step.inputs[0]) for step in steps.values() if step.operation == "name"}


def _interleaved(names: list[str]) -> str:
    """An expression that interleaves the named blocks into one."""
    if len(names) == 1:
        return names[0]
    return f"tl.interleave({_interleaved(names[::2])}, {_interleaved(names[1::2])})"


@cache
def _compiled(kernel: Kernel) -> tuple[Any, tuple[int, ...]]:
    """The kernel, ready to be launched, and which of the numbers of all groups that are no tensors it takes."""
    import triton

    groups = zip(kernel.program.groups_of(kernel.answer), kernel.layouts, strict=True)
    sizes = kernel.program.all_groups
    names = [component(name, k) for name, layout in groups if layout == "number" for k in range(sizes[name])]
    taken = tuple(names.index(name) for name in kernel.constants)
    return KernelFile(kernel.text(), triton.__version__).module.kernel, taken


@cache
def available() -> bool:
    """Whether Triton is installed."""
    from importlib.util import find_spec

    return find_spec("triton") is not None


_ready: dict[tuple[Kernel, int | None], Any] = {}  # by kernel and device: Triton's compiled kernel


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Mapping[str, Any],
    shape: tuple[int, ...],
    sizes: Sequence[int],
) -> list[Any]:
    """An answer as arrays (*shape, size), for groups that are tensors (..., components) or tuples of floats."""
    import torch

    rows = prod(shape)
    tensors: list[Any] = []
    layouts: list[str] = []
    numbers: list[float] = []
    for name in program.groups_of(answer):
        group = groups[name]
        if type(group) is tuple:
            numbers.extend(group)
            layouts.append("number")
            continue
        size = group.shape[-1]
        if rows > 1 and group.numel() == size:
            layouts.append("same")
        elif rows > 1 and group.numel() and not any(group.stride()):
            layouts.append("one")
        else:
            if group.shape[:-1] != shape:
                group = group.expand(*shape, size)
            layouts.append("rows")
        tensors.append(group if layouts[-1] == "one" else group.contiguous())
    like = tensors[0]
    outputs = [torch.empty((*shape, size), dtype=like.dtype, device=like.device) for size in sizes]
    if not rows:
        return outputs
    kernel = Kernel(program, answer, flags, str(like.dtype)[6:], tuple(layouts), tuple(sizes))
    made, taken = _compiled(kernel)
    arguments = [*tensors, *outputs, *[numbers[k] for k in taken], rows]
    grid = (-(-rows // kernel.tuning.block), 1, 1)
    device = like.device.index  # None in Triton's interpreter, on the CPU
    if device is None or device == torch.cuda.current_device():
        _launch(kernel, made, device, grid, arguments)
    else:
        with torch.cuda.device(device):
            _launch(kernel, made, device, grid, arguments)
    return outputs


def _launch(kernel: Kernel, made: Any, device: int | None, grid: tuple[int, int, int], arguments: list[Any]) -> None:
    """Launches a kernel; after the first time without Triton's own checks, which take longer than the launch."""
    ready = _ready.get((kernel, device))
    if ready is None:
        _ready[kernel, device] = made[grid](*arguments, num_warps=kernel.tuning.warps)
    else:
        ready[grid](*arguments)
