"""Stages: how a creature is set on the ground: its feet on footholds at rest, its body over them, in some rounds."""

from __future__ import annotations

from limbik.formulas.operations import cos, floor, maximum, sin
from limbik.gait.arithmetic import clamped, length_of, opposite
from limbik.gait.clock import NUMBERS
from limbik.gait.legs import NOT_HELD
from limbik.gait.records import Body, Kind, Leg, LegShape, Mixed, Section, Wanted
from limbik.gait.trunk import stand_below

ROUNDS = 4.0  # and one for each segment, for the lean of a body on uneven ground
FAR_AWAY = 1e9  # metres: a place that no foot is near
LONG = 1e6  # seconds in which a body gives way as far as it must


def begin_body(body: Body) -> None:
    """Reads place, yaw and gait; writes the state of a creature that stands."""
    body.sine, body.cosine = sin(body.yaw), cos(body.yaw)
    body.hold = 1.0, 1.0, 1.0
    body.gait = maximum(body.kept, 0.0)
    body.tether = 1.0
    body.settles = True
    body.seconds = LONG
    body.coming = body.place
    body.clear = LONG
    body.plan_in = 0.0


def lay_section(section: Section, body: Body, kind: Kind) -> None:
    """Writes a section seen from above, at rest."""
    section.flat = kind.length
    section.yaw, section.sine, section.cosine = body.yaw, body.sine, body.cosine


def take_numbers(gait: Mixed, wanted: Wanted) -> None:
    """Writes the parameters of the gait as the present ones."""
    for name in NUMBERS:
        setattr(gait, name, getattr(wanted, name))


def begin_leg(leg: Leg, shape: LegShape) -> None:
    """Writes a foot that stands."""
    leg.has_heel = shape.heeled
    leg.planted = True
    leg.swing_rate = 1.0
    leg.searches = True
    leg.held = NOT_HELD
    leg.hold = FAR_AWAY, 0.0, FAR_AWAY


def begin_clock(leg: Leg, body: Body, gait: Mixed) -> None:
    """Reads beats and offset; writes where the leg is in its cycle."""
    rhythm = body.beats - leg.offset
    body.cycle = gait.slow
    leg.rhythm, leg.phase = rhythm, rhythm - floor(rhythm)
    leg.passing = rhythm - floor(rhythm) >= gait.duty


def stand_leg(leg: Leg, shape: LegShape, section: Section, kind: Kind) -> None:
    """Writes the foothold at rest below the body, the middle of the leg's segment, and a place between the two."""
    leg.new_wish = stand_below(leg, shape, section, kind, (0.0, 0.0, 0.0))
    along = shape.stance[1] - shape.foothold[1]
    x, z = section.middle[0] + along * section.sine, section.middle[1] + along * section.cosine
    leg.tip_below = x, z
    leg.heel_below = 0.5 * (x + leg.new_wish[0]), 0.5 * (z + leg.new_wish[1])
    leg.hold = FAR_AWAY, 0.0, FAR_AWAY
    leg.searches = True
    leg.second = False


def expect_level(leg: Leg, kind: Kind) -> None:
    """Reads the ground below the body and near it; writes the height that it is expected to have at the foothold."""
    far = length_of(leg.new_wish[0] - leg.tip_below[0], leg.new_wish[1] - leg.tip_below[1])
    most = kind.steepest * far
    leg.level = leg.tip_ground + clamped(2.0 * (leg.heel_ground - leg.tip_ground), -most, most)


def begin_bends(leg: Leg, shape: LegShape, body: Body) -> None:
    """Lets toes bend towards the ground."""
    leg.bends = shape.heeled
    leg.toe_angle = 0.0
    body.bends = body.bends | shape.heeled
    body.round = 0.0


def stand(leg: Leg) -> None:
    """Reads the foothold; puts the foot there."""
    place, normal, toe = leg.found_place, leg.found_normal, leg.found_toe
    leg.hold = leg.left = leg.landing = leg.tip = leg.ankle = place
    leg.course_tip = leg.goal_tip = place
    leg.course_normal = leg.goal_normal = normal
    leg.course_toe = leg.goal_toe = toe
    leg.toe_height = leg.least = place[1]
    leg.wish = leg.new_wish
    leg.heel_down = leg.found_heel
    leg.stuck = opposite(leg.there)
    leg.searches = False


def note_below(body: Body) -> None:
    """Keeps the height of the ground below the body."""
    body.below = body.coming_ground


def count_round(body: Body, kind: Kind) -> None:
    """Counts the rounds in which the body leans with the ground; ends them."""
    body.rounds = body.rounds + 1.0
    body.settles = body.rounds < ROUNDS + kind.segments


def begin_lost(leg: Leg) -> None:
    """Lifts a leg that finds no foothold."""
    leg.planted = opposite(leg.stuck)
    leg.lost = leg.stuck


def end_beginning(leg: Leg, body: Body) -> None:
    """From now on feet stand in the way of one another."""
    leg.urgent = False
    body.stands = True
    body.seconds = 0.0
