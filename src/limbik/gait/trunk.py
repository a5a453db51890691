"""Stages: the trunk along the ground, and its height and lean over the feet.

A trunk is one section, or several of which the first leads and each is pulled by the one before. A section has a front
and a rear end; a section's ground is the plane through the feet of its legs.
"""

from __future__ import annotations

from limbik.formulas.operations import Pair, Real, absolute, atan2, cos, maximum, minimum, sin, sqrt, where
from limbik.gait.arithmetic import TINY, clamped, either, fading, in_world, length_of, opposite, seen_from, wrapped
from limbik.gait.clock import seconds_to_landing
from limbik.gait.footholds import STEP
from limbik.gait.records import Body, End, EndShape, Kind, Leg, LegShape, Mixed, Section, SectionShape
from limbik.gait.steering import MAX_ACCELERATION, way_ahead
from limbik.gait.swings import travel
from limbik.springs import close_gap_by

UPHILL = 0.6  # shift of the footholds of a leaning body: 0 straight below it, 1 as if on level ground
# Over the body's height: feet nearer to one another contribute little to the slope ahead and across.
SLOPE_BLUR, ROLL_BLUR = 0.1, 0.25
TRUNK_STIFFNESS = 4.0  # of the springs that carry the body, over the creature's tempo
MAX_SINKING = 0.3  # how much lower than usual the body goes for legs to reach, over its height
FLOOR_RATE = 0.12  # greatest speed at which the ground lifts the body, over the speed of a fall from its height
BODY_CLEARANCE = 0.35  # least height of the body's ends above the ground, over its height at rest
SOON = 0.25  # cycles from lift-off to touch-down, about
STEEPEST = 1.0  # slope beyond which steps do not become shorter
LONGEST = 1.5  # length of the longest step, over the usual: a foot that was left behind catches up in several
FREE = 1e9  # metres of room above a section without legs


# --- along the ground


def move(body: Body, kind: Kind, first: Section) -> None:
    """Reads the way of this step; moves the creature, in the direction on average; writes place, yaw, what is coming.

    That is the place in a cycle, the mean velocity soon, and how far it goes in a cycle.
    """
    left, ahead, turn = body.way
    middle, yaw = body.yaw + 0.5 * turn, body.yaw + turn
    x, z = in_world(sin(middle), cos(middle), left, ahead)
    body.place = body.place[0] + x, body.place[1] + z
    body.yaw = yaw
    body.sine, body.cosine = sin(yaw), cos(yaw)
    lag = 2.0 / kind.stiffness
    soon = SOON * body.cycle
    gaps = [asked * part - now for asked, part, now in zip(body.command[:2], body.hold, body.now, strict=False)]
    most = 0.5 * MAX_ACCELERATION * soon / sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + 1e-12)
    share = minimum(most, 0.5) * (soon / (soon + lag))
    sine, cosine = body.sine, body.cosine
    far = in_world(sine, cosine, body.requested[0] * body.cycle, body.requested[1] * body.cycle)
    body.soon = in_world(sine, cosine, body.now[0] + gaps[0] * share, body.now[1] + gaps[1] * share)
    body.coming = body.place[0] + far[0], body.place[1] + far[1]
    body.far = length_of(*far)


def lead(end: End, shape: EndShape, body: Body, first: Section) -> None:
    """Reads place and yaw; writes the ends of the first section."""
    side = where(shape.index == 0.0, 0.5, -0.5) * first.flat
    there = body.place[0] + side * body.sine, body.place[1] + side * body.cosine
    end.place = either(shape.index < 2.0, there, end.place)


def follow(
    section: Section, shape: SectionShape, front: End, rear: End, before: Section, body: Body, kind: Kind
) -> None:
    """Reads the end of the section before; pulls a section along; writes its rear end, its yaw and its middle.

    No joint bends further than it can.
    """
    leads = shape.index == 0.0
    away_x, away_z = front.place[0] - rear.place[0], front.place[1] - rear.place[1]
    bend = clamped(wrapped(atan2(away_x, away_z) - before.yaw), -kind.bend, kind.bend)
    section.yaw = where(leads, body.yaw, before.yaw + bend)
    section.sine, section.cosine = sin(section.yaw), cos(section.yaw)
    back = front.place[0] - section.flat * section.sine, front.place[1] - section.flat * section.cosine
    rear.place = either(leads, rear.place, back)
    middle = 0.5 * (front.place[0] + rear.place[0]), 0.5 * (front.place[1] + rear.place[1])
    section.middle = either(leads, body.place, middle)


def straighten(section: Section, front: End, rear: End, body: Body) -> None:
    """Writes a section straight behind the one before."""
    section.yaw, section.sine, section.cosine = body.yaw, body.sine, body.cosine
    rear.place = front.place[0] - section.flat * body.sine, front.place[1] - section.flat * body.cosine
    section.middle = 0.5 * (front.place[0] + rear.place[0]), 0.5 * (front.place[1] + rear.place[1])


def prefer_foothold(leg: Leg, shape: LegShape, section: Section, body: Body, kind: Kind, gait: Mixed) -> None:
    """Reads how the creature moves; writes the preferred foothold of a leg, and where its toes point there.

    It is that at rest below the body in the middle of the coming stance, but not beyond where the body will stop, nor
    further than the longest step from where the foot stands or stood.
    """
    seconds = seconds_to_landing(leg, body, gait) + 0.5 * gait.duty * body.cycle
    left, ahead, turn = way_ahead(body, kind, seconds)
    less = where(body.obstacles, minimum(body.clear / maximum(length_of(left, ahead), TINY), 1.0), 1.0)
    x, z = stand_below(leg, shape, section, kind, (left * less, ahead * less, turn))
    start_x, start_z = where(leg.planted, leg.hold[0], leg.left[0]), where(leg.planted, leg.hold[2], leg.left[2])
    x, z = x - start_x, z - start_z
    part = minimum(LONGEST * body.stride / maximum(length_of(x, z), TINY), 1.0)
    leg.new_wish = start_x + x * part, start_z + z * part


def stand_below(leg: Leg, shape: LegShape, section: Section, kind: Kind, way: tuple[Real, Real, Real]) -> Pair:
    """The foothold of a leg after a way; writes where its toes point.

    Seen from above, the footholds of a body that leans with the ground are closer together and further uphill.
    """
    left, ahead, turn = way
    x, z = shape.stance
    uphill = UPHILL * kind.body_height
    x = x + section.roll * (uphill - 0.5 * section.roll * x)
    z = z + section.pitch * (uphill - 0.5 * section.pitch * z)
    then, middle = section.yaw + turn, section.yaw + 0.5 * turn
    sine, cosine = sin(then), cos(then)
    there = in_world(sine, cosine, x, z)
    gone = in_world(sin(middle), cos(middle), left, ahead)
    leg.new_toe = in_world(sine, cosine, *shape.toe)
    return section.middle[0] + there[0] + gone[0], section.middle[1] + there[1] + gone[1]


# --- over the feet


def begin_supports(body: Body, first: End) -> None:
    """Starts the sums of what carries the body anew."""
    body.supports = 0.0
    body.supporting = 0.0
    body.base = first.height


def begin_section(section: Section) -> None:
    """Starts the sums of a section anew."""
    section.x = section.y = section.z = 0.0
    section.xx = section.zz = section.xz = section.xy = section.zy = 0.0
    section.room = FREE


def support(leg: Leg, shape: LegShape, body: Body, gait: Mixed) -> None:
    """Reads foothold and hip; writes where the foot carries the body, between its footholds in swing, and the room.

    Room is how much higher the hip can go before the leg is stretched, in swing at touch-down. Feet without a foothold
    do not count in the sum of heights.
    """
    done = where(leg.planted, 1.0, travel(leg.swing))
    leg.support = tuple(a + (b - a) * done for a, b in zip(leg.left, leg.hold, strict=True))  # type: ignore[assignment]
    none = leg.stuck & (leg.lost | opposite(body.stands))
    body.supports = body.supports + where(none, 0.0, leg.support[1])
    body.supporting = body.supporting + where(none, 0.0, 1.0)
    seconds = where(leg.planted, 0.0, seconds_to_landing(leg, body, gait))
    there = (where(leg.planted, a, b) - hip for a, b, hip in zip(leg.ankle, leg.landing, leg.hip, strict=True))
    x, y, z = there
    x, z = x - body.soon[0] * seconds, z - body.soon[1] * seconds
    room = y + sqrt(maximum(shape.easy * shape.easy - x * x - z * z, 0.0))
    leg.room = where(leg.lost, shape.far, room)


def add_support(leg: Leg, shape: LegShape, body: Body, section: Section) -> None:
    """Reads where a foot carries the body; adds it to the sums of its section. Without a foothold it is as others."""
    none = leg.stuck & (leg.lost | opposite(body.stands))
    others = where(body.supporting > 0.0, body.supports / maximum(body.supporting, 1.0), body.below)
    leg.support = leg.support[0], where(none, others, leg.support[1]), leg.support[2]
    x, z = seen_from(
        section.sine, section.cosine, leg.support[0] - section.middle[0], leg.support[2] - section.middle[1]
    )
    y = leg.support[1] - body.base
    share = shape.section_share
    section.x, section.y, section.z = section.x + share * x, section.y + share * y, section.z + share * z
    section.xx, section.zz = section.xx + share * (x * x), section.zz + share * (z * z)
    section.xz, section.xy = section.xz + share * (x * z), section.xy + share * (x * y)
    section.zy = section.zy + share * (z * y)
    section.room = minimum(leg.room, section.room)


def fill_section(section: Section, shape: SectionShape, legged: Section, after: Section) -> None:
    """Where a section has no legs, writes sums between those of its neighbours with legs."""
    for name in ("x", "y", "z", "xx", "zz", "xz", "xy", "zy"):
        a, b = getattr(legged, name), getattr(after, name)
        setattr(section, name, where(shape.legged, getattr(section, name), a + (b - a) * shape.part))
    section.room = where(shape.legged, section.room, minimum(legged.room, after.room))


def fit_plane(section: Section, kind: Kind) -> None:
    """Reads the means over a section's feet; writes height and slopes of the plane through them.

    Blurred: steps that one foot of a narrow stance takes do not tip the body over. Where sections follow one another,
    the slope ahead is from the heights of neighbours, see `slope_section`.
    """
    x, y, z = section.x, section.y, section.z
    blur, roll_blur = SLOPE_BLUR * kind.body_height, ROLL_BLUR * kind.body_height
    xx, zz, xz = section.xx - x * x, section.zz - z * z, section.xz - x * z
    xy, zy = section.xy - x * y, section.zy - z * y
    wide, long = xx + blur * blur, zz + blur * blur
    scale = 1.0 / (wide * long - xz * xz)
    section.slope = (wide * zy - xz * xy) * scale
    section.across = (long * xy - xz * zy) * scale
    section.wanted_roll = kind.tilt * section.across * (wide / (wide + roll_blur * roll_blur))


def level_section(section: Section, body: Body, kind: Kind) -> None:
    """Reads the plane; writes the height of the ground below the middle."""
    level = section.y + body.base
    section.level = where(kind.follows, level, level - section.slope * section.z - section.across * section.x)


def level_end(
    end: End, shape: EndShape, ahead: Section, behind: Section, beyond: Section, body: Body, kind: Kind, gait: Mixed
) -> None:
    """Reads the ground of the sections beside an end; writes the height that it should have."""
    height = kind.body_height - gait.crouch * (body.activity * body.striding * body.striding)
    rise = where(shape.first, 0.5, -0.5) * kind.length * kind.tilt * ahead.slope
    # Beyond the ends of a row, the ground goes on as between the last two sections.
    outer = where(shape.first, ahead.level, behind.level)
    outer = 0.5 * (2.0 * outer - beyond.level + outer)
    between = where(shape.first | shape.last, outer, 0.5 * (ahead.level + behind.level))
    end.wanted = where(kind.follows, between, ahead.level + rise) + height


def slope_section(section: Section, front: End, rear: End, kind: Kind) -> None:
    """Where sections follow one another, reads the heights of its ends and its feet; writes its slopes."""
    slope = (front.wanted - rear.wanted) / kind.length
    blur, roll_blur = SLOPE_BLUR * kind.body_height, ROLL_BLUR * kind.body_height
    lever = section.xy - section.x * section.y - section.xz * slope
    across = lever / (section.xx + blur * blur)
    roll = kind.tilt * lever / (section.xx + roll_blur * roll_blur)
    section.slope = where(kind.follows, slope, section.slope)
    section.across = where(kind.follows, across, section.across)
    section.wanted_roll = where(kind.follows, roll, section.wanted_roll)


def sink(section: Section, front: End, rear: End, kind: Kind) -> None:
    """Reads the room above the hips; writes how much lower the section must be than it should."""
    rise = 0.5 * ((front.wanted - front.height) + (rear.wanted - rear.height))
    section.over = clamped(rise - section.room, 0.0, MAX_SINKING * kind.body_height)


def rise(end: End, ahead: Section, behind: Section, body: Body, kind: Kind) -> None:
    """Reads the height that an end should have; moves it by a spring that follows the ground's slope without lag."""
    stiffness, seconds = TRUNK_STIFFNESS * kind.tempo, body.seconds
    rising = ahead.slope * body.now[1]
    goal = end.wanted - maximum(behind.over, ahead.over)
    gap = end.height + rising * seconds - goal
    gap, rate = close_gap_by(gap, end.rate - rising, stiffness, seconds, fading(stiffness, seconds))
    height = goal + gap
    floor = end.ground + BODY_CLEARANCE * kind.body_height
    lifting = FLOOR_RATE * sqrt(2.0 * 9.81 * kind.body_height) * seconds
    end.height = height + maximum(minimum(floor - height, lifting), 0.0)
    end.rate = rate + rising


def roll(section: Section, body: Body, kind: Kind) -> None:
    """Reads the slope across; moves the roll by a spring."""
    stiffness, seconds = TRUNK_STIFFNESS * kind.tempo, body.seconds
    gap, rate = close_gap_by(
        section.held_roll - section.wanted_roll, section.roll_rate, stiffness, seconds, fading(stiffness, seconds)
    )
    section.held_roll, section.roll_rate = section.wanted_roll + gap, rate


def note_slopes(body: Body, kind: Kind, first: Section, front: End, rear: End) -> None:
    """Reads slopes and the ground in a cycle; writes the slope ahead, here beyond a step, and the steepest."""
    stiffness, seconds = TRUNK_STIFFNESS * kind.tempo, body.seconds
    gap, rate = close_gap_by(
        body.held_slope - first.slope, body.slope_rate, stiffness, seconds, fading(stiffness, seconds)
    )
    body.held_slope, body.slope_rate = first.slope + gap, rate
    up, far = body.coming_ground - 0.5 * (front.ground + rear.ground), maximum(body.far, kind.body_height)
    near = absolute(up) <= maximum(STEP * kind.reach, kind.steepest * far)
    body.rising = where(near, up / far, first.slope)
    body.slope = minimum(maximum(absolute(first.slope), absolute(body.rising)), STEEPEST)


def settle_end(end: End) -> None:
    """Writes the height of an end at rest."""
    end.height, end.rate = end.wanted, 0.0


def settle_section(section: Section, body: Body, shape: SectionShape) -> None:
    """Writes the roll of a section at rest, and, to the body, the slope of the first."""
    section.held_roll, section.roll_rate = section.wanted_roll, 0.0
    body.held_slope = where(shape.index == 0.0, section.slope, body.held_slope)
    body.slope_rate = 0.0
