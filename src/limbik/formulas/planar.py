"""Two links in the plane. Angles counter-clockwise; bend +1 puts the elbow left of the ray from origin to target."""

from limbik.formulas.operations import Boolean, Pair, Real, absolute, atan2, rare_case, where
from limbik.formulas.status import limit_active, rounding_slack, status_code
from limbik.formulas.triangle import asymmetry_ratio, bend_angle, clamp, middle_joint, proportions
from limbik.formulas.vectors import nan_where, unit

# Origin; unit aim; bend; distance to the target; total length; chord and ρ (triangle.py); aim undetermined; invalid.
PlanarPose = tuple[Pair, Pair, Real, Real, Real, Real, Real, Boolean, Boolean]


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
    return (ox, oy), (ex, ey), bend, distance, total, chord, asymmetry_ratio(chord, asymmetry), free, invalid


def planar_joints(pose: PlanarPose) -> tuple[Pair, Pair, Pair]:
    """Origin, elbow and tip."""
    (ox, oy), (ex, ey), bend, _, total, chord, ratio, _, invalid = pose
    x, y = middle_joint(chord, ratio)
    x = total * x
    y = total * y * bend
    reach = total * chord
    px = ox + x * ex - y * ey
    py = oy + x * ey + y * ex
    qx = ox + reach * ex
    qy = oy + reach * ey
    return nan_where(invalid, ((ox, oy), (px, py), (qx, qy)))


def planar_angles(pose: PlanarPose) -> Pair:
    """The first link's angle from +x, and the second's from the first."""
    _, (ex, ey), bend, _, _, chord, ratio, _, invalid = pose
    x, y = middle_joint(chord, ratio)
    y = y * bend
    elbow = bend_angle(chord, x, -y)
    shoulder = atan2(x * ey + y * ex, x * ex - y * ey)
    return nan_where(invalid, (shoulder, elbow))


def planar_report(pose: PlanarPose, lengths: Pair, chord_range: Pair, target: Pair) -> tuple[Real, Real, Real]:
    """Status, residual, and 1 where the aim is undetermined (the target lies on the origin)."""
    (ox, oy), _, _, distance, total, chord, _, free, invalid = pose
    tx, ty = target
    _, asymmetry, near, far = proportions(lengths, chord_range)
    requested = distance / total
    residual = absolute(distance - total * chord)
    missed = residual > rounding_slack(total, (tx, ty, 0.0), (ox, oy, 0.0))
    status = status_code(missed, requested > chord, limit_active(requested, chord, asymmetry, near, far), invalid)
    return status, nan_where(invalid, residual), where(free, 1.0, 0.0)
