"""The groups of components that engines take, made from a caller's arguments.

A group is a tuple of floats (one limb), a NumPy array (..., components), or a torch or JAX array of that shape. All
groups of one call broadcast over their leading axes; a call whose groups are all tuples runs on plain floats.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import HANDLERS, Array, as_array, common_library, library_of
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.array_types import AnyArrayLike

Group = Any  # tuple[float, ...] | Array | torch.Tensor | jax.Array
Groups = dict[str, Group]

FLOAT64 = np.dtype(np.float64)
FLOAT32 = np.dtype(np.float32)
REAL = (float, int, np.floating, np.integer)
NARROW = {FLOAT32, np.dtype(np.float16)}
PLAIN = {list, tuple, float, int, type(None)}
# The arguments that groups are made from, for messages.
ARGUMENTS = {
    "signs": "bend",
    "extension": "soften/stretch",
    "onset": "soften",
    **dict.fromkeys(("weights", "lows", "highs", "span"), "lengths"),
    "chord_range": "lengths",
    "requested_target": "target",
    "requested_up": "up",
    "requested_pole": "pole",
}
# Arrays up to this size are copied, so that a Solution's answers do not change with them.
COPIED_MAX_BYTES = 1 << 20


def floats(value: Any, size: int, kinds: str = "d") -> tuple[float, ...] | None:
    """One vector from a list, a tuple, or an array of float64 (or of other `kinds`); None for anything else."""
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
            return None  # nested sequences, or not numbers
    try:
        return tuple(map(float, parts))
    except OverflowError:  # an integer beyond the floats
        return None


def read_group(name: str, value: Any, size: int) -> Group:
    """A group of `size` components: floats for a single vector, otherwise an array of float32 or float64."""
    if type(value) is np.ndarray and value.ndim > 1 and value.shape[-1] == size and value.dtype in (FLOAT64, FLOAT32):
        return value
    numbers = floats(value, size, "df")
    if numbers is not None:
        return numbers
    array = read_array(name, value)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(name, tuple(array.shape), f"{size} numbers, or an array of shape (..., {size})")
    return tuple(array.tolist()) if array.ndim == 1 and isinstance(array, np.ndarray) else array


def read_numbers(name: str, value: AnyArrayLike) -> Group:
    """A group of one component from one number or an array of any shape."""
    if isinstance(value, float | int) and (one := floats((value,), 1)):
        return one
    array = read_array(name, value)
    return (float(array),) if array.ndim == 0 and isinstance(array, np.ndarray) else array[..., None]


def read_array(name: str, value: AnyArrayLike) -> Any:
    """An array of float32 or float64, or a tensor as it is; masked numbers are NaN."""
    if library_of(value):
        return value
    try:
        array = as_array(value)
    except (ValueError, TypeError, OverflowError):
        raise ArgumentError(name, shown(value), "numbers, in sequences or arrays of one shape") from None
    if array.dtype in (FLOAT64, FLOAT32):
        return array
    if array.dtype.kind in "iuf":
        return array.astype(FLOAT32 if array.dtype == np.float16 else FLOAT64)
    kind = "Booleans" if array.dtype.kind == "b" else shown(value)
    raise ArgumentError(name, kind, "real numbers")


def positive(name: str, value: AnyArrayLike) -> float | Array:
    """A length: positive and finite, one number or an array of them; the values of tensors are not checked."""
    group = read_numbers(name, value)
    if library_of(group):
        return group[..., 0]
    array = np.asarray(group)
    if not np.all((array > 0) & np.isfinite(array)):
        bad = array[~((array > 0) & np.isfinite(array))].flat[0]
        raise ArgumentError(name, bad, "a length that is positive and finite")
    return group[0] if isinstance(group, tuple) else group[..., 0]


def signs(name: str, value: AnyArrayLike, others: int = 0) -> Group:
    """A sign, +1 or −1, one or an array of them, followed by so many `others`, which are +1.

    The values of tensors are not checked.
    """
    if type(value) is int and (value in (1, -1)):
        return (float(value), *(1.0,) * others)
    group = read_numbers(name, value)
    if library_of(group):
        return stack(group, (1.0,) * others) if others else group
    array = np.asarray(group)
    if np.count_nonzero(np.abs(array) == 1.0) != array.size:
        raise ArgumentError(name, shown(value), "+1 or -1")
    if isinstance(group, tuple):
        return (*group, *(1.0,) * others)
    every = np.empty((1 + others, *array.shape[:-1]), array.dtype)  # components first, as `stack` would not leave them
    every[0], every[1:] = array[..., 0], 1.0
    return every.transpose(*range(1, every.ndim), 0)


def all_within(group: Group, low: float, high: float) -> bool:
    """Whether every number is within [low, high]; the values of tensors are not checked."""
    if library_of(group):
        return True
    if isinstance(group, tuple):
        return all(low <= number <= high for number in group)
    numbers = np.asarray(group, float)  # float64's bounds are infinite in float32
    return bool(np.all((numbers >= low) & (numbers <= high)))


def soften_onset(soften: AnyArrayLike) -> Group:
    """The fraction of a limb's length at which soft reach begins."""
    onset = read_numbers("soften", soften)
    if not all_within(onset, sys.float_info.min, 1.0):
        raise ArgumentError("soften", shown(soften), "a fraction of the length, in (0, 1]; 1 turns soft reach off")
    return onset


def stack(*parts: Group) -> Group:
    """Several groups joined into one along the components."""
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
    """The number type of the answers: float32 where every array among the arguments is float32 (or float16).

    Otherwise float64; for tensors the widest type among them.
    """
    kinds: set[Any] = set()
    others: list[Any] = []
    for value in values:
        if type(value) in PLAIN:
            continue
        if isinstance(value, np.ndarray):
            kinds.add(value.dtype if value.dtype.isnative else value.dtype.newbyteorder("="))
        else:
            others.append(value)
    if others and (library := common_library(others)):
        return HANDLERS[library].dtype(others)
    return FLOAT32 if kinds and kinds <= NARROW else FLOAT64


def batch_shape(groups: Mapping[str, Group]) -> tuple[int, ...]:
    """The shape over which the groups broadcast: () for a single limb."""
    shapes: list[tuple[int, ...]] = []
    for group in groups.values():
        if type(group) is not tuple:
            shape = tuple(group.shape[:-1])
            if shape not in shapes:
                shapes.append(shape)
    if len(shapes) < 2:
        return shapes[0] if shapes else ()
    longest = max(shapes, key=len)
    if all(longest[len(longest) - len(shape) :] == shape for shape in shapes):  # as NumPy's, in less time
        return longest
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        known = {
            ARGUMENTS.get(name, name): group.shape[:-1] for name, group in groups.items() if type(group) is not tuple
        }
        listed = ", ".join(f"{name} {tuple(shape)}" for name, shape in known.items() if shape)
        raise ArgumentError("batch shapes", listed, "leading axes that broadcast against one another") from None


def rows_of(groups: Iterable[Group], shape: tuple[int, ...], dtype: np.dtype[Any]) -> list[Array]:
    """Each group as (components, rows), or (components, 1) where it is the same for all rows."""
    rows = []
    count = prod(shape)
    for group in groups:
        array = np.asarray(group, dtype)
        size = array.shape[-1]
        if array.size == size:
            rows.append(array.reshape(-1, 1))
            continue
        if array.size != count * size:  # otherwise it lacks axes of length 1 at most
            array = np.broadcast_to(array, (*shape, size))
        rows.append(array.reshape(-1, size).T)
    return rows


def with_batch(group: Any, shape: tuple[int, ...]) -> Any:
    """A view of an array (..., components) that has the batch's shape."""
    library = library_of(group)
    broadcast = HANDLERS[library].broadcast if library else np.broadcast_to
    return broadcast(group, (*shape, group.shape[-1]))
