"""The motion of the trunk: position, height and lean of its segments."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.gait_clock import GaitClock
from limbik.gait.rig import Rig
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.springs import pulled
from limbik.gait.steering import in_world, seen_from

TRUNK_STIFFNESS = 4.0  # of the springs that carry the body, over the creature's tempo
MAX_PITCH_SINE = 0.9  # of a segment
UPHILL = 0.6  # shift of the footholds of a leaning body: 0 straight below it, 1 as if on level ground
SLOPE_BLUR = 0.1  # over the body's height: feet nearer to one another contribute little to the slope


class TrunkMotion:
    """One segment, or several of which the first leads and each is pulled by the one before.

    place: (2, creatures), x and z of the first one's centre. yaw: (segments, creatures), radians from +z to +x.
    ends: (2, segments + 1, creatures), x and z of the segments' ends, front to back. slopes: (segments, creatures), of
    the ground ahead, from the feet.
    """

    def __init__(self, rig: Rig, place: Array, yaw: Array) -> None:
        creature, segments = rig.creature, rig.segments
        self._rig, self._length, self._height = rig, creature.body.length, creature.height
        self._stiffness = TRUNK_STIFFNESS * rig.tempo
        self._blur = (SLOPE_BLUR * creature.height) ** 2
        self.place = place
        self.yaw = np.tile(yaw, (segments, 1))
        # Heights of the ends, then rolls of the segments as slopes, positive where the left side is higher.
        self._held = np.zeros((2 * segments + 1, len(yaw)))
        self._speed = np.zeros_like(self._held)
        self.slopes: Array = np.zeros_like(self.yaw)
        self._pitch = np.zeros_like(self.yaw)  # sines, nose up
        self._flat = np.full(self.yaw.shape, self._length)  # length of the segments seen from above
        self._along = 0.5 - np.arange(segments + 1)[:, None] / segments
        self.straighten()

    # --- along the ground

    def straighten(self) -> None:
        """Puts the segments in a straight line behind the first."""
        back = np.concatenate([-0.5 * self._flat[:1], np.cumsum(self._flat, axis=0) - 0.5 * self._flat[:1]])
        self.ends = self.place[:, None] - back * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])[:, None]

    def move(self, way: Array) -> None:
        """Moves the first segment by (left, ahead, turn), (3, creatures); the others follow."""
        left, ahead, turn = way
        self.place = self.place + in_world(self.yaw[0] + 0.5 * turn, left, ahead)
        self.yaw[0] += turn
        half = 0.5 * self._flat[0] * np.array([np.sin(self.yaw[0]), np.cos(self.yaw[0])])
        self.ends[:, 0], self.ends[:, 1] = self.place + half, self.place - half
        for k in range(1, self._rig.segments):
            away = self.ends[:, k] - self.ends[:, k + 1]
            self.ends[:, k + 1] = self.ends[:, k] - away * (self._flat[k] / np.hypot(*away))
            self.yaw[k] = np.arctan2(*away)

    def velocity(self, motion: Array) -> Array:
        """(2, creatures), x and z in the world, of a motion (to the left, ahead, turn)."""
        return in_world(self.yaw[0], motion[0], motion[1])

    def ahead(self, way: Array) -> tuple[Array, Array]:
        """Predicts footholds and directions of the toes, (2, legs, creatures) each.

        way: (3, legs, creatures), motion to the left and ahead, and turn, of each leg's segment from its own heading.
        """
        left, onward, turn = way
        rig = self._rig
        mid_x, mid_z = rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
        yaw, pitch, rolls = rig.of_legs(np.array([self.yaw, self._pitch, self._held[rig.segments + 1 :]]))
        # Seen from above, the footholds of a body that leans with the ground are closer together and further uphill.
        x, z = rig.foothold
        x = x + rolls * (UPHILL * self._height - 0.5 * rolls * x)
        z = z + pitch * (UPHILL * self._height - 0.5 * pitch * z)
        toes, (off_x, off_z) = in_world(yaw + turn, *rig.toe), in_world(yaw + turn, x, z)
        mid_x, mid_z = mid_x + off_x, mid_z + off_z
        middle = yaw + 0.5 * turn
        sine, cosine = np.sin(middle), np.cos(middle)
        return np.array([mid_x + left * cosine + onward * sine, mid_z + onward * cosine - left * sine]), toes

    def shift(self, by: Array) -> None:
        """Moves the trunk by (3, creatures) in the world."""
        self.place = self.place + by[::2]
        self.ends = self.ends + by[::2, None]
        self._held[: self._rig.segments + 1] += by[1]

    # --- height and lean

    def wanted(self, supports: Array, crouch: Array) -> Array:
        """Target heights of the ends and rolls, (2 segments + 1, creatures), from the feet.

        supports: (3, legs, creatures), where legs stand or, in swing, points between their footholds.
        """
        rig, tilt = self._rig, self._rig.creature.tilt
        middles = rig.of_legs(0.5 * (self.ends[:, :-1] + self.ends[:, 1:]))
        x, z = seen_from(rig.of_legs(self.yaw[None])[0], supports[::2] - middles)
        y = supports[1]
        mean = rig.leg_weights @ y
        height = self._height - crouch
        if rig.segments == 1:
            self.slopes, rolls = self._plane(x, y - mean, z)
            rise = (0.5 * self._length * tilt) * self.slopes
            return np.concatenate([mean + rise + height, mean - rise + height, tilt * rolls])
        padded = np.concatenate([2.0 * mean[:1] - mean[1:2], mean, 2.0 * mean[-1:] - mean[-2:-1]])
        levels = 0.5 * (padded[:-1] + padded[1:]) + height
        self.slopes = (levels[:-1] - levels[1:]) / self._length
        off = y - (mean.take(rig.segment, axis=0) + z * self.slopes.take(rig.segment, axis=0))
        rolls = (rig.leg_weights @ (x * off)) / (rig.leg_weights @ (x * x) + self._blur)
        return np.concatenate([levels, tilt * rolls])

    def _plane(self, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
        """Slopes ahead and to the left, (1, creatures), of the plane through points (legs, creatures) with mean y 0."""
        weights = self._rig.leg_weights
        x, z = x - weights @ x, z - weights @ z
        xx, zz = weights @ (x * x) + self._blur, weights @ (z * z) + self._blur
        xz, xy, zy = weights @ (x * z), weights @ (x * y), weights @ (z * y)
        scale = 1.0 / (xx * zz - xz * xz)
        return (xx * zy - xz * xy) * scale, (zz * xy - xz * zy) * scale

    def settle(self, wanted: Array) -> None:
        """Sets the heights and rolls, at rest."""
        self._held, self._speed = wanted, np.zeros_like(wanted)

    def follow(self, wanted: Array, seconds: float, speed: Array, floor: Array, room: Array) -> None:
        """Moves heights and rolls to their targets by springs, which follow the slope of the ground without lag.

        speed: (creatures,), ahead, m/s. floor: (segments + 1, creatures), the least heights. room: (legs, creatures),
        how much higher hips can go before their legs are stretched.
        """
        levels = self._rig.segments + 1
        wanted[:levels] -= self._too_high(wanted[:levels], room)
        rising = np.zeros_like(wanted)
        rising[0] = self.slopes[0] * speed
        rising[1:levels] = self.slopes * speed
        gap = self._held + rising * seconds - wanted
        gap, change = pulled(gap, self._speed - rising, self._stiffness, seconds)
        self._held, self._speed = wanted + gap, change + rising
        np.maximum(self._held[:levels], floor, out=self._held[:levels])

    def _too_high(self, wanted: Array, room: Array) -> Array:
        """By how much the target heights of the ends exceed what the legs reach."""
        rig = self._rig
        rise = wanted - self._held[: rig.segments + 1]
        if rig.segments == 1:
            return np.maximum(0.5 * (rise[0] + rise[1]) - room.min(axis=0), 0.0)
        least = np.where(rig.leg_weights[:, :, None] > 0.0, room, np.inf).min(axis=1)
        over = np.maximum(0.5 * (rise[:-1] + rise[1:]) - least, 0.0)
        return np.maximum(np.concatenate([over, over[-1:]]), np.concatenate([over[:1], over]))

    # --- with the sway of the steps

    def frames(self, clock: GaitClock, activity: Array) -> SegmentFrames:
        """The segments with the sway of the steps; activity: (creatures,), 0 for standing to 1."""
        rig, numbers = self._rig, clock.numbers
        turn = (2.0 * np.pi) * clock.rhythm
        upright = np.cos(turn - np.pi * numbers.duty)  # 1 in the middle of a leg's stance
        sway, rock = (rig.sides @ upright) * (activity * np.array([numbers.sway, numbers.rock]))
        bob = (rig.mean @ (upright * (2.0 * upright + 1.0)) - 1.0) * (numbers.bob * activity)
        yaw = self.yaw - (rig.leg_weights @ (rig.left * np.cos(turn))) * (numbers.twist * activity)
        nose_up = (self._length * rig.segments) * rock
        levels = self._held[: rig.segments + 1] + (bob + self._along * nose_up)
        pitch = np.minimum(np.maximum((levels[:-1] - levels[1:]) / self._length, -MAX_PITCH_SINE), MAX_PITCH_SINE)
        self._pitch = pitch
        frames = SegmentFrames.turned(yaw, pitch, self._held[rig.segments + 1 :])
        self._flat = self._length * frames.level
        x, z = self.place
        side_x, _, side_z = frames.left[:, 0]
        first = np.array([x + sway * side_x, 0.5 * (levels[0] + levels[1]), z + sway * side_z])
        return frames.chained(first, self._length)
