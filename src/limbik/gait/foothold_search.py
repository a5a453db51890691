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
TOE_MARGIN = 1.4  # how far before the foot the ground is looked at, over the length of the toes
ROUGHNESS = 0.4  # greatest deviation of the ground from a plane, over the foot's radius
BRIDGED = 1.6  # greatest deviation from level, over the foot's radius, where nothing better is found


class Footholds(NamedTuple):
    """place: (3, n), on the ground. normal, toe: (3, n), unit: of the ground, and where the foot points along it."""

    place: Array
    normal: Array
    toe: Array


class Needs(NamedTuple):
    """What feet need: (n,) each, or numbers.

    toe: (2, n), unit, direction of the toes. heel: distance back to the heel, metres. radius: of the ground under a
    foot, metres. steepest: greatest slope. far: search radius, metres. apart: least distance to the other feet, metres.
    others: (2, legs, n), where the other feet stand or will stand. level: height that the ground is expected to have;
    step: greatest difference from it, metres.
    """

    toe: Array
    heel: Array
    radius: float
    steepest: float
    far: Array
    apart: float
    others: Array
    level: Array
    step: Array


def find(terrain: Terrain, places: Array, needs: Needs) -> tuple[Footholds, Array]:
    """Footholds at places (2, n), x and z, or as near to them as possible; and where there is one, (n,) bool."""
    heights, slopes, bad = _survey(terrain, places, needs)
    rejected = (bad > 0.0) | _crowded(places, needs)
    there = np.ones(len(heights), bool)
    if rejected.any():
        bad = np.flatnonzero(rejected)
        places = places.copy()
        of_bad = {name: getattr(needs, name)[..., bad] for name in ("toe", "heel", "far", "others", "level", "step")}
        places[:, bad], there[bad] = _alternatives(terrain, places[:, bad], needs._replace(**of_bad))
        heights, slopes, _ = _survey(terrain, places, needs)
    if np.any(needs.heel):
        slopes = _with_heel(terrain, places, heights, slopes, needs)
    return _placed(places, heights, slopes, needs.toe), there


def _survey(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array, Array]:
    """Heights (...), slopes (2, ...), and how bad places are: 0 where they suit, up to 1 where a foot may stand."""
    radius, back = needs.radius, needs.heel * needs.toe
    middle = places - (0.5 - 0.5 * TOE_RATIO) * back
    ring = radius * RING.reshape(2, -1, *(1,) * (places.ndim - 1)) + middle[:, None]
    toes = places + (TOE_MARGIN * TOE_RATIO) * back
    around_all = np.concatenate([ring, (places - back)[:, None], toes[:, None], places[:, None]], axis=1)
    found = terrain.height(around_all[0], around_all[1])
    around, height = found[:8], found[-1]
    mean = around.mean(axis=0)
    slopes = np.tensordot(RING / (4.0 * radius), around, axes=1)
    off = np.abs(found - mean).max(axis=0) / radius
    flat = off <= needs.steepest
    if flat.all() and off.max(initial=0.0) <= ROUGHNESS:
        return height, slopes, _unreachable(height, needs)
    away = (around_all - middle[:, None]) * slopes[:, None]
    rough = np.abs(found - mean - away[0] - away[1]).max(axis=0) / radius
    steep = slopes[0] * slopes[0] + slopes[1] * slopes[1] > needs.steepest**2
    bad = np.minimum(off / (2.0 * BRIDGED), 1.0) * (steep | (rough > ROUGHNESS)) + 1.0 * (off > BRIDGED)
    return height, slopes, bad + _unreachable(height, needs)


def _unreachable(heights: Array, needs: Needs) -> Array:
    """(...) 2 where the ground is too high or too low for the leg."""
    return 2.0 * (np.abs(heights - needs.level) > needs.step)


def _crowded(places: Array, needs: Needs) -> Array:
    """(...) Whether another foot of the creature is, or will be, too near to places (2, ..., n)."""
    others = needs.others.reshape(2, -1, *(1,) * (places.ndim - 2), places.shape[-1])
    x, z = places[:, None] - others
    return (x * x + z * z).min(axis=0, initial=np.inf) < needs.apart**2


def _alternatives(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array]:
    """The nearest suitable places around, or the best of the unsuitable ones; and where a foot may stand, (n,) bool."""
    around = needs.far * ALTERNATIVES[:, :, None] + places[:, None]
    around = np.concatenate([places[:, None], around], axis=1)
    _, _, bad = _survey(terrain, around, needs._replace(toe=needs.toe[:, None]))
    distance = np.concatenate([[0.0], (ALTERNATIVES * ALTERNATIVES).sum(axis=0)])
    crowded = _crowded(around, needs)
    cost = distance[:, None] + REJECTION_COST * ((bad > 0.0) * (1.0 + bad) + (bad > 1.0) * 10.0 + crowded)
    best = np.argmin(cost, axis=0)
    one = np.arange(len(best))
    return around[:, best, one], bad[best, one] <= 1.0


def _with_heel(terrain: Terrain, places: Array, heights: Array, slopes: Array, needs: Needs) -> Array:
    """Slopes with which the heel is on the ground, too."""
    along = (slopes * needs.toe).sum(axis=0)
    back = needs.heel / np.sqrt(1.0 + along * along)
    heel = terrain.height(*(places - back * needs.toe))
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
