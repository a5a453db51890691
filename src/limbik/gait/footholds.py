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
ROUGHNESS = 0.4  # greatest deviation of the ground from a plane, over the foot's radius
BRIDGED = 1.6  # greatest deviation from level, over the foot's radius, where nothing better is found
# The sole of a foot with a heel: where the ground is looked at, ahead of the ball and over the length to the heel, and
# half its width over the foot's radius. It is looked at before the toes and behind the heel, too: both need room.
STATIONS = -1.0, -0.5, 0.0, TOE_RATIO
HALF_WIDTH = 0.4
HOLLOW = 0.25  # greatest deviation of the ground from a sole, over the radius of the foot
BEFORE_TOES, BEHIND_HEEL = 1.4 * TOE_RATIO, 1.15
FAR_AWAY = 1e9  # metres: a place that no foot is near

Survey = tuple[Real, Pair, Real]


def around(place: Pair, toe: Pair, shape: LegShape, kind: Kind) -> tuple[Sequence[Real], Sequence[Real]]:
    """All x, and all z, of the places under a foot: a ring, or both sides of a sole; behind, before it, the tip."""
    x, z = place
    heel, radius = shape.heel, kind.foot
    forward, left = (heel * toe[0], heel * toe[1]), (toe[1], -toe[0])
    side = HALF_WIDTH * radius
    ring = [(x + radius * a, z + radius * b) for a, b in DIRECTIONS]
    sole = [
        (x + part * forward[0] + sign * left[0], z + part * forward[1] + sign * left[1])
        for part in STATIONS
        for sign in (side, -side)
    ]
    there = [either(shape.heeled, b, a) for a, b in zip(ring, sole, strict=True)]
    there += [(x + part * forward[0], z + part * forward[1]) for part in (-BEHIND_HEEL, BEFORE_TOES, 0.0)]
    assert len(there) == AROUND
    return tuple(one[0] for one in there), tuple(one[1] for one in there)


def surveyed(heights: Sequence[Real], leg: Leg, shape: LegShape, kind: Kind) -> Survey:
    """The height and the slopes along x and z of a place, from heights `around` it; and how bad it is.

    0 where it suits, up to 1 where a foot may stand: too steep or too rough, the more so the further from level; more
    where it may not, as the ground is out of reach.
    """
    round_foot, sole = _below_ring(heights, kind), _below_sole(heights, leg, shape, kind)
    slope_x, slope_z, off, rough = (where(shape.heeled, b, a) for a, b in zip(round_foot, sole, strict=True))
    off, rough = off / kind.foot, rough / kind.foot
    steep = slope_x * slope_x + slope_z * slope_z > kind.steepest * kind.steepest
    refused = steep | (rough > ROUGHNESS)
    bad = where(refused, minimum(off / (2.0 * BRIDGED), 1.0), 0.0) + truth(off > BRIDGED)
    unreachable = truth(absolute(heights[10] - leg.level) > STEP * shape.length)
    return heights[10], (slope_x, slope_z), bad + 2.0 * unreachable


def _below_ring(heights: Sequence[Real], kind: Kind) -> tuple[Real, Real, Real, Real]:
    """The slopes along x and z of the ground on a ring, and how far it is from level, and from that plane, metres."""
    radius = kind.foot
    a, b, c, d, e, f, g, h = ring = heights[:8]
    mean = (((a + b) + (c + d)) + ((e + f) + (g + h))) * 0.125  # exact on level ground
    slopes = []
    for axis in (0, 1):
        total: Real = 0.0
        for one, height in zip(DIRECTIONS, ring, strict=True):
            total = total + one[axis] * height
        slopes.append(total / (4.0 * radius))
    offsets = [(radius * one[0], radius * one[1]) for one in DIRECTIONS]
    off: Real = 0.0
    rough: Real = 0.0
    for height, (x, z) in zip((*ring, heights[10]), (*offsets, (0.0, 0.0)), strict=True):
        off = maximum(absolute(height - mean), off)
        rough = maximum(absolute(height - mean - x * slopes[0] - z * slopes[1]), rough)
    return slopes[0], slopes[1], off, rough


def _below_sole(heights: Sequence[Real], leg: Leg, shape: LegShape, kind: Kind) -> tuple[Real, Real, Real, Real]:
    """The same of the ground under a foot with a heel, which may hang over an edge with its toes, or with its heel.

    Ground that is higher than the sole is in the way everywhere.
    """
    length, side = maximum(shape.heel, TINY), HALF_WIDTH * kind.foot
    behind, before, ball = heights[8:]
    heel, middle = (0.5 * (heights[k] + heights[k + 1]) for k in (0, 2))
    along, short = (ball - heel) / length, 2.0 * (ball - middle) / length
    hangs = ball - short * length - heel > HOLLOW * kind.foot
    along = where(hangs, short, along)
    across = (heights[2] - heights[3] + heights[4] - heights[5]) / (4.0 * side)
    places = [(part * length, sign) for part in STATIONS for sign in (side, -side)]
    places += [(-BEHIND_HEEL * length, 0.0), (BEFORE_TOES * length, 0.0)]
    off: Real = 0.0
    rough: Real = 0.0
    for k, (height, (ahead, left)) in enumerate(zip((*heights[:8], behind, before), places, strict=True)):
        over = height - ball - along * ahead - across * left
        hollow = -over if k in (2, 3, 4, 5) else where(hangs, 0.0, -over) if k in (0, 1) else 0.0
        rough = maximum(maximum(over, hollow), rough)
        off = maximum(absolute(height - ball), off)
    toe_x, toe_z = leg.new_toe
    rough = rough * (ROUGHNESS / HOLLOW)
    return along * toe_x + across * toe_z, along * toe_z - across * toe_x, maximum(rough, 0.5 * off), rough


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
    leg.around_x, leg.around_z = (tuple(one) for one in around(leg.at, leg.new_toe, shape, kind))
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
    choice.around_x, choice.around_z = (tuple(one) for one in around(choice.place, leg.new_toe, foot, kind))
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


def find_foothold(leg: Leg, shape: LegShape, kind: Kind) -> None:
    """Reads place and slope; turns the slope so that the heel is on the ground, too, unless it hangs over an edge.

    Writes place, normal and toes, and whether the heel is on the ground.
    """
    slope_x, slope_z = leg.best_slope
    toe_x, toe_z = leg.new_toe
    along = slope_x * toe_x + slope_z * toe_z
    back = shape.heel / sqrt(1.0 + along * along)
    drop = leg.best_y - leg.heel_y
    leg.found_heel = drop - along * back <= HOLLOW * kind.foot
    exact = where(shape.heeled & leg.found_heel, drop / maximum(back, TINY), along)
    slope_x, slope_z = slope_x + (exact - along) * toe_x, slope_z + (exact - along) * toe_z
    up = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
    rise = slope_x * toe_x + slope_z * toe_z
    level = 1.0 / sqrt(1.0 + rise * rise)
    leg.found_place = leg.best_place[0], leg.best_y, leg.best_place[1]
    leg.found_normal = -slope_x * up, up, -slope_z * up
    leg.found_toe = toe_x * level, rise * level, toe_z * level
