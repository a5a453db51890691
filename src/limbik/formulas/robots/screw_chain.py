"""A chain of screws: where given joint angles bring its tip, how far that is from a target, and a step towards it."""

from collections.abc import Sequence
from dataclasses import dataclass

from limbik.formulas.operations import EPSILON, Quaternion, Real, Vector, absolute, atan2, cos, sin, sqrt, where
from limbik.formulas.quaternions import multiply, rotate
from limbik.formulas.robots.motions import Screw, screws_of
from limbik.formulas.robots.subproblems import subtract
from limbik.formulas.vectors import combine, cross, dot, scale

MAX_STEP_ANGLE = 6.283185307179586  # radians


@dataclass(frozen=True)
class ChainPose:
    """Where the tip and the joints' axes are."""

    position: Vector
    rotation: Quaternion
    joints: list[Screw]


def chain_pose(axes: Sequence[Real], points: Sequence[Real], tip: Sequence[Real], angles: Sequence[Real]) -> ChainPose:
    """The product of exponentials; `tip` has the tip's position and quaternion at zero."""
    q: Quaternion = (0.0, 0.0, 0.0, 1.0)
    shift: Vector = (0.0, 0.0, 0.0)
    joints: list[Screw] = []
    for ((x, y, z), point), angle in zip(screws_of(axes, points), angles, strict=True):
        start = not joints
        here = point if start else combine(1.0, rotate(q, point), 1.0, shift)
        joints.append(((x, y, z) if start else rotate(q, (x, y, z)), here))
        c, s = cos(0.5 * angle), sin(0.5 * angle)
        turn = x * s, y * s, z * s, c
        q = turn if start else multiply(q, turn)
        shift = subtract(here, rotate(q, point))
    px, py, pz, *home = tip
    hx, hy, hz, hw = home
    return ChainPose(combine(1.0, rotate(q, (px, py, pz)), 1.0, shift), multiply(q, (hx, hy, hz, hw)), joints)


def chain_tip(pose: ChainPose) -> tuple[Real, ...]:
    """The tip's position and rotation."""
    return *pose.position, *pose.rotation


def chain_joints(pose: ChainPose) -> tuple[Real, ...]:
    """The directions of the joints' axes, then a point on each, then the tip's position and rotation."""
    axes = [number for axis, _ in pose.joints for number in axis]
    points = [number for _, point in pose.joints for number in point]
    return *axes, *points, *pose.position, *pose.rotation


def chain_errors(pose: ChainPose, position: Vector, rotation: Quaternion) -> tuple[Real, Real]:
    """The distance from the target, and the angle between the rotations."""
    gap = subtract(position, pose.position)
    x, y, z, w = _difference(pose.rotation, rotation)
    return sqrt(dot(gap, gap)), 2.0 * atan2(sqrt(x * x + y * y + z * z), where(w < 0.0, -w, w))


def _difference(found: Quaternion, wanted: Quaternion) -> Quaternion:
    """The rotation from one to the other, in the base's frame."""
    x, y, z, w = found
    return multiply(wanted, (-x, -y, -z, w))


def chain_step(
    pose: ChainPose, position: Vector, rotation: Quaternion, angles: Sequence[Real], oriented: bool
) -> tuple[Real, ...]:
    """The angles after one Newton step towards a target: the shortest of all such steps, damped at singularities.

    It turns the joints by MAX_STEP_ANGLE in sum at most: towards what is out of reach it would lead anywhere.
    """
    errors: list[Real] = [*subtract(position, pose.position)]
    rows: list[list[Real]] = [[], [], []]
    for axis, point in pose.joints:
        for row, part in zip(rows, cross(axis, subtract(pose.position, point)), strict=True):
            row.append(part)
    if oriented:
        x, y, z, w = _difference(pose.rotation, rotation)
        side = where(w < 0.0, -2.0, 2.0) / sqrt(x * x + y * y + z * z + w * w)
        errors += scale(side, (x, y, z))
        rows += [[axis[k] for axis, _ in pose.joints] for k in range(3)]
    weights = _normal_equations(rows, errors)
    turns: list[Real] = []
    length: Real = 0.0
    for k in range(len(angles)):
        turn: Real = 0.0
        for row, weight in zip(rows, weights, strict=True):
            turn = row[k] * weight + turn
        turns.append(turn)
        length = length + absolute(turn)
    share = MAX_STEP_ANGLE / where(length > MAX_STEP_ANGLE, length, MAX_STEP_ANGLE)
    finite = length - length == 0.0
    return tuple(angle + where(finite, share * turn, 0.0) for angle, turn in zip(angles, turns, strict=True))


def _normal_equations(rows: list[list[Real]], right: list[Real]) -> list[Real]:
    """The weights of the rows whose sum has these products with them: (rows · rowsᵀ) weights = right, by Cholesky."""
    size = len(rows)
    lower: list[list[Real]] = []
    inverse: list[Real] = []
    forward: list[Real] = []
    for i in range(size):
        line: list[Real] = []
        for j in range(i + 1):
            total: Real = 0.0
            for a, b in zip(rows[i], rows[j], strict=True):
                total = a * b + total
            damping = 256.0 * EPSILON * total + EPSILON * EPSILON
            for k in range(j):
                total = total - line[k] * lower[j][k] if j < i else total - line[k] * line[k]
            if j < i:
                line.append(total * inverse[j])
            else:
                inverse.append(1.0 / sqrt(where(total > damping, total, damping)))
        value = right[i]
        for k in range(i):
            value = value - line[k] * forward[k]
        forward.append(value * inverse[i])
        lower.append(line)
    weights: list[Real] = [0.0] * size
    for i in reversed(range(size)):
        value = forward[i]
        for k in range(i + 1, size):
            value = value - lower[k][i] * weights[k]
        weights[i] = value * inverse[i]
    return weights
