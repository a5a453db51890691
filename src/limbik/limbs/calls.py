"""Calls: a limb's arguments read once, into the parts that plans take.

A *value* is an argument as it was read: a tuple of floats, an array (..., components), or a torch or JAX array of that
shape. A *part* is a value as a plan takes it: a tuple where it is the same for all rows, or an array in one of the
layouts of `limbik.engines.plans`. How the parts of a call lie in memory chooses the plans of its answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library
from limbik.engines import tensor_dispatch, threads
from limbik.engines.plans import Formula, Part, Plan, PlanOfRows, plan_one
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases
from limbik.limbs.inputs import COPIED_MAX_BYTES, FLOAT32, FLOAT64, batch_shape, number_type, read_group

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb

Values = Sequence[Any]  # tuple[float, ...] | Array | torch.Tensor | jax.Array


class Inputs:
    """The inputs of a program that calls of a limb with some flags pass, and the others, which do not change.

    Args:
        program, flags: the formula.
        names: the inputs that a call passes, in order.
        aliases: inputs that equal one of those.
        fixed: the other inputs.
        limb: the limb; None where a transform traced its lengths.
    """

    def __init__(
        self,
        program: Program,
        flags: Flags,
        names: tuple[str, ...],
        aliases: Aliases,
        fixed: Mapping[str, tuple[float, ...]],
        limb: Limb | None,
    ) -> None:
        self.made_of = program, flags, names, aliases, fixed, limb
        self.program, self.flags, self.names, self.aliases, self.fixed, self.limb = self.made_of
        self.one = Plans(self, FLOAT64, "")  # of calls for one limb
        self._plans: dict[str, Plans] = {}  # of batches, by dtype and layouts

    @cached_property
    def flags_of_frames(self) -> Flags:
        """The flags of solutions whose frame is fixed."""
        return self.flags._replace(fixed_frame=True)  # pyright: ignore[reportCallIssue, reportAttributeAccessIssue]

    def __reduce__(self) -> tuple[Any, ...]:
        if self.limb is not None and self.limb._inputs.get(self.flags) is self:
            return _inputs_of, (self.limb, self.flags)
        return Inputs, self.made_of

    def plans(self, dtype: np.dtype[Any], layouts: str, library: str = "") -> Plans:
        """The plans of batches whose parts have these layouts."""
        key = library + dtype.char + layouts
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = (PlansOnTensorMemory if library else Plans)(self, dtype, layouts)
        return found

    def by_name(self, parts: Sequence[Any]) -> dict[str, Any]:
        """All inputs of the formula by name, given those that the call passes."""
        passed = dict(zip(self.names, parts, strict=True))
        return {**self.fixed, **passed, **{alias: passed[name] for alias, name in self.aliases}}


def _inputs_of(limb: Limb, flags: Flags) -> Inputs:
    return limb._inputs[flags]


class Plans(dict[str, Plan]):
    """The plans of the answers to calls that pass their inputs alike, each made when first used.

    Args:
        inputs: which inputs there are.
        dtype: the dtype of the arrays.
        layouts: how each part lies in memory, a letter for each; "" for one limb.
    """

    library: str | None = None

    def __init__(self, inputs: Inputs, dtype: np.dtype[Any], layouts: str) -> None:
        super().__init__()
        self.inputs, self.array_dtype, self.layouts = inputs, dtype, layouts
        self.frames: dict[Any, Any] = {}  # what `frames.py` keeps for solutions that a frame changes
        self.tracks: dict[str, Any] = {}  # what `following.py` keeps for tracks, by their steps

    def __missing__(self, answer: str) -> Plan:
        self[answer] = plan = self.make(answer)
        return plan

    def __reduce__(self) -> tuple[Any, ...]:
        return _plans_of, (self.inputs, self.array_dtype, self.layouts, self.library or "")

    @property
    def dtype(self) -> Any:
        """The dtype of the answers, NumPy's or the library's."""
        return self.array_dtype

    def make(self, answer: str) -> Any:
        """The plan of an answer."""
        program, flags, names, aliases, fixed, _ = self.inputs.made_of
        formula = Formula(program, answer, flags, names, aliases, dict(fixed))
        return PlanOfRows(formula, self.layouts, self.array_dtype) if self.layouts else plan_one(formula)

    def values_of(self, parts: Sequence[Part], shape: tuple[int, ...]) -> list[Any]:
        """The parts as tuples and arrays (*shape, components)."""
        if not self.layouts:
            return list(parts)
        rows = [part if layout in "ci" else part.T for part, layout in zip(parts, self.layouts, strict=True)]
        return [one if type(one) is tuple else one.reshape(*shape, one.shape[1]) for one in rows]


def _plans_of(inputs: Inputs, dtype: np.dtype[Any], layouts: str, library: str) -> Plans:
    return inputs.plans(dtype, layouts, library) if layouts else inputs.one


class PlansOnTensorMemory(Plans):
    """Plans for tensors of torch on the CPU without gradients: of arrays that share their memory."""

    library = "torch"

    @property
    def dtype(self) -> Any:
        torch: Any = sys.modules["torch"]
        return torch.float64 if self.array_dtype is FLOAT64 else torch.float32

    def make(self, answer: str) -> Any:
        """The plan of an answer, which is a tensor."""
        torch: Any = sys.modules["torch"]
        plan: PlanOfRows = super().make(answer)
        reused: list[Array] = []  # memory that is used once and returned, call after call, costs more than the answer

        def run(parts: Sequence[Part], shape: tuple[int, ...], memory: Array | None = None) -> Any:
            with threads.at_most(torch.get_num_threads()):  # one in a worker of a DataLoader
                found = plan(parts, shape, reused.pop() if reused else None)
            contiguous = np.ascontiguousarray(found)
            if contiguous is not found and found.base is not None and found.nbytes <= COPIED_MAX_BYTES:
                reused.append(found.base)
            return torch.from_numpy(contiguous)

        def run_with_checksum(parts: Sequence[Part], shape: tuple[int, ...], memory: Any = None) -> tuple[Any, Any]:
            with threads.at_most(torch.get_num_threads()):
                found, checksum = plan.with_checksum(parts, shape)
            return torch.from_numpy(found), checksum

        run.with_checksum = run_with_checksum  # type: ignore[attr-defined]
        return run

    def values_of(self, parts: Sequence[Part], shape: tuple[int, ...]) -> list[Any]:
        """The parts as tuples and tensors (*shape, components)."""
        torch: Any = sys.modules["torch"]
        found = super().values_of(parts, shape)
        return [value if type(value) is tuple else torch.from_numpy(value) for value in found]


class TensorPlans:
    """Plans for torch and JAX arrays that their libraries have to know of: differentiated, traced, or on a GPU."""

    def __init__(self, inputs: Inputs, library: str, dtype: Any) -> None:
        self.inputs, self.library, self.dtype = inputs, library, dtype

    def __getitem__(self, answer: str) -> Callable[..., Any]:
        return partial(self._run, answer)

    def _run(self, answer: str, parts: Sequence[Any], shape: tuple[int, ...], memory: None = None) -> Any:
        program, flags = self.inputs.program, self.inputs.flags
        groups = self.inputs.by_name(parts)
        return tensor_dispatch.run(self.library, program, answer, flags, groups, shape, self.dtype)

    def values_of(self, parts: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
        """The parts as tuples and tensors (..., components)."""
        return list(parts)


class Call(NamedTuple):
    """The arguments of a call as values, and what they have in common."""

    values: list[Any]
    shape: tuple[int, ...]  # the batch's
    dtype: Any  # of the answers
    library: str | None  # "torch" or "jax" where a value is theirs


def read_call(limb: Limb, flags: Flags, vectors: Sequence[Any], options: Sequence[Any]) -> Call:
    """Reads vectors, the inputs `limb._vectors`, and takes options, which follow them, as the values that they are.

    The dtype is float32 where every array among the vectors is float32 (or float16), otherwise float64; of tensors the
    widest.

    Raises:
        ArgumentError: for vectors that are not numbers of the limb's size, or do not broadcast.
    """
    origin, width = limb._origin, limb._width
    values: list[Any] = []
    first: Array | None = None  # the first array of rows
    alike = True  # whether the others are as the first, or tuples of floats
    for name, vector in zip(limb._vectors, vectors, strict=True):
        if vector is origin:
            values.append(vector)
        elif (
            type(vector) is np.ndarray
            and vector.ndim > 1
            and vector.shape[-1] == width
            and (vector.dtype is FLOAT64 or vector.dtype is FLOAT32)
        ):
            if first is None:
                first = vector
            elif vector.shape != first.shape or vector.dtype is not first.dtype:
                alike = False
            values.append(vector)
        else:
            value = read_group(name, vector, width)
            if type(value) is not tuple or (
                type(vector) is np.ndarray and (first is None or vector.dtype is not first.dtype)
            ):
                alike = False
            values.append(value)
    values += options
    if limb._varies:
        values += limb._varying_inputs(flags)
    if first is not None and alike:
        shape, dtype = first.shape[:-1], first.dtype
        for value in values[len(vectors) :]:
            if type(value) is not tuple and (type(value) is not np.ndarray or value.shape[:-1] != shape):
                break
        else:
            return Call(values, shape, dtype, None)
    library = common_library(values)
    shape = batch_shape(dict(zip(limb._inputs[flags].names, values, strict=True)))
    return Call(values, shape, number_type(*vectors), library)


class Rows(NamedTuple):
    """Values as rows of a batch: tuples, and arrays of two axes in the layouts of plans."""

    parts: list[Any]
    layouts: str
    owned: list[bool]  # whether a part is no memory of the caller's


def rows_of_call(values: Values, shape: tuple[int, ...], dtype: np.dtype[Any], *, strided: bool = False) -> Rows:
    """The values as rows of the batch's shape and this dtype, in the caller's memory where that is so already.

    `strided` says that the layout "s" is welcome: to read large arrays in place.
    """
    parts: list[Any] = []
    layouts, owned = "", []
    for value in values:
        if type(value) is tuple:
            part, layout, own = value, "c", True
        elif value.dtype is dtype and value.ndim == 2 and value.shape[:1] == shape and value.size and value.strides[0]:
            across, along = value.strides
            part, own = value, False
            if across == value.itemsize and (along == len(value) * across or value.shape[1] == 1):
                part, layout = value.T, "r"
            elif strided and not value.flags.c_contiguous:
                part, layout = value.T, "s"
            else:
                layout = "i"
        elif value.dtype is dtype and value.ndim > 2 and value.shape[:-1] == shape and value.flags.c_contiguous:
            part, layout, own = value.reshape(-1, value.shape[-1]), "i", False
        else:
            part, layout, own = _spread(value, shape, dtype)
        parts.append(part)
        layouts += layout
        owned.append(own)
    return Rows(parts, layouts, owned)


def _spread(value: Array, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Any, str, bool]:
    """A part for an array (..., components) that broadcasts: also its layout, and whether it is no caller's memory."""
    size = value.shape[-1]
    alike = value.size and not any(
        step for step, count in zip(value.strides, value.shape[:-1], strict=False) if count > 1
    )
    if alike and (value.shape[:-1] != shape or value.size > size):  # one row for all
        return tuple(value[(0,) * (value.ndim - 1)].astype(dtype).tolist()), "c", True
    whole = np.broadcast_to(value, (*shape, size))
    flat = np.asarray(whole, dtype).reshape(-1, size) if prod(shape) else np.empty((0, size), dtype)
    if not flat.flags.c_contiguous:
        flat = np.ascontiguousarray(flat)
    own = not np.may_share_memory(flat, value)
    return (flat.T, "r", own) if size == 1 else (flat, "i", own)


def copied(rows: Rows, memory: Sequence[Any] = ()) -> list[Any]:
    """The parts with memory of their own: new, or the parts of an earlier call with the same layouts and shape."""
    parts = []
    for k, (part, own) in enumerate(zip(rows.parts, rows.owned, strict=True)):
        if own:
            parts.append(part)
        elif memory:
            np.copyto(memory[k], part)
            parts.append(memory[k])
        else:
            parts.append(part.copy())
    return parts


def owned_tensors(call: Call) -> list[Any]:
    """Copies of the tensors and arrays among a call's values, each once."""
    copies: dict[int, Any] = {}
    for value in call.values:
        if type(value) is not tuple and id(value) not in copies:  # torch.compile takes no id of a tuple
            library = None if type(value) is np.ndarray else call.library
            copies[id(value)] = HANDLERS[library].copy(value) if library else value.copy()
    return [value if type(value) is tuple else copies[id(value)] for value in call.values]


def in_tensor_memory(call: Call) -> list[Any] | None:
    """The values as arrays in the memory of torch's tensors, all on the CPU without gradients; else None."""
    from limbik.engines import torch_kernels

    tensors = [value for value in call.values if type(value) is not tuple]
    if not torch_kernels.eager() or not torch_kernels.suit(tensors, call.dtype):
        return None
    arrays = torch_kernels.shared_arrays(tensors, None)
    if arrays is None:
        return None
    found = iter(arrays)
    return [value if type(value) is tuple else next(found) for value in call.values]


def cuda_versions(call: Call) -> tuple[tuple[Any, int], ...]:
    """The tensors and their versions, if they lie on a GPU and count their changes: they need not be copied."""
    torch: Any = sys.modules["torch"]
    if call.library != "torch" or torch.compiler.is_compiling():
        return ()
    tensors = [value for value in call.values if type(value) is not tuple]
    for value in tensors:
        if not isinstance(value, torch.Tensor) or not value.is_cuda or value.is_inference():
            return ()
    return tuple([(value, value._version) for value in tensors])


def array_dtype(dtype: Any) -> np.dtype[Any]:
    """NumPy's dtype for torch's float64 or float32."""
    return FLOAT64 if str(dtype).endswith("64") else FLOAT32
