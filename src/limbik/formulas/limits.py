"""Ranges of the last joint: the nearest pose within them, in closed form.

Within the bending plane, with angles from the aim towards the knee's side, the links have the angles φ1, φ2, φ3. The
middle joint bends by K = φ1 − φ2 in its range, the last by φ2 − φ3 in its own. A pose that is not free to be the one
asked for has one of the two at an end of its range, so there are a handful of candidates, each a two-link problem; the
best of them is the nearest pose.
"""

from limbik.formulas.angles import wrap
from limbik.formulas.operations import (
    EPSILON,
    Real,
    Truth,
    Vector,
    absolute,
    atan2,
    cos,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)
from limbik.formulas.three_link import ThreeLinkPose, hinge_sign
from limbik.formulas.triangle import asymmetry_ratio, clamp, middle_joint, total_and_asymmetry
from limbik.formulas.vectors import along, choose, combine, dot, scale, unit

Pair = tuple[Real, Real]
Links = tuple[Real, Real, Real]  # lengths of the three links
Ranges = tuple[Real, Real, Real, Real]  # middle joint from, to; last joint from, to
Planar = tuple[Real, Real, Real]  # φ1, φ2, φ3


def length_2d(x: Real, y: Real) -> Real:
    """Length of a vector in the plane."""
    return sqrt(x * x + y * y)


def into_range(angle: Real, low: Real, high: Real) -> Real:
    """The angle of [low, high] nearest to the given one on the circle."""
    centre = 0.5 * (low + high)
    half = 0.5 * (high - low)
    return centre + minimum(maximum(wrap(wrap(angle - centre)), -half), half)


def in_range(angle: Real, low: Real, high: Real) -> Truth:
    """Whether an angle lies in [low, high], but for rounding."""
    return absolute(wrap(angle - into_range(angle, low, high))) <= 64.0 * EPSILON


def ankle_miss(pose: Planar, links: Links, asked: Real) -> Real:
    """How far the ankle is from (asked, 0)."""
    first, second, _ = links
    phi1, phi2, _ = pose
    x = first * cos(phi1) + second * cos(phi2) - asked
    return length_2d(x, first * sin(phi1) + second * sin(phi2))


def last_at(bound: Real, last: Real, links: Links, ranges: Ranges, asked: Real) -> Planar:
    """The pose with the last link in the direction `last`, its joint at `bound`, and the ankle nearest (asked, 0)."""
    _, second, _ = links
    low, high, _, _ = ranges
    phi2 = last + bound
    phi1 = atan2(-second * sin(phi2), asked - second * cos(phi2))
    return phi2 + into_range(phi1 - phi2, low, high), phi2, last


def middle_at(bound: Real, last: Real, links: Links, ranges: Ranges) -> Planar:
    """The pose with the last link in the direction `last`, the middle joint at `bound`, and the ankle best aimed."""
    first, second, _ = links
    _, _, low, high = ranges
    phi2 = -atan2(first * sin(bound), first * cos(bound) + second)
    phi2 = last + into_range(phi2 - last, low, high)
    return phi2 + bound, phi2, last


def best_of(candidates: list[tuple[Real, Planar]]) -> Planar:
    """The pose with the lowest score, the first of equals."""
    best, (phi1, phi2, phi3) = candidates[0]
    for score, (a, b, c) in candidates[1:]:
        wins = score < best
        phi1, phi2, phi3 = where(wins, a, phi1), where(wins, b, phi2), where(wins, c, phi3)
        best = where(wins, score, best)
    return phi1, phi2, phi3


def nearest_for_up(last: Real, links: Links, ranges: Ranges, asked: Real) -> Planar:
    """The pose within the ranges that keeps the last link's direction and brings the ankle nearest to (asked, 0)."""
    low1, high1, low2, high2 = ranges
    candidates = [last_at(bound, last, links, ranges, asked) for bound in (low2, high2)]
    candidates += [middle_at(bound, last, links, ranges) for bound in (low1, high1)]
    return best_of([(ankle_miss(pose, links, asked), pose) for pose in candidates])


def two_bar(first: Real, second: Real, goal: Pair, sign: Real) -> Pair:
    """Directions of two bars in the plane that reach the goal, or come nearest; `sign` says to which side they bend."""
    x, y = goal
    total, asymmetry = total_and_asymmetry(first, second)
    chord = clamp(length_2d(x, y) / total, absolute(asymmetry), 1.0)
    ratio = asymmetry_ratio(chord, asymmetry)
    ahead, beside = middle_joint(chord, ratio)
    heading = atan2(y, x)
    return heading + sign * atan2(beside, ahead), heading - sign * atan2(beside, chord - ahead)


def tip_score(pose: Planar, links: Links, ranges: Ranges, goal: Pair, wish: Real) -> Real:
    """How bad a pose is: out of range beats nothing, then the tip's miss, then the last link's turn from its wish."""
    first, second, third = links
    low1, high1, low2, high2 = ranges
    phi1, phi2, phi3 = pose
    gx, gy = goal
    x = first * cos(phi1) + second * cos(phi2) + third * cos(phi3) - gx
    y = first * sin(phi1) + second * sin(phi2) + third * sin(phi3) - gy
    miss = length_2d(x, y) / (first + second + third)
    turn = absolute(wrap(wrap(wrap(phi3 - wish))))
    allowed = in_range(wrap(phi1 - phi2), low1, high1) & in_range(wrap(phi2 - phi3), low2, high2)
    return where(allowed, where(miss <= 1024.0 * EPSILON, turn, 8.0 + miss), 1.0e9)


def middle_edge(bound: Real, sign: Real, links: Links, goal: Pair) -> Planar:
    """The pose with the middle joint at `bound` that brings the tip to the goal: first two links as one bar."""
    first, second, third = links
    x = first * cos(bound) + second
    y = first * sin(bound)
    bar, phi3 = two_bar(length_2d(x, y), third, goal, sign)
    phi2 = bar - atan2(y, x)
    return phi2 + bound, phi2, phi3


def last_edge(bound: Real, sign: Real, links: Links, goal: Pair) -> Planar:
    """The pose with the last joint at `bound` that brings the tip to the goal: last two links as one bar."""
    first, second, third = links
    x = second + third * cos(bound)
    y = -third * sin(bound)
    phi1, bar = two_bar(first, length_2d(x, y), goal, sign)
    phi2 = bar - atan2(y, x)
    return phi1, phi2, phi2 - bound


def corner(bound: Real, last_bound: Real, links: Links, goal: Pair) -> Planar:
    """The pose with both joints at the ends of their ranges, aimed at the goal."""
    first, second, third = links
    gx, gy = goal
    x = first * cos(bound) + second + third * cos(last_bound)
    y = first * sin(bound) - third * sin(last_bound)
    phi2 = atan2(gy, gx) - atan2(y, x)
    return phi2 + bound, phi2, phi2 - last_bound


def nearest_for_position(wish: Real, links: Links, ranges: Ranges, goal: Pair) -> Planar:
    """The pose within the ranges that brings the tip to the goal, or nearest; then the last link nearest its wish."""
    low1, high1, low2, high2 = ranges
    candidates = [corner(bound, last_bound, links, goal) for bound in (low1, high1) for last_bound in (low2, high2)]
    candidates += [middle_edge(bound, sign, links, goal) for bound in (low1, high1) for sign in (1.0, -1.0)]
    candidates += [last_edge(bound, sign, links, goal) for bound in (low2, high2) for sign in (1.0, -1.0)]
    return best_of([(tip_score(pose, links, ranges, goal, wish), pose) for pose in candidates])


def three_link_limit(
    pose: ThreeLinkPose,
    lengths: Vector,
    target: Vector,
    up: Vector,
    ranges: Ranges,
    position_first: bool,
    fixed_frame: bool,
) -> tuple[Vector, Vector, Vector, Vector, Vector, Real]:
    """Target, up, aim, side and sides of the nearest pose within the ranges; 1 where it is not the one asked for."""
    origin, aim, side, direction, (bend, axis, upper), _, total, chord, ratio, _, invalid = pose
    first, second, third = lengths
    _, _, low, high = ranges
    knee_side = scale(bend, side)
    x, y = middle_joint(chord, ratio)
    foot = atan2(dot(direction, knee_side), dot(direction, aim))
    free = in_range(wrap(-atan2(y, chord - x) - foot), low, high) | invalid
    # Lengths as fractions of their sum keep every size of limb in one range of numbers.
    size = total + third
    links = (first / size, second / size, third / size)
    reach = combine(1.0, target, -1.0, origin)
    last = direction
    if position_first:
        goal = (dot(reach, aim) / size, dot(reach, knee_side) / size)
        wish, amount = unit(up)
        turned = where(amount > 0.0, atan2(dot(wish, knee_side), dot(wish, aim)), foot)
        phi1, phi2, phi3 = nearest_for_position(turned, links, ranges, goal)
        last = combine(cos(phi3), aim, sin(phi3), knee_side)
    else:
        _, asked = unit(along(reach, -third, direction))
        phi1, phi2, _ = nearest_for_up(foot, links, ranges, asked / size)
    ahead = first * cos(phi1) + second * cos(phi2)
    beside = first * sin(phi1) + second * sin(phi2)
    ankle = combine(ahead, aim, beside, knee_side)
    # An ankle folded back onto the origin has no direction: there the first link's normal serves as the aim.
    folded = length_2d(ahead, beside) <= 16.0 * EPSILON * size
    ahead = where(folded, -sin(phi1), ahead)
    beside = where(folded, cos(phi1), beside)
    turned_aim, _ = unit(combine(ahead, aim, beside, knee_side))
    turned_side, _ = unit(combine(-bend * beside, aim, bend * ahead, knee_side))
    held_aim = choose(free, aim, turned_aim)
    held_side = choose(free, side, turned_side)
    return (
        choose(free, target, along(along(origin, 1.0, ankle), third, last)),
        choose(free, direction, last),
        held_aim,
        held_side,
        (bend, hinge_sign(held_side, held_aim, axis, fixed_frame), upper),
        where(free, 0.0, 1.0),
    )
