"""The fast path: one limb or a small batch, default options: the most frequent calls, in as few steps as possible.

It runs the same trace of the same formula as the general path. What does not change from call to call is kept with the
limb.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, scalar_engine, threads
from limbik.engines.plans import Formula, Plan
from limbik.engines.programs import Flags, Program
from limbik.errors import LimbikError
from limbik.limbs.inputs import COPIED, FLOAT32, FLOAT64, Groups, floats
from limbik.limbs.pytrees import register_pytrees
from limbik.limbs.solution import Solution, SpentAnswers

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb


class FastPath(dict[str, Callable[..., Array]]):
    """The answers of a limb, whose lengths are numbers, as functions of a call's vectors, each made when first read."""

    def __init__(self, limb: Limb) -> None:
        super().__init__()
        self.limb = limb
        self._width = limb._program.groups["target"]
        zero = (0.0,) * self._width  # the vectors are those of each call
        self._groups, self.flags, _ = limb._read(*(zero for _ in limb._vectors))
        self._kinds: dict[str, dict[str, BatchKind]] = {"d": {}, "f": {}}  # by number type and memory layouts
        self._origin = limb._origin

    def __missing__(self, answer: str) -> Callable[..., Array]:
        limb = self.limb
        bind = scalar_engine.binder(limb._program, answer, self.flags, limb._vectors, limb._aliases)
        self[answer] = bind(self._groups)
        return self[answer]

    def __reduce__(self) -> Any:
        return getattr, (self.limb, "_fast_path")  # generated functions cannot be pickled; the limb makes them again

    def solution(self, out: Solution[Any] | None, *vectors: Any) -> Solution[Any] | None:
        """The solution for the vectors of a call, target first; None where the general path has to do it."""
        if type(vectors[0]) is np.ndarray and (vectors[0].ndim > 1 or vectors[0].dtype is FLOAT32):
            return self._batch(out, *vectors)
        if out is not None:
            return None
        origin, width, read = self._origin, self._width, []
        for vector in vectors:
            if vector is origin:
                read.append(origin)
                continue
            if type(vector) is list and len(vector) == width:  # as in `floats`, without the time of a call
                for part in vector:
                    if type(part) is not float:
                        break
                else:
                    read.append(tuple(vector))
                    continue
            numbers = floats(vector, width)
            if numbers is None:
                return self._tensors(vectors)
            read.append(numbers)
        return ScalarSolution(self, read)

    def _tensors(self, vectors: tuple[Any, ...]) -> Solution[Any] | None:
        """The solution for tensors of torch of one shape and number type; None where the general path has to do it."""
        torch: Any = sys.modules.get("torch")
        target = vectors[0]
        if torch is None or type(target) is not torch.Tensor or torch.compiler.is_compiling():
            return None
        if not target.is_cuda:
            return self._tensors_on_cpu(vectors) if target.is_cpu and target.ndim > 1 else None
        shape, dtype, device = target.shape, target.dtype, target.get_device()
        if shape[-1:] != (self._width,) or not (dtype is torch.float32 or dtype is torch.float64):
            return None
        versions = []
        for vector in vectors:
            if vector is not self.limb._origin:
                if type(vector) is not torch.Tensor or vector.shape != shape or vector.dtype is not dtype:
                    return None
                if vector.get_device() != device or vector.is_inference():
                    return None
                versions.append((vector, vector._version))
        solution: Solution[Any] = Solution.__new__(Solution)
        solution._program, solution._inputs, solution._flags = self.limb._program, self.groups(vectors), self.flags
        solution._dtype, solution._limb, solution._answers, solution._spare = dtype, self.limb, {}, {}
        solution._shape, solution._library, solution._versions = tuple(shape[:-1]), "torch", tuple(versions)
        register_pytrees("torch")
        return solution

    def _tensors_on_cpu(self, vectors: tuple[Any, ...]) -> Solution[Any] | None:
        """The solution for a small batch without gradients: that of the arrays whose memory the tensors share."""
        from limbik.engines.torch_kernels import shared_arrays

        if vectors[0].nbytes > COPIED:
            return None
        arrays = shared_arrays(vectors, self._origin)
        batch = self._batch(None, *arrays) if arrays else None
        if batch is None:
            return None
        register_pytrees("torch")
        return TensorBatchSolution(batch._kind_of_batch, batch._shape, batch._same, batch._arrays)

    def _batch(self, out: Solution[Any] | None, target: Array, *others: Any) -> BatchSolution | None:
        """The solution for an array of targets, (..., components); None where the general path has to do it.

        One row of float32 is a batch, too: plain floats would round otherwise.

        The other vectors are arrays of the same shape and number type, or the same for all rows.
        """
        dtype, shape = target.dtype, target.shape
        if (
            not (dtype is FLOAT64 or dtype is FLOAT32)
            or shape[-1:] != (self._width,)
            or not 0 < target.nbytes <= COPIED
        ):
            return None
        arrays, same = [target], []
        layouts = _layout(target)
        for vector in others:
            if vector is self._origin:
                same.append(vector)
                layouts += "c"
            elif type(vector) is np.ndarray and vector.shape == shape and vector.dtype is dtype:
                arrays.append(vector)
                layouts += _layout(vector)
            elif constant := floats(vector, self._width, dtype.char):
                same.append(constant)
                layouts += "c"
            else:
                return None
        kinds = self._kinds[dtype.char]
        kind = kinds.get(layouts)
        if kind is None:
            kind = kinds[layouts] = BatchKind(self, tuple(LAYOUTS[letter] for letter in layouts), dtype)
        solution = BatchSolution(kind, shape[:-1], tuple(same))
        if out is not None:
            solution._take(arrays, out)
        if solution._arrays is None:
            solution._arrays = [array.copy(order) for array, order in zip(arrays, kind.orders, strict=False)]  # type: ignore[call-overload]
        return solution

    def groups(self, vectors: tuple[Any, ...]) -> Groups:
        """All groups, by name, as on the general path."""
        passed = dict(zip(self.limb._vectors, vectors, strict=True))
        return {**self._groups, **passed, **{alias: passed[name] for alias, name in self.limb._aliases}}


class ScalarSolution(Solution[Array]):
    """The solution of one limb with default options."""

    _shape = ()
    _dtype = FLOAT64
    _library = None

    def __init__(self, fast_path: FastPath, vectors: list[tuple[float, ...]]) -> None:
        self._answers = {}
        self._fast_path = fast_path
        self._vectors = vectors

    @property
    def _program(self) -> Program:  # type: ignore[override]
        return self._fast_path.limb._program

    @property
    def _flags(self) -> Flags:  # type: ignore[override]
        return self._fast_path.flags

    @property
    def _limb(self) -> Limb:  # type: ignore[override]
        return self._fast_path.limb

    @property
    def _groups(self) -> Groups:
        return self._fast_path.groups(tuple(self._vectors))

    def _answer(self, name: str) -> Array:
        answers = self._answers
        answer = answers.get(name)
        if answer is None:
            answer = answers[name] = self._fast_path[name](*self._vectors)
        return answer


LAYOUTS = {"c": "constant", "i": "interleaved", "r": "rows"}


def _layout(array: Array) -> str:
    """How a copy of an array is to lie in memory: component-major arrays stay so."""
    return "r" if array.strides[0] == array.itemsize and array.ndim == 2 else "i"


class BatchKind(dict[str, Plan]):
    """The plans for the answers of batches of one number type and memory layout, each made when first used."""

    def __init__(self, fast_path: FastPath, layouts: tuple[str, ...], dtype: Any) -> None:
        super().__init__()
        self.fast_path = fast_path
        self.layouts = layouts
        self.dtype = dtype
        self.orders = ["F" if layout == "rows" else "C" for layout in layouts if layout != "constant"]
        self.scratch: dict[str, Array] = {}  # memory for answers that are copied, by name

    def __missing__(self, answer: str) -> Plan:
        limb = self.fast_path.limb
        groups = self.fast_path._groups
        formula = Formula(limb._program, answer, self.fast_path.flags, limb._vectors, limb._aliases, groups)
        self[answer] = Plan(formula, self.layouts, self.dtype)
        return self[answer]

    def __reduce__(self) -> Any:
        return BatchKind, (self.fast_path, self.layouts, self.dtype)

    def groups(self, arrays: list[Array], same: tuple[tuple[float, ...], ...]) -> Groups:
        """All groups of a batch, by name, as on the general path."""
        varying, constant = iter(arrays), iter(same)
        vectors = (next(constant) if layout == "constant" else next(varying) for layout in self.layouts)
        return self.fast_path.groups(tuple(vectors))


class BatchSolution(Solution[Array]):
    """The solution of a small batch of limbs with default options."""

    _library = None
    _shown = False  # whether other objects may have references to the arrays
    _arrays: list[Array] | None = None  # the inputs that vary, in memory of its own

    def __init__(
        self,
        kind: BatchKind,
        shape: tuple[int, ...],
        same: tuple[tuple[float, ...], ...],
        arrays: list[Array] | None = None,
    ) -> None:
        self._kind_of_batch = kind
        self._answers = {}
        self._spare = {}
        self._shape = shape
        self._same = same  # the inputs that are the same for all rows
        if arrays is not None:
            self._arrays = arrays

    def _take(self, arrays: list[Array], out: Solution[Any]) -> None:
        """Takes the memory of an earlier solution; that of its inputs too, for these, if nobody else sees it."""
        if type(out) is not BatchSolution or out._arrays is None:
            self._reuse(out)
            return
        if out._kind_of_batch is self._kind_of_batch and out._shape == self._shape and not out._shown:
            self._arrays, out._arrays = out._arrays, None
            for memory, array in zip(self._arrays, arrays, strict=True):
                np.copyto(memory, array)
        self._spare = {name: array.base for name, array in out._answers.items() if array.base is not None}
        out._answers = SpentAnswers()

    def _shared_inputs(self) -> Iterable[Any]:
        return ()  # they are copied

    @property
    def _program(self) -> Program:  # type: ignore[override]
        return self._kind_of_batch.fast_path.limb._program

    @property
    def _flags(self) -> Flags:  # type: ignore[override]
        return self._kind_of_batch.fast_path.flags

    @property
    def _limb(self) -> Limb:  # type: ignore[override]
        return self._kind_of_batch.fast_path.limb

    @property
    def _dtype(self) -> Any:  # type: ignore[override]
        return self._kind_of_batch.dtype

    @property
    def _inputs(self) -> Groups:  # type: ignore[override]
        if self._arrays is None:
            raise LimbikError("the memory of this solution was given to another solution by out=")
        return self._kind_of_batch.groups(self._arrays, self._same)

    @property
    def _groups(self) -> Groups:
        self._shown = True
        return self._inputs

    def _compute(self, name: str) -> Array:
        if dispatch.chosen() is not None or self._arrays is None:
            return super()._compute(name)
        plan, shape, arrays = self._kind_of_batch[name], self._shape, self._arrays
        if len(shape) == 1:
            numbers = plan.run(arrays, self._same, shape[0], self._spare.pop(name, None))
            return numbers.T if len(plan.shape) == 1 else numbers.reshape(*plan.shape, -1).transpose(2, 0, 1)
        rows = math.prod(shape)
        arrays = [array.reshape(rows, -1) for array in arrays]
        numbers = plan.run(arrays, self._same, rows, self._spare.pop(name, None))
        return numbers.T.reshape(shape + plan.shape)


class TensorBatchSolution(BatchSolution):
    """The same of tensors of torch on the CPU that require no gradients."""

    _library = "torch"

    @property
    def _dtype(self) -> Any:  # type: ignore[override]
        torch: Any = sys.modules["torch"]
        return torch.float64 if self._kind_of_batch.dtype is FLOAT64 else torch.float32

    @property
    def _inputs(self) -> Groups:  # type: ignore[override]
        torch: Any = sys.modules["torch"]
        assert self._arrays is not None
        return self._kind_of_batch.groups([torch.from_numpy(array) for array in self._arrays], self._same)

    def _compute(self, name: str) -> Any:
        if dispatch.chosen() is not None:
            return Solution._compute(self, name)
        torch: Any = sys.modules["torch"]
        # Memory that is used once and returned, call after call, costs more than the answer.
        scratch = self._kind_of_batch.scratch
        if (memory := scratch.pop(name, None)) is not None:
            self._spare[name] = memory
        with threads.at_most(torch.get_num_threads()):
            answer = super()._compute(name)
        contiguous = np.ascontiguousarray(answer)
        if contiguous is not answer and answer.base is not None:
            scratch[name] = answer.base
        return torch.from_numpy(contiguous)
