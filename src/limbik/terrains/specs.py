"""A terrain from a line of text, such as "stairs:rise=0.17,run=0.3" or "ground.png:height=2,spacing=0.05"."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import MISSING
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from limbik.errors import ArgumentError
from limbik.terrains.base import Terrain
from limbik.terrains.hills import Hills
from limbik.terrains.parametric import Parametric
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.stairs import Stairs
from limbik.terrains.terrain_files import READERS, read

KINDS: dict[str, type[Parametric]] = {kind.kind: kind for kind in (Plane, Slope, Stairs, Hills)}
# A file's name ends with its suffix, and options may follow; any colon before the suffix is part of the name.
FILE = re.compile(rf"(?P<path>.+(?:{'|'.join(map(re.escape, READERS))}))(?::(?P<words>.*))?", re.IGNORECASE | re.DOTALL)


def terrain(spec: str | os.PathLike[str]) -> Terrain:
    """A terrain from its spec: a kind or a file, then a colon and options, separated by commas.

    plane                                level ground at height 0
    slope:10,heading=90                  degrees; heading: where it rises to, 0 is +z (the default) and 90 is +x
    stairs:rise=0.17,run=0.3             also start (of the first edge), steps, heading; rise below 0 goes down
    hills:height=0.3,seed=3,size=4       within ±height, about `size` from hilltop to hilltop
    ground.npy:spacing=0.1               heights in metres, rows along +z and columns along +x, about the origin
    ground.png:height=2,spacing=0.1      the same, grey of 8 or 16 bits: black is 0 and white is `height`
    ground.obj, ground.glb, ground.gltf  triangles

    All lengths are metres. What is left out has a default, but for the degrees of a slope.
    """
    text = os.fspath(spec) if isinstance(spec, str | os.PathLike) else spec
    if not isinstance(text, str):
        raise ArgumentError("terrain", repr(spec), "a text such as 'plane' or 'stairs:rise=0.17,run=0.3'")
    text = text.strip()
    file = FILE.fullmatch(text)
    if file:
        path = Path(file["path"])
        allowed = READERS[path.suffix.lower()].options
        return read(path, text, _options(path.name, file["words"], allowed))
    kind, colon, words = text.partition(":")
    if kind not in KINDS:
        known = f"{', '.join(KINDS)} or a file ({', '.join(READERS)})"
        raise ArgumentError("terrain", repr(text), known + _meant(kind, KINDS))
    options = KINDS[kind].options()
    required = [name for name, field in options.items() if field.default is MISSING]
    found = _options(kind, words if colon else None, options, required)
    for name in required:
        if name not in found:
            raise ArgumentError("terrain", repr(text), f"its {name} too, such as {kind}:10")
    return KINDS[kind](**{options[name].name: value for name, value in found.items()})


def _options(kind: str, words: str | None, known: Iterable[str], unnamed: Iterable[str] = ()) -> dict[str, Any]:
    """Options from words "name=value"; those that may go unnamed come first, in their order."""
    found: dict[str, Any] = {}
    waiting = iter(unnamed)
    for word in [] if words is None else words.split(","):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            name, value = next(waiting, ""), name
        if not (name and value):
            raise ArgumentError(f"option of {kind}", repr(word), _names(known, "=…"))
        if name not in known:
            raise ArgumentError(f"option of {kind}", repr(name), _names(known) + _meant(name, known))
        if name in found:
            raise ArgumentError(f"option of {kind}", f"{name} twice", "it once")
        found[name] = _number(f"{name} of {kind}", value)
    return found


def _number(name: str, text: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise ArgumentError(name, repr(text), "a number")


def _names(known: Iterable[str], ending: str = "") -> str:
    return ", ".join(name + ending for name in known) or "none"


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word.lower(), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
