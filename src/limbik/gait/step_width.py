"""Step width: how far the feet of a pair keep apart, where they land and where they pass each other.

Feet are lines from heel to toe. A foot that points out has its heel further in, and so on: feet that point in different
directions, as in a turn, need more room between their tips.
"""

from __future__ import annotations

from limbik.formulas.operations import Pair, Real, absolute, maximum, minimum, sqrt, where
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.records import LegShape

PASSING = 0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85  # fractions of a path at which a foot passes the other leg


def _widening(gap: Pair, left: Pair, toe: Pair, other_toe: Pair, shape: LegShape) -> Real:
    """Metres by which a foot must move outward, so that it is beside the other foot of its pair and not across it.

    gap: from the other tip to its own. left: unit, to the left of the body. toe, other_toe: where the feet point.
    """
    outward = shape.outward
    aside = outward * (gap[0] * left[0] + gap[1] * left[1])
    ahead = gap[1] * left[0] - gap[0] * left[1]
    out, other_out = (outward * (one[0] * left[0] + one[1] * left[1]) for one in (toe, other_toe))
    own = shape.heel * maximum(maximum(out, -TOE_RATIO * out), 0.0)
    other = shape.heel * maximum(maximum(-other_out, TOE_RATIO * other_out), 0.0)
    share = minimum(maximum(2.0 - absolute(ahead) / shape.beside, 0.0), 1.0)
    return share * maximum(shape.apart + own + other - aside, 0.0)


def _left(toe: Pair, at_rest: Pair) -> Pair:
    """The direction to the left of a body whose foot points somewhere, from where it points at rest."""
    return toe[0] * at_rest[0] + toe[1] * at_rest[1], toe[1] * at_rest[0] - toe[0] * at_rest[1]


def widened(place: Pair, toe: Pair, shape: LegShape, other: Pair, other_toe: Pair) -> Pair:
    """A preferred foothold moved outward to beside the other foot of the pair."""
    left = _left(toe, shape.toe)
    by = shape.outward * _widening((place[0] - other[0], place[1] - other[1]), left, toe, other_toe, shape)
    return place[0] + by * left[0], place[1] + by * left[1]


def round_pair(
    start: Pair, goal: Pair, swing: Real, toe: Pair, goal_toe: Pair, shape: LegShape, other: Pair, other_toe: Pair
) -> Pair:
    """X and z of the arch with which a foot on its way from a start to a goal goes round the other foot of its pair.

    swing: the fraction that is over.
    """
    now, then = _left(toe, shape.toe), _left(goal_toe, shape.toe)
    x, z = now[0] + then[0], now[1] + then[1]
    size = sqrt(x * x + z * z + 1e-12)
    left = x / size, z / size
    done = swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing))
    by: Real = 0.0
    for part in PASSING:
        rest = (1.0 - part) / maximum(1.0 - done, 1e-9)  # of the way that is left
        x, z = (b - (b - a) * rest for a, b in zip(start, goal, strict=True))
        near = _widening((x - other[0], z - other[1]), left, toe, other_toe, shape)
        by = maximum(where(rest < 1.0, near, 0.0) / (4.0 * part * (1.0 - part)), by)
    return shape.outward * by * left[0], shape.outward * by * left[1]
