"""The height of the pelvis: up and down with the feet as smoothly as legs allow, and low enough for all to reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.engines.numba_banded import solve_banded
from limbik.grounding.foot_roll import Stance
from limbik.grounding.knees import MAX_FLEXION_RADIANS, NEARLY_STRAIGHT_RADIANS, flexion, liveliness, span
from limbik.grounding.motion import Motion
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import (
    envelope,
    fade_at_ends,
    multiply_system,
    scale_system,
    second_difference_system,
    smooth,
    transpose_second_difference,
    window_maximum,
)
from limbik.rotations import about, inverse, normalized, rotate, shortest_arc
from limbik.skeleton.foot import Foot
from limbik.skeleton.timing import ease, intervals

MIN_SOLVER_ROUNDS, MAX_SOLVER_ROUNDS = 5, 20  # of least squares
LOWERING_ROUNDS = 6  # of lowering the pelvis
SETTLED_LEG_LENGTHS = 2e-4  # by which the height changes from one round to the next once it is found
SETTLING_ROUNDS = 3  # after which it is settled which knees have to move smoothly
BALL_STANCE_WEIGHT = 0.3  # weight of a foot on its ball, relative to one that stands flat, in the height of the pelvis
FLIGHT_WEIGHT = 1.0  # of each foot where none stands: between far plants the figure rises with its feet, not late
MEAN_HEIGHT_WEIGHT = 0.01  # weight of the mean height of the feet, whatever legs need
MAX_CHANGE_LEG_LENGTHS = 0.15  # how far a leg's own length may change the height of the pelvis over its foot
FOUR_LEG_WINDOW_FACTOR = 1.8  # times the window of a biped: the height of a body on four legs is that of its middle
CALM_WINDOW_SHARE = 0.42  # of the smoothing window: a change of the height in less time costs more than the height
MAX_ADDED_PEAKS, MAX_ADDED_LEG_LENGTHS_S2 = 0.45, 6.0  # how much more hips may accelerate than ever in the clip
LEVEL_ADDED_PEAKS, LEVEL_ADDED_LEG_LENGTHS_S2 = 0.03, 0.25  # the same over level ground
FIRST_BOUND_WEIGHT, BOUND_GROWTH = 1e-3, 2.0  # of bounds of accelerations, in the first round and from there to 1
NEEDY_GROUND_LEG_LENGTHS = 0.1  # between the lowest and the highest foothold, where hips may accelerate as much more
KNEE_COST_RADIANS = 0.07  # what a knee that accelerates as much again as in the clip costs, as a change of its flexion
DEFAULT_BEND_RADIANS = 8.0  # by which a knee bends as the hip sinks by the length of a leg, where that is not known
MIN_SENSITIVE_FLEXION_RADIANS = 0.3  # knees that are straighter count as sensitive as this
OUT_OF_REACH_WEIGHT = 150.0  # weight of a leg that does not reach
MAX_HEEL_RISE_RADIANS = 0.4  # by which a heel may rise further than in the clip
HEEL_RISE_SECONDS = 0.15  # that it takes
SWING_START_SHARE = 0.04  # of a swing, at its beginning, over which an ankle is drawn towards the hip
SWING_END_SHARE = 0.08  # at its end
DRAWING_SECONDS = 0.03  # to either side over which that is smoothed
COMMON_STEP_SECONDS = 0.5  # seconds of a step of a common walk
STEP_DURATION_RANGE = 1.0, 1.6  # of a step relative to that: the pelvis sinks more slowly in slow walks
MIN_TIP_LACK_LEG_LENGTHS = 0.003  # leg lengths by which a leg may not reach before toes on their tip let go
MAX_TIP_STRAIGHTENING_RADIANS = 0.2  # radians by which a knee may be straighter than in the clip before they do
MAX_TIP_EARLY_SECONDS = 0.04  # seconds by which they do, at most
MAX_SINKING_LEG_LENGTHS = 0.3  # how far the pelvis sinks for a leg to reach: a foothold that is farther away is missed
SINKING_WINDOW_SHARE = 0.25  # fraction of the smoothing window over which the pelvis sinks to let a leg reach


@dataclass(frozen=True, eq=False)
class _LegDemands:
    """What a leg asks of the height of the pelvis, as displacements (frames,) of the figure in metres."""

    low: Array  # the knee bends as in the clip, with the heel as high as there
    high: Array  # the same with the heel raised; the same height where the foot stands flat
    most: Array  # the leg just reaches; infinite where it does not have to
    stands: Array  # bool; the foot stands
    rolls: Array  # bool; its heel may rise
    bends: Array  # radians by which the knee bends for each metre that the figure sinks
    lively: float  # rad/s²: how quickly the knee accelerates in the clip


def follow_feet(
    motion: Motion,
    hips: Array,
    goals: Array,
    stances: Sequence[Stance],
    rolling: Array,
    uneven: float,
    settings: Settings,
) -> Array:
    """The displacement (frames, 3) with which the figure follows its feet.

    hips and goals of the ankles: (frames, feet, 3). rolling: (frames, feet), frames since each heel may rise.
    """
    fps, length = motion.clip.fps, motion.leg
    window = (1.0 if motion.is_biped else FOUR_LEG_WINDOW_FACTOR) * settings.pelvis_smoothing * fps
    offsets = goals - motion.ankles
    shift = smooth(np.mean(offsets, axis=1), 3 * round(window))
    there = goals - hips - shift[:, None] * [1.0, 0.0, 1.0]
    legs = [
        _leg_demands(foot, stances[k], there[:, k], offsets[:, k, 1], motion.spans[:, k], rolling[:, k], fps)
        for k, foot in enumerate(motion.feet)
    ]
    bounds = _acceleration_bounds(motion, hips, uneven)
    shift[:, 1] = _smoothest_height(legs, length, window, fps, bounds)
    return shift


def _leg_demands(
    foot: Foot, stance: Stance, there: Array, offset: Array, spans: Array, rolling: Array, fps: float
) -> _LegDemands:
    """What a leg asks for. there: (frames, 3), from hip to ankle. offset: (frames,), how far the ankle is raised."""
    across = np.hypot(there[:, 0], there[:, 2])
    upright = stance.stands & (spans > 1.2 * across) & (there[:, 1] < offset)
    above, reach = (np.sqrt(np.maximum(one**2 - across**2, 0.0)) for one in (spans, _allowed_spans(foot, spans)))
    change = MAX_CHANGE_LEG_LENGTHS * foot.leg
    low = offset + np.where(upright, np.clip(there[:, 1] + above - offset, -change, change), 0.0)
    thigh, shank = foot.links
    bends = above / (thigh * shank * np.sin(np.maximum(flexion(foot, spans), MIN_SENSITIVE_FLEXION_RADIANS)))
    simple = len(foot.limb.joints) == 3  # of others no single knee bends
    rise = _heel_rise(foot, stance, rolling, fps)
    return _LegDemands(
        low=low,
        high=low + rise,
        most=np.where(upright & simple, there[:, 1] + reach + rise, np.inf),
        stands=stance.stands,
        rolls=rolling > 0,
        bends=np.where(upright & simple, bends, DEFAULT_BEND_RADIANS / foot.leg),
        lively=liveliness(foot, spans, fps) if simple else np.inf,
    )


def _heel_rise(foot: Foot, stance: Stance, rolling: Array, fps: float) -> Array:
    """How much higher (frames,) an ankle is if its heel rises further than in the clip, once it may."""
    if foot.pointlike or len(foot.limb.joints) > 3:
        return np.zeros(len(rolling))
    side = rotate(inverse(foot.flat), np.array([1.0, 0.0, 0.0]))
    raised = rotate(about(side, MAX_HEEL_RISE_RADIANS * ease(rolling / (HEEL_RISE_SECONDS * fps))), foot.to_ball)
    return rotate(stance.turn, foot.to_ball - raised)[:, 1]


def _acceleration_bounds(motion: Motion, hips: Array, uneven: float) -> tuple[Array, Array]:
    """The least and the largest second differences (frames - 2,) that a vertical displacement of the hips may have.

    hips: (frames, feet, 3). uneven: by how much the highest foothold is above the lowest, in metres. With the
    displacement added, hips accelerate no more than the most that they do in the clip, and as much more as the ground
    needs.
    """
    fps, length = motion.clip.fps, motion.leg
    step = max(round(fps / 30.0), 1)
    if len(hips) < 2 * step + 1:
        free = np.full(max(len(hips) - 2, 0), np.inf)
        return -free, free

    def accelerations(heights: Array) -> Array:
        return (heights[2 * step :] - 2.0 * heights[step:-step] + heights[: -2 * step]) * (fps / step) ** 2

    peak = float(np.abs(accelerations(np.mean(motion.world[0][:, motion.hips, 1], axis=1))).max())
    own = np.pad(accelerations(np.mean(hips[..., 1], axis=1)), step - 1, mode="edge")
    share = float(ease(np.array(uneven / (NEEDY_GROUND_LEG_LENGTHS * length))))
    more = max(MAX_ADDED_PEAKS * peak, MAX_ADDED_LEG_LENGTHS_S2 * length)
    level = max(LEVEL_ADDED_PEAKS * peak, LEVEL_ADDED_LEG_LENGTHS_S2 * length)
    most = peak + level + share * (more - level)
    high, low = most - window_maximum(own, step), window_maximum(-own, step) - most
    return low / fps**2, high / fps**2


def _smoothest_height(
    legs: Sequence[_LegDemands], length: float, window: float, fps: float, bounds: tuple[Array, Array]
) -> Array:
    """The smoothest height (frames,) at which knees bend much as in the clip, and legs reach as far as bounds allow.

    Least squares over all frames at once, so that the figure begins to sink or rise before a foot lands. What counts is
    how much more knees are bent than in the clip, how much more quickly they accelerate, and how quickly the figure
    does. A leg whose heel may rise does not count between the heights that heel allows. length: of the legs. bounds:
    of second differences (frames - 2,), which are kept more and more firmly.
    """
    weights = _leg_weights(legs)
    mean = np.sum(weights * np.stack([leg.low for leg in legs], axis=1), axis=1) / np.sum(weights, axis=1)
    height = smooth(mean, round(window))
    if len(height) < 3:
        return height
    ever = MEAN_HEIGHT_WEIGHT / length**2
    calm = second_difference_system(np.full(len(height) - 2, (CALM_WINDOW_SHARE * window) ** 4 / length**2))
    calm[0] += ever
    moves, over = [leg.stands for leg in legs], np.zeros(len(height) - 2, bool)
    for turn in range(MAX_SOLVER_ROUNDS):
        bend = np.diff(height, 2)
        over |= (bend < bounds[0]) | (bend > bounds[1])  # for good: else rounds take turns
        firm = over * min(FIRST_BOUND_WEIGHT * BOUND_GROWTH**turn, 1.0) * fps**4 / length**2
        system = calm + second_difference_system(firm)
        right = ever * mean + transpose_second_difference(firm * np.clip(bend, *bounds))
        for k, leg in enumerate(legs):
            if turn < SETTLING_ROUNDS:
                moves[k] = _leg_counts(leg, height)
            own, aim = _leg_terms(leg, height, weights[:, k], moves[k], fps)
            system, right = system + own, right + aim
        last, height = height, solve_banded(system, right)
        settled = float(np.abs(height - last).max()) < SETTLED_LEG_LENGTHS * length
        if turn >= MIN_SOLVER_ROUNDS and (settled or not over.any()):
            break
    return height


def _leg_weights(legs: Sequence[_LegDemands]) -> Array:
    """How much each leg counts in each frame, (frames, legs)."""
    stands, rolls = (np.stack([getattr(leg, name) for leg in legs], axis=1) for name in ("stands", "rolls"))
    weights = np.where(stands & ~rolls, 1.0, np.where(stands, BALL_STANCE_WEIGHT, 1e-3))
    weights = np.where(stands.any(axis=1, keepdims=True), weights, FLIGHT_WEIGHT)
    others = np.sum(weights, axis=1, keepdims=True) - weights
    return weights / (1.0 + others)  # two feet at different heights carry the figure at neither's


def _leg_counts(leg: _LegDemands, height: Array) -> Array:
    """Where (frames,) a height (frames,) is not what a standing leg asks for, or its heel cannot make up for it."""
    return leg.stands & ((np.clip(height, leg.low, leg.high) != height) | ~leg.rolls)


def _leg_terms(leg: _LegDemands, height: Array, weight: Array, moves: Array, fps: float) -> tuple[Array, Array]:
    """The system (3, frames) and right side (frames,) of what a leg asks of the height, near a height (frames,).

    weight: (frames,), how much the leg counts. moves: (frames,) bool, where its knee is to move as smoothly as in the
    clip.
    """
    goal, limit = np.clip(height, leg.low, leg.high), np.minimum(leg.most, height)
    kept = np.where(_leg_counts(leg, height) | ~leg.stands, weight, 0.0)
    firm = np.where(height > leg.most, OUT_OF_REACH_WEIGHT, 0.0)
    moving = leg.stands[:-2] & leg.stands[1:-1] & leg.stands[2:]
    cost = (KNEE_COST_RADIANS * fps**2 / leg.lively) ** 2 * moving
    system = scale_system(second_difference_system(cost), leg.bends * moves)
    right = multiply_system(system, goal) + (kept * goal + firm * limit) * leg.bends**2
    system[0] += (kept + firm) * leg.bends**2
    return system, right


def lower_pelvis_until_legs_reach(
    motion: Motion,
    positions: Array,
    goals: Array,
    shift: Array,
    settings: Settings,
    counts: Array,
    above: Array | None = None,
) -> Array:
    """The displacement (frames, 3) of the figure, lowered where a leg would not reach its ankle's goal.

    positions: of all joints, (frames, joints, 3). goals: of the ankles, (frames, feet, 3). shift: (frames, 3). counts:
    (frames, feet) bool, the legs that have to reach. above: (frames,), the height from which it may sink by as much as
    it may (default: that of `shift`).
    """
    feet, fps = motion.feet, motion.clip.fps
    hips, bent, ankles = (positions[:, [foot.limb.joints[k] for foot in feet]] for k in (0, 2, -1))
    reach = np.stack([_allowed_spans(foot, motion.spans[:, k]) for k, foot in enumerate(feet)], axis=1)
    calm = _step_slowness(counts, fps) if motion.is_biped else FOUR_LEG_WINDOW_FACTOR
    narrow = max(round(SINKING_WINDOW_SHARE * calm * settings.pelvis_smoothing * fps), 1)
    lowest = (shift[:, 1] if above is None else above) - MAX_SINKING_LEG_LENGTHS * motion.leg
    shift = shift.copy()
    for _ in range(LOWERING_ROUNDS):
        # Links beyond the second turn with the limb, as in `reach`.
        turn = shortest_arc(ankles - hips, goals - hips - shift[:, None], np.array([1.0, 0.0, 0.0]))
        lack = _lack_of_reach(hips + shift[:, None], goals - rotate(turn, ankles - bent), reach, counts)
        lack = np.clip(lack, 0.0, np.maximum(shift[:, 1] - lowest, 0.0))
        if lack.max(initial=0.0) <= 1e-9:
            break
        shift[:, 1] -= envelope(lack, narrow)
    return shift


def _step_slowness(stands: Array, fps: float) -> float:
    """How slowly a figure steps, relative to a common walk. stands: (frames, feet) bool."""
    lands = np.sort(np.concatenate([np.flatnonzero(np.diff(one.astype(int)) > 0) for one in stands.T]))
    if len(lands) < 3:
        return 1.0
    return float(np.clip(np.median(np.diff(lands)) / (COMMON_STEP_SECONDS * fps), *STEP_DURATION_RANGE))


def release_tips_early(foot: Foot, stance: Stance, hips: Array, spans: Array, fps: float) -> Stance:
    """The stance without its end, where toes stand on their tip and the leg does not reach them any more.

    They are let go by no more than a few hundredths of a second too early; the figure sinks for the rest.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip.
    """
    away = np.linalg.norm(stance.ankle - hips, axis=-1)
    bent = np.maximum(flexion(foot, spans) - MAX_TIP_STRAIGHTENING_RADIANS, NEARLY_STRAIGHT_RADIANS)
    far = away > np.minimum(_allowed_spans(foot, spans), span(foot, bent)) + MIN_TIP_LACK_LEG_LENGTHS * foot.leg
    stands = stance.stands.copy()
    for first, stop in intervals(stands & ~stance.ball & ~stance.heel):
        if first and stance.ball[first - 1] and far[first:stop].any():
            stands[max(first + int(np.argmax(far[first:stop])), stop - int(MAX_TIP_EARLY_SECONDS * fps)) : stop] = False
    return replace(stance, stands=stands)


def _allowed_spans(foot: Foot, spans: Array) -> Array:
    """The distances (frames,) that a leg may span: a nearly straight leg only where it is as straight in the clip.

    From there a knee would bend at once, as quickly as the body sinks. A foot that hangs from elsewhere in the rig may
    be farther away than the leg is long.
    """
    if len(foot.limb.joints) != 3:
        return np.full(len(spans), foot.reach)
    reach = np.minimum(np.maximum(spans, span(foot, np.array(NEARLY_STRAIGHT_RADIANS))), foot.reach)
    return np.where(foot.is_overstretched(spans), spans, reach)


def _lack_of_reach(hips: Array, ankles: Array, reach: Array, counts: Array) -> Array:
    """How far (frames,) the figure must sink for legs of length `reach` (frames, feet) to span hips and ankles."""
    away = ankles - hips
    across = np.hypot(away[..., 0], away[..., 2])
    depth = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    lack = -away[..., 1] - depth
    return np.maximum(np.max(np.where(counts, lack, 0.0), axis=-1), 0.0)


def bend_swings(
    foot: Foot, goals: Array, hips: Array, spans: Array, stands: Array, aside: Array, fps: float
) -> tuple[Array, Array]:
    """Goals (frames, 3) of an ankle, drawn towards the hip in swings in which the leg would be straighter than it was.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip. A leg may be as straight as it is
    in the clip, or as at the ends of the swing. Where it would be folded further than knees are, its ankle goes by the
    hip farther outside: away from the hip is behind it in one frame, and ahead in the next. aside: (frames, 3), the
    way outside; where it is 0, as for bodies on more legs, ankles go away from the hip.

    Returns the goals, and how much less far (frames,) they could have been drawn.
    """
    away = goals - hips
    reach = np.linalg.norm(away, axis=-1)
    drawn, needed, outside = np.zeros((3, len(goals)))
    least = 0.0
    if len(foot.limb.joints) == 3:
        least = min(float(span(foot, np.array(MAX_FLEXION_RADIANS))), float(spans.min(initial=np.inf)))
    outward = normalized(np.where(aside.any(axis=-1, keepdims=True), aside, away))
    own = np.sum(away * outward, axis=-1)
    beside = np.sqrt(np.maximum(least**2 - reach**2 + own**2, 0.0)) - own
    for first, stop in intervals(~stands):
        before, after = max(first - 1, 0), min(stop, len(goals) - 1)
        ends = np.linspace(reach[before], reach[after], after - before + 1)[first - before : stop - before]
        excess = np.maximum(reach[first:stop] - np.maximum(ends, spans[first:stop]), 0.0)
        lack = np.where(reach[first:stop] < least, beside[first:stop], 0.0)
        if excess.any() or lack.any():
            t = np.arange(1, stop - first + 1) / (stop - first + 1)
            fade = fade_at_ends(t / SWING_START_SHARE, (1.0 - t) / SWING_END_SHARE, first > 0, stop < len(goals))
            width = max(round(DRAWING_SECONDS * fps), 1)
            drawn[first:stop], outside[first:stop] = fade * envelope(excess, width), fade * envelope(lack, width)
            needed[first:stop] = excess
    bent = goals - (drawn / np.maximum(reach, 1e-9))[:, None] * away + outside[:, None] * outward
    return bent, np.maximum(drawn - needed, 0.0)
