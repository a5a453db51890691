"""Flat ground: level, or rising evenly."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import radians, tan

import numpy as np

from limbik.arrays import Array
from limbik.terrains.headings import direction, heading, number
from limbik.terrains.parametric import Parametric

STEEPEST = 80.0  # degrees


class _Flat(Parametric):
    """Height is linear in x and z."""

    @abstractmethod
    def _rise(self) -> tuple[float, float]:
        """Metres up for each metre along x and z."""

    def _heights(self, x: Array, z: Array) -> Array:
        along_x, along_z = self._rise()
        return along_x * x + along_z * z

    def _slopes(self, x: Array, z: Array) -> tuple[Array, Array]:
        along_x, along_z = self._rise()
        return np.full(x.shape, along_x), np.full(x.shape, along_z)

    def _highest(self, ax: Array, az: Array, bx: Array, bz: Array, samples: int) -> Array:
        return np.maximum(self._heights(ax, az), self._heights(bx, bz))

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        return self._over(*np.stack([low, high], axis=-1))


@dataclass(frozen=True, repr=False)
class Plane(_Flat):
    """Level ground at height 0. Spec: `plane`."""

    kind = "plane"

    def _rise(self) -> tuple[float, float]:
        return 0.0, 0.0


@dataclass(frozen=True, repr=False)
class Slope(_Flat):
    """Ground that rises evenly and has height 0 at the origin. Spec: `slope:10`, `slope:10,heading=90`.

    degrees: how steep, from -80 to 80. heading: the direction in which it rises, degrees; 0 is +z and 90 is +x.
    """

    degrees: float
    heading: float = 0.0
    kind = "slope"

    def __post_init__(self) -> None:
        degrees = number("degrees", self.degrees, -STEEPEST, STEEPEST, "degrees")
        self._keep(degrees=degrees, heading=heading(self.heading))

    def _rise(self) -> tuple[float, float]:
        rise = tan(radians(self.degrees))
        x, z = direction(self.heading)
        return rise * x, rise * z
