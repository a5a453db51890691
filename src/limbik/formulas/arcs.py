"""A chain of any number of links along a circular arc, from the length of its chord.

Links and chord are the sides of a polygon inscribed in a circle: with ψ the inscribed angle of the longest link (the
angle under which any other joint sees it) and r a link's length over the longest one's, a link has the inscribed angle
α, sin α = r·sin ψ, and joint k is seen from the origin at S = α1 + … + αk before the end. Such a polygon exists for
every chord between the shortest (what the longest link exceeds the others by, or 0) and the sum of the links, is
unique, and is convex: all joints bend one way. For two links it is their triangle.

With x = cos ψ, q = 1 − x, y = sin² ψ = q (2 − q) and e^{iS} = P + i·sin ψ·Q, the chord to joint k is Q times the
longest link: all that there is to find is the root of one function, which increases with x and is convex. By q it is
smooth at full stretch (q = 0) and at full fold (q = 2), and nearly straight in between. Chords are in units of the
longest link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from limbik.formulas.elementary import polynomial
from limbik.formulas.operations import EPSILON, Pair, Real, absolute, maximum, minimum, rare_case, sqrt, where

# Steps of Halley's method from the guess below: enough for links of similar lengths, and for any others.
HALLEY_STEPS = 3
FURTHER_HALLEY_STEPS = 6
# Where the chord and all links but the two longest are shorter than this, those two are nearly folded upon each other.
FOLDED_CHORD = 0.1
# (uL)² of a closed chain and its slope there, u the inverse of the circle's diameter and L the chain's length, as
# polynomials of Σ l³ / L³: n² sin²(π/n) and 2 n² sin²(π/n) cos(π/n) at 1 / n², to 1e-6 and 1e-4.
CLOSED = (9.86960420357423, -32.46966361984293, 42.72706486433485, -30.10064306900345, 13.048363953786, -3.356333575115)
CLOSING = (19.739160016034, -162.340196505386, 485.699781763779, -766.40951321120, 719.58344091219, -354.42458660278)


class ArcLinks(NamedTuple):
    """The links of a chain in units of the longest, and what depends on them only."""

    longest: Real
    ratios: tuple[Real, ...]  # in the chain's order
    others: tuple[Real, ...]  # all but the longest one, in any order
    total: Real

    @property
    def nearest(self) -> Real:
        """The shortest chord."""
        return maximum(2.0 - self.total, 0.0)


class Arc(NamedTuple):
    """A chain along an arc: of each joint k, P and Q of its angle S; of each link, cos α."""

    links: ArcLinks
    sine: Real  # sin ψ
    square: Real  # its square
    parts: tuple[Pair, ...]  # (P, Q), from the origin's (1, 0) to the tip's
    cosines: tuple[Real, ...]


def arc_links(lengths: Sequence[Real]) -> ArcLinks:
    """The links of a chain in units of the longest."""
    longest = lengths[0]
    for length in lengths[1:]:
        longest = maximum(longest, length)
    ratios = tuple(length / longest for length in lengths)
    total = ratios[0]
    before = ratios[0]
    others = []
    for ratio in ratios[1:]:
        first_longest = (before < 1.0) & (ratio >= 1.0)  # the first link takes its place
        others.append(where(first_longest, ratios[0], ratio))
        before = maximum(before, ratio)
        total = total + ratio
    return ArcLinks(longest, ratios, tuple(others), total)


def arc(links: ArcLinks, chord: Real) -> tuple[Arc, Real]:
    """The arc whose chord this is, and its chord: the requested one, or what was found where that differs."""
    count = len(links.ratios)
    if count == 2:
        return _arc_of(links, _of_triangle(links.others[0], chord)), chord
    curve = _Curve(links)
    q = _guess(curve, chord)
    for step in range(HALLEY_STEPS):
        q = _halley_step(curve, chord, q, roughly=step == 0)
    found = _arc_of(links, q)
    slack = (16.0 + float(count)) * EPSILON * links.total
    missed = absolute(found.parts[-1][1] - chord) > slack
    if rare_case(missed):  # one or two links much longer than the others, nearly folded
        better = q
        for _ in range(FURTHER_HALLEY_STEPS):
            better = _halley_step(curve, chord, better)
        found = _arc_of(links, where(missed, better, q))
        reached = found.parts[-1][1]
        chord = where(absolute(reached - chord) > slack, reached, chord)
    return found, chord


def _guess(curve: _Curve, chord: Real) -> Real:
    """A first q: that of a triangle where one or two links are longer than all others, else that of equal links."""
    triangle = _of_triangle(curve.rest, chord)
    thin = _of_triangle(curve.second, chord + (curve.rest - curve.second))
    folded = chord + (curve.rest - curve.second) < FOLDED_CHORD
    return where(curve.links.total < 2.0, triangle, where(folded, thin, _guess_between(curve, chord)))


def _of_triangle(second: Real, chord: Real) -> Real:
    """The q of the triangle of the longest link, a second one, and the chord."""
    chord = maximum(chord, EPSILON * EPSILON)
    second = maximum(second, EPSILON * EPSILON)
    q = ((1.0 + second) - chord) * (chord + (1.0 - second)) / (2.0 * chord * second)
    return minimum(maximum(q, 0.0), 2.0)


class _Curve:
    """What the steps need to know about a chain."""

    def __init__(self, links: ArcLinks) -> None:
        self.links = links
        self.folding = [(1.0 - ratio) * (1.0 + ratio) for ratio in links.others]
        self.rest: Real = 0.0
        self.second: Real = 0.0
        cubes: Real = 1.0
        fifths: Real = 1.0
        for ratio in links.others:  # the longest link is 1
            self.rest = self.rest + ratio
            self.second = maximum(self.second, ratio)
            cube = ratio * ratio * ratio
            cubes = cubes + cube
            fifths = fifths + cube * ratio * ratio
        total = links.total
        self.square = total * total
        whole = self.square * total
        excess = 2.0 - total
        self.cubes = cubes / whole
        self.fifths = fifths / (whole * self.square)
        # The chord's derivative by x where the chain is straight, and where it is folded: there it is smallest.
        self.straight = (whole - cubes) / 3.0
        self.folded = maximum((2.0 - cubes - excess * excess * excess) / 3.0, EPSILON)
        self.least = where(total < 2.0, self.folded, EPSILON)


def _guess_between(curve: _Curve, chord: Real) -> Real:
    """A guess of q where no link is longer than the others together: within 1 % for links of similar lengths.

    A polynomial of what the chord lacks that has the right value, slope and curvature for the straight chain, and the
    value and slope of as many equal links for the closed one.
    """
    lack = 1.0 - chord / curve.links.total
    slope = (1.0 - curve.cubes) / 6.0
    first = 1.0 / slope
    second = (1.0 / 120.0 - curve.cubes / 12.0 + 0.075 * curve.fifths) * first * first * first
    rest = polynomial(curve.cubes, CLOSED, fused=False) - first - second
    fourth = polynomial(curve.cubes, CLOSING, fused=False) - first - second - second - 3.0 * rest
    third = rest - fourth
    square = lack * (first + lack * (second + lack * (third + lack * fourth))) / curve.square
    square = minimum(maximum(square, 0.0), 1.0)
    return square / (1.0 + sqrt(1.0 - square))


def _halley_step(curve: _Curve, chord: Real, q: Real, roughly: bool = False) -> Real:
    """One step of Halley's method for the q of a chord; `roughly`, with the curvature that equal links have."""
    x = 1.0 - q
    folded = rare_case(absolute(x) < EPSILON)  # no cosine below is smaller than |x|
    y = q * (2.0 - q)
    p: Real = x
    length: Real = 1.0  # Q: the chord in units of the longest link
    turn: Real = 0.0
    bending: Real = 0.0
    for ratio, folding in zip(curve.links.others, curve.folding, strict=True):
        across = ratio * x
        cosine = sqrt(folding + across * across)
        inverse = 1.0 / (maximum(cosine, EPSILON) if folded else cosine)
        share = ratio * inverse
        p, length = p * cosine - y * ratio * length, length * cosine + p * ratio
        turn = turn + share
        if not roughly:
            bending = bending + folding * share * (inverse * inverse)
    turn = 1.0 + x * turn  # the derivative of the tip's S by ψ
    # Near both ends the formulas below are 0 / 0: their limits suffice there.
    closeness = y * curve.square
    close = closeness < 4.0 * sqrt(EPSILON)
    limit = where(q < 1.0, curve.straight, curve.folded)
    steepness = where(close, limit, (length * x - p * turn) / where(close, 1.0, y))
    steepness = maximum(steepness, curve.least)
    straight = closeness < 128.0 * sqrt(EPSILON)
    curved = 3.0 * x * steepness - (turn - 1.0) * (turn + 1.0) * length
    if not roughly:
        curved = curved - bending * p
    curvature = maximum(where(straight, 0.0, curved / where(straight, 1.0, y)), 0.0)
    excess = length - chord
    # Of two links nearly folded upon each other the steepness is all rounding, but there is nothing left to improve.
    step = where(absolute(excess) <= 2.0 * EPSILON * curve.links.total, 0.0, excess / steepness)
    correction = 1.0 - 0.5 * step * curvature / steepness
    return minimum(maximum(q + step / minimum(maximum(correction, 0.3), 3.0), 0.0), 2.0)


def _arc_of(links: ArcLinks, q: Real) -> Arc:
    x = 1.0 - q
    y = q * (2.0 - q)
    p: Real = 1.0
    length: Real = 0.0
    parts: list[Pair] = [(p, length)]
    cosines = []
    for ratio in links.ratios:
        across = ratio * x
        # That of the longest link is negative where it is seen under more than a right angle.
        cosine = where(ratio >= 1.0, x, sqrt((1.0 - ratio) * (1.0 + ratio) + across * across))
        p, length = p * cosine - y * ratio * length, length * cosine + p * ratio
        parts.append((p, length))
        cosines.append(cosine)
    return Arc(links, sqrt(y), y, tuple(parts), tuple(cosines))


def arc_points(found: Arc) -> list[Pair]:
    """The joints between origin and tip: along the chord, and beside it, in units of the longest link."""
    end, chord = found.parts[-1]
    points = []
    for p, distance in found.parts[1:-1]:
        ahead = end * p + found.square * chord * distance
        aside = (chord * p - end * distance) * found.sine
        points.append((distance * ahead, distance * aside))
    return points


def arc_headings(found: Arc) -> list[Pair]:
    """The directions of the links: along the chord, and beside it."""
    end, chord = found.parts[-1]
    headings = []
    for (p, near), (next_p, far) in zip(found.parts[:-1], found.parts[1:], strict=True):
        cosine = end * p + found.square * chord * near
        sine = (chord * p - end * near) * found.sine
        after = found.sine * far
        headings.append((cosine * next_p + sine * after, sine * next_p - cosine * after))
    return headings


def arc_bends(found: Arc) -> list[Pair]:
    """Cosine and sine of the bend of each joint between origin and tip."""
    ratios, cosines = found.links.ratios, found.cosines
    bends = []
    for k in range(1, len(ratios)):
        cosine = cosines[k - 1] * cosines[k] - found.square * ratios[k - 1] * ratios[k]
        bends.append((cosine, found.sine * (cosines[k - 1] * ratios[k] + ratios[k - 1] * cosines[k])))
    return bends
