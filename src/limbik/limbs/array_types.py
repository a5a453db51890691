"""Types of arguments and answers, so that type checkers know what comes out for NumPy, torch and JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from limbik.arrays import Array

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from limbik.limbs.solution import Solution


class TorchTensor(Protocol):
    """What a type checker recognises a torch.Tensor by, also where torch is not installed."""

    requires_grad: bool

    def __array__(self, dtype: Any = ...) -> Any: ...


class JaxArray(Protocol):
    """What a type checker recognises a jax.Array by, also where JAX is not installed."""

    @property
    def weak_type(self) -> bool: ...


if TYPE_CHECKING:
    ArrayType = TypeVar("ArrayType", bound=Array | TorchTensor | JaxArray, default=Array)

    class answer:  # noqa: N801
        """A property of a Solution, of the solution's array type."""

        def __init__(self, function: Callable[[Any], Any]) -> None: ...

        @overload
        def __get__(self, solution: Solution[Array], owner: Any = None) -> Array: ...
        @overload
        def __get__(self, solution: Solution[ArrayType], owner: Any = None) -> ArrayType: ...
        def __get__(self, solution: Any, owner: Any = None) -> Any: ...
else:
    ArrayType = TypeVar("ArrayType")
    answer = property

# Anything that is read as an array: numbers, (nested) sequences of numbers, arrays of any library. A function
# from `ArrayLike[ArrayType]` to `ArrayType` returns the type that came in, and NumPy arrays for numbers and sequences.
Row = Sequence[float] | Sequence[Array]
ArrayLike = float | Array | Row | Sequence[Row] | Sequence[Sequence[Row]] | ArrayType
# Arrays of any library, where nothing is returned of their type.
AnyArrayLike = ArrayLike[Array | TorchTensor | JaxArray]
