"""A creature from a TOML file. Each table is read by the fields of its dataclass, so that a misspelt key is found."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import TypeVar

from limbik.arguments import flag, shown, text
from limbik.bodies.look import Look
from limbik.errors import ArgumentError, FileError, did_you_mean
from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk
from limbik.gait.creature_fields import Bounds, field_types
from limbik.gait.gait_patterns import phases

Table = dict[str, object]
Made = TypeVar("Made", Creature, Trunk, Leg, Gait, Appendage, Look)

MIRROR, EVERY = "mirror", "every"  # keys of a [[legs]] table beside the fields of a Leg
# The presets have 3 kB and lines of 70 characters. Parsing takes time that is quadratic in the length of a line.
MAX_BYTES, MAX_LINE = 1 << 16, 1000


def read(path: Path) -> Creature:
    """Reads a creature from a .toml file; raises FileError."""
    try:
        content = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:  # integers of thousands of digits and deep nesting included
        raise FileError(path, "", f"is not valid TOML: {error}") from None
    try:
        return _creature({"name": path.stem, **content})
    except ArgumentError as error:
        raise FileError(path, "", str(error)) from None


def _text(path: Path) -> str:
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise FileError(path, "", f"has {path.stat().st_size} bytes; expected at most {MAX_BYTES}")
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileError(path, "", "does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(path, "", f"cannot be read as text ({error})") from None
    for number, line in enumerate(content.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise FileError(path, f"line {number}", f"has {len(line)} characters; expected at most {MAX_LINE}")
    return content


def _creature(content: Table) -> Creature:
    body = _made(Trunk, "body.", _table("body", content.get("body")))
    legs: list[Leg] = []
    for k, table in enumerate(_tables("legs", content)):
        legs += _legs(f"legs[{k}].", table, body.segments)
        if len(legs) > _most("legs"):  # before a short file has made thousands of them
            break
    parts = tuple(_made(Appendage, f"parts[{k}].", table) for k, table in enumerate(_tables("parts", content)))
    tables = list(_table("gaits", content.get("gaits")).items())[: _most("gaits") + 1]
    gaits = tuple(_gait(name, _table(f"gaits.{name}", table), legs) for name, table in tables)
    look = _made(Look, "look.", _table("look", content.get("look", {})))
    made = {"body": body, "legs": tuple(legs), "gaits": gaits, "parts": parts, "look": look}
    return _made(Creature, "", {**content, **made})


def _most(items: str) -> int:
    """The greatest number of legs, gaits or parts."""
    limits = field_types(Creature)[items][1]
    assert isinstance(limits, Bounds)
    return int(limits.high)


def _legs(place: str, table: Table, segments: int) -> list[Leg]:
    """The legs that one table describes: a left and a right one, or one with `mirror = false`.

    With `every = true` each segment of the body has them, and its number is appended to their names.
    """
    own = {key: value for key, value in table.items() if key not in (MIRROR, EVERY)}
    mirror, every = flag(place + MIRROR, table.get(MIRROR, True)), flag(place + EVERY, table.get(EVERY, False))
    leg = _made(Leg, place, own, (MIRROR, EVERY))
    alike = [replace(leg, name=f"{leg.name}_{k + 1}", segment=k) for k in range(segments)] if every else [leg]
    return [side for one in alike for side in (one.pair() if mirror else (one,))]


def _gait(name: str, table: Table, legs: list[Leg]) -> Gait:
    place = f"gaits.{text('gaits: name', name)}."
    pattern = table.get("phases")
    if isinstance(pattern, str):
        sides = [0 if leg.foothold[0] > 0.0 else 1 for leg in legs]
        table = {**table, "phases": phases(pattern, sides, place + "phases")}
    return _made(Gait, place, {"name": name, **table})


def _table(place: str, value: object) -> Table:
    if not isinstance(value, dict):
        raise ArgumentError(place, "nothing" if value is None else shown(value), f"a table, [{place}]")
    return value


def _tables(name: str, content: Table) -> list[Table]:
    value = content.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ArgumentError(name, shown(value), f"tables, [[{name}]]")
    return value[: _most(name) + 1]  # one too many is refused


def _made(kind: type[Made], place: str, table: Table, also: tuple[str, ...] = ()) -> Made:
    """A dataclass from a table with its fields."""
    known = {field.name: field for field in fields(kind)}
    for key in table:
        if key not in known:
            accepted = [*known, *also]
            got = f"the unknown key {shown(key)}"
            wanted = "one of " + ", ".join(accepted) + did_you_mean(key, accepted)
            raise ArgumentError(place[:-1] or "creature", got, wanted)
    for name, field in known.items():
        if name not in table and field.default is MISSING:
            raise ArgumentError(place + name, "nothing", "a value: this field has no default")
    return kind(**table)  # type: ignore[arg-type]  # each checks its fields
