"""Arrays of NumPy, torch and JAX: which library a value belongs to, and the operations that differ between them.

Neither torch nor JAX is imported here unless a value is theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from limbik.errors import ArgumentError

Array = np.ndarray[Any, Any]
NON_TENSOR_TYPES = (tuple, list, float, int, np.ndarray)  # never an array of torch or JAX


def library_of(value: Any) -> str | None:
    """The library of which a value is an array, "torch" or "jax"; None for anything else."""
    if isinstance(value, NON_TENSOR_TYPES):
        return None
    # A caller who has a tensor has imported its library; nobody else should wait for the import.
    modules = sys.modules
    if "torch" in modules and isinstance(value, modules["torch"].Tensor):
        return "torch"
    if "jax" in modules and isinstance(value, modules["jax"].Array):
        return "jax"
    return None


def common_library(values: Iterable[Any]) -> str | None:
    """The library, "torch" or "jax", of the arrays among the values; None where none is theirs.

    Raises:
        ArgumentError: for arrays of both libraries.
    """
    found = None
    for value in {type(value): value for value in values}.values():  # one of each type is enough
        library = library_of(value)
        if library and found and library != found:
            raise ArgumentError("arrays", "both torch and JAX", "arrays of one library in one call")
        found = library or found
    return found


def as_array(value: Any) -> Array:
    """A value as NumPy's array, in this machine's byte order; what a masked array of numbers masks is NaN."""
    if isinstance(value, np.ma.MaskedArray) and value.dtype.kind in "iuf":
        numbers = value.astype(value.dtype if value.dtype.kind == "f" else float)
        return as_array(np.ma.filled(numbers, np.nan))
    array = np.asarray(value)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def detached(value: Any) -> Any:
    """The values of a torch tensor, without gradients, in this machine's memory; anything else as it is."""
    return value.detach().cpu().numpy() if library_of(value) == "torch" else value


class TensorLibrary:
    """The operations that torch and JAX have in common; subclasses add those that differ."""

    @staticmethod
    def module() -> Any:
        """The module that has the operations."""
        raise NotImplementedError

    def working(self, dtype: Any) -> str:
        """The dtype to compute in: float64, or float32 for all narrower ones."""
        name = getattr(dtype, "__name__", str(dtype))  # dtypes of JAX are classes
        return "float64" if name.endswith("float64") else "float32"

    def pile(self, parts: Sequence[Any]) -> Any:
        """Stacks arrays of one shape on a new first axis."""
        return self.module().stack(parts)

    def join(self, parts: Sequence[Any]) -> Any:
        """Concatenates arrays along the last axis."""
        return self.module().concatenate(parts, -1)

    def cosine_and_sine(self, angle: Any) -> Any:
        """Cosine and sine of angles (..., 1), as (..., 2)."""
        return self.join([self.module().cos(angle), self.module().sin(angle)])

    def broadcast(self, value: Any, shape: tuple[int, ...]) -> Any:
        """An array broadcast to a shape."""
        return self.module().broadcast_to(value, shape)


class Torch(TensorLibrary):
    """Operations on torch tensors."""

    @staticmethod
    def module() -> Any:
        import torch

        return torch

    def dtype(self, values: Sequence[Any]) -> Any:
        """The widest dtype among the tensors."""
        import torch

        kinds = [value.dtype for value in values if isinstance(value, torch.Tensor) and value.dtype.is_floating_point]
        kind = kinds[0] if kinds else torch.get_default_dtype()
        for other in kinds[1:]:
            kind = torch.promote_types(kind, other)
        return kind

    def copy(self, value: Any) -> Any:
        """A tensor with memory of its own, gradients included."""
        return value.clone()

    def convert(self, value: Any, like: Any, working: str) -> Any:
        """Any value as a tensor on the device of `like`."""
        import torch

        if isinstance(value, np.ndarray) and not value.flags.writeable:
            value = value.copy()  # torch warns of memory that it may not write
        return torch.as_tensor(value, dtype=getattr(torch, working), device=like.device)

    def stack(self, numbers: Sequence[Any], shape: tuple[int, ...], like: Any, working: str, dtype: Any) -> Any:
        """Numbers and tensors as one tensor (*shape, numbers)."""
        import torch

        full = [
            number.expand(shape)
            if isinstance(number, torch.Tensor)
            else torch.full(shape, number, dtype=getattr(torch, working), device=like.device)
            for number in numbers
        ]
        return torch.stack(full, -1).to(dtype)

    def cast(self, value: Any, dtype: Any) -> Any:
        return value.to(dtype)

    def small_integers(self, value: Any) -> Any:
        import torch

        return value.to(torch.int8)

    def take_along(self, value: Any, index: Any) -> Any:
        """Values at an index along the first axis, whose other axes broadcast."""
        return value.take_along_dim(index, 0)

    def numpy(self, value: Any) -> Array:
        return value.detach().cpu().double().numpy()


class Jax(TensorLibrary):
    """Operations on JAX arrays."""

    @staticmethod
    def module() -> Any:
        import jax.numpy

        return jax.numpy

    def dtype(self, values: Sequence[Any]) -> Any:
        import jax.numpy as jnp

        arrays = [value for value in values if library_of(value) == "jax" and jnp.issubdtype(value.dtype, jnp.floating)]
        return jnp.result_type(*arrays) if arrays else jnp.result_type(float)

    def copy(self, value: Any) -> Any:
        """The array itself: it cannot change."""
        return value

    def convert(self, value: Any, like: Any, working: str) -> Any:
        return self.module().asarray(value, working)

    def stack(self, numbers: Sequence[Any], shape: tuple[int, ...], like: Any, working: str, dtype: Any) -> Any:
        jnp = self.module()
        return jnp.stack([jnp.broadcast_to(number, shape) for number in numbers], -1).astype(dtype)

    def cast(self, value: Any, dtype: Any) -> Any:
        return value.astype(dtype)

    def small_integers(self, value: Any) -> Any:
        return value.astype("int8")

    def take_along(self, value: Any, index: Any) -> Any:
        """Values at an index along the first axis, whose other axes broadcast."""
        return self.module().take_along_axis(value, index, 0)

    def numpy(self, value: Any) -> Array:
        return np.asarray(value, float)


HANDLERS: dict[str, Torch | Jax] = {"torch": Torch(), "jax": Jax()}
