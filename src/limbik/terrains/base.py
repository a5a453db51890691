"""What every terrain answers: how high the ground is, which way it faces, and what it looks like as triangles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.terrains.headings import FAR, number, whole

BEYOND = 1e9  # metres from the origin, where nobody is: such a place is taken for an overflow
MOST_VERTICES = 20_000_000  # of a mesh; more would not fit the memory of small machines
SPACING = 0.1  # metres between the vertices of a mesh, unless a terrain knows better
BLOCK = 1 << 14  # places at a time, whose numbers stay in the processor's cache


class Terrain(ABC):
    """Ground of one height at each place. The world is in metres, right-handed, +y up; places are (x, z).

    Terrains never change, can be pickled, and are equal where their content is; `key()` names the content.
    Every array argument broadcasts over its leading axes. A place that is not finite, or beyond 1e9 m, has no height:
    it gives NaN, and its neighbours are untouched.
    """

    def height(self, xz: Any) -> Array:
        """The height of the ground, (...,) in metres, at places (..., 2), which are x and z in metres."""
        x, z, known = _places(xz)
        return _known(_in_blocks(self._heights, (), x, z), known)[()]

    def normal(self, xz: Any) -> Array:
        """The unit vector, (..., 3), that stands on the ground and points up, at places (..., 2)."""
        x, z, known = _places(xz)
        return _known(_in_blocks(self._normals, (3,), x, z), known)

    def highest(self, a: Any, b: Any, samples: int = 33) -> Array:
        """The highest ground, (...,) in metres, on the straight lines from places a to places b, (..., 2) each.

        It is looked for at `samples` places along each line, ends included; planes, slopes and stairs are exact.
        """
        samples = whole("samples", samples, 2, 100_000)
        (ax, az, a_known), (bx, bz, b_known) = _places(a, "a"), _places(b, "b")
        try:
            ax, az, bx, bz, known = np.broadcast_arrays(ax, az, bx, bz, a_known & b_known)
        except ValueError:
            wanted = f"a batch that goes with that of b, {(*b_known.shape, 2)}"
            raise ShapeError("a", (*a_known.shape, 2), wanted) from None
        return _known(self._highest(ax, az, bx, bz, samples), known)[()]

    def mesh(self, low: Any, high: Any, spacing: float | None = None) -> tuple[Array, Array]:
        """The rectangle from corner low to corner high, (2,) each, as triangles.

        Returns vertices (V, 3), metres, and faces (F, 3), numbers of vertices, counter-clockwise seen from above. Faces
        that meet in a sharp edge do not share its vertices. spacing: metres from vertex to vertex at most, where the
        ground is curved; 0.1, or what suits the terrain, unless told.
        """
        low, high = _rectangle(low, high)
        if spacing is not None:
            spacing = number("spacing", spacing, 1e-3, FAR)
        return self._mesh(low, high, spacing)

    @abstractmethod
    def key(self) -> str:
        """A text that is the same for terrains of the same content, and for no others, in every process."""

    @abstractmethod
    def _heights(self, x: Array, z: Array) -> Array:
        """Heights, (n,), at finite places x (n,) and z (n,)."""

    @abstractmethod
    def _slopes(self, x: Array, z: Array) -> tuple[Array, Array]:
        """How much the ground rises a metre along x and along z, at finite places: (n,) each."""

    def _normals(self, x: Array, z: Array) -> Array:
        along_x, along_z = self._slopes(x, z)
        up = 1.0 / np.sqrt(1.0 + along_x * along_x + along_z * along_z)
        return np.stack([0.0 - along_x * up, up, 0.0 - along_z * up], axis=-1)

    def _highest(self, ax: Array, az: Array, bx: Array, bz: Array, samples: int) -> Array:
        found = np.full(ax.shape, -np.inf)
        for part in np.linspace(0.0, 1.0, samples):
            there = _in_blocks(self._heights, (), (1.0 - part) * ax + part * bx, (1.0 - part) * az + part * bz)
            np.maximum(found, there, out=found)
        return found

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        return self._over(*(_ruler(*ends, spacing or SPACING) for ends in zip(low, high, strict=True)))

    def _over(self, x: Array, z: Array) -> tuple[Array, Array]:
        """A mesh with a vertex at every x (columns,) and z (rows,)."""
        if len(x) * len(z) > MOST_VERTICES:
            wanted = f"a smaller rectangle or a wider spacing, for at most {MOST_VERTICES}"
            raise ArgumentError("mesh", f"{len(x) * len(z)} vertices", wanted)
        places = np.meshgrid(x, z)
        vertices = np.stack([places[0], _in_blocks(self._heights, (), *places), places[1]], axis=-1).reshape(-1, 3)
        numbers = np.arange(len(vertices)).reshape(len(z), len(x))
        a, b, c, d = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
        faces = np.stack([a, b, d, d, b, c], axis=-1).reshape(-1, 3)
        return vertices, faces


def _places(xz: Any, name: str = "xz") -> tuple[Array, Array, Array]:
    """Of places, x and z, zero where nobody can be, and whether one can be there."""
    try:
        places = np.asarray(xz, float)
    except (TypeError, ValueError):
        raise ArgumentError(name, type(xz).__name__, "numbers (..., 2), x and z in metres") from None
    if places.ndim == 0 or places.shape[-1] != 2:
        raise ShapeError(name, places.shape, "(..., 2), x and z in metres")
    x, z = places[..., 0], places[..., 1]
    known = (np.abs(x) <= BEYOND) & (np.abs(z) <= BEYOND)
    if not known.all():
        x, z = np.where(known, x, 0.0), np.where(known, z, 0.0)
    return x, z, known


def _in_blocks(answer: Callable[[Array, Array], Array], width: tuple[int, ...], x: Array, z: Array) -> Array:
    """What a function of places (n,) answers, (n, *width), at places of any number and shape."""
    flat_x, flat_z = x.ravel(), z.ravel()
    found = np.empty((flat_x.size, *width))
    for start in range(0, flat_x.size, BLOCK):
        block = slice(start, start + BLOCK)
        found[block] = answer(flat_x[block], flat_z[block])
    return found.reshape((*x.shape, *width))


def _known(answers: Array, known: Array) -> Array:
    """Answers (...) or (..., 3), and NaN where nobody can be."""
    if known.all():
        return answers
    return np.where(known if answers.ndim == known.ndim else known[..., None], answers, np.nan)


def _rectangle(low: Any, high: Any) -> tuple[Array, Array]:
    corners = []
    for name, corner in (("low", low), ("high", high)):
        if np.shape(corner) != (2,):
            raise ShapeError(name, np.shape(corner), "(2,), x and z in metres")
        corners.append(
            np.array([number(f"{name} {axis}", value, -FAR, FAR) for axis, value in zip("xz", corner, strict=True)])
        )
    if not np.all(corners[0] < corners[1]):
        raise ArgumentError("low, high", f"{low} and {high}", "a low that is less than high in x and in z")
    return corners[0], corners[1]


def _ruler(start: float, end: float, spacing: float) -> Array:
    """Numbers from start to end, evenly and at most `spacing` apart."""
    parts = max(1, int(np.ceil((end - start) / spacing - 1e-9)))
    return np.linspace(start, end, parts + 1)
