"""A crowd: creatures of one kind, advanced in time together."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.foot_motion import FootMotion
from limbik.gait.gait_clock import GaitClock
from limbik.gait.leg_reach import LegReach
from limbik.gait.rig import Rig
from limbik.gait.steering import Steering
from limbik.gait.trunk_motion import TrunkMotion
from limbik.gait.walker_state import WalkerState
from limbik.skeleton.easing import ease
from limbik.terrains.base import Terrain

# Fractions of the slowest gait's top speed: below the first a creature stands, from the second on its body sways fully.
STANDING_SPEED, FULL_SWAY_SPEED = 0.02, 0.4
SWAY_RATE = 2.0  # rate at which sway sets in and ends, over the creature's tempo
REPLAN_FRAMES = 3  # interval at which feet in swing search for footholds again
SETTLING_ROUNDS = 4  # iterations, plus one for each segment, for the initial lean of a body on uneven ground
MIN_ACTIVITY = 1e-3  # activity below which there is none
BODY_CLEARANCE = 0.35  # least height of the body's ends above the ground, over its height at rest


class Crowd:
    """The state of the creatures, and how it changes.

    place: (2, creatures), x and z, and yaw: (creatures,), radians, at the start. beats: (creatures,), initial cycles.
    gait: index of the gait to keep, or None. running: (creatures,) bool, which walk or still have feet to move.
    steering, clock, feet, trunk: the parts of the state, each advanced by its own rules.
    """

    def __init__(self, rig: Rig, terrain: Terrain, place: Array, yaw: Array, beats: Array, gait: int | None) -> None:
        self.rig = rig
        self.steering = Steering(rig, len(yaw), rig.fastest(gait))
        self.clock = GaitClock(rig, beats, gait)
        self.trunk = TrunkMotion(rig, place, yaw)
        self._activity, self._steep = np.zeros((2, len(yaw)))
        for _ in range(SETTLING_ROUNDS + rig.segments):
            self.feet = FootMotion(rig, terrain, *self._wishes())
            self.trunk.settle(self.trunk.wanted(self.feet.hold, self._activity))
            self.trunk.frames(self.clock, self._activity)
            self.trunk.straighten()
        self._reach = LegReach(rig)
        self._passing = self.clock.phase >= self.clock.numbers.duty  # legs that skip their swing
        self._urgent = np.zeros_like(self._passing)  # legs that must step out of turn
        self.running = np.zeros(len(yaw), bool)
        self._frame = 0
        self._ankles = self.feet.hold
        self.state = self._placed(self.feet.hold[1])

    def advance(self, seconds: float) -> None:
        """Advances in time, by about one frame."""
        clock, feet = self.clock, self.feet
        self.trunk.move(self.steering.advance(seconds))
        pace, requested = self._paces()
        clock.choose(np.maximum(pace, requested))
        self._update_activity(pace, seconds)
        going = pace > STANDING_SPEED * self.rig.speeds[0]
        rethink = self._frame % REPLAN_FRAMES == 0
        wishes = self._wishes() if rethink or not going.all() else None
        willing = going if wishes is None else going | feet.off(wishes[0])
        aloft = ~feet.planted
        self._run((willing | aloft | feet.struck).any(axis=0))
        before = clock.swing
        clock.advance(seconds, self.running, aloft, self._steep)
        feet.course.advance(before, clock.swing - before)
        self._touch_down(aloft & (clock.swing >= 1.0))
        lifting = self._lift_off(willing)
        if rethink or lifting.any() or self._urgent.any():
            wish, toes = wishes or self._wishes()
            again = self._urgent | feet.moved(wish, clock) if rethink else self._urgent
            feet.plan(lifting, again, wish, toes, clock, self._activity)
        self._frame += 1
        self.state = self._placed(self._carry(seconds))

    def keep_to(self, gait: int | None) -> None:
        """Keeps a gait, by its index; with None the gait follows from the speed."""
        self.clock.keep_to(gait)
        self.steering.fastest = self.rig.fastest(gait)

    # --- steps

    def _paces(self) -> Array:
        """(2, creatures): speed of the ground under the fastest foot, m/s, at present and as requested."""
        left, ahead, turn = np.array([self.steering.now, self.steering.requested]).transpose(1, 0, 2)[:, :, None]
        x, z = self.rig.foothold
        return np.hypot(left + turn * z, ahead - turn * x).max(axis=1)

    def _update_activity(self, pace: Array, seconds: float) -> None:
        busy = ease(pace / (FULL_SWAY_SPEED * self.rig.speeds[0]))
        activity = self._activity + (busy - self._activity) * min(SWAY_RATE * self.rig.tempo * seconds, 1.0)
        self._activity = activity * (activity > MIN_ACTIVITY)

    def _run(self, running: Array) -> None:
        """Runs the clocks of creatures, (creatures,) bool, and stops the others."""
        starting = running & ~self.running
        self.running = running
        if starting.any():
            self.clock.start(starting)
            after = self.clock.phase > self.clock.numbers.duty + 1e-9
            self._passing = np.where(starting, after, self._passing)

    def _wishes(self) -> tuple[Array, Array]:
        """Preferred footholds and directions of the toes, (2, legs, creatures) each.

        They are those at rest below the body in the middle of the coming stance.
        """
        clock = self.clock
        duty = clock.numbers.duty
        seconds = ((1.0 - duty) * (1.0 - clock.swing) + 0.5 * duty) * clock.seconds
        return self.trunk.ahead(self.steering.ahead(seconds))

    def _touch_down(self, landed: Array) -> None:
        self.feet.land(landed)
        passed = self._passing & (self.clock.phase >= 1.0)
        self._passing = self._passing & ~passed
        self.clock.land(landed | passed)

    def _lift_off(self, willing: Array) -> Array:
        """The legs that lift off now; those whose turn it is but that stand well skip their swing."""
        clock, feet = self.clock, self.feet
        due = feet.planted & ~self._passing & (clock.phase >= clock.numbers.duty)
        lifting = (due & willing & clock.may_lift(feet.planted)) | (self._urgent & feet.planted)
        self._passing = (self._passing | (due & ~willing)) & ~lifting
        if lifting.any():
            clock.lift(lifting)
            feet.lift(lifting)
        return lifting

    # --- the body

    def _carry(self, seconds: float) -> Array:
        """Moves the bodies after the feet; returns the least heights of tips in swing, (legs, creatures)."""
        trunk, feet, clock, height = self.trunk, self.feet, self.clock, self.rig.creature.height
        way = trunk.velocity(self.steering.requested) * clock.seconds
        places = np.concatenate([trunk.ends, (trunk.place + way)[:, None]], axis=1)
        ground, found = feet.ground(feet.course.now[0:3:2], places)
        wanted = trunk.wanted(feet.supports(clock), clock.numbers.crouch * self._activity)
        floor = found[:-1] + BODY_CLEARANCE * height
        trunk.follow(wanted, seconds, self.steering.now[1], floor, self._headroom())
        rise = np.abs(found[-1] - 0.5 * (found[0] + found[1])) / np.maximum(np.hypot(*way), height)
        self._steep = np.maximum(np.abs(trunk.slopes[0]), rise)
        return ground

    def _headroom(self) -> Array:
        """(legs, creatures) How much higher hips can go before legs are stretched, now or, in swing, at touch-down."""
        clock, planted = self.clock, self.feet.planted
        seconds = (1.0 - clock.swing) * (1.0 - clock.numbers.duty) * clock.seconds * ~planted
        line = np.where(planted, self._ankles, self.feet.landing) - self.state.hips
        line[::2] -= self.trunk.velocity(self.steering.now)[:, None] * seconds
        return self._reach.headroom(line, planted, clock.swing)

    def _placed(self, ground: Array) -> WalkerState:
        """The present state of the creatures; ground: (legs, creatures), the least heights of tips in swing."""
        rig, feet, clock = self.rig, self.feet, self.clock
        feet.place(ground, clock, self._activity)
        frames = self.trunk.frames(clock, self._activity)
        hips = frames.hips(rig)
        last = self._reach.kept_aside(feet.directions(), hips, feet.tips, frames.knees(rig))
        self._ankles = feet.tips - rig.last * last
        shift, asking = self._reach.given_way(self._ankles - hips, feet.planted, clock.swing)
        self._urgent = asking & clock.may_lift(feet.planted)
        if shift is not None:
            self.trunk.shift(shift)
            frames, hips = frames.shifted(shift), hips + shift[:, None]
        self._draw_in(hips)
        return WalkerState(
            middle=frames.middle,
            angles=frames.angles,
            hips=hips,
            tips=feet.tips,
            last=last,
            normal=feet.normal,
            toe=feet.toe,
            roll=feet.roll,
            clearance=(feet.tips[1] - ground) * ~feet.planted,
            rhythm=clock.rhythm,
            activity=self._activity[None],
            planted=feet.planted,
        )

    def _draw_in(self, hips: Array) -> None:
        """Brings feet that are out of reach nearer. A planted one lifts off: a rare case, since bodies give way."""
        feet = self.feet
        inward, out = self._reach.drawn_in(self._ankles - hips)
        if not out.any():
            return
        lost = out & feet.planted
        there = feet.tips + inward
        ground, _ = feet.ground(there[::2], there[::2, :0])
        inward[1] += np.maximum(ground - there[1], 0.0) * out
        feet.tips = feet.tips + inward
        self._ankles = self._ankles + inward
        if lost.any():
            self.clock.lift(lost)
            feet.lift(lost)
            self._urgent = self._urgent | lost
