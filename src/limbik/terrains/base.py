"""What all terrains share: height and normal in batches, and meshes; and terrains that a few parameters describe."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import cached_property
from math import cos, radians, sin
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import number, reals, vector, whole
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError

MAX_EXTENT = 1e5  # metres: the largest terrain, and the largest length that describes one
MAX_DISTANCE = 1e9  # metres from the origin: a place farther away is taken for an overflow
MAX_VERTICES = 20_000_000  # of a mesh; more would not fit the memory of small machines
MESH_SPACING = 0.1  # default distance between the vertices of a mesh, metres
SMALL_BATCH_PLACES = 1000  # up to which the number of operations matters
BLOCK_PLACES = 1 << 14  # at a time, so that intermediate arrays stay in the cache


class Terrain(ABC):
    """Ground with one height at each place (x, z). The world is in metres, right-handed, +y up.

    Terrains are immutable, can be pickled, and compare by content; `key()` identifies the content. Array arguments
    broadcast over their leading axes. A place that is not finite, or farther than 1e9 m from the origin, gives NaN; the
    other places of the batch are not affected.
    """

    def height(self, xz: ArrayLike, z: ArrayLike | None = None) -> Array:
        """Returns the height of the ground: `height(xz)`, or `height(x, z)`.

        Args:
            xz: places (..., 2), x and z in metres; with `z`, x alone, (...).
            z: (...), metres; broadcasts with x.

        Returns:
            Heights (...), metres.

        Raises:
            LimbikError: The places are no numbers, or their shapes do not fit.
        """
        x, z, known = _places(xz, z)
        if known is None and x.size <= BLOCK_PLACES:  # a few places, as a creature asks for them in each frame
            return self._heights(x.ravel(), z.ravel()).reshape(x.shape)[()]
        return _unknown_to_nan(_in_blocks(self._heights, (), x, z), known)[()]

    def normal(self, xz: ArrayLike, z: ArrayLike | None = None) -> Array:
        """Returns the unit normal of the ground, which points up: `normal(xz)`, or `normal(x, z)`.

        Args:
            xz: places (..., 2), x and z in metres; with `z`, x alone, (...).
            z: (...), metres; broadcasts with x.

        Returns:
            Unit vectors (..., 3).

        Raises:
            LimbikError: The places are no numbers, or their shapes do not fit.
        """
        x, z, known = _places(xz, z)
        return _unknown_to_nan(_in_blocks(self._normals, (3,), x, z), known)

    def highest(self, a: ArrayLike, b: ArrayLike, samples: int = 33) -> Array:
        """Returns the highest ground on straight lines; exact on planes, slopes and stairs, sampled elsewhere.

        Args:
            a: places (..., 2) where the lines start, x and z in metres.
            b: places (..., 2) where they end.
            samples: number of places along each line, its ends included.

        Returns:
            Heights (...), metres.

        Raises:
            LimbikError: An argument is not usable; the message names it.
        """
        samples = whole("samples", samples, 2, 100_000)
        (ax, az, a_known), (bx, bz, b_known) = _places(a, None, "a"), _places(b, None, "b")
        try:
            ax, az, bx, bz = np.broadcast_arrays(ax, az, bx, bz)
        except ValueError:
            wanted = f"a shape that broadcasts with that of b, {(*bx.shape, 2)}"
            raise ShapeError("a", (*ax.shape, 2), wanted) from None
        known = None
        if a_known is not None or b_known is not None:
            known = np.broadcast_to(True if a_known is None else a_known, ax.shape) & (
                True if b_known is None else b_known
            )
        return _unknown_to_nan(self._highest(ax, az, bx, bz, samples), known)[()]

    def mesh(self, low: ArrayLike, high: ArrayLike, spacing: float | None = None) -> tuple[Array, Array]:
        """Returns a rectangle of the ground as triangles.

        Args:
            low: (2,) the corner with the lowest x and z, metres.
            high: (2,) the opposite corner.
            spacing: greatest distance between vertices where the ground is curved, metres; default: 0.1, or what suits
                the terrain.

        Returns:
            Vertices (V, 3) in metres, and faces (F, 3), indices of vertices, counter-clockwise seen from above. Faces
            that meet in a sharp edge do not share vertices.

        Raises:
            LimbikError: The rectangle is empty or has too many vertices, or an argument is not usable.
        """
        corners = vector("low", low, 2), vector("high", high, 2)
        for name, corner in zip(("low", "high"), corners, strict=True):
            for axis, value in zip("xz", corner, strict=True):
                number(f"{name} {axis}", value, -MAX_EXTENT, MAX_EXTENT, "metres")
        if not np.all(corners[0] < corners[1]):
            raise ArgumentError("low, high", f"{low} and {high}", "a low that is less than high in x and in z")
        if spacing is not None:
            spacing = number("spacing", spacing, 1e-3, MAX_EXTENT, "metres")
        return self._mesh(*corners, spacing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terrain) and (self is other or self.key() == other.key())

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> str:
        """Identifies the content.

        Returns:
            A text that is equal, in every process, for terrains of the same content only.
        """
        return self._key

    @cached_property
    def _key(self) -> str:
        return self._content_key()

    @abstractmethod
    def _content_key(self) -> str:
        """The text that `key` returns."""

    @abstractmethod
    def _heights(self, x: Array, z: Array) -> Array:
        """Heights, (n,), at finite places x (n,) and z (n,)."""

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        """Slopes of the ground along x and along z, metres per metre, at finite places: (n,) each."""
        raise NotImplementedError  # by terrains that have `_normals` of their own

    def _normals(self, x: Array, z: Array) -> Array:
        along_x, along_z = self._gradients(x, z)
        up = 1.0 / np.sqrt(1.0 + along_x * along_x + along_z * along_z)
        return np.stack([0.0 - along_x * up, up, 0.0 - along_z * up], axis=-1)

    def _set_fields(self, **checked: Any) -> None:
        """Replaces fields of a frozen dataclass with their checked values."""
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def _highest(self, ax: Array, az: Array, bx: Array, bz: Array, samples: int) -> Array:
        found = np.full(ax.shape, -np.inf)
        for part in np.linspace(0.0, 1.0, samples):
            there = _in_blocks(self._heights, (), (1.0 - part) * ax + part * bx, (1.0 - part) * az + part * bz)
            np.maximum(found, there, out=found)
        return found

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        parts = np.ceil((high - low) / (spacing or MESH_SPACING) - 1e-9).astype(int)
        ends = zip(low, high, np.maximum(parts, 1) + 1, strict=True)
        return self._grid_mesh(*(np.linspace(start, end, count) for start, end, count in ends))

    def _grid_mesh(self, x: Array, z: Array) -> tuple[Array, Array]:
        """A mesh with a vertex at every x (columns,) and z (rows,)."""
        if len(x) * len(z) > MAX_VERTICES:
            wanted = f"a smaller rectangle or a wider spacing, for at most {MAX_VERTICES}"
            raise ArgumentError("mesh", f"{len(x) * len(z)} vertices", wanted)
        places = np.meshgrid(x, z)
        vertices = np.stack([places[0], _in_blocks(self._heights, (), *places), places[1]], axis=-1).reshape(-1, 3)
        numbers = np.arange(len(vertices)).reshape(len(z), len(x))
        a, b, c, d = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
        faces = np.stack([a, b, d, d, b, c], axis=-1).reshape(-1, 3)
        return vertices, faces


def _places(xz: ArrayLike, z: ArrayLike | None, name: str = "xz") -> tuple[Array, Array, Array | None]:
    """X and z of places (...), 0 where they are not valid, and whether they are, (...) bool; None where all are."""
    places = reals(name, xz)
    if z is not None:
        others = reals("z", z)
        try:
            x, z = (places, others) if places.shape == others.shape else np.broadcast_arrays(places, others)
        except ValueError:
            raise ShapeError("z", others.shape, f"a shape that broadcasts with that of x, {places.shape}") from None
    elif places.ndim and places.shape[-1] == 2:
        x, z = places[..., 0], places[..., 1]
    else:
        raise ShapeError(name, places.shape, "(..., 2), x and z in metres; or height(x, z)")
    if not x.size or (_are_near(x) and _are_near(z)):
        return x, z, None
    known = (np.abs(x) <= MAX_DISTANCE) & (np.abs(z) <= MAX_DISTANCE)
    return np.where(known, x, 0.0), np.where(known, z, 0.0), known


def _are_near(numbers: Array) -> bool:
    """Whether all numbers are finite and within the greatest distance; NaN is not."""
    if numbers.size <= SMALL_BATCH_PLACES:  # one reduction takes less time than two
        return bool(np.maximum.reduce(np.abs(numbers.ravel())) <= MAX_DISTANCE)
    return bool(numbers.max() <= MAX_DISTANCE and numbers.min() >= -MAX_DISTANCE)


def _in_blocks(answer: Callable[[Array, Array], Array], width: tuple[int, ...], x: Array, z: Array) -> Array:
    """The values (..., *width) of a function of places (n,), at places of any shape."""
    flat_x, flat_z = x.ravel(), z.ravel()
    found = np.empty((flat_x.size, *width))
    for start in range(0, flat_x.size, BLOCK_PLACES):
        block = slice(start, start + BLOCK_PLACES)
        found[block] = answer(flat_x[block], flat_z[block])
    return found.reshape((*x.shape, *width))


def _unknown_to_nan(answers: Array, known: Array | None) -> Array:
    """Values (...) or (..., 3), NaN where the place is not valid."""
    if known is None:
        return answers
    return np.where(known if answers.ndim == known.ndim else known[..., None], answers, np.nan)


class Parametric(Terrain):
    """A frozen dataclass of numbers. kind: the first word of its spec; the fields are the options."""

    kind: ClassVar[str]

    @classmethod
    def options(cls) -> dict[str, Field[object]]:
        """Lists the options of a spec.

        Returns:
            The fields, by their names in a spec.
        """
        return {field.metadata.get("option", field.name): field for field in fields(cls)}  # pyright: ignore[reportArgumentType]

    def __repr__(self) -> str:
        # Options without a default are written without their names, as in slope:10; zero defaults are left out.
        words = []
        for option, field in self.options().items():
            value = getattr(self, field.name)
            if field.default is MISSING:
                words.append(_text(value))
            elif field.default or value != field.default:
                words.append(f"{option}={_text(value)}")
        return ":".join([self.kind, ",".join(words)] if words else [self.kind])

    def _content_key(self) -> str:
        return repr(self)


def heading(value: Any) -> float:
    """A heading in degrees, checked: 0 is +z and 90 is +x, so it grows as a right-handed turn about +y does."""
    return number("heading_degrees (heading in a spec)", value, -360.0, 360.0, "degrees")


def direction(degrees: float) -> tuple[float, float]:
    """The unit vector (x, z) of a heading; it is exact along the axes, so that stairs there have straight edges."""
    quarter, rest = divmod(degrees, 90.0)
    x, z = sin(radians(rest)), cos(radians(rest))
    for _ in range(int(quarter) % 4):
        x, z = z, -x
    return x + 0.0, z + 0.0  # without negative zeros


def _text(value: float) -> str:
    """The shortest text from which the same number is read."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
