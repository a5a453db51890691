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

WAVE_COUNT = 12
SMALL_BATCH_PLACES = 1000  # places up to which the number of operations matters more than that of intermediate values
WAVELENGTH_OCTAVES = 0.3  # range of the wavelengths about `size`, as a power of two
# Gives the sum of waves a standard deviation of 0.6, so that tanh limits it to ±1 without visible flattening.
HEIGHT_SCALE = 0.6 * sqrt(2.0 / WAVE_COUNT)


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
        self._set_fields(
            amplitude=number("amplitude (height in a spec)", self.amplitude, 0.0, 1e4, "metres"),
            seed=whole("seed", self.seed, 0, (1 << 63) - 1),
            size=number("size", self.size, 1e-2, MAX_EXTENT, "metres"),
        )

    def _heights(self, x: Array, z: Array) -> Array:
        if 1 < x.size <= SMALL_BATCH_PLACES:  # all waves at once; in the same order, so that batches of any size agree
            along_x, along_z, phase = self._wave_columns
            angle = along_x * x
            angle += along_z * z
            angle += phase
            total = np.add.reduce(np.cos(angle, out=angle))
        else:
            total = np.zeros_like(x)
            for along_x, along_z, phase in self._waves:
                total += np.cos(along_x * x + along_z * z + phase)
        return self.amplitude * np.tanh(HEIGHT_SCALE * total)

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        total, total_x, total_z = np.zeros((3, *x.shape))
        for along_x, along_z, phase in self._waves:
            angle = along_x * x + along_z * z + phase
            total += np.cos(angle)
            sine = np.sin(angle)
            total_x -= along_x * sine
            total_z -= along_z * sine
        steepness = self.amplitude * HEIGHT_SCALE * (1.0 - np.tanh(HEIGHT_SCALE * total) ** 2)
        return steepness * total_x, steepness * total_z

    @cached_property
    def _wave_columns(self) -> Array:
        """`_waves` as (3, waves, 1)."""
        return np.array(self._waves).T[:, :, None]

    @cached_property
    def _waves(self) -> list[tuple[float, float, float]]:
        """Radians per metre along x and z, and the phase, of each wave.

        Uses Python's Random, which gives the same numbers in every version and on every machine.
        """
        draw = Random(self.seed).random
        waves = []
        for wave in range(WAVE_COUNT):
            # Stratified directions, so that no seed makes parallel furrows.
            across, along = direction(180.0 * (wave + draw()) / WAVE_COUNT)
            length = self.size * 2.0 ** (WAVELENGTH_OCTAVES * (2.0 * draw() - 1.0))
            turn = 2.0 * pi / length
            waves.append((turn * across, turn * along, 2.0 * pi * draw()))
        return waves

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        return super()._mesh(low, high, spacing or max(MESH_SPACING, self.size / 40.0))
