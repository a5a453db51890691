"""Blends the parts of a body where they meet: the crease between two surfaces becomes a fillet with smooth shading."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized


class Field(NamedTuple):
    """The rings of a loft as a solid whose distance can be estimated."""

    centres: Array  # (n, 3)
    radii: Array  # (n, 2)
    across: Array  # (n, 3), unit directions of the first radius
    other: Array  # (n, 3), of the second

    def distance(self, places: Array) -> tuple[Array, Array]:
        """Approximate signed distances (m,) of places (m, 3), negative inside, and outward directions (m, 3)."""
        start, along = self.centres[:-1], np.diff(self.centres, axis=0)
        length = np.maximum(np.linalg.norm(along, axis=-1), 1e-9)
        part = np.clip(((places[:, None] - start) * along).sum(axis=-1) / length**2, 0.0, 1.0)[..., None]

        def between(values: Array) -> Array:
            return values[:-1] + part * np.diff(values, axis=0)

        away = places[:, None] - between(self.centres)
        axes = np.stack(
            [between(self.across), between(self.other), np.broadcast_to(along / length[:, None], away.shape)]
        )
        radii = between(self.radii)
        sizes = np.stack([radii[..., 0], radii[..., 1], radii.mean(axis=-1)])
        parts = (axes * away).sum(axis=-1)
        scaled = np.maximum(np.sqrt(((parts / sizes) ** 2).sum(axis=0)), 1e-9)
        distances = np.linalg.norm(away, axis=-1) * (1.0 - 1.0 / scaled)
        best = np.argmin(distances, axis=1)
        rows = np.arange(len(places))
        outward = ((parts / sizes**2)[..., None] * axes).sum(axis=0)[rows, best]
        return distances[rows, best], normalized(outward)


class Meeting(NamedTuple):
    """A part that is blended with others."""

    field: Field
    reach: Array  # (n,), how much each vertex takes part, 0 to 1


class Vertices(NamedTuple):
    """Vertices of a part, (n, 3) each."""

    positions: Array
    normals: Array
    colours: Array


def blended(skin: Vertices, reach: Array, others: list[tuple[Field, Vertices]], width: float) -> Vertices:
    """The vertices of one part, blended with others. reach: see Meeting. width: of a fillet, metres."""
    positions, normals, _ = skin
    moved, turned, painted = (values.copy() for values in skin)
    for field, other in others:
        distance, outward = field.distance(positions)
        near = np.abs(distance) < width
        if not near.any():
            continue
        part = reach[near] * (1.0 - np.abs(distance[near]) / width)
        share = (0.5 * part)[:, None]
        direction = normalized((1.0 - share) * normals[near] + share * outward[near])
        moved[near] += (0.25 * width * part**2)[:, None] * direction
        turned[near] = normalized((1.0 - share) * turned[near] + share * outward[near])
        gaps = np.linalg.norm(positions[near][:, None] - other.positions, axis=-1)
        painted[near] += share * (other.colours[gaps.argmin(axis=1)] - painted[near])
    return Vertices(moved, turned, painted)
