"""Rotations as unit quaternions in xyzw order, without transcendental functions."""

from limbik.formulas.operations import Quaternion, Real, Vector, absolute, sqrt, where
from limbik.formulas.vectors import cross


def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation that takes the world's axes to three orthonormal ones (Shepperd's method)."""
    xx, xy, xz = x
    yx, yy, yz = y
    zx, zy, zz = z
    by_w = 1.0 + xx + yy + zz
    by_x = 1.0 + xx - yy - zz
    by_y = 1.0 - xx + yy - zz
    by_z = 1.0 - xx - yy + zz
    use_w = (by_w >= by_x) & (by_w >= by_y) & (by_w >= by_z)
    use_x = (by_x >= by_y) & (by_x >= by_z)
    use_y = by_y >= by_z
    twice = where(use_w, by_w, where(use_x, by_x, where(use_y, by_y, by_z)))
    qx = where(use_w, yz - zy, where(use_x, by_x, where(use_y, xy + yx, zx + xz)))
    qy = where(use_w, zx - xz, where(use_x, xy + yx, where(use_y, by_y, yz + zy)))
    qz = where(use_w, xy - yx, where(use_x, zx + xz, where(use_y, yz + zy, by_z)))
    qw = where(use_w, by_w, where(use_x, yz - zy, where(use_y, zx - xz, xy - yx)))
    factor = 0.5 / sqrt(twice)
    return qx * factor, qy * factor, qz * factor, qw * factor


def turn_x(q: Quaternion, cosine: Real, sine: Real) -> Quaternion:
    """`q` followed by a rotation about its own x axis, by the cosine and sine of half the angle."""
    x, y, z, w = q
    return x * cosine + w * sine, y * cosine + z * sine, z * cosine - y * sine, w * cosine - x * sine


def turn_y(q: Quaternion, cosine: Real, sine: Real) -> Quaternion:
    """`q` followed by a rotation about its own y axis, by the cosine and sine of half the angle."""
    x, y, z, w = q
    return x * cosine - z * sine, y * cosine + w * sine, z * cosine + x * sine, w * cosine - y * sine


def turn_z(q: Quaternion, cosine: Real, sine: Real) -> Quaternion:
    """`q` followed by a rotation about its own z axis, by the cosine and sine of half the angle."""
    x, y, z, w = q
    return x * cosine + y * sine, y * cosine - x * sine, z * cosine + w * sine, w * cosine - z * sine


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """The product p·q: q followed by p in the world frame, or p followed by q in its own frame."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """The rotated vector."""
    x, y, z, w = q
    vx, vy, vz = v
    ax, ay, az = cross((x, y, z), v)
    ax, ay, az = ax + ax, ay + ay, az + az
    bx, by, bz = cross((x, y, z), (ax, ay, az))
    return vx + w * ax + bx, vy + w * ay + by, vz + w * az + bz


def forward_axis(q: Quaternion) -> Vector:
    """The rotated +z axis, the direction of a link."""
    x, y, z, w = q
    return 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)


def half_angle(cosine: Real, sine: Real) -> tuple[Real, Real]:
    """Cosine (never negative) and sine of half the angle of this cosine and sine."""
    larger = sqrt(0.5 * (1.0 + absolute(cosine)))
    smaller = 0.5 * absolute(sine) / larger
    open_turn = cosine >= 0.0
    half_sine = where(open_turn, smaller, larger)
    return where(open_turn, larger, smaller), where(sine < 0.0, -half_sine, half_sine)
