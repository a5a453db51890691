"""Arrays of NumPy, torch and JAX: which library a value belongs to, and the few operations that differ between them.

Neither torch nor JAX is imported here unless a value is theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from limbik.errors import ArgumentError

Array = np.ndarray[Any, Any]


class TorchTensor(Protocol):
    """What a type checker knows a torch.Tensor by, where torch may not be installed."""

    requires_grad: bool

    def __array__(self, dtype: Any = ...) -> Any: ...


class JaxArray(Protocol):
    """What a type checker knows a jax.Array by, where JAX may not be installed."""

    @property
    def weak_type(self) -> bool: ...  # noqa: D102


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    ArrayType = TypeVar("ArrayType", bound=Array | TorchTensor | JaxArray, default=Array)
else:
    ArrayType = TypeVar("ArrayType")
# Anything that is read as an array of numbers: Python numbers, (nested) sequences of them, and arrays of any library.
# A function from `ArrayLike[ArrayType]` to `ArrayType` returns what came in; NumPy's arrays for numbers and sequences.
Row = Sequence[float] | Sequence[Array]
ArrayLike = float | Array | Row | Sequence[Row] | Sequence[Sequence[Row]] | ArrayType


def library_of(value: Any) -> str | None:
    """The library that a value is an array of, "torch" or "jax"; None for anything else."""
    if isinstance(value, tuple | list | float | int | np.ndarray):
        return None
    # Whoever holds a tensor has imported its library; nobody else should wait for it.
    for library, kind in (("torch", "Tensor"), ("jax", "Array")):
        module = sys.modules.get(library)
        if module is not None and isinstance(value, getattr(module, kind)):
            return library
    return None


def common_library(values: Iterable[Any]) -> str | None:
    """The library that the values' arrays are of; None where none is a tensor."""
    found = None
    for value in values:
        library = library_of(value)
        if library and found and library != found:
            raise ArgumentError("arrays", "both torch and JAX", "arrays of one library in one call")
        found = library or found
    return found


class Torch:
    """What a Solution does with torch tensors."""

    @staticmethod
    def dtype(values: list[Any]) -> Any:
        """The widest number type among the tensors."""
        import torch

        kinds = [value.dtype for value in values if isinstance(value, torch.Tensor) and value.dtype.is_floating_point]
        kind = kinds[0] if kinds else torch.get_default_dtype()
        for other in kinds[1:]:
            kind = torch.promote_types(kind, other)
        return kind

    @staticmethod
    def working(dtype: Any) -> str:
        """The number type to work in: narrow ones are worked out in float32."""
        return "float64" if str(dtype) == "torch.float64" else "float32"

    @staticmethod
    def convert(value: Any, like: Any, working: str) -> Any:
        """Anything as a tensor on the device of `like`."""
        import torch

        return torch.as_tensor(value, dtype=getattr(torch, working), device=like.device)

    @staticmethod
    def stack(numbers: tuple[Any, ...], shape: tuple[int, ...], like: Any, working: str, dtype: Any) -> Any:
        """Numbers as one tensor (..., numbers)."""
        import torch

        full = [
            number.expand(shape)
            if isinstance(number, torch.Tensor)
            else torch.full(shape, number, dtype=getattr(torch, working), device=like.device)
            for number in numbers
        ]
        return torch.stack(full, -1).to(dtype)

    @staticmethod
    def small_integers(value: Any) -> Any:
        """A tensor of whole numbers as int8."""
        import torch

        return value.to(torch.int8)

    @staticmethod
    def pile(parts: list[Any]) -> Any:
        """Tensors of one shape on a new first axis."""
        import torch

        return torch.stack(parts)

    @staticmethod
    def join(parts: list[Any]) -> Any:
        """Tensors one after another on the last axis."""
        import torch

        return torch.cat(parts, -1)

    @staticmethod
    def cosine_and_sine(angle: Any) -> Any:
        """Cosine and sine of angles (..., 1), as (..., 2)."""
        import torch

        return torch.cat([torch.cos(angle), torch.sin(angle)], -1)

    @staticmethod
    def broadcast(value: Any, shape: tuple[int, ...]) -> Any:
        """A tensor expanded to a shape."""
        return value.expand(shape)

    @staticmethod
    def numpy(value: Any) -> Any:
        """A tensor as a NumPy array, for showing."""
        return value.detach().cpu().double().numpy()


class Jax:
    """What a Solution does with JAX arrays."""

    @staticmethod
    def dtype(values: list[Any]) -> Any:
        """The widest number type among the arrays."""
        import jax.numpy as jnp

        arrays = [value for value in values if library_of(value) == "jax" and jnp.issubdtype(value.dtype, jnp.floating)]
        return jnp.result_type(*arrays) if arrays else jnp.result_type(float)

    @staticmethod
    def working(dtype: Any) -> str:
        """The number type to work in: narrow ones are worked out in float32."""
        return "float64" if str(dtype) == "float64" else "float32"

    @staticmethod
    def convert(value: Any, like: Any, working: str) -> Any:
        """Anything as a JAX array."""
        import jax.numpy as jnp

        return jnp.asarray(value, working)

    @staticmethod
    def stack(numbers: tuple[Any, ...], shape: tuple[int, ...], like: Any, working: str, dtype: Any) -> Any:
        """Numbers as one array (..., numbers)."""
        import jax.numpy as jnp

        return jnp.stack([jnp.broadcast_to(number, shape) for number in numbers], -1).astype(dtype)

    @staticmethod
    def small_integers(value: Any) -> Any:
        """An array of whole numbers as int8."""
        return value.astype("int8")

    @staticmethod
    def pile(parts: list[Any]) -> Any:
        """Arrays of one shape on a new first axis."""
        import jax.numpy as jnp

        return jnp.stack(parts)

    @staticmethod
    def join(parts: list[Any]) -> Any:
        """Arrays one after another on the last axis."""
        import jax.numpy as jnp

        return jnp.concatenate(parts, -1)

    @staticmethod
    def cosine_and_sine(angle: Any) -> Any:
        """Cosine and sine of angles (..., 1), as (..., 2)."""
        import jax.numpy as jnp

        return jnp.concatenate([jnp.cos(angle), jnp.sin(angle)], -1)

    @staticmethod
    def broadcast(value: Any, shape: tuple[int, ...]) -> Any:
        """An array expanded to a shape."""
        import jax.numpy as jnp

        return jnp.broadcast_to(value, shape)

    @staticmethod
    def numpy(value: Any) -> Any:
        """A JAX array as a NumPy array, for showing."""
        return np.asarray(value, float)


HANDLERS: dict[str, type[Torch] | type[Jax]] = {"torch": Torch, "jax": Jax}
