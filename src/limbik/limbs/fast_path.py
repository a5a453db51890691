"""The fast path: one limb and default options, the most frequent call, in as few steps as Python can take.

It runs the same trace of the same formula as the general path. What does not change from call to call is kept with the
limb.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limbik.arrays import Array
from limbik.engines import scalar_engine
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases
from limbik.limbs.inputs import FLOAT64, Groups
from limbik.limbs.solution import Solution

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb


class FastPath(dict[str, Callable[..., Array]]):
    """The answers of a limb as functions of a call's vectors, each made when first read.

    Args:
        limb: the limb, whose lengths are numbers.
        program, groups, flags: those of a Solution with default options.
        vectors: the groups that each call passes.
        aliases: the groups that equal one of those.
    """

    def __init__(
        self,
        limb: Limb,
        program: Program,
        groups: Groups,
        flags: Flags,
        vectors: tuple[str, ...],
        aliases: Aliases = (),
    ) -> None:
        super().__init__()
        self.limb, self.program, self.flags = limb, program, flags
        self._groups, self._vectors, self._aliases = groups, vectors, aliases

    def __missing__(self, answer: str) -> Callable[..., Array]:
        bind = scalar_engine.binder(self.program, answer, self.flags, self._vectors, self._aliases)
        self[answer] = bind(self._groups)
        return self[answer]

    def __reduce__(self) -> Any:
        return getattr, (self.limb, "_fast_path")  # generated functions cannot be pickled; the limb makes them again

    def groups(self, vectors: tuple[tuple[float, ...], ...]) -> Groups:
        """All groups, by name, as on the general path."""
        passed = dict(zip(self._vectors, vectors, strict=True))
        return {**self._groups, **passed, **{alias: passed[name] for alias, name in self._aliases}}


class ScalarSolution(Solution[Array]):
    """The solution of one limb with default options."""

    _shape = ()
    _dtype = FLOAT64
    _library = None

    def __init__(self, fast_path: FastPath, *vectors: tuple[float, ...]) -> None:
        self._program = fast_path.program
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

    def _compute(self, name: str) -> Array:
        return self._fast_path[name](*self._vectors)


ScalarSolution.__name__ = (
    "Solution"  # in messages; a `__getattr__` with messages of its own would slow every access down
)
