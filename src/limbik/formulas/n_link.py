"""A chain of any number of links in space: along an arc, or by shares of the bend, on the pole's side of its chord."""

from __future__ import annotations

from typing import NamedTuple

from limbik.formulas.angles import chain_base, relative_angle
from limbik.formulas.arcs import ArcLinks, arc, arc_bends, arc_headings, arc_links, arc_points
from limbik.formulas.operations import EPSILON, Boolean, Pair, Quaternion, Real, Vector, atan2, rare_case, where
from limbik.formulas.quaternions import from_axes, half_angle, turn_x
from limbik.formulas.shared_bends import BendRule, chain_of_chord, headings_along_chord
from limbik.formulas.status import rounding_slack, status_code
from limbik.formulas.three_link import last_direction, last_joint, lean_out_of_plane, leaning_rotation
from limbik.formulas.triangle import clamp, soft_reach
from limbik.formulas.two_link import aim_across
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
)


class NLinkPose(NamedTuple):
    """What the answers of a chain are computed from. The body is all links, or all but a last one with a direction."""

    origin: Vector
    aim: Vector
    side: Vector
    bend: Real
    axis: Real
    links: ArcLinks  # the body's
    total: Real  # their lengths' sum
    distance: Real  # from the origin to where the body's tip should be
    rule: BendRule | None  # None: an arc
    near: Real  # the shortest chord, as a fraction of the total
    chord: Real  # likewise
    last: tuple[Real, Vector] | None  # length and direction
    free: Boolean
    invalid: Boolean


class BodyShape(NamedTuple):
    """The body in its plane, along the aim and towards the side, in length units."""

    chord: Real
    points: list[Pair]  # the joints between origin and tip
    headings: list[Pair]  # the directions of the links
    bends: list[Pair]  # cosine and sine of the bend of each joint between origin and tip


def n_link_pose(
    lengths: tuple[Real, ...],
    weights: tuple[Real, ...],
    lows: tuple[Real, ...],
    highs: tuple[Real, ...],
    span: tuple[Real, Real, Real, Real],
    target: Vector,
    pole: Vector,
    origin: Vector,
    direction: Vector,
    onset: tuple[Real],
    signs: Pair,
    aim: Vector,
    softened: bool,
    shared: bool,
    directed: bool,
    fixed_frame: bool,
) -> NLinkPose:
    """The pose from which the answers are computed.

    `weights`, `lows`, `highs` (see `shared_bends`) and `span`, the range of the chord as fractions of the length and
    that of t², are read where `shared`; `direction`, that of the last link, where `directed`; the `onset` of soft reach
    where `softened`; `signs` holds the bend and the sign of the hinge axis. With a `fixed_frame`, `aim` and `pole` are
    the unit aim and side themselves.
    """
    reach = combine(1.0, target, -1.0, origin)
    invalid: Boolean = False
    free: Boolean = False
    # Covered by the conditions of `unit`, which a side that is given does not meet.
    if rare_case(not_finite(pole) if fixed_frame else None):
        invalid = not_finite(reach) | not_finite(pole)
        if directed:
            invalid = invalid | not_finite(direction)
            direction = choose(invalid, (0.0, 1.0, 0.0), direction)
        reach = choose(invalid, (0.0, 0.0, 1.0), reach)
        pole = choose(invalid, (0.0, 1.0, 0.0), pole)
    body, last = lengths, None
    if directed:
        *others, length = lengths
        body, last = tuple(others), (length, last_direction(reach, direction))
        reach = along(reach, -last[0], last[1])
    toward, distance = unit(reach)
    if rare_case():
        free = distance == 0.0
    if fixed_frame:
        toward, side = aim, pole
    else:
        if rare_case():
            toward = choose(free, aim_across(pole), toward)
        side, undecided = perpendicular_toward(toward, pole)
        free = free | undecided
    links = arc_links(body)
    total = links.longest * links.total
    wanted = distance / total
    if softened:
        wanted = soft_reach(wanted, onset[0])
    rule: BendRule | None = None
    near: Real = links.nearest / links.total
    far: Real = 1.0
    if shared:
        near, far, first, end = span
        count = len(body) - 1
        fractions = tuple(ratio / links.total for ratio in links.ratios)
        rule = BendRule(fractions, weights[:count], lows[:count], highs[:count], first, end)
    chord = clamp(wanted, near, far)
    return NLinkPose(origin, toward, side, *signs, links, total, distance, rule, near, chord, last, free, invalid)


def body_shape(pose: NLinkPose) -> BodyShape:
    """The shape of the body. Not part of the pose: a track needs none to take a step."""
    links, rule = pose.links, pose.rule
    if rule is None:
        found, chord = arc(links, pose.chord * links.total)
        points = [(links.longest * x, links.longest * y) for x, y in arc_points(found)]
        return BodyShape(links.longest * chord, points, arc_headings(found), arc_bends(found))
    bent, chord = chain_of_chord(rule, pose.chord)
    headings = headings_along_chord(bent)
    x: Real = 0.0
    y: Real = 0.0
    points = []
    for fraction, (cosine, sine) in zip(rule.lengths[:-1], headings[:-1], strict=True):
        x = x + fraction * cosine
        y = y + fraction * sine
        points.append((pose.total * x, pose.total * y))
    return BodyShape(pose.total * chord, points, headings, bent.bends)


def n_link_joints(pose: NLinkPose) -> tuple[Vector, ...]:
    """The joints, from the origin to the tip."""
    shape = body_shape(pose)
    side = scale(pose.bend, pose.side)
    between = [along(along(pose.origin, x, pose.aim), y, side) for x, y in shape.points]
    joints = [pose.origin, *between, along(pose.origin, shape.chord, pose.aim)]
    if pose.last:
        joints.append(along(joints[-1], *pose.last))
    return nan_where(pose.invalid, tuple(joints))


def n_link_rotations(pose: NLinkPose) -> tuple[Quaternion, ...]:
    """World rotations of the links: +z along the link, +x the hinge; one with a direction may lean out of the plane."""
    aim, side, axis = pose.aim, pose.side, pose.axis
    base = from_axes(scale(axis, cross(side, aim)), scale(axis, side), aim)
    rotations = []
    for heading in body_shape(pose).headings:
        cosine, sine = half_angle(*heading)
        rotations.append(turn_x(base, cosine, -axis * pose.bend * sine))
    if pose.last:
        rotations.append(leaning_rotation(base, aim, side, pose.last[1], axis))
    return nan_where(pose.invalid, tuple(rotations))


def n_link_angles(pose: NLinkPose) -> tuple[Real, ...]:
    """Yaw about y, roll about z, and a hinge about x for each link: the chain Ry Rz Rx Rx…."""
    aim, side, axis = pose.aim, pose.side, pose.axis
    turn = axis * pose.bend
    yaw, roll, cosine, sine = chain_base(scale(axis, cross(side, aim)), aim, 1.0)
    shape = body_shape(pose)
    x, y = shape.headings[0]
    angles = [yaw, roll, relative_angle(cosine, sine, x, turn * y)]
    angles += [atan2(turn * s, c) for c, s in shape.bends]
    if pose.last:
        ahead, beside = last_joint(aim, side, pose.last[1])
        x, y = shape.headings[-1]
        angles.append(relative_angle(ahead, -axis * beside, x, -turn * y))
    return nan_where(pose.invalid, tuple(angles))


def n_link_report(pose: NLinkPose, target: Vector) -> tuple[Real, Real, Real, Real]:
    """Status, residual, 1 where the bending plane is undetermined, and the last link's angle out of the plane."""
    reach = choose(pose.invalid, pose.aim, combine(1.0, target, -1.0, pose.origin))
    chord = body_shape(pose).chord
    tip = scale(chord, pose.aim)
    size = pose.total
    lean: Real = 0.0
    if pose.last:
        length, direction = pose.last
        tip = along(tip, length, direction)
        size = size + length
        lean = lean_out_of_plane(pose.aim, pose.side, direction, pose.axis)
    _, residual = unit(combine(1.0, reach, -1.0, tip))
    missed = residual > rounding_slack(size, target, pose.origin)
    limited: Boolean = False
    if pose.rule is not None:  # not the lengths of the links
        wanted = pose.distance / pose.total
        nearest = pose.links.nearest / pose.links.total
        limited = (wanted <= 1.0 + 8.0 * EPSILON) & (wanted >= nearest - 8.0 * EPSILON)
    status = status_code(missed, pose.distance > chord, limited, pose.invalid)
    residual, lean = nan_where(pose.invalid, (residual, lean))
    return status, residual, where(pose.free, 1.0, 0.0), lean
