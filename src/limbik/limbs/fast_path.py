"""The fast path: one limb and default options, the most frequent call, in as few steps as Python can take.

It runs the same trace of the same formula as the general path. What does not change from call to call is kept with the
limb.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limbik.arrays import Array
from limbik.engines import scalar_engine
from limbik.engines.programs import Flags
from limbik.limbs.inputs import FLOAT64, Groups
from limbik.limbs.pytrees import register_pytrees
from limbik.limbs.solution import Solution

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

    def __missing__(self, answer: str) -> Callable[..., Array]:
        limb = self.limb
        bind = scalar_engine.binder(limb._program, answer, self.flags, limb._vectors, limb._aliases)
        self[answer] = bind(self._groups)
        return self[answer]

    def __reduce__(self) -> Any:
        return getattr, (self.limb, "_fast_path")  # generated functions cannot be pickled; the limb makes them again

    def tensors(self, *vectors: Any) -> Solution[Any] | None:
        """The solution for CUDA tensors of one shape and number type; None where the general path has to do it."""
        torch: Any = sys.modules.get("torch")
        target = vectors[0]
        if torch is None or type(target) is not torch.Tensor or not target.is_cuda or torch.compiler.is_compiling():
            return None
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

    def groups(self, vectors: tuple[tuple[float, ...], ...]) -> Groups:
        """All groups, by name, as on the general path."""
        passed = dict(zip(self.limb._vectors, vectors, strict=True))
        return {**self._groups, **passed, **{alias: passed[name] for alias, name in self.limb._aliases}}


class ScalarSolution(Solution[Array]):
    """The solution of one limb with default options."""

    _shape = ()
    _dtype = FLOAT64
    _library = None

    def __init__(self, fast_path: FastPath, *vectors: tuple[float, ...]) -> None:
        self._program = fast_path.limb._program
        self._answers = {}
        self._fast_path = fast_path
        self._vectors = vectors

    @property
    def _flags(self) -> Flags:  # type: ignore[override]
        return self._fast_path.flags

    @property
    def _limb(self) -> Limb:  # type: ignore[override]
        return self._fast_path.limb

    @property
    def _groups(self) -> Groups:
        return self._fast_path.groups(self._vectors)

    def _answer(self, name: str) -> Array:
        answers = self._answers
        answer = answers.get(name)
        if answer is None:
            answer = answers[name] = self._fast_path[name](*self._vectors)
        return answer
