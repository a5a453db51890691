"""Ground described by Python code: a function, or an object with the methods of a terrain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import broadcast, numbers, shown
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.terrains.base import Terrain

DIFFERENCE_METRES = 1e-4  # to either side for the finite differences of slopes
PROBE_PLACES = 4096  # whose heights identify a piece of code


@dataclass(frozen=True, repr=False)
class Function(Terrain):
    """Ground whose heights a function returns.

    Normals come from central differences over ±0.1 mm. Only a function that can be imported by its name can be pickled,
    and so be sent to other processes; a lambda cannot.

    Attributes:
        f: f(x, z) returns heights (n,) in metres, for arrays x and z of shape (n,), metres.
    """

    f: Callable[[Array, Array], ArrayLike]

    def __post_init__(self) -> None:
        if not callable(self.f):
            raise ArgumentError("f", shown(self.f), "a function of x and z that returns heights")

    def __repr__(self) -> str:
        return f"Function({_name(self.f)})"

    def _content_key(self) -> str:
        # Code cannot be compared: its name, and a digest of its heights at some places.
        return f"function:{_name(self.f)}:{_fingerprint(self)}"

    def _heights(self, x: Array, z: Array) -> Array:
        return _numbers(_name(self.f), self.f(x, z), x.shape)

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        along_x = self._heights(x + DIFFERENCE_METRES, z) - self._heights(x - DIFFERENCE_METRES, z)
        along_z = self._heights(x, z + DIFFERENCE_METRES) - self._heights(x, z - DIFFERENCE_METRES)
        return along_x / (2.0 * DIFFERENCE_METRES), along_z / (2.0 * DIFFERENCE_METRES)


@dataclass(frozen=True, eq=False, repr=False)
class Adapted(Terrain):
    """An object of another library with `height(xz)` and `normal(xz)`, as Terrain has them."""

    ground: Any

    def __repr__(self) -> str:
        return repr(self.ground)

    def _content_key(self) -> str:
        return f"adapted:{_name(type(self.ground))}:{_fingerprint(self)}"

    def _heights(self, x: Array, z: Array) -> Array:
        return _numbers("height", self.ground.height(np.stack([x, z], axis=-1)), x.shape)

    def _normals(self, x: Array, z: Array) -> Array:
        return _numbers("normal", self.ground.normal(np.stack([x, z], axis=-1)), (*x.shape, 3))


def _numbers(name: str, found: Any, shape: tuple[int, ...]) -> Array:
    """Values returned by foreign code, checked."""
    return broadcast(f"result of {name}", numbers(f"result of {name}", found), shape, ": a number for each place")


def _name(code: Any) -> str:
    kind = code if hasattr(code, "__qualname__") else type(code)
    return f"{kind.__module__}.{kind.__qualname__}"


def _fingerprint(terrain: Terrain) -> str:
    # An additive recurrence with the plastic ratio, which fills a square evenly: 40 m wide, centred at the origin.
    places = 40.0 * (np.outer(np.arange(PROBE_PLACES), [0.7548776662466927, 0.5698402909980532]) % 1.0) - 20.0
    return sha256(terrain.height(places).astype("<f8").tobytes()).hexdigest()
