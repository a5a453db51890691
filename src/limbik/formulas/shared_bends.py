"""A chain whose joints bend by given shares, within limits, from the length of its chord.

The tangent of a quarter of each bend is h = weight·t, held within that joint's limits: bends are in proportion to the
weights to within 6 % up to a right angle. e^{iφ/2} is then rational in t, and the square of the chord smooth in t². It
falls up to a largest t, which the limb determines once. Lengths and chords are fractions of the chain's length.
"""

from __future__ import annotations

from typing import NamedTuple

from limbik.formulas.operations import EPSILON, Pair, Real, absolute, maximum, minimum, rare_case, sqrt, where

# Steps of Newton's method within a bracket: those of most chords, and those of all.
NEWTON_STEPS = 5
FURTHER_NEWTON_STEPS = 12


class BendRule(NamedTuple):
    """How the joints of a chain share its bend."""

    lengths: tuple[Real, ...]  # fractions of the chain's
    weights: tuple[Real, ...]
    lows: tuple[Real, ...]  # tangents of a quarter of the limits
    highs: tuple[Real, ...]
    first: Real  # the t² from which and up to which the chord falls
    last: Real


class BentChain(NamedTuple):
    """A chain in the frame of its first link, bending counter-clockwise."""

    headings: list[Pair]
    bends: list[Pair]
    tip: Pair
    slope: Real  # half the derivative of the chord's square by t


def bend_chain(rule: BendRule, t: Real) -> BentChain:
    """The chain for one t."""
    cosine: Real = 1.0
    sine: Real = 0.0
    x: Real = rule.lengths[0]
    y: Real = 0.0
    moved_x: Real = 0.0
    moved_y: Real = 0.0
    headings: list[Pair] = [(1.0, 0.0)]
    bends: list[Pair] = []
    for length, weight, low, high in zip(rule.lengths[1:], rule.weights, rule.lows, rule.highs, strict=True):
        wanted = weight * t
        h = minimum(maximum(wanted, low), high)
        square = h * h
        inverse = 1.0 / (1.0 + square)
        half_cosine = (1.0 - square) * inverse
        half_sine = 2.0 * h * inverse
        turn_cosine = 1.0 - 2.0 * half_sine * half_sine
        turn_sine = 2.0 * half_sine * half_cosine
        rate = where((wanted > low) & (wanted < high), weight * inverse, 0.0)
        moved_x = moved_x + rate * x
        moved_y = moved_y + rate * y
        cosine, sine = cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine
        x = x + length * cosine
        y = y + length * sine
        headings.append((cosine, sine))
        bends.append((turn_cosine, turn_sine))
    return BentChain(headings, bends, (x, y), -4.0 * (moved_x * y - moved_y * x))


def chain_of_chord(rule: BendRule, chord: Real) -> tuple[BentChain, Real]:
    """The chain whose chord this is, and its chord: the requested one, or what was found where that differs."""
    low, high = rule.first, rule.last
    at_low, at_high = (_square(bend_chain(rule, sqrt(end))) for end in (low, high))
    room = at_low - at_high
    part = (at_low - chord * chord) / where(room > 0.0, room, 1.0)
    v = low + (high - low) * minimum(maximum(part, 0.0), 1.0)
    for _ in range(NEWTON_STEPS):
        v, low, high = _newton_step(rule, chord, v, low, high)
    slack = (16.0 + float(len(rule.lengths))) * EPSILON
    found = bend_chain(rule, sqrt(v))
    missed = absolute(sqrt(_square(found)) - chord) > slack
    if rare_case(missed):
        better = v
        for _ in range(FURTHER_NEWTON_STEPS):
            better, low, high = _newton_step(rule, chord, better, low, high)
        found = bend_chain(rule, sqrt(where(missed, better, v)))
        reached = sqrt(_square(found))
        chord = where(absolute(reached - chord) > slack, reached, chord)
    return found, chord


def _square(chain: BentChain) -> Real:
    x, y = chain.tip
    return x * x + y * y


def _newton_step(rule: BendRule, chord: Real, v: Real, low: Real, high: Real) -> tuple[Real, Real, Real]:
    """One step: the next t² and the bracket about the root."""
    t = sqrt(v)
    chain = bend_chain(rule, t)
    excess = _square(chain) - chord * chord
    low = where(excess > 0.0, v, low)
    high = where(excess > 0.0, high, v)
    flat = (t <= 0.0) | (chain.slope >= 0.0)  # no joint moves, as where all are at their limits
    slope = where(flat, 1.0, chain.slope) / where(t <= 0.0, 1.0, t)
    next_v = v - excess / slope
    halved = flat | (next_v < low) | (next_v > high)
    next_v = where(halved, 0.5 * (low + high), next_v)
    return where(absolute(excess) <= 8.0 * EPSILON * chord, v, next_v), low, high


def headings_along_chord(chain: BentChain) -> list[Pair]:
    """The directions of the links along the chord and beside it; a chord of no length lies along the first link."""
    x, y = chain.tip
    size = sqrt(x * x + y * y)
    none = size <= EPSILON
    cosine = where(none, 1.0, x / where(none, 1.0, size))
    sine = where(none, 0.0, y / where(none, 1.0, size))
    return [(cosine * c + sine * s, sine * c - cosine * s) for c, s in chain.headings]
