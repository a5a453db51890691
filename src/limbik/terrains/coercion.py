"""A terrain from any argument that describes one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.terrains.base import Terrain
from limbik.terrains.function_terrain import Adapted, Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.specs import terrain


class TerrainProtocol(Protocol):
    """An object of another library that can be used as a terrain, with `height` and `normal` as Terrain has them."""

    def height(self, xz: Array, /) -> Any:
        """Heights (n,) at places (n, 2)."""

    def normal(self, xz: Array, /) -> Any:
        """Unit normals (n, 3) at places (n, 2)."""


TerrainLike: TypeAlias = Terrain | TerrainProtocol | str | os.PathLike[str] | ArrayLike | Callable[[Array, Array], Any]


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
