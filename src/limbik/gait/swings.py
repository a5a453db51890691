"""Stages: the path of a swinging foot: a minimum-jerk curve along the ground, and an arch over it, half an ellipse.

Where it goes round another leg, the arch also leads aside, along a parabola.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.engines.numpy_engine import evaluate
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import Boolean, Pair, Real, absolute, cos, maximum, minimum, sin, sqrt, where
from limbik.formulas.vectors import along, choose, combine
from limbik.gait.arithmetic import TINY, clamped, either, length_of, opposite, truth
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.records import Body, Kind, Leg, LegShape, Mixed, Spot, SpotShape
from limbik.gait.step_width import round_pair

# Fractions of the path at which its clearance is checked; dense where the foot lifts off and touches down.
_NEAR = (0.0, 0.02, 0.04, 0.06, 0.08, 0.11, 0.15, 0.2, 0.27, 0.35, 0.45)
CHECKPOINT_PARTS = (*_NEAR, *(1.0 - part for part in reversed(_NEAR)))
PATH_CLEARANCE = 0.25  # least height of the path above the ground, over the lift of the foot
# Fractions of a leg's length:
REPLAN_DISTANCE = 0.03  # change of the preferred place that makes a foot in swing search again
MAX_LIFT = 0.45  # greatest lift; what is higher is not stepped over
STEP_HEIGHT = 0.15  # step, up or down, from which on a foot does not strike with its heel
BALL_FIRST = 0.45  # radians by which a heel is raised at touch-down a step lower, or over the strike, backwards

LONG_STEP, SLOWEST = 1.07, 0.4  # length over the usual of a step that takes longer, and the least rate of its swing
SHORTER = 0.5  # length of the step that a foot without a foothold tries, over that to the preferred place
MAX_TOE_BEND = 0.7  # radians, of toes to the foot
TOUCHING = 0.005  # distance of the ends of toes from the ground that they touch, over their length
EVEN = 0.2  # additional lift up to which the ground before a foot is even, over the distance from tip to heel
QUICK = 9.0  # initial acceleration of a foot in swing, over the length of the step, per swing²
BENDS = 3.0  # steps of Newton's method by which toes find the ground
LEAST_BEND_SLOPE = 0.3  # of the height of their ends, by the angle, over their length

COURSE = "tip", "normal", "toe"


# --- curves


def travel(swing: Real) -> Real:
    """The fraction of its path that a foot has covered after a fraction of its swing: minimum jerk."""
    return swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing))


def hump(part: Real) -> Real:
    """The height of half an ellipse at a fraction of the path, from 0 to 1 and back."""
    return 2.0 * sqrt(maximum(part * (1.0 - part), 0.0))


def hump_rate(swing: Real) -> Real:
    """The derivative of `hump(travel(swing))`; 0 at either end."""
    part = travel(swing)
    rest = swing * (1.0 - swing)
    return 30.0 * rest * rest * (1.0 - 2.0 * part) / maximum(0.5 * hump(part), TINY)


def bow(part: Real) -> Real:
    """The height of a parabola at a fraction of the path, from 0 to 1 and back."""
    return 4.0 * part * (1.0 - part)


def bow_rate(swing: Real) -> Real:
    """The derivative of `bow(travel(swing))`; 0 at either end."""
    rest = swing * (1.0 - swing)
    return 120.0 * rest * rest * (1.0 - 2.0 * travel(swing))


def advanced(step: Real, swing: Real, value: Real, goal: Real, rate: Real, force: Real) -> tuple[Real, Real, Real]:
    """A number that moves to a goal along a minimum-jerk curve, its rate and force, after a step of the swing.

    It starts from its present value and rate, so that it stays smooth when its goal changes, and still arrives in time,
    at rest. rate, force: the first and second derivative by the fraction of the swing.
    """
    left = maximum(1.0 - swing, TINY)
    t = minimum(step / left, 1.0)
    rest = 1.0 - t
    # The remaining distance to the goal is rest³ · (a + b t + c t²).
    a = value - goal
    b = 3.0 * a + left * rate
    c = 3.0 * (b - a) + (0.5 * left * left) * force
    whole, slope = a + t * (b + t * c), b + 2.0 * t * c
    there = goal + (rest * rest * rest) * whole
    speed = (rest * rest / left) * (rest * slope - 3.0 * whole)
    return there, speed, (rest / (left * left)) * (6.0 * whole - rest * (6.0 * slope - 2.0 * rest * c))


def advance_course(leg: Leg, step: Real, swing: Real) -> None:
    """Moves a foot on its course by a step of the swing."""
    for name in COURSE:
        of = [getattr(leg, f"{kind}_{name}") for kind in ("course", "goal", "rate", "force")]
        found = [advanced(step, swing, *numbers) for numbers in zip(*of, strict=True)]
        for kind, numbers in zip(("course", "rate", "force"), zip(*found, strict=True), strict=True):
            setattr(leg, f"{kind}_{name}", numbers)
    roll = advanced(step, swing, leg.course_roll, leg.goal_roll, leg.rate_roll, leg.force_roll)
    leg.course_roll, leg.rate_roll, leg.force_roll = roll


def strike_of(leg: Leg, shape: LegShape, body: Body, kind: Kind, gait: Mixed) -> Real:
    """Radians by which a foot points up at touch-down: its heel strikes first, after a step down or backwards its ball.

    Ground that slopes down under the foot, too, is no step.
    """
    x, rise, z = (a - b for a, b in zip(leg.found_place, leg.left, strict=True))
    step, slope = STEP_HEIGHT * shape.length, minimum(leg.found_toe[1], 0.0)
    even = 1.0 - smoothstep(minimum(absolute(rise) / step, 1.0))
    drop = slope * sqrt(x * x + z * z) - rise
    down = where(kind.rolls & shape.heeled, BALL_FIRST * smoothstep(clamped(drop / step, 0.0, 1.0)), 0.0)
    forward = forwardness(body)
    level = even * where(forward < 0.0, BALL_FIRST, 1.0) * gait.strike * forward
    return body.activity * (level - down)


def forwardness(body: Body) -> Real:
    """From 1 for a body that moves ahead to -1 for one that moves backwards."""
    left, ahead, _ = body.now
    return ahead / maximum(length_of(left, ahead), TINY)


# --- stages


def go_round(leg: Leg, shape: LegShape, partner: Leg, body: Body, kind: Kind) -> None:
    """Reads a foothold and the other leg of the pair; decides how far the path leads round that; writes the arch."""
    swing = where(leg.lifting, 0.0, leg.swing)
    start = leg.course_tip[0], leg.course_tip[2]
    goal = leg.found_place[0], leg.found_place[2]
    toe, goal_toe = (leg.course_toe[0], leg.course_toe[2]), (leg.found_toe[0], leg.found_toe[2])
    other, other_toe = (partner.hold[0], partner.hold[2]), (partner.goal_toe[0], partner.goal_toe[2])
    by = round_pair(start, goal, swing, toe, goal_toe, shape, other, other_toe)
    leg.aside = where(kind.paired, by[0], 0.0), where(kind.paired, by[1], 0.0)
    # With room beside it: a foot whose goal moves does not keep exactly to its path.
    size = sqrt(leg.aside[0] * leg.aside[0] + leg.aside[1] * leg.aside[1])
    more = 1.0 + kind.foot / maximum(size, TINY)
    leg.wide = leg.aside[0] * more, leg.aside[1] * more
    leg.arches = True
    leg.needed = 0.0
    body.arches = True


def place_spot(spot: Spot, shape: SpotShape, leg: Leg, foot: LegShape, body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads the path of a foot; writes where tip, heel and toes are at a checkpoint, and how high without an arch.

    A foot on a slope is inclined as the ground is.
    """
    swing = where(leg.lifting, 0.0, leg.swing)
    done = travel(swing)
    part = done + (1.0 - done) * shape.part
    x, y, z = (a + (b - a) * shape.part for a, b in zip(leg.course_tip, leg.found_place, strict=True))
    size = bow(part)
    x, z = x + leg.wide[0] * size, z + leg.wide[1] * size
    toe = [foot.heel * (a + (b - a) * shape.part) for a, b in zip(leg.course_toe, leg.found_toe, strict=True)]
    roll = leg.course_roll + (strike_of(leg, foot, body, kind, gait) - leg.course_roll) * shape.part
    raised = -foot.heel * sin(minimum(roll, 0.0))
    spot.open = leg.arches & leg.searches
    spot.open_heel = spot.open & foot.heeled
    spot.tip = x, z
    spot.heel = x - toe[0], z - toe[2]
    spot.toes = x + TOE_RATIO * toe[0], z + TOE_RATIO * toe[2]
    spot.heights = y, y - toe[1] + raised, y + TOE_RATIO * toe[1]
    spot.part = part


def begin_arches(body: Body) -> None:
    """Ends the checks of paths, unless a path has to be checked again."""
    body.arches = False


def clear_spot(spot: Spot, shape: SpotShape, leg: Leg, before: Spot, after: Spot, gait: Mixed, foot: LegShape) -> None:
    """Reads the ground at a checkpoint and beside it; writes, to the leg, the height of the arch that clears it."""
    tip = maximum(maximum(before.tip_ground, after.tip_ground), spot.tip_ground) - spot.heights[0]
    heel = maximum(maximum(before.heel_ground, after.heel_ground), spot.heel_ground) - spot.heights[1]
    toes = maximum(maximum(before.toes_ground, after.toes_ground), spot.toes_ground) - spot.heights[2]
    over = where(foot.heeled, maximum(tip, maximum(heel, toes)), tip)
    need = over / maximum(hump(spot.part), 1e-6) + PATH_CLEARANCE * gait.lift
    leg.needed = where(spot.open & shape.inner, maximum(need, leg.needed), leg.needed)


def choose_arch(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads the lift that a path needs; decides whether there is no way round the other leg, and it is checked anew."""
    needed = maximum(leg.needed, gait.lift)
    most = maximum(MAX_LIFT * shape.length, gait.lift)
    aside = (leg.aside[0] != 0.0) | (leg.aside[1] != 0.0)
    walled = leg.arches & aside & (needed > most)
    leg.aside = either(walled, (0.0, 0.0), leg.aside)
    leg.wide = leg.aside
    leg.arches = walled
    leg.needed = where(walled, 0.0, needed)
    body.arches = body.arches | walled


def choose_foothold(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads whether there is a foothold that the foot can get to; decides whether it is taken, or one nearer tried."""
    most = maximum(MAX_LIFT * shape.length, gait.lift)
    there = leg.there & (leg.needed <= most)
    leg.there = there
    leg.taken = there | leg.lost
    leg.needed = minimum(leg.needed, most)
    leg.bends = leg.taken & shape.heeled
    body.bends = body.bends | leg.bends
    body.round = 0.0
    leg.toe_angle = 0.0


def point_toes(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads the angle of the toes; writes where their ends are."""
    length = TOE_RATIO * shape.heel
    sine, cosine = sin(leg.toe_angle), cos(leg.toe_angle)
    end = along(leg.found_place, length, combine(cosine, leg.found_toe, sine, leg.found_normal))
    leg.toe_place = end[0], end[2]


def bend_toes(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads the ground below the ends of the toes; bends them towards it, and at last writes whether they touch it.

    Toes over an edge stay straight.
    """
    length = TOE_RATIO * shape.heel
    angle = leg.toe_angle
    sine, cosine = sin(angle), cos(angle)
    gap = leg.toe_y - leg.found_place[1] - length * (cosine * leg.found_toe[1] + sine * leg.found_normal[1])
    last = body.round >= BENDS
    slope = maximum(cosine * leg.found_normal[1] - sine * leg.found_toe[1], LEAST_BEND_SLOPE) * length
    bent = clamped(angle + gap / maximum(slope, TINY), -MAX_TOE_BEND, MAX_TOE_BEND)
    leg.toe_angle = where(last, angle, bent)
    down = (angle > -MAX_TOE_BEND) & (absolute(gap) <= TOUCHING * length)
    leg.toe_bend = where(last, where(down | (angle > 0.0), angle, 0.0), leg.toe_bend)
    leg.toes_down = where(last, truth(down), truth(leg.toes_down)) > 0.5
    leg.bends = opposite(last)


def count_bend(body: Body) -> None:
    """Counts the rounds in which toes are bent; ends them."""
    body.bends = body.round < BENDS
    body.round = body.round + 1.0


def aim(leg: Leg, shape: LegShape, body: Body, gait: Mixed, kind: Kind) -> None:
    """Reads a foothold; decides course, arch, heel strike and duration of the swing to it; writes these.

    Position and velocity stay continuous where the arch changes during the swing. A foothold far from the preferred
    place is kept for longer, since another search would likely find it again.
    """
    taken = leg.taken
    swing = where(leg.lifting, 0.0, leg.swing)
    place, normal, toe, lift = leg.found_place, leg.found_normal, leg.found_toe, leg.needed
    x, z = place[0] - leg.new_wish[0], place[2] - leg.new_wish[1]
    slack = REPLAN_DISTANCE * shape.length + 0.5 * sqrt(x * x + z * z)
    strike = strike_of(leg, shape, body, kind, gait)
    sine, cosine = sin(strike), cos(strike)
    heel = where(strike > 0.0, shape.heel, 0.0)
    tip = along(place, 1.0, combine((cosine - 1.0) * heel, toe, sine * heel, normal))
    last_sine = shape.lean_sine * cosine + shape.lean_cosine * sine
    last_cosine = shape.lean_cosine * cosine - shape.lean_sine * sine
    ankle = along(tip, -shape.last, combine(last_sine, toe, -last_cosine, normal))
    part = travel(swing)
    arch = leg.aside[0], lift, leg.aside[1]
    sizes, slopes = (bow(part), hump(part), bow(part)), (bow_rate(swing), hump_rate(swing), bow_rate(swing))
    less = [before - after for before, after in zip(leg.arch, arch, strict=True)]
    start: tuple[Real, ...] = tuple(a + b * c for a, b, c in zip(leg.course_tip, less, sizes, strict=True))
    rates: tuple[Real, ...] = tuple(a + b * c for a, b, c in zip(leg.rate_tip, less, slopes, strict=True))
    # A foot with a heel that leaves even ground is quick, or the knee would straighten.
    quick = where(kind.heeled & (swing == 0.0) & (lift - gait.lift <= EVEN * shape.heel), QUICK, 0.0)
    x, y, z = (b - a for a, b in zip(start, tip, strict=True))
    extra, left = maximum(lift - gait.lift, 0.0), 1.0 - part
    far = sqrt((x * x + y * y + z * z) / (left * left) + 9.0 * extra * extra)
    force = leg.force_tip
    leg.wish = either(taken, leg.new_wish, leg.wish)
    leg.hold = choose(taken, place, leg.hold)
    leg.slack = where(taken, slack * slack, leg.slack)
    leg.strike = where(taken, strike, leg.strike)
    leg.heel_down = where(taken, truth(leg.found_heel), truth(leg.heel_down)) > 0.5
    leg.goal_tip, leg.goal_normal = choose(taken, tip, leg.goal_tip), choose(taken, normal, leg.goal_normal)
    leg.goal_toe, leg.goal_roll = choose(taken, toe, leg.goal_toe), where(taken, strike, leg.goal_roll)
    leg.landing = choose(taken, ankle, leg.landing)
    leg.course_tip = choose(taken, start, leg.course_tip)  # type: ignore[arg-type]
    leg.rate_tip = choose(taken, rates, leg.rate_tip)  # type: ignore[arg-type]
    leg.force_tip = choose(taken, along(force, quick, (x, y, z)), force)
    pace = maximum(minimum(LONG_STEP * body.stride / maximum(far, TINY), 1.0), SLOWEST)
    leg.swing_rate = where(taken, pace, leg.swing_rate)
    leg.arch = choose(taken, arch, leg.arch)


def try_again(leg: Leg, body: Body) -> None:
    """Reads whether a foot has a foothold; lets it try a shorter step; writes where, or that it is stuck."""
    again = opposite(leg.there) & opposite(leg.second)
    start = leg.shorter
    leg.new_wish = either(again, start, leg.new_wish)
    leg.second = True
    leg.stuck = opposite(leg.there)
    leg.searches = again
    body.searches = body.searches | again


def begin_searches(body: Body) -> None:
    """Ends the searches, unless a foot tries again."""
    body.searches = False


def note_shorter(leg: Leg) -> None:
    """Writes the place that is tried where there is no foothold at the preferred one."""
    part = 1.0 - SHORTER
    x, z = leg.new_wish
    leg.shorter = x - part * (x - leg.hold[0]), z - part * (z - leg.hold[2])


def finish_lift(leg: Leg, body: Body, gait: Mixed) -> None:
    """Reads which feet were to lift off; puts those back that found no foothold, and moves the others on."""
    refused = leg.lifting & leg.stuck & opposite(leg.lost)
    leg.planted = leg.planted | refused
    leg.swing = where(refused, 0.0, leg.swing)
    leg.phase = where(refused, gait.duty, leg.phase)
    goes: Boolean = leg.lifting & opposite(refused)
    advance_course(leg, where(goes, leg.swing, 0.0), where(goes, 0.0, leg.swing))


# --- predictions


def path_of(step: Array, swing: Array, course: Sequence[Array], arch: Array) -> Array:
    """(3, samples, ...) Places of feet after steps (samples, ...) of their swing, if no goal moves.

    course: place, goal, rate and force, (3, ...) each. arch: (3, ...), as in `Leg`.
    """
    names = "value", "goal", "rate", "force"
    now = [
        evaluate(
            _value_after, step=(step,), swing=(swing,), **{name: (one,) for name, one in zip(names, of, strict=True)}
        )[0]
        for of in zip(*course, strict=True)
    ]
    bows, humps = evaluate(_arch_at, swing=(swing + step,))
    return np.array(now) + np.array([arch[0] * bows, arch[1] * humps, arch[2] * bows])


def _value_after(
    step: tuple[Real], swing: tuple[Real], value: tuple[Real], goal: tuple[Real], rate: tuple[Real], force: tuple[Real]
) -> Real:
    return advanced(step[0], swing[0], value[0], goal[0], rate[0], force[0])[0]


def _arch_at(swing: tuple[Real]) -> Pair:
    part = travel(swing[0])
    return bow(part), hump(part)
