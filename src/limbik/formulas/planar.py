"""Two links in the plane. Angles counter-clockwise; bend +1 puts the elbow left of the ray from origin to target."""

from limbik.formulas.operations import NAN, Real, Truth, absolute, atan2, seldom, where
from limbik.formulas.status import limit_holds, rounding_slack, verdict
from limbik.formulas.triangle import bend_angle, bounds, hold, lead_ratio, middle, share
from limbik.formulas.vectors import unit

Point = tuple[Real, Real]
# Origin; unit aim; bend; distance to the target; total length; chord and ρ (see triangle.py); aim free; row invalid.
PlanarPose = tuple[Point, Point, Real, Real, Real, Real, Real, Truth, Truth]


def planar_pose(lengths: Point, span: Point, target: Point, origin: Point, sides: tuple[Real]) -> PlanarPose:
    """Everything that the planar limb's answers are read from."""
    first, second = lengths
    near, far = span
    tx, ty = target
    ox, oy = origin
    (bend,) = sides
    x = tx - ox
    y = ty - oy
    invalid: Truth = False
    free: Truth = False
    if seldom():  # shows in the square that `unit` looks at
        invalid = x * 0.0 + y * 0.0 != 0.0
        x = where(invalid, 1.0, x)
        y = where(invalid, 0.0, y)
    (ex, ey, _), distance = unit((x, y, 0.0))
    if seldom():
        free = distance == 0.0
        ex = where(free, 1.0, ex)
        ey = where(free, 0.0, ey)
    total, lead = share(first, second)
    near, far = bounds(near, far, lead)
    chord = hold(distance / total, near, far)
    return (ox, oy), (ex, ey), bend, distance, total, chord, lead_ratio(chord, lead), free, invalid


def planar_joints(pose: PlanarPose) -> tuple[Point, Point, Point]:
    """Origin, elbow and tip."""
    (ox, oy), (ex, ey), bend, _, total, chord, ratio, _, invalid = pose
    x, y = middle(chord, ratio)
    x = total * x
    y = total * y * bend
    reach = total * chord
    px = ox + x * ex - y * ey
    py = oy + x * ey + y * ex
    qx = ox + reach * ex
    qy = oy + reach * ey
    if seldom():
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
    x, y = middle(chord, ratio)
    elbow = -bend * bend_angle(chord, x, y)
    y = y * bend
    shoulder = atan2(x * ey + y * ex, x * ex - y * ey)
    return where(invalid, NAN, shoulder), where(invalid, NAN, elbow)


def planar_report(pose: PlanarPose, lengths: Point, span: Point, target: Point) -> tuple[Real, Real, Real]:
    """Status, residual, and 1 where the aim was free (the target lies on the origin)."""
    (ox, oy), _, _, distance, total, chord, _, free, invalid = pose
    first, second = lengths
    tx, ty = target
    _, lead = share(first, second)
    near, far = bounds(span[0], span[1], lead)
    asked = distance / total
    residual = absolute(distance - total * chord)
    missed = residual > rounding_slack(total, (tx, ty, 0.0), (ox, oy, 0.0))
    status = verdict(missed, asked > chord, limit_holds(asked, chord, lead, near, far), invalid)
    return status, where(invalid, NAN, residual), where(free, 1.0, 0.0)
