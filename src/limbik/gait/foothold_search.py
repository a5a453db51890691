"""Footholds: where a foot may stand. Ground that is too steep, or has an edge under the foot, is refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.terrains.base import Terrain

RING = np.array([np.cos(np.arange(8) * np.pi / 4.0), np.sin(np.arange(8) * np.pi / 4.0)])
# Where else to look when a place is refused: rings of places, as parts of how far away one may be.
ELSEWHERE = (RING[:, None] * np.linspace(0.0, 1.0, 17)[1:, None]).reshape(2, -1)
REFUSED = 1e6  # what a refused place costs; a good one costs its distance, squared


class Footholds(NamedTuple):
    """place: (3, n), on the ground. normal, toe: (3, n), unit: off the ground, and where the foot points along it."""

    place: Array
    normal: Array
    toe: Array


class Needs(NamedTuple):
    """What feet need: (n,) each, or numbers.

    toe: (2, n), unit, where they point. heel: metres back to it. radius: of the ground under a foot, metres.
    steepest: the slope. far: metres that another place may be away. apart: from the feet of others, metres.
    others: (2, legs, n), where those stand or will.
    """

    toe: Array
    heel: Array
    radius: float
    steepest: float
    far: Array
    apart: float
    others: Array


def find(terrain: Terrain, places: Array, needs: Needs) -> Footholds:
    """Footholds at places (2, n), x and z, or as near to them as may be."""
    heights, slopes, spread = _survey(terrain, places, needs)
    refused = (spread > needs.steepest) | _crowded(places, needs)
    if refused.any():
        bad = np.flatnonzero(refused)
        places = places.copy()
        places[:, bad] = _elsewhere(terrain, places[:, bad], _some(needs, bad))
        heights, slopes, _ = _survey(terrain, places, needs)
    if np.any(needs.heel):
        slopes = _with_heel(terrain, places, heights, slopes, needs)
    return _placed(places, heights, slopes, needs.toe)


def _survey(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array, Array]:
    """Heights (...), slopes (2, ...) and how much the ground under a foot departs from its mean, over its radius."""
    radius, back = needs.radius, needs.heel * needs.toe
    middle = places - (0.5 - 0.5 * TOE_RATIO) * back
    ring = radius * RING.reshape(2, -1, *(1,) * (places.ndim - 1)) + middle[:, None]
    looks = np.concatenate([ring, (places - back)[:, None], places[:, None]], axis=1)
    found = terrain.height(looks.transpose(*range(1, looks.ndim), 0))
    around = found[:8]
    slopes = np.tensordot(RING / (4.0 * radius), around, axes=1)
    spread = np.abs(found - around.mean(axis=0)).max(axis=0) / radius
    return found[-1], slopes, spread


def _crowded(places: Array, needs: Needs) -> Array:
    """Whether a foot of the same creature is, or will be, too near: (...) for places (2, ..., n)."""
    others = needs.others.reshape(2, -1, *(1,) * (places.ndim - 2), places.shape[-1])
    x, z = places[:, None] - others
    return (x * x + z * z).min(axis=0, initial=np.inf) < needs.apart**2


def _some(needs: Needs, which: Array) -> Needs:
    return needs._replace(
        toe=needs.toe[:, which], heel=needs.heel[which], far=needs.far[which], others=needs.others[:, :, which]
    )


def _elsewhere(terrain: Terrain, places: Array, needs: Needs) -> Array:
    """The nearest good places around, or the best of the bad ones."""
    around = needs.far * ELSEWHERE[:, :, None] + places[:, None]
    around = np.concatenate([places[:, None], around], axis=1)
    _, _, spread = _survey(terrain, around, needs._replace(toe=needs.toe[:, None]))
    distance = np.concatenate([[0.0], (ELSEWHERE * ELSEWHERE).sum(axis=0)])
    cost = distance[:, None] + REFUSED * (spread > needs.steepest) * (1.0 + spread) + REFUSED * _crowded(around, needs)
    best = np.argmin(cost, axis=0)
    return around[:, best, np.arange(len(best))]


def _with_heel(terrain: Terrain, places: Array, heights: Array, slopes: Array, needs: Needs) -> Array:
    """Slopes that put the heel, too, on the ground."""
    along = (slopes * needs.toe).sum(axis=0)
    back = needs.heel / np.sqrt(1.0 + along * along)
    heel = terrain.height((places - back * needs.toe).T)
    exact = np.where(back > 0.0, (heights - heel) / np.maximum(back, 1e-9), along)
    return slopes + (exact - along) * needs.toe


def _placed(places: Array, heights: Array, slopes: Array, toe: Array) -> Footholds:
    (x, z), (along_x, along_z), (toe_x, toe_z) = places, slopes, toe
    up = 1.0 / np.sqrt(1.0 + along_x * along_x + along_z * along_z)
    rise = along_x * toe_x + along_z * toe_z
    level = 1.0 / np.sqrt(1.0 + rise * rise)
    return Footholds(
        np.array([x, heights, z]),
        np.array([-along_x * up, up, -along_z * up]),
        np.array([toe_x * level, rise * level, toe_z * level]),
    )
