"""Step width: how far the feet of a pair keep apart, where they land and where they pass each other."""

from __future__ import annotations

from typing import Any

from limbik.formulas.operations import absolute, maximum, minimum
from limbik.gait.leg_geometry import TOE_RATIO

WIDTH_NUMBERS = 4  # of `widening`: +1 for a left leg and −1 for a right one, least width, foot's length, overlap


def widening(gap: Any, left: Any, toe: Any, other_toe: Any, width: Any) -> Any:
    """Metres by which a foot must move outward, so that it is beside the other foot of its pair and not across it.

    Feet are lines from heel to toe. A foot that points out has its heel further in, and so on: feet that point in
    different directions, as in a turn, need more room between their tips.

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
