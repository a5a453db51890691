"""Stages: velocity and turning rate of creatures, which follow the requested ones by springs."""

from __future__ import annotations

from math import sqrt as root

from limbik.formulas.operations import Real, absolute, atan2, cos, maximum, minimum, sin, sqrt, where
from limbik.gait.arithmetic import TINY, clamped, fading, seen_from, wrapped
from limbik.gait.creature import Creature
from limbik.gait.records import Body, Kind
from limbik.springs import close_gap_by, gap_integral_by

GRAVITY = 9.81  # m/s²
STEERING_STIFFNESS = 1.5  # of the springs of the motion, over the creature's tempo
FACING_RATE = 0.3  # rate of turning to face the velocity, over the stiffness of the spring
JOINT_BEND = 0.36  # radians between the segments of a row on its tightest circle
FOOT_SPEED = 1.0  # greatest speed of a foot by moving and turning, over the top speed
SLOW_TURN = 0.4  # turning rate that is always possible, over the greatest
SLOW_ABOUT = 0.1  # fraction of the requested speed at which creatures go that face the other way
BACKWARDS = 0.6  # top speed backwards, over that ahead, of creatures whose knees point forward or back
MAX_ACCELERATION = 0.5 * GRAVITY  # m/s²: what legs can push and brake with
HOLD_STIFFNESS = 4.0  # of the spring by which creatures slow down for the ground, over their tempo
# Relative slowing for each unit of a gentle slope, up and down, and the greatest.
UPHILL, DOWNHILL, MAX_SLOWING = 1.0, 0.4, 0.35


def turning_circle(kind: Creature) -> float:
    """Radius, metres, of the tightest circle of a row of segments that follow the first; 0 for other creatures."""
    body = kind.body
    return body.length / JOINT_BEND if body.segments > 1 and body.spine == "following" else 0.0


def steering_lag(kind: Creature) -> float:
    """Seconds by which a creature's motion is behind the requested one."""
    return 2.0 / (STEERING_STIFFNESS * root(GRAVITY / kind.height))


# --- formulas


def approached(body: Body, start: tuple[Real, Real, Real], seconds: Real) -> tuple[Real, Real, Real]:
    """The requested motion after some seconds, as it approaches the command at no more than the acceleration."""
    left, ahead, turn = (asked - before for asked, before in zip(body.command, start, strict=True))
    part = minimum(MAX_ACCELERATION * seconds / maximum(sqrt(left * left + ahead * ahead), TINY), 1.0)
    return start[0] + left * part, start[1] + ahead * part, start[2] + turn


# --- stages


def take_command(body: Body, kind: Kind) -> None:
    """Reads the velocity and turn that are asked for; decides what the creature can do of them; writes the command.

    It goes no faster than its gaits, slower backwards, and turns first where it faces away; a row of segments goes
    where its head points, and turns along a circle.
    """
    x, z = body.velocity
    left, ahead = seen_from(body.sine, body.cosine, x, z)
    speed = sqrt(left * left + ahead * ahead)
    angle = wrapped(atan2(x, z) - body.yaw)
    rate = where(body.faces, where(speed > 0.0, kind.facing * angle, 0.0), body.turn)
    fastest = body.fastest * (1.0 + (kind.backwards - 1.0) * maximum(-ahead / maximum(speed, TINY), 0.0))
    slower = fastest / maximum(speed, fastest)
    facing = 0.5 + 0.5 * ahead / maximum(speed, TINY)
    slower = where(body.faces, slower * maximum(facing * facing, SLOW_ABOUT), slower)
    leads = body.faces & (kind.circle > 0.0)
    left = where(leads, 0.0, left)
    ahead = where(leads, speed, ahead)
    most = clamped((FOOT_SPEED * fastest - speed * slower) / kind.radius, SLOW_TURN * kind.most_turn, kind.most_turn)
    rate = clamped(rate, -most, most)
    ahead = ahead * slower
    least = absolute(rate) * kind.circle
    ahead = where(absolute(ahead) < least, where(ahead < 0.0, -least, least), ahead)
    body.command = left * slower, ahead, rate


def push(body: Body) -> None:
    """Reads a push, a velocity in the world; adds it to the motion."""
    left, ahead = seen_from(body.sine, body.cosine, *body.push)
    body.free = body.free[0] + left, body.free[1] + ahead, body.free[2]
    body.now = body.free[0] * body.hold[0], body.free[1] * body.hold[1], body.free[2] * body.hold[2]


def take_detour(body: Body, kind: Kind) -> None:
    """Reads detour and clear way; decides the greatest speed before obstacles; writes it, and turns the command."""
    sine, cosine = sin(body.detour), cos(body.detour)
    left, ahead, turn = body.command
    turned = clamped(turn + kind.facing * body.detour, -kind.most_turn, kind.most_turn)
    new_left, new_ahead = cosine * (left * cosine + ahead * sine), cosine * (ahead * cosine - left * sine)
    aside = body.obstacles & (body.detour != 0.0)
    body.command = (
        where(aside, new_left, left),
        where(aside, new_ahead, ahead),
        where(aside & body.faces, turned, turn),
    )
    body.most_speed = where(body.obstacles, stopping_speed(body.clear, kind), NO_LIMIT)
    speed = sqrt(body.now[0] * body.now[0] + body.now[1] * body.now[1])
    body.clear = where(body.obstacles, maximum(body.clear - body.seconds * speed, 0.0), body.clear)
    body.tether = 1.0


NO_LIMIT = 1e6  # m/s
BRAKING = 0.25 * GRAVITY  # deceleration before an obstacle, m/s²
REACTION = 0.15  # seconds before braking takes effect


def stopping_speed(clear: Real, kind: Kind) -> Real:
    """The speed, m/s, from which a creature can stop within a distance, metres."""
    lost = BRAKING * (REACTION + 2.0 / kind.hold_stiffness)
    return sqrt(lost * lost + 2.0 * BRAKING * clear) - lost


def steer(body: Body, kind: Kind) -> None:
    """Reads command, slope, greatest speed and tether; moves the springs of the motion; writes it and the way."""
    seconds = body.seconds
    requested = approached(body, body.requested, seconds)
    left, ahead, _ = body.requested
    speed = sqrt(left * left + ahead * ahead)
    slope = body.rising
    slowing = maximum(UPHILL * slope, -DOWNHILL * slope)
    part = (1.0 - MAX_SLOWING * slowing / (MAX_SLOWING + slowing)) / sqrt(1.0 + slope * slope)
    feet = where(body.gave_up, 0.0, body.tether)
    part = minimum(minimum(part, body.most_speed / maximum(speed, TINY)), 1.0) * feet
    fade, hold_fade = fading(kind.stiffness, seconds), fading(kind.hold_stiffness, seconds)
    found = []
    for k, share in enumerate((part, part, feet)):
        goal, value, rate, held = requested[k], body.free[k], body.change[k], body.hold[k]
        way = goal * seconds + gap_integral_by(value - goal, rate, kind.stiffness, seconds, fade)
        gap, change = close_gap_by(value - goal, rate, kind.stiffness, seconds, fade)
        rest, hold_change = close_gap_by(held - share, body.hold_change[k], kind.hold_stiffness, seconds, hold_fade)
        after = clamped(share + rest, 0.0, 1.0)
        free = goal + gap
        found.append((goal, free, change, after, hold_change, free * after, way * (0.5 * (held + after))))
    parts = zip(*found, strict=True)
    body.requested, body.free, body.change, body.hold, body.hold_change, body.now, body.way = (tuple(p) for p in parts)  # type: ignore[assignment]


def way_ahead(body: Body, kind: Kind, seconds: Real) -> tuple[Real, Real, Real]:
    """The way in the next seconds: to the left, ahead, and turn."""
    fade = fading(kind.stiffness, seconds)
    goals = approached(body, body.requested, 0.5 * seconds)  # on average
    left, ahead, turn = (
        (goal * seconds + gap_integral_by(value - goal, rate, kind.stiffness, seconds, fade)) * held
        for goal, value, rate, held in zip(goals, body.free, body.change, body.hold, strict=True)
    )
    return left, ahead, turn
