"""The geometry of one leg in one step of time, as formulas that run for all legs of all creatures at once.

Sines and cosines are passed to them, since engines round those differently. Truths are numbers, 1 or 0.
"""

from __future__ import annotations

from typing import Any

from limbik.engines.row_formulas import RowFormula
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
from limbik.formulas.vectors import along, choose, combine, cross, dot, scale
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
    until: Any,
    *base: Any,
) -> Any:
    """Where a foot stands or, in swing, the point between its footholds; how much higher its hip can go; its moments.

    The second is from the line from hip to ankle, in swing that at touch-down, with more room early in the swing.
    left: the foothold before. hold: the present one, or the next. reach: the comfortable and the full distance from hip
    to ankle. coming: as in TrunkMotion; x and z of the body's velocity until touch-down are used. until: seconds to it.
    base: as for `moments_of`.
    """
    easy, far = reach
    velocity = coming[2:4]
    planted = planted > 0.5
    done = where(planted, 1.0, travel(swing))
    support = tuple(a + (b - a) * done for a, b in zip(left, hold, strict=True))
    seconds = where(planted, 0.0, until)
    x, y, z = (where(planted, now, then) - base for now, then, base in zip(ankle, landing, hip, strict=True))
    x, z = x - velocity[0] * seconds, z - velocity[1] * seconds
    room = y + sqrt(maximum(easy * easy - x * x - z * z, 0.0))
    room = room + where(planted, 0.0, SWING_HEADROOM * (1.0 - swing) * far)
    return support, where(lost > 0.5, far, room), moments_of(support, *base)


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
    most: Any,
) -> Any:
    """Radians by which the toes of a foot point up, about the heel, or down, about the tip; two angles for `_placed`.

    A heel also rises where the leg behind the body would have to be straight otherwise. strike: the roll with which the
    foot strikes. course: tip, normal, direction of the toes, and roll of a foot in swing. leg: its lean, the sine and
    cosine of that, the lengths of the last link and of the others together, and whether any foot of the creature has a
    heel. gait: GaitNumbers. before, most: the roll in the frame before, and its greatest change on the ground.
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
    sines: Any,
    cosines: Any,
    frame: Any,
    leg: Any,
    reach: Any,
    landing: Any,
    until: Any,
    stuck: Any,
    phase: Any,
    limits: Any,
    *motion: Any,
) -> Any:
    """The tip of a leg, the direction of its last link, its hip and its ankle; whether it is out of reach; its tether.

    The last link keeps an angle to the line from hip to tip: the plane of bending is then well defined, and the knee
    never changes sides. Feet with heels lie flat on the ground: the knees of such legs point as body and toes do.

    Args:
        hold: where the foot stands.
        course: of a foot in swing: its tip, the ground's normal and the toes' direction.
        planted, lost, arch, swing, ground: the state of the foot; the last is the least height of a tip in swing.
        sines, cosines: of the foot's roll about its heel, and of the angle of the last link.
        frame: left, up, forward and centre of the leg's segment.
        leg: attachment and direction of the knee in that frame, length of the heel and of the last link, +1 or −1 as
            the knee is on the side to which the last link leans or not, and 1 where that link defines the plane of
            bending.
        reach: near, full and far: the least distance from hip to ankle, and the greatest, usually and ever.
        landing, until, stuck, phase, limits, motion: as for `_tether`.

    Returns:
        tip, last, hip, ankle, whether the body must give way for it (1 or 0), whether the foot must (1 or 0), and what
        `_tether` returns.
    """
    tip, normal, toe = course[0:3], course[3:6], course[6:9]
    left, up, forward, middle = (frame[k : k + 3] for k in (0, 3, 6, 9))
    attachment, knee, (heel, length, side, natural) = leg[:3], leg[3:6], leg[6:]
    least, full, far, slack = reach
    stands = planted > 0.5
    raised = combine((cosines[0] - 1.0) * heel, toe, sines[0] * heel, normal)
    part = travel(swing)
    flying = (
        tip[0] + arch[0] * bow(part),
        maximum(tip[1] + arch[1] * hump(part, sqrt, maximum), ground),
        tip[2] + arch[2] * bow(part),
    )
    tip: Any = tuple(where(stands, a + b, c) for a, b, c in zip(hold, raised, flying, strict=True))
    last = _unit(combine(sines[1], toe, -cosines[1], normal), 0.0)
    hip = along(_mixed(attachment, left, up, forward), 1.0, middle)
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
    tether = _tether(ankle, hip, landing, planted, until, stuck, phase, limits, *motion)
    return tip, last, hip, ankle, where(asks, 1.0, 0.0), where(out, 1.0, 0.0), tether


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
TETHERED = {
    "until": 1,
    "stuck": TRUTH,
    "phase": 1,
    "limits": 2,
    "motion": MOTION_NUMBERS,
    "heading": 2,
    "duty": 1,
    "seconds": 1,
}
TETHER = RowFormula(_tether, ankle=3, hip=3, landing=3, planted=TRUTH, **TETHERED)
SUPPORT = RowFormula(
    _support,
    **{"left": 3, "hold": 3, "ankle": 3, "landing": 3, "hip": 3, "planted": TRUTH, "lost": TRUTH, "swing": 1},
    **{"reach": 2, "coming": 5, "until": 1, "place": 2, "heading": 2, "base": 1},
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
    most=1,
)
PLACED = RowFormula(
    _placed,
    **{"hold": 3, "course": COURSE, "planted": TRUTH, "lost": TRUTH, "arch": 3, "swing": 1, "ground": 1},
    **{"sines": 2, "cosines": 2, "frame": 12, "leg": 10, "reach": 4, "landing": 3},
    **TETHERED,
)
