"""Hills: smooth, unbounded ground, reproducible from its seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import pi, sqrt
from random import Random

import numpy as np

from limbik.arguments import number, whole
from limbik.arrays import Array
from limbik.terrains.base import MAX_EXTENT, MESH_SPACING, Parametric, direction

WAVES = 12
FEW = 1000  # places up to which the number of operations matters more than that of intermediate values
SPREAD = 0.3  # range of the wavelengths about `size`, as a power of two
# Gives the sum of waves a standard deviation of 0.6, so that tanh limits it to ±1 without visible flattening.
SCALE = 0.6 * sqrt(2.0 / WAVES)


@dataclass(frozen=True, eq=False, repr=False)
class Hills(Parametric):
    """Rolling hills: a sum of waves in many directions, softly limited to ±amplitude. Spec: `hills:height=0.3,seed=3`.

    Attributes:
        amplitude: height of the highest hilltops above 0, and depth of the deepest hollows, metres; `height` in a spec.
        seed: random seed, a whole number.
        size: typical distance between neighbouring hilltops, metres.
    """

    amplitude: float = field(default=0.3, metadata={"option": "height"})
    seed: int = 0
    size: float = 4.0
    kind = "hills"

    def __post_init__(self) -> None:
        self._keep(
            amplitude=number("amplitude (height in a spec)", self.amplitude, 0.0, 1e4, "metres"),
            seed=whole("seed", self.seed, 0, (1 << 63) - 1),
            size=number("size", self.size, 1e-2, MAX_EXTENT, "metres"),
        )

    def _heights(self, x: Array, z: Array) -> Array:
        if 1 < x.size <= FEW:  # all waves at once; added in the same order, so that batches of any size agree
            along_x, along_z, phase = self._columns
            angle = along_x * x
            angle += along_z * z
            angle += phase
            total = np.add.reduce(np.cos(angle, out=angle))
        else:
            total = np.zeros_like(x)
            for along_x, along_z, phase in self._waves:
                total += np.cos(along_x * x + along_z * z + phase)
        return self.amplitude * np.tanh(SCALE * total)

    def _slopes(self, x: Array, z: Array) -> tuple[Array, Array]:
        total, total_x, total_z = np.zeros((3, *x.shape))
        for along_x, along_z, phase in self._waves:
            angle = along_x * x + along_z * z + phase
            total += np.cos(angle)
            sine = np.sin(angle)
            total_x -= along_x * sine
            total_z -= along_z * sine
        steepness = self.amplitude * SCALE * (1.0 - np.tanh(SCALE * total) ** 2)
        return steepness * total_x, steepness * total_z

    @cached_property
    def _columns(self) -> Array:
        """(3, waves, 1): the same as `_waves`."""
        return np.array(self._waves).T[:, :, None]

    @cached_property
    def _waves(self) -> list[tuple[float, float, float]]:
        """Radians per metre along x and z, and the phase, of each wave.

        Uses Python's Random, which gives the same numbers in every version and on every machine.
        """
        draw = Random(self.seed).random
        waves = []
        for wave in range(WAVES):
            # Stratified directions, so that no seed makes parallel furrows.
            across, along = direction(180.0 * (wave + draw()) / WAVES)
            length = self.size * 2.0 ** (SPREAD * (2.0 * draw() - 1.0))
            turn = 2.0 * pi / length
            waves.append((turn * across, turn * along, 2.0 * pi * draw()))
        return waves

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        return super()._mesh(low, high, spacing or max(MESH_SPACING, self.size / 40.0))
