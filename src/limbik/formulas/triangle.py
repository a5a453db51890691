"""The triangle of two links and the chord between their ends, on which every limb is built.

In units of the two links' total length, with c the chord and D = (l1 − l2) / (l1 + l2), let ρ = D / c. Then the middle
joint lies at x = (c + ρ) / 2 along the chord and y = √((1 − c)(1 + c)(1 − ρ)(1 + ρ)) / 2 beside it. There is no
cancellation and no arccos: full stretch (c = 1) and full fold (c = |D|, ρ = ±1) are as exact as any other pose.
"""

from limbik.formulas.elementary import approach
from limbik.formulas.operations import (
    Pair,
    Real,
    absolute,
    atan2,
    exact_quotient,
    maximum,
    minimum,
    rare_case,
    sqrt,
    where,
)


def total_and_asymmetry(first: Real, second: Real) -> Pair:
    """Total length of two links, and D, the difference of their lengths as a fraction of it."""
    total = first + second
    return total, (first - second) / total


def proportions(lengths: tuple[Real, ...], chord_range: Pair) -> tuple[Real, Real, Real, Real]:
    """Total length and D of the first two links; the shortest and the longest chord that range and lengths permit."""
    total, asymmetry = total_and_asymmetry(lengths[0], lengths[1])
    near, far = chord_range
    return total, asymmetry, maximum(near, absolute(asymmetry)), far


def clamp(requested: Real, near: Real, far: Real) -> Real:
    """The chord in [near, far] nearest to the requested one; all as fractions of the total length."""
    return minimum(maximum(requested, near), far)


def soft_reach(requested: Real, onset: Real) -> Real:
    """The chord eased towards full stretch beyond the onset: a + s(1 − exp(−(requested − a)/s)) with s = 1 − a.

    Slope 1 at the onset, always increasing, never beyond the request or 1. An onset of 1 leaves the chord unchanged.
    """
    room = 1.0 - onset
    soft = (requested > onset) & (room > 0.0)
    excess = where(soft, requested - onset, 0.0) / where(room > 0.0, room, 1.0)
    return where(soft, onset + room * approach(excess), requested)


def asymmetry_ratio(chord: Real, asymmetry: Real) -> Real:
    """ρ = D / c, and 0 where the chord is 0 (D is 0 there too, and the target practically on the origin).

    Of a folded limb it is ±1 to the last bit: 1 − ρ is under a root.
    """
    if rare_case(chord == 0.0):
        chord = where(chord == 0.0, 1.0, chord)
    return exact_quotient(asymmetry, chord)


def middle_joint(chord: Real, ratio: Real) -> Pair:
    """The position of the middle joint: along the chord, and perpendicular to it."""
    beside = sqrt((1.0 - chord) * (1.0 + chord) * (1.0 - ratio) * (1.0 + ratio))
    return 0.5 * (chord + ratio), 0.5 * beside


def bend_angle(chord: Real, x: Real, y: Real) -> Real:
    """The angle from the first link to the second, of y's sign: 0 straight, ±π folded; by the middle joint's position.

    Computed from the same two directions as the limb's other angles, so that they fit together whatever the rounding.
    """
    return atan2(chord * y, x * (chord - x) - y * y)


def first_half_angle(chord: Real, ratio: Real) -> Pair:
    """Cosine and sine of half the angle from the chord to the first link; for −ρ, from the second link to the chord.

    They are of unit length also where an engine's division leaves a folded limb's ρ a rounding beyond ±1.
    """
    cosine = maximum((1.0 + chord) * (1.0 + ratio), 0.0)
    sine = maximum((1.0 - chord) * (1.0 - ratio), 0.0)
    whole = cosine + sine
    none = whole <= 0.0  # one link is lost to rounding beside the other, and lies along the chord
    whole = where(none, 1.0, whole)
    return sqrt(where(none, 1.0, cosine / whole)), sqrt(sine / whole)


def chord_at(angle_cosine: Real, asymmetry: Real) -> Real:
    """The chord for a bend of the middle joint whose cosine this is."""
    open_part = 0.5 * (1.0 + angle_cosine)
    return sqrt(open_part + (1.0 - open_part) * asymmetry * asymmetry)


def chords_at(lengths: Pair, cosines: Pair) -> Pair:
    """The chords of two links for two bends of the middle joint whose cosines these are."""
    _, asymmetry = total_and_asymmetry(*lengths)
    first, second = cosines
    return chord_at(first, asymmetry), chord_at(second, asymmetry)


def stretch_factor(requested: Real, chord: Real, most: Real) -> Real:
    """The factor, in [1, most], by which the links lengthen to make the chord as long as requested."""
    if rare_case(chord == 0.0):
        chord = where(chord == 0.0, 1.0, chord)
    return minimum(maximum(requested / chord, 1.0), most)
