"""Two links in space: the middle joint lies on the pole's side of the line from origin to target."""

from limbik.formulas.angles import chain_base, turned
from limbik.formulas.operations import NAN, Quaternion, Real, Truth, Vector, outside, seldom, where
from limbik.formulas.quaternions import from_axes, turn_x, unless_rotation
from limbik.formulas.status import limit_holds, rounding_slack, verdict
from limbik.formulas.triangle import (
    bend_angle,
    bounds,
    first_half_angle,
    hold,
    lead_ratio,
    middle,
    second_half_angle,
    share,
    soft_reach,
    stretch_factor,
)
from limbik.formulas.vectors import across, along, broken, choose, combine, cross, scale, unit, unless, upward

Pair = tuple[Real, Real]
# Origin; unit aim and side; bend and axis; total length, stretched; chord and ρ (triangle.py); stretch; plane free;
# row invalid.
TwoLinkPose = tuple[Vector, Vector, Vector, Pair, Real, Real, Real, Real, Truth, Truth]


def aim_across(pole: Vector) -> Vector:
    """The aim for a target on the origin: the one that lets the middle joint lie straight towards the pole."""
    toward, size = unit(pole)
    return upward(choose(size > 0.0, toward, (0.0, 1.0, 0.0)))


def two_link_pose(
    lengths: Pair,
    span: Pair,
    target: Vector,
    pole: Vector,
    origin: Vector,
    twist: Pair,
    ease: Pair,
    sides: Pair,
    aim: Vector,
    eased: bool,
    twisted: bool,
    given: bool,
) -> TwoLinkPose:
    """Everything that the two-link limb's answers are read from.

    `twist` is the cosine and sine of the twist, looked at where `twisted`; `ease` the onset of soft reach and the
    greatest stretch, looked at where `eased`; `sides` holds bend and axis. Where the frame is `given`, `aim` and `pole`
    are its unit aim and side.
    """
    first, second = lengths
    total, lead = share(first, second)
    near, far = bounds(span[0], span[1], lead)
    reach = combine(1.0, target, -1.0, origin)
    invalid: Truth = False
    free: Truth = False
    if seldom():  # shows in the squares that `unit` looks at
        invalid = broken(reach) | broken(pole)
        reach = choose(invalid, (0.0, 0.0, 1.0), reach)
        pole = choose(invalid, (0.0, 1.0, 0.0), pole)
    direction, distance = unit(reach)
    if seldom():
        free = distance == 0.0
    if given:
        direction = aim
        side = pole
    else:
        if seldom():
            direction = choose(free, aim_across(pole), direction)
        side, undecided = across(direction, pole)
        free = free | undecided
    if twisted:
        cosine, sine = twist
        if seldom(outside(cosine * cosine + sine * sine, 0.5, 1.5)):
            invalid = invalid | broken((cosine, sine, 0.0))
        if not given:
            side = combine(cosine, side, sine, cross(direction, side))
    asked = distance / total
    chord = hold(asked, near, far)
    factor: Real = 1.0
    if eased:
        onset, most = ease
        chord = hold(soft_reach(asked, onset), near, far)
        factor = stretch_factor(asked, chord, most)
    return origin, direction, side, sides, total * factor, chord, lead_ratio(chord, lead), factor, free, invalid


def two_link_joints(pose: TwoLinkPose) -> tuple[Vector, Vector, Vector]:
    """Origin, middle joint and tip."""
    origin, aim, side, (bend, _), total, chord, ratio, _, _, invalid = pose
    x, y = middle(chord, ratio)
    knee = along(along(origin, total * x, aim), total * y * bend, side)
    tip = along(origin, total * chord, aim)
    if seldom():
        origin = unless(invalid, origin)
        knee = unless(invalid, knee)
        tip = unless(invalid, tip)
    return origin, knee, tip


def two_link_rotations(pose: TwoLinkPose) -> tuple[Quaternion, Quaternion]:
    """World rotations of both links: +z along the link, +x the hinge."""
    _, aim, side, (bend, axis), _, chord, ratio, _, _, invalid = pose
    base = from_axes(scale(axis, cross(side, aim)), scale(axis, side), aim)
    cosine, sine = first_half_angle(chord, ratio)
    upper = turn_x(base, cosine, -axis * bend * sine)
    cosine, sine = second_half_angle(chord, ratio)
    lower = turn_x(base, cosine, axis * bend * sine)
    if seldom():
        upper = unless_rotation(invalid, upper)
        lower = unless_rotation(invalid, lower)
    return upper, lower


def two_link_angles(pose: TwoLinkPose) -> tuple[Real, Real, Real, Real]:
    """Yaw about y, roll about z, and two hinges about x: the chain Ry Rz Rx Rx."""
    _, aim, side, (bend, axis), _, chord, ratio, _, _, invalid = pose
    x, y = middle(chord, ratio)
    yaw, roll, cosine, sine = chain_base(scale(axis, cross(side, aim)), aim, 1.0)
    upper = turned(cosine, sine, x, axis * bend * y)
    hinge = axis * bend * bend_angle(chord, x, y)
    return (
        where(invalid, NAN, yaw),
        where(invalid, NAN, roll),
        where(invalid, NAN, upper),
        where(invalid, NAN, hinge),
    )


def two_link_report(pose: TwoLinkPose, lengths: Pair, span: Pair, target: Vector) -> tuple[Real, Real, Real, Real]:
    """Status, residual, 1 where the bending plane was free, and the factor by which the links stretch."""
    origin, aim, _, _, total, chord, _, factor, free, invalid = pose
    first, second = lengths
    rest, lead = share(first, second)
    near, far = bounds(span[0], span[1], lead)
    wish = combine(1.0, target, -1.0, origin)
    _, wanted = unit(wish)
    _, residual = unit(along(wish, -total * chord, aim))
    missed = residual > rounding_slack(rest, target, origin)
    limited = limit_holds(wanted / rest, chord, lead, near, far)
    status = verdict(missed, wanted > total * chord, limited, invalid)
    return status, where(invalid, NAN, residual), where(free, 1.0, 0.0), where(invalid, NAN, factor)
