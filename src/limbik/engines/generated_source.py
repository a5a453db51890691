"""Functions made from generated text, with a name and a source that tracebacks and debuggers can show."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any


def indented(lines: Sequence[str], depth: int = 1) -> list[str]:
    """Lines of a block."""
    return ["    " * depth + line for line in lines]


def define(name: str, lines: Sequence[str], scope: Mapping[str, Any]) -> Callable[..., Any]:
    """The function `name` that the lines define, in a scope of its own; `linecache` keeps its source."""
    text = "\n".join(lines) + "\n"
    places = (f"<limbik {name}{f' {number}' if number > 1 else ''}>" for number in count(1))
    place = next(place for place in places if place not in linecache.cache)
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    names = dict(scope)
    exec(compile(text, place, "exec", dont_inherit=True), names)  # annotations stay what the text says
    return names[name]
