"""Where a foot can stand. Ground that is too steep, or has an edge under the foot, is rejected."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
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
        found, there[bad] = _alternatives(terrain, places[:, bad], needs._replace(**of_bad))
        places[:, bad], heights[bad], slopes[:, bad] = found[:2], found[2], found[3:]
    if np.any(needs.heel):
        slopes = _with_heel(terrain, places, heights, slopes, needs)
    return _placed(places, heights, slopes, needs.toe), there


def _survey(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array, Array]:
    """Heights (...), slopes (2, ...), and how bad places are: 0 where they suit, up to 1 where a foot may stand."""
    shape = places.shape[1:]
    x, z = AROUND(places, needs.toe, needs.heel, np.array([needs.radius])).reshape(2, -1, *shape)
    found = terrain.height(x, z)
    limits = np.array([needs.radius, needs.steepest])
    surveyed = SURVEY(found, needs.toe, needs.heel, needs.level, needs.step, limits).reshape(6, *shape)
    height, slopes, (bad, unreachable, uneven) = surveyed[0], surveyed[1:3], surveyed[3:]
    return height, slopes, bad + unreachable if np.count_nonzero(uneven) else unreachable


def _crowded(places: Array, needs: Needs) -> Array:
    """(...) Whether another foot of the creature is, or will be, too near to places (2, ..., n)."""
    others = needs.others.reshape(2, -1, *(1,) * (places.ndim - 2), places.shape[-1])
    x, z = places[:, None] - others
    return (x * x + z * z).min(axis=0, initial=np.inf) < needs.apart**2


def _alternatives(terrain: Terrain, places: Array, needs: Needs) -> tuple[Array, Array]:
    """The nearest suitable places around, or the best of the unsuitable ones; and where a foot may stand, (n,) bool.

    The first are (5, n): x and z, the height, and the slopes along them.
    """
    around = needs.far * ALTERNATIVES[:, :, None] + places[:, None]
    around = np.concatenate([places[:, None], around], axis=1)
    heights, slopes, bad = _survey(terrain, around, needs)
    distance = np.concatenate([[0.0], (ALTERNATIVES * ALTERNATIVES).sum(axis=0)])
    crowded = _crowded(around, needs)
    cost = distance[:, None] + REJECTION_COST * ((bad > 0.0) * (1.0 + bad) + (bad > 1.0) * 10.0 + crowded)
    best = np.argmin(cost, axis=0)
    one = np.arange(len(best))
    return np.concatenate([around, heights[None], slopes])[:, best, one], bad[best, one] <= 1.0


def _with_heel(terrain: Terrain, places: Array, heights: Array, slopes: Array, needs: Needs) -> Array:
    """Slopes with which the heel is on the ground, too."""
    along = (slopes * needs.toe).sum(axis=0)
    back = needs.heel / np.sqrt(1.0 + along * along)
    heel = terrain.height(*(places - back * needs.toe))
    exact = np.where(back > 0.0, (heights - heel) / np.maximum(back, 1e-9), along)
    return slopes + (exact - along) * needs.toe


def _placed(places: Array, heights: Array, slopes: Array, toe: Array) -> Footholds:
    found = FOOTHOLD(places, heights, slopes, toe)
    return Footholds(found[0:3], found[3:6], found[6:9])


# --- formulas

DIRECTIONS = tuple((float(x), float(z)) for x, z in RING.T)
MIDDLE = 0.5 - 0.5 * TOE_RATIO  # of the ground under a foot, behind its tip, over the length to the heel


def _around(place: Any, toe: Any, heel: Any, radius: Any) -> Any:
    """All x, then all z, of the places under a foot: a ring, the heel, before the toes, the tip."""
    x, z = place
    back = heel * toe[0], heel * toe[1]
    middle_x, middle_z = x - MIDDLE * back[0], z - MIDDLE * back[1]
    ring = [(radius * a + middle_x, radius * b + middle_z) for a, b in DIRECTIONS]
    front = TOE_MARGIN * TOE_RATIO
    there = [*ring, (x - back[0], z - back[1]), (x + front * back[0], z + front * back[1]), (x, z)]
    return tuple(zip(*there, strict=True))


def _surveyed(heights: Any, toe: Any, heel: Any, level: Any, step: Any, limits: Any) -> Any:
    """The height and the slopes along x and z of a place, from heights at `_around`; and how bad it is.

    Ground that is too steep or too rough is bad, more so the further it is from level; ground out of reach is worse.
    The last number is 0 where the ground is even, so that neither has to be asked.
    """
    radius, steepest = limits
    a, b, c, d, e, f, g, h = around = heights[:8]
    mean = (((a + b) + (c + d)) + ((e + f) + (g + h))) * 0.125  # exact on level ground
    slopes = [
        sum(one[axis] * height for one, height in zip(DIRECTIONS, around, strict=True)) / (4.0 * radius)
        for axis in (0, 1)
    ]
    front = TOE_MARGIN * TOE_RATIO
    along = [(radius * a, radius * b) for a, b in DIRECTIONS]
    along += [(part * heel * toe[0], part * heel * toe[1]) for part in (MIDDLE - 1.0, MIDDLE + front, MIDDLE)]
    off = rough = 0.0
    for height, (x, z) in zip(heights, along, strict=True):
        off = maximum(absolute(height - mean), off)
        rough = maximum(absolute(height - mean - x * slopes[0] - z * slopes[1]), rough)
    off, rough = off / radius, rough / radius
    steep = slopes[0] * slopes[0] + slopes[1] * slopes[1] > steepest * steepest
    even = (off <= steepest) & (off <= ROUGHNESS)
    bad = where(steep | (rough > ROUGHNESS), minimum(off / (2.0 * BRIDGED), 1.0), 0.0) + where(off > BRIDGED, 1.0, 0.0)
    unreachable = where(absolute(heights[10] - level) > step, 2.0, 0.0)
    return heights[10], *slopes, bad, unreachable, where(even, 0.0, 1.0)


def _foothold(place: Any, height: Any, slopes: Any, toe: Any) -> Any:
    """A foothold on a slope: place, normal, and the direction of the toes along the ground."""
    up = 1.0 / sqrt(1.0 + slopes[0] * slopes[0] + slopes[1] * slopes[1])
    rise = slopes[0] * toe[0] + slopes[1] * toe[1]
    level = 1.0 / sqrt(1.0 + rise * rise)
    normal = -slopes[0] * up, up, -slopes[1] * up
    return (place[0], height, place[1]), normal, (toe[0] * level, rise * level, toe[1] * level)


AROUND = RowFormula(_around, place=2, toe=2, heel=1, radius=1)
SURVEY = RowFormula(_surveyed, heights=11, toe=2, heel=1, level=1, step=1, limits=2)
FOOTHOLD = RowFormula(_foothold, place=2, height=1, slopes=2, toe=2)
