"""Along a path: the bending plane keeps to the branch it is on and turns no faster than the target moves it.

Because the last joint (or nothing, for two links) takes up whatever the plane leaves, a plane that lags behind costs no
accuracy: the tip is exact all the way, and where the plane is singular it simply stays.
"""

from limbik.formulas.angles import PI
from limbik.formulas.operations import EPSILON, Real, Truth, Vector, atan2, cos, maximum, minimum, sin, where
from limbik.formulas.three_link import ThreeLinkPose, hinge_sign
from limbik.formulas.triangle import chord_bounds, total_and_asymmetry
from limbik.formulas.two_link import TwoLinkPose
from limbik.formulas.vectors import along, choose, combine, cross, dot, perpendicular_toward, reject, scale, unit

Pair = tuple[Real, Real]
# Where the limb was: unit aim; unit side on which its middle joint lies; what the plane follows; hinge axis.
State = tuple[Vector, Vector, Vector, Vector]


def angle_between(a: Vector, b: Vector) -> Real:
    """The angle between two directions, in [0, π], exact for small ones."""
    _, sine = unit(cross(a, b))
    return atan2(sine, dot(a, b))


def carried(side: Vector, before: Vector, now: Vector) -> Vector:
    """A side perpendicular to `before`, carried by the smallest turn that brings the line of `before` to that of `now`.

    Of the line, not the direction: a target that passes through the origin reverses the aim and keeps the plane.
    """
    now = scale(where(dot(before, now) < 0.0, -1.0, 1.0), now)
    turned = along(side, -dot(side, now) / (1.0 + dot(before, now)), combine(1.0, before, 1.0, now))
    direction, _ = perpendicular_toward(now, turned)
    return direction


def held_aim(aim: Vector, asked: Real, near: Real, before: Vector, side: Vector) -> Vector:
    """The aim, eased where the target is too near to reach: as near the previous aim as its depth inside allows.

    A target inside the smallest circle has no ankle to be exact about, and its direction may reverse at once. The aim
    may be off by π·(1 − asked / near): anything at the centre, nothing at the rim, where the tip is exact again.
    """
    inside = asked < near
    room = PI * (1.0 - asked / where(near > 0.0, near, 1.0))
    room = where(inside, maximum(room, 0.0), 0.0)
    away = angle_between(aim, before)
    toward, size = unit(reject(before, aim))
    toward = choose(size > 16.0 * EPSILON, toward, carried(side, before, aim))
    eased = combine(cos(room), aim, sin(room), toward)
    return choose(inside, choose(away <= room, before, eased), aim)


def turned_plane(aim: Vector, wish: Vector, free: Truth, motion: Real, rate: Real, before: State) -> Vector:
    """The side nearest to the wished one, modulo half a turn, that the plane may turn to while the target moves."""
    before_aim, before_side, _, _ = before
    side = carried(before_side, before_aim, aim)
    quarter = cross(aim, side)
    cosine = dot(side, wish)
    sign = where(cosine < 0.0, -1.0, 1.0)
    angle = atan2(sign * dot(quarter, wish), sign * cosine)
    most = rate * motion
    turn = where(free, 0.0, minimum(maximum(angle, -most), most))
    return combine(cos(turn), side, sin(turn), quarter)


def follow(
    aim: Vector, side: Vector, wish: Vector, free: Truth, asked: Real, near: Real, rate: Real, before: State
) -> tuple[Vector, Vector, Real]:
    """Aim, side and the sign of the hinge (side × aim, or its opposite) for this frame, given the one before."""
    before_aim, before_side, before_wish, before_hinge = before
    # With the target on the origin the aim is free, and stays.
    aim = choose(asked > 0.0, held_aim(aim, asked, near, before_aim, before_side), before_aim)
    swept = angle_between(before_aim, scale(where(dot(before_aim, aim) < 0.0, -1.0, 1.0), aim))
    motion = maximum(swept, angle_between(before_wish, wish))
    side = turned_plane(aim, side, free, motion, rate, before)
    return aim, side, where(dot(before_hinge, cross(side, aim)) < 0.0, -1.0, 1.0)


def two_link_state(pose: TwoLinkPose, wish: Vector) -> State:
    """Where a solved two-link limb is, as a track continues from it; `wish` is the pole that was asked for."""
    _, aim, side, (bend, axis), _, _, _, _, _, _ = pose
    direction, _ = unit(wish)
    return aim, scale(bend, side), direction, scale(axis, cross(side, aim))


def two_link_follow(
    pose: TwoLinkPose,
    lengths: Pair,
    chord_range: Pair,
    target: Vector,
    pole: Vector,
    rate: tuple[Real],
    before_aim: Vector,
    before_side: Vector,
    before_wish: Vector,
    before_hinge: Vector,
) -> tuple[Vector, Vector, Real, State]:
    """The next frame of a track: its aim, its side, the sign of its hinge, and the state to go on from."""
    before = (before_aim, before_side, before_wish, before_hinge)
    origin, aim, side, _, _, _, _, _, free, invalid = pose
    first, second = lengths
    (most,) = rate
    total, asymmetry = total_and_asymmetry(first, second)
    near, _ = chord_bounds(chord_range[0], chord_range[1], asymmetry)
    wish, _ = unit(pole)
    _, distance = unit(combine(1.0, target, -1.0, origin))
    aim, side, sign = follow(aim, side, wish, free, distance / total, near, most, before)
    return carry_on(aim, side, wish, sign, invalid, before)


def three_link_state(pose: ThreeLinkPose, wish: Vector, fixed_frame: bool) -> State:
    """Where a solved three-link limb is, as a track continues from it; `wish` is the up that was asked for."""
    _, aim, side, up, (bend, axis, _), _, _, _, _, _, _ = pose
    direction, size = unit(wish)
    hinge = scale(hinge_sign(side, aim, axis, fixed_frame), cross(side, aim))
    return aim, scale(bend, side), choose(size > 0.0, direction, up), hinge


def three_link_follow(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    rate: tuple[Real],
    before_aim: Vector,
    before_side: Vector,
    before_wish: Vector,
    before_hinge: Vector,
) -> tuple[Vector, Vector, Real, State]:
    """The next frame of a track: its aim, its side, the sign of its hinge, and the state to go on from."""
    before = (before_aim, before_side, before_wish, before_hinge)
    origin, aim, side, direction, _, last, total, _, _, free, invalid = pose
    first, second, _ = lengths
    (most,) = rate
    _, asymmetry = total_and_asymmetry(first, second)
    near, _ = chord_bounds(chord_range[0], chord_range[1], asymmetry)
    reach = combine(1.0, target, -1.0, origin)
    _, distance = unit(along(reach, -last, direction))
    wish, size = unit(up)
    wish = choose(size > 0.0, wish, direction)
    aim, side, sign = follow(aim, side, wish, free, distance / total, near, most, before)
    return carry_on(aim, side, wish, sign, invalid, before)


def carry_on(
    aim: Vector, side: Vector, wish: Vector, sign: Real, invalid: Truth, before: State
) -> tuple[Vector, Vector, Real, State]:
    """A frame of a track and the state after it; an invalid frame leaves the state as it was."""
    before_aim, before_side, before_wish, before_hinge = before
    aim = choose(invalid, before_aim, aim)
    side = choose(invalid, before_side, side)
    wish = choose(invalid, before_wish, wish)
    sign = where(invalid, 1.0, sign)
    hinge = choose(invalid, before_hinge, scale(sign, cross(side, aim)))
    return aim, side, sign, (aim, side, wish, hinge)
