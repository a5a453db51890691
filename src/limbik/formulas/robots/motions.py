"""Rigid motions, and the frame in which a family of robot limbs is solved."""

from collections.abc import Sequence

from limbik.formulas.operations import Quaternion, Real, Vector
from limbik.formulas.quaternions import multiply
from limbik.formulas.robots.subproblems import Turn, inverse_turn, subtract, turn_vector
from limbik.formulas.vectors import combine, dot

Matrix = tuple[Vector, Vector, Vector]  # rows
Screw = tuple[Vector, Vector]  # of a joint: its axis and a point on it


class Motion:
    """A rigid motion: `matrix`, and the point that goes to `target`."""

    def __init__(self, matrix: Matrix, start: Vector, target: Vector) -> None:
        self.matrix = matrix
        self.start = start
        self.target = target

    def turn(self, v: Vector) -> Vector:
        """A direction after the motion."""
        return apply_matrix(self.matrix, v)

    def turn_back(self, v: Vector) -> Vector:
        """A direction before the motion."""
        return apply_matrix(transpose(self.matrix), v)

    def move(self, point: Vector) -> Vector:
        """Where a point goes."""
        return combine(1.0, self.target, 1.0, apply_matrix(self.matrix, subtract(point, self.start)))

    def inverse(self) -> "Motion":
        """The inverse motion."""
        return Motion(transpose(self.matrix), self.target, self.start)


def matrix_of(q: Quaternion) -> Matrix:
    """The rotation matrix of a quaternion of any length; NaN where that is 0."""
    x, y, z, w = q
    k = 2.0 / (x * x + y * y + z * z + w * w)
    kx, ky, kz = k * x, k * y, k * z
    xx, yy, zz = kx * x, ky * y, kz * z
    xy, xz, yz = kx * y, kx * z, ky * z
    wx, wy, wz = kx * w, ky * w, kz * w
    return (
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def transpose(m: Matrix) -> Matrix:
    """The transposed matrix."""
    (a, b, c), (d, e, f), (g, h, i) = m
    return (a, d, g), (b, e, h), (c, f, i)


def apply_matrix(m: Matrix, v: Vector) -> Vector:
    """Matrix · vector."""
    x, y, z = m
    return dot(x, v), dot(y, v), dot(z, v)


def motion_to(position: Vector, rotation: Quaternion, frame: Sequence[Real], tip: Sequence[Real]) -> Motion:
    """The motion that takes the tip from its pose at zero to a target, in the family's frame.

    `frame` has the origin of that frame and the quaternion that turns the base's frame into it; `tip` has the tip's
    position at zero in that frame, and the quaternion that takes the family's frame to the tip's at zero, inverted.
    """
    ox, oy, oz, *turn = frame
    x, y, z, *home = tip
    matrix = matrix_of(multiply(multiply(_quaternion(turn), rotation), _quaternion(home)))
    return Motion(matrix, (x, y, z), apply_matrix(matrix_of(_quaternion(turn)), subtract(position, (ox, oy, oz))))


def _quaternion(parts: Sequence[Real]) -> Quaternion:
    x, y, z, w = parts
    return x, y, z, w


def screws_of(axes: Sequence[Real], points: Sequence[Real]) -> list[Screw]:
    """The joints from groups of numbers, three of each for a joint."""
    found: list[Screw] = []
    for k in range(0, len(axes), 3):
        ax, ay, az = axes[k : k + 3]
        px, py, pz = points[k : k + 3]
        found.append(((ax, ay, az), (px, py, pz)))
    return found


def reverse_screws(screws: Sequence[Screw]) -> list[Screw]:
    """The chain from tip to base: it undergoes the inverse motion at the same angles."""
    return [((-x, -y, -z), point) for (x, y, z), point in reversed(screws)]


def turn_point_about(screw: Screw, turn: Turn, point: Vector) -> Vector:
    """A point turned about a joint's axis."""
    axis, pivot = screw
    return combine(1.0, pivot, 1.0, turn_vector(axis, turn, subtract(point, pivot)))


def undo_turns(screws: Sequence[Screw], turns: Sequence[Turn], v: Vector) -> Vector:
    """A direction with the joints' turns taken back, the first joint's first."""
    for (axis, _), turn in zip(screws, turns, strict=True):
        v = turn_vector(axis, inverse_turn(turn), v)
    return v
