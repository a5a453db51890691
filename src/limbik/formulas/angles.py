"""From a hinge axis to the angles of the chain Ry Rz Rx…: yaw about y, roll about z, then the hinges."""

from limbik.formulas.operations import EPSILON, Real, Vector, atan2, rare_case, sqrt, where

PI = 3.141592653589793


def chain_base(hinge: Vector, aim: Vector, upper: Real) -> tuple[Real, Real, Real, Real]:
    """Yaw and roll that bring the base's x axis to the unit `hinge`; the aim in the bending plane, as (cosine, sine).

    The angle in the plane is measured about the hinge from the base's z axis. Its cosine and sine share a positive
    factor, which atan2 ignores. Each hinge has two bases, half a turn about it apart: `upper` = +1 selects the one with
    roll in [−π/2, π/2], −1 the other. A vertical hinge leaves the yaw undetermined: there the base faces the aim, as in
    the article.
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
    cosine = cosine * upper
    # The base's z axis is (sine, 0, cosine); its y axis is that × hinge.
    ahead = sine * ax + cosine * az
    aloft = ny * (sine * az - cosine * ax) + (cosine * nx - sine * nz) * ay
    return atan2(sine, cosine), atan2(ny, upper * sqrt(square)), ahead, -aloft


def relative_angle(cosine: Real, sine: Real, x: Real, y: Real) -> Real:
    """The angle of (cosine, sine) minus the angle of (x, y)."""
    return atan2(sine * x - cosine * y, cosine * x + sine * y)


def wrap(angle: Real) -> Real:
    """An angle in (−3π, 3π) wrapped into (−π, π]."""
    return where(angle > PI, angle - 2.0 * PI, where(angle <= -PI, angle + 2.0 * PI, angle))
