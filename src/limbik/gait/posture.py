"""Stages: how creatures carry themselves: lean, bank, what they do while they stand, and the sway of their steps."""

from __future__ import annotations

from math import pi, radians

from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import Real, cos, minimum, sin, sqrt, where
from limbik.formulas.vectors import along, combine
from limbik.gait.arithmetic import clamped
from limbik.gait.records import Body, End, Kind, Leg, LegShape, Mixed, Section, SectionShape, Segment, SegmentShape

SLOPE_LEAN = 0.8  # lean into a slope of a body that does not tilt with the ground, over the slope
ACCELERATION_LEAN = 0.5  # lean into an acceleration, over the angle that balances it
MAX_LEAN = 0.45  # radians
MAX_BANK = 0.7  # slope
BREATHS = 0.078  # breaths per second, over the creature's tempo: 15 a minute for a human
SHIFTS = 0.033  # shifts of weight per second, over the creature's tempo: one in ten seconds for a human
SECOND_WAVE = 1.618  # rate of the second wave in which weight is shifted, over the first
STRIDING = 0.999  # activity from which on weight is not shifted
FIRST_SECONDS = 2.0  # in which the first shift of weight sets in
TURN_BEND = 0.1  # bend of a flexible spine into a turn, seconds times the turning rate
MAX_TURN_BEND = radians(12.0)
MAX_PITCH_SINE = 0.9  # of a segment


def begin_sway(body: Body) -> None:
    """Starts the sums of the steps anew."""
    body.swayed = body.rocked = body.gathered = body.bounce = body.rise_sum = body.pitch_sum = 0.0
    body.middle = 0.0, 0.0, 0.0


def begin_segment(segment: Segment) -> None:
    """The same for a segment."""
    segment.tilted = segment.reached = segment.bounced = 0.0


def add_step(leg: Leg, shape: LegShape, segment: Segment, body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads a leg's rhythm; adds it to the sway, rock and rise of the body, and to the roll and yaw of its segment."""
    turn = (2.0 * pi) * leg.rhythm
    upright, reaching = cos(turn - pi * gait.duty), cos(turn)  # 1 in the middle of the leg's stance
    bounced = upright * (2.0 * upright + 1.0)
    each = 1.0 / kind.legs
    body.swayed = body.swayed + shape.outward * upright * each
    body.rocked = body.rocked + shape.hind * upright * each
    body.gathered = body.gathered + shape.gather * reaching
    body.bounce = body.bounce + bounced * each
    share = shape.share
    segment.tilted = segment.tilted + share * shape.outward * upright
    segment.reached = segment.reached + share * shape.outward * reaching
    segment.bounced = segment.bounced + share * bounced


def fill_segment(segment: Segment, shape: SegmentShape, legged: Segment, after: Segment) -> None:
    """Where a segment has no legs, writes sums between those of its neighbours with legs."""
    for name in ("tilted", "reached", "bounced"):
        a, b = getattr(legged, name), getattr(after, name)
        setattr(segment, name, where(shape.legged, getattr(segment, name), a + (b - a) * shape.part))


def carry(body: Body, kind: Kind, gait: Mixed, front: End, rear: End) -> None:
    """Reads pace, slope, acceleration and time; decides stride, lean, bank, shift of weight and breath; writes them."""
    longest = gait.speed * gait.fast
    body.striding = minimum(body.pace * body.cycle / longest, 1.0)
    body.hurry = smoothstep(clamped((body.pace - kind.slow) * kind.hurrying, 0.0, 1.0))
    lean = gait.lean * minimum(body.pace / gait.speed, 1.0) + kind.sloping * body.held_slope * body.activity
    lean = lean + kind.swinging * body.change[1] * body.hold[1]
    body.lean = clamped(lean, -kind.most_lean, kind.most_lean)
    body.bank = clamped(kind.banking * body.now[1] * body.now[2], -MAX_BANK, MAX_BANK)
    body.idle_time = where(body.idle, body.idle_start + body.time, 0.0)
    rate = (2.0 * pi) * kind.tempo * body.idle_time
    wave = 0.7 * sin(SHIFTS * rate) + 0.45 * sin(SECOND_WAVE * SHIFTS * rate)
    body.breath = sin(BREATHS * rate)
    begun = minimum(body.time * (1.0 / FIRST_SECONDS), 1.0)
    weight = wave * (1.5 - 0.5 * wave * wave) * (1.0 - body.activity) * begun
    body.weight = where(body.activity > STRIDING, 0.0, weight)
    body.sway = body.swayed * (body.activity * gait.sway) + kind.shift_width * body.weight
    rise = gait.bob * (body.activity * body.striding * body.striding)
    level = 0.5 * (front.height + rear.height)
    rock = (0.5 - 0.5 / kind.sections) * (kind.length * kind.sections) * (body.rocked * (body.activity * gait.rock))
    body.height = where(kind.follows, level + (body.bounce - 1.0) * rise + rock, level)


def roll_section(section: Section, shape: SectionShape, body: Body) -> None:
    """Reads roll and bank; writes the roll without steps."""
    section.roll = section.held_roll - body.bank


def turn_segment(
    segment: Segment, shape: SegmentShape, section: Section, front: End, rear: End, ahead: Segment, behind: Segment,
    body: Body, kind: Kind, gait: Mixed,
) -> None:  # fmt: skip
    """Reads heights and the steps' sums; writes yaw, pitch and roll of a segment, and its axes; adds its rise."""
    rise = gait.bob * (body.activity * body.striding * body.striding)
    lift = (segment.bounced - 1.0) * rise
    body.rise_sum = body.rise_sum + lift
    yaw = section.yaw - segment.reached * (gait.twist * body.activity)
    pitch = (front.height - rear.height) / kind.length + body.rocked * (body.activity * gait.rock)
    rising = (ahead.bounced - behind.bounced) * rise / shape.gap
    bend = clamped(TURN_BEND * body.now[2], -MAX_TURN_BEND, MAX_TURN_BEND)
    arch = gait.arch * body.activity * body.gathered
    pitch = where(kind.flexible, pitch + rising - shape.front * arch, pitch)
    pitch = clamped(pitch, -MAX_PITCH_SINE, MAX_PITCH_SINE)
    segment.yaw = where(kind.flexible, yaw + shape.front * bend, yaw)
    segment.pitch = pitch
    body.pitch_sum = body.pitch_sum + pitch
    segment.roll = section.roll + segment.tilted * (gait.drop * body.activity)
    point_segment(segment)


def point_segment(segment: Segment) -> None:
    """Reads angles; writes the directions to the left, up and forward of a segment."""
    sine, cosine = sin(segment.yaw), cos(segment.yaw)
    pitch, slope = segment.pitch, segment.roll
    level = sqrt(1.0 - pitch * pitch)
    upright = -pitch * sine, level, -pitch * cosine
    across = 1.0 / sqrt(1.0 + slope * slope)
    side = cosine, 0.0, -sine
    segment.level = level
    segment.forward = level * sine, pitch, level * cosine
    segment.left = combine(across, side, slope * across, upright)
    segment.up = combine(across, upright, -(slope * across), side)


def hinge_segment(segment: Segment, shape: SegmentShape, ahead: Segment, body: Body, kind: Kind) -> None:
    """Reads the segment ahead; hinges a segment to its end; writes its centre, and adds it to the sum of all."""
    height = where(kind.follows, body.height, body.height + body.rise_sum / kind.segments)
    x, z = body.place
    start = x + body.sway * segment.left[0], height, z + body.sway * segment.left[2]
    half = -0.5 * kind.segment
    hinged = along(along(ahead.middle, half, ahead.forward), half, segment.forward)
    leads = shape.index == 0.0
    segment.middle = tuple(where(leads, a, b) for a, b in zip(start, hinged, strict=True))  # type: ignore[assignment]
    body.middle = along(body.middle, 1.0 / kind.segments, segment.middle)


def centre_segment(segment: Segment, shape: SegmentShape, body: Body, kind: Kind, first: Segment) -> None:
    """Where segments are in line, moves them so that their mean is in the body's place."""
    height = body.height + body.rise_sum / kind.segments
    x, z = body.place
    goal = x + body.sway * first.left[0], height, z + body.sway * first.left[2]
    off: tuple[Real, ...] = tuple(a - b for a, b in zip(goal, body.middle, strict=True))
    centred = tuple(a + b for a, b in zip(segment.middle, off, strict=True))
    segment.middle = tuple(where(kind.flexible, a, b) for a, b in zip(centred, segment.middle, strict=True))  # type: ignore[assignment]


def note_pitch(section: Section, segment: Segment, body: Body, kind: Kind) -> None:
    """Reads the segments; writes pitch and length, seen from above, of a section."""
    section.pitch = where(kind.flexible, body.pitch_sum / kind.segments, segment.pitch)
    section.flat = where(kind.flexible, section.flat, kind.length * segment.level)
