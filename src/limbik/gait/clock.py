"""Stages: the clock of a gait: when each leg steps, and how gaits change with speed."""

from __future__ import annotations

from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import Boolean, Pair, Real, floor, maximum, minimum, sqrt, where
from limbik.gait.arithmetic import TINY, clamped, fading, opposite, truth
from limbik.gait.records import Body, Character, GaitShape, Kind, Leg, LegGait, LegShape, Mixed, Wanted
from limbik.gait.swings import advance_course, bow_rate, hump_rate

HYSTERESIS = 0.9  # a creature changes to a slower gait below this fraction of that gait's top speed
BLEND_CYCLES = 0.5  # time constant with which the parameters of one gait change to those of another
# A leg out of phase runs faster or slower: relative change of rate per cycle of difference, and its greatest value.
CATCH_UP, MAX_CATCH_UP = 4.0, 0.5
MAX_SWING_RATE = 1.15  # rate of a swing that catches up
MAX_FOOT_SPEED = 2.2  # speed of a foot, over the mean speed of usual swings; their own greatest is 15/8
LATE = 1.0 + MAX_CATCH_UP  # phase since lift-off, over that in a frame, from which on a leg is late
LANDING = 0.85  # fraction of the swing from which on a leg counts as supporting when another is about to lift off
LEAST_STRIDE = 0.4  # length of the usual steps of a slow creature, over the longest of its gait
SLOPE_SHORTENING = 1.0  # relative shortening of the cycle for each unit of slope
SLOPE_DECAY = 0.5  # decay of the remembered slope in a cycle
SLOPE_RISE = 1.25  # greatest increase of the remembered slope in a cycle: swings do not become faster at once
FULL_SWAY_SPEED = 0.4  # speed from which on the body sways fully, over the slowest gait's top speed
SWAY_RATE = 2.0  # rate at which sway sets in and ends, over the creature's tempo
MIN_ACTIVITY = 1e-3  # activity below which there is none
STANDING_SPEED = 0.02  # speed below which a creature stands, over the slowest gait's top speed
STANDING_TOLERANCE = 0.02  # distance from the preferred place up to which a standing foot stays, over the leg
URGENT = 0.4  # fraction of the stance before which legs do not step out of turn
REPLAN_FRAMES = 3.0  # interval at which feet in swing search for footholds again

NUMBERS = (
    ("duty", "slow", "fast", "speed", "lift", "bob", "sway", "rock")
    + ("twist", "crouch", "strike", "push", "drop", "arch", "lean")
)  # fmt: skip


def ground_speed(foothold: Pair, left: Real, ahead: Real, turn: Real) -> Real:
    """The square of the speed of the ground under a foot, from the body's motion."""
    aside, along = left + turn * foothold[1], ahead - turn * foothold[0]
    return aside * aside + along * along


def begin_paces(body: Body) -> None:
    """Writes the frame's counters: whether feet in swing search again; starts the sums over legs anew."""
    body.pace = 0.0
    body.usual = 0.0
    body.asked_pace = 0.0
    body.time = body.time + body.seconds
    body.rethinks = body.plan_in <= 0.0
    body.plan_in = where(body.plan_in <= 0.0, REPLAN_FRAMES - 1.0, body.plan_in - 1.0)


def measure_pace(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads motions, now, allowed and asked for; writes, to the body, the squares of the fastest foot's speeds."""
    allowed = [asked * part for asked, part in zip(body.command, body.hold, strict=True)]
    body.pace = maximum(ground_speed(shape.foothold, *body.now), body.pace)
    body.usual = maximum(ground_speed(shape.foothold, *allowed), body.usual)
    body.asked_pace = maximum(ground_speed(shape.foothold, *body.command), body.asked_pace)


def choose_cycle(body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads the squares of paces; decides how long a cycle takes, and how much the body sways; writes both.

    No stride is longer than at the top speed of the gait, even where turning adds to the pace.
    """
    present, allowed, command = sqrt(body.pace), sqrt(body.usual), sqrt(body.asked_pace)
    pace = maximum(present, allowed)
    usual = gait.slow + (gait.fast - gait.slow) * minimum(pace / gait.speed, 1.0)
    longest = gait.speed * gait.fast
    body.cycle = minimum(usual, longest / maximum(pace, TINY)) / (1.0 + SLOPE_SHORTENING * body.steep)
    busy = smoothstep(clamped(present / (FULL_SWAY_SPEED * kind.slow), 0.0, 1.0))
    activity = busy + (body.activity - busy) * fading(SWAY_RATE * kind.tempo, body.seconds)
    body.activity = where(activity > MIN_ACTIVITY, activity, 0.0)
    body.pace = present
    body.usual = pace
    body.asked_pace = maximum(pace, command)
    body.stride = maximum(pace * body.cycle, LEAST_STRIDE * longest)
    body.asked_duty = -1.0
    body.fast_enough = 0.0
    body.no_faster = 0.0


def compare_gait(shape: GaitShape, body: Body) -> None:
    """Reads the pace and a gait's top speed; counts the gaits that are too slow; writes the duty that is asked for."""
    slower = where(shape.last, 0.0, 1.0)
    body.fast_enough = body.fast_enough + where(shape.top < body.usual, slower, 0.0)
    body.no_faster = body.no_faster + where(HYSTERESIS * shape.top < body.usual, slower, 0.0)
    suits = (body.asked_duty < 0.0) & ((body.asked_pace <= shape.top) | shape.last)
    suits = where(body.kept >= 0.0, where(shape.index == body.kept, 1.0, 0.0), where(suits, 1.0, 0.0)) > 0.5
    body.asked_duty = where(suits, shape.duty, body.asked_duty)


def choose_gait(body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads how many gaits are too slow; decides the slowest that is fast enough; writes it, and the feet's speed."""
    fit = maximum(minimum(body.gait, body.no_faster), body.fast_enough)
    body.gait = where(body.kept >= 0.0, body.kept, fit)
    least = LEAST_STRIDE * gait.speed * gait.fast
    body.foot_speed = MAX_FOOT_SPEED * maximum(body.asked_pace, least / gait.slow) / (1.0 - body.asked_duty)


def take_gait(shape: GaitShape, body: Body, wanted: Wanted, character: Character) -> None:
    """Reads a gait's parameters; writes those of the present one, as the creature's character has them."""
    present = shape.index == body.gait
    for name in NUMBERS:
        value = getattr(shape, name) * getattr(character, name)
        setattr(wanted, name, where(present, value, getattr(wanted, name)))
    body.most_aloft = where(present, shape.aloft, body.most_aloft)


def take_offset(phases: LegGait, leg: Leg, body: Body) -> None:
    """Reads when a leg steps in a gait; writes it for the present one."""
    leg.offset = where(phases.gait == body.gait, phases.offset, leg.offset)


def blend_gait(body: Body, gait: Mixed, wanted: Wanted) -> None:
    """Reads the parameters of the gait; writes the present ones, which approach them, at once where it starts."""
    part = minimum(body.seconds / (BLEND_CYCLES * body.cycle), 1.0)
    part = where(body.starting, 1.0, where(body.running, part, 0.0))
    for name in NUMBERS:
        before = getattr(gait, name)
        gap = getattr(wanted, name) - before
        setattr(gait, name, where(body.starting, getattr(wanted, name), before + gap * part))


def want_to_step(leg: Leg, shape: LegShape, body: Body, kind: Kind) -> None:
    """Reads pace and preferred place; decides whether the foot wants to step; writes it, and whether the clock runs."""
    x, z = leg.new_wish[0] - leg.wish[0], leg.new_wish[1] - leg.wish[1]
    far = STANDING_TOLERANCE * shape.length
    going = body.pace > STANDING_SPEED * kind.slow
    leg.willing = going | (x * x + z * z > far * far)
    struck = leg.planted & ((leg.roll > 0.0) | ((leg.strike < 0.0) & (leg.roll < 0.0)))  # and is not flat yet
    busy = leg.willing | struck | opposite(leg.planted)
    body.running = body.running | busy


def begin_running(body: Body) -> None:
    """Starts to ask legs whether the clock runs; keeps whether it ran."""
    body.was_running = body.running
    body.running = False
    body.wait = 1.0


def note_start(body: Body) -> None:
    """Writes whether the creature starts now."""
    body.starting = body.running & opposite(body.was_running)


def wait_for_first(leg: Leg, body: Body, gait: Wanted) -> None:
    """Reads phases; writes, to the body, the cycles until the first leg steps."""
    wait = gait.duty - (body.beats - leg.offset)
    body.wait = minimum(wait - floor(wait), body.wait)


def start_body(body: Body) -> None:
    """Where the creature starts, brings its clock to the first step; writes the clock."""
    body.wait = where(body.starting, body.wait, 0.0)
    body.beats = body.beats + body.wait
    body.beat = body.seconds / body.cycle


def start_leg(leg: Leg, body: Body, gait: Mixed) -> None:
    """Where the creature starts, brings all legs in phase; writes rhythm and phase."""
    rhythm = body.beats - leg.offset
    phase = rhythm - floor(rhythm)
    leg.rhythm = where(body.starting, rhythm, leg.rhythm)
    leg.phase = where(body.starting, phase, leg.phase)
    leg.passing = where(body.starting, truth(phase > gait.duty + TINY), truth(leg.passing)) > 0.5


def beat(leg: Leg, body: Body, gait: Mixed) -> None:
    """Reads clock and course; moves the leg on in its cycle and its foot on its course; decides touch-down and turn.

    Writes rhythm, phase, swing, course, and whether the foot has landed, or is to lift off. The foot is no faster than
    usual swings are, and what lacks a foothold waits half-way.
    """
    beats = where(body.running, body.beat, 0.0)
    aloft = opposite(leg.planted)
    before = leg.swing
    rate = _catch_up_rate(leg.rhythm - leg.phase)
    faster = where(aloft, minimum(rate, MAX_SWING_RATE), rate)
    leg.rhythm = leg.rhythm + beats * _catch_up_rate(body.beats - leg.offset - leg.rhythm)
    x, y, z = leg.rate_tip
    aside, y = bow_rate(before), y + leg.arch[1] * hump_rate(before)
    x, z = x + leg.arch[0] * aside, z + leg.arch[2] * aside
    most = body.foot_speed * body.seconds / sqrt(x * x + y * y + z * z + 1e-12)
    steps = minimum(beats * faster * leg.swing_rate / (1.0 - gait.duty), most)
    swing = where(aloft, before + steps, 0.0)
    phase = where(aloft, gait.duty + (1.0 - gait.duty) * swing, leg.phase + beats * faster)
    swing = where(leg.lost & leg.stuck, minimum(swing, 0.5), swing)
    landed = aloft & (swing >= 1.0)
    passed = leg.passing & (phase >= 1.0)
    over = where(landed | passed, 1.0, 0.0)
    step = swing - before
    phase = phase - over
    passing = where(leg.passing, 1.0, 0.0) - where(passed, 1.0, 0.0)
    stands = where(aloft, where(landed, 1.0, 0.0), 1.0) - passing > 0.5
    leg.landed = landed
    leg.due = stands & (phase >= gait.duty)
    leg.phase = phase
    leg.swing = swing * (1.0 - over)
    leg.passing = passing > 0.5
    leg.swing_rate = where(aloft, leg.swing_rate, 1.0)
    leg.planted = leg.planted | landed
    leg.lost = leg.lost & opposite(landed)
    advance_course(leg, step, before)


def beat_body(body: Body) -> None:
    """Moves the clock on, and the slope that it remembers; starts to count legs in swing."""
    beats = where(body.running, body.beat, 0.0)
    body.beats = body.beats + beats
    rise = minimum(body.slope, body.steep + SLOPE_RISE * beats)
    body.steep = maximum(body.steep * (1.0 - SLOPE_DECAY * beats), rise)
    body.aloft = 0.0
    body.searches = False


def count_aloft(leg: Leg, body: Body) -> None:
    """Counts, for the body, the legs in swing that are not about to land."""
    body.aloft = body.aloft + where(opposite(leg.planted) & (leg.swing < LANDING), 1.0, 0.0)


def lift_off(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads whose turn it is; decides which legs lift off, and which feet search for a foothold; writes both.

    Those whose turn it is but that stand well skip their swing; no more are in swing than the gait allows; legs that
    found no foothold wait until feet search again.
    """
    willing = leg.willing
    passing = where(leg.passing | (leg.due & opposite(willing)), 1.0, 0.0)
    due = leg.due & willing
    waits = due & leg.stuck & opposite(body.rethinks)
    leg.phase = where(waits, gait.duty, leg.phase)
    leg.swing = where(waits, 0.0, leg.swing)
    due = due & opposite(waits)
    lifting = (due & (body.aloft < body.most_aloft)) | (leg.urgent & leg.planted)
    leg.passing = (passing > 0.5) & opposite(lifting)
    leg.lifting = lifting
    start_swing(leg, lifting, body, gait)
    x, z = leg.new_wish[0] - leg.wish[0], leg.new_wish[1] - leg.wish[1]
    moved = (x * x + z * z > leg.slack) & (leg.swing < COMMITTED)
    again = leg.urgent | (body.rethinks & ((leg.lost & leg.stuck) | moved))
    leg.searches = lifting | (again & opposite(leg.planted))
    leg.second = False
    body.searches = body.searches | leg.searches


def start_swing(leg: Leg, lifting: Boolean, body: Body, gait: Mixed) -> None:
    """Lifts a foot off: its course begins where the tip is. One that waited begins at the ground, or it would jump."""
    late = maximum(leg.phase - gait.duty, 0.0)
    over = where(late <= LATE * body.beat, late, 0.0) / (1.0 - gait.duty)
    leg.swing = where(lifting, over, leg.swing)
    leg.phase = where(lifting, gait.duty + (1.0 - gait.duty) * over, leg.phase)
    leg.planted = leg.planted & opposite(lifting)
    leg.left = tuple(where(lifting, a, b) for a, b in zip(leg.hold, leg.left, strict=True))  # type: ignore[assignment]
    leg.course_tip = tuple(where(lifting, a, b) for a, b in zip(leg.tip, leg.course_tip, strict=True))  # type: ignore[assignment]
    leg.course_roll = where(lifting, leg.roll, leg.course_roll)
    leg.arch = tuple(where(lifting, 0.0, one) for one in leg.arch)  # type: ignore[assignment]


COMMITTED = 0.7  # fraction of the swing from which on the foothold is final


def seconds_to_landing(leg: Leg, body: Body, gait: Mixed) -> Real:
    """Seconds until a foot lands: one in swing, or if it lifted off now."""
    return (1.0 - gait.duty) * body.cycle * (1.0 - leg.swing) / leg.swing_rate


def _catch_up_rate(behind: Real) -> Real:
    """The rate, relative to the clock, of something that is so many cycles behind it, or ahead."""
    nearest = floor(behind + 0.5)
    # From halfway between two cycles to the even one.
    odd = nearest - 2.0 * floor(0.5 * nearest) == 1.0
    nearest = where((nearest - behind == 0.5) & odd, nearest - 1.0, nearest)
    return 1.0 + clamped(CATCH_UP * (behind - nearest), -MAX_CATCH_UP, MAX_CATCH_UP)
