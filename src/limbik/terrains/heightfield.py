"""Heightfield: smooth ground through a grid of heights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from limbik.arguments import number, vector
from limbik.arrays import Array, as_array
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas import elementary
from limbik.terrains.base import MAX_EXTENT, Terrain

SAMPLE_SPACING = 0.1  # default distance between samples, metres
MAX_SAMPLES = 1 << 26  # about 8000 × 8000; with their slopes they take 1.6 GB
# Slopes at a sample are limited to this multiple of the slope to either neighbour, which keeps the ground between the
# heights of the four samples around (a mean of two cubics, each monotonic while its end slopes are below 3).
MAX_GRADIENT_RATIO = 1.5


@dataclass(frozen=True, eq=False, repr=False)
class Heightfield(Terrain):
    """Smooth ground through a grid of heights.

    The ground passes through every sample, its normal is continuous, and it never overshoots: level samples give level
    ground, however near a step is, and a step is one spacing wide. Beyond the grid the height is that of the nearest
    place on its border.

    Attributes:
        heights: (rows, columns) in metres; rows go along +z and columns along +x, like a map seen from above.
        spacing: distance between samples, metres.
        origin: x and z of the first sample, metres; default: the grid is centred at the origin.
        source: the spec from which it was read.
    """

    heights: Array
    spacing: float = SAMPLE_SPACING
    origin: tuple[float, float] | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        heights = _check_heights(self.heights)
        spacing = number("spacing", self.spacing, 1e-3, 1e3, "metres")
        extents = [spacing * (samples - 1) for samples in reversed(heights.shape)]
        if max(extents) > MAX_EXTENT:
            wanted = f"{MAX_EXTENT:g} m at most; is spacing right?"
            raise ArgumentError("heights", f"ground {max(extents):g} m long", wanted)
        origin = [-extent / 2.0 for extent in extents] if self.origin is None else vector("origin", self.origin, 2)
        places = zip("xz", origin, strict=True)
        checked = (number(f"origin {axis}", at, -MAX_EXTENT, MAX_EXTENT, "metres") for axis, at in places)
        self._set_fields(heights=heights, spacing=spacing, origin=tuple(checked))

    def __repr__(self) -> str:
        (rows, columns), (x, z) = self.heights.shape, self._origin
        return self.source or f"Heightfield({rows} × {columns}, spacing={self.spacing:g}, origin=({x:g}, {z:g}))"

    def __reduce__(self) -> tuple[Any, ...]:
        return Heightfield, (self.heights, self.spacing, self.origin, self.source)

    @property
    def _origin(self) -> tuple[float, float]:
        assert self.origin is not None  # since it was checked
        return self.origin

    def _content_key(self) -> str:
        placed = repr((self.heights.shape, self.spacing, self.origin)).encode()
        return "heightfield:" + sha256(placed + self.heights.astype("<f8").tobytes()).hexdigest()

    def _heights(self, x: Array, z: Array) -> Array:
        column, across, _ = self._cells(x, 0)
        row, along, _ = self._cells(z, 1)
        return self._patch(row, column, _values(across), _values(along))

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        column, across, x_inside = self._cells(x, 0)
        row, along, z_inside = self._cells(z, 1)
        along_x = self._patch(row, column, _derivatives(across), _values(along)) / self.spacing
        along_z = self._patch(row, column, _values(across), _derivatives(along)) / self.spacing
        return np.where(x_inside, along_x, 0.0), np.where(z_inside, along_z, 0.0)

    def _cells(self, at: Array, axis: int) -> tuple[Array, Array, Array]:
        """Along x (0) or z (1): cell of each place, position in it (0 to 1), and whether it is in the grid."""
        last = self.heights.shape[1 - axis] - 1
        samples = (at - self._origin[axis]) / self.spacing
        clamped = np.clip(samples, 0.0, last)
        cell = np.minimum(clamped.astype(np.int64), last - 1)
        return cell, clamped - cell, samples == clamped

    def _patch(self, row: Array, column: Array, across: Array, along: Array) -> Array:
        """The bicubic patch of each cell, from the weights (4, n) of heights and slopes at both ends, along x and z."""
        rises_x, rises_z = self._sample_gradients
        columns = self.heights.shape[1]
        total = np.zeros(row.shape)
        for z_end in (0, 1):
            for x_end in (0, 1):
                corner = (row + z_end) * columns + (column + x_end)
                total += across[x_end] * along[z_end] * self.heights.take(corner)
                total += across[2 + x_end] * along[z_end] * rises_x.take(corner)
                total += across[x_end] * along[2 + z_end] * rises_z.take(corner)
        return total

    @cached_property
    def _sample_gradients(self) -> tuple[Array, Array]:
        """Slopes at the samples along x and z, (rows, columns) each, in metres per spacing."""
        return _limited_gradients(self.heights), np.ascontiguousarray(_limited_gradients(self.heights.T).T)

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        if spacing is not None:
            return super()._mesh(low, high, spacing)
        return self._grid_mesh(*(self._samples_between(low[axis], high[axis], axis) for axis in (0, 1)))

    def _samples_between(self, low: float, high: float, axis: int) -> Array:
        """Coordinates of the samples between two ends along x (0) or z (1), and the ends themselves."""
        samples = self._origin[axis] + self.spacing * np.arange(self.heights.shape[1 - axis])
        slack = 1e-6 * self.spacing  # a sample this near to an end is the end
        inside = samples[(samples > low + slack) & (samples < high - slack)]
        return np.concatenate([[low], inside, [high]])


def _check_heights(heights: Any) -> Array:
    """A read-only copy of the heights."""
    wanted = "numbers (rows, columns), in metres"
    try:
        array = np.asarray(heights)
    except ValueError:
        raise ArgumentError("heights", "rows of different lengths", wanted) from None
    if array.dtype.kind not in "iuf":
        raise ArgumentError("heights", f"values of type {array.dtype}", wanted)
    if array.ndim != 2 or min(array.shape) < 2:
        raise ShapeError("heights", array.shape, "(rows, columns), at least two of each")
    if array.size > MAX_SAMPLES:
        raise ShapeError("heights", array.shape, f"at most {MAX_SAMPLES} samples")
    found = np.array(as_array(heights), float, order="C")
    wrong = ~(np.abs(found) <= MAX_EXTENT)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        where = f"{found[row, column]} at row {row}, column {column}"
        raise ArgumentError("heights", where, f"finite heights within ±{MAX_EXTENT:g} m")
    found.flags.writeable = False
    return found


def _limited_gradients(heights: Array) -> Array:
    """Slopes at samples along the last axis: the mean of those to both neighbours, limited so as not to overshoot."""
    rises = np.diff(heights, axis=-1)
    before = np.concatenate([rises[:, :1], rises], axis=-1)
    after = np.concatenate([rises, rises[:, -1:]], axis=-1)
    most = MAX_GRADIENT_RATIO * np.minimum(np.abs(before), np.abs(after))
    mean = 0.5 * (before + after)
    return np.where(before * after > 0.0, np.clip(mean, -most, most), 0.0)


def _values(part: Array) -> Array:
    """Hermite basis functions (4, n) at positions in a cell: of the heights at either end, then of the slopes."""
    rest = 1.0 - part
    smooth: Any = elementary.smoothstep(part)  # pyright: ignore[reportArgumentType]
    return np.stack([1.0 - smooth, smooth, part * rest * rest, -rest * part * part])


def _derivatives(part: Array) -> Array:
    """Their derivatives (4, n), per cell."""
    rest = 1.0 - part
    fast = 6.0 * part * rest
    return np.stack([-fast, fast, rest * (1.0 - 3.0 * part), part * (3.0 * part - 2.0)])
