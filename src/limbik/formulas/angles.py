"""From a hinge axis to the angles of the chain Ry Rz Rx…: yaw about y, roll about z, then the hinges."""

from limbik.formulas.operations import (
    EPSILON,
    Boolean,
    Real,
    Vector,
    absolute,
    atan2,
    floor,
    rare_case,
    sqrt,
    unit_angle,
    where,
)

PI = 3.141592653589793
YAW_CUT_ANGLE = 0.01  # how far from straight back the cut of the yaw lies, radians


def chain_base(hinge: Vector, aim: Vector, upper: Real) -> tuple[Real, Real, Real, Real]:
    """Yaw and roll that bring the base's x axis to the unit `hinge`; the aim in the bending plane, as (cosine, sine).

    The angle in the plane is measured about the hinge from the base's z axis. Its cosine and sine share a positive
    factor, which atan2 ignores. Each hinge has two bases, half a turn about it apart: `upper` = +1 selects the one with
    roll in [−π/2, π/2], −1 the other. A vertical hinge leaves the yaw undetermined: there the base faces the aim, as in
    the article. The yaw lies in (−π + YAW_CUT_ANGLE, π + YAW_CUT_ANGLE]: a base that faces straight back, as it often
    does, is not on the cut.
    """
    nx, ny, nz = hinge
    ax, ay, az = aim
    square = nx * nx + nz * nz
    sine = -nz
    cosine = nx
    if rare_case(square < 256.0 * EPSILON * EPSILON):
        vertical = square < 256.0 * EPSILON * EPSILON
        sine = where(vertical, ax, sine)
        cosine = where(vertical, az, cosine)
    sine = sine * upper
    sine = where(sine == 0.0, 0.0, sine)  # not −0.0, whose angle may be −π
    cosine = cosine * upper
    # The base's z axis is (sine, 0, cosine); its y axis is that × hinge.
    ahead = sine * ax + cosine * az
    aloft = ny * (sine * az - cosine * ax) + (cosine * nx - sine * nz) * ay
    past_back = (sine < 0.0) & (sine >= YAW_CUT_ANGLE * cosine)
    yaw = unit_angle(sine, cosine) + where(past_back, 2.0 * PI, 0.0)
    return yaw, unit_angle(ny, upper * sqrt(square)), ahead, -aloft


def relative_angle(cosine: Real, sine: Real, x: Real, y: Real) -> Real:
    """The angle of (cosine, sine) minus the angle of (x, y)."""
    return atan2(sine * x - cosine * y, cosine * x + sine * y)


def wrap(angle: Real) -> Real:
    """An angle in (−3π, 3π) wrapped into (−π, π]."""
    return where(angle > PI, angle - 2.0 * PI, where(angle <= -PI, angle + 2.0 * PI, angle))


def nearest_turn(angle: Real) -> Real:
    """An angle brought into [−π, π] by whole turns."""
    return angle - 2.0 * PI * floor(angle * (0.5 / PI) + 0.5)


def continued_angles(
    angles: tuple[Real, ...], before: tuple[Real, ...], vertical: Real
) -> tuple[tuple[Real, ...], tuple[Real, ...]]:
    """The angles of a chain Ry Rz Rx… in the equivalent set nearest to those before, and the ones to continue from.

    A base has two sets of angles, half a turn of yaw apart (roll mirrored at a quarter turn, the first hinge half a
    turn on), and each angle may go on by whole turns. Where the hinge is vertical, to within an angle `vertical`, the
    yaw is free and stays. NaN before leaves the angles as they are; where they are NaN, those before stay.
    """
    invalid: Boolean = False
    unknown: Boolean = False
    for angle, last in zip(angles, before, strict=True):
        invalid = invalid | (angle * 0.0 != 0.0)
        unknown = unknown | (last * 0.0 != 0.0)
    kept = invalid | unknown
    yaw, roll, first, *others = (where(kept, 0.0, angle) for angle in angles)
    lasts = [where(kept, 0.0, last) for last in before]
    drift = where(absolute(absolute(roll) - 0.5 * PI) < vertical, yaw - lasts[0], 0.0)
    yaw = yaw - drift
    first = first + where(roll < 0.0, -drift, drift)
    plain = absolute(nearest_turn(yaw - lasts[0])) + absolute(nearest_turn(roll - lasts[1]))
    other = absolute(nearest_turn(yaw + PI - lasts[0])) + absolute(nearest_turn(PI - roll - lasts[1]))
    flip = other < plain
    chosen = (where(flip, yaw + PI, yaw), where(flip, PI - roll, roll), where(flip, first + PI, first), *others)
    near = [last + nearest_turn(angle - last) for angle, last in zip(chosen, lasts, strict=True)]
    found = tuple(where(kept, angle, one) for angle, one in zip(angles, near, strict=True))
    return found, tuple(where(invalid, last, one) for last, one in zip(before, found, strict=True))
