"""The motion of a trunk in one step of time, as formulas of one row for each creature.

Those of several segments are written out for their number. Sines and cosines are passed to them, since engines round
those differently.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import radians
from typing import Any

import numpy as np

from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
from limbik.gait.posture import PARAMETERS, Posture, carried
from limbik.gait.rig import GaitNumbers
from limbik.gait.steering import MAX_ACCELERATION, MOTION_NUMBERS
from limbik.springs import close_gap_by

SOON = 0.25  # cycles from lift-off to touch-down, about
TURN_BEND = 0.1  # bend of a flexible spine into a turn, seconds times the turning rate
MAX_TURN_BEND = radians(12.0)
MAX_PITCH_SINE = 0.9  # of a segment
STEEPEST = 1.0  # slope beyond which steps do not become shorter
MOMENT_NUMBERS = 8  # of a foot: see `limbik.gait.leg_formulas.moments_of`
CARRIAGE = (  # what carries a trunk: see `TrunkMotion`
    ("seconds", "stiffness", "fade", "lifting", "sinking", "legs", "blur", "roll_blur", "length", "tilt", "height")
    + ("clearance", "step", "steepest")
)
GAIT = len(GaitNumbers._fields)
CROUCH = GaitNumbers._fields.index("crouch")


# --- along the ground


def _moved(place: Any, sine: Any, cosine: Any, flat: Any, motion: Any, command: Any, cycle: Any, lag: Any) -> Any:
    """The place after a way, in the direction on average; sine and cosine, and the ends of the body; what is coming."""
    (x, z), (left, ahead, _) = place, motion[18:21]
    x, z = x + (left * cosine[0] + ahead * sine[0]), z + (ahead * cosine[0] - left * sine[0])
    half_x, half_z = 0.5 * flat * sine[1], 0.5 * flat * cosine[1]
    coming = _coming(x, z, sine[1], cosine[1], motion, command, cycle, lag)
    return x, z, sine[1], cosine[1], x + half_x, x - half_x, z + half_z, z - half_z, coming


def _coming(x: Any, z: Any, sine: Any, cosine: Any, motion: Any, command: Any, cycle: Any, lag: Any) -> Any:
    """Where the body will be in a cycle, its mean velocity soon, x and z each; and how far it goes in a cycle."""
    requested, hold, now = motion[0:2], motion[9:11], motion[15:17]
    soon = SOON * cycle
    gaps = [asked * part - present for asked, part, present in zip(command[:2], hold, now, strict=True)]
    most = 0.5 * MAX_ACCELERATION * soon / sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + 1e-12)
    share = minimum(most, 0.5) * (soon / (soon + lag))
    vectors = ((requested[0] * cycle, requested[1] * cycle), (now[0] + gaps[0] * share, now[1] + gaps[1] * share))
    (far_x, far_z), soon = ((left * cosine + ahead * sine, ahead * cosine - left * sine) for left, ahead in vectors)
    return x + far_x, z + far_z, soon, sqrt(far_x * far_x + far_z * far_z)


def _dragged(ends: Any, flat: Any) -> Any:
    """The ends of segments, all x, then all z, each pulled by the one before; the first two are given."""
    x, z = list(ends[: len(ends) // 2]), list(ends[len(ends) // 2 :])
    for k in range(1, len(flat)):
        away_x, away_z = x[k] - x[k + 1], z[k] - z[k + 1]
        share = flat[k] / sqrt(away_x * away_x + away_z * away_z)
        x[k + 1], z[k + 1] = x[k] - away_x * share, z[k] - away_z * share
    return *x, *z


# --- height and lean


def _plane(moments: Any, base: Any, height: Any, carriage: Any) -> Any:
    """The plane through feet, from the sums of `moments_of`, and the heights of both ends and the roll over it.

    Returns the height at the place, the slopes ahead and across, and the targets. The roll is blurred: steps that
    one foot of a narrow stance takes do not tip the body over.
    """
    mean_x, mean_y, mean_z, xx, zz, xz, xy, zy = (moment / carriage["legs"] for moment in moments)
    xx, zz, xz = xx - mean_x * mean_x, zz - mean_z * mean_z, xz - mean_x * mean_z
    xy, zy = xy - mean_x * mean_y, zy - mean_z * mean_y
    mean_y = mean_y + base
    xx, zz = xx + carriage["blur"], zz + carriage["blur"]
    scale = 1.0 / (xx * zz - xz * xz)
    ahead, across = (xx * zy - xz * xy) * scale, (zz * xy - xz * zy) * scale
    level = mean_y - ahead * mean_z - across * mean_x
    rise = (0.5 * carriage["length"] * carriage["tilt"]) * ahead
    roll = across * (xx / (xx + carriage["roll_blur"]))
    wanted = level + rise + height, level - rise + height, carriage["tilt"] * roll, ahead
    return (level,), (ahead,), (across,), wanted


def _planes(moments: Any, height: Any, carriage: Any) -> Any:
    """The same of segments that follow one another, from means of moments: of each number one for each segment."""
    parts = len(moments) // MOMENT_NUMBERS
    x, mean, _, xx, _, xz, xy, _ = (moments[k * parts : (k + 1) * parts] for k in range(MOMENT_NUMBERS))
    padded = [2.0 * mean[0] - mean[1], *mean, 2.0 * mean[-1] - mean[-2]]
    levels = [0.5 * (a + b) + height for a, b in pairwise(padded)]
    slopes, across, rolls = [], [], []
    for k in range(parts):
        slopes.append((levels[k] - levels[k + 1]) / carriage["length"])
        lever = xy[k] - x[k] * mean[k] - xz[k] * slopes[k]
        across.append(lever / (xx[k] + carriage["blur"]))
        rolls.append(carriage["tilt"] * lever / (xx[k] + carriage["roll_blur"]))
    return tuple(mean), tuple(slopes), tuple(across), (*levels, *rolls, slopes[0])


def _wanted(moments: Any, held: Any, height: Any, carriage: Any) -> Any:
    """Heights of the ground, slopes ahead and across, and targets: heights of the ends, rolls, and the slope ahead."""
    if len(moments) == MOMENT_NUMBERS:
        return _plane(moments, held[0], height, carriage)
    return _planes(moments, height, carriage)


def _settled(moments: Any, held: Any, height: Any, carriage: Any) -> Any:
    return _wanted(moments, held, height, dict(zip(CARRIAGE, carriage, strict=True)))


def _followed(
    moments: Any,
    state: Any,
    room: Any,
    ground: Any,
    coming: Any,
    motion: Any,
    gait: Any,
    activity: Any,
    stride: Any,
    carriage: Any,
) -> Any:
    """What `_wanted` returns but for the targets; heights and rolls and their rates after a step; slopes of the ground.

    state: heights of the ends, rolls, slope ahead, and their rates, which springs pull to their targets. room: how
    much higher hips can go before their legs are stretched; targets are lower where there is none. ground: heights
    below the ends, and where the body will be in a cycle. coming, motion: those of TrunkMotion and Steering.
    """
    carriage = dict(zip(CARRIAGE, carriage, strict=True))
    held, speed = state[: len(state) // 2], state[len(state) // 2 :]
    height = carriage["height"] - gait[CROUCH] * (activity * stride * stride)
    level, slopes, across, wanted = _wanted(moments, held, height, carriage)
    room = room if isinstance(room, tuple) else (room,)
    after = _sprung(wanted, held, speed, slopes, room, ground, motion[16], carriage)
    return level, slopes, across, after, _steepness(ground, coming[4], slopes[0], carriage)


def _sprung(wanted: Any, held: Any, speed: Any, slopes: Any, room: Any, ground: Any, ahead: Any, carriage: Any) -> Any:
    seconds, parts = carriage["seconds"], len(slopes)
    rise = [wanted[k] - held[k] for k in range(parts + 1)]
    over = [minimum(maximum(0.5 * (rise[k] + rise[k + 1]) - room[k], 0.0), carriage["sinking"]) for k in range(parts)]
    heights, rates = [], []
    for k in range(len(held)):
        rising, goal = 0.0, wanted[k]
        if k <= parts:
            rising = slopes[max(k - 1, 0)] * ahead
            before, after = over[max(k - 1, 0)], over[min(k, parts - 1)]
            goal = goal - (before if before is after else maximum(after, before))
        gap = held[k] + rising * seconds - goal
        gap, rate = close_gap_by(gap, speed[k] - rising, carriage["stiffness"], seconds, carriage["fade"])
        height = goal + gap
        if k <= parts:
            floor = ground[k] + carriage["clearance"]
            height = height + maximum(minimum(floor - height, carriage["lifting"]), 0.0)
        heights.append(height)
        rates.append(rate + rising)
    return *heights, *rates


def _steepness(ground: Any, far: Any, slope: Any, carriage: Any) -> Any:
    """The slope of the ground ahead, from heights, that here beyond a step; and the steepest slope, here or there."""
    rise, far = ground[-1] - 0.5 * (ground[0] + ground[1]), maximum(far, carriage["height"])
    rising = where(absolute(rise) <= maximum(carriage["step"], carriage["steepest"] * far), rise / far, slope)
    return rising, minimum(maximum(absolute(slope), absolute(rising)), STEEPEST)


# --- with the sway of the steps


def _posed(follows: bool) -> Any:
    def posed(
        yaw: Any,
        held: Any,
        tilts: Any,
        bounce: Any,
        reach: Any,
        pace: Any,
        activity: Any,
        cycle: Any,
        gait: Any,
        motion: Any,
        time: Any,
        waves: Any,
        parameters: Any,
        sizes: Any,
    ) -> Any:
        """The numbers of a posture; yaw, pitch (a sine) and roll of each segment; rolls without steps; sway, height.

        held: heights of the ends, rolls, and the slope ahead. tilts, bounce, reach: what the phases of the legs do to
        sway, rock and the rolls of segments; to their heights; to their yaws, and how far hind and front legs gather.
        """
        length, width, segment = sizes
        yaw, bounce = (one if isinstance(one, tuple) else (one,) for one in (yaw, bounce))
        count = len(yaw)
        numbers: Any = GaitNumbers._make(gait)
        now = yaw[0], pace, activity, held[-1], cycle, time
        posture = carried(now, numbers, motion, waves, parameters)
        held_posture: Any = Posture._make(posture)
        sway = tilts[0] * (activity * numbers.sway) + width * held_posture.shift
        rock = tilts[1] * (activity * numbers.rock)
        rise = numbers.bob * (activity * held_posture.stride * held_posture.stride)
        levels = list(held[: count + 1] if follows else held[:2])
        yaw = [one - side * (numbers.twist * activity) for one, side in zip(yaw, reach[:count], strict=True)]
        lift = [(one - 1.0) * rise for one in bounce]
        if follows:
            leans = [(0.5 - k / count) * (length * count * rock) for k in range(count + 1)]
            levels = [level + (lift[0] + lean) for level, lean in zip(levels, leans, strict=True)]
            pitch = [(levels[k] - levels[k + 1]) / length for k in range(count)]
            middle = 0.5 * (levels[0] + levels[1])
        else:
            pitch = [(levels[0] - levels[1]) / length + rock] * count
            middle = 0.5 * (levels[0] + levels[1]) + sum(lift) / count
        if count > 1 and not follows:
            bend = minimum(maximum(TURN_BEND * held_posture.turn, -MAX_TURN_BEND), MAX_TURN_BEND)
            front = np.linspace(1.0, -1.0, count).tolist()
            slopes = _slopes_between(lift, segment)
            arch = numbers.arch * activity * reach[count]
            pitch = [one + rising - part * arch for one, rising, part in zip(pitch, slopes, front, strict=True)]
            yaw = [one + part * bend for one, part in zip(yaw, front, strict=True)]
        rolls = [one - held_posture.bank for one in held[len(levels) : -1]]
        drop = numbers.drop * activity
        roll = [rolls[k if follows else 0] + tilts[2 + k] * drop for k in range(count)]
        return posture, tuple(yaw), tuple(pitch), tuple(roll), tuple(rolls), sway, middle

    return posed


def _slopes_between(heights: Any, length: Any) -> list[Any]:
    """The slopes of segments of a length, front to back, from the heights of their centres."""
    last = len(heights) - 1
    ends = [(max(k - 1, 0), min(k + 1, last)) for k in range(last + 1)]
    return [(heights[a] - heights[b]) / (float(b - a) * length) for a, b in ends]


def _turned(centred: bool) -> Any:
    def turned(
        sine: Any, cosine: Any, yaw: Any, pitch: Any, roll: Any, place: Any, sway: Any, height: Any, length: Any
    ) -> Any:
        """Left, up, forward and centre of segments, yaw, the sine of the pitch, limited, and the slope of the roll.

        Then the cosines of their pitches. Each is hinged to the end of the one before. The first stays in its place or,
        where `centred`, the mean of all centres does.
        """
        sine, cosine, yaw, pitch, roll = (
            one if isinstance(one, tuple) else (one,) for one in (sine, cosine, yaw, pitch, roll)
        )
        count = len(sine)
        segments = [_axes(*one) for one in zip(sine, cosine, pitch, roll, strict=True)]
        lefts, ups, forwards, pitches, levels = zip(*segments, strict=True)
        middles = [(place[0] + sway * lefts[0][0], height, place[1] + sway * lefts[0][2])]
        for before, after in pairwise(forwards):
            back = ((-0.5 * length) * (a + b) for a, b in zip(before, after, strict=True))
            middles.append(tuple(one + step for one, step in zip(middles[-1], back, strict=True)))
        if centred and count > 1:
            off = [middles[0][k] - sum(one[k] for one in middles) / count for k in range(3)]
            middles = [tuple(one + by for one, by in zip(middle, off, strict=True)) for middle in middles]
        vectors = (zip(*ones, strict=True) for ones in (lefts, ups, forwards, middles))
        return *(tuple(part) for parts in vectors for part in parts), yaw, pitches, roll, levels

    return turned


def _axes(sine: Any, cosine: Any, pitch: Any, roll: Any) -> Any:
    """Left, up and forward of a segment; the sine of its pitch, limited, and the cosine."""
    pitch = minimum(maximum(pitch, -MAX_PITCH_SINE), MAX_PITCH_SINE)
    level = sqrt(1.0 - pitch * pitch)
    forward = level * sine, pitch, level * cosine
    up = -pitch * sine, level, -pitch * cosine
    across = 1.0 / sqrt(1.0 + roll * roll)
    rise = roll * across
    left = cosine * across + up[0] * rise, up[1] * rise, up[2] * rise - sine * across
    up = up[0] * across - cosine * rise, up[1] * across, up[2] * across + sine * rise
    return left, up, forward, pitch, level


MOVED = RowFormula(_moved, place=2, sine=2, cosine=2, flat=1, motion=MOTION_NUMBERS, command=3, cycle=1, lag=1)


@cache
def dragging(segments: int) -> RowFormula:
    """The formula of segments that are pulled."""
    return RowFormula(_dragged, ends=2 * (segments + 1), flat=segments)


@cache
def settling(parts: int) -> RowFormula:
    """The formula of a trunk at rest."""
    return RowFormula(_settled, moments=parts * MOMENT_NUMBERS, held=2 * parts + 2, height=1, carriage=len(CARRIAGE))


@cache
def following(parts: int) -> RowFormula:
    """The formula of a trunk that follows its feet."""
    feet = {"moments": parts * MOMENT_NUMBERS, "state": 2 * (2 * parts + 2), "room": parts, "ground": parts + 2}
    time = {"coming": 5, "motion": MOTION_NUMBERS, "gait": GAIT, "activity": 1, "stride": 1}
    return RowFormula(_followed, **feet, **time, carriage=len(CARRIAGE))


@cache
def posing(segments: int, follows: bool) -> RowFormula:
    """The formula of the posture of a trunk."""
    parts = segments if follows else 1
    legs = {"tilts": 2 + segments, "bounce": 1 if follows else segments, "reach": segments + 1}
    clock = {"pace": 1, "activity": 1, "cycle": 1, "gait": GAIT, "motion": MOTION_NUMBERS}
    idle = {"time": 1, "waves": 3, "parameters": len(PARAMETERS), "sizes": 3}
    return RowFormula(_posed(follows), yaw=segments, held=2 * parts + 2, **legs, **clock, **idle)


@cache
def turning(segments: int, centred: bool) -> RowFormula:
    """The formula of the frames of the segments of a trunk."""
    each = dict.fromkeys(("sine", "cosine", "yaw", "pitch", "roll"), segments)
    return RowFormula(_turned(centred), **each, place=2, sway=1, height=1, length=1)
