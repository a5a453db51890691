"""The walk as programs: how creatures are set on the ground, what a step does, in order, and how joints turn."""

from __future__ import annotations

from limbik.engines.stages import Ask, Program, Stage, Step, While
from limbik.gait import (
    beginning,
    clock,
    footholds,
    ground_ahead,
    legs,
    pose,
    posture,
    secondary_motion,
    steering,
    swings,
    trunk,
)
from limbik.gait.records import (
    Body,
    Character,
    Choice,
    ChoiceShape,
    End,
    EndShape,
    Footprint,
    FootprintShape,
    GaitShape,
    Joint,
    Kind,
    Leg,
    LegGait,
    LegShape,
    Mixed,
    PartShape,
    Sample,
    Section,
    SectionShape,
    Segment,
    SegmentShape,
    Spot,
    SpotShape,
    Spring,
    SpringShape,
    Track,
    TrackShape,
    Wanted,
)

# What is kept from step to step comes first; the others are read only in the step in which they are written.
KEPT = (Body, Mixed, Wanted, Character, Leg, Section, End, Segment, Spring)
SCRATCH = (Choice, Spot, Track, Sample, Footprint)
PARAMETERS = (Kind, LegShape, LegGait, GaitShape, SectionShape, EndShape, SegmentShape, SpringShape)
PARAMETERS += (ChoiceShape, SpotShape, TrackShape, FootprintShape, PartShape)

LOOK: tuple[Step, ...] = (
    Stage(ground_ahead.turn_look),
    Stage(ground_ahead.start_track),
    Stage(ground_ahead.place_footprint),
    Ask(Footprint, "place", "height"),
    Stage(ground_ahead.slope_footprint),
    Stage(ground_ahead.cross_lines),
    Stage(ground_ahead.cross_window),
    Stage(ground_ahead.window_footprint),
    Stage(ground_ahead.mark_footprint),
    Stage(ground_ahead.walk_footprint),
    Stage(ground_ahead.judge_look),
)
SEEK: tuple[Step, ...] = (
    Stage(footholds.place_choice),
    Stage(footholds.crowd_choice, over="choice_other", where="open"),
    Ask(Choice, "around", "around_y", where="open"),
    Stage(footholds.survey_choice, where="open"),
    Stage(footholds.begin_seeking),
    Stage(footholds.judge_choices, where="searches"),
)
FIND: tuple[Step, ...] = (
    Stage(footholds.prefer_place, where="searches"),
    Stage(footholds.crowd_foot, over="leg_other", where="searches"),
    Ask(Leg, "around", "around_y", where="searches"),
    Stage(footholds.survey_place, where="searches"),
    While(Body, "seeks", SEEK),
    Stage(footholds.place_heel),
    Ask(Leg, "heel_place", "heel_y", where="heel_searches"),
    Stage(footholds.find_foothold, where="searches"),
)
BEND: tuple[Step, ...] = (
    Stage(swings.point_toes, where="bends"),
    Ask(Leg, "toe_place", "toe_y", where="bends"),
    Stage(swings.bend_toes, where="bends"),
    Stage(swings.count_bend),
)
CLEAR: tuple[Step, ...] = (
    Stage(swings.place_spot),
    Ask(Spot, "tip", "tip_ground", where="open"),
    Ask(Spot, "heel", "heel_ground", where="open_heel"),
    Ask(Spot, "toes", "toes_ground", where="open_heel"),
    Stage(swings.clear_spot, where="open"),
    Stage(swings.begin_arches),
    Stage(swings.choose_arch, where="searches"),
)
SEARCH: tuple[Step, ...] = (
    *FIND,
    Stage(swings.go_round, where="searches"),
    While(Body, "arches", CLEAR),
    Stage(swings.choose_foothold, where="searches"),
    While(Body, "bends", BEND),
    Stage(swings.aim, where="searches"),
    Stage(swings.begin_searches),
    Stage(swings.try_again, where="searches"),
)
POSTURE: tuple[Step, ...] = (
    Stage(posture.begin_sway),
    Stage(posture.begin_segment),
    Stage(posture.add_step),
    Stage(posture.fill_segment),
    Stage(posture.carry),
    Stage(posture.roll_section),
    Stage(posture.turn_segment),
    Stage(posture.hinge_segment),
    Stage(posture.centre_segment),
    Stage(posture.note_pitch),
)
FIT: tuple[Step, ...] = (
    Stage(trunk.begin_supports),
    Stage(trunk.begin_section),
    Stage(trunk.support),
    Stage(trunk.add_support),
    Stage(trunk.fill_section),
    Stage(trunk.fit_plane),
    Stage(trunk.level_section),
    Stage(trunk.level_end),
    Stage(trunk.slope_section),
)
GIVE: tuple[Step, ...] = (
    Stage(legs.begin_round),
    Stage(legs.pull),
    Stage(legs.hurry),
    Stage(legs.give_way),
)
DRAW: tuple[Step, ...] = (
    Stage(legs.draw_in),
    Ask(Leg, "tip_below", "tip_ground", where="out"),
    Ask(Leg, "heel_below", "heel_ground", where="out"),
    Ask(Leg, "toes_below", "toes_ground", where="out"),
    Stage(legs.bring_in, where="out"),
    Stage(legs.end_drawing),
)
MOVE: tuple[Step, ...] = (
    Stage(legs.shift_body),
    Stage(legs.shift_section),
    Stage(legs.shift_end),
    Stage(legs.shift_segment),
    Stage(legs.place_leg),
)
PLACE: tuple[Step, ...] = (
    Stage(legs.begin_legs),
    Stage(legs.place_leg),
    Stage(legs.begin_giving),
    Stage(legs.count_raised),
    While(Body, "gives", GIVE),
    Stage(legs.begin_moving),
    While(Body, "moves", MOVE),
    Stage(legs.begin_drawing),
    While(Body, "draws", DRAW),
    Stage(legs.begin_losing),
    Stage(legs.note_lost),
    Stage(legs.note_blocked),
    Stage(legs.note_contacts),
)

STEP = Program(
    "step",
    (
        # What it is asked to do, and what is in the way.
        Stage(steering.take_command),
        Stage(ground_ahead.begin_look),
        While(Body, "looks", LOOK),
        Stage(steering.take_detour),
        Stage(legs.tether),
        Stage(steering.steer),
        # When legs step.
        Stage(clock.begin_paces),
        Stage(clock.measure_pace),
        Stage(clock.choose_cycle),
        Stage(clock.compare_gait),
        Stage(clock.choose_gait),
        Stage(clock.take_gait),
        Stage(clock.take_offset),
        Stage(trunk.move),
        Stage(trunk.lead),
        Stage(trunk.follow),
        Stage(trunk.prefer_foothold),
        Stage(clock.begin_running),
        Stage(clock.want_to_step),
        Stage(clock.note_start),
        Stage(clock.wait_for_first),
        Stage(clock.start_body),
        Stage(clock.blend_gait),
        Stage(clock.start_leg),
        Stage(clock.beat),
        Stage(clock.beat_body),
        Stage(clock.count_aloft),
        Stage(clock.lift_off),
        Stage(trunk.prefer_foothold, where="lifting"),
        Stage(swings.note_shorter),
        # Where they step to.
        While(Body, "searches", SEARCH),
        Stage(swings.finish_lift),
        # The body over its feet.
        Stage(legs.roll_foot),
        Stage(legs.place_below),
        Ask(Leg, "tip_below", "tip_ground"),
        Ask(Leg, "heel_below", "heel_ground", where="has_heel"),
        Ask(Leg, "toes_below", "toes_ground", where="has_heel"),
        Ask(End, "place", "ground"),
        Ask(Body, "coming", "coming_ground"),
        Ask(Body, "place", "below", where="gave_up"),
        Stage(legs.note_ground),
        *FIT,
        Stage(trunk.sink),
        Stage(trunk.rise),
        Stage(trunk.roll),
        Stage(trunk.note_slopes),
        *POSTURE,
        *PLACE,
        Stage(secondary_motion.swing_spring),
    ),
    KEPT,
    SCRATCH,
    PARAMETERS,
)

BEGIN = Program(
    "begin",
    (
        Stage(beginning.begin_body),
        Stage(beginning.lay_section),
        Stage(clock.take_gait),
        Stage(beginning.take_numbers),
        Stage(beginning.begin_leg),
        Stage(clock.take_offset),
        Stage(beginning.begin_clock),
        Stage(trunk.lead),
        Stage(trunk.straighten),
        Stage(trunk.follow),
        While(
            Body,
            "settles",
            (
                Stage(beginning.stand_leg),
                Ask(Leg, "tip_below", "tip_ground"),
                Ask(Leg, "heel_below", "heel_ground"),
                Ask(Body, "coming", "coming_ground"),
                Stage(beginning.expect_level),
                *FIND,
                Stage(beginning.begin_bends),
                While(Body, "bends", BEND),
                Stage(beginning.stand),
                Stage(beginning.note_below),
                *FIT,
                Stage(trunk.settle_end),
                Stage(trunk.settle_section),
                *POSTURE,
                Stage(trunk.lead),
                Stage(trunk.straighten),
                Stage(beginning.count_round),
            ),
        ),
        *POSTURE,
        Stage(beginning.begin_lost),
        *PLACE,
        Stage(secondary_motion.rest_spring),
        Stage(beginning.end_beginning),
    ),
    KEPT,
    SCRATCH,
    PARAMETERS,
)
PUSH = Program("push", (Stage(steering.push),), KEPT, (), PARAMETERS)
POSE = Program("pose", pose.STEPS, KEPT, (Joint,), PARAMETERS)
