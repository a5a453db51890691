"""Ranges of the last joint: the nearest pose within them, in closed form.

Within the bending plane, with angles from the aim towards the knee's side, the links have the angles φ1, φ2, φ3. The
middle joint bends by K = φ1 − φ2 in its range, the last by L = φ2 − φ3 in its own. Where the requested pose is out of
range, the nearest pose has one of the two at an end of its range, so there are a handful of candidates, each a two-link
problem; the best of them is the nearest pose.

A pose is described by its chord, which fixes K (triangle.py), and by L. The aim at its ankle has the angle φ3 + L + α,
where α is the angle from the second link to the chord.
"""

from collections.abc import Sequence

from limbik.formulas.angles import PI, wrap
from limbik.formulas.operations import (
    EPSILON,
    Boolean,
    Pair,
    Real,
    Vector,
    absolute,
    atan2,
    cos,
    minimum,
    sin,
    sqrt,
    where,
)
from limbik.formulas.three_link import ThreeLinkPose, hinge_sign
from limbik.formulas.triangle import (
    asymmetry_ratio,
    bend_angle,
    chord_at,
    clamp,
    middle_joint,
    proportions,
    total_and_asymmetry,
)
from limbik.formulas.vectors import along, choose, combine, dot, nan_where, unit

Links = tuple[Real, Real, Real]  # lengths of the three links
Ranges = tuple[Real, Real, Real, Real]  # middle joint from, to; last joint from, to
Candidate = tuple[Real, Real, Real]  # K, L and φ3

# Beyond this many times the limb's length, candidates are compared by direction: their distances would round alike.
FAR_LENGTHS = 4.0


def length_2d(x: Real, y: Real) -> Real:
    """Length of a vector in the plane."""
    return sqrt(x * x + y * y)


def near_range(angle: Real, low: Real, high: Real) -> Real:
    """The angle as a number within half a turn of the middle of [low, high]; it may be off by three turns at most."""
    centre = 0.5 * (low + high)
    return centre + wrap(wrap(wrap(angle - centre)))


def into_range(angle: Real, low: Real, high: Real) -> Real:
    """The angle of [low, high] nearest to an angle on the circle."""
    return clamp(near_range(angle, low, high), low, high)


def in_range(angle: Real, low: Real, high: Real) -> Boolean:
    """Whether an angle lies in [low, high], but for rounding."""
    angle = near_range(angle, low, high)
    return absolute(angle - clamp(angle, low, high)) <= 64.0 * EPSILON


def shank_angle(chord: Real, asymmetry: Real) -> Real:
    """The angle α from the second link to the chord, in [0, π]."""
    x, y = middle_joint(chord, asymmetry_ratio(chord, asymmetry))
    return atan2(y, chord - x)


def knee_angle(chord: Real, asymmetry: Real) -> Real:
    """The bend K of the middle joint, in [0, π]."""
    x, y = middle_joint(chord, asymmetry_ratio(chord, asymmetry))
    return bend_angle(chord, x, y)


def best_of(candidates: list[tuple[Real, tuple[Real, ...]]]) -> tuple[Real, ...]:
    """The candidate with the lowest score, the first of equals."""
    best, chosen = candidates[0]
    for score, numbers in candidates[1:]:
        wins = score < best
        chosen = tuple(where(wins, a, b) for a, b in zip(numbers, chosen, strict=True))
        best = where(wins, score, best)
    return chosen


# --- up first: the last link's direction is kept, lengths are fractions of the first two links


def ankle_score(chord: Real, bend: Real, last: Real, distance: Real, asymmetry: Real) -> Real:
    """Grows with the distance of the ankle from (distance, 0)."""
    direction = last + bend + shank_angle(chord, asymmetry)
    x = chord * cos(direction)
    y = chord * sin(direction)
    far = distance > FAR_LENGTHS
    x_miss = x - minimum(distance, FAR_LENGTHS)
    return where(far, chord * chord / where(far, distance, 1.0) - 2.0 * x, x_miss * x_miss + y * y)


def nearest_for_up(last: Real, distance: Real, asymmetry: Real, reachable: Sequence[Real], ranges: Ranges) -> Pair:
    """Chord and L of the pose within the ranges that brings the ankle nearest to (distance, 0), for φ3 = last."""
    low1, high1, low2, high2 = ranges
    second = 0.5 * (1.0 - asymmetry)
    candidates: list[Pair] = []
    for bound in (low2, high2):  # the last joint at an end: the first link points at what remains
        phi2 = last + bound
        phi1 = atan2(-second * sin(phi2), minimum(distance, FAR_LENGTHS / EPSILON) - second * cos(phi2))
        chord = chord_at(cos(into_range(phi1 - phi2, low1, high1)), asymmetry)
        candidates.append((clamp(chord, *reachable), bound))
    for chord in reachable:  # the middle joint at an end: the first two links are one bar
        candidates.append((chord, into_range(-shank_angle(chord, asymmetry) - last, low2, high2)))
    chord, bend = best_of([(ankle_score(*one, last, distance, asymmetry), one) for one in candidates])
    return chord, bend


def requested_bends(last: Real, distance: Real, asymmetry: Real, reachable: Sequence[Real]) -> tuple[Real, Real, Real]:
    """Chord, K and L of the pose that a limb without limits takes, for φ3 = last."""
    chord = clamp(distance, *reachable)
    return chord, knee_angle(chord, asymmetry), -shank_angle(chord, asymmetry) - last


def bends_within(
    last: Real, distance: Real, asymmetry: Real, reachable: Sequence[Real], ranges: Ranges
) -> tuple[Boolean, Real, Real, Real]:
    """Whether that pose is within the ranges; chord, K and L of it if so, else of the nearest one."""
    _, _, low, high = ranges
    chord, bend, last_bend = requested_bends(last, distance, asymmetry, reachable)
    free = in_range(last_bend, low, high)
    nearest_chord, nearest_bend = nearest_for_up(last, distance, asymmetry, reachable, ranges)
    bend = where(free, bend, knee_angle(nearest_chord, asymmetry))
    return free, where(free, chord, nearest_chord), bend, where(free, into_range(last_bend, low, high), nearest_bend)


# --- position first: the tip is brought to the goal, lengths are fractions of the whole limb


def two_bar(first: Real, second: Real, goal: Pair, sign: Real) -> Pair:
    """Directions of two bars in the plane that reach the goal, or come nearest; `sign` says to which side they bend."""
    x, y = goal
    total, asymmetry = total_and_asymmetry(first, second)
    chord = clamp(length_2d(x, y) / total, absolute(asymmetry), 1.0)
    ahead, beside = middle_joint(chord, asymmetry_ratio(chord, asymmetry))
    heading = atan2(y, x)
    return heading + sign * atan2(beside, ahead), heading - sign * atan2(beside, chord - ahead)


def middle_edge(bound: Real, sign: Real, links: Links, goal: Pair) -> Candidate:
    """The pose with the middle joint at `bound` that brings the tip to the goal: first two links as one bar."""
    first, second, third = links
    x = first * cos(bound) + second
    y = first * sin(bound)
    bar, phi3 = two_bar(length_2d(x, y), third, goal, sign)
    return bound, bar - atan2(y, x) - phi3, phi3


def last_edge(bound: Real, sign: Real, links: Links, goal: Pair) -> Candidate:
    """The pose with the last joint at `bound` that brings the tip to the goal: last two links as one bar."""
    first, second, third = links
    x = second + third * cos(bound)
    y = -third * sin(bound)
    phi1, bar = two_bar(first, length_2d(x, y), goal, sign)
    phi2 = bar - atan2(y, x)
    return phi1 - phi2, bound, phi2 - bound


def corner(bound: Real, last_bound: Real, links: Links, goal: Pair) -> Candidate:
    """The pose with both joints at the ends of their ranges, aimed at the goal."""
    first, second, third = links
    gx, gy = goal
    x = first * cos(bound) + second + third * cos(last_bound)
    y = first * sin(bound) - third * sin(last_bound)
    return bound, last_bound, atan2(gy, gx) - atan2(y, x) - last_bound


def tip_score(pose: Candidate, links: Links, ranges: Ranges, goal: Pair, wanted: Real) -> Real:
    """Ranks a pose: first by being in range, then by the tip's miss, then by the last link's turn from `wanted`."""
    first, second, third = links
    low1, high1, low2, high2 = ranges
    bend, last_bend, phi3 = pose
    phi2 = phi3 + last_bend
    gx, gy = goal
    x = first * cos(phi2 + bend) + second * cos(phi2) + third * cos(phi3) - gx
    y = first * sin(phi2 + bend) + second * sin(phi2) + third * sin(phi3) - gy
    miss = length_2d(x, y)
    turn = absolute(wrap(wrap(wrap(phi3 - wanted))))
    allowed = in_range(bend, low1, high1) & in_range(last_bend, low2, high2)
    return where(allowed, where(miss <= 1024.0 * EPSILON, turn, 2.0 * PI + miss), 16.0 * FAR_LENGTHS)


def nearest_for_position(wanted: Real, links: Links, ranges: Ranges, goal: Pair) -> Candidate:
    """The pose within the ranges whose tip is at the goal, or nearest; then with the last link nearest to `wanted`."""
    low1, high1, low2, high2 = ranges
    candidates = [corner(bound, last_bound, links, goal) for bound in (low1, high1) for last_bound in (low2, high2)]
    candidates += [middle_edge(bound, sign, links, goal) for bound in (low1, high1) for sign in (1.0, -1.0)]
    candidates += [last_edge(bound, sign, links, goal) for bound in (low2, high2) for sign in (1.0, -1.0)]
    bend, last_bend, phi3 = best_of([(tip_score(pose, links, ranges, goal, wanted), pose) for pose in candidates])
    return into_range(bend, low1, high1), into_range(last_bend, low2, high2), phi3


# --- the answer


def turn_frame(angle: Real, aim: Vector, knee_side: Vector) -> tuple[Vector, Vector]:
    """Aim and knee side, turned by an angle within their plane, from the aim towards the side."""
    cosine = cos(angle)
    sine = sin(angle)
    turned_aim, _ = unit(combine(cosine, aim, sine, knee_side))
    turned_side, _ = unit(combine(-sine, aim, cosine, knee_side))
    return turned_aim, turned_side


def three_link_limit(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    joint_limits: Ranges,
    position_first: bool,
    fixed_frame: bool,
) -> tuple[Vector, Vector, Vector, Vector, Pair, Real]:
    """Up, aim, side, sides and chord (twice, as a chord_range) of the nearest pose within the ranges.

    The last number is 1 where that is not the pose that a limb without these ranges would take.
    """
    aim, side, direction, last, total = pose.aim, pose.side, pose.up, pose.last, pose.total
    bend, chord, invalid = pose.bend, pose.chord, pose.invalid
    _, asymmetry, *reachable = proportions(lengths, chord_range)
    _, _, low2, high2 = joint_limits
    knee_side = combine(bend, side, 0.0, aim)  # not scale: −0.0 would turn angles by a whole turn
    foot = atan2(dot(direction, knee_side), dot(direction, aim))
    free = in_range(-shank_angle(chord, asymmetry) - foot, low2, high2) | invalid
    reach = choose(invalid, aim, combine(1.0, target, -1.0, pose.origin))
    held_up = direction
    if position_first:
        size = total + last
        onward, distance = unit(reach)
        near = minimum(distance / size, FAR_LENGTHS)  # beyond, the answer is the same
        goal = (near * dot(onward, aim), near * dot(onward, knee_side))
        wanted, amount = unit(choose(invalid, direction, up))
        turned = where(amount > 0.0, atan2(dot(wanted, knee_side), dot(wanted, aim)), foot)
        first, second, third = lengths
        links = (first / size, second / size, third / size)
        middle_bend, last_bend, phi3 = nearest_for_position(turned, links, joint_limits, goal)
        held_chord = clamp(chord_at(cos(middle_bend), asymmetry), *reachable)
        held_up, _ = unit(combine(cos(phi3), aim, sin(phi3), knee_side))
    else:
        _, ankle = unit(along(reach, -last, direction))
        held_chord, last_bend = nearest_for_up(foot, ankle / total, asymmetry, reachable, joint_limits)
        phi3 = foot
    held_aim, held_side = turn_frame(phi3 + last_bend + shank_angle(held_chord, asymmetry), aim, knee_side)
    up = nan_where(invalid, choose(free, direction, held_up))  # the pose that is computed from it is invalid too
    side = choose(free, side, combine(bend, held_side, 0.0, aim))
    aim = choose(free, aim, held_aim)
    signs = (bend, hinge_sign(side, aim, pose.axis, fixed_frame), pose.upper)
    chord = where(free, chord, held_chord)
    return up, aim, side, signs, (chord, chord), where(free, 0.0, 1.0)
