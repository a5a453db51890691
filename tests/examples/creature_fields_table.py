"""The reference of creature fields in docs/walking.md, row by row, from the dataclasses.

`python -m tests.examples.creature_fields_table` prints it.
"""

import inspect
import re
from dataclasses import MISSING, fields

from limbik.bodies.look import Look
from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk
from limbik.gait.creature_fields import Bounds, field_types

# Tables of a file, and what belongs to the file rather than to the dataclass.
TABLES = {"top level": Creature, "[body]": Trunk, "[[legs]]": Leg, "[gaits.NAME]": Gait, "[[parts]]": Appendage}
TABLES["[look]"] = Look
SUBTABLES = ("body", "legs", "gaits", "parts", "look")


def rows(kind):
    """The rows of one dataclass: field, meaning, unit, range and default."""
    described = re.findall(r"^ *(\w+): (.*(?:\n {8,}.*)*)", inspect.getdoc(kind).partition("Attributes:")[2], re.M)
    meaning = {name: re.sub(r"\s+", " ", text).rstrip(".") for name, text in described}
    for field in fields(kind):
        if (kind is Creature and field.name in SUBTABLES) or (kind is Gait and field.name == "name"):
            continue
        hint, limits = field_types(kind)[field.name]
        yield f"| `{field.name}` | {meaning[field.name]} | {_range(hint, limits)} | {_default(kind, field)} |"


def _range(hint, limits):
    if isinstance(limits, str):
        return f'"{limits}"'
    if not isinstance(limits, Bounds):
        return ", ".join(f'"{word}"' for word in limits)
    if hint is str:
        return "text"
    return f"{limits.low:g} to {limits.high:g} {limits.unit}".rstrip()


def _default(kind, field):
    if kind is Creature and field.name == "name":
        return "the file's name"
    return "required" if field.default is MISSING else f"{field.default!r}".replace("'", '"').removesuffix(".0")


if __name__ == "__main__":
    for title, kind in TABLES.items():
        print(f"\n### `{title}`\n| field | meaning | range | default |\n| --- | --- | --- | --- |")
        print(*rows(kind), sep="\n")
