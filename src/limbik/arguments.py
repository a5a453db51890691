"""Argument checks: every public function validates plain arguments here, so that one rule has one message.

Each check returns the value in the form the caller works with and raises an ArgumentError that names the argument,
what was passed, and what is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from limbik.arrays import Array, as_array
from limbik.errors import ArgumentError, ChoiceError, ShapeError, shown

T = TypeVar("T")


def number(
    name: str, value: object, low: float = -inf, high: float = inf, unit: str = "", *, above: bool = False
) -> float:
    """A finite number in [low, high]; with `above`, strictly greater than `low`. `unit` is for the message only."""
    found = _as_float(value)
    if not (isfinite(found) and low <= found <= high and not (above and found == low)):
        raise ArgumentError(name, shown(value), _interval("number", low, high, unit, above))
    return found


def positive(name: str, value: object, unit: str = "") -> float:
    """A finite number greater than 0."""
    return number(name, value, 0.0, inf, unit, above=True)


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """An integer in [low, high], Python's or NumPy's; a float is accepted where it is integral."""
    found, exact = _as_float(value), cast(Any, value)
    # The bounds are compared as integers: float64 cannot tell large ones apart.
    if not (isfinite(found) and found.is_integer() and low <= int(exact) and (high is None or int(exact) <= high)):
        raise ArgumentError(name, shown(value), _interval("whole number", low, inf if high is None else high))
    return int(exact)


def flag(name: str, value: object) -> bool:
    """True or False, Python's or NumPy's."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(name, shown(value), "True or False")
    return bool(value)


def choice(name: str, value: object, choices: Iterable[str]) -> str:
    """One of the given words; the error suggests the closest one."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise ChoiceError(name, value, known)
    return value


def text(name: str, value: object, shortest: int = 1, longest: int = 100) -> str:
    """A str of printable characters with a length in [shortest, longest]."""
    if not (isinstance(value, str) and shortest <= len(value) <= longest and value.isprintable()):
        raise ArgumentError(name, shown(value), f"a text of {shortest} to {longest} printable characters")
    return value


def vector(name: str, value: object, size: int) -> Array:
    """A float64 array (size,) of finite numbers."""
    found = numbers(name, value)
    if found.shape != (size,):
        raise ShapeError(name, found.shape, f"({size},)")
    return found


def reals(name: str, value: object) -> Array:
    """A float64 array of any shape; NaN and infinity pass, and masked numbers are NaN."""
    try:
        found = as_array(value)
        if found.dtype.kind in "iuf":
            return found.astype(float, copy=False)
    except (ValueError, TypeError, OverflowError):
        pass
    raise ArgumentError(name, shown(value), "real numbers")


def numbers(name: str, value: object) -> Array:
    """A float64 array of any shape, all finite."""
    found = reals(name, value)
    if not np.all(np.isfinite(found)):
        where = np.argwhere(~np.isfinite(found))[0]
        raise ArgumentError(name, f"{found[tuple(where)]} at index {tuple(where.tolist())}", "finite numbers")
    return found


def broadcast(name: str, value: object, shape: tuple[int, ...], note: str = "") -> Array:
    """A float64 array broadcast to a shape, read-only; NaN and infinity pass. `note` is added to the message."""
    found = reals(name, value)
    try:
        return found.view() if found.shape == shape else np.broadcast_to(found, shape)
    except ValueError:
        raise ShapeError(name, found.shape, f"{shape}, or what broadcasts to it{note}") from None


def instance(name: str, value: object, kind: type[T], wanted: str) -> T:
    """A value of the given class; `wanted` describes it, such as "a Clip, as limbik.load returns it"."""
    if not isinstance(value, kind):
        raise ArgumentError(name, shown(value), wanted)
    return value


def file_path(name: str, value: object) -> Path:
    """A path from a str or os.PathLike."""
    if not isinstance(value, str | os.PathLike) or isinstance(value, bytes):
        raise ArgumentError(name, shown(value), "a path, str or os.PathLike")
    if "\0" in str(value) or not str(value):
        raise ArgumentError(name, repr(value), "a path without null characters, not empty")
    return Path(value)


def _as_float(value: Any) -> float:
    # float("3") and float(True) would succeed; neither is meant as a number.
    if isinstance(value, str | bytes | bool | np.bool_):
        return nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def _interval(what: str, low: float, high: float, unit: str = "", above: bool = False) -> str:
    noun = f"{what} of {unit}" if unit else what
    if low > -inf and high < inf:
        return f"a {noun} " + (f"greater than {low:g} and at most {high:g}" if above else f"from {low:g} to {high:g}")
    if low > -inf:
        return f"a {noun} greater than {low:g}" if above else f"a {noun}, {low:g} or more"
    return f"a {noun}, {high:g} or less" if high < inf else f"a finite {noun}"
