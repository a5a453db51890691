"""atan2, sine and cosine as polynomials, for engines whose own do not vectorise; smoothstep.

Each polynomial interpolates its function at Chebyshev nodes, computed with 60 digits; that of the arctangent in float32
has the least relative error (Remez). The error of the approximation is below the rounding of the dtype (5e-18 and
1.7e-8 for the arctangent, 1.3e-17 and 2e-11 for the sine, 5e-19 and 9e-13 for the cosine).
"""

from dataclasses import dataclass

from limbik.formulas.operations import (
    LARGE_SQUARE,
    SMALL_SQUARE,
    Boolean,
    Real,
    absolute,
    floor,
    minimum,
    multiply_add,
    outside,
    rare_case,
    signbit,
    where,
)

HALF_PI = 1.5707963267948966
EIGHTH_TURN = 0.41421356237309503  # tan(π/8)


@dataclass(frozen=True)
class Coefficients:
    """Polynomials in t², lowest power first, for one precision.

    atan t = t + t³·P(t²) for |t| ≤ atan_range, which is tan(π/8) or 1; sin a = a + a³·P(a²) and
    cos a = 1 − a²/2 + a⁴·P(a²) for |a| ≤ π/4.
    `half_pi` is π/2 in parts that add up to it, the first with so few digits that small multiples of it are exact.
    """

    atan: tuple[float, ...]
    atan_range: float
    sin: tuple[float, ...]
    cos: tuple[float, ...]
    half_pi: tuple[float, ...]
    fused: bool = True  # whether to use `multiply_add`, which not every engine rounds alike


FLOAT64 = Coefficients(
    atan=(
        -0.3333333333333333016,
        0.19999999999995520678,
        -0.14285714284666542922,
        0.11111111015256361727,
        -0.090909045781239018905,
        0.076921831908260865637,
        -0.066645114473819480001,
        0.058581489128022098816,
        -0.050854497379402598613,
        0.039231658295587191303,
        -0.019176887119062258989,
    ),
    atan_range=EIGHTH_TURN,
    sin=(
        -0.16666666666666664624,
        0.0083333333333309484855,
        -0.00019841269836758574323,
        2.7557316102552440119e-6,
        -2.5051131845003624417e-8,
        1.5918129294866608667e-10,
    ),
    cos=(
        0.041666666666666665389,
        -0.0013888888888887397237,
        0.000024801587298765687927,
        -2.7557317271729792882e-7,
        2.0876146268403197893e-9,
        -1.1382632425521718005e-11,
    ),
    half_pi=(1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15),
)
FLOAT32 = Coefficients(
    # Up to 1, although that takes four more terms: they cost less than halving the range.
    atan=(
        -0.333331527349,
        0.199937728144,
        -0.142110551711,
        0.106660041882,
        -0.0755221344269,
        0.0432118519308,
        -0.0163679230505,
        0.00292069109361,
    ),
    atan_range=1.0,
    sin=(-0.16666665463, 0.0083320845, -0.00019511069),
    cos=(0.041666645, -0.0013887316, 0.000024433157),
    half_pi=(1.5703125, 0.0004837512969970703, 7.549789954891756e-08),
)


def polynomial(t: Real, coefficients: tuple[float, ...], fused: bool = True) -> Real:
    """A polynomial, lowest power first."""
    value: Real = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = multiply_add(value, t, coefficient) if fused else value * t + coefficient
    return value


def arctangent(y: Real, x: Real, precision: Coefficients) -> Real:
    """atan2(y, x) in [−π, π]: zeros keep their signs, infinities their directions, NaN stays NaN."""
    ax = absolute(x)
    ay = absolute(y)
    steep = ay > ax
    large = where(steep, ay, ax)
    small = where(steep, ax, ay)
    if rare_case(outside(large, SMALL_SQUARE, LARGE_SQUARE)):
        # Infinite, or so small or large that sums would not be safe: only the ratio matters.
        huge = large > LARGE_SQUARE
        infinite = large - large != 0.0
        both = small == large
        small = where(huge, where(infinite, where(both, 1.0, 0.0), small * SMALL_SQUARE), small)
        large = where(huge, where(infinite, 1.0, large * SMALL_SQUARE), large)
        tiny = large < SMALL_SQUARE
        none = large == 0.0
        small = where(tiny, where(none, 0.0, small * LARGE_SQUARE), small)
        large = where(tiny, where(none, 1.0, large * LARGE_SQUARE), large)
    return _arctangent_of_parts(y, x, small, large, steep, precision)


def arctangent_of_unit(sine: Real, cosine: Real, precision: Coefficients) -> Real:
    """atan2(sine, cosine) of a unit vector, or of numbers near 1: without care for huge, tiny and infinite ones."""
    ax = absolute(cosine)
    ay = absolute(sine)
    steep = ay > ax
    return _arctangent_of_parts(sine, cosine, where(steep, ax, ay), where(steep, ay, ax), steep, precision)


def _arctangent_of_parts(y: Real, x: Real, small: Real, large: Real, steep: Boolean, precision: Coefficients) -> Real:
    """atan2(y, x) from the smaller and the larger of |x| and |y|, and whether the larger is |y|."""
    if precision.atan_range == 1.0:
        angle = _arctangent_of(small / large, precision)
    else:
        upper = small > precision.atan_range * large
        t = where(upper, small - large, small) / where(upper, small + large, large)
        angle = _arctangent_of(t, precision)
        angle = where(upper, 0.5 * HALF_PI + angle, angle)
    angle = where(steep, HALF_PI - angle, angle)
    angle = where(signbit(x), 2.0 * HALF_PI - angle, angle)
    return where(signbit(y), -angle, angle)


def _arctangent_of(t: Real, precision: Coefficients) -> Real:
    return _add_correction(t, t * (t * t), t * t, precision.atan, precision.fused)


def _add_correction(value: Real, factor: Real, square: Real, coefficients: tuple[float, ...], fused: bool) -> Real:
    """Value + factor·P(square)."""
    correction = polynomial(square, coefficients, fused)
    return multiply_add(factor, correction, value) if fused else factor * correction + value


def smoothstep(t: Real) -> Real:
    """The cubic from 0 at t = 0 to 1 at t = 1 that is level at both ends; `t` lies in [0, 1]."""
    return t * t * (3.0 - 2.0 * t)


# (1 − e^(−a)) / a for a in [0, APPROACH_MAX / 2^APPROACH_DOUBLINGS], lowest power first: interpolated, to 6e-18.
APPROACH_MAX, APPROACH_DOUBLINGS = 40.0, 6
APPROACH = (
    1.0,
    -0.49999999999999833,
    0.1666666666665587,
    -0.04166666666396623,
    0.0083333332986644,
    -0.0013888886288914108,
    0.00019841148052196554,
    -2.4797912537251495e-05,
    2.748571955349905e-06,
    -2.668205914024757e-07,
    1.884985239954506e-08,
)


def approach(a: Real) -> Real:
    """1 − e^(−a) for a ≥ 0, to a few roundings even of a tiny `a`, and alike on every engine.

    That of a part of `a`, then doubled: from f for a, f·(2 − f) for 2a, in which errors do not grow.
    """
    part = minimum(a, APPROACH_MAX) * 0.5**APPROACH_DOUBLINGS
    value = part * polynomial(part, APPROACH, fused=False)
    for _ in range(APPROACH_DOUBLINGS):
        value = value * (2.0 - value)
    return value


def sine_and_cosine(angle: Real, precision: Coefficients) -> tuple[Real, Real]:
    """Sine and cosine of an angle of a few turns at the most."""
    quarter = floor(angle * (1.0 / HALF_PI) + 0.5)
    rest = angle
    for part in precision.half_pi:
        rest = rest - quarter * part
    square = rest * rest
    sine = _add_correction(rest, rest * square, square, precision.sin, precision.fused)
    cosine = _add_correction(1.0 - 0.5 * square, square * square, square, precision.cos, precision.fused)
    turn = quarter - 4.0 * floor(0.25 * quarter)
    swap = (turn == 1.0) | (turn == 3.0)
    upside = turn >= 2.0
    around = (turn == 1.0) | (turn == 2.0)
    first = where(swap, cosine, sine)
    second = where(swap, sine, cosine)
    return where(upside, -first, first), where(around, -second, second)
