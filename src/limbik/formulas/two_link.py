"""Two links in space: the middle joint lies on the pole's side of the line from origin to target."""

from typing import NamedTuple

from limbik.formulas.angles import chain_base, relative_angle
from limbik.formulas.operations import Boolean, Pair, Quaternion, Real, Vector, outside, rare_case, where
from limbik.formulas.quaternions import from_axes, turn_x
from limbik.formulas.status import limit_active, rounding_slack, status_code
from limbik.formulas.triangle import (
    asymmetry_ratio,
    bend_angle,
    clamp,
    first_half_angle,
    middle_joint,
    proportions,
    soft_reach,
    stretch_factor,
)
from limbik.formulas.vectors import (
    along,
    choose,
    combine,
    cross,
    nan_where,
    not_finite,
    perpendicular_toward,
    scale,
    unit,
    upward_normal,
)


class TwoLinkPose(NamedTuple):
    """What the two-link limb's answers are computed from."""

    origin: Vector
    aim: Vector  # unit
    side: Vector  # unit, perpendicular to the aim
    bend: Real
    axis: Real  # sign of the hinge
    total: Real  # length, stretched
    chord: Real  # and ρ: see triangle.py
    ratio: Real
    stretch: Real
    free: Boolean  # whether the bending plane is undetermined
    invalid: Boolean


def aim_across(pole: Vector) -> Vector:
    """The aim for a target on the origin: one for which the middle joint can lie exactly towards the pole."""
    toward, size = unit(pole)
    return upward_normal(choose(size > 0.0, toward, (0.0, 1.0, 0.0)))


def two_link_pose(
    lengths: Pair,
    chord_range: Pair,
    target: Vector,
    pole: Vector,
    origin: Vector,
    twist: Pair,
    extension: Pair,
    signs: Pair,
    aim: Vector,
    softened: bool,
    twisted: bool,
    fixed_frame: bool,
) -> TwoLinkPose:
    """The pose from which the two-link limb's answers are computed.

    `twist` holds the cosine and sine of the twist, read where `twisted`; `extension` the onset of soft reach and the
    largest stretch, read where `softened`; `signs` the bend and the sign of the hinge axis. With a `fixed_frame`, `aim`
    and `pole` are the unit aim and side themselves.
    """
    total, asymmetry, near, far = proportions(lengths, chord_range)
    reach = combine(1.0, target, -1.0, origin)
    invalid: Boolean = False
    free: Boolean = False
    # Covered by the conditions of `unit`, which a side that is given does not meet.
    if rare_case(not_finite(pole) if fixed_frame else None):
        invalid = not_finite(reach) | not_finite(pole)
        reach = choose(invalid, (0.0, 0.0, 1.0), reach)
        pole = choose(invalid, (0.0, 1.0, 0.0), pole)
    direction, distance = unit(reach)
    if rare_case():
        free = distance == 0.0
    if fixed_frame:
        direction = aim
        side = pole
    else:
        if rare_case():
            direction = choose(free, aim_across(pole), direction)
        side, undecided = perpendicular_toward(direction, pole)
        free = free | undecided
    if twisted:
        cosine, sine = twist
        if rare_case(outside(cosine * cosine + sine * sine, 0.5, 1.5)):
            invalid = invalid | not_finite((cosine, sine, 0.0))
        if not fixed_frame:
            side = combine(cosine, side, sine, cross(direction, side))
    requested = distance / total
    chord = clamp(requested, near, far)
    factor: Real = 1.0
    if softened:
        onset, most = extension
        chord = clamp(soft_reach(requested, onset), near, far)
        factor = stretch_factor(requested, chord, most)
    ratio = asymmetry_ratio(chord, asymmetry)
    return TwoLinkPose(origin, direction, side, *signs, total * factor, chord, ratio, factor, free, invalid)


# --- the two links in their plane, for limbs of two and of three links


def pair_joints(
    origin: Vector, aim: Vector, side: Vector, bend: Real, total: Real, chord: Real, ratio: Real
) -> tuple[Vector, Vector]:
    """The far ends of the first and of the second link."""
    x, y = middle_joint(chord, ratio)
    return along(along(origin, total * x, aim), total * y * bend, side), along(origin, total * chord, aim)


def pair_rotations(
    aim: Vector, side: Vector, bend: Real, axis: Real, chord: Real, ratio: Real
) -> tuple[Quaternion, Quaternion, Quaternion]:
    """World rotations of the chord and of both links: +z along it, +x the hinge."""
    base = from_axes(scale(axis, cross(side, aim)), scale(axis, side), aim)
    cosine, sine = first_half_angle(chord, ratio)
    first = turn_x(base, cosine, -axis * bend * sine)
    cosine, sine = first_half_angle(chord, -ratio)
    return base, first, turn_x(base, cosine, axis * bend * sine)


def pair_angles(
    aim: Vector, side: Vector, bend: Real, axis: Real, chord: Real, ratio: Real, upper: Real
) -> tuple[Real, Real, Real, Real]:
    """Yaw about y, roll about z, and two hinges about x; `upper` as in `chain_base`."""
    x, y = middle_joint(chord, ratio)
    yaw, roll, cosine, sine = chain_base(scale(axis, cross(side, aim)), aim, upper)
    return yaw, roll, relative_angle(cosine, sine, x, axis * bend * y), bend_angle(chord, x, axis * bend * y)


# --- the answers


def two_link_joints(pose: TwoLinkPose) -> tuple[Vector, Vector, Vector]:
    """Origin, middle joint and tip."""
    joints = pair_joints(pose.origin, pose.aim, pose.side, pose.bend, pose.total, pose.chord, pose.ratio)
    return nan_where(pose.invalid, (pose.origin, *joints))


def two_link_rotations(pose: TwoLinkPose) -> tuple[Quaternion, Quaternion]:
    """World rotations of both links: +z along the link, +x the hinge."""
    _, upper, lower = pair_rotations(pose.aim, pose.side, pose.bend, pose.axis, pose.chord, pose.ratio)
    return nan_where(pose.invalid, (upper, lower))


def two_link_angles(pose: TwoLinkPose) -> tuple[Real, Real, Real, Real]:
    """Yaw about y, roll about z, and two hinges about x: the chain Ry Rz Rx Rx."""
    return nan_where(pose.invalid, pair_angles(pose.aim, pose.side, pose.bend, pose.axis, pose.chord, pose.ratio, 1.0))


def two_link_report(
    pose: TwoLinkPose, lengths: Pair, chord_range: Pair, target: Vector
) -> tuple[Real, Real, Real, Real]:
    """Status, residual, 1 where the bending plane is undetermined, and the factor by which the links stretch."""
    rest, asymmetry, near, far = proportions(lengths, chord_range)
    reach = choose(pose.invalid, pose.aim, combine(1.0, target, -1.0, pose.origin))
    _, wanted = unit(reach)
    _, residual = unit(along(reach, -pose.total * pose.chord, pose.aim))
    missed = residual > rounding_slack(rest, target, pose.origin)
    limited = limit_active(wanted / rest, pose.chord, asymmetry, near, far)
    status = status_code(missed, wanted > pose.total * pose.chord, limited, pose.invalid)
    residual, stretch = nan_where(pose.invalid, (residual, pose.stretch))
    return status, residual, where(pose.free, 1.0, 0.0), stretch
