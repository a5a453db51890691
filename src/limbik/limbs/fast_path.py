"""One limb, its options left alone: the call that is made most often, in as few steps as Python can take.

The answers are those of the general way, by the same line of the same formula. What does not change from call to call
is kept with the limb.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limbik.arrays import Array
from limbik.engines import scalar_engine
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Aliases
from limbik.limbs.inputs import FLOAT64, Group
from limbik.limbs.solution import Solution


class FastPath(dict[str, Callable[..., Array]]):
    """The answers of a limb as functions of the vectors of a call, each made when first asked for.

    Args:
        program, groups, flags: as those of any Solution with the usual options.
        vectors: the groups that every call gives.
        same: the groups that are copies of those.
    """

    def __init__(
        self,
        program: Program,
        groups: dict[str, Group],
        flags: Flags,
        vectors: tuple[str, ...],
        same: Aliases = (),
    ) -> None:
        super().__init__()
        self.program, self.flags = program, flags
        self._groups, self._vectors, self._same = groups, vectors, same

    def __missing__(self, answer: str) -> Callable[..., Array]:
        bind = scalar_engine.binder(self.program, answer, self.flags, self._vectors, self._same)
        self[answer] = bind(self._groups)
        return self[answer]

    def __reduce__(self) -> Any:
        # Functions written at run time cannot be pickled; they are made again.
        return FastPath, (self.program, self._groups, self.flags, self._vectors, self._same)

    def groups(self, vectors: tuple[Group, ...]) -> dict[str, Group]:
        """All groups, by name, as the general way has them."""
        given = dict(zip(self._vectors, vectors, strict=True))
        return {**self._groups, **given, **{copy: given[name] for copy, name in self._same}}


class ScalarSolution(Solution):
    """The solution of one limb whose options are left alone."""

    _shape = ()
    _dtype = FLOAT64
    _guard = None
    _library = None

    def __init__(self, usual: FastPath, *vectors: tuple[float, ...]) -> None:
        self._program = usual.program
        self._flags = usual.flags
        self._answers = {}
        self._fast_path = usual
        self._vectors = vectors

    @property
    def _groups(self) -> dict[str, Group]:
        return self._fast_path.groups(self._vectors)

    def _work_out(self, name: str) -> Array:
        return self._fast_path[name](*self._vectors)
