"""Three links in space: the last link points along `up` from the ankle to the tip, and the first two reach the ankle.

The bending plane contains the line from origin to ankle. The natural style turns it to contain `up` as well; the easy
style takes the plane of the hint, and the last joint alone turns its link to `up`. Both reach target and `up` exactly.
"""

from typing import NamedTuple

from limbik.formulas.angles import relative_angle
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import (
    EPSILON,
    Boolean,
    Pair,
    Quaternion,
    Real,
    Vector,
    absolute,
    atan2,
    maximum,
    minimum,
    rare_case,
    sqrt,
    where,
)
from limbik.formulas.quaternions import half_angle, turn_x, turn_y
from limbik.formulas.status import limit_active, rounding_slack, status_code
from limbik.formulas.triangle import asymmetry_ratio, clamp, middle_joint, proportions
from limbik.formulas.two_link import pair_angles, pair_joints, pair_rotations
from limbik.formulas.vectors import (
    along,
    choose,
    combine,
    cross,
    dot,
    nan_where,
    not_finite,
    perpendicular_toward,
    reject,
    unit,
    upward_normal,
)

# The sine of 15°, the angle from the singularity within which a hint takes over the bending plane.
HANDOVER_SINE = 0.25881904510252074


class ThreeLinkPose(NamedTuple):
    """What the three-link limb's answers are computed from."""

    origin: Vector
    aim: Vector  # unit, from origin to ankle
    side: Vector  # unit, perpendicular to the aim
    up: Vector  # unit, along the last link
    bend: Real
    axis: Real  # sign of the hinge, by the rule of `hinge_sign`
    upper: Real  # sign of the base: see `chain_base`
    last: Real  # length of the last link
    total: Real  # length of the first two
    chord: Real  # and ρ: see triangle.py
    ratio: Real
    free: Boolean  # whether the bending plane is undetermined
    invalid: Boolean

    @property
    def ankle(self) -> Real:
        """The distance from origin to ankle."""
        return self.total * self.chord


def last_direction(reach: Vector, up: Vector) -> Vector:
    """The unit direction of the last link; towards the target for a zero `up`, which requests none."""
    direction, size = unit(up)
    if rare_case():
        none = size == 0.0
        onward, distance = unit(reach)
        onward = choose(distance > 0.0, onward, (0.0, 1.0, 0.0))
        direction = choose(none, onward, direction)
    return direction


def position_first_direction(reach: Vector, up: Vector, last: Real, total: Real, near: Real, far: Real) -> Vector:
    """The direction of the last link nearest to `up` that brings the tip to the target, or as near as possible."""
    _, ankle = unit(along(reach, -last, up))
    held = total * clamp(ankle / total, near, far)
    onward, distance = unit(reach)
    side, _ = perpendicular_toward(onward, up)
    # The answer is the same beyond twice the limb's length; the bound keeps the distance finite.
    distance = minimum(distance, 2.0 * (last + total))
    # The angle between the last link and the line to the target, in the triangle (distance, last, held): the squares of
    # cosine and sine of its half. The cosine alone would lose the angle's digits where `held` is short.
    size = maximum(maximum(distance, last), held)
    a = distance / size
    b = last / size
    c = held / size
    difference = a - b
    open_part = maximum((a + b - c) * (a + b + c), 0.0)
    closed_part = maximum((c - difference) * (c + difference), 0.0)
    whole = open_part + closed_part
    whole = where(whole > 0.0, whole, 1.0)
    open_part = open_part / whole
    closed_part = closed_part / whole
    cosine = open_part - closed_part
    sine = 2.0 * sqrt(open_part * closed_part)
    keep = (held * (1.0 + 4.0 * EPSILON) >= ankle) & (held * (1.0 - 4.0 * EPSILON) <= ankle) | (a == 0.0)
    return choose(keep, up, combine(cosine, onward, sine, side))


def bending_side(aim: Vector, up: Vector, hint: Vector, natural: bool, hinted: bool) -> tuple[Vector, Boolean]:
    """The unit vector perpendicular to the aim in the bending plane, and where it is undetermined."""
    if natural:
        side = reject(up, aim)
        if hinted:
            toward, _ = perpendicular_toward(aim, hint)
            _, size = unit(side)
            t = minimum(size / HANDOVER_SINE, 1.0)
            side = along(side, HANDOVER_SINE * smoothstep(1.0 - t), toward)
        direction, size = unit(side)
        free: Boolean = False
        if rare_case(size < 16.0 * EPSILON):
            free = size < 16.0 * EPSILON
            fallback, _ = perpendicular_toward(aim, hint)
            direction = choose(free, fallback, direction)
        return direction, free
    if hinted:
        return perpendicular_toward(aim, hint)
    ax, _, az = aim
    return upward_normal(aim), (ax == 0.0) & (az == 0.0)


def hinge_sign(side: Vector, aim: Vector, axis: Real, fixed_frame: bool) -> Real:
    """+1 where the hinge is side × aim, −1 where it is the opposite: `axis` itself for a fixed frame, else by the rule.

    The rule is the article's yaw: the base faces the ankle. Where it faces neither way (the side is level), the yaw is
    the one in (−π/2, π/2]. An `axis` of −1 selects the opposite of the rule.
    """
    if fixed_frame:
        return axis
    _, sy, _ = side
    facing = sy
    slack = 64.0 * EPSILON
    if rare_case(absolute(sy) <= slack):
        hx, _, hz = cross(side, aim)
        sideways = where(absolute(hz) <= slack, 1.0, -hz)
        straight = where(absolute(hx) <= slack, sideways, hx)
        facing = where(absolute(sy) <= slack, straight, sy)
    return axis * where(facing < 0.0, -1.0, 1.0)


def three_link_pose(
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    origin: Vector,
    hint: Vector,
    signs: Vector,
    aim: Vector,
    natural: bool,
    hinted: bool,
    position_first: bool,
    fixed_frame: bool,
) -> ThreeLinkPose:
    """The pose from which the three-link limb's answers are computed.

    `signs` holds bend, axis and upper. With a `fixed_frame`, `aim` and `hint` are the unit aim and side themselves.
    """
    _, _, last = lengths
    total, asymmetry, near, far = proportions(lengths, chord_range)
    reach = combine(1.0, target, -1.0, origin)
    invalid: Boolean = False
    free: Boolean = False
    # Covered by the conditions of `unit`, which a side that is given does not meet.
    if rare_case(not_finite(hint) if fixed_frame else None):
        invalid = not_finite(reach) | not_finite(up) | not_finite(hint)
        reach = choose(invalid, (0.0, 0.0, 1.0), reach)
        up = choose(invalid, (0.0, 1.0, 0.0), up)
        hint = choose(invalid, (0.0, 1.0, 0.0), hint)
    up = last_direction(reach, up)
    if position_first and not fixed_frame:
        up = position_first_direction(reach, up, last, total, near, far)
    direction, distance = unit(along(reach, -last, up))
    if rare_case():
        free = distance == 0.0
    if fixed_frame:
        direction = aim
        side = hint
    else:
        if rare_case():
            # An ankle on the origin leaves the aim undetermined: perpendicular to `up`, so that the knee lies along it.
            direction = choose(free, upward_normal(up), direction)
        side, undecided = bending_side(direction, up, hint, natural, hinted)
        free = free | undecided
    chord = clamp(distance / total, near, far)
    ratio = asymmetry_ratio(chord, asymmetry)
    return ThreeLinkPose(origin, direction, side, up, *signs, last, total, chord, ratio, free, invalid)


def three_link_joints(pose: ThreeLinkPose) -> tuple[Vector, Vector, Vector, Vector]:
    """Origin, knee, ankle and tip."""
    knee, ankle = pair_joints(pose.origin, pose.aim, pose.side, pose.bend, pose.total, pose.chord, pose.ratio)
    return nan_where(pose.invalid, (pose.origin, knee, ankle, along(ankle, pose.last, pose.up)))


def last_joint(aim: Vector, side: Vector, up: Vector) -> tuple[Real, Real]:
    """The components of the last link in the bending plane, along the aim and along the side.

    A link perpendicular to the plane has no direction in it, and counts as pointing along the aim.
    """
    ahead = dot(up, aim)
    beside = dot(up, side)
    square = ahead * ahead + beside * beside
    if rare_case(square < 256.0 * EPSILON * EPSILON):
        ahead = where(square < 256.0 * EPSILON * EPSILON, 16.0 * EPSILON, ahead)
        beside = where(square < 256.0 * EPSILON * EPSILON, 0.0, beside)
    return ahead, beside


def leaning_rotation(base: Quaternion, aim: Vector, side: Vector, up: Vector, axis: Real) -> Quaternion:
    """The world rotation of a last link along `up`, from that of the chord: about the hinge, then out of the plane."""
    ahead, beside = last_joint(aim, side, up)
    flat = sqrt(ahead * ahead + beside * beside)
    cosine, sine = half_angle(ahead / flat, beside / flat)
    foot = turn_x(base, cosine, -axis * sine)
    cosine, sine = half_angle(flat, axis * dot(up, cross(side, aim)))
    return turn_y(foot, cosine, sine)


def lean_out_of_plane(aim: Vector, side: Vector, up: Vector, axis: Real) -> Real:
    """The angle by which a last link along `up` leans out of the bending plane, towards the hinge axis."""
    ahead, beside = last_joint(aim, side, up)
    swing = dot(up, cross(side, aim))
    flat = sqrt(ahead * ahead + beside * beside)
    return where(absolute(swing) < 64.0 * EPSILON, 0.0, atan2(axis * swing, flat))


def three_link_rotations(pose: ThreeLinkPose, fixed_frame: bool) -> tuple[Quaternion, Quaternion, Quaternion]:
    """World rotations of the links: +z along the link, +x the hinge; the last one may lean out of the plane."""
    aim, side = pose.aim, pose.side
    axis = hinge_sign(side, aim, pose.axis, fixed_frame)
    base, thigh, shank = pair_rotations(aim, side, pose.bend, axis, pose.chord, pose.ratio)
    return nan_where(pose.invalid, (thigh, shank, leaning_rotation(base, aim, side, pose.up, axis)))


def three_link_angles(pose: ThreeLinkPose, fixed_frame: bool) -> tuple[Real, Real, Real, Real, Real]:
    """Yaw about y, roll about z, and three hinges about x: the chain Ry Rz Rx Rx Rx."""
    aim, side, bend, chord, ratio = pose.aim, pose.side, pose.bend, pose.chord, pose.ratio
    axis = hinge_sign(side, aim, pose.axis, fixed_frame)
    x, y = middle_joint(chord, ratio)
    ahead, beside = last_joint(aim, side, pose.up)
    # From the second link, which runs along (chord − x, −y), to the last.
    ankle = relative_angle(ahead, -axis * beside, chord - x, axis * bend * y)
    return nan_where(pose.invalid, (*pair_angles(aim, side, bend, axis, chord, ratio, pose.upper), ankle))


def three_link_report(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    requested_target: Vector,
    requested_up: Vector,
    limited: tuple[Real],
    position_first: bool,
    fixed_frame: bool,
) -> tuple[Real, Real, Real, Real, Real]:
    """Status, residual, up error, 1 where the plane is undetermined, and the last link's angle out of the plane.

    Residual and up error are relative to `requested_target` and `requested_up`: the caller's own, before a limit or a
    track moved them.
    """
    aim, side, up, last, invalid = pose.aim, pose.side, pose.up, pose.last, pose.invalid
    (held,) = limited
    _, asymmetry, near, far = proportions(lengths, chord_range)
    reach = choose(invalid, aim, combine(1.0, requested_target, -1.0, pose.origin))
    tip = combine(pose.ankle, aim, last, up)
    _, residual = unit(combine(1.0, tip, -1.0, reach))
    missed = residual > rounding_slack(pose.total + last, requested_target, pose.origin)
    _, requested = unit(along(reach, -last, up))
    too_far = requested > pose.ankle
    if position_first:
        _, distance = unit(reach)
        _, extent = unit(tip)
        too_far = distance > extent
    limited_knee = limit_active(requested / pose.total, pose.chord, asymmetry, near, far)
    status = status_code(missed, too_far, (held > 0.0) | limited_knee, invalid)
    wanted_up, size = unit(choose(invalid, up, requested_up))
    _, sine = unit(cross(up, wanted_up))
    up_error = where(size > 0.0, atan2(sine, dot(up, wanted_up)), 0.0)
    lean = lean_out_of_plane(aim, side, up, hinge_sign(side, aim, pose.axis, fixed_frame))
    residual, up_error, lean = nan_where(invalid, (residual, up_error, lean))
    return status, residual, up_error, where(pose.free, 1.0, 0.0), lean
