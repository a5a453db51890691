"""Step width: how far the feet of a pair keep apart, where they land and where they pass each other.

Feet are lines from heel to toe. A foot that points out has its heel further in, and so on: feet that point in different
directions, as in a turn, need more room between their tips.
"""

from __future__ import annotations

from typing import Any

from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.swing_arcs import bow, travel

PASSING = 0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85  # fractions of a path at which a foot passes the other leg


def _widening(gap: Any, left: Any, toe: Any, other_toe: Any, width: Any) -> Any:
    """Metres by which a foot must move outward, so that it is beside the other foot of its pair and not across it.

    Args:
        gap: x and z from the other tip to its own.
        left: x and z, to the left of the body.
        toe, other_toe: x and z, where the foot and the other one point.
        width: +1 for a left leg and −1 for a right one, least distance of the lines, length from tip to heel, and the
            distance along the body up to which feet are beside each other.
    """
    outward, apart, heel, beside = width
    aside = outward * (gap[0] * left[0] + gap[1] * left[1])
    ahead = gap[1] * left[0] - gap[0] * left[1]
    out, other_out = (outward * (one[0] * left[0] + one[1] * left[1]) for one in (toe, other_toe))
    own = heel * maximum(maximum(out, -TOE_RATIO * out), 0.0)
    other = heel * maximum(maximum(-other_out, TOE_RATIO * other_out), 0.0)
    share = minimum(maximum(2.0 - absolute(ahead) / beside, 0.0), 1.0)
    return share * maximum(apart + own + other - aside, 0.0)


def _left(toe: Any, at_rest: Any) -> Any:
    """X and z to the left of a body whose foot points somewhere, from where it points at rest."""
    return toe[0] * at_rest[0] + toe[1] * at_rest[1], toe[1] * at_rest[0] - toe[0] * at_rest[1]


def _widened(place: Any, toe: Any, at_rest: Any, other: Any, other_toe: Any, width: Any) -> Any:
    """A preferred foothold, x and z, moved outward to beside the other foot of the pair."""
    left = _left(toe, at_rest)
    by = width[0] * _widening((place[0] - other[0], place[1] - other[1]), left, toe, other_toe, width)
    return place[0] + by * left[0], place[1] + by * left[1]


def _round(
    start: Any, goal: Any, swing: Any, toe: Any, goal_toe: Any, at_rest: Any, other: Any, other_toe: Any, width: Any
) -> Any:
    """X and z of the arch with which a foot on its way from a start to a goal goes round the other foot of its pair.

    swing: the fraction that is over.
    """
    now, then = _left(toe, at_rest), _left(goal_toe, at_rest)
    left = now[0] + then[0], now[1] + then[1]
    size = sqrt(left[0] * left[0] + left[1] * left[1] + 1e-12)
    left, done, by = (left[0] / size, left[1] / size), travel(swing), 0.0
    for part in PASSING:
        rest = (1.0 - part) / maximum(1.0 - done, 1e-9)  # of the way that is left
        x, z = (b - (b - a) * rest for a, b in zip(start, goal, strict=True))
        near = _widening((x - other[0], z - other[1]), left, toe, other_toe, width)
        by = maximum(where(rest < 1.0, near, 0.0) / bow(part), by)
    return width[0] * by * left[0], width[0] * by * left[1]


PAIR: Any = {"at_rest": 2, "other": 2, "other_toe": 2, "width": 4}
WIDENED = RowFormula(_widened, place=2, toe=2, **PAIR)
ROUND = RowFormula(_round, start=2, goal=2, swing=1, toe=2, goal_toe=2, **PAIR)
