"""Stages: how far a creature can walk in a direction: walls, ledges, gaps and holes ahead; and ways past them.

The ground is looked at along the ways of its leading feet and along three lines below its body.
"""

from __future__ import annotations

from math import cos, radians, sin

from limbik.formulas.operations import Boolean, Real, absolute, floor, maximum, minimum, sqrt, where
from limbik.gait.arithmetic import TINY, in_world, length_of, opposite, truth
from limbik.gait.records import (
    LOOK_SAMPLES,
    Body,
    Footprint,
    FootprintShape,
    Kind,
    Leg,
    Sample,
    Track,
    TrackShape,
)
from limbik.gait.steering import BRAKING, REACTION, stopping_speed

# Over a leg's length:
STRIDE = 0.27  # how far a foot can stand from where it stands at rest: a gap may be twice as wide
SIDES = -1.0, 0.0, 1.0  # of a body, under each of which the ground is looked at
BELLY = 0.9  # greatest height of an obstacle below the body, over the body's own clearance
UNEVEN = 0.35  # unevenness that a foot bridges, over its radius
SLOPE_SAMPLES = 3  # neighbouring intervals that must all be steep: where one is level, a foot stands there
LOOK_FRAMES = 6.0  # interval at which creatures look ahead
DETOURS = 30.0, -30.0, 55.0, -55.0  # degrees to the left, tried where the requested direction is not clear
WORTHWHILE = 0.5  # least distance that a detour must be clear for, over the length of the legs
BLOCKED = 0.05  # fraction of the requested speed below which a creature is blocked
NEAR = 0.03  # distance to what is in the way at which it is, too, over the length of the legs
FAR = 1e6  # metres: nothing in the way
NOWHERE = -1e9  # metres: a height that nothing is below
NEVER = 1e3  # a sample that is not reached
STEADY = 1e-6  # of the steepest slope: rounding on ground just as steep


def begin_look(body: Body, kind: Kind) -> None:
    """Reads the command; decides, every few frames, to look where it leads; writes the direction and how far to look.

    Where it looks, what was in the way before is forgotten.
    """
    body.looks = body.look_in <= 0.0
    body.look_in = where(body.looks, LOOK_FRAMES - 1.0, body.look_in - 1.0)
    left, ahead, _ = body.command
    body.wanted = length_of(left, ahead)
    size = maximum(body.wanted, TINY)
    x, z = in_world(body.sine, body.cosine, left, ahead)
    body.onward = x / size, z / size
    fastest = maximum(body.wanted, length_of(body.now[0], body.now[1]))
    look = fastest * fastest / (2.0 * BRAKING) + (REACTION + 0.1) * fastest + kind.reach
    body.spacing = maximum(kind.finest, (look + kind.behind) / (LOOK_SAMPLES - 1.0))
    going = body.wanted > 1e-6 * kind.slow
    body.blocked = body.blocked & opposite(body.looks)
    body.obstacles = body.obstacles & opposite(body.looks)
    body.detour = where(body.looks, 0.0, body.detour)
    body.clear = where(body.looks, FAR, body.clear)
    body.looks = body.looks & going
    body.direction = 0.0


def turn_look(body: Body) -> None:
    """Reads which direction is next; writes it, and starts to look anew."""
    sine: Real = 0.0
    cosine: Real = 1.0
    for k, degrees in enumerate(DETOURS, 1):
        here = body.direction == float(k)
        sine, cosine = where(here, sin(radians(degrees)), sine), where(here, cos(radians(degrees)), cosine)
    x, z = body.onward
    body.look = x * cosine + z * sine, z * cosine - x * sine
    body.found = FAR
    body.stop = NEVER
    body.uphill = 0.0
    body.across = 0.0
    body.steep_feet = 0.0
    body.any_steep = False
    body.next_highest = NOWHERE


def start_track(track: Track, shape: TrackShape, leg: Leg, body: Body, kind: Kind) -> None:
    """Reads the direction; writes where a leading foot starts, or a line across the front of the body."""
    x, z = in_world(body.sine, body.cosine, *shape.start)
    way_x, way_z = body.look
    along = absolute(way_x * body.sine + way_z * body.cosine)
    across = sqrt(maximum(1.0 - along * along, 0.0))
    front = kind.front * along + kind.half_width * across
    side = (kind.half_width * along + kind.front * across) * shape.aside
    x, z = where(shape.line, front * way_x + side * way_z, x), where(shape.line, front * way_z - side * way_x, z)
    track.start = body.place[0] + x, body.place[1] + z
    track.at = -kind.behind
    track.last = leg.support[1]
    track.stopped = False
    body.next_highest = where(shape.line, body.next_highest, maximum(body.next_highest, leg.support[1]))


def place_footprint(footprint: Footprint, shape: FootprintShape, track: Track, body: Body, kind: Kind) -> None:
    """Writes a place on a track."""
    far = body.spacing * shape.index - kind.behind
    footprint.place = track.start[0] + far * body.look[0], track.start[1] + far * body.look[1]


def slope_footprint(footprint: Footprint, after: Footprint, body: Body) -> None:
    """Reads heights; writes the slope to the next place of the track, and, to the body, the steepest of all."""
    footprint.along = (after.height - footprint.height) / body.spacing
    body.uphill = maximum(absolute(footprint.along), body.uphill)


def cross_lines(sample: Sample, right: Footprint, middle: Footprint, left: Footprint, body: Body, kind: Kind) -> None:
    """Reads heights on the three lines at a distance; writes the highest, and the slopes across."""
    along = absolute(body.look[0] * body.sine + body.look[1] * body.cosine)
    side = kind.half_width * along + kind.front * sqrt(maximum(1.0 - along * along, 0.0))
    a, b = (middle.height - right.height) / side, (left.height - middle.height) / side
    sample.under = maximum(maximum(right.height, middle.height), left.height)
    sample.least, sample.most = minimum(a, b), maximum(a, b)
    body.across = maximum(maximum(absolute(a), absolute(b)), body.across)


def cross_window(sample: Sample, second: Sample, third: Sample, fourth: Sample) -> None:
    """Reads slopes across at four distances; writes what they have in common: the least, or 0 if signs differ."""
    least = minimum(minimum(sample.least, second.least), minimum(third.least, fourth.least))
    most = maximum(maximum(sample.most, second.most), maximum(third.most, fourth.most))
    sample.across = maximum(least, 0.0) + minimum(most, 0.0)


def window_footprint(
    footprint: Footprint,
    shape: FootprintShape,
    second: Footprint,
    third: Footprint,
    sample: Sample,
    body: Body,
    kind: Kind,
) -> None:
    """Reads three slopes along a track; writes whether all are too steep; counts the feet that stand there."""
    least = minimum(minimum(footprint.along, second.along), third.along)
    most = maximum(maximum(footprint.along, second.along), third.along)
    along = maximum(least, 0.0) + minimum(most, 0.0)
    limit = kind.steepest * (1.0 + STEADY)
    steep = shape.windowed & (along * along + sample.across * sample.across > limit * limit)
    footprint.window = steep
    footprint.steep = steep & (along > 0.0)  # who stands on such ground can go down
    here = maximum(floor(kind.behind / body.spacing) - float(SLOPE_SAMPLES), 0.0)
    body.steep_feet = body.steep_feet + truth(steep & (shape.index == here))


def mark_footprint(
    footprint: Footprint, shape: FootprintShape, before: Footprint, earlier: Footprint, body: Body, kind: Kind
) -> None:
    """Reads whether any of three windows is too steep; writes whether a foot could stand between two places."""
    stranded = body.steep_feet > 0.5 * kind.leading
    steep: Boolean = False
    for one in (footprint, before, earlier):
        steep = steep | (truth(one.steep) + truth(one.window) * truth(opposite(stranded)) > 0.5)
    body.any_steep = body.any_steep | (steep & opposite(shape.line))
    rough = kind.steepest + kind.tolerance / body.spacing
    footprint.even = (absolute(footprint.along) <= rough) & opposite(steep)


def walk_footprint(
    footprint: Footprint,
    shape: FootprintShape,
    before: Footprint,
    track: Track,
    limits: TrackShape,
    sample: Sample,
    body: Body,
    kind: Kind,
) -> None:
    """Reads the ground at a distance; lets the track's foot stand there if it can; writes where, or that it stops.

    A creature stops, too, where the ground below its body is too high for its highest foot.
    """
    here = body.spacing * shape.index - kind.behind
    body.highest = where(shape.opens, body.next_highest, body.highest)
    body.next_highest = where(shape.opens, NOWHERE, body.next_highest)
    active = body.stop >= shape.index
    below = shape.opens & active & (sample.under - body.highest > kind.belly) & (here >= 0.0)
    gap = here - track.at
    limit = maximum(limits.step, kind.steepest * minimum(gap, 2.0 * body.spacing))
    up = footprint.height - track.last
    walks = active & opposite(shape.line)
    stops = walks & ((gap > 2.0 * limits.stride) | (up > limit)) & (here >= 0.0)
    flat = ((shape.index == 0.0) | before.even) & (shape.last | footprint.even)
    stands = walks & flat & (absolute(up) <= limit)
    found = where(below, minimum(body.found, here), body.found)
    body.found = where(stops, minimum(found, maximum(track.at, 0.0)), found)
    body.stop = where(stops, shape.index, body.stop)
    track.at = where(stands, here, track.at)
    track.last = where(stands, footprint.height, track.last)
    body.next_highest = where(shape.line, body.next_highest, maximum(track.last, body.next_highest))


def judge_look(body: Body, kind: Kind) -> None:
    """Reads how far a direction is clear; decides whether it is the best so far, and whether to look at another.

    Writes the clear way, the detour, and whether the creature is blocked: it can go neither where it is asked to nor
    along what is in its way.
    """
    rough = kind.steepest + kind.tolerance / body.spacing
    gentle = body.uphill * body.uphill + body.across * body.across <= kind.steepest * kind.steepest
    open_way = gentle | ((body.uphill <= rough) & opposite(body.any_steep))
    clear = where(open_way | (body.found >= FAR), FAR, minimum(body.found - kind.margin, FAR))
    ahead = body.direction == 0.0
    free = ahead & (clear >= FAR)
    angle: Real = 0.0
    cosine: Real = 1.0
    for k, degrees in enumerate(DETOURS, 1):
        here = body.direction == float(k)
        angle, cosine = where(here, radians(degrees), angle), where(here, cos(radians(degrees)), cosine)
    speed = stopping_speed(maximum(clear, 0.0), kind)
    progress = minimum(speed, body.wanted * cosine) * (cosine * cosine)
    progress = where(ahead | (clear > WORTHWHILE * kind.reach), progress, 0.0)
    better = ahead | (progress > body.best)
    body.best = where(better, progress, body.best)
    body.best_speed = where(better, speed, body.best_speed)
    body.detour = where(better, angle, body.detour)
    body.clear = where(better, maximum(clear, 0.0), body.clear)
    body.obstacles = opposite(free)
    body.direction = body.direction + 1.0
    body.looks = opposite(free) & (body.direction <= float(len(DETOURS)))
    slow, near = body.best_speed < BLOCKED * body.wanted, body.clear < NEAR * kind.reach
    body.blocked = opposite(free) & (slow | near)
