"""The Triton engine: one fused GPU kernel, from float32 tensors (N, components) to (N, numbers).

For CUDA tensors without gradients; all other tensors of torch run on the torch engine. Kernels are generated from the
same traces as every other engine's. They run at the speed of memory thanks to small blocks, loads that keep their cache
lines for the neighbouring components, and stores of whole rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import prod
from typing import Any

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.generated_source import indented
from limbik.engines.kernel_cache import KernelFile
from limbik.engines.numba_engine import elementary_formulas
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Writer, answer_trace, component, lower, merged

BLOCK = 256
WARPS = 4
CHUNK = 16  # blocks that one program searches for rare cases
FLOAT32 = np.dtype(np.float32)
LOAD = "mask=i < rows, other=1.0, eviction_policy='evict_last'"
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
    "signbit": "{0}.to(tl.int32, bitcast=True) < 0",
}


def text(program: Program, answer: str, flags: Flags, varying: tuple[bool, ...]) -> str:
    """The source of two kernels: the short trace for all rows, and the full one for blocks that have a rare case.

    `varying` says for each group whether it is an array of rows. The kernels' parameters are a pointer for each such
    group, numbers for the others, then out, rows, NaN and flags.
    """
    parameters, loads = [], []
    for name, varies in zip(program.groups_of(answer), varying, strict=True):
        size = program.all_groups[name]
        parts = [component(name, k) for k in range(size)]
        parameters += [name] if varies else parts
        for k, part in enumerate(parts):
            loads.append(
                f"{part}_ = tl.load({name} + i * {size} + {k}, {LOAD})" if varies else f"{part}_ = {part} + zeros"
            )
    signature = f"{', '.join(parameters)}, out, rows, NAN, flags"
    constants = numpy_engine.constants(FLOAT32).items()
    names = [f"{name} = {value!r}" for name, value in constants if name != "NAN"]
    stores = _stores(program.answers[answer].size)
    short, full = (_steps(program, answer, flags, rare) for rare in (False, True))
    place = [
        f"start = block.to(tl.int64) * {BLOCK}",
        f"i = start + tl.arange(0, {BLOCK})",
        "zeros = tl.where(i < 0, 1.0, 0.0)",  # not tl.zeros: that has a layout of its own, slow to join with others
    ]
    lines = [
        "import triton",
        "import triton.language as tl",
        "",
        "@triton.jit",
        f"def kernel({signature}):",
        *indented([*names, "block = tl.program_id(0)", *place, *loads, *short, *stores]),
        "    tl.store(flags + block + i * 0, 1, mask=seen & (i < rows))",
        "",
        "@triton.jit",
        f"def rare({signature}):",
        *indented([*names, f"first = tl.program_id(0) * {CHUNK}"]),
        f"    number = first + tl.arange(0, {CHUNK})",
        f"    blocks = tl.cdiv(rows, {BLOCK})",
        "    marked = tl.load(flags + number, mask=number < blocks, other=0)",
        "    if tl.max(marked, axis=0) > 0:",
        f"        for step in range({CHUNK}):",
        "            block = first + step",
        "            if tl.load(flags + block, mask=block < blocks, other=0) > 0:",
        *indented([*place, *loads, *full, *stores], 4),
    ]
    return "\n".join(lines) + "\n"


def _steps(program: Program, answer: str, flags: Flags, rare: bool) -> list[str]:
    trace = lower(answer_trace(program, answer, flags, rare), rare, elementary_formulas(FLOAT32))
    writer = Writer(TEMPLATES, name=lambda name: name if name.isupper() else f"{name}_")
    outputs = [writer.write(output) for output in trace.outputs]
    conditions = [writer.write(condition) for condition in merged(trace.conditions)]
    named = [f"answer_{k} = {output} + zeros" for k, output in enumerate(outputs)]
    seen = [] if rare else [f"seen = {' | '.join(conditions) or 'i < 0'}"]
    return [*writer.lines(*outputs, *conditions), *named, *seen]


def _stores(size: int) -> list[str]:
    """Statements that write whole rows as one run of memory; short rows, which stay in the cache, number by number."""
    if size <= 5:
        return [f"tl.store(out + i * {size} + {k}, answer_{k}, mask=i < rows)" for k in range(size)]
    width = 1 << (size - 1).bit_length()  # Triton's blocks are powers of two; the rest of the row is not written
    row = _interleaved([f"answer_{k}" if k < size else "zeros" for k in range(width)])
    return [
        f"j = tl.arange(0, {width * BLOCK})",
        f"row = start + j // {width}",
        f"column = j % {width}",
        f"tl.store(out + row * {size} + column, {row}, mask=(row < rows) & (column < {size}))",
    ]


def _interleaved(names: list[str]) -> str:
    """An expression that interleaves the named blocks into one."""
    if len(names) == 1:
        return names[0]
    return f"tl.interleave({_interleaved(names[::2])}, {_interleaved(names[1::2])})"


@cache
def compiled(program: Program, answer: str, flags: Flags, varying: tuple[bool, ...]) -> Any:
    """A module with both kernels, ready to be launched."""
    import triton

    return KernelFile(text(program, answer, flags, varying), triton.__version__).module


@cache
def available() -> bool:
    """Whether Triton is installed."""
    from importlib.util import find_spec

    return find_spec("triton") is not None


def suits(groups: Mapping[str, Any], names: tuple[str, ...], shape: tuple[int, ...], dtype: Any) -> bool:
    """Whether a call can run here: float32 CUDA tensors, nothing to differentiate, nothing being traced."""
    import torch

    if torch.compiler.is_compiling() or dtype != torch.float32 or not available():
        return False
    tensors = [groups[name] for name in names if not isinstance(groups[name], tuple)]
    plain = all(type(one) is torch.Tensor and one.is_cuda and one.dtype == torch.float32 for one in tensors)
    differentiated = torch.is_grad_enabled() and any(getattr(one, "requires_grad", False) for one in tensors)
    functorch: Any = torch._C._functorch  # pyright: ignore[reportAttributeAccessIssue]
    wrapped = any(functorch.is_functorch_wrapped_tensor(one) for one in tensors if type(one) is torch.Tensor)
    return plain and prod(shape) > 0 and not differentiated and not wrapped


def run(program: Program, answer: str, flags: Flags, groups: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    """An answer, (*shape, numbers), for groups that are tensors (..., components) or tuples of floats."""
    import torch

    names = program.groups_of(answer)
    rows = prod(shape)
    arguments: list[Any] = []
    varying = []
    like: Any = None
    for name in names:
        group = groups[name]
        varies = not isinstance(group, tuple)
        varying.append(varies)
        if varies:
            flat = group.expand(*shape, group.shape[-1]).reshape(rows, group.shape[-1]).contiguous()
            like = flat
            arguments.append(flat)
        else:
            arguments.extend(group)
    out = torch.empty((*shape, program.answers[answer].size), dtype=torch.float32, device=like.device)
    blocks = -(-rows // BLOCK)
    marks = torch.zeros(blocks, dtype=torch.int32, device=like.device)
    arguments += [out, rows, float("nan"), marks]
    made = compiled(program, answer, flags, tuple(varying))
    made.kernel[(blocks,)](*arguments, num_warps=WARPS)
    made.rare[(-(-blocks // CHUNK),)](*arguments, num_warps=WARPS)
    return out
