"""Flat ground: level, or a uniform slope."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians, tan

import numpy as np

from limbik.arguments import number
from limbik.arrays import Array
from limbik.terrains.base import Parametric, direction, heading

MAX_SLOPE = 80.0  # degrees


class _Flat(Parametric):
    """Height is linear in x and z."""

    def _rise(self) -> tuple[float, float]:
        """Slopes along x and z, metres per metre."""
        return 0.0, 0.0

    def _heights(self, x: Array, z: Array) -> Array:
        along_x, along_z = self._rise()
        return along_x * x + along_z * z

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        along_x, along_z = self._rise()
        return np.full(x.shape, along_x), np.full(x.shape, along_z)

    def _highest(self, ax: Array, az: Array, bx: Array, bz: Array, samples: int) -> Array:
        return np.maximum(self._heights(ax, az), self._heights(bx, bz))

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        return self._grid_mesh(*np.stack([low, high], axis=-1))


@dataclass(frozen=True, eq=False, repr=False)
class Plane(_Flat):
    """Level ground at height 0. Spec: `plane`."""

    kind = "plane"


@dataclass(frozen=True, eq=False, repr=False)
class Slope(_Flat):
    """A uniform slope with height 0 at the origin. Spec: `slope:10`, `slope:10,heading=90`.

    Attributes:
        degrees: inclination, from -80 to 80 degrees.
        heading_degrees: direction in which it rises, `heading` in a spec; 0 is +z and 90 is +x.
    """

    degrees: float
    heading_degrees: float = field(default=0.0, metadata={"option": "heading"})
    kind = "slope"

    def __post_init__(self) -> None:
        degrees = number("degrees", self.degrees, -MAX_SLOPE, MAX_SLOPE)
        self._set_fields(degrees=degrees, heading_degrees=heading(self.heading_degrees))

    def _rise(self) -> tuple[float, float]:
        rise = tan(radians(self.degrees))
        x, z = direction(self.heading_degrees)
        return rise * x, rise * z
