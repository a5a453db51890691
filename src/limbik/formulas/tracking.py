"""One frame of a track, from the frame before: nothing pops, however small the step.

The bending plane stays on its branch and turns no faster than the target moves it. Because the last joint (or nothing,
for two links) takes up what the plane leaves, a plane that lags costs no accuracy. Where a pose within the joints'
ranges or a direction of the last link would jump to another branch, it moves there at a bounded rate instead.
"""

from collections.abc import Sequence

from limbik.formulas.angles import PI, wrap
from limbik.formulas.limits import (
    FAR_LENGTHS,
    Ranges,
    bends_within,
    into_range,
    knee_angle,
    requested_bends,
    shank_angle,
    turn_frame,
)
from limbik.formulas.n_link import NLinkPose
from limbik.formulas.operations import (
    EPSILON,
    Boolean,
    Pair,
    Real,
    Vector,
    absolute,
    atan2,
    cos,
    maximum,
    minimum,
    rare_case,
    sin,
    sqrt,
    where,
)
from limbik.formulas.status import rounding_slack
from limbik.formulas.three_link import ThreeLinkPose, bending_side, hinge_sign
from limbik.formulas.triangle import chord_at, clamp, proportions, total_and_asymmetry
from limbik.formulas.two_link import TwoLinkPose
from limbik.formulas.vectors import (
    along,
    choose,
    combine,
    cross,
    dot,
    length,
    nan_where,
    not_finite,
    perpendicular_toward,
    reject,
    scale,
    unit,
)

# Unit aim; unit side on which the middle joint lies; direction that the plane follows (pole or up); hinge axis.
State = Sequence[Vector]
# What a track with limits remembers besides: bends of the middle and the last joint, in-plane angle of the last link,
# and the distance of the requested ankle, as a fraction of the first two links.
Memory = tuple[Real, ...]
Frame = tuple[Vector, Vector, Real]  # aim, side, sign of the hinge
Numbers = tuple[Real, ...]  # the state as a step takes it

# The last link keeps this far from the bending plane's normal, where its in-plane angle is undefined: the part of it in
# the plane, along the aim and along the side together, is at least this.
MIN_IN_PLANE = 0.3
SLACK_ROUNDINGS = 64.0  # roundings by which a step may exceed its bound


def vectors_of(numbers: Numbers) -> list[Vector]:
    """The vectors whose components these are, one after the other."""
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def is_new(previous: Numbers) -> Boolean:
    """Whether a limb has no state yet (NaN): no frame before was valid, and this one is solved as if alone."""
    x, y, z, *_ = previous
    return not_finite((x, y, z))


def state_before(previous: Numbers, own: State) -> State:
    """The state before a frame; where there is none, that of the frame's own solve."""
    before = vectors_of(previous)
    if rare_case(is_new(previous)):
        return [choose(is_new(previous), alone, last) for alone, last in zip(own, before, strict=True)]
    return before


def angle_between(a: Vector, b: Vector) -> Real:
    """The angle between two directions, in [0, π], exact for small ones."""
    return atan2(length(cross(a, b)), dot(a, b))


def line_angle(a: Vector, b: Vector) -> Real:
    """The angle between the lines of two directions, in [0, π/2]."""
    return angle_between(a, scale(where(dot(a, b) < 0.0, -1.0, 1.0), b))


def clamp_around(value: Real, centre: Real, most: Real) -> Real:
    """The number nearest to `value` that is at most `most` away from `centre`."""
    return minimum(maximum(value, centre - most), centre + most)


def carry_side(side: Vector, before: Vector, now: Vector) -> Vector:
    """A side perpendicular to `before`, carried by the smallest turn that brings the line of `before` to that of `now`.

    The line, not the direction: a target that passes through the origin reverses the aim and keeps the plane.
    """
    now = scale(where(dot(before, now) < 0.0, -1.0, 1.0), now)
    turned = along(side, -dot(side, now) / (1.0 + dot(before, now)), combine(1.0, before, 1.0, now))
    direction, _ = perpendicular_toward(now, turned)
    return direction


def steady_aim(aim: Vector, distance: Real, hole: Real, before: Vector, side: Vector) -> Vector:
    """The aim; inside a hole that cannot be reached, as near the previous aim as the depth inside allows.

    A target in the hole has no tip to be exact about, and its direction may reverse at once. The aim may be off by
    π·(1 − distance / hole): anything at the centre, nothing at the rim, where the tip is exact again.
    """
    inside = distance < hole
    room = where(inside, PI * (1.0 - distance / where(inside, hole, 1.0)), 0.0)
    away = angle_between(aim, before)
    toward, size = unit(reject(before, aim))
    toward = choose(size > 16.0 * EPSILON, toward, carry_side(side, before, aim))
    off = combine(cos(room), aim, sin(room), toward)
    return choose(inside, choose(away <= room, before, off), aim)


def turn_side(aim: Vector, wanted: Vector, free: Boolean, side: Vector, most: Real) -> Vector:
    """The side nearest to the wanted one, modulo half a turn, that is at most an angle `most` from the carried side."""
    quarter = cross(aim, side)
    cosine = dot(side, wanted)
    sign = where(cosine < 0.0, -1.0, 1.0)
    angle = atan2(sign * dot(quarter, wanted), sign * cosine)
    turn = where(free, 0.0, clamp_around(angle, 0.0, most))
    return combine(cos(turn), side, sin(turn), quarter)


def keep_clear_of_normal(aim: Vector, side: Vector, up: Vector, before: Vector) -> Vector:
    """The side, turned as little as keeps `up` clear of the plane's normal, on the half of the plane it is in.

    `before` is the side before it turned: it tells which half that is.
    """
    needed = MIN_IN_PLANE - absolute(dot(up, aim))
    half = where(dot(up, before) < 0.0, -1.0, 1.0)
    low = (half * dot(up, side) < needed) & (needed > 0.0)
    if rare_case(low):
        toward, size = unit(reject(up, aim))
        quarter = cross(aim, toward)
        cosine = minimum(maximum(needed, 0.0) / where(size > 0.0, size, 1.0), 1.0)
        sine = where(dot(side, quarter) < 0.0, -1.0, 1.0) * sqrt((1.0 - cosine) * (1.0 + cosine))
        side = choose(low, combine(half * cosine, toward, sine, quarter), side)
    return side


def turn_since_previous(aim: Vector, guide: Vector, previous: State) -> Real:
    """How far aim (its line) and pole or up have turned since the previous frame: the larger of the two angles."""
    return maximum(line_angle(previous[0], aim), angle_between(previous[2], guide))


def next_plane(
    aim: Vector,
    side: Vector,
    guide: Vector,
    free: Boolean,
    distance: Real,
    near: Real,
    rate: Real,
    previous: State,
    up: Vector | None = None,
    keep_bend: bool = False,
) -> Frame:
    """Aim, side and sign of the hinge of the next frame, from those of a solve.

    `distance` is the requested chord: where it is 0, the aim is undetermined and stays. `up` is the last of three
    links. With `keep_bend`, the middle joint bends about the same direction of the hinge after the aim has reversed.
    """
    previous_aim, previous_side, _, previous_hinge = previous
    aim = choose(distance > 0.0, steady_aim(aim, distance, near, previous_aim, previous_side), previous_aim)
    carried_side = carry_side(previous_side, previous_aim, aim)
    if keep_bend:
        carried_side = scale(where(dot(previous_aim, aim) < 0.0, -1.0, 1.0), carried_side)
    side = turn_side(aim, side, free, carried_side, rate * turn_since_previous(aim, guide, previous))
    if up is not None:
        side = keep_clear_of_normal(aim, side, up, carried_side)
    return aim, side, where(dot(previous_hinge, cross(side, aim)) < 0.0, -1.0, 1.0)


def finish_frame(frame: Frame, guide: Vector, invalid: Boolean, previous: Numbers) -> tuple[Frame, State]:
    """A frame of a track and the state after it; an invalid frame is NaN and leaves the state as it was."""
    aim, side, sign = frame
    state = aim, side, guide, scale(sign, cross(side, aim))
    kept = [choose(invalid, last, now) for last, now in zip(vectors_of(previous), state, strict=True)]
    return nan_where(invalid, frame), tuple(kept)


# --- two links


def two_link_state(pose: TwoLinkPose, requested_pole: Vector) -> State:
    """Where a solved two-link limb is, as a track continues from it; `requested_pole` is the caller's pole.

    NaN where the row is invalid, as in all states: a track then begins with its first valid frame.
    """
    direction, _ = unit(requested_pole)
    hinge = scale(pose.axis, cross(pose.side, pose.aim))
    return nan_where(pose.invalid, (pose.aim, scale(pose.bend, pose.side), direction, hinge))


def two_link_follow(
    pose: TwoLinkPose,
    lengths: Pair,
    chord_range: Pair,
    target: Vector,
    pole: Vector,
    turn_rate: tuple[Real],
    previous: Numbers,
) -> tuple[Frame, State]:
    """The next frame of a track: its aim, its side, the sign of its hinge; and the state to continue from."""
    before = state_before(previous, two_link_state(pose, pole))
    total, _, near, _ = proportions(lengths, chord_range)
    guide, _ = unit(choose(pose.invalid, pose.side, pole))
    _, distance = unit(choose(pose.invalid, pose.aim, combine(1.0, target, -1.0, pose.origin)))
    frame = next_plane(pose.aim, pose.side, guide, pose.free, distance / total, near, turn_rate[0], before)
    return finish_frame(frame, guide, pose.invalid, previous)


# --- any number of links


def n_link_state(pose: NLinkPose, requested_pole: Vector) -> State:
    """Where a solved chain is, as a track continues from it; `requested_pole` is the caller's pole."""
    direction, _ = unit(requested_pole)
    hinge = scale(pose.axis, cross(pose.side, pose.aim))
    return nan_where(pose.invalid, (pose.aim, scale(pose.bend, pose.side), direction, hinge))


def n_link_follow(pose: NLinkPose, pole: Vector, turn_rate: tuple[Real], previous: Numbers) -> tuple[Frame, State]:
    """The next frame of a track, and the state to continue from.

    Where the target passes through the origin, a chain of more than two links swings about it as a whole: its joints
    keep their bends.
    """
    before = state_before(previous, n_link_state(pose, pole))
    guide, _ = unit(choose(pose.invalid, pose.side, pole))
    distance = where(pose.invalid, 1.0, pose.distance / pose.total)
    keep_bend = len(pose.links.ratios) > 2
    frame = next_plane(
        pose.aim, pose.side, guide, pose.free, distance, pose.near, turn_rate[0], before, keep_bend=keep_bend
    )
    return finish_frame(frame, guide, pose.invalid, previous)


# --- three links


def requested_direction(up: Vector, direction: Vector) -> Vector:
    """The unit `up` that the caller requested; the last link's own direction where that is zero."""
    guide, size = unit(up)
    return choose(size > 0.0, guide, direction)


def three_link_state(pose: ThreeLinkPose, requested_up: Vector, fixed_frame: bool) -> State:
    """Where a solved three-link limb is, as a track continues from it; `requested_up` is the caller's `up`."""
    aim, side = pose.aim, pose.side
    hinge = scale(hinge_sign(side, aim, pose.axis, fixed_frame), cross(side, aim))
    return nan_where(pose.invalid, (aim, scale(pose.bend, side), requested_direction(requested_up, pose.up), hinge))


def beyond_rounding(ankle: Real, size: Real, target: Vector, origin: Vector) -> Real:
    """The ankle's distance from the origin; 0 where it is all rounding, and has no direction of its own."""
    return where(ankle > 0.5 * rounding_slack(size, target, origin), ankle, 0.0)


def next_three_link_plane(
    pose: ThreeLinkPose, target: Vector, up: Vector, near: Real, rate: Real, previous: State, keep_bend: bool = False
) -> tuple[Frame, Vector, Real]:
    """Aim, side and sign of the hinge of the next frame; the requested `up` and distance of the ankle."""
    aim, direction, last, total = pose.aim, pose.up, pose.last, pose.total
    guide = requested_direction(choose(pose.invalid, direction, up), direction)
    reach = choose(pose.invalid, aim, combine(1.0, target, -1.0, pose.origin))
    _, ankle = unit(along(reach, -last, direction))
    ankle = beyond_rounding(ankle, total + last, target, pose.origin)
    frame = next_plane(aim, pose.side, guide, pose.free, ankle / total, near, rate, previous, direction, keep_bend)
    return frame, guide, ankle / total


def three_link_follow(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    turn_rate: tuple[Real],
    previous: Numbers,
) -> tuple[Frame, State]:
    """The next frame of a track, as `two_link_follow`."""
    before = state_before(previous, three_link_state(pose, up, False))
    _, _, near, _ = proportions(lengths, chord_range)
    frame, guide, _ = next_three_link_plane(pose, target, up, near, turn_rate[0], before)
    return finish_frame(frame, guide, pose.invalid, previous)


# --- three links, position first


def three_link_position_state(
    pose: ThreeLinkPose, requested_target: Vector, requested_up: Vector, fixed_frame: bool
) -> tuple[State, Vector, Vector]:
    """As `three_link_state`, with the directions of the last link and of the line from origin to target."""
    onward, _ = unit(combine(1.0, requested_target, -1.0, pose.origin))
    return three_link_state(pose, requested_up, fixed_frame), pose.up, onward


def steady_up(onward: Vector, up: Vector, most: Real, previous_up: Vector) -> Vector:
    """The last link's direction `up`, turned about the line to the target by at most an angle `most` in a frame.

    The angle to that line is what brings the tip to the target; the turn about it makes no difference there, and would
    jump where the requested direction passes through the line.
    """
    level, _ = perpendicular_toward(onward, up)
    previous_level, free = perpendicular_toward(onward, previous_up)
    quarter = cross(onward, previous_level)
    turn = atan2(dot(quarter, level), dot(previous_level, level))
    held = clamp_around(turn, 0.0, most)
    level = combine(cos(held), previous_level, sin(held), quarter)
    _, beside = unit(reject(up, onward))
    near = (angle_between(up, previous_up) <= most) | (absolute(turn) <= most) | free
    return choose(near, up, combine(dot(up, onward), onward, beside, level))


def three_link_position_follow(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    hint: Vector,
    natural: bool,
    hinted: bool,
    turn_rate: tuple[Real],
    previous_position: Numbers,
) -> tuple[Frame, Vector, State, Vector, Vector]:
    """The next frame of a track that gives up `up` for the position; with the last link's direction."""
    state, *directions = three_link_position_state(pose, target, up, False)
    *before, previous_up, previous_onward = state_before(previous_position, (*state, *directions))
    previous_aim, previous_side, previous_guide, _ = before
    origin, direction, last, total, invalid = pose.origin, pose.up, pose.last, pose.total, pose.invalid
    (rate,) = turn_rate
    _, _, near, far = proportions(lengths, chord_range)
    reach = choose(invalid, previous_onward, combine(1.0, target, -1.0, origin))
    onward, distance = unit(reach)
    onward = choose(distance > 0.0, onward, previous_onward)
    guide = requested_direction(choose(invalid, direction, up), direction)
    # Around the origin there may be a hole that the tip cannot reach: as in `steady_aim`, but for the last link.
    hole = maximum(maximum(last - total * far, total * near - last), 0.0)
    direction = steady_aim(direction, distance / (last + total), hole / (last + total), previous_up, previous_side)
    turned = maximum(angle_between(previous_guide, guide), line_angle(previous_onward, onward))
    steady = steady_up(onward, direction, rate * turned + SLACK_ROUNDINGS * EPSILON, previous_up)
    direction = choose(distance > hole, steady, direction)
    aim, ankle = unit(along(reach, -last, direction))
    aim = choose(beyond_rounding(ankle, total + last, target, origin) > 0.0, aim, previous_aim)
    side, free = bending_side(aim, direction, hint, natural, hinted)
    pose = pose._replace(aim=aim, side=side, up=direction, free=free)
    frame, _, _ = next_three_link_plane(pose, target, up, near, rate, before)
    frame, state = finish_frame(frame, guide, invalid, previous_position[:12])
    *_, last_up, last_onward = vectors_of(previous_position)
    return frame, direction, state, choose(invalid, last_up, direction), choose(invalid, last_onward, onward)


# --- three links with a range of the last joint


def three_link_limits_state(
    pose: ThreeLinkPose,
    lengths: Vector,
    requested_target: Vector,
    requested_up: Vector,
    joint_limits: Ranges,
    fixed_frame: bool,
) -> tuple[State, Memory]:
    """As `three_link_state`, for the aim at the requested target, and with the joints' bends."""
    up, chord = pose.up, pose.chord
    _, knee_side, guide, hinge = three_link_state(pose, requested_up, fixed_frame)
    _, asymmetry = total_and_asymmetry(lengths[0], lengths[1])
    _, _, low, high = joint_limits
    foot = atan2(dot(up, knee_side), dot(up, pose.aim))
    last_bend = into_range(-shank_angle(chord, asymmetry) - foot, low, high)
    normal = cross(knee_side, pose.aim)
    onward, distance = unit(along(combine(1.0, requested_target, -1.0, pose.origin), -pose.last, up))
    aim, size = unit(reject(onward, normal))
    aim = choose(size > 0.0, aim, pose.aim)
    knee_side = cross(aim, normal)
    foot = atan2(dot(up, knee_side), dot(up, aim))
    bend = knee_angle(chord, asymmetry)
    return (aim, knee_side, guide, hinge), (bend, last_bend, foot, minimum(distance / pose.total, FAR_LENGTHS))


def three_link_limits_follow(
    pose: ThreeLinkPose,
    lengths: Vector,
    chord_range: Pair,
    target: Vector,
    up: Vector,
    joint_limits: Ranges,
    turn_rate: tuple[Real],
    previous_limits: Numbers,
) -> tuple[Frame, Pair, Real, State, Memory]:
    """The next frame of a track within the joints' ranges.

    With its chord (twice, as a range), 1 where a range or the way to another branch holds the pose back, and the state
    to continue from.
    """
    before = state_before(previous_limits[:12], three_link_state(pose, up, False))
    direction, middle, invalid = pose.up, pose.bend, pose.invalid
    (rate,) = turn_rate
    _, asymmetry, *reachable = proportions(lengths, chord_range)
    near, far = reachable
    frame, guide, distance = next_three_link_plane(pose, target, up, near, rate, before, keep_bend=True)
    aim, side, sign = frame
    distance = minimum(distance, FAR_LENGTHS)
    foot = atan2(dot(direction, side), dot(direction, aim))
    # The goal is the requested pose where it is in range, else the nearest one. Each joint goes there by as much as the
    # requested pose bends it, and by the turn rate besides.
    free, goal_chord, goal_bend, goal_last = bends_within(foot, distance, asymmetry, reachable, joint_limits)
    memory = previous_limits[12:]
    new: Boolean = False
    if rare_case():  # covered by the condition of `state_before`
        new = is_new(previous_limits)
        goal = (goal_bend, goal_last, foot, distance)
        memory = tuple(where(new, alone, last) for alone, last in zip(goal, memory, strict=True))
    previous_bend, previous_last, previous_foot, previous_distance = memory
    _, bend, last_bend = requested_bends(foot, distance, asymmetry, reachable)
    _, bend_before, last_before = requested_bends(previous_foot, previous_distance, asymmetry, reachable)
    most = (
        rate * maximum(turn_since_previous(aim, guide, before), absolute(distance - previous_distance))
        + SLACK_ROUNDINGS * EPSILON
    )
    most_bend = absolute(bend - bend_before) + most
    turned = absolute(wrap(wrap(last_bend - last_before)))
    most_last = minimum(turned, PI - turned) + most
    bend_there = absolute(goal_bend - previous_bend) <= most_bend
    there = free & bend_there & (absolute(goal_last - previous_last) <= most_last) | invalid
    bend = clamp_around(goal_bend, previous_bend, most_bend)
    last_bend = clamp_around(goal_last, previous_last, most_last)
    chord = where(bend_there, goal_chord, clamp(chord_at(cos(bend), asymmetry), near, far))
    held_aim, held_side = turn_frame(foot + last_bend + shank_angle(chord, asymmetry), aim, side)
    held_aim, held_side = choose(there, aim, held_aim), choose(there, side, held_side)
    if rare_case():
        sign = where(new, middle * hinge_sign(scale(middle, held_side), held_aim, pose.axis, False), sign)
    _, state = finish_frame((aim, side, sign), guide, invalid, previous_limits[:12])
    now = (bend, last_bend, foot, distance)
    kept = tuple(where(invalid, one, other) for one, other in zip(previous_limits[12:], now, strict=True))
    frame = nan_where(invalid, (held_aim, held_side, sign))
    return frame, (chord, chord), where(there, 0.0, 1.0), state, kept
