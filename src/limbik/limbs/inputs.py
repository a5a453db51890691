"""From what a caller passes to the groups of components that engines take.

A group is a tuple of floats (one limb), a NumPy array (..., components), or a torch or JAX array of that shape. All
groups of one call broadcast over their leading axes; a call whose groups are all tuples is answered on plain floats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.errors import ArgumentError, LimbikError, ShapeError

Group = Any  # tuple[float, ...] | Array | torch.Tensor | jax.Array
Numbers = Any  # anything NumPy reads as numbers: floats, lists, arrays

FLOAT64 = np.dtype(np.float64)
FLOAT32 = np.dtype(np.float32)
REAL = (float, int, np.floating, np.integer)
NARROW = {FLOAT32, np.dtype(np.float16)}
PLAIN = {list, tuple, float, int, type(None)}
# What a caller knows the groups as.
ARGUMENTS = {
    "signs": "bend",
    "extension": "soften/stretch",
    "chord_range": "lengths",
    "requested_target": "target",
    "requested_up": "up",
    "requested_pole": "pole",
}
# Inputs up to this size are copied, so that a Solution keeps its answers; larger ones are kept by reference.
COPIED = 1 << 20


def floats(value: Numbers, size: int, kinds: str = "d") -> tuple[float, ...] | None:
    """One vector from a list, a tuple, or an array of float64 (or of other kinds); None for all else, good or bad."""
    kind = type(value)
    if kind is list or kind is tuple:
        if len(value) != size:
            return None
        for part in value:
            if type(part) is not float:
                return _converted(value)
        return tuple(value)
    if kind is np.ndarray and value.shape == (size,) and value.dtype.char in kinds:
        return tuple(value.tolist())
    return None


def _converted(parts: Sequence[Any]) -> tuple[float, ...] | None:
    for part in parts:
        if not isinstance(part, REAL):
            return None  # sequences of numbers, or nonsense
    return tuple(map(float, parts))


def read_group(name: str, value: Numbers, size: int) -> Group:
    """A group of `size` components: floats for a single one, else an array of float32 or float64."""
    numbers = floats(value, size, "df")
    if numbers is not None:
        return numbers
    tensor = library_of(value) is not None
    array = value if tensor else _array(name, value)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(name, tuple(array.shape), f"{size} numbers, or an array of shape (..., {size})")
    return tuple(array.tolist()) if array.ndim == 1 and not tensor else array


def read_numbers(name: str, value: Numbers) -> Group:
    """A group of one component from one number or an array of any shape."""
    if isinstance(value, int | float):
        return (float(value),)
    if library_of(value):
        return value[..., None]
    array = _array(name, value)
    return (float(array),) if array.ndim == 0 else array[..., None]


def _array(name: str, value: Any) -> Array:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise ArgumentError(name, f"something that is no array ({error})", "numbers of one shape") from None
    if array.dtype in (FLOAT64, FLOAT32):
        return array
    if array.dtype.kind in "iu" or array.dtype == np.float16 or array.dtype.kind == "f":
        return array.astype(FLOAT32 if array.dtype == np.float16 else FLOAT64)
    raise ArgumentError(name, f"{array.dtype} values", "real numbers")


def positive(name: str, value: Numbers) -> float | Array:
    """A length: positive and finite, one number or an array of them; tensors are taken at their word."""
    group = read_numbers(name, value)
    if library_of(group):
        return group[..., 0]
    array = np.asarray(group)
    if not np.all((array > 0) & np.isfinite(array)):
        bad = array[~((array > 0) & np.isfinite(array))].flat[0]
        raise ArgumentError(name, bad, "a length that is positive and finite")
    return group[0] if isinstance(group, tuple) else group[..., 0]


def sign(name: str, value: Numbers) -> Group:
    """A side: +1 or −1, one or an array of them."""
    if type(value) is int and (value in (1, -1)):
        return (float(value),)
    group = read_numbers(name, value)
    if library_of(group):
        return group
    if not np.all(np.abs(np.asarray(group)) == 1.0):
        raise ArgumentError(name, value, "+1 or -1")
    return group


def stack(*parts: Group) -> Group:
    """Several groups as one, component after component."""
    if all(isinstance(part, tuple) for part in parts):
        return tuple(number for part in parts for number in part)
    if library := common_library(parts):
        return _stack_tensors(library, parts)
    arrays = [np.asarray(part) for part in parts]
    try:
        shape = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        raise ArgumentError("shapes", [a.shape[:-1] for a in arrays], "shapes that broadcast") from None
    kinds = {array.dtype for array, part in zip(arrays, parts, strict=True) if not isinstance(part, tuple)}
    joined = [np.broadcast_to(array, (*shape, array.shape[-1])) for array in arrays]
    return np.concatenate(joined, axis=-1).astype(np.result_type(*kinds), copy=False)


def _stack_tensors(library: str, parts: tuple[Group, ...]) -> Group:
    handler = HANDLERS[library]
    like = next(part for part in parts if library_of(part))
    dtype = handler.dtype(list(parts))
    working = handler.working(dtype)
    shape = np.broadcast_shapes(*(tuple(part.shape[:-1]) for part in parts if not isinstance(part, tuple)))
    numbers: list[Any] = []
    for part in parts:
        array = part if isinstance(part, tuple) else handler.convert(part, like, working)
        numbers.extend(array if isinstance(array, tuple) else (array[..., k] for k in range(array.shape[-1])))
    return handler.stack(tuple(numbers), shape, like, working, dtype)


def number_type(*values: Any) -> Any:
    """The type of the answers: float32 where every array among the caller's values is float32, else float64.

    Tensors have their library's own: the widest among them.
    """
    kinds: set[Any] = set()
    others: list[Any] = []
    for value in values:
        if type(value) in PLAIN:
            continue
        if isinstance(value, np.ndarray):
            kinds.add(value.dtype)
        else:
            others.append(value)
    if others and (library := common_library(others)):
        return HANDLERS[library].dtype(others)
    return FLOAT32 if kinds and kinds <= NARROW else FLOAT64


def batch_shape(groups: Mapping[str, Group]) -> tuple[int, ...]:
    """The shape over which the groups broadcast: () for a single limb."""
    shapes = {name: tuple(group.shape[:-1]) for name, group in groups.items() if not isinstance(group, tuple)}
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        known = {ARGUMENTS.get(name, name): shape for name, shape in shapes.items() if shape}
        listed = ", ".join(f"{name} {shape}" for name, shape in known.items())
        raise ArgumentError("batch shapes", listed, "leading axes that broadcast against one another") from None


def as_rows(group: Group, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A group as (components, rows), or (components, 1) where it is the same for all rows."""
    array = np.asarray(group, dtype)
    if math.prod(array.shape[:-1]) == 1:
        return array.reshape(-1, 1)
    if array.shape[:-1] != shape:
        array = np.broadcast_to(array, (*shape, array.shape[-1]))
    return array.reshape(-1, array.shape[-1]).T


class Guard:
    """Keeps a Solution's inputs as they were: small arrays by copying, large ones by noticing that they changed.

    A Solution works its answers out when they are asked for. Copying a gigabyte to be safe from a caller who reuses the
    array would double the memory; a sample of 1,024 values tells whether it was reused.
    """

    SAMPLES = 1024

    def __init__(self, groups: dict[str, Group]) -> None:
        self._watched: dict[str, tuple[Array, bytes]] = {}
        for name, group in groups.items():
            if isinstance(group, np.ndarray):
                if group.nbytes <= COPIED:
                    groups[name] = group.copy("K")  # component-major stays so
                else:
                    self._watched[name] = group, self._sample(group)

    def _sample(self, array: Array) -> bytes:
        step = max(1, array.size // self.SAMPLES)
        return array.flat[::step].tobytes()

    def check(self) -> None:
        """Raises where a large input is no longer what it was."""
        for name, (array, sample) in self._watched.items():
            if self._sample(array) != sample:
                raise LimbikError(
                    f"{name}: the array was changed after solve(); ask for the answers before you reuse it, "
                    "or pass a copy"
                )
