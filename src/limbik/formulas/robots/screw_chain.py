"""A chain of screws: where given joint values bring its tip, and how far that is from a target."""

from collections.abc import Sequence
from dataclasses import dataclass

from limbik.formulas.operations import Quaternion, Real, Vector, atan2, cos, sin, sqrt, where
from limbik.formulas.quaternions import multiply, rotate
from limbik.formulas.robots.motions import Screw, screws_of
from limbik.formulas.robots.subproblems import subtract
from limbik.formulas.vectors import combine, cross, dot

SLIDE = "s"  # of the letters that describe a chain's joints; "h" is a hinge


@dataclass(frozen=True)
class ChainPose:
    """Where the tip and the joints' axes are; `kinds` has a letter for each joint."""

    kinds: str
    position: Vector
    rotation: Quaternion
    joints: list[Screw]


def chain_pose(
    kinds: str, axes: Sequence[Real], points: Sequence[Real], tip: Sequence[Real], angles: Sequence[Real]
) -> ChainPose:
    """The product of exponentials; `tip` has the tip's position and quaternion at zero."""
    q: Quaternion = (0.0, 0.0, 0.0, 1.0)
    shift: Vector = (0.0, 0.0, 0.0)
    joints: list[Screw] = []
    for kind, ((x, y, z), point), angle in zip(kinds, screws_of(axes, points), angles, strict=True):
        start = not joints
        here = point if start else combine(1.0, rotate(q, point), 1.0, shift)
        axis = (x, y, z) if start else rotate(q, (x, y, z))
        joints.append((axis, here))
        if kind == SLIDE:
            shift = combine(1.0, shift, angle, axis)
            continue
        c, s = cos(0.5 * angle), sin(0.5 * angle)
        turn = x * s, y * s, z * s, c
        q = turn if start else multiply(q, turn)
        shift = subtract(here, rotate(q, point))
    px, py, pz, *home = tip
    hx, hy, hz, hw = home
    return ChainPose(kinds, combine(1.0, rotate(q, (px, py, pz)), 1.0, shift), multiply(q, (hx, hy, hz, hw)), joints)


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
    x, y, z, w = rotation_between(pose.rotation, rotation)
    return sqrt(dot(gap, gap)), 2.0 * atan2(sqrt(x * x + y * y + z * z), where(w < 0.0, -w, w))


def rotation_between(found: Quaternion, wanted: Quaternion) -> Quaternion:
    """The rotation from one to the other, in the base's frame, of the length of `wanted`."""
    x, y, z, w = found
    return multiply(wanted, (-x, -y, -z, w))


def jacobian_rows(pose: ChainPose) -> list[list[Real]]:
    """The rows of the Jacobian: three of the tip's velocity, and three of its angular velocity."""
    rows: list[list[Real]] = [[] for _ in range(6)]
    for kind, (axis, point) in zip(pose.kinds, pose.joints, strict=True):
        slides = kind == SLIDE
        parts = (*axis, 0.0, 0.0, 0.0) if slides else (*cross(axis, subtract(pose.position, point)), *axis)
        for row, part in zip(rows, parts, strict=True):
            row.append(part)
    return rows


def chain_motion(pose: ChainPose) -> tuple[Real, ...]:
    """The tip's position and rotation, then the Jacobian, row by row."""
    return *chain_tip(pose), *chain_jacobian(pose)


def chain_jacobian(pose: ChainPose) -> tuple[Real, ...]:
    """The Jacobian, row by row."""
    return tuple(part for row in jacobian_rows(pose) for part in row)
