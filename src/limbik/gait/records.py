"""The state of a creature: its body, legs and segments as records of named numbers, and the parameters of its kind.

Places and vectors are in the world: metres, y up, x and z along the ground. Angles are radians; yaw is from +z towards
+x. A motion is what goes to the left and ahead, m/s, and turns, radians/s, in the frame of the creature. Truths are the
numbers 1 and 0.
"""

from __future__ import annotations

from typing import Annotated

from limbik.engines.stages import Record
from limbik.formulas.operations import Boolean, Pair, Quaternion, Real, Vector

LOOK_SAMPLES = 32  # places on the track of a foot, from where it stands
RING_PLACES = 16  # alternatives to a foothold that are looked at together: two rings of eight
CHECKPOINTS = 22  # of a path of a foot, at which it must be above the ground
AROUND = 11  # places under a foot at which the ground is looked at: a ring, the heel, before the toes, the tip

Around = Annotated[tuple[Real, ...], AROUND]


class Body(Record):
    """A creature as a whole: what it is asked to do, its motion, its clock, its posture, and sums over its legs."""

    # What it is asked for: seconds of the step; velocity in the world, m/s; turning rate, unless it faces the velocity;
    # greatest speed; the number of the gait that is kept, or -1; whether it moves while it stands.
    seconds: Real
    velocity: Pair
    turn: Real
    faces: Boolean
    fastest: Real
    kept: Real
    idle: Boolean
    idle_start: Real  # seconds at which its idle motions start
    time: Real  # seconds since the start
    # Where it is: the centre of the trunk, or of the first segment where others follow; its yaw, and sine and cosine.
    place: Pair
    yaw: Real
    sine: Real
    cosine: Real
    # Motions: asked for; what springs pull to; before and after what ground and feet allow; and its rates.
    command: Vector
    requested: Vector
    free: Vector
    change: Vector
    hold: Vector
    hold_change: Vector
    now: Vector
    way: Vector  # metres and radians in this step
    push: Pair  # in the world, m/s, at the next step
    # What limits it: the greatest speed, m/s; the fraction of the motion that feet allow; the slope ahead.
    most_speed: Real
    tether: Real
    rising: Real
    clear: Real  # metres that it can go
    detour: Real  # radians to the left of what is asked for
    obstacles: Boolean
    blocked: Boolean
    gave_up: Boolean  # no foot finds a foothold
    # Looking ahead: frames until then, and what is found in one direction after the other.
    look_in: Real
    looks: Boolean
    direction: Real
    wanted: Real
    onward: Pair
    look: Pair
    spacing: Real
    behind: Real
    found: Real
    stop: Real
    highest: Real
    next_highest: Real
    uphill: Real
    across: Real
    steep_feet: Real
    any_steep: Boolean
    best: Real
    best_speed: Real
    # The clock: cycles, the gait's number, seconds of a cycle; speeds of the ground under the fastest foot, m/s.
    beats: Real
    beat: Real
    gait: Real
    cycle: Real
    pace: Real
    usual: Real
    asked_pace: Real
    asked_duty: Real
    activity: Real
    stride: Real
    foot_speed: Real
    steep: Real
    slope: Real
    fast_enough: Real
    no_faster: Real
    most_aloft: Real
    aloft: Real
    running: Boolean
    was_running: Boolean
    starting: Boolean
    wait: Real
    # Planning: frames until feet in swing search again; whether any foot searches; rounds of searches.
    plan_in: Real
    rethinks: Boolean
    searches: Boolean
    seeks: Boolean
    arches: Boolean
    bends: Boolean
    round: Real
    stands: Boolean  # whether its feet stand yet, and are in the way of one another
    settles: Boolean
    # What is coming: the place in a cycle, its height, the mean velocity soon, how far it goes in a cycle.
    coming: Pair
    coming_ground: Real
    soon: Pair
    far: Real
    below: Real  # height of the ground below
    # Height: the slope to which it leans, and its rate; where moments are taken from.
    held_slope: Real
    slope_rate: Real
    base: Real
    # Sums over legs: of the steps in sway, rock, gathering and rise; of what legs ask for.
    swayed: Real
    rocked: Real
    gathered: Real
    bounce: Real
    rise_sum: Real
    pitch_sum: Real
    supports: Real
    supporting: Real
    gives: Boolean
    moves: Boolean
    draws: Boolean
    rounds: Real
    asking: Real
    worst: Real
    by: Vector
    shift: Vector
    any_asks: Boolean
    any_out: Boolean
    # Posture: length of the strides over the longest of the gait; 0 up to the top speed of the slowest gait, 1 at that
    # of the fastest; lean forward, radians; slope of the roll in a turn; shift of weight and breath, -1 to 1.
    striding: Real
    hurry: Real
    lean: Real
    bank: Real
    weight: Real
    breath: Real
    idle_time: Real
    sway: Real  # metres to the left
    height: Real  # of the first segment's centre, or of the mean of all
    middle: Vector  # the mean of the segments' centres, before they are brought to their place


class GaitNumbers(Record):
    """The parameters of a gait that are blended when it changes, angles in radians."""

    duty: Real
    slow: Real
    fast: Real
    speed: Real
    lift: Real
    bob: Real
    sway: Real
    rock: Real
    twist: Real
    crouch: Real
    strike: Real
    push: Real
    drop: Real
    arch: Real
    lean: Real


class Mixed(GaitNumbers):
    """The present parameters."""


class Wanted(GaitNumbers):
    """Those of the present gait, which the present ones approach."""


class Character(GaitNumbers):
    """Factors on the parameters by which the creatures of a crowd differ."""


class Leg(Record):
    """A leg: its clock, its foothold, the course of its foot, and where its joints are."""

    rows = "leg"
    # Where it is, for poses.
    tip: Vector
    last: Vector  # unit, from ankle to tip
    hip: Vector
    course_normal: Vector
    course_toe: Vector
    roll: Real  # radians by which the foot points up, about the heel, or down, about the tip
    clearance: Real  # metres from unbent toes to the ground
    toe_rise: Real  # radians by which toes on the ground point up from the foot
    rhythm: Real  # cycles if it stepped in time; continuous
    planted: Boolean  # in stance
    toes_down: Boolean  # with ground below the toes
    heel_down: Boolean  # with ground below the heel
    # In contact with the ground: the tip, the heel, the end of the toes.
    tip_contact: Boolean
    heel_contact: Boolean
    toe_contact: Boolean
    # Its clock: 0 at touch-down, then stance up to the duty factor, then swing up to 1; the fraction of the swing.
    phase: Real
    swing: Real
    swing_rate: Real
    offset: Real
    passing: Boolean  # skips its swing
    landed: Boolean
    due: Boolean
    lifting: Boolean
    willing: Boolean
    urgent: Boolean  # steps out of turn
    lost: Boolean  # lifted since it did not reach its foothold
    stuck: Boolean  # finds no foothold
    # The foothold, present or next, and the one before; where the ankle will be then.
    hold: Vector
    left: Vector
    landing: Vector
    ankle: Vector
    strike: Real  # roll at touch-down
    slack: Real  # how far, squared, the preferred place may move until it searches again
    arch: Vector  # metres by which the path is beside its course, x and z, and above it, in the middle
    toe_bend: Real  # radians by which the ground bends toes up
    toe_height: Real  # height of the tip at which straight toes touch the ground
    wish: Pair  # the preferred place of the present foothold
    least: Real  # least height of the tip in swing
    held: Real  # height at which the ground held the foot in the frame before
    support: Vector
    room: Real  # how much higher the hip can go
    # The course of a foot in swing: values, goals, first and second derivative by the fraction of the swing.
    course_tip: Vector
    course_roll: Real
    goal_tip: Vector
    goal_normal: Vector
    goal_toe: Vector
    goal_roll: Real
    rate_tip: Vector
    rate_normal: Vector
    rate_toe: Vector
    rate_roll: Real
    force_tip: Vector
    force_normal: Vector
    force_toe: Vector
    force_roll: Real
    # The search for a foothold: which place is preferred now, where the toes point, the height expected there.
    new_wish: Pair
    new_toe: Pair
    level: Real
    has_heel: Boolean
    searches: Boolean
    heel_searches: Boolean
    bends: Boolean
    seeks: Boolean  # looks at alternatives
    taken: Boolean
    arches: Boolean
    second: Boolean  # the second try, nearer
    shorter: Pair
    at: Pair
    around_x: Around
    around_z: Around
    around_y: Around
    crowded: Boolean
    there: Boolean
    best: Real
    best_place: Pair
    best_y: Real
    best_slope: Pair
    best_bad: Real
    heel_place: Pair
    heel_y: Real
    found_heel: Boolean
    found_place: Vector
    found_normal: Vector
    found_toe: Vector
    aside: Pair
    wide: Pair
    needed: Real
    toe_place: Pair
    toe_y: Real
    toe_angle: Real
    # The ground below tip, heel and toes, in swing or where it is brought to.
    tip_below: Pair
    heel_below: Pair
    toes_below: Pair
    tip_ground: Real
    heel_ground: Real
    toes_ground: Real
    over_heel: Real
    over_toes: Real
    inward: Vector
    out: Boolean
    excess: Real
    asks: Boolean


class Section(Record):
    """The trunk, or a part of it where segments follow the first: along the ground, and how it leans."""

    rows = "section"
    middle: Pair
    yaw: Real
    sine: Real
    cosine: Real
    flat: Real  # its length seen from above
    level: Real  # height of the ground
    slope: Real
    across: Real
    pitch: Real  # sine, nose up
    roll: Real  # slope, left up, without steps
    held_roll: Real
    roll_rate: Real
    wanted_roll: Real
    room: Real
    over: Real
    # Sums of feet from the place: to the left, up, ahead, and their products.
    x: Real
    y: Real
    z: Real
    xx: Real
    zz: Real
    xz: Real
    xy: Real
    zy: Real


class End(Record):
    """An end of a section, front to back."""

    rows = "end"
    place: Pair
    height: Real
    rate: Real
    ground: Real
    wanted: Real


class Segment(Record):
    """A segment of the trunk, with the sway of the steps."""

    rows = "segment"
    yaw: Real
    pitch: Real  # sine, nose up
    roll: Real  # slope, left up
    level: Real  # cosine of the pitch
    left: Vector
    up: Vector
    forward: Vector
    middle: Vector
    tilted: Real
    reached: Real
    bounced: Real
    turn: Quaternion  # in the world


class Spring(Record):
    """A part that trails behind the body: where it would be without inertia, yaw and pitch, and its deflections."""

    rows = "spring"
    yaw: Real
    pitch: Real
    yaw_rate: Real
    pitch_rate: Real
    yaw_off: Real
    pitch_off: Real
    yaw_change: Real
    pitch_change: Real


class Joint(Record):
    """A joint of the skeleton: its rotation from its parent's, and in the world."""

    rows = "joint"
    local: Quaternion
    world: Quaternion


class Choice(Record):
    """An alternative to a foothold."""

    rows = "choice"
    open: Boolean
    place: Pair
    cost: Real
    around_x: Around
    around_z: Around
    around_y: Around
    crowded: Boolean


class Spot(Record):
    """A checkpoint on the path of a foot: the tip, the heel and the end of the toes."""

    rows = "spot"
    open: Boolean
    open_heel: Boolean
    tip: Pair
    heel: Pair
    toes: Pair
    heights: Vector  # of these three, on the way without its arch
    tip_ground: Real
    heel_ground: Real
    toes_ground: Real
    part: Real


class Track(Record):
    """What is looked at ahead: the way of a leading foot, or a line below the body."""

    rows = "track"
    start: Pair
    at: Real
    last: Real
    stopped: Boolean


class Footprint(Record):
    """A place on a track."""

    rows = "footprint"
    place: Pair
    height: Real
    along: Real
    window: Boolean
    steep: Boolean
    even: Boolean


class Sample(Record):
    """The lines below the body, at a distance ahead."""

    rows = "sample"
    under: Real
    least: Real
    most: Real
    across: Real


# --- parameters of a kind


class Kind(Record):
    """The parameters of a creature: metres, seconds and radians."""

    fixed = True
    legs: Real
    sections: Real
    follows: Boolean  # segments follow the first; else they are in line
    flexible: Boolean  # several segments in line
    heeled: Boolean
    paired: Boolean  # feet pass each other
    rolls: Boolean
    tempo: Real  # natural rate of its motions, that of a pendulum as long as the legs
    body_height: Real
    length: Real  # of a section
    segment: Real  # length of a segment
    segments: Real
    shift_width: Real
    tilt: Real
    sloping: Real
    swinging: Real
    banking: Real
    most_lean: Real
    steepest: Real
    slow: Real  # top speed of the slowest gait
    hurrying: Real
    fastest: Real
    stiffness: Real
    hold_stiffness: Real
    facing: Real
    radius: Real
    most_turn: Real
    circle: Real
    backwards: Real
    bend: Real  # greatest bend of a joint between segments
    foot: Real  # radius of the ground that a foot needs
    apart: Real  # distance that feet keep
    reach: Real  # of the longest leg
    front: Real
    half_width: Real
    belly: Real
    finest: Real
    tolerance: Real
    margin: Real
    behind: Real
    leading: Real
    wanders: Boolean


class LegShape(Record):
    """A leg at rest, in the frame of its segment; lengths in metres."""

    rows = "leg"
    fixed = True
    attachment: Vector
    knee: Vector
    foothold: Pair
    toe: Pair
    stance: Pair  # the foothold from the place from which its section is turned
    lean_sine: Real
    lean_cosine: Real
    lean: Real
    heel: Real
    last: Real
    first: Real
    second: Real
    near: Real
    full: Real
    far: Real
    length: Real
    tolerated: Real
    easy: Real
    tether_far: Real
    tether_slack: Real
    natural: Boolean  # the last link defines the plane of bending
    side: Real
    outward: Real
    apart: Real
    beside: Real
    share: Real  # over the number of legs of its segment
    section_share: Real  # of its section
    hind: Real  # weight in rock
    gather: Real
    # Its kind: with a heel, of two links, of three without a heel.
    heeled: Boolean
    two: Boolean
    three: Boolean


class LegGait(Record):
    """When a leg steps in a gait."""

    rows = "leg_gait"
    fixed = True
    gait: Real
    offset: Real


class GaitShape(GaitNumbers):
    """A gait's parameters."""

    rows = "gait"
    fixed = True
    index: Real
    last: Boolean
    top: Real
    aloft: Real


class SectionShape(Record):
    """Where a section is in the row, and whether it has legs; how near it is to the legged one before."""

    rows = "section"
    fixed = True
    index: Real
    legged: Boolean
    part: Real


class EndShape(Record):
    """Where an end is in the row."""

    rows = "end"
    fixed = True
    index: Real
    first: Boolean
    last: Boolean


class SegmentShape(Record):
    """Where a segment is in the row, and its share in the bend of the spine, 1 to -1."""

    rows = "segment"
    fixed = True
    index: Real
    front: Real
    gap: Real  # metres between the centres of its neighbours
    legged: Boolean
    part: Real


class SpringShape(Record):
    """A spring's natural rate, radians per second, and damped rate and drag over it."""

    rows = "spring"
    fixed = True
    rate: Real
    lever: Real


class PartShape(Record):
    """How a part that belongs to no leg moves; angles in radians."""

    rows = "part"
    fixed = True
    number: Real
    x: Real  # 1 for the axis about which it swings
    y: Real
    z: Real
    swing: Real
    lead: Real
    low: Real
    high: Real
    lean: Real
    breath: Real
    wander: Real
    shy: Boolean  # wanders only while standing
    steadies: Boolean
    steady: Real
    look: Real
    sprung: Real


class ChoiceShape(Record):
    """Where an alternative is in its pair of rings: a direction, and which ring."""

    rows = "choice"
    fixed = True
    direction: Pair
    ring: Real


class SpotShape(Record):
    """The fraction of the way at a checkpoint."""

    rows = "spot"
    fixed = True
    part: Real
    inner: Boolean


class TrackShape(Record):
    """Where a track starts from the body, or which line below the body it is; what its leg steps over."""

    rows = "track"
    fixed = True
    line: Boolean
    start: Pair
    aside: Real
    step: Real
    stride: Real


class FootprintShape(Record):
    """Which place of a track it is."""

    rows = "footprint"
    fixed = True
    index: Real
    line: Boolean
    opens: Boolean  # the first of its distance
    last: Boolean
    windowed: Boolean
