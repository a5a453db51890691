"""The geometry of one leg in one step of time, as formulas that run for all legs of all creatures at once.

Sines and cosines are passed to them, since engines round those differently. Truths are numbers, 1 or 0.
"""

from __future__ import annotations

from typing import Any

from limbik.engines.row_formulas import RowFormula
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
from limbik.formulas.vectors import along, choose, combine, cross, dot, scale
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.rig import GaitNumbers
from limbik.gait.steering import MOTION_NUMBERS
from limbik.gait.swing_arcs import bow, hump, travel

MIN_LEAN_SINE = 0.17364817766693033  # of 10 degrees, between the last link and the line from hip to tip
SWING_EXCESS = 0.6  # excess length that the body tolerates at lift-off, over the leg's length
SWING_HEADROOM = 0.03  # additional height of the body at lift-off, over the leg's length
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
DUTY, PUSH = (GaitNumbers._fields.index(name) for name in ("duty", "push"))


def _tether(
    ankle: Any,
    hip: Any,
    landing: Any,
    planted: Any,
    until: Any,
    stuck: Any,
    phase: Any,
    limits: Any,
    motion: Any,
    heading: Any,
    duty: Any,
    seconds: Any,
) -> Any:
    """The fraction of the body's motion at which the leg steps before it is stretched.

    limits: the greatest distance from hip to ankle, and the slack. motion: `Steering.motion`; heading: the sine and
    cosine of the yaw. until: seconds until a foot in swing lands. seconds: of a cycle.
    """
    far, slack = limits
    velocity = _in_world(heading, motion[15:17])
    planted = planted > 0.5
    x, y, z = (where(planted, now, then) - base for now, then, base in zip(ankle, landing, hip, strict=True))
    cycles = where(planted, maximum(duty - phase, 0.0), until / seconds)
    stuck = where(planted, stuck, 0.0)
    speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]) + 1e-9
    along = (x * velocity[0] + z * velocity[1]) / speed
    left = along * along + far * far - (x * x + y * y + z * z)
    way = maximum(along + sqrt(maximum(left, 0.0)), 0.0) + slack * (1.0 - stuck)
    return way / (speed * seconds * (cycles + TETHER_CYCLES[0] + TETHER_CYCLES[1] * stuck))


def _support(
    left: Any,
    hold: Any,
    ankle: Any,
    landing: Any,
    hip: Any,
    planted: Any,
    lost: Any,
    swing: Any,
    reach: Any,
    coming: Any,
    rate: Any,
    duty: Any,
    seconds: Any,
    *base: Any,
) -> Any:
    """Where a foot stands or, in swing, the point between its footholds; how much higher its hip can go; its moments.

    The second is from the line from hip to ankle, in swing that at touch-down, with more room early in the swing.
    left: the foothold before. hold: the present one, or the next. reach: the comfortable and the full distance from hip
    to ankle. coming: as in TrunkMotion; x and z of the body's velocity until touch-down are used. rate: of the swing.
    seconds: of a cycle. base: as for `moments_of`.
    """
    easy, far = reach
    velocity = coming[2:4]
    planted = planted > 0.5
    done = where(planted, 1.0, travel(swing))
    support = tuple(a + (b - a) * done for a, b in zip(left, hold, strict=True))
    seconds = where(planted, 0.0, _until(swing, rate, duty, seconds))
    x, y, z = (where(planted, now, then) - base for now, then, base in zip(ankle, landing, hip, strict=True))
    x, z = x - velocity[0] * seconds, z - velocity[1] * seconds
    room = y + sqrt(maximum(easy * easy - x * x - z * z, 0.0))
    room = room + where(planted, 0.0, SWING_HEADROOM * (1.0 - swing) * far)
    return support, where(lost > 0.5, far, room), moments_of(support, *base)


def _until(swing: Any, rate: Any, duty: Any, seconds: Any) -> Any:
    """Seconds until a foot in swing lands, as `GaitClock.landing`."""
    return (1.0 - duty) * seconds * (1.0 - swing) / rate


def moments_of(foot: Any, place: Any, heading: Any, base: Any) -> Any:
    """A foot from a place: to the left, up, and ahead, and the products of these."""
    x, y, z, (sine, cosine) = foot[0] - place[0], foot[1] - base, foot[2] - place[1], heading
    x, z = x * cosine - z * sine, x * sine + z * cosine
    return x, y, z, x * x, z * z, x * z, x * y, z * y


def _roll(
    hold: Any,
    course: Any,
    hip: Any,
    planted: Any,
    phase: Any,
    strike: Any,
    leg: Any,
    gait: Any,
    activity: Any,
    before: Any,
    beat: Any,
) -> Any:
    """Radians by which the toes of a foot point up, about the heel, or down, about the tip; two angles for `_placed`.

    A heel also rises where the leg behind the body would have to be straight otherwise. strike: the roll with which the
    foot strikes. course: tip, normal, direction of the toes, and roll of a foot in swing. leg: its lean, the sine and
    cosine of that, the lengths of the last link and of the others together, and whether any foot of the creature has a
    heel. gait: GaitNumbers. before: the roll in the frame before. beat: cycles since then.
    """
    normal, toe = course[3:6], course[6:9]
    lean, sine, cosine, last, far, heeled = leg
    duty, push = gait[DUTY], gait[PUSH]
    stance = phase / duty
    flat = strike * (1.0 - _eased(stance * (1.0 / FOOT_FLAT)))
    rising = (push * activity) * _eased((stance - HEEL_OFF) * (1.0 / (1.0 - HEEL_OFF)))
    ankle = along(hold, -last, combine(sine, toe, -cosine, normal))
    line = along(hip, -1.0, ankle)
    length = sqrt(dot(line, line))
    # How fast the ankle comes nearer to the hip as the foot turns about the ball.
    turned = scale(last, combine(cosine, toe, sine, normal))
    gain = maximum(dot(line, turned) / length, 0.3 * last)
    behind = _eased(dot(line, toe) / (BEHIND * far))
    rise = minimum(behind * maximum(length - HEEL_RISE * far, 0.0) / maximum(gain, 1e-9), MAX_HEEL_RISE)
    rising = where(heeled > 0.5, maximum(rising, rise * activity), rising)
    most = ROLL_SPEED * beat
    change = minimum(maximum(flat - rising - before, -most), most)
    roll = where(planted > 0.5, before + change, course[9])
    return roll, maximum(roll, 0.0), lean + roll


def _placed(
    hold: Any,
    course: Any,
    planted: Any,
    lost: Any,
    arch: Any,
    swing: Any,
    ground: Any,
    toes: Any,
    sines: Any,
    cosines: Any,
    frame: Any,
    leg: Any,
    landing: Any,
    rate: Any,
    stuck: Any,
    phase: Any,
    *motion: Any,
) -> Any:
    """A leg: tip, direction of the last link, hip, toes and ankle; whether it is out of reach; and its tether.

    The last link keeps an angle to the line from hip to tip: the plane of bending is then well defined, and the knee
    never changes sides. Feet with heels lie flat on the ground: the knees of such legs point as body and toes do.

    Args:
        hold: where the foot stands.
        course: of a foot in swing: its tip, the ground's normal and the toes' direction.
        planted, lost, arch, swing, ground: the state of the foot; the last is the least height of a tip in swing.
        toes: height of the tip at which straight toes touch the ground, and radians by which the ground bends them up.
        sines, cosines: of the foot's roll about its heel, and of the angle of the last link.
        frame: left, up, forward and centre of the leg's segment.
        leg: attachment and direction of the knee in that frame, length of the heel and of the last link, +1 or −1 as
            the knee is on the side to which the last link leans or not, and 1 where that link defines the plane of
            bending; then near, full and far, the least distance from hip to ankle, and the greatest, usually and ever,
            and what the body tolerates; then the limits of `_tether`.
        landing, stuck, phase, motion: as for `_tether`. rate: of the swing.

    Returns:
        tip, last, hip; metres from straight toes to the ground, and radians by which they point up; ankle, whether the
        body must give way for it (1 or 0), whether the foot must (1 or 0), and what `_tether` returns.
    """
    tip, normal, toe = course[0:3], course[3:6], course[6:9]
    left, up, forward, middle = (frame[k : k + 3] for k in (0, 3, 6, 9))
    attachment, knee, (heel, length, side, natural), limits = leg[:3], leg[3:6], leg[6:10], leg[14:]
    least, full, far, slack = leg[10:14]
    stands = planted > 0.5
    raised = combine((cosines[0] - 1.0) * heel, toe, sines[0] * heel, normal)
    hip = along(_mixed(attachment, left, up, forward), 1.0, middle)
    part = travel(swing)
    x, z = tip[0] + arch[0] * bow(part), tip[2] + arch[2] * bow(part)
    high = _below(hip, x, tip[1] + arch[1] * hump(part, sqrt, maximum), z, TUCKED * (far + length))
    flying = x, maximum(high, ground), z
    tip: Any = tuple(where(stands, a + b, c) for a, b, c in zip(hold, raised, flying, strict=True))
    last = _unit(combine(sines[1], toe, -cosines[1], normal), 0.0)
    line = _unit(along(tip, -1.0, hip))
    aside = scale(side, _mixed(knee, left, up, forward))
    aside = _unit(along(aside, -dot(aside, line), line))
    # The plane of bending contains the direction of the knee, or knees would point inward where feet are wide apart.
    across = cross(line, aside)
    last = _unit(along(last, -natural * dot(last, across), across))
    lacking = maximum(MIN_LEAN_SINE - dot(last, aside), 0.0) * natural
    last = choose(lacking > 0.0, _unit(along(last, lacking, aside)), last)
    ankle = along(tip, -length, last)
    line = along(ankle, -1.0, hip)
    distance = sqrt(dot(line, line))
    tolerated = full + where(stands, 0.0, SWING_EXCESS * (1.0 - swing) * far)
    excess = maximum(distance - tolerated, 0.0) - where(stands, maximum(least - distance, 0.0), 0.0)
    asks = (absolute(excess) > slack) & (lost < 0.5)
    out = (distance < least) | (distance > 0.5 * (full + far))
    until = _until(swing, rate, *motion[2:])
    tether = _tether(ankle, hip, landing, planted, until, stuck, phase, limits, *motion)
    clearance = where(stands | (heel == 0.0), 0.0, tip[1] - toes[0])
    bend = toes[1] * where(stands, 1.0, _eased(4.0 * swing - 3.0))  # late in the swing, too
    asking = where(asks, 1.0, 0.0), where(out, 1.0, 0.0)
    return tip, last, hip, clearance, bend, ankle, asking, tether


def _below(hip: Any, x: Any, y: Any, z: Any, least: Any) -> Any:
    """The height y of a tip at x and z, lowered to a least distance below the hip."""
    x, z = x - hip[0], z - hip[2]
    return minimum(y, hip[1] - sqrt(maximum(least * least - x * x - z * z, 0.0)))


def _spots(course: Any, arch: Any, swing: Any, sine: Any, cosine: Any, heel: Any) -> Any:
    """All x, then all z, of tip, heel and toes of a foot in swing; how high the tip is over the heel, and the toes.

    sine, cosine: of the foot's roll. heel: its distance from the tip.
    """
    normal, toe = course[3:6], _unit(course[6:9])  # halfway between two directions it is shorter
    aside = bow(travel(swing))
    x, z = course[0] + arch[0] * aside, course[2] + arch[2] * aside
    foot = scale(heel, combine(cosine, toe, sine, normal))
    length = TOE_RATIO * heel
    spots = (x, z), (x - foot[0], z - foot[2]), (x + length * toe[0], z + length * toe[2])
    return *zip(*spots, strict=True), foot[1], -length * toe[1]


def _least(heights: Any, over: Any, heel: Any) -> Any:
    """The least height of the tip of a foot in swing, and that at which straight toes touch the ground.

    heights: of the ground below tip, heel and toes. over: the last two numbers of `_spots`.
    """
    tip, back, front = heights
    toes = maximum(front + over[1], tip)
    return maximum(maximum(tip, back + over[0]), toes - TOE_RATIO * heel * TOE_LIFT), toes


def _in_world(heading: Any, motion: Any) -> Any:
    """X and z of a motion to the left and ahead."""
    (sine, cosine), (left, ahead) = heading, motion
    return left * cosine + ahead * sine, ahead * cosine - left * sine


def _mixed(weights: Any, left: Any, up: Any, forward: Any) -> Any:
    return along(combine(weights[0], left, weights[1], up), weights[2], forward)


def _unit(v: Any, floor: float = 1e-30) -> Any:
    square = dot(v, v)
    return scale(1.0 / sqrt(square + floor if floor else square), v)


def _eased(t: Any) -> Any:
    return smoothstep(minimum(maximum(t, 0.0), 1.0))


TRUTH: Any = bool
GAIT = len(GaitNumbers._fields)
COURSE = 10  # numbers of a foot's course
BODY = {"motion": MOTION_NUMBERS, "heading": 2, "duty": 1, "seconds": 1}
TETHER = RowFormula(_tether, ankle=3, hip=3, landing=3, planted=TRUTH, until=1, stuck=TRUTH, phase=1, limits=2, **BODY)
SUPPORT = RowFormula(
    _support,
    **{"left": 3, "hold": 3, "ankle": 3, "landing": 3, "hip": 3, "planted": TRUTH, "lost": TRUTH, "swing": 1},
    **{"reach": 2, "coming": 5, "rate": 1, "duty": 1, "seconds": 1, "place": 2, "heading": 2, "base": 1},
)
ROLL = RowFormula(
    _roll,
    hold=3,
    course=COURSE,
    hip=3,
    planted=TRUTH,
    phase=1,
    strike=1,
    leg=6,
    gait=GAIT,
    activity=1,
    before=1,
    beat=1,
)
PLACED = RowFormula(
    _placed,
    **{"hold": 3, "course": COURSE, "planted": TRUTH, "lost": TRUTH, "arch": 3, "swing": 1, "ground": 1},
    **{
        "toes": 2,
        "sines": 2,
        "cosines": 2,
        "frame": 12,
        "leg": 16,
        "landing": 3,
        "rate": 1,
        "stuck": TRUTH,
        "phase": 1,
    },
    **BODY,
)
SPOTS = RowFormula(_spots, course=COURSE, arch=3, swing=1, sine=1, cosine=1, heel=1)
LEAST = RowFormula(_least, heights=3, over=2, heel=1)
