"""Where a foot can stand. Ground that is too steep, or has an edge under the foot, is rejected."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.terrains.base import Terrain

RING = np.array([np.cos(np.arange(8) * np.pi / 4.0), np.sin(np.arange(8) * np.pi / 4.0)])
# Alternatives to a rejected place: rings of places, as fractions of the search radius.
ALTERNATIVES = (RING[:, None] * np.linspace(0.0, 1.0, 17)[1:, None]).reshape(2, -1)
REJECTION_COST = 1e6  # a suitable place costs its squared distance


class Footholds(NamedTuple):
    """place: (3, n), on the ground. normal, toe: (3, n), unit: of the ground, and where the foot points along it."""

    place: Array
    normal: Array
    toe: Array


class Needs(NamedTuple):
    """What feet need: (n,) each, or numbers.

    toe: (2, n), unit, direction of the toes. heel: distance back to the heel, metres. radius: of the ground under a
    foot, metres. steepest: greatest slope. far: search radius, metres. apart: least distance to the other feet, metres.
    others: (2, legs, n), where the other feet stand or will stand.
    """

    toe: Array
    heel: Array
    radius: float
    steepest: float
    far: Array
    apart: float
    others: Array


def find(terrain: Terrain, places: Array, needs: Needs) -> Footholds:
    """Footholds at places (2, n), x and z, or as near to them as possible."""
    heights, slopes, spread = _survey(terrain, places, needs)
    rejected = (spread > needs.steepest) | _crowded(places, needs)
    if rejected.any():
        bad = np.flatnonzero(rejected)
        places = places.copy()
        of_bad = {"heel": needs.heel[bad], "far": needs.far[bad], "others": needs.others[:, :, bad]}
        places[:, bad] = _alternatives(terrain, places[:, bad], needs._replace(toe=needs.toe[:, bad], **of_bad))
        heights, slopes, _ = _survey(terrain, places, needs)
    if np.any(needs.heel):
        slopes = _with_heel(terrain, places, heights, slopes, needs)
    return _placed(places, heights, slopes, needs.toe)


def _survey(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array, Array]:
    """Heights (...), slopes (2, ...), and greatest deviation of the ground from its mean, over the foot's radius."""
    radius, back = needs.radius, needs.heel * needs.toe
    middle = places - (0.5 - 0.5 * TOE_RATIO) * back
    ring = radius * RING.reshape(2, -1, *(1,) * (places.ndim - 1)) + middle[:, None]
    places_around = np.concatenate([ring, (places - back)[:, None], places[:, None]], axis=1)
    found = terrain.height(places_around.transpose(*range(1, places_around.ndim), 0))
    around = found[:8]
    slopes = np.tensordot(RING / (4.0 * radius), around, axes=1)
    spread = np.abs(found - around.mean(axis=0)).max(axis=0) / radius
    return found[-1], slopes, spread


def _crowded(places: Array, needs: Needs) -> Array:
    """(...) Whether another foot of the creature is, or will be, too near to places (2, ..., n)."""
    others = needs.others.reshape(2, -1, *(1,) * (places.ndim - 2), places.shape[-1])
    x, z = places[:, None] - others
    return (x * x + z * z).min(axis=0, initial=np.inf) < needs.apart**2


def _alternatives(terrain: Terrain, places: Array, needs: Needs) -> Array:
    """The nearest suitable places around, or the best of the unsuitable ones."""
    around = needs.far * ALTERNATIVES[:, :, None] + places[:, None]
    around = np.concatenate([places[:, None], around], axis=1)
    _, _, spread = _survey(terrain, around, needs._replace(toe=needs.toe[:, None]))
    distance = np.concatenate([[0.0], (ALTERNATIVES * ALTERNATIVES).sum(axis=0)])
    steep = REJECTION_COST * (spread > needs.steepest) * (1.0 + spread)
    cost = distance[:, None] + steep + REJECTION_COST * _crowded(around, needs)
    best = np.argmin(cost, axis=0)
    return around[:, best, np.arange(len(best))]


def _with_heel(terrain: Terrain, places: Array, heights: Array, slopes: Array, needs: Needs) -> Array:
    """Slopes with which the heel is on the ground, too."""
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
