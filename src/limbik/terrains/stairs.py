"""Stairs: level treads and upright risers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np

from limbik.arguments import number, whole
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.terrains.base import MAX_EXTENT, Parametric, direction, heading

MAX_RISE = 10.0  # metres
MAX_MESH_STEPS = 100_000


@dataclass(frozen=True, eq=False, repr=False)
class Stairs(Parametric):
    """Stairs with level ground of height 0 before them. Spec: `stairs:rise=0.17,run=0.3,steps=12,start=1,heading=90`.

    An edge belongs to the higher of its treads, and normals point straight up everywhere.

    Attributes:
        rise: height of a step, -10 to 10 m; negative for stairs that go down.
        run: depth of a tread, metres.
        start: distance from the origin to the first edge, metres; by default a figure at the origin stands before it.
        steps: number of steps, after which the ground is level; default: unlimited.
        heading_degrees: direction in which they go, `heading` in a spec; 0 is +z and 90 is +x.
    """

    rise: float = 0.17
    run: float = 0.3
    start: float = 0.5
    steps: int | None = None
    heading_degrees: float = field(default=0.0, metadata={"option": "heading"})
    kind = "stairs"

    def __post_init__(self) -> None:
        self._set_fields(
            rise=number("rise", self.rise, -MAX_RISE, MAX_RISE, "metres"),
            run=number("run", self.run, 1e-2, MAX_EXTENT, "metres"),
            start=number("start", self.start, -MAX_EXTENT, MAX_EXTENT, "metres"),
            steps=None if self.steps is None else whole("steps", self.steps, 1, 1_000_000),
            heading_degrees=heading(self.heading_degrees),
        )

    def _heights(self, x: Array, z: Array) -> Array:
        across, along = self._direction
        edges = (across * x + along * z - self.start) / self.run
        climbed = np.floor(edges) + 1.0 if self.rise > 0.0 else np.ceil(edges)
        return self.rise * np.clip(climbed, 0.0, self.steps) + 0.0  # without negative zeros

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        return np.zeros(x.shape), np.zeros(x.shape)

    def _highest(self, ax: Array, az: Array, bx: Array, bz: Array, samples: int) -> Array:
        # Every line goes up all the way, or down all the way.
        return np.maximum(self._heights(ax, az), self._heights(bx, bz))

    @cached_property
    def _direction(self) -> tuple[float, float]:
        return direction(self.heading_degrees)

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        """Treads and risers as polygons with vertices of their own, cut into triangles about their first vertex."""
        corners = np.array([low, (low[0], high[1]), high, (high[0], low[1])])
        distances = corners @ self._direction
        before, edges = self._edges_between(distances.min(), distances.max())
        cuts = [_cut(corners, distances, edge) for edge in edges]
        tread = np.searchsorted(edges, distances, side="right")  # that each corner lies on
        polygons = []
        for step in range(len(edges) + 1):
            points = np.concatenate([corners[tread == step], *cuts[max(0, step - 1) : step + 1]])
            polygons.append(_level(points, (before + step) * self.rise))
        if self.rise:
            polygons += [self._riser(cut, step * self.rise) for step, cut in enumerate(cuts, before)]
        faces, first = [], 0
        for polygon in polygons:
            faces += [(first, first + k, first + k + 1) for k in range(1, len(polygon) - 1)]
            first += len(polygon)
        return np.concatenate(polygons), np.array(faces)

    def _riser(self, cut: Array, low: float) -> Array:
        """The upright polygon over an edge's ends, facing those who come up."""
        sideways = np.array([self._direction[1], -self._direction[0]])
        right, left = cut[np.argsort(cut @ sideways)]
        return np.insert([left, right, right, left], 1, [low, low, low + self.rise, low + self.rise], axis=-1)

    def _edges_between(self, near: float, far: float) -> tuple[int, Array]:
        """How many edges come before a distance, and where those lie that are between it and another, (n,)."""
        most = inf if self.steps is None else self.steps
        first = int(min(max(0, (near - self.start) // self.run), most))
        last = int(min(max(first, (far - self.start) // self.run + 2), most))
        if last - first > MAX_MESH_STEPS:
            raise ArgumentError("low, high", f"{last - first} steps", f"a rectangle with at most {MAX_MESH_STEPS}")
        edges = self.start + self.run * np.arange(first, last)
        return first + int(np.count_nonzero(edges <= near)), edges[(near < edges) & (edges < far)]


def _cut(corners: Array, distances: Array, edge: float) -> Array:
    """The two points, (2, 2), in which an edge meets the sides of a rectangle."""
    ends, far = np.roll(corners, -1, axis=0), np.roll(distances, -1)
    crossed = (distances < edge) != (far < edge)
    part = (edge - distances[crossed]) / (far - distances)[crossed]
    return corners[crossed] + part[:, None] * (ends - corners)[crossed]


def _level(points: Array, height: float) -> Array:
    """The convex polygon (n, 3) with corners (n, 2), in any order, some of them twice; counter-clockwise from above."""
    points = np.unique(points, axis=0)
    x, z = (points - points.mean(axis=0)).T
    points = points[np.argsort(np.arctan2(x, z))]
    return np.insert(points, 1, height, axis=-1)
