"""The Triton engine: one fused GPU kernel for a call, from float32 or float64 arrays (N, components) to (N, numbers).

Kernels are generated from the same traces as every other engine's. A block of rows is computed by the short trace, and
again by the full one if a row of it is a rare case, all in one launch, which a CUDA graph can capture. Tensors of torch
are launched here; jax-triton makes the same kernels part of XLA's program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import isnan, prod
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.generated_source import define, indented
from limbik.engines.gradients import GRADIENT
from limbik.engines.numba_engine import elementary_formulas
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.trace import Trace, Writer, answer_trace, component, in_order, lower, merged
from limbik.formulas.operations import Symbol

TEMPLATES = {
    "negative": "{0} * -1.0",  # Triton's -x is 0 - x, which loses the sign of a zero, and so that of a folded angle
    "sqrt": "tl.sqrt({0})",
    "absolute": "tl.abs({0})",
    "minimum": "tl.minimum({0}, {1})",
    "maximum": "tl.maximum({0}, {1})",
    "where": "tl.where({0}, {1}, {2})",
    "outside": "(({0} >= {1}) & ({0} <= {2})) == 0",
    "floor": "tl.floor({0})",
    "multiply_add": "tl.fma({0}, {1}, {2})",
    "div_rn": "tl.div_rn({0}, {1})",
}
# Divisions of the short trace, which leaves numbers near overflow and underflow to the full one. A step of Newton's
# makes the second correctly rounded.
DIVIDE = '''@triton.jit
def divide(a, b):
    text: tl.constexpr = "div.approx.ftz.f32 $0, $1, $2;"
    return tl.inline_asm_elementwise(text, "=f,f,f", [a, b], dtype=tl.float32, is_pure=True, pack=1)

@triton.jit
def divide_exactly(a, b):
    text: tl.constexpr = """{
        .reg .f32 inverse, quotient, negative, rest;
        rcp.approx.ftz.f32 inverse, $2;
        mul.rn.ftz.f32 quotient, $1, inverse;
        neg.f32 negative, quotient;
        fma.rn.f32 rest, negative, $2, $1;
        fma.rn.f32 $0, rest, inverse, quotient;
    }"""
    return tl.inline_asm_elementwise(text, "=f,f,f", [a, b], dtype=tl.float32, is_pure=True, pack=1)
'''
# How a group lies in memory: the index of component k of size; "number" is for groups that are no arrays.
LAYOUTS = {
    "rows": "j * {size} + {k}",
    "same": "j * 0 + {k}",  # the same numbers for all rows
    "one": "j * 0",  # the same number for all rows and components
}


class Tuning(NamedTuple):
    """What a kernel's speed depends on; the defaults were the fastest on an H200, or near it, for every answer."""

    block: int = 256  # rows computed together
    warps: int = 4
    registers: int | None = None  # the most that a thread may have; what the full trace needs beyond that, it spills
    exact_roots: bool = False  # in the full trace, of float32; the compiler then orders what surrounds it otherwise
    direct: int = 5  # rows of up to so many numbers are written number by number, longer ones as one run of memory


STEPS_TUNING = Tuning(block=64, warps=2)  # a thread keeps a state, a Jacobian and its normal equations


def tuning_of(answer: str, number: str) -> Tuning:
    """The fastest of those tried on an H200."""
    if number == "float32" and answer == GRADIENT:
        return Tuning(registers=128)
    return Tuning(exact_roots=answer == "angles")


class Kernel(NamedTuple):
    """What a kernel's text depends on."""

    program: Program
    answer: str
    flags: Flags
    dtype: str
    layouts: tuple[str, ...]  # of each group, a key of LAYOUTS or "number"
    sizes: tuple[int, ...]  # the arrays into which the answer's numbers go, one after the other
    tuning: Tuning = Tuning()
    fast: bool = True  # divide by DIVIDE in the short trace, which is PTX
    repeats: bool = False  # takes many steps of a track, each from the state that the one before left

    @property
    def constants(self) -> list[tuple[str, int]]:
        """Components of groups that are no arrays, (group, number), as far as the answer depends on them."""
        groups = zip(self.program.groups_of(self.answer), self.layouts, strict=True)
        sizes = self.program.all_groups
        places = [(name, k) for name, layout in groups if layout == "number" for k in range(sizes[name])]
        used = {name for rare in (False, True) for name in _names_in(self._trace(rare))}
        return [place for place in places if component(*place) in used]

    @property
    def fuses(self) -> bool:
        """Whether products and sums may be joined: in float64 they are not, for the same bits as on the CPU."""
        return self.dtype == "float32"

    def function(self) -> Any:
        """The kernel as a function of Triton's."""
        return define("kernel", self.text().splitlines(), {"__name__": __name__})

    def text(self) -> str:
        """The source. The kernel's parameters: pointers to groups, the constants, the number of rows, the outputs."""
        names = self.program.groups_of(self.answer)
        groups = [name for name, layout in zip(names, self.layouts, strict=True) if layout != "number"]
        outputs = [f"out_{k}" for k in range(len(self.sizes))]
        number = "fp32" if self.dtype == "float32" else "fp64"
        constants = [component(*place) for place in self.constants]
        count = ["steps: 'i32'"] if self.repeats else []
        typed = [*groups, *(f"{name}: '{number}'" for name in constants), "rows: 'i64'", *count, *outputs]
        arguments = ", ".join([*groups, *constants, *(["steps"] if self.repeats else []), *outputs])
        block, part = self.tuning.block, min(self.tuning.block, 32 * self.tuning.warps)
        lines = [
            "import triton",
            "import triton.language as tl",
            "",
            *([DIVIDE] if self._divides else []),
            f"@triton.jit(do_not_specialize={[*groups, *constants, 'rows', *(['steps'] if self.repeats else [])]})",
            f"def kernel({', '.join(typed)}):",
            f"    start = tl.program_id(0).to(tl.int64) * {block}",
            f"    left = tl.minimum(rows - start, {block}).to(tl.int32)",
            *indented(self._block(False, block)),
        ]
        if self._trace(False).conditions:  # one row a thread, so that the full trace needs no more registers than that
            lines += [
                "    if tl.max((seen & inside).to(tl.int32), axis=0) > 0:",
                f"        for first in range(0, {block}, {part}):",
                f"            full({arguments}, start + first, left - first)",
                "",
                "@triton.jit",
                f"def full({arguments}, start, left):",
                *indented(self._block(True, part)),
            ]
        return "\n".join(lines) + "\n"

    def _block(self, rare: bool, rows: int) -> list[str]:
        """The statements that load, compute and store the rows from `start` on, `left` of them at the most."""
        values = numpy_engine.constants(np.dtype(self.dtype)).items()
        names = [component(*place) for place in self.constants]
        return [
            *(f"{name} = {self._literal(value)}" for name, value in values),
            *(f"{name}_ = tl.full(({rows},), {name}, tl.{self.dtype})" for name in names),
            f"j = tl.arange(0, {rows})",
            "inside = j < left",
            f"zeros = tl.where(j < 0, {self._literal(1.0)}, {self._literal(0.0)})",
            *self._loads(),
            *(self._loop(rare) if self.repeats else self._steps(rare)),
            *self._stores(rows),
        ]

    def _loop(self, rare: bool) -> list[str]:
        """The statements of all steps: the state is in registers in between."""
        steps = self._steps(rare)
        state = TRACK_STEPS[self.answer].previous
        size = self.program.state_size(self.answer)
        kept = [f"{component(state, k)}_ = answer_{k}" for k in range(size)]
        noticed = bool(self._trace(rare).conditions)
        return [
            *(["noticed = j < 0"] if noticed else []),
            *(f"answer_{k} = {component(state, k)}_" for k in range(size)),
            "for _ in range(steps):",
            *indented([*steps, *kept, *(["noticed = noticed | seen"] if noticed else [])]),
            *(["seen = noticed"] if noticed else []),
        ]

    @property
    def _divides(self) -> bool:
        return self.fast and self.dtype == "float32"

    def _literal(self, number: float) -> str:
        text = "float('nan')" if isnan(number) else repr(number)
        return text if self.dtype == "float32" else f"tl.full((), {text}, tl.float64)"

    def _trace(self, rare: bool) -> Trace:
        trace = answer_trace(self.program, self.answer, self.flags, rare)
        formulas = elementary_formulas(np.dtype(self.dtype))
        if self.dtype == "float32":
            exact = "divide_exactly" if self._divides and not rare else "div_rn"
            formulas["exact_quotient"] = lambda quotient: Symbol(exact, *quotient.inputs)
        return lower(trace, rare, formulas)

    def _loads(self) -> list[str]:
        lines = []
        for name, layout in zip(self.program.groups_of(self.answer), self.layouts, strict=True):
            size = self.program.all_groups[name]
            for k in range(size if layout != "number" else 0):
                first = f"{name} + start * {size}" if layout == "rows" else name
                place = LAYOUTS[layout].format(k=k, size=size)
                options = "mask=inside, other=1.0, eviction_policy='evict_last'"
                lines.append(f"{component(name, k)}_ = tl.load({first} + {place}, {options})")
        return lines

    def _steps(self, rare: bool) -> list[str]:
        trace = self._trace(rare)
        bits = {"signbit": f"{{0}}.to(tl.int{self.dtype[5:]}, bitcast=True) < 0"}
        exact = {"sqrt": "tl.sqrt_rn({0})"} if self.dtype == "float32" and self.tuning.exact_roots else {}
        quick = {"/": "divide({0}, {1})"} if self._divides else {}
        writer = Writer(
            {**TEMPLATES, **bits, **(exact if rare else quick)},
            self._literal,
            lambda name: name if name.isupper() else f"{name}_",
        )
        outputs = [writer.write(output) for output in trace.outputs]
        conditions = [writer.write(condition) for condition in merged(trace.conditions)]
        named = [f"answer_{k} = {output} + zeros" for k, output in enumerate(outputs)]  # of constants too, a block
        seen = [f"seen = {' | '.join(conditions)}"] if conditions else []
        return [*writer.lines(*outputs, *conditions), *named, *seen]

    def _stores(self, rows: int) -> list[str]:
        lines: list[str] = []
        first = 0
        for number, size in enumerate(self.sizes):
            names = [f"answer_{first + k}" for k in range(size)]
            lines += self._store(f"out_{number} + start * {size}", names, rows)
            first += size
        return lines

    def _store(self, place: str, names: list[str], rows: int) -> list[str]:
        size = len(names)
        if size <= self.tuning.direct:
            return [f"tl.store({place} + j * {size} + {k}, {name}, mask=inside)" for k, name in enumerate(names)]
        width = 1 << (size - 1).bit_length()  # Triton's blocks are powers of two; the rest of the row is not written
        row = _interleaved([*names, *["zeros"] * (width - size)])
        return [
            f"place = tl.arange(0, {width * rows})",
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


class Launcher:
    """A kernel for one device, compiled when first launched."""

    def __init__(self, kernel: Kernel, device: int) -> None:
        import triton

        self._device = device
        self._block, self._warps, self._registers = kernel.tuning[:3]
        self._fuses = kernel.fuses
        self._constants = kernel.constants
        self._source = kernel.function()
        self._driver: Any = triton.runtime.driver
        self._ready: Any = None

    def __call__(
        self, tensors: Sequence[Any], groups: Mapping[str, Any], sizes: Sequence[int], outputs: Sequence[Any]
    ) -> None:
        """Launches the kernel; after the first time without Triton's own checks, which take longer than the launch.

        `sizes` are the number of rows and, of a kernel that repeats, of steps.
        """
        rows = sizes[0]
        constants = [groups[name][k] for name, k in self._constants]
        blocks = -(-rows // self._block)
        ready = self._ready
        if ready is None:
            options: dict[str, Any] = {"num_warps": self._warps, "enable_fp_fusion": self._fuses}
            if self._registers:
                options["maxnreg"] = self._registers
            self._ready = self._source[(blocks,)](*tensors, *constants, *sizes, *outputs, **options)
            return
        pointers = [tensor.data_ptr() for tensor in tensors]
        written = [tensor.data_ptr() for tensor in outputs]
        stream = self._driver.active.get_current_stream(self._device)
        how = stream, ready.function, ready.packed_metadata, None, None, None  # no metadata and hooks of a profiler
        ready.run(blocks, 1, 1, *how, *pointers, *constants, *sizes, *written)


@cache
def available() -> bool:
    """Whether Triton is installed."""
    from importlib.util import find_spec

    return find_spec("triton") is not None


@cache
def _launcher(
    program: Program,
    answer: str,
    flags: Flags,
    dtype: Any,
    layouts: tuple[tuple[str, str], ...],
    sizes: tuple[int, ...],
    device: int,
    repeats: bool,
) -> Launcher:
    import torch

    number = str(dtype).removeprefix("torch.")
    known = dict(layouts)
    every = tuple(known.get(name, "number") for name in program.groups_of(answer))
    fast = device >= 0 and torch.version.hip is None
    tuning = STEPS_TUNING if repeats else tuning_of(answer, number)
    return Launcher(Kernel(program, answer, flags, number, every, sizes, tuning, fast, repeats), device)


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Mapping[str, Any],
    names: Sequence[str],
    shape: tuple[int, ...],
    outputs: Sequence[Any],
    steps: int = 0,
) -> None:
    """Writes an answer of at least one row into contiguous tensors; `names` are those of groups that are tensors.

    With `steps` it is the state after so many steps of a track.
    """
    import torch

    rows = prod(shape)
    tensors: list[Any] = []
    layouts: list[tuple[str, str]] = []
    for name in names:
        group, layout = groups[name], "rows"
        own = group.shape
        if own[:-1] != shape:
            if group.numel() == own[-1]:
                layout = "same"
            else:
                group = group.expand(*shape, own[-1])
        if not group.is_contiguous():
            if layout == "rows" and not any(group.stride()):
                layout = "one"
            else:
                group = group.contiguous()
        tensors.append(group)
        layouts.append((name, layout))
    like = tensors[0]
    device = like.get_device()  # −1 in Triton's interpreter, on the CPU
    sizes = tuple([output.numel() // rows for output in outputs])
    launch = _launcher(program, answer, flags, like.dtype, tuple(layouts), sizes, device, steps > 0)
    counts = (rows, steps) if steps else (rows,)
    if device < 0 or device == torch.cuda.current_device():
        launch(tensors, groups, counts, outputs)
    else:
        with torch.cuda.device(device):
            launch(tensors, groups, counts, outputs)


def take_steps(program: Program, step: str, flags: Flags, groups: Mapping[str, Any], state: Any, count: int) -> Any:
    """The state, a tensor (..., numbers), after so many steps of a track, by one kernel."""
    shape = tuple(state.shape[:-1])
    if count == 0 or 0 in shape:
        return state
    given = {**groups, TRACK_STEPS[step].previous: state.contiguous()}
    names = [name for name in program.groups_of(step) if type(given[name]) is not tuple]
    after = state.new_empty(state.shape)
    run(program, step, flags, given, names, shape, [after], count)
    return after
