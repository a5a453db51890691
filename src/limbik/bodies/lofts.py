"""Lofts: closed surfaces through rings of vertices, that follow joints and have colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized

CAP_LATITUDES = np.radians([32.0, 62.0])  # latitudes of the rings of a round end, from the pole
LEFT, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


class Rings(NamedTuple):
    """The rings of a loft, one a row: ellipses about points of a line."""

    centres: Array  # (n, 3), metres
    radii: Array  # (n, 2), along `side` and across it, metres
    joints: Array  # (n, 4), joint numbers
    weights: Array  # (n, 4)
    colours: Array  # (n, 3), linear


class Surface(NamedTuple):
    """A closed surface in the rest pose."""

    positions: Array  # (n, 3), metres
    faces: Array  # (m, 3), counter-clockwise from outside
    joints: Array  # (n, 4), joint numbers
    weights: Array  # (n, 4)
    colours: Array  # (n, 3), linear


def rigid(count: int, joint: int) -> tuple[Array, Array]:
    """Joints and weights of rings that follow one joint."""
    joints = np.zeros((count, 4), np.int64)
    joints[:, 0] = joint
    return joints, np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))


def rings_along(centres: Array, radii: Array, joint: int, colour: Array) -> Rings:
    """Rings that follow one joint. radii: (n,) or (n, 2). colour: (3,) or (n, 3)."""
    centres, radii = np.asarray(centres, float), np.asarray(radii, float)
    wide = np.repeat(radii[:, None], 2, axis=1) if radii.ndim == 1 else radii
    return Rings(centres, wide, *rigid(len(centres), joint), np.broadcast_to(colour, (len(centres), 3)))


def frames_along(centres: Array, side: Array) -> tuple[Array, Array]:
    """Unit directions (n, 3) along a line and across it, each turned as little as possible from the one before."""
    lines = normalized(np.gradient(centres, axis=0))
    return lines, _transport(lines, side)


def loft(rings: Rings, sides: int, side: Array = LEFT, round_ends: bool = True) -> Surface:
    """A closed surface through rings.

    Args:
        rings: at least two; their line should not double back.
        sides: vertices of a ring.
        side: (3,), the direction of the first radius, as far as it is across the line.
        round_ends: whether the ends are domes beyond the first and last ring, or flat.
    """
    centres, radii = rings.centres, rings.radii
    lines, across = frames_along(centres, side)
    if round_ends:
        centres, radii, across, lines, rings = _with_domes(centres, radii, across, lines, rings)
    other = np.cross(lines, across)
    turn = 2.0 * np.pi * np.arange(sides)[:, None] / sides
    around = (
        np.cos(turn) * (radii[:, :1] * across)[:, None] + np.sin(turn) * (radii[:, 1:] * other)[:, None]
    ) + centres[:, None]
    depth = radii.mean(axis=1) if round_ends else np.zeros(len(radii))
    shrunk = 1.0 - np.sin(CAP_LATITUDES[0])
    poles = centres[0] - shrunk * depth[0] * lines[0], centres[-1] + shrunk * depth[-1] * lines[-1]
    positions = np.concatenate([[poles[0]], around.reshape(-1, 3), [poles[1]]])
    index = np.concatenate([[0], np.repeat(np.arange(len(centres)), sides), [len(centres) - 1]])
    return Surface(
        positions, _faces(len(centres), sides), rings.joints[index], rings.weights[index], rings.colours[index]
    )


def _with_domes(
    centres: Array, radii: Array, across: Array, lines: Array, rings: Rings
) -> tuple[Array, Array, Array, Array, Rings]:
    """The rings with two shrinking ones beyond each end."""
    back, ahead = radii[0].mean() * np.cos(CAP_LATITUDES), radii[-1].mean() * np.cos(CAP_LATITUDES)
    centres = np.concatenate(
        [centres[0] - back[:, None] * lines[0], centres, (centres[-1] + ahead[:, None] * lines[-1])[::-1]]
    )
    sines = np.sin(CAP_LATITUDES)[:, None]
    radii = np.concatenate([sines * radii[0], radii, (sines * radii[-1])[::-1]])
    index = np.concatenate([[0, 0], np.arange(len(lines)), [len(lines) - 1] * 2])
    kept = Rings(centres, radii, rings.joints[index], rings.weights[index], rings.colours[index])
    return centres, radii, across[index], lines[index], kept


def _transport(lines: Array, side: Array) -> Array:
    """Directions across unit lines (n, 3), each turned as little as possible from the one before."""
    found = np.empty_like(lines)
    last = np.asarray(side, float)
    for k, line in enumerate(lines):
        last = last - (last @ line) * line
        length = np.linalg.norm(last)
        if length < 1e-6:
            last = np.cross(line, np.eye(3)[np.argmin(np.abs(line))])
            length = np.linalg.norm(last)
        last = found[k] = last / length
    return found


def _faces(rings: int, sides: int) -> Array:
    k = np.arange(sides)
    after = (k + 1) % sides
    last = rings * sides + 1
    found = [np.stack([np.zeros(sides, np.int64), 1 + after, 1 + k], axis=-1)]
    for ring in range(1, last - sides, sides):
        found.append(np.stack([ring + k, ring + after, ring + sides + after], axis=-1))
        found.append(np.stack([ring + k, ring + sides + after, ring + sides + k], axis=-1))
    found.append(np.stack([np.full(sides, last), last - sides + k, last - sides + after], axis=-1))
    return np.concatenate(found)


def ball(
    centre: Array, radii: Sequence[float] | Array, joint: int, colour: Array, sides: int, line: Array = UP
) -> Surface:
    """An ellipsoid about a point, with semi-axes along x, along `line` and across both. colour: (3,)."""
    latitude = np.linspace(-0.5, 0.5, max(sides // 2, 3) + 1)[1:-1] * np.pi
    along = np.sin(latitude) * radii[1]
    wide = np.cos(latitude)[:, None] * np.array([radii[0], radii[2]])
    rings = rings_along(np.asarray(centre) + along[:, None] * line, wide, joint, colour)
    found = loft(rings, sides, round_ends=False)
    positions = found.positions.copy()
    positions[0], positions[-1] = centre - radii[1] * line, centre + radii[1] * line
    return found._replace(positions=positions)


def join(surfaces: Sequence[Surface]) -> Surface:
    """Several surfaces as one."""
    first = np.cumsum([0, *(len(one.positions) for one in surfaces)])
    shifted = [one._replace(faces=one.faces + start) for one, start in zip(surfaces, first, strict=False)]
    return Surface(*(np.concatenate(arrays) for arrays in zip(*shifted, strict=True)))
