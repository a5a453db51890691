"""A terrain from whatever people give where one is expected."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from limbik.errors import ArgumentError
from limbik.terrains.base import Terrain
from limbik.terrains.function_terrain import Adapted, Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.specs import terrain


def as_terrain(given: Any) -> Terrain:
    """A Terrain as it is, or one from what was given.

    That may be a spec, a path, an array of heights 0.1 m apart about the origin, a function f(x, z) of heights, or any
    object that has `height(xz)` and `normal(xz)` as a Terrain has them.
    """
    if isinstance(given, Terrain):
        return given
    if isinstance(given, str | os.PathLike):
        return terrain(given)
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        return Heightfield(np.asarray(given))
    if callable(getattr(given, "height", None)) and callable(getattr(given, "normal", None)):
        return Adapted(given)
    if callable(given):
        return Function(given)
    wanted = "a Terrain, a spec such as 'slope:10', a path, an array of heights, or a function f(x, z)"
    raise ArgumentError("terrain", repr(given), wanted)
