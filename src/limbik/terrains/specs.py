"""A terrain from a line of text, such as "stairs:rise=0.17,run=0.3", or from any argument that describes one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, did_you_mean
from limbik.terrains.base import Parametric, Terrain
from limbik.terrains.function_terrain import Adapted, Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.hills import Hills
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.stairs import Stairs
from limbik.terrains.terrain_files import READERS, read

KINDS: dict[str, type[Parametric]] = {kind.kind: kind for kind in (Plane, Slope, Stairs, Hills)}
# A file name ends with its suffix, and options may follow; a colon before the suffix is part of the name.
FILE = re.compile(rf"(?P<path>.+(?:{'|'.join(map(re.escape, READERS))}))(?::(?P<words>.*))?", re.IGNORECASE | re.DOTALL)


def terrain(spec: str | os.PathLike[str]) -> Terrain:
    """Returns a terrain from its spec.

    A spec is a kind or a file, then a colon and options separated by commas. Lengths are metres, angles degrees. All
    options have defaults, except the inclination of a slope.

        plane                                level ground at height 0
        slope:10,heading=90                  inclination; heading of the rise, 0 is +z (the default) and 90 is +x
        stairs:rise=0.17,run=0.3             also start (of the first edge), steps, heading; a negative rise goes down
        hills:height=0.3,seed=3,size=4       within ±height, about `size` between hilltops
        ground.npy:spacing=0.1               heights in metres, rows along +z and columns along +x, about the origin
        ground.png:height=2,spacing=0.1      the same from a greyscale image: black is 0 and white is `height`
        ground.obj, ground.glb, ground.gltf  triangles

    Args:
        spec: the text, or a path.

    Returns:
        The terrain.

    Raises:
        ArgumentError: The spec is not valid.
        FileError: The file cannot be read.
        MissingExtraError: The format needs a package that is not installed.
    """
    text = os.fspath(spec) if isinstance(spec, str | os.PathLike) else spec
    if not isinstance(text, str):
        raise ArgumentError("terrain", shown(spec), "a text such as 'plane' or 'stairs:rise=0.17,run=0.3'")
    text = text.strip()
    file = FILE.fullmatch(text)
    if file:
        path = Path(file["path"])
        return read(path, text, _options(path.name, file["words"], READERS[path.suffix.lower()][1]))
    kind, colon, words = text.partition(":")
    if kind not in KINDS:
        known = f"{', '.join(KINDS)} or a file ({', '.join(READERS)})"
        raise ArgumentError("terrain", shown(text), known + did_you_mean(kind, KINDS))
    options = KINDS[kind].options()
    required = [name for name, field in options.items() if field.default is MISSING]
    found = _options(kind, words if colon else None, options, required)
    for name in required:
        if name not in found:
            raise ArgumentError("terrain", shown(text), f"{name} as well, such as {kind}:10")
    return KINDS[kind](**{options[name].name: value for name, value in found.items()})


def _options(kind: str, words: str | None, known: Iterable[str], unnamed: Iterable[str] = ()) -> dict[str, Any]:
    """Options from words "name=value"; values without a name are those of `unnamed`, in order."""
    found: dict[str, Any] = {}
    waiting = iter(unnamed)
    for word in [] if words is None else words.split(","):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            name, value = next(waiting, ""), name
        if not (name and value):
            raise ArgumentError(f"option of {kind}", repr(word), _names(known, "=…"))
        if name not in known:
            raise ArgumentError(f"option of {kind}", repr(name), _names(known) + did_you_mean(name, known))
        if name in found:
            raise ArgumentError(f"option of {kind}", f"{name} twice", "each option once")
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


class TerrainProtocol(Protocol):
    """An object of another library that can be used as a terrain, with `height` and `normal` as Terrain has them."""

    def height(self, xz: Array, /) -> ArrayLike:
        """Heights (n,) at places (n, 2)."""
        ...

    def normal(self, xz: Array, /) -> ArrayLike:
        """Unit normals (n, 3) at places (n, 2)."""
        ...


TerrainLike: TypeAlias = (
    Terrain | TerrainProtocol | str | os.PathLike[str] | ArrayLike | Callable[[Array, Array], ArrayLike]
)


def as_terrain(value: TerrainLike) -> Terrain:
    """Returns a terrain.

    Args:
        value: a Terrain, which is returned unchanged; a spec such as "slope:10"; the path of a file; an array (rows,
            columns) of heights in metres, 0.1 m apart, centred at the origin; a function f(x, z) of heights; or any
            object with the methods `height(xz)` and `normal(xz)` of a Terrain.

    Returns:
        The terrain.

    Raises:
        LimbikError: The value describes no terrain.
    """
    if isinstance(value, Terrain):
        return value
    if isinstance(value, str | os.PathLike):
        return terrain(value)
    if isinstance(value, list | tuple) or hasattr(value, "__array__"):
        return Heightfield(value)  # pyright: ignore[reportArgumentType]
    if not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in ("height", "normal")):
        return Adapted(value)
    if callable(value) and not isinstance(value, type):
        return Function(value)
    wanted = "a Terrain, a spec such as 'slope:10', a path, an array of heights, or a function f(x, z)"
    raise ArgumentError("terrain", shown(value), wanted)
