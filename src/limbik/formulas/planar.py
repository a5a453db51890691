"""Two links in the plane. Angles counter-clockwise; bend +1 puts the elbow left of the ray from origin to target."""

from limbik.formulas.operations import NAN, Real, Truth, absolute, atan2, rare_case, where
from limbik.formulas.status import limit_active, rounding_slack, status_code
from limbik.formulas.triangle import asymmetry_ratio, bend_angle, chord_bounds, clamp, middle_joint, total_and_asymmetry
from limbik.formulas.vectors import unit

Point = tuple[Real, Real]
# Origin; unit aim; bend; distance to the target; total length; chord and ρ (triangle.py); aim undetermined; invalid.
PlanarPose = tuple[Point, Point, Real, Real, Real, Real, Real, Truth, Truth]


def planar_pose(lengths: Point, chord_range: Point, target: Point, origin: Point, signs: tuple[Real]) -> PlanarPose:
    """The pose from which the planar limb's answers are computed."""
    first, second = lengths
    near, far = chord_range
    tx, ty = target
    ox, oy = origin
    (bend,) = signs
    x = tx - ox
    y = ty - oy
    invalid: Truth = False
    free: Truth = False
    if rare_case():  # covered by the conditions of `unit`
        invalid = x * 0.0 + y * 0.0 != 0.0
        x = where(invalid, 1.0, x)
        y = where(invalid, 0.0, y)
    (ex, ey, _), distance = unit((x, y, 0.0))
    if rare_case():
        free = distance == 0.0
        ex = where(free, 1.0, ex)
        ey = where(free, 0.0, ey)
    total, asymmetry = total_and_asymmetry(first, second)
    near, far = chord_bounds(near, far, asymmetry)
    chord = clamp(distance / total, near, far)
    return (ox, oy), (ex, ey), bend, distance, total, chord, asymmetry_ratio(chord, asymmetry), free, invalid


def planar_joints(pose: PlanarPose) -> tuple[Point, Point, Point]:
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
    if rare_case():
        ox = where(invalid, NAN, ox)
        oy = where(invalid, NAN, oy)
        px = where(invalid, NAN, px)
        py = where(invalid, NAN, py)
        qx = where(invalid, NAN, qx)
        qy = where(invalid, NAN, qy)
    return (ox, oy), (px, py), (qx, qy)


def planar_angles(pose: PlanarPose) -> Point:
    """The first link's angle from +x, and the second's from the first."""
    _, (ex, ey), bend, _, _, chord, ratio, _, invalid = pose
    x, y = middle_joint(chord, ratio)
    elbow = -bend * bend_angle(chord, x, y)
    y = y * bend
    shoulder = atan2(x * ey + y * ex, x * ex - y * ey)
    return where(invalid, NAN, shoulder), where(invalid, NAN, elbow)


def planar_report(pose: PlanarPose, lengths: Point, chord_range: Point, target: Point) -> tuple[Real, Real, Real]:
    """Status, residual, and 1 where the aim is undetermined (the target lies on the origin)."""
    (ox, oy), _, _, distance, total, chord, _, free, invalid = pose
    first, second = lengths
    tx, ty = target
    _, asymmetry = total_and_asymmetry(first, second)
    near, far = chord_bounds(chord_range[0], chord_range[1], asymmetry)
    requested = distance / total
    residual = absolute(distance - total * chord)
    missed = residual > rounding_slack(total, (tx, ty, 0.0), (ox, oy, 0.0))
    status = status_code(missed, requested > chord, limit_active(requested, chord, asymmetry, near, far), invalid)
    return status, where(invalid, NAN, residual), where(free, 1.0, 0.0)
