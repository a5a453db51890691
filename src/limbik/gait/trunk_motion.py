"""The motion of the trunk: position, height and lean of its segments."""

from __future__ import annotations

from functools import cache
from math import exp, radians
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import maximum, minimum, sqrt
from limbik.gait.gait_clock import GaitClock
from limbik.gait.leg_formulas import moments_of
from limbik.gait.leg_reach import stacked
from limbik.gait.posture import Posture
from limbik.gait.rig import GaitNumbers, Rig
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.steering import MAX_ACCELERATION, MOTION_NUMBERS, Steering, in_world, seen_from
from limbik.springs import pulled_with

TRUNK_STIFFNESS = 4.0  # of the springs that carry the body, over the creature's tempo
UPHILL = 0.6  # shift of the footholds of a leaning body: 0 straight below it, 1 as if on level ground
# Over the body's height: feet nearer to one another contribute little to the slope ahead and across.
SLOPE_BLUR, ROLL_BLUR = 0.1, 0.25
MAX_SINKING = 0.3  # how much lower than usual the body goes for legs to reach, over its height
FLOOR_RATE = 0.12  # greatest speed at which the ground lifts the body, over the speed of a fall from its height
CURL = np.radians(200.0)  # greatest bend of a row of segments, all joints together
MAX_JOINT = np.radians(35.0)  # greatest bend of one joint between segments
TURN_BEND = 0.1  # bend of a flexible spine into a turn, seconds times the turning rate
MAX_TURN_BEND = radians(12.0)
SOON = 0.25  # cycles from lift-off to touch-down, about


class TrunkMotion:
    """One segment, or several: in line, or of which the first leads and each is pulled by the one before.

    place: (2, creatures), x and z of the trunk's centre; of the first segment's where the others follow it. yaw:
    (segments, creatures), radians from +z to +x. ends: (2, levels, creatures), x and z of the trunk's ends, front to
    back, and of its joints where segments follow. slopes, across: (segments or 1, creatures), of the ground ahead and
    to the left, from the feet. coming: (5, creatures), where the trunk will be in a cycle and its mean velocity soon, x
    and z each, and how far it goes in a cycle.
    """

    def __init__(self, rig: Rig, place: Array, yaw: Array) -> None:
        creature, segments = rig.creature, rig.segments
        self._rig, self._height = rig, creature.height
        self._length = creature.body.length * (1 if rig.follows else segments)
        self._stiffness = TRUNK_STIFFNESS * rig.tempo
        self._blur, self._roll_blur = (SLOPE_BLUR * creature.height) ** 2, (ROLL_BLUR * creature.height) ** 2
        self._bend = min(MAX_JOINT, CURL / max(segments - 1, 1))
        self._floor_rate = FLOOR_RATE * float(np.sqrt(2.0 * 9.81 * creature.height))
        self.place = place
        self.yaw = np.tile(yaw, (segments, 1))
        self.heading = np.array([np.sin(yaw), np.cos(yaw)])  # sine and cosine of the first segment's yaw
        parts = segments if rig.follows else 1
        self._levels = parts + 1
        # Heights of the ends, then rolls as slopes, positive where the left side is higher.
        self._held = np.zeros((2 * parts + 1, len(yaw)))
        self._speed = np.zeros_like(self._held)
        self.slopes = self.across = self.level = np.zeros((parts, len(yaw)))
        self._pitch = np.zeros((parts, len(yaw)))  # sines, nose up
        self._roll = np.zeros((parts, len(yaw)))
        self._flat = np.full((parts, len(yaw)), self._length)  # length of the parts seen from above
        self._along = 0.5 - np.arange(parts + 1)[:, None] / parts
        self._middle = (0.5 * (segments - 1) - np.arange(segments))[:, None] * creature.body.length
        stands = rig.foothold[0], rig.foothold[1] + rig.along
        self._stance = stacked((rig.legs, len(yaw)), *stands, *rig.toe)
        self._uphill = np.array([UPHILL * creature.height])
        self._sizes = np.array([rig.legs, self._blur, self._roll_blur, self._length, creature.tilt])
        self._swaying = np.array([self._length, rig.shift_width])
        self._step = np.array([0.0, self._stiffness, 1.0, 0.0, MAX_SINKING * creature.height])
        self._own = rig.leg_weights[:, :, None] > 0.0  # which legs belong to which segment
        # Weights of the legs in sway, rock and the rolls of the segments, and in their heights.
        self._tilting = np.concatenate([rig.sides, rig.side_weights])
        self._bouncing = rig.mean if rig.follows else rig.leg_weights
        self._front = np.linspace(1.0, -1.0, segments)[:, None] if segments > 1 else np.zeros((1, 1))
        self.coming = np.zeros((5, len(yaw)))
        self.straighten()

    # --- along the ground

    def straighten(self) -> None:
        """Puts the segments in a straight line behind the first."""
        back = np.concatenate([-0.5 * self._flat[:1], np.cumsum(self._flat, axis=0) - 0.5 * self._flat[:1]])
        self.ends = self.place[:, None] - back * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])[:, None]

    def move(self, steering: Steering, cycle: Array) -> None:
        """Moves the trunk, or its first segment, as it is steered; the others follow. cycle: (creatures,), seconds."""
        turn = steering.motion[-1]
        angles = self.yaw[0] + HALF_AND_WHOLE * turn  # on the way, and after it
        motion = steering.motion, steering.command, cycle, steering.lag
        moved = MOVED(self.place, np.sin(angles), np.cos(angles), self._flat[0], *motion)
        self.place, self.heading, self.coming = moved[:2], moved[2:4], moved[8:]
        if not self._rig.follows:
            self.yaw = self.yaw + turn
            self.ends = moved[4:8].reshape(2, 2, -1)
            return
        self.yaw[0] += turn
        self.ends[:, :2] = moved[4:8].reshape(2, 2, -1)
        before = self.ends
        self.ends = _dragging(self._rig.segments)(before, self._flat).reshape(before.shape)
        bends = self._bends()
        if np.abs(bends).max() > self._bend:
            self.ends = before
            self._drag_stiffly()
            bends = self._bends()
        self.yaw[1:] = self.yaw[0] + np.cumsum(bends, axis=0)

    def _bends(self) -> Array:
        """(segments - 1, creatures) Angles between neighbouring segments, radians."""
        yaw = np.arctan2(*(self.ends[:, :-1] - self.ends[:, 1:]))
        yaw[0] = self.yaw[0]
        steps = yaw[1:] - yaw[:-1]
        return steps - (2.0 * np.pi) * np.rint(steps * (0.5 / np.pi))

    def _drag_stiffly(self) -> None:
        """Lets segments follow the first one, but not bend further than their joints."""
        yaw = self.yaw[0]
        for k in range(1, self._rig.segments):
            bend = np.arctan2(*(self.ends[:, k] - self.ends[:, k + 1])) - yaw
            bend = bend - (2.0 * np.pi) * np.rint(bend * (0.5 / np.pi))
            yaw = yaw + np.minimum(np.maximum(bend, -self._bend), self._bend)
            self.ends[:, k + 1] = self.ends[:, k] - self._flat[k] * np.array([np.sin(yaw), np.cos(yaw)])

    def velocity(self, motion: Array) -> Array:
        """(2, creatures), x and z in the world, of a motion (to the left, ahead, turn)."""
        return in_world(self.yaw[0], motion[0], motion[1])

    def ahead(self, way: Array) -> tuple[Array, Array]:
        """Predicts footholds and directions of the toes, (2, legs, creatures) each.

        way: (3, legs, creatures), motion to the left and ahead, and turn, of each leg's segment from its own heading.
        """
        rig = self._rig
        if rig.follows:
            middle = 0.5 * (self.ends[:, :-1] + self.ends[:, 1:])
            now = rig.of_legs(np.concatenate([middle, self._pitch[None], self._roll[None], self.yaw[None]]))
        else:
            now = np.concatenate([self.place, self._pitch, self._roll, self.yaw[:1]])[:, None]
        angles = now[4] + WHOLE_AND_HALF * way[2]  # then, and on the way
        found = AHEAD_OF(way, np.sin(angles), np.cos(angles), now[:4], self._stance, self._uphill)
        found = found.reshape(2, 2, *way.shape[1:])
        return found[0], found[1]

    def middles(self) -> Array:
        """(2, legs, creatures) x and z of the centres of the legs' segments."""
        rig = self._rig
        if rig.follows:
            return rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
        return self.place[:, None] + in_world(self.yaw[:1], 0.0 * rig.along, rig.along)

    def levels(self, places: Array) -> Array:
        """(legs, creatures) The heights that the ground is expected to have at places (2, legs, creatures)."""
        rig = self._rig
        if rig.follows:
            middles = rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
            x, z = seen_from(rig.of_legs(self.yaw[None])[0], places - middles)
            level, ahead, across = (array.take(rig.segment, axis=0) for array in (self.level, self.slopes, self.across))
            return level + ahead * z + across * x
        x, z = seen_from(self.yaw[0], places - self.place[:, None])
        return self.level + self.slopes * z + self.across * x

    def shift(self, by: Array) -> None:
        """Moves the trunk by (3, creatures) in the world."""
        self.place = self.place + by[::2]
        self.ends = self.ends + by[::2, None]
        self._held[: self._levels] += by[1]

    # --- height and lean

    def moments(self, supports: Array) -> Array:
        """(8, legs, creatures) Feet at (3, legs, creatures) as `moments_of` has them, from the trunk."""
        return MOMENTS(supports, *self.base).reshape(8, *supports.shape[1:])

    @property
    def base(self) -> tuple[Array, Array, Array]:
        """From where moments are taken: x and z, the sine and cosine of a yaw, and a height, of legs or creatures."""
        rig = self._rig
        if not rig.follows:
            return self.place, self.heading, self._held[0]
        yaw = self.yaw.take(rig.segment, axis=0)
        middles = (0.5 * (self.ends[:, :-1] + self.ends[:, 1:])).take(rig.segment, axis=1)
        return middles, np.array([np.sin(yaw), np.cos(yaw)]), self._held[:1, 0] * 0.0

    def wanted(self, moments: Array, crouch: Array) -> Array:
        """Target heights of the ends and rolls, (levels + parts, creatures), from the feet, as in `moments`."""
        rig, tilt = self._rig, self._rig.creature.tilt
        height = self._height - crouch
        if not rig.follows:
            plane = PLANE(np.add.reduce(moments, axis=1), self._held[0], height, self._sizes)
            self.level, self.slopes, self.across = plane[0:1], plane[1:2], plane[2:3]
            return plane[3:]
        x, y, z = moments[:3]
        mean = rig.leg_weights @ y
        padded = np.concatenate([2.0 * mean[:1] - mean[1:2], mean, 2.0 * mean[-1:] - mean[-2:-1]])
        levels = 0.5 * (padded[:-1] + padded[1:]) + height
        self.level, self.slopes = mean, (levels[:-1] - levels[1:]) / self._length
        off = y - (mean.take(rig.segment, axis=0) + z * self.slopes.take(rig.segment, axis=0))
        lever, spread = rig.leg_weights @ (x * off), rig.leg_weights @ moments[3]
        self.across = lever / (spread + self._blur)
        return np.concatenate([levels, tilt * lever / (spread + self._roll_blur)])

    def settle(self, wanted: Array) -> None:
        """Sets the heights and rolls, at rest."""
        self._held, self._speed = wanted, np.zeros_like(wanted)

    def follow(self, wanted: Array, seconds: float, speed: Array, floor: Array, room: Array) -> None:
        """Moves heights and rolls to their targets by springs, which follow the slope of the ground without lag.

        speed: (creatures,), ahead, m/s. floor: (levels, creatures), the least heights. room: (legs, creatures), how
        much higher hips can go before their legs are stretched.
        """
        if seconds != self._step[0]:
            fade, most = exp(-self._stiffness * seconds), self._floor_rate * seconds
            self._step = np.array([seconds, self._stiffness, fade, most, MAX_SINKING * self._height])
        room = np.where(self._own, room, np.inf).min(axis=1) if self._rig.follows else np.minimum.reduce(room)
        followed = _following(self._levels)(
            wanted, self._held, self._speed, self.slopes, room, floor, speed, self._step
        )
        self._held, self._speed = followed[: len(wanted)], followed[len(wanted) :]

    # --- with the sway of the steps

    def frames(self, clock: GaitClock, posture: Array) -> SegmentFrames:
        """The segments with the sway of the steps; posture: (10, creatures), the numbers of a Posture."""
        rig = self._rig
        turn = (2.0 * np.pi) * clock.rhythm
        upright = np.cos(turn - np.pi * clock.numbers.duty)  # 1 in the middle of a leg's stance
        reaching = np.cos(turn)
        tilts = self._tilting.dot(upright)
        bounce = self._bouncing.dot(upright * (2.0 * upright + 1.0))
        levels = self._held[: self._levels]
        swayed = SWAY(tilts[:2], bounce[0], levels[:2], posture, clock.mixed, self._swaying)
        sway, rock, rise, twist, drop, arch, bend, pitch, middle = swayed
        yaw = self.yaw - rig.side_weights.dot(reaching) * twist
        if rig.follows:
            levels = levels + ((bounce - 1.0) * rise + self._along * (self._length * rig.segments * rock))
            pitch = (levels[:-1] - levels[1:]) / self._length
            middle = 0.5 * (levels[0] + levels[1])
        elif rig.segments > 1:
            lift = (bounce - 1.0) * rise
            pitch = pitch + rig.spine_slopes.dot(lift) - self._front * (arch * rig.gather.dot(reaching))
            middle = 0.5 * (levels[0] + levels[1]) + lift.mean(axis=0)
            yaw = yaw + self._front * bend
        rolls = self._held[self._levels :]
        self._roll = rolls - posture[4]
        frames = SegmentFrames.turned(yaw, pitch, self._roll + tilts[2:] * drop, self.place, sway, middle)
        pitch = frames.angles[1]
        self._pitch = pitch if rig.follows or rig.segments == 1 else pitch.mean(axis=0, keepdims=True)
        if rig.follows or rig.segments == 1:
            self._flat = self._length * frames.level
        return frames.chained(rig.creature.body.length, centred=not rig.follows)


# --- formulas

HALF_AND_WHOLE = np.array([[0.5], [1.0]])
WHOLE_AND_HALF = np.array([1.0, 0.5])[:, None, None]


def _moved(
    place: Any, sine: Any, cosine: Any, flat: Any, motion: Any, command: Any, cycle: Any, lag: Any
) -> Any:
    """The place after a way, in the direction on average; sine and cosine, and the ends of the body; what is coming."""
    (x, z), (left, ahead, _) = place, motion[18:21]
    x, z = x + (left * cosine[0] + ahead * sine[0]), z + (ahead * cosine[0] - left * sine[0])
    half_x, half_z = 0.5 * flat * sine[1], 0.5 * flat * cosine[1]
    coming = _coming(x, z, sine[1], cosine[1], motion, command, cycle, lag)
    return x, z, sine[1], cosine[1], x + half_x, x - half_x, z + half_z, z - half_z, coming


def _coming(
    x: Any, z: Any, sine: Any, cosine: Any, motion: Any, command: Any, cycle: Any, lag: Any
) -> Any:
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


def _ahead_of(way: Any, sines: Any, cosines: Any, now: Any, stance: Any, uphill: Any) -> Any:
    """The preferred foothold of a leg after a way, and the direction of its toes, x and z each.

    sines, cosines: of the yaw then, and on the way. now: x, z, pitch and roll of the leg's segment. stance: x and z of
    foothold and toes, from there.
    """
    (left, onward, _), (mid_x, mid_z, pitch, roll), (x, z, toe_x, toe_z) = way, now, stance
    # Seen from above, the footholds of a body that leans with the ground are closer together and further uphill.
    x = x + roll * (uphill - 0.5 * roll * x)
    z = z + pitch * (uphill - 0.5 * pitch * z)
    (sine, mid_sine), (cosine, mid_cosine) = sines, cosines
    there_x = mid_x + (x * cosine + z * sine) + left * mid_cosine + onward * mid_sine
    there_z = mid_z + (z * cosine - x * sine) + onward * mid_cosine - left * mid_sine
    return there_x, there_z, toe_x * cosine + toe_z * sine, toe_z * cosine - toe_x * sine


@cache
def _dragging(segments: int) -> RowFormula:
    return RowFormula(_dragged, ends=2 * (segments + 1), flat=segments)


def _plane(moments: Any, base: Any, height: Any, sizes: Any) -> Any:
    """The plane through feet, from the sums of `moments_of`, and the heights of both ends and the roll over it.

    Returns the height at the place, the slopes ahead and across, and the three targets. The roll is blurred: steps that
    one foot of a narrow stance takes do not tip the body over.
    """
    legs, blur, roll_blur, length, tilt = sizes
    mean_x, mean_y, mean_z, xx, zz, xz, xy, zy = (moment / legs for moment in moments)
    xx, zz, xz = xx - mean_x * mean_x, zz - mean_z * mean_z, xz - mean_x * mean_z
    xy, zy = xy - mean_x * mean_y, zy - mean_z * mean_y
    mean_y = mean_y + base
    xx, zz = xx + blur, zz + blur
    scale = 1.0 / (xx * zz - xz * xz)
    ahead, across = (xx * zy - xz * xy) * scale, (zz * xy - xz * zy) * scale
    level = mean_y - ahead * mean_z - across * mean_x
    rise = (0.5 * length * tilt) * ahead
    roll = across * (xx / (xx + roll_blur))
    return level, ahead, across, level + rise + height, level - rise + height, tilt * roll


def _followed(wanted: Any, held: Any, speed: Any, slopes: Any, room: Any, floor: Any, ahead: Any, step: Any) -> Any:
    """Heights of the ends, rolls, and their rates after a step, as springs pull them to their targets.

    Targets are lower where the legs have no room for them.
    """
    seconds, stiffness, fade, lifting, sinking = step
    slopes, room = (one if isinstance(one, tuple) else (one,) for one in (slopes, room))
    parts = len(slopes)
    rise = [wanted[k] - held[k] for k in range(parts + 1)]
    over = [minimum(maximum(0.5 * (rise[k] + rise[k + 1]) - room[k], 0.0), sinking) for k in range(parts)]
    heights, rates = [], []
    for k in range(2 * parts + 1):
        rising, goal = 0.0, wanted[k]
        if k <= parts:
            rising = slopes[max(k - 1, 0)] * ahead
            before, after = over[max(k - 1, 0)], over[min(k, parts - 1)]
            goal = goal - (before if before is after else maximum(after, before))
        gap, rate = pulled_with(held[k] + rising * seconds - goal, speed[k] - rising, stiffness, seconds, fade)
        height = goal + gap
        if k <= parts:
            height = height + maximum(minimum(floor[k] - height, lifting), 0.0)
        heights.append(height)
        rates.append(rate + rising)
    return *heights, *rates


@cache
def _following(levels: int) -> RowFormula:
    numbers, parts = 2 * levels - 1, levels - 1
    states = {"wanted": numbers, "held": numbers, "speed": numbers}
    return RowFormula(_followed, **states, slopes=parts, room=parts, floor=levels, ahead=1, step=5)


def _swayed(tilts: Any, bounce: Any, levels: Any, posture: Any, gait: Any, sizes: Any) -> Any:
    """What steps add to the pose of a body: see the names. Pitch, a sine, and height are those of a single segment."""
    carried: Any = Posture._make(posture)
    numbers: Any = GaitNumbers._make(gait)
    activity, stride = carried.activity, carried.stride
    length, width = sizes
    sway = tilts[0] * (activity * numbers.sway) + width * carried.shift
    rock = tilts[1] * (activity * numbers.rock)
    rise = numbers.bob * (activity * stride * stride)
    twist, drop, arch = numbers.twist * activity, numbers.drop * activity, numbers.arch * activity
    bend = minimum(maximum(TURN_BEND * carried.turn, -MAX_TURN_BEND), MAX_TURN_BEND)
    pitch = (levels[0] - levels[1]) / length + rock
    middle = 0.5 * (levels[0] + levels[1]) + (bounce - 1.0) * rise
    return sway, rock, rise, twist, drop, arch, bend, pitch, middle


MOVED = RowFormula(
    _moved, place=2, sine=2, cosine=2, flat=1, motion=MOTION_NUMBERS, command=3, cycle=1, lag=1
)
AHEAD_OF = RowFormula(_ahead_of, way=3, sines=2, cosines=2, now=4, stance=4, uphill=1)
MOMENTS = RowFormula(moments_of, foot=3, place=2, heading=2, base=1)
PLANE = RowFormula(_plane, moments=8, base=1, height=1, sizes=5)
SWAY = RowFormula(_swayed, tilts=2, bounce=1, levels=2, posture=10, gait=len(GaitNumbers._fields), sizes=2)
