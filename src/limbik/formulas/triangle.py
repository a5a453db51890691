"""The triangle of two links and the chord between their ends: the heart of every limb.

In units of the two links' total length, with c the chord and D = (l1 − l2) / (l1 + l2), let ρ = D / c. Then the middle
joint lies at x = (c + ρ) / 2 along the chord and y = √((1 − c)(1 + c)(1 − ρ)(1 + ρ)) / 2 beside it. No cancellation, no
arccos: full stretch (c = 1) and full fold (c = |D|, ρ = ±1) are as exact as anywhere else.
"""

from limbik.formulas.operations import Real, absolute, atan2, exp, maximum, minimum, rare_case, sqrt, where


def total_and_asymmetry(first: Real, second: Real) -> tuple[Real, Real]:
    """Total length of two links, and D, the difference of their lengths as a fraction of it."""
    total = first + second
    return total, (first - second) / total


def chord_bounds(near: Real, far: Real, asymmetry: Real) -> tuple[Real, Real]:
    """The shortest and the longest chord: a range given for it, within what the links' lengths allow."""
    return maximum(near, absolute(asymmetry)), far


def clamp(requested: Real, near: Real, far: Real) -> Real:
    """The chord nearest to the one asked for, within [near, far]; all as fractions of the total length."""
    return minimum(maximum(requested, near), far)


def soft_reach(requested: Real, onset: Real) -> Real:
    """The chord eased towards full stretch beyond the onset: a + s(1 − exp(−(asked − a)/s)) with s = 1 − a.

    Slope 1 at the onset, always rising, never past what was asked nor past 1. An onset of 1 leaves the chord as it is.
    """
    room = 1.0 - onset
    soft = (requested > onset) & (room > 0.0)
    excess = where(soft, requested - onset, 0.0) / where(room > 0.0, room, 1.0)
    return where(soft, onset + room * (1.0 - exp(-excess)), requested)


def asymmetry_ratio(chord: Real, asymmetry: Real) -> Real:
    """ρ = D / c, and 0 where the chord is 0 (then D is 0 too, and the target on the origin or next to nothing off)."""
    if rare_case(chord == 0.0):
        chord = where(chord == 0.0, 1.0, chord)
    return asymmetry / chord


def middle_joint(chord: Real, ratio: Real) -> tuple[Real, Real]:
    """Where the middle joint lies: along the chord, and beside it."""
    beside = sqrt((1.0 - chord) * (1.0 + chord) * (1.0 - ratio) * (1.0 + ratio))
    return 0.5 * (chord + ratio), 0.5 * beside


def bend_angle(chord: Real, x: Real, y: Real) -> Real:
    """How far the second link turns from the first, in [0, π]: 0 straight, π folded; from where the middle joint is.

    Read from the same two directions as the limb's other angles, so that they add up whatever their rounding.
    """
    return atan2(chord * y, x * (chord - x) - y * y)


def first_half_angle(chord: Real, ratio: Real) -> tuple[Real, Real]:
    """Cosine and sine of half the angle from the chord to the first link."""
    cosine = (1.0 + chord) * (1.0 + ratio)
    sine = (1.0 - chord) * (1.0 - ratio)
    whole = cosine + sine
    none = whole <= 0.0  # a link lost to rounding beside the other: it lies along the chord
    whole = where(none, 1.0, whole)
    return sqrt(where(none, 1.0, cosine / whole)), sqrt(sine / whole)


def second_half_angle(chord: Real, ratio: Real) -> tuple[Real, Real]:
    """Cosine and sine of half the angle from the second link to the chord: the first's, with the links exchanged."""
    return first_half_angle(chord, -ratio)


def chord_at(angle_cosine: Real, asymmetry: Real) -> Real:
    """The chord at which the second link turns from the first by an angle of this cosine."""
    open_part = 0.5 * (1.0 + angle_cosine)
    return sqrt(open_part + (1.0 - open_part) * asymmetry * asymmetry)


def stretch_factor(requested: Real, chord: Real, most: Real) -> Real:
    """The factor, in [1, most], by which the links lengthen so that the chord is as long as asked."""
    if rare_case(chord == 0.0):
        chord = where(chord == 0.0, 1.0, chord)
    return minimum(maximum(requested / chord, 1.0), most)
