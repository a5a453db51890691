"""The motion of the trunk: position, height and lean of its segments."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.gait.gait_clock import GaitClock
from limbik.gait.ground_ahead import STEP
from limbik.gait.leg_formulas import moments_of
from limbik.gait.leg_reach import stacked
from limbik.gait.posture import Bearing, Posture
from limbik.gait.rig import Rig
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.steering import Steering, in_world, seen_from
from limbik.gait.trunk_formulas import CARRIAGE, MOVED, dragging, following, posing, settling

TRUNK_STIFFNESS = 4.0  # of the springs that carry the body, over the creature's tempo
UPHILL = 0.6  # shift of the footholds of a leaning body: 0 straight below it, 1 as if on level ground
# Over the body's height: feet nearer to one another contribute little to the slope ahead and across.
SLOPE_BLUR, ROLL_BLUR = 0.1, 0.25
MAX_SINKING = 0.3  # how much lower than usual the body goes for legs to reach, over its height
FLOOR_RATE = 0.12  # greatest speed at which the ground lifts the body, over the speed of a fall from its height
CURL = np.radians(200.0)  # greatest bend of a row of segments, all joints together
MAX_JOINT = np.radians(35.0)  # greatest bend of one joint between segments
BODY_CLEARANCE = 0.35  # least height of the body's ends above the ground, over its height at rest


class TrunkMotion:
    """One segment, or several: in line, or of which the first leads and each is pulled by the one before.

    place: (2, creatures), x and z of the trunk's centre; of the first segment's where the others follow it. yaw:
    (segments, creatures), radians from +z to +x. ends: (2, levels, creatures), x and z of the trunk's ends, front to
    back, and of its joints where segments follow. slopes, across: (segments or 1, creatures), of the ground ahead and
    to the left, from the feet. coming: (5, creatures), where the trunk will be in a cycle and its mean velocity soon, x
    and z each, and how far it goes in a cycle. stride: (creatures,), that of the posture.
    """

    def __init__(self, rig: Rig, place: Array, yaw: Array) -> None:
        creature, segments = rig.creature, rig.segments
        self._rig, self._height = rig, creature.height
        self._length = creature.body.length * (1 if rig.follows else segments)
        self._stiffness = TRUNK_STIFFNESS * rig.tempo
        self._bend = min(MAX_JOINT, CURL / max(segments - 1, 1))
        self._floor_rate = FLOOR_RATE * float(np.sqrt(2.0 * 9.81 * creature.height))
        self.place = place
        self.yaw = np.tile(yaw, (segments, 1))
        self.heading = np.array([np.sin(yaw), np.cos(yaw)])  # sine and cosine of the first segment's yaw
        parts = segments if rig.follows else 1
        self._levels = parts + 1
        # Heights of the ends, then rolls as slopes, positive where the left side is higher, and the slope ahead, for
        # the lean; then the rates of all of them.
        self._state = np.zeros((2 * (2 * parts + 2), len(yaw)))
        self._held = self._state[: 2 * parts + 2]
        self.slopes = self.across = self.level = np.zeros((parts, len(yaw)))
        self._pitch = np.zeros((parts, len(yaw)))  # sines, nose up
        self._roll = np.zeros((parts, len(yaw)))
        self._flat = np.full((parts, len(yaw)), self._length)  # length of the parts seen from above
        stands = rig.foothold[0], rig.foothold[1] + rig.along
        self._stance = stacked((rig.legs, len(yaw)), *stands, *rig.toe)
        self._uphill = np.array([UPHILL * creature.height])
        self._carriage = self._carried()
        self._sizes = np.array([self._length, rig.shift_width, creature.body.length])
        self._foreign = np.where(rig.leg_weights > 0.0, 0.0, np.inf)[:, :, None]  # legs of other segments
        # Weights of the legs in sway, rock and the rolls of the segments; in their heights; in their yaws, and how far
        # hind and front legs gather.
        self._tilting = np.concatenate([rig.sides, rig.side_weights])
        self._bouncing = rig.mean if rig.follows else rig.leg_weights
        self._reaching = np.concatenate([rig.side_weights, rig.gather])
        self.coming = np.zeros((5, len(yaw)))
        self.stride = np.zeros(len(yaw))
        self._postures = len(Posture._fields)
        self.straighten()

    def _carried(self) -> Array:
        """The numbers of CARRIAGE; those that depend on the length of a step are set in `follow`."""
        rig, height = self._rig, self._height
        numbers = {
            **{"seconds": 0.0, "stiffness": self._stiffness, "fade": 1.0, "lifting": 0.0},
            **{"sinking": MAX_SINKING * height, "clearance": BODY_CLEARANCE * height, "height": height},
            **{"blur": (SLOPE_BLUR * height) ** 2, "roll_blur": (ROLL_BLUR * height) ** 2},
            **{"legs": rig.legs, "length": self._length, "tilt": rig.creature.tilt},
            **{"step": STEP * rig.reach, "steepest": rig.steepest},
        }
        return np.array([numbers[name] for name in CARRIAGE])

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
        self.ends = dragging(self._rig.segments)(before, self._flat).reshape(before.shape)
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

    def _sums(self, moments: Array) -> Array:
        """Moments (8, legs, creatures) of all legs together or, where segments follow, the means of each segment's."""
        if self._rig.follows:
            return np.matmul(self._rig.leg_weights, moments)
        return np.add.reduce(moments, axis=1)

    def _ground(self, found: Array) -> Array:
        """Keeps level and slopes of the ground; returns the other numbers."""
        parts = self._levels - 1
        self.level, self.slopes, self.across = found[: 3 * parts].reshape(3, parts, -1)
        return found[3 * parts :]

    def settle(self, supports: Array) -> None:
        """Sets heights and rolls for feet at (3, legs, creatures), at rest."""
        sums, height = self._sums(self.moments(supports)), np.array([self._height])
        found = settling(self._levels - 1)(sums, self._held, height, self._carriage)
        held = self._ground(found)
        self._state = np.concatenate([held, 0.0 * held])
        self._held = self._state[: len(held)]

    def follow(
        self, moments: Array, room: Array, ground: Array, seconds: float, steering: Steering, clock: GaitClock
    ) -> Array:
        """Moves heights and rolls to their targets by springs, which follow the slope of the ground without lag.

        moments: (8, legs, creatures), of the feet. room: (legs, creatures), how much higher hips can go before their
        legs are stretched. ground: (levels + 1, creatures), heights below the ends, and where the trunk will be in a
        cycle. Returns the slope ahead and the steepest slope, (2, creatures).
        """
        if seconds != self._carriage[0]:
            self._carriage[[0, 2, 3]] = seconds, exp(-self._stiffness * seconds), self._floor_rate * seconds
        room = (room + self._foreign).min(axis=1) if self._rig.follows else np.minimum.reduce(room)
        gait = clock.mixed, clock.activity, self.stride, self._carriage
        sums = self._sums(moments)
        found = following(self._levels - 1)(sums, self._state, room, ground, self.coming, steering.motion, *gait)
        found = self._ground(found)
        self._state = found[:-2]
        self._held = found[: 2 * self._levels]
        return found[-2:]

    # --- with the sway of the steps

    def frames(
        self, clock: GaitClock, steering: Steering, bearing: Bearing, time: float
    ) -> tuple[Array, SegmentFrames]:
        """The posture, (10, creatures), and the segments with the sway of the steps. time: seconds since the start."""
        rig = self._rig
        turn = (2.0 * np.pi) * clock.rhythm
        upright, reaching = np.cos(turn - np.pi * clock.mixed[0]), np.cos(turn)  # 1 in the middle of a leg's stance
        tilts, reach = self._tilting.dot(upright), self._reaching.dot(reaching)
        bounce = self._bouncing.dot(upright * (2.0 * upright + 1.0))
        steps = tilts, bounce, reach, clock.pace, clock.activity, clock.seconds, clock.mixed, steering.motion
        idle = *bearing.idle(time), bearing.parameters, self._sizes
        posed = posing(rig.segments, rig.follows)(self.yaw, self._held, *steps, *idle)
        count = 3 * rig.segments
        posture, angles = posed[: self._postures], posed[self._postures : self._postures + count]
        self.stride, self._roll = posture[1], posed[self._postures + count : -2]
        angles = angles.reshape(3, rig.segments, -1)
        frames = SegmentFrames.turned(rig, angles, self.place, posed[-2], posed[-1], self._sizes[2:])
        pitch = frames.angles[1]
        if rig.follows or rig.segments == 1:
            self._pitch, self._flat = pitch, self._length * frames.level
        else:
            self._pitch = np.add.reduce(pitch, keepdims=True) / rig.segments
        return posture, frames


# --- formulas

HALF_AND_WHOLE = np.array([[0.5], [1.0]])
WHOLE_AND_HALF = np.array([1.0, 0.5])[:, None, None]


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


AHEAD_OF = RowFormula(_ahead_of, way=3, sines=2, cosines=2, now=4, stance=4, uphill=1)
MOMENTS = RowFormula(moments_of, foot=3, place=2, heading=2, base=1)
