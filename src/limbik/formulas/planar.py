"""Two links in the plane. Angles counter-clockwise; bend +1 puts the elbow left of the ray from origin to target."""

from typing import NamedTuple

from limbik.formulas.operations import Boolean, Pair, Real, absolute, atan2, rare_case, where
from limbik.formulas.status import limit_active, rounding_slack, status_code
from limbik.formulas.triangle import asymmetry_ratio, bend_angle, clamp, middle_joint, proportions
from limbik.formulas.vectors import nan_where, unit


class PlanarPose(NamedTuple):
    """What the planar limb's answers are computed from."""

    origin: Pair
    aim: Pair  # unit
    bend: Real
    distance: Real  # from the origin to the target
    total: Real  # length
    chord: Real  # and ρ: see triangle.py
    ratio: Real
    free: Boolean  # whether the aim is undetermined
    invalid: Boolean


def planar_pose(lengths: Pair, chord_range: Pair, target: Pair, origin: Pair, signs: tuple[Real]) -> PlanarPose:
    """The pose from which the planar limb's answers are computed."""
    tx, ty = target
    ox, oy = origin
    (bend,) = signs
    x = tx - ox
    y = ty - oy
    invalid: Boolean = False
    free: Boolean = False
    if rare_case():  # covered by the conditions of `unit`
        invalid = x * 0.0 + y * 0.0 != 0.0
        x = where(invalid, 1.0, x)
        y = where(invalid, 0.0, y)
    (ex, ey, _), distance = unit((x, y, 0.0))
    if rare_case():
        free = distance == 0.0
        ex = where(free, 1.0, ex)
        ey = where(free, 0.0, ey)
    total, asymmetry, near, far = proportions(lengths, chord_range)
    chord = clamp(distance / total, near, far)
    ratio = asymmetry_ratio(chord, asymmetry)
    return PlanarPose((ox, oy), (ex, ey), bend, distance, total, chord, ratio, free, invalid)


def planar_joints(pose: PlanarPose) -> tuple[Pair, Pair, Pair]:
    """Origin, elbow and tip."""
    (ox, oy), (ex, ey) = pose.origin, pose.aim
    x, y = middle_joint(pose.chord, pose.ratio)
    x = pose.total * x
    y = pose.total * y * pose.bend
    reach = pose.total * pose.chord
    px = ox + x * ex - y * ey
    py = oy + x * ey + y * ex
    qx = ox + reach * ex
    qy = oy + reach * ey
    return nan_where(pose.invalid, ((ox, oy), (px, py), (qx, qy)))


def planar_angles(pose: PlanarPose) -> Pair:
    """The first link's angle from +x, and the second's from the first."""
    ex, ey = pose.aim
    x, y = middle_joint(pose.chord, pose.ratio)
    y = y * pose.bend
    elbow = bend_angle(pose.chord, x, -y)
    shoulder = atan2(x * ey + y * ex, x * ex - y * ey)
    return nan_where(pose.invalid, (shoulder, elbow))


def planar_report(pose: PlanarPose, lengths: Pair, chord_range: Pair, target: Pair) -> tuple[Real, Real, Real]:
    """Status, residual, and 1 where the aim is undetermined (the target lies on the origin)."""
    (ox, oy), (tx, ty), chord = pose.origin, target, pose.chord
    _, asymmetry, near, far = proportions(lengths, chord_range)
    requested = pose.distance / pose.total
    residual = absolute(pose.distance - pose.total * chord)
    missed = residual > rounding_slack(pose.total, (tx, ty, 0.0), (ox, oy, 0.0))
    limited = limit_active(requested, chord, asymmetry, near, far)
    status = status_code(missed, requested > chord, limited, pose.invalid)
    return status, nan_where(pose.invalid, residual), where(pose.free, 1.0, 0.0)
