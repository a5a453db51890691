"""The motion of the trunk: position, height and lean of its segments."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.gait_clock import GaitClock
from limbik.gait.posture import Posture
from limbik.gait.rig import Rig
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.steering import in_world, seen_from
from limbik.springs import pulled

TRUNK_STIFFNESS = 4.0  # of the springs that carry the body, over the creature's tempo
MAX_PITCH_SINE = 0.9  # of a segment
UPHILL = 0.6  # shift of the footholds of a leaning body: 0 straight below it, 1 as if on level ground
# Over the body's height: feet nearer to one another contribute little to the slope ahead and across.
SLOPE_BLUR, ROLL_BLUR = 0.1, 0.25
MAX_SINKING = 0.3  # how much lower than usual the body goes for legs to reach, over its height
FLOOR_RATE = 0.12  # greatest speed at which the ground lifts the body, over the speed of a fall from its height
CURL = np.radians(200.0)  # greatest bend of a row of segments, all joints together
MAX_JOINT = np.radians(35.0)  # greatest bend of one joint between segments
TURN_BEND = 0.1  # bend of a flexible spine into a turn, seconds times the turning rate
MAX_TURN_BEND = np.radians(12.0)


class TrunkMotion:
    """One segment, or several: in line, or of which the first leads and each is pulled by the one before.

    place: (2, creatures), x and z of the trunk's centre; of the first segment's where the others follow it. yaw:
    (segments, creatures), radians from +z to +x. ends: (2, levels, creatures), x and z of the trunk's ends, front to
    back, and of its joints where segments follow. slopes, across: (segments or 1, creatures), of the ground ahead and
    to the left, from the feet.
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
        self._front = np.linspace(1.0, -1.0, segments)[:, None] if segments > 1 else np.zeros((1, 1))
        self.straighten()

    # --- along the ground

    def straighten(self) -> None:
        """Puts the segments in a straight line behind the first."""
        back = np.concatenate([-0.5 * self._flat[:1], np.cumsum(self._flat, axis=0) - 0.5 * self._flat[:1]])
        self.ends = self.place[:, None] - back * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])[:, None]

    def move(self, way: Array) -> None:
        """Moves the trunk, or its first segment, by (left, ahead, turn), (3, creatures); the others follow."""
        left, ahead, turn = way
        self.place = self.place + in_world(self.yaw[0] + 0.5 * turn, left, ahead)
        if not self._rig.follows:
            self.yaw = self.yaw + turn
            half = 0.5 * self._flat[0] * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])
            self.ends = np.array([self.place + half, self.place - half]).swapaxes(0, 1)
            return
        self.yaw[0] += turn
        half = 0.5 * self._flat[0] * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])
        self.ends[:, 0], self.ends[:, 1] = self.place + half, self.place - half
        before = self.ends.copy()
        for k in range(1, self._rig.segments):
            away = self.ends[:, k] - self.ends[:, k + 1]
            self.ends[:, k + 1] = self.ends[:, k] - away * (self._flat[k] / np.hypot(*away))
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
        left, onward, turn = way
        rig = self._rig
        x, z = rig.foothold
        if rig.follows:
            mid_x, mid_z = rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
            yaw, pitch, rolls = rig.of_legs(np.array([self.yaw, self._pitch, self._roll]))
        else:
            (mid_x, mid_z), yaw, pitch, rolls = self.place[:, None], self.yaw[:1], self._pitch, self._roll
            z = z + rig.along
        # Seen from above, the footholds of a body that leans with the ground are closer together and further uphill.
        x = x + rolls * (UPHILL * self._height - 0.5 * rolls * x)
        z = z + pitch * (UPHILL * self._height - 0.5 * pitch * z)
        toes, (off_x, off_z) = in_world(yaw + turn, *rig.toe), in_world(yaw + turn, x, z)
        mid_x, mid_z = mid_x + off_x, mid_z + off_z
        middle = yaw + 0.5 * turn
        sine, cosine = np.sin(middle), np.cos(middle)
        return np.array([mid_x + left * cosine + onward * sine, mid_z + onward * cosine - left * sine]), toes

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

    def wanted(self, supports: Array, crouch: Array) -> Array:
        """Target heights of the ends and rolls, (levels + parts, creatures), from the feet.

        supports: (3, legs, creatures), where legs stand or, in swing, points between their footholds.
        """
        rig, tilt = self._rig, self._rig.creature.tilt
        y = supports[1]
        height = self._height - crouch
        if not rig.follows:
            x, z = seen_from(self.yaw[0], supports[::2] - self.place[:, None])
            self.level, self.slopes, self.across, roll = self._plane(x, y, z)
            rise = (0.5 * self._length * tilt) * self.slopes
            return np.concatenate([self.level + rise + height, self.level - rise + height, tilt * roll])
        middles = rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
        x, z = seen_from(rig.of_legs(self.yaw[None])[0], supports[::2] - middles)
        mean = rig.leg_weights @ y
        padded = np.concatenate([2.0 * mean[:1] - mean[1:2], mean, 2.0 * mean[-1:] - mean[-2:-1]])
        levels = 0.5 * (padded[:-1] + padded[1:]) + height
        self.level, self.slopes = mean, (levels[:-1] - levels[1:]) / self._length
        off = y - (mean.take(rig.segment, axis=0) + z * self.slopes.take(rig.segment, axis=0))
        lever, spread = rig.leg_weights @ (x * off), rig.leg_weights @ (x * x)
        self.across = lever / (spread + self._blur)
        return np.concatenate([levels, tilt * lever / (spread + self._roll_blur)])

    def _plane(self, x: Array, y: Array, z: Array) -> tuple[Array, Array, Array, Array]:
        """Height at the origin, slopes ahead and across, and roll, (1, creatures), from points (legs, creatures)."""
        mean = self._rig.mean
        mean_x, mean_y, mean_z = mean @ x, mean @ y, mean @ z
        x, y, z = x - mean_x, y - mean_y, z - mean_z
        xx, zz = mean @ (x * x) + self._blur, mean @ (z * z) + self._blur
        xz, xy, zy = mean @ (x * z), mean @ (x * y), mean @ (z * y)
        scale = 1.0 / (xx * zz - xz * xz)
        ahead, across = (xx * zy - xz * xy) * scale, (zz * xy - xz * zy) * scale
        # Seen from the trunk's own place, and blurred: steps that one foot of a narrow stance takes do not tip it over.
        level = mean_y - ahead * mean_z - across * mean_x
        return level, ahead, across, across * (xx / (xx + self._roll_blur))

    def settle(self, wanted: Array) -> None:
        """Sets the heights and rolls, at rest."""
        self._held, self._speed = wanted, np.zeros_like(wanted)

    def follow(self, wanted: Array, seconds: float, speed: Array, floor: Array, room: Array) -> None:
        """Moves heights and rolls to their targets by springs, which follow the slope of the ground without lag.

        speed: (creatures,), ahead, m/s. floor: (levels, creatures), the least heights. room: (legs, creatures), how
        much higher hips can go before their legs are stretched.
        """
        levels = self._levels
        wanted[:levels] -= self._too_high(wanted[:levels], room)
        rising = np.zeros_like(wanted)
        rising[0] = self.slopes[0] * speed
        rising[1:levels] = self.slopes * speed
        gap = self._held + rising * seconds - wanted
        gap, change = pulled(gap, self._speed - rising, self._stiffness, seconds)
        held = wanted + gap
        self._speed = change + rising
        lifted = np.minimum(floor - held[:levels], self._floor_rate * seconds)
        held[:levels] += np.maximum(lifted, 0.0)
        self._held = held

    def _too_high(self, wanted: Array, room: Array) -> Array:
        """By how much the target heights of the ends exceed what the legs reach."""
        rig = self._rig
        rise = wanted - self._held[: self._levels]
        if not rig.follows:
            over = 0.5 * (rise[0] + rise[1]) - room.min(axis=0)
            return np.minimum(np.maximum(over, 0.0), MAX_SINKING * self._height)
        least = np.where(rig.leg_weights[:, :, None] > 0.0, room, np.inf).min(axis=1)
        over = np.minimum(np.maximum(0.5 * (rise[:-1] + rise[1:]) - least, 0.0), MAX_SINKING * self._height)
        return np.maximum(np.concatenate([over, over[-1:]]), np.concatenate([over[:1], over]))

    # --- with the sway of the steps

    def frames(self, clock: GaitClock, posture: Posture) -> SegmentFrames:
        """The segments with the sway of the steps."""
        rig, numbers, activity = self._rig, clock.numbers, posture.activity
        turn = (2.0 * np.pi) * clock.rhythm
        upright = np.cos(turn - np.pi * numbers.duty)  # 1 in the middle of a leg's stance
        sway, rock = (rig.sides @ upright) * (activity * np.array([numbers.sway, numbers.rock]))
        sway = sway + (rig.shift_width * posture.shift)
        bounce = upright * (2.0 * upright + 1.0)
        rise = numbers.bob * (activity * posture.stride * posture.stride)
        reaching = rig.side_weights @ np.cos(turn)  # (segments, creatures)
        yaw = self.yaw - reaching * (numbers.twist * activity)
        roll = (rig.side_weights @ upright) * (numbers.drop * activity) - posture.bank
        levels = self._held[: self._levels]
        middle = 0.5 * (levels[0] + levels[1])
        if rig.follows:
            levels = levels + ((rig.mean @ bounce - 1.0) * rise + self._along * (self._length * rig.segments * rock))
            pitch = (levels[:-1] - levels[1:]) / self._length
            middle = 0.5 * (levels[0] + levels[1])
        elif rig.segments == 1:
            pitch = (levels[:1] - levels[1:]) / self._length + rock
            middle = middle + ((rig.mean @ bounce)[0] - 1.0) * rise
        else:
            lift = (rig.leg_weights @ bounce - 1.0) * rise
            slope = (levels[0] - levels[1]) / self._length + rock
            pitch = slope + rig.spine_slopes @ lift
            gather = rig.gather @ np.cos(turn)
            pitch = pitch - self._front * (numbers.arch * activity * gather)
            middle = middle + lift.mean(axis=0)
            bend = np.minimum(np.maximum(TURN_BEND * posture.turn, -MAX_TURN_BEND), MAX_TURN_BEND)
            yaw = yaw + self._front * bend
        pitch = np.minimum(np.maximum(pitch, -MAX_PITCH_SINE), MAX_PITCH_SINE)
        self._roll = self._held[self._levels :] - posture.bank
        frames = SegmentFrames.turned(yaw, pitch, self._held[self._levels :] + roll)
        self._pitch = pitch if rig.follows or rig.segments == 1 else pitch.mean(axis=0, keepdims=True)
        if rig.follows or rig.segments == 1:
            self._flat = self._length * frames.level
        x, z = self.place
        side_x, _, side_z = frames.left[:, 0]
        first = np.array([x + sway * side_x, middle, z + sway * side_z])
        return frames.chained(first, rig.creature.body.length, centred=not rig.follows)
