"""A creature from a TOML file. Every table is read by the fields of its dataclass, so that a typo is found and told."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from limbik.errors import ArgumentError, FileError
from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk
from limbik.gait.gait_patterns import phases

MIRROR, EVERY = "mirror", "every"  # what a table of legs has beside a Leg's own fields


def read(path: Path) -> Creature:
    """A creature from a .toml file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileError(path, "", "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(path, "", f"cannot be read as text ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise FileError(path, "", f"is no TOML: {error}") from None
    try:
        return _creature({"name": path.stem, **content})
    except ArgumentError as error:
        raise FileError(path, "", str(error)) from None


def _creature(content: dict[str, Any]) -> Creature:
    body = _made(Trunk, "body.", _table("body", content.get("body")))
    legs = tuple(
        leg for k, table in enumerate(_tables("legs", content)) for leg in _legs(f"legs[{k}]: ", table, body.segments)
    )
    parts = tuple(_made(Appendage, f"parts[{k}]: ", table) for k, table in enumerate(_tables("parts", content)))
    gaits = _table("gaits", content.get("gaits"))
    walks = tuple(_gait(name, _table(f"gaits.{name}", table), legs) for name, table in gaits.items())
    given = {**content, "body": body, "legs": legs, "gaits": walks, "parts": parts}
    return _made(Creature, "", given)


def _legs(place: str, table: dict[str, Any], segments: int) -> list[Leg]:
    """The legs that one table stands for: a left and a right one unless `mirror = false`.

    With `every = true` each segment of the body has them, and its number is part of their names.
    """
    own = {key: value for key, value in table.items() if key not in (MIRROR, EVERY)}
    for key in (MIRROR, EVERY):
        if not isinstance(table.get(key, False), bool):
            raise ArgumentError(place + key, repr(table[key]), "true or false")
    leg = _made(Leg, place, own, (MIRROR, EVERY))
    alike = [leg]
    if table.get(EVERY, False):
        alike = [replace(leg, name=f"{leg.name}_{k + 1}", segment=k) for k in range(segments)]
    return [side for one in alike for side in (one.pair() if table.get(MIRROR, True) else (one,))]


def _gait(name: str, table: dict[str, Any], legs: tuple[Leg, ...]) -> Gait:
    place = f"gaits.{name}."
    pattern = table.get("phases")
    if isinstance(pattern, str):
        sides = [0 if leg.foothold[0] > 0.0 else 1 for leg in legs]
        table = {**table, "phases": phases(pattern, sides, place + "phases")}
    return _made(Gait, place, {"name": name, **table})


def _table(place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ArgumentError(place, "nothing" if value is None else repr(value), f"a table, [{place}]")
    return value


def _tables(name: str, content: dict[str, Any]) -> list[dict[str, Any]]:
    value = content.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ArgumentError(name, repr(value), f"tables, [[{name}]]")
    return value


def _made(kind: type, place: str, table: dict[str, Any], also: tuple[str, ...] = ()) -> Any:
    """A dataclass from a table with its fields; lists become tuples."""
    known = {field.name: field for field in fields(kind)}
    for key in table:
        if key not in known:
            near = get_close_matches(key, [*known, *also], n=1)
            wanted = f"{near[0]!r}" if near else "one of " + ", ".join([*known, *also])
            raise ArgumentError(place + key, "a key that means nothing", wanted)
    for name, field in known.items():
        if name not in table and field.default is MISSING:
            raise ArgumentError(place + name, "nothing", _meaning(kind, name))
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})


def _meaning(kind: type, name: str) -> str:
    return f"a value; a {kind.__name__.lower()} has no {name} unless told"
