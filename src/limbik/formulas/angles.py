"""From a hinge axis to the angles of the chain Ry Rz Rx…: the base yaws about y, rolls about z, then hinges turn."""

from limbik.formulas.operations import EPSILON, Real, Vector, atan2, seldom, sqrt, where
from limbik.formulas.vectors import cross, dot

PI = 3.141592653589793


def chain_base(hinge: Vector, aim: Vector, upper: Real) -> tuple[Real, Real, Vector, Vector]:
    """Yaw and roll that bring the base's x axis to the unit `hinge`, and the rolled base's y and z axes.

    Each hinge has two such bases, half a turn about it apart: `upper` +1 takes the one with roll in [−π/2, π/2], −1
    the other. A vertical hinge leaves the yaw free: there the base faces the aim, as the article's does.
    """
    nx, ny, nz = hinge
    level = sqrt(nx * nx + nz * nz)
    sine = -nz
    cosine = nx
    vertical = level < 16.0 * EPSILON
    if seldom(vertical):
        ax, _, az = aim
        sine = where(vertical, ax, sine)
        cosine = where(vertical, az, cosine)
    size = sqrt(sine * sine + cosine * cosine)
    inverse = upper / where(size > 0.0, size, 1.0)
    sine = sine * inverse
    cosine = cosine * inverse
    forward = (sine, 0.0 * sine, cosine)
    return atan2(sine, cosine), atan2(ny, upper * level), cross(forward, hinge), forward


def in_plane_angle(direction: Vector, upright: Vector, level: Vector) -> Real:
    """The angle of a direction within the bending plane, turning about the hinge from the base's z axis."""
    return atan2(-dot(direction, upright), dot(direction, level))


def wrap(angle: Real) -> Real:
    """An angle within three half turns of zero, brought into (−π, π]."""
    return where(angle > PI, angle - 2.0 * PI, where(angle <= -PI, angle + 2.0 * PI, angle))
