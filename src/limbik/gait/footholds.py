"""Stages: where a foot can stand. Ground that is too steep, or has an edge under the foot, is rejected.

The preferred place is looked at first; where it does not suit, rings of places around it, two at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from limbik.formulas.operations import Pair, Real, absolute, maximum, minimum, sqrt, where
from limbik.gait.arithmetic import TINY, either, seen_from, truth
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.records import AROUND, RING_PLACES, Body, Choice, ChoiceShape, Kind, Leg, LegShape, Section
from limbik.gait.step_width import widened

DIRECTIONS = tuple((cos(k * pi / 4.0), sin(k * pi / 4.0)) for k in range(8))
RINGS = 16  # of alternatives to a rejected place
ROUNDS = 8.0 * RINGS / RING_PLACES  # in which they are looked at
SEARCH_RADIUS = 0.3  # greatest distance of a foothold from the preferred place, over the leg's length
STEP = 0.35  # greatest height of a step, up or down, over the leg's length
REJECTION_COST = 1e6  # a suitable place costs its squared distance, over the search radius
TOE_MARGIN = 1.4  # how far before the foot the ground is looked at, over the length of the toes
ROUGHNESS = 0.4  # greatest deviation of the ground from a plane, over the foot's radius
BRIDGED = 1.6  # greatest deviation from level, over the foot's radius, where nothing better is found
MIDDLE = 0.5 - 0.5 * TOE_RATIO  # of the ground under a foot, behind its tip, over the length to the heel
FRONT = TOE_MARGIN * TOE_RATIO  # the place before the toes, over the length to the heel
FAR_AWAY = 1e9  # metres: a place that no foot is near

Survey = tuple[Real, Pair, Real]


def around(place: Pair, toe: Pair, heel: Real, radius: Real) -> tuple[Sequence[Real], Sequence[Real]]:
    """All x, and all z, of the places under a foot: a ring, the heel, before the toes, the tip."""
    x, z = place
    back = heel * toe[0], heel * toe[1]
    middle_x, middle_z = x - MIDDLE * back[0], z - MIDDLE * back[1]
    ring = [(radius * a + middle_x, radius * b + middle_z) for a, b in DIRECTIONS]
    there = [*ring, (x - back[0], z - back[1]), (x + FRONT * back[0], z + FRONT * back[1]), (x, z)]
    assert len(there) == AROUND
    return tuple(one[0] for one in there), tuple(one[1] for one in there)


def surveyed(heights: Sequence[Real], leg: Leg, shape: LegShape, kind: Kind) -> Survey:
    """The height and the slopes along x and z of a place, from heights `around` it; and how bad it is.

    0 where it suits, up to 1 where a foot may stand: too steep or too rough, the more so the further from level; more
    where it may not, as the ground is out of reach.
    """
    radius, heel, toe = kind.foot, shape.heel, leg.new_toe
    a, b, c, d, e, f, g, h = ring = heights[:8]
    mean = (((a + b) + (c + d)) + ((e + f) + (g + h))) * 0.125  # exact on level ground
    slopes = []
    for axis in (0, 1):
        total: Real = 0.0
        for one, height in zip(DIRECTIONS, ring, strict=True):
            total = total + one[axis] * height
        slopes.append(total / (4.0 * radius))
    offsets = [(radius * one[0], radius * one[1]) for one in DIRECTIONS]
    offsets += [(part * heel * toe[0], part * heel * toe[1]) for part in (MIDDLE - 1.0, MIDDLE + FRONT, MIDDLE)]
    off: Real = 0.0
    rough: Real = 0.0
    for height, (x, z) in zip(heights, offsets, strict=True):
        off = maximum(absolute(height - mean), off)
        rough = maximum(absolute(height - mean - x * slopes[0] - z * slopes[1]), rough)
    off, rough = off / radius, rough / radius
    steep = slopes[0] * slopes[0] + slopes[1] * slopes[1] > kind.steepest * kind.steepest
    refused = steep | (rough > ROUGHNESS)
    bad = where(refused, minimum(off / (2.0 * BRIDGED), 1.0), 0.0) + truth(off > BRIDGED)
    unreachable = truth(absolute(heights[10] - leg.level) > STEP * shape.length)
    return heights[10], (slopes[0], slopes[1]), bad + 2.0 * unreachable


def _cost(distance: Real, bad: Real, crowded: Real) -> Real:
    """What a place costs: its squared distance, if it suits."""
    refused = truth(bad > 0.0) * (1.0 + bad) + 10.0 * truth(bad > 1.0)
    return distance + REJECTION_COST * (refused + crowded)


# --- stages


def prefer_place(leg: Leg, shape: LegShape, section: Section, partner: Leg, body: Body, kind: Kind) -> None:
    """Reads the preferred place; keeps it beside the other foot of the pair; writes where the search begins.

    Writes the height that the ground is expected to have there, too, from the plane through the feet.
    """
    x, z = leg.new_wish
    left, ahead = seen_from(section.sine, section.cosine, x - section.middle[0], z - section.middle[1])
    level = section.level + section.slope * ahead + section.across * left
    leg.level = where(body.stands, level, leg.level)
    other, other_toe = (partner.hold[0], partner.hold[2]), (partner.goal_toe[0], partner.goal_toe[2])
    beside = widened((x, z), leg.new_toe, shape, other, other_toe)
    leg.at = either(kind.paired & body.stands, beside, (x, z))
    leg.around_x, leg.around_z = (tuple(one) for one in around(leg.at, leg.new_toe, shape.heel, kind.foot))
    leg.crowded = False


def crowd_foot(foot: Leg, other: Leg, kind: Kind) -> None:
    """Reads where another foot stands, or will; writes whether the preferred place is too near to it."""
    x, z = foot.at[0] - other.hold[0], foot.at[1] - other.hold[2]
    foot.crowded = foot.crowded | (x * x + z * z < kind.apart * kind.apart)


def survey_place(leg: Leg, shape: LegShape, body: Body, kind: Kind) -> None:
    """Reads the ground around the preferred place; decides whether a foot can stand there; writes it as the best."""
    height, slope, bad = surveyed(leg.around_y, leg, shape, kind)
    leg.best_place, leg.best_y, leg.best_slope, leg.best_bad = leg.at, height, slope, bad
    leg.best = _cost(0.0, bad, truth(leg.crowded))
    leg.seeks = leg.best > 0.5 * REJECTION_COST
    leg.there = True
    body.seeks = body.seeks | leg.seeks
    body.round = 0.0


def place_choice(choice: Choice, shape: ChoiceShape, leg: Leg, foot: LegShape, body: Body, kind: Kind) -> None:
    """Reads the round; writes an alternative in its rings, and the places around it."""
    part = (shape.ring + (RING_PLACES / 8.0) * body.round) * (1.0 / RINGS)
    x, z = part * shape.direction[0], part * shape.direction[1]
    far = SEARCH_RADIUS * foot.length
    choice.open = leg.seeks & leg.searches
    choice.place = leg.at[0] + far * x, leg.at[1] + far * z
    choice.cost = x * x + z * z
    choice.around_x, choice.around_z = (tuple(one) for one in around(choice.place, leg.new_toe, foot.heel, kind.foot))
    choice.crowded = False


def crowd_choice(choice: Choice, other: Leg, kind: Kind) -> None:
    """Reads where another foot stands, or will; writes whether an alternative is too near to it."""
    x, z = choice.place[0] - other.hold[0], choice.place[1] - other.hold[2]
    choice.crowded = choice.crowded | (x * x + z * z < kind.apart * kind.apart)


def survey_choice(choice: Choice, leg: Leg, foot: LegShape, kind: Kind) -> None:
    """Reads the ground around an alternative; writes it as the leg's best, if it is better than those before."""
    height, slope, bad = surveyed(choice.around_y, leg, foot, kind)
    cost = _cost(choice.cost, bad, truth(choice.crowded))
    better = cost < leg.best
    leg.best = where(better, cost, leg.best)
    leg.best_place = either(better, choice.place, leg.best_place)
    leg.best_y = where(better, height, leg.best_y)
    leg.best_slope = either(better, slope, leg.best_slope)
    leg.best_bad = where(better, bad, leg.best_bad)


def begin_seeking(body: Body) -> None:
    """Counts a round of alternatives; ends them, unless a leg goes on."""
    body.round = body.round + 1.0
    body.seeks = False


def judge_choices(leg: Leg, body: Body) -> None:
    """Reads the best place so far; decides whether to look further; writes that, and whether a foot can stand there."""
    goes_on = leg.seeks & (leg.best > 0.5 * REJECTION_COST) & (body.round < ROUNDS)
    leg.there = where(leg.seeks, truth(leg.best_bad <= 1.0), truth(leg.there)) > 0.5
    leg.seeks = goes_on
    body.seeks = body.seeks | goes_on


def place_heel(leg: Leg, shape: LegShape) -> None:
    """Reads the foothold; writes where the heel is, of a foot that has one."""
    leg.heel_searches = leg.searches & shape.heeled
    along = leg.best_slope[0] * leg.new_toe[0] + leg.best_slope[1] * leg.new_toe[1]
    back = shape.heel / sqrt(1.0 + along * along)
    leg.heel_place = leg.best_place[0] - back * leg.new_toe[0], leg.best_place[1] - back * leg.new_toe[1]


def find_foothold(leg: Leg, shape: LegShape) -> None:
    """Reads place and slope; turns the slope so that the heel is on the ground, too; writes place, normal and toes."""
    slope_x, slope_z = leg.best_slope
    toe_x, toe_z = leg.new_toe
    along = slope_x * toe_x + slope_z * toe_z
    back = shape.heel / sqrt(1.0 + along * along)
    exact = where(shape.heeled, (leg.best_y - leg.heel_y) / maximum(back, TINY), along)
    slope_x, slope_z = slope_x + (exact - along) * toe_x, slope_z + (exact - along) * toe_z
    up = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
    rise = slope_x * toe_x + slope_z * toe_z
    level = 1.0 / sqrt(1.0 + rise * rise)
    leg.found_place = leg.best_place[0], leg.best_y, leg.best_place[1]
    leg.found_normal = -slope_x * up, up, -slope_z * up
    leg.found_toe = toe_x * level, rise * level, toe_z * level
