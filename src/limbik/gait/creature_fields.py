"""The types of a creature's fields: each states its unit and its bounds, which `check_fields` enforces."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Annotated, NamedTuple, get_args, get_origin, get_type_hints

from limbik.arguments import choice, instance, number, shown, text, whole
from limbik.errors import ArgumentError


class Bounds(NamedTuple):
    """The least and the greatest number; for a text its length, for a tuple of objects how many there may be."""

    low: float
    high: float
    unit: str = ""


Limits = Bounds | tuple[str, ...] | None

Name = Annotated[str, Bounds(1, 100)]
Metres = Annotated[float, Bounds(1e-4, 1e3, "metres")]
Offset = Annotated[float, Bounds(-1e3, 1e3, "metres")]
Speed = Annotated[float, Bounds(1e-3, 1e3, "m/s")]


def check_fields(item: object, place: str) -> None:
    """Checks and normalises every field of a frozen dataclass: numbers become float or int, lists tuples.

    Args:
        item: the object, whose fields are annotated with Bounds or, for a choice of words, with a tuple of them.
        place: where the object belongs, the beginning of the error messages.

    Raises:
        ArgumentError: A field has the wrong type or is out of bounds; the message names it.
    """
    for name, (kind, limits) in field_types(type(item)).items():
        object.__setattr__(item, name, _checked(place + name, getattr(item, name), kind, limits))


@cache
def field_types(kind: type) -> dict[str, tuple[type, Limits]]:
    """The type of each field of a dataclass, and its Bounds or choices; None where it has neither."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(hint)[:2] if get_origin(hint) is Annotated else (hint, None) for name, hint in hints.items()}


def _checked(name: str, value: object, kind: type, limits: Limits) -> object:
    if isinstance(limits, tuple) and not isinstance(limits, Bounds):
        return choice(name, value, limits)
    bounds = limits or Bounds(-inf, inf)
    if kind is str:
        return text(name, value, int(bounds.low), int(bounds.high))
    if kind is int:
        return whole(name, value, int(bounds.low), int(bounds.high))
    if kind is float:
        return number(name, value, *bounds)
    if get_origin(kind) is not tuple:
        return instance(name, value, kind, f"a {kind.__name__}")
    item, *others = get_args(kind)
    size = None if others == [...] else 1 + len(others)
    if not isinstance(value, list | tuple) or size not in (None, len(value)):
        raise ArgumentError(name, shown(value), f"{size or 'a list of'} {'numbers' if item is float else 'items'}")
    if item is float:
        return tuple(number(f"{name}[{k}]", part, *bounds) for k, part in enumerate(value))
    if not bounds.low <= len(value) <= bounds.high:
        raise ArgumentError(name, f"{len(value)} of them", f"{bounds.low:g} to {bounds.high:g}")
    return tuple(instance(f"{name}[{k}]", part, item, f"a {item.__name__}") for k, part in enumerate(value))
