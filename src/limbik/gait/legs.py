"""Stages: where a leg's joints are: its foot rolls, its hip goes with the body, both give way so that it reaches."""

from __future__ import annotations

from limbik.formulas.operations import Real, Vector, absolute, cos, maximum, minimum, sin, sqrt, where
from limbik.formulas.vectors import along, choose, combine, cross, dot, scale
from limbik.gait.arithmetic import TINY, clamped, eased, in_world, opposite, truth, unit
from limbik.gait.clock import LANDING, URGENT, seconds_to_landing, start_swing
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.records import Body, End, Kind, Leg, LegShape, Mixed, Section, Segment
from limbik.gait.swings import bow, hump, travel

MIN_LEAN_SINE = 0.17364817766693033  # of 10 degrees, between the last link and the line from hip to tip
SWING_EXCESS = 0.6  # excess length that the body tolerates at lift-off, over the leg's length
TETHER_CYCLES = 0.03, 0.8  # cycles added to the time until a leg steps: always, and where it finds no foothold
# Fractions of the stance: when a foot that struck with its heel is flat, and when its heel leaves the ground.
FOOT_FLAT, HEEL_OFF = 0.22, 0.56
HEEL_RISE = 0.9955  # extension of a leg from which on its heel rises
MAX_HEEL_RISE = 1.1  # radians
ROLL_SPEED = 8.0  # greatest speed at which a foot on the ground rolls over heel or ball, radians per cycle
TOE_LIFT = 0.6  # slope up to which toes bend up where the ground before them is higher
# Least distance from hip to tip of a foot that passes below its hip, over the leg's length: nearer feet swing round it.
TUCKED = 0.4
BEHIND = 0.2  # distance of a foot behind its hip from which on its heel may rise fully, over the leg's length
SINK = 3.0  # leg lengths per second: greatest speed at which a foot sinks that was held above an edge
NOT_HELD = -1e9  # metres
# Extension of a leg up to which the body rises, and greatest extension, beyond which the knee angle changes too fast;
# of legs in general, and of legs with heels, which walk with straight knees.
COMFORTABLE, FULL = (0.975, 0.9965), (0.988, 0.9985)
FOLDED = 1.05, 0.3  # least distance from hip to ankle, over the least that the links allow, and over the leg's length
MAX_ROUNDS = 8.0  # in the search for a body position from which all legs reach
REACH_TOLERANCE = 0.1  # of that search, over what is left between full and greatest extension
SINKING = 0.5  # weight of the vertical in that search: bodies rather slow down than sink
UPRIGHT = 0.75  # least height of a hip above its foot from which it is taken to reach, over that at rest
TETHER_SLACK = 0.12  # of a leg's length, by which bodies may be ahead of their feet
ASIDE = 0.7  # horizontal distance from hip to ankle up to which a foot that is out of reach only rises, over its reach
HEEL_REACH = 0.7  # reach that is gained when the heel is raised, over the length of the foot
FLAT_FOOT = 1e-9  # radians of roll up to which both heel and tip count as in contact
GIVE_WAY = 1.0  # greatest speed of bodies that give way, over the top speed


# --- the tether


def tether(leg: Leg, shape: LegShape, body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads where leg and body are; writes, to the body, the fraction of its motion at which the leg is not stretched.

    That is so until the leg steps, or a foot in swing lands. A body that has sunk does not reach further.
    """
    velocity = in_world(body.sine, body.cosine, body.now[0], body.now[1])
    x, y, z = (where(leg.planted, a, b) - hip for a, b, hip in zip(leg.ankle, leg.landing, leg.hip, strict=True))
    landing = seconds_to_landing(leg, body, gait) / body.cycle
    cycles = where(leg.planted, maximum(gait.duty - leg.phase, 0.0), landing)
    stuck = truth(leg.planted & leg.stuck)
    speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]) + TINY
    ahead = (x * velocity[0] + z * velocity[1]) / speed
    usual = kind.body_height + shape.attachment[1] - shape.last * shape.lean_cosine
    y = minimum(y, -UPRIGHT * usual)
    left = ahead * ahead + shape.tether_far * shape.tether_far - (x * x + y * y + z * z)
    way = maximum(ahead + sqrt(maximum(left, 0.0)), 0.0) + shape.tether_slack * (1.0 - stuck)
    part = way / (speed * body.cycle * (cycles + TETHER_CYCLES[0] + TETHER_CYCLES[1] * stuck))
    body.tether = minimum(part, body.tether)


# --- the ground below a foot


def roll_foot(leg: Leg, shape: LegShape, body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads where the leg is in its cycle; rolls the foot about heel or ball; writes the roll.

    A heel also rises where the leg behind the body would have to be straight otherwise.
    """
    stance = leg.phase / gait.duty
    flat = leg.strike * (1.0 - eased(stance * (1.0 / FOOT_FLAT)))
    rising = (gait.push * body.activity) * eased((stance - HEEL_OFF) * (1.0 / (1.0 - HEEL_OFF)))
    normal, toe = leg.course_normal, leg.course_toe
    ankle = along(leg.hold, -shape.last, combine(shape.lean_sine, toe, -shape.lean_cosine, normal))
    line = along(leg.hip, -1.0, ankle)
    length = sqrt(dot(line, line))
    # How fast the ankle comes nearer to the hip as the foot turns about the ball.
    turned = scale(shape.last, combine(shape.lean_cosine, toe, shape.lean_sine, normal))
    gain = maximum(dot(line, turned) / maximum(length, TINY), 0.3 * shape.last)
    behind = eased(dot(line, toe) / (BEHIND * shape.far))
    rise = minimum(behind * maximum(length - HEEL_RISE * shape.far, 0.0) / maximum(gain, TINY), MAX_HEEL_RISE)
    rising = where(kind.heeled, maximum(rising, rise * body.activity), rising)
    most = ROLL_SPEED * body.beat
    change = clamped(flat - rising - leg.roll, -most, most)
    leg.roll = where(kind.rolls, where(leg.planted, leg.roll + change, leg.course_roll), 0.0)


def place_below(leg: Leg, shape: LegShape) -> None:
    """Reads the course of a foot; writes where tip, heel and toes are, and how high the tip is over the others."""
    aside = bow(travel(leg.swing))
    x, z = leg.course_tip[0] + leg.arch[0] * aside, leg.course_tip[2] + leg.arch[2] * aside
    _spread(leg, shape, x, z)


def _spread(leg: Leg, shape: LegShape, x: Real, z: Real) -> None:
    toe = unit(leg.course_toe)  # halfway between two directions it is shorter
    foot = scale(shape.heel, combine(cos(leg.roll), toe, sin(leg.roll), leg.course_normal))
    length = TOE_RATIO * shape.heel
    leg.tip_below = x, z
    leg.heel_below = x - foot[0], z - foot[2]
    leg.toes_below = x + length * toe[0], z + length * toe[2]
    leg.over_heel, leg.over_toes = foot[1], -length * toe[1]


def _least(leg: Leg, shape: LegShape) -> tuple[Real, Real]:
    """The least height of the tip of a foot in swing, and that at which straight toes touch the ground."""
    toes = maximum(leg.toes_ground + leg.over_toes, leg.tip_ground)
    heel = maximum(leg.tip_ground, leg.heel_ground + leg.over_heel)
    least = maximum(heel, toes - TOE_RATIO * shape.heel * TOE_LIFT)
    return where(shape.heeled, least, leg.tip_ground), where(shape.heeled, toes, leg.tip_ground)


def note_ground(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads the ground below the foot; writes the least height of its tip. Behind an edge it sinks slowly."""
    least, leg.toe_height = _least(leg, shape)
    leg.least = maximum(least, leg.held - SINK * body.seconds * shape.length)


# --- the leg


def begin_legs(body: Body) -> None:
    """Starts to ask legs whether they reach; the body has not given way yet."""
    body.any_asks = False
    body.any_out = False
    body.shift = 0.0, 0.0, 0.0


def place_leg(leg: Leg, shape: LegShape, segment: Segment, body: Body, gait: Mixed) -> None:
    """Reads course, roll and segment; writes tip, hip, ankle and the direction of the last link; and who must give way.

    The last link keeps an angle to the line from hip to tip: the plane of bending is then well defined, and the knee
    never changes sides. Feet with heels lie flat on the ground: the knees of such legs point as body and toes do.
    """
    normal, toe, stands = leg.course_normal, leg.course_toe, leg.planted
    sine, cosine = sin(leg.roll), cos(leg.roll)
    last_sine = shape.lean_sine * cosine + shape.lean_cosine * sine
    last_cosine = shape.lean_cosine * cosine - shape.lean_sine * sine
    heeled = leg.roll > 0.0  # raised about its heel
    heel = where(heeled, shape.heel, 0.0)
    raised = combine((cosine - 1.0) * heel, toe, sine * heel, normal)
    hip = along(_mixed(shape.attachment, segment), 1.0, segment.middle)
    part = travel(leg.swing)
    x, z = leg.course_tip[0] + leg.arch[0] * bow(part), leg.course_tip[2] + leg.arch[2] * bow(part)
    high = _below(hip, x, leg.course_tip[1] + leg.arch[1] * hump(part), z, TUCKED * (shape.far + shape.last))
    flying = x, maximum(high, leg.least), z
    tip = choose(stands, along(leg.hold, 1.0, raised), flying)
    last = unit(combine(last_sine, toe, -last_cosine, normal), 0.0)
    line = unit(along(tip, -1.0, hip))
    aside = scale(shape.side, _mixed(shape.knee, segment))
    aside = unit(along(aside, -dot(aside, line), line))
    # The plane of bending contains the direction of the knee, or knees would point inward where feet are wide apart.
    natural = truth(shape.natural)
    across = cross(line, aside)
    last = unit(along(last, -natural * dot(last, across), across))
    lacking = maximum(MIN_LEAN_SINE - dot(last, aside), 0.0) * natural
    last = choose(lacking > 0.0, unit(along(last, lacking, aside)), last)
    ankle = along(tip, -shape.last, last)
    line = along(ankle, -1.0, hip)
    distance = sqrt(dot(line, line))
    leg.tip, leg.last, leg.hip, leg.ankle = tip, last, hip, ankle
    leg.asks = (absolute(excess_of(leg, shape, distance)) > shape.tolerated) & opposite(leg.lost)
    leg.out = (distance < shape.near) | (distance > 0.5 * (shape.full + shape.far))
    leg.clearance = where(stands | opposite(shape.heeled), 0.0, tip[1] - leg.toe_height)
    leg.toe_rise = leg.toe_bend * where(stands, 1.0, eased(4.0 * leg.swing - 3.0))  # late in the swing, too
    leg.held = where(stands | (tip[1] > leg.least), NOT_HELD, leg.least)
    body.any_asks = body.any_asks | leg.asks
    body.any_out = body.any_out | leg.out


def excess_of(leg: Leg, shape: LegShape, distance: Real) -> Real:
    """By how much a leg is too long, or, negative, too short, for a distance from hip to ankle.

    Feet in swing count more the nearer they are to touch-down.
    """
    tolerated = shape.full + where(leg.planted, 0.0, SWING_EXCESS * (1.0 - leg.swing) * shape.far)
    return maximum(distance - tolerated, 0.0) - where(leg.planted, maximum(shape.near - distance, 0.0), 0.0)


def _mixed(weights: Vector, segment: Segment) -> Vector:
    return along(combine(weights[0], segment.left, weights[1], segment.up), weights[2], segment.forward)


def _below(hip: Vector, x: Real, y: Real, z: Real, least: Real) -> Real:
    """The height y of a tip at x and z, lowered to a least distance below the hip."""
    x, z = x - hip[0], z - hip[2]
    return minimum(y, hip[1] - sqrt(maximum(least * least - x * x - z * z, 0.0)))


# --- the body gives way


def begin_giving(body: Body) -> None:
    """Reads whether legs ask for it; decides to move the body."""
    body.gives = body.any_asks
    body.rounds = 0.0
    body.aloft = 0.0


def begin_round(body: Body) -> None:
    """Starts the sums of a round anew."""
    body.by = 0.0, 0.0, 0.0
    body.asking = 0.0
    body.worst = -1e9


def pull(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads the line from hip to ankle; writes, to the body, how it should move for the leg to reach."""
    line = along(along(leg.ankle, -1.0, leg.hip), -1.0, body.shift)
    distance = sqrt(dot(line, line))
    excess = excess_of(leg, shape, distance)
    leg.excess = excess
    asks = (absolute(excess) > shape.tolerated) & opposite(leg.lost)
    body.by = along(body.by, where(asks, excess / maximum(distance, 1e-12), 0.0), line)
    body.asking = body.asking + truth(asks)
    body.worst = maximum(excess, body.worst)


def hurry(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads which leg needs it most; decides whether it steps out of turn; writes that.

    A leg that has just been put down is not lifted again: the body sinks.
    """
    needs = leg.planted & (leg.excess > shape.tolerated) & (leg.excess == body.worst) & opposite(leg.lost)
    may = (body.aloft < body.most_aloft) & (leg.phase > URGENT * gait.duty)
    leg.urgent = where(body.rounds == 0.0, truth(needs & may), truth(leg.urgent)) > 0.5


def count_raised(leg: Leg, body: Body) -> None:
    """Counts, for the body, the legs in swing; no leg is urgent yet."""
    body.aloft = body.aloft + truth(opposite(leg.planted) & (leg.swing < LANDING))
    leg.urgent = False


def give_way(body: Body) -> None:
    """Reads what the legs ask for; moves the body by their mean; decides whether there is another round."""
    down = body.by[1] * where(body.worst > 0.0, SINKING, 1.0)
    part = where(body.asking > 0.0, 1.0 / maximum(body.asking, 1.0), 0.0)
    body.shift = along(body.shift, part, (body.by[0], down, body.by[2]))
    body.rounds = body.rounds + 1.0
    body.gives = (body.asking > 0.0) & (body.rounds < MAX_ROUNDS)


def begin_moving(body: Body) -> None:
    """Reads whether the body gives way; decides to move it."""
    x, y, z = body.shift
    body.moves = x * x + y * y + z * z > 0.0


def shift_body(body: Body, kind: Kind) -> None:
    """Reads by how much the body gives way; limits its speed; writes its place."""
    body.moves = False
    x, y, z = body.shift
    size = sqrt(x * x + y * y + z * z)
    part = minimum(GIVE_WAY * kind.fastest * body.seconds / maximum(size, 1e-12), 1.0)
    body.shift = scale(part, body.shift)
    body.place = body.place[0] + body.shift[0], body.place[1] + body.shift[2]


def shift_section(section: Section, body: Body) -> None:
    """Moves a section with the body."""
    section.middle = section.middle[0] + body.shift[0], section.middle[1] + body.shift[2]


def shift_end(end: End, body: Body) -> None:
    """Moves an end with the body."""
    end.place = end.place[0] + body.shift[0], end.place[1] + body.shift[2]
    end.height = end.height + body.shift[1]


def shift_segment(segment: Segment, body: Body) -> None:
    """Moves a segment with the body."""
    segment.middle = along(segment.middle, 1.0, body.shift)


# --- feet are drawn in


def begin_drawing(body: Body) -> None:
    """Reads whether legs are out of reach; decides to bring their feet nearer."""
    body.draws = body.any_out


def end_drawing(body: Body) -> None:
    """Ends that."""
    body.draws = False


def draw_in(leg: Leg, shape: LegShape, body: Body) -> None:
    """Reads the line from hip to ankle; writes how the foot must move to be within reach, and what is below it then.

    Feet that are too far away rise: towards the hip they would run into risers.
    """
    line = along(leg.ankle, -1.0, leg.hip)
    distance = sqrt(dot(line, line))
    kept = clamped(distance, shape.near, 0.5 * (shape.full + shape.far))
    near = scale(kept / maximum(distance, 1e-12), line)
    aside, nearer = (sqrt(one[0] * one[0] + one[2] * one[2]) for one in (line, near))
    wide = minimum(maximum(nearer, ASIDE * kept), aside)
    rises = (kept < distance) & (line[1] < 0.0) & (wide > nearer)
    part = wide / maximum(aside, 1e-12)
    risen = part * line[0], -sqrt(maximum(kept * kept - wide * wide, 0.0)), part * line[2]
    leg.inward = along(choose(rises, risen, near), -1.0, line)
    leg.out = kept != distance
    there = along(leg.tip, 1.0, leg.inward)
    _spread(leg, shape, there[0], there[2])


def bring_in(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads the ground below a foot that is out of reach; brings it nearer, above the ground; writes where it is.

    A planted one lifts off: a rare case, since bodies give way.
    """
    least, toes = _least(leg, shape)
    x, y, z = leg.inward
    y = y + maximum(least - (leg.tip[1] + y), 0.0)
    out = leg.out
    by = choose(out, (x, y, z), (0.0, 0.0, 0.0))
    lost = out & leg.planted
    leg.tip, leg.ankle = along(leg.tip, 1.0, by), along(leg.ankle, 1.0, by)
    leg.toe_height = where(out, toes, leg.toe_height)
    clear = out & shape.heeled & opposite(leg.planted)
    leg.clearance = where(clear, leg.tip[1] - toes, where(lost, 0.0, leg.clearance))
    lose(leg, lost, body, gait)
    leg.urgent = leg.urgent | lost


def lose(leg: Leg, lost: Real | bool, body: Body, gait: Mixed) -> None:
    """Lifts a leg that does not reach its foothold, or has none."""
    start_swing(leg, lost, body, gait)  # type: ignore[arg-type]
    leg.lost = leg.lost | lost  # type: ignore[operator]


def note_contacts(leg: Leg, shape: LegShape) -> None:
    """Reads how a foot stands; writes whether tip, heel and toes are on the ground: a flat foot is on both ends."""
    heeled = shape.heeled
    leg.tip_contact = leg.planted & ((leg.roll <= FLAT_FOOT) | opposite(heeled))
    leg.heel_contact = leg.planted & (leg.roll >= -FLAT_FOOT) & heeled & leg.heel_down
    leg.toe_contact = leg.tip_contact & leg.toes_down & heeled


def begin_losing(body: Body) -> None:
    """Starts to ask whether any leg has a foothold."""
    body.gave_up = True


def note_lost(leg: Leg, body: Body) -> None:
    """Reads whether a leg has a foothold; writes, to the body, whether none has."""
    body.gave_up = body.gave_up & leg.lost


def note_blocked(body: Body) -> None:
    """Writes that a creature without any foothold is blocked."""
    body.blocked = body.blocked | body.gave_up
