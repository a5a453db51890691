"""The nearest point to a wanted one that lies in every one of a few shells, in closed form.

A shell is the set of places of a limb's root from which its end reaches the target: a ball about the target without a
smaller ball in its middle. The nearest point of their intersection is the wanted point itself, or lies on one sphere,
on
the circle of two or at a corner of three: each of these candidates has a closed form, and the nearest one that lies in
all shells is the answer.

Plain loops over numbers: Numba compiles this text (`torso_kernel.py`), and Python runs it where Numba is missing.
"""

from math import sqrt

import numpy as np

from limbik.arrays import Array

TINY = 1e-300


def lies_inside(x: float, y: float, z: float, centres: Array, outer: Array, inner: Array, slack: float) -> bool:
    """Whether a point lies in all shells, to within `slack`."""
    for i in range(len(outer)):
        dx, dy, dz = x - centres[i, 0], y - centres[i, 1], z - centres[i, 2]
        distance = sqrt(dx * dx + dy * dy + dz * dz)
        if not (inner[i] - slack <= distance <= outer[i] + slack):
            return False
    return True


def keep_nearer(
    x: float, y: float, z: float, wanted: Array, centres: Array, outer: Array, inner: Array, slack: float, best: Array
) -> None:
    """Puts a candidate into `best` (x, y, z, squared distance) if it is nearer than that and lies in all shells."""
    dx, dy, dz = x - wanted[0], y - wanted[1], z - wanted[2]
    square = dx * dx + dy * dy + dz * dz
    if square < best[3] and lies_inside(x, y, z, centres, outer, inner, slack):
        best[0], best[1], best[2], best[3] = x, y, z, square


def circle(a: Array, ra: float, b: Array, rb: float, slack: float, found: Array) -> bool:
    """The circle of two spheres, as centre, unit normal and radius in `found` (7,); whether there is one."""
    ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    distance = sqrt(ex * ex + ey * ey + ez * ez)
    if distance <= slack:
        return False
    ex, ey, ez = ex / distance, ey / distance, ez / distance
    along = 0.5 * (distance + (ra - rb) * (ra + rb) / distance)
    square = (ra - along) * (ra + along)
    if square < -slack * (ra + rb + distance):
        return False
    found[0], found[1], found[2] = a[0] + along * ex, a[1] + along * ey, a[2] + along * ez
    found[3], found[4], found[5] = ex, ey, ez
    found[6] = sqrt(max(square, 0.0))
    return True


def nearest_in_shells(wanted: Array, centres: Array, outer: Array, inner: Array, slack: float, best: Array) -> bool:
    """Puts the nearest point of all shells to `wanted` (3,) into `best` (4,); whether the shells have one in common.

    centres: (shells, 3). outer, inner: (shells,), the radii. slack: what counts as rounding, in metres.
    """
    count = len(outer)
    best[0], best[1], best[2], best[3] = wanted[0], wanted[1], wanted[2], 0.0
    if lies_inside(wanted[0], wanted[1], wanted[2], centres, outer, inner, slack):
        return True
    best[3] = np.inf
    spheres = np.empty((2 * count, 4))
    total = 0
    hollow = False
    for i in range(2 * count):
        radius = outer[i] if i < count else inner[i - count]
        if i < count or radius > 0.0:
            for axis in range(3):
                spheres[total, axis] = centres[i % count, axis]
            spheres[total, 3] = radius
            hollow = hollow or i >= count
            total += 1
    for i in range(total):
        a, radius = spheres[i], spheres[i, 3]
        dx, dy, dz = wanted[0] - a[0], wanted[1] - a[1], wanted[2] - a[2]
        distance = sqrt(dx * dx + dy * dy + dz * dz)
        if (distance > radius) == (i < count):  # elsewhere this sphere does not hold the point back
            if distance <= TINY:
                dy, distance = 1.0, 1.0
            step = radius / distance
            keep_nearer(
                a[0] + step * dx, a[1] + step * dy, a[2] + step * dz, wanted, centres, outer, inner, slack, best
            )
    if best[3] < np.inf and not hollow:
        return True  # the nearest point of one ball, and in all others
    ring, point = np.empty(7), np.empty(3)
    for i in range(total):
        for j in range(i):
            if circle(spheres[i], spheres[i, 3], spheres[j], spheres[j, 3], slack, ring):
                nearest_on_ring(wanted, ring, point)
                keep_nearer(point[0], point[1], point[2], wanted, centres, outer, inner, slack, best)
                for k in range(j):
                    _corners(wanted, ring, spheres[k], centres, outer, inner, slack, best)
    return best[3] < np.inf


def nearest_on_ring(wanted: Array, ring: Array, point: Array) -> None:
    """Puts the point of a circle nearest to `wanted` into `point`."""
    dx, dy, dz = wanted[0] - ring[0], wanted[1] - ring[1], wanted[2] - ring[2]
    along = dx * ring[3] + dy * ring[4] + dz * ring[5]
    dx, dy, dz = dx - along * ring[3], dy - along * ring[4], dz - along * ring[5]
    size = sqrt(dx * dx + dy * dy + dz * dz)
    if size <= TINY:  # on the axis every point is as near
        dx, dy, dz = ring[4], -ring[3], 0.0
        if dx * dx + dy * dy < 1e-4:
            dx, dy, dz = 0.0, ring[5], -ring[4]
        size = sqrt(dx * dx + dy * dy + dz * dz)
    step = ring[6] / size
    point[0], point[1], point[2] = ring[0] + step * dx, ring[1] + step * dy, ring[2] + step * dz


def _corners(
    wanted: Array, ring: Array, sphere: Array, centres: Array, outer: Array, inner: Array, slack: float, best: Array
) -> None:
    """Tries the points in which a circle meets a sphere."""
    dx, dy, dz = sphere[0] - ring[0], sphere[1] - ring[1], sphere[2] - ring[2]
    off = dx * ring[3] + dy * ring[4] + dz * ring[5]
    dx, dy, dz = dx - off * ring[3], dy - off * ring[4], dz - off * ring[5]
    across = sqrt(dx * dx + dy * dy + dz * dz)
    if across <= slack:
        return
    dx, dy, dz = dx / across, dy / across, dz / across
    along = 0.5 * (across + (ring[6] * ring[6] - (sphere[3] - off) * (sphere[3] + off)) / across)
    square = (ring[6] - along) * (ring[6] + along)
    if square < -slack * (ring[6] + sphere[3] + across):
        return
    beside = sqrt(max(square, 0.0))
    sx, sy, sz = ring[4] * dz - ring[5] * dy, ring[5] * dx - ring[3] * dz, ring[3] * dy - ring[4] * dx
    for sign in (-1.0, 1.0):
        x = ring[0] + along * dx + sign * beside * sx
        y = ring[1] + along * dy + sign * beside * sy
        z = ring[2] + along * dz + sign * beside * sz
        keep_nearer(x, y, z, wanted, centres, outer, inner, slack, best)


def nearest_in_order(
    wanted: Array, centres: Array, outer: Array, inner: Array, ranks: Array, weights: Array, slack: float, found: Array
) -> None:
    """Puts the nearest point to `wanted` that keeps the shells, those of low rank first, into `found` (4,).

    ranks: (shells,), ascending. Of the first rank whose shells cannot all be kept, each in turn is kept first, and
    `found` is the mean of these points by weights (shells,).
    """
    if nearest_in_shells(wanted, centres, outer, inner, slack, found):
        return
    whole = np.zeros(len(outer))  # first as balls: that a target is too near matters less
    kept = 0
    while kept < len(outer):
        stop = kept + 1
        while stop < len(outer) and ranks[stop] == ranks[kept]:
            stop += 1
        if not nearest_in_shells(wanted, centres[:stop], outer[:stop], whole[:stop], slack, found):
            for i in range(kept):
                whole[i] = inner[i]
            if not nearest_in_shells(wanted, centres[:kept], outer[:kept], whole[:kept], slack, found):
                for i in range(kept):
                    whole[i] = 0.0
            _share_miss(wanted, centres[:stop], outer[:stop], whole[:stop], kept, weights, slack, found)
            return
        kept = stop
    # Not all shells have a point in common, but all balls: the last shells become balls.
    for last in range(len(outer) - 1, -1, -1):
        for i in range(len(outer)):
            whole[i] = inner[i] if i < last else 0.0
        if nearest_in_shells(wanted, centres, outer, whole, slack, found):
            return


def _share_miss(
    wanted: Array, centres: Array, outer: Array, inner: Array, kept: int, weights: Array, slack: float, found: Array
) -> None:
    """Puts the mean of the points that keep the first `kept` shells and then each of the others first into `found`."""
    count = len(outer)
    order = np.empty(count, np.int64)
    balls, radii = np.empty((count, 3)), np.empty(count)
    mean, total = np.zeros(3), 0.0
    for first in range(kept, count):
        order[kept] = first
        place = kept + 1
        for other in range(kept, count):
            if other != first:
                order[place] = other
                place += 1
        for i in range(count):
            which = i if i < kept else order[i]
            radii[i] = outer[which]
            for axis in range(3):
                balls[i, axis] = centres[which, axis]
        _nearest_one_by_one(wanted, balls, radii, inner, kept, slack, found)
        for axis in range(3):
            mean[axis] += weights[first] * found[axis]
        total += weights[first]
    for axis in range(3):
        mean[axis] /= total
    # Between points of hollow shells there may be a hollow.
    if not nearest_in_shells(mean, centres[:kept], outer[:kept], inner[:kept], slack, found):
        found[0], found[1], found[2] = mean[0], mean[1], mean[2]


def _nearest_one_by_one(
    wanted: Array, balls: Array, radii: Array, inner: Array, kept: int, slack: float, found: Array
) -> None:
    """Keeps balls in order; at the first that cannot be kept too, the nearest point to its centre is the answer."""
    for i in range(kept, len(radii)):
        nearest_in_shells(balls[i], balls[:i], radii[:i], inner[:i], slack, found)
        if sqrt(found[3]) > radii[i] + slack:
            return
    nearest_in_shells(wanted, balls, radii, inner, slack, found)
