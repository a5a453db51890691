"""Stages: how the joints of a creature's skeleton turn, by the closed forms of limbik.formulas."""

from __future__ import annotations

from math import pi

from limbik.engines.stages import Stage, Step
from limbik.formulas.operations import Quaternion, Real, Vector, cos, maximum, sin, sqrt, where
from limbik.formulas.quaternions import from_axes, multiply, turn_x, turn_z
from limbik.formulas.three_link import three_link_pose, three_link_rotations
from limbik.formulas.two_link import two_link_pose, two_link_rotations
from limbik.formulas.vectors import along, combine, cross, reject, scale
from limbik.gait.arithmetic import clamped, unit
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.records import Body, Joint, Kind, Leg, LegShape, PartShape, Segment, SegmentShape, Spring

# How far toes of feet in swing droop, over their distance to the ground, or are raised where it is higher.
DROOP, RAISED = 0.85, 1.25
MOST_DROOP, MOST_RAISED = 0.45, 0.8  # radians; toes that droop far would snap up where an edge comes below them
LOOK_AHEAD = 0.5  # seconds of a turn that a head looks ahead
# Irregular motions: frequencies over the creature's tempo, weights, and how far the waves of parts are apart.
WANDER_RATES = 0.11, 0.173, 0.271
WANDER_WEIGHTS = 0.5, 0.3, 0.2
WANDER_SHIFTS = 1.0, 1.7, 2.3
WANDER_APART, WANDER_NOD = 2.4, 1.9  # radians: from part to part, and of nodding to turning
RANGE = 0.0, 1.0  # of the distance from hip to ankle, over the length of the links: no limits but their own
NOWHERE = 0.0, 0.0, 1.0
NONE: Quaternion = (0.0, 0.0, 0.0, 1.0)


def relative(parent: Quaternion, child: Quaternion) -> Quaternion:
    """A rotation in the world relative to that of a parent."""
    x, y, z, w = parent
    return multiply((-x, -y, -z, w), child)


def rest_joint(joint: Joint) -> None:
    """Writes that a joint does not turn, for those that nothing turns."""
    joint.local, joint.world = NONE, NONE


def turn_trunk(segment: Segment, shape: SegmentShape, joint: Joint, parent: Joint) -> None:
    """Reads the angles of a segment; writes how its joint turns: about y, then x, then z, by halves of sines."""
    half = 0.5 * segment.yaw
    pitch = sqrt(maximum(0.5 + 0.5 * segment.level, 0.0))
    across = 1.0 / sqrt(1.0 + segment.roll * segment.roll)
    roll = sqrt(0.5 + 0.5 * across)
    turned = turn_x((0.0, sin(half), 0.0, cos(half)), pitch, -0.5 * segment.pitch / pitch)
    world = turn_z(turned, roll, 0.5 * segment.roll * across / roll)
    local = relative(parent.world, world)
    leads = shape.index == 0.0
    joint.world = world
    joint.local = tuple(where(leads, a, b) for a, b in zip(world, local, strict=True))  # type: ignore[assignment]
    segment.turn = world


def _hinged(first: Quaternion, knee: Vector, line: Vector) -> Real:
    """How far the hinge of a limb is along the x axis of its first link, from the direction of its knee."""
    x, y, z, w = first
    hinge_x, hinge_y, hinge_z = cross(knee, line)
    return (0.5 - y * y - z * z) * hinge_x + (x * y + z * w) * hinge_y + (x * z - y * w) * hinge_z


def _flipped(back: Real, link: Quaternion) -> Quaternion:
    """A link's rotation, by half a turn about it where its knee turns in the other sense.

    Solvers choose between a hinge and its opposite by the limb's direction; here knees always turn about +x alike.
    """
    x, y, z, w = link
    back = back < 0.0  # type: ignore[assignment]
    return where(back, y, x), where(back, -x, y), where(back, w, z), where(back, -z, w)


def _knee(shape: LegShape, segment: Segment) -> Vector:
    return along(combine(shape.knee[0], segment.left, shape.knee[1], segment.up), shape.knee[2], segment.forward)


def turn_two_links(leg: Leg, shape: LegShape, segment: Segment, hip: Joint, knee: Joint) -> None:
    """Reads hip and tip of a leg of two links; writes how its joints turn."""
    toward = _knee(shape, segment)
    pose = two_link_pose(
        (shape.first, shape.second), RANGE, leg.tip, toward, leg.hip, (1.0, 0.0), (1.0, 1.0), (1.0, 1.0), NOWHERE,
        softened=False, twisted=False, fixed_frame=False,
    )  # fmt: skip
    first, second = two_link_rotations(pose)
    back = _hinged(first, toward, along(leg.ankle, -1.0, leg.hip))
    hip.world, knee.world = _flipped(back, first), _flipped(back, second)
    hip.local, knee.local = relative(segment.turn, hip.world), relative(hip.world, knee.world)


def turn_three_links(leg: Leg, shape: LegShape, segment: Segment, hip: Joint, knee: Joint, ankle: Joint) -> None:
    """Reads hip, tip and last link of a leg of three; writes how its joints turn, all in one plane."""
    toward = scale(shape.side, leg.last)
    pose = three_link_pose(
        (shape.first, shape.second, shape.last), RANGE, leg.tip, leg.last, leg.hip, NOWHERE, (shape.side, 1.0, 1.0),
        NOWHERE, natural=True, hinted=False, position_first=False, fixed_frame=False,
    )  # fmt: skip
    links = three_link_rotations(pose, fixed_frame=False)
    back = _hinged(links[0], toward, along(leg.ankle, -1.0, leg.hip))
    hip.world, knee.world, ankle.world = (_flipped(back, link) for link in links)
    hip.local, knee.local = relative(segment.turn, hip.world), relative(hip.world, knee.world)
    ankle.local = relative(knee.world, ankle.world)


def turn_heeled_leg(
    leg: Leg, shape: LegShape, segment: Segment, hip: Joint, knee: Joint, ankle: Joint, tip: Joint
) -> None:
    """Reads hip, tip and foot of a leg with a heel; writes how its joints and toes turn.

    The hinge lies across body and foot in every phase of the swing: the knee of a raised leg points up. Toes bend so
    that they stay above the ground while the foot rolls over the ball.
    """
    normal, toe = leg.course_normal, leg.course_toe
    across = cross(normal, along(_knee(shape, segment), 1.0, toe))
    line = along(leg.ankle, -1.0, leg.hip)
    toward = cross(line, across)
    pose = three_link_pose(
        (shape.first, shape.second, shape.last), RANGE, leg.tip, leg.last, leg.hip, toward, (1.0, 1.0, 1.0),
        NOWHERE, natural=False, hinted=True, position_first=False, fixed_frame=False,
    )  # fmt: skip
    thigh, shank, _ = three_link_rotations(pose, fixed_frame=False)
    back = _hinged(thigh, toward, line)
    above = leg.clearance / (TOE_RATIO * shape.heel)
    droop = clamped(where(above < 0.0, RAISED, DROOP) * above, -MOST_RAISED, MOST_DROOP)
    angle = maximum(leg.roll, -droop) + leg.toe_rise
    left = cross(normal, toe)
    hip.world, knee.world = _flipped(back, thigh), _flipped(back, shank)
    ankle.world = _facing(leg.last, left)
    tip.world = _facing(combine(cos(angle), toe, sin(angle), normal), left)
    hip.local, knee.local = relative(segment.turn, hip.world), relative(hip.world, knee.world)
    ankle.local, tip.local = relative(knee.world, ankle.world), relative(ankle.world, tip.world)


def _facing(forward: Vector, left: Vector) -> Quaternion:
    """A rotation with +z along a direction, and +x as near to the left as possible."""
    forward = unit(forward, 0.0)
    left = unit(reject(left, forward), 0.0)
    return from_axes(left, cross(forward, left), forward)


def turn_part(shape: PartShape, joint: Joint, parent: Joint, leg: Leg, spring: Spring, body: Body, kind: Kind) -> None:
    """Reads posture, rhythm and spring; writes how a head, tail, arm or antenna turns.

    It swings with its leg, bends with speed, breathes, looks about and into turns, and trails behind.
    """
    swing = shape.swing * cos((2.0 * pi) * (leg.rhythm + shape.lead)) * (body.activity * (0.4 + 0.6 * body.striding))
    about = swing + shape.low + (shape.high - shape.low) * body.hurry
    x = shape.x * about + shape.lean * body.lean + shape.breath * body.breath
    y, z = shape.y * about, shape.z * about
    idle = where(body.idle, shape.wander * where(shape.shy, 1.0 - body.activity, 1.0), 0.0)
    x = x + 0.5 * idle * _wave(shape, body, kind, WANDER_NOD) - shape.sprung * spring.pitch_off
    y = y + idle * _wave(shape, body, kind, 0.0) + shape.sprung * spring.yaw_off
    turned = turn_x((0.0, sin(0.5 * y), 0.0, cos(0.5 * y)), cos(0.5 * x), sin(0.5 * x))
    local = turn_z(turned, cos(0.5 * z), sin(0.5 * z))
    # A steady part stays level and ahead.
    half = 0.5 * (body.yaw + clamped(LOOK_AHEAD * body.now[2], -shape.look, shape.look))
    level = relative(parent.world, multiply((0.0, sin(half), 0.0, cos(half)), local))
    sign = where(_dot4(level, local) < 0.0, -1.0, 1.0)
    mixed = tuple(a + shape.steady * (sign * b - a) for a, b in zip(local, level, strict=True))
    size = sqrt(_dot4(mixed, mixed))
    joint.local = tuple(where(shape.steadies, a / size, b) for a, b in zip(mixed, local, strict=True))  # type: ignore[assignment]
    joint.world = multiply(parent.world, joint.local)


def _wave(shape: PartShape, body: Body, kind: Kind, ahead: float) -> Real:
    """An irregular motion from -1 to 1, of each part its own."""
    total: Real = 0.0
    for rate, weight, shift in zip(WANDER_RATES, WANDER_WEIGHTS, WANDER_SHIFTS, strict=True):
        phase = (2.0 * pi * rate) * kind.tempo * body.idle_time + (shape.number * WANDER_APART + ahead) * shift
        total = total + weight * sin(phase)
    return total


def _dot4(a: tuple[Real, ...], b: tuple[Real, ...]) -> Real:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


STEPS: tuple[Step, ...] = (
    Stage(rest_joint),
    Stage(turn_trunk),
    Stage(turn_two_links, where="shape.two"),
    Stage(turn_three_links, where="shape.three"),
    Stage(turn_heeled_leg, where="shape.heeled"),
    Stage(turn_part),
)
