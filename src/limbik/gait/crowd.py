"""A crowd: creatures of one kind, from state to state."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.foot_motion import FootMotion
from limbik.gait.gait_clock import GaitClock
from limbik.gait.leg_reach import LegReach
from limbik.gait.rig import Rig
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.steering import Steering
from limbik.gait.trunk_motion import TrunkMotion
from limbik.gait.walker_state import WalkerState
from limbik.skeleton.easing import ease
from limbik.terrains.base import Terrain

STILL = 0.02  # part of the slowest gait's top speed below which a creature stands
BUSY, BUSTLE = 0.4, 2.0  # part of it from which on the body sways in full; how soon, times the creature's tempo
RETHINK = 3  # frames after which feet in the air look again where they should land
SETTLING = 4  # rounds, and one a segment, in which a body that is put on uneven ground finds how it leans
CALM = 1e-3  # activity below which there is none
CLEARANCE = 0.35  # of the body's height: its ends are never nearer to the ground


class Crowd:
    """All that is known of the creatures, and how it goes on.

    place: (2, creatures), x and z, and yaw: (creatures,), radians, where they start. beats: (creatures,), where in the
    cycle. gait: the number of the one to keep to. running: (creatures,) bool, who walks or still has feet to move.
    """

    def __init__(self, rig: Rig, terrain: Terrain, place: Array, yaw: Array, beats: Array, gait: int | None) -> None:
        self.rig = rig
        self.steering = Steering(rig, len(yaw), rig.fastest(gait))
        self._clock = GaitClock(rig, beats, gait)
        self.trunk = TrunkMotion(rig, place, yaw)
        self._activity, self._steep = np.zeros((2, len(yaw)))
        for _ in range(SETTLING + rig.segments):
            self._feet = FootMotion(rig, terrain, *self._wishes())
            self.trunk.settle(self.trunk.wanted(self._feet.hold, self._activity))
            self.trunk.frames(self._clock, self._activity)
            self.trunk.straighten()
        self._reach = LegReach(rig)
        self._passing = self._clock.phase >= self._clock.numbers.duty  # legs that let their turn pass
        self._urgent = np.zeros_like(self._passing)  # legs that cannot wait for theirs
        self.running = np.zeros(len(yaw), bool)
        self._frame = 0
        self._ankles = self._feet.hold
        self.state = self._placed(self._feet.hold[1])

    def advance(self, seconds: float) -> None:
        """Goes on in time, by a frame or so."""
        clock, feet = self._clock, self._feet
        self.trunk.move(self.steering.advance(seconds))
        pace, asked = self._paces()
        clock.choose(np.maximum(pace, asked))
        self._bustle(pace, seconds)
        going = pace > STILL * self.rig.speeds[0]
        rethink = self._frame % RETHINK == 0
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
        """Keeps to a gait, by its number, from now on; or, with None, to whichever the speed asks for."""
        self._clock.keep_to(gait)
        self.steering.fastest = self.rig.fastest(gait)

    # --- what is to come

    @property
    def footholds(self) -> Array:
        """(3, legs, creatures): where feet stand or, in the air, are going to."""
        return self._feet.hold.copy()

    def arcs(self, samples: int) -> Array:
        """(samples, 3, legs, creatures): the ways of tips until they land."""
        return self._feet.arcs(self._clock, samples)

    @property
    def gait(self) -> Array:
        """(creatures,): the numbers of the gaits that they are in."""
        return self._clock.gait

    # --- steps

    def _paces(self) -> Array:
        """(2, creatures): how fast the ground goes by under the fastest foot, m/s, now and as was asked."""
        left, ahead, turn = np.array([self.steering.now, self.steering.requested]).transpose(1, 0, 2)[:, :, None]
        x, z = self.rig.foothold
        return np.hypot(left + turn * z, ahead - turn * x).max(axis=1)

    def _bustle(self, pace: Array, seconds: float) -> None:
        busy = ease(pace / (BUSY * self.rig.speeds[0]))
        activity = self._activity + (busy - self._activity) * min(BUSTLE * self.rig.tempo * seconds, 1.0)
        self._activity = activity * (activity > CALM)

    def _run(self, running: Array) -> None:
        """Lets the clocks of some creatures run, (creatures,) bool."""
        starting = running & ~self.running
        self.running = running
        if starting.any():
            self._clock.start(starting)
            after = self._clock.phase > self._clock.numbers.duty + 1e-9
            self._passing = np.where(starting, after, self._passing)

    def _wishes(self) -> tuple[Array, Array]:
        """Where feet had best land and point, (2, legs, creatures) each: below the body when they are halfway through.

        That is, in the middle of the stance that begins there.
        """
        clock = self._clock
        duty = clock.numbers.duty
        seconds = ((1.0 - duty) * (1.0 - clock.swing) + 0.5 * duty) * clock.seconds
        return self.trunk.ahead(self.steering.ahead(seconds))

    def _touch_down(self, landed: Array) -> None:
        self._feet.land(landed)
        passed = self._passing & (self._clock.phase >= 1.0)
        self._passing = self._passing & ~passed
        self._clock.land(landed | passed)

    def _lift_off(self, willing: Array) -> Array:
        """The legs that leave the ground now. Those whose turn it is but that stand well let it pass."""
        clock, feet = self._clock, self._feet
        due = feet.planted & ~self._passing & (clock.phase >= clock.numbers.duty)
        lifting = (due & willing & clock.may_lift(feet.planted)) | (self._urgent & feet.planted)
        self._passing = (self._passing | (due & ~willing)) & ~lifting
        if lifting.any():
            clock.lift(lifting)
            feet.lift(lifting)
        return lifting

    # --- the body

    def _carry(self, seconds: float) -> Array:
        """Lets the body follow the feet. How high those in the air must be, (legs, creatures)."""
        trunk, feet, clock, height = self.trunk, self._feet, self._clock, self.rig.creature.height
        way = trunk.velocity(self.steering.requested) * clock.seconds
        looks = np.concatenate([trunk.ends, (trunk.place + way)[:, None]], axis=1)
        ground, found = feet.ground(feet.course.now[0:3:2], looks)
        wanted = trunk.wanted(feet.supports(clock), clock.numbers.crouch * self._activity)
        floor = found[:-1] + CLEARANCE * height
        trunk.follow(wanted, seconds, self.steering.now[1], floor, self._headroom())
        rise = np.abs(found[-1] - 0.5 * (found[0] + found[1])) / np.maximum(np.hypot(*way), height)
        self._steep = np.maximum(np.abs(trunk.slopes[0]), rise)
        return ground

    def _headroom(self) -> Array:
        """How much higher, (legs, creatures), hips may go before legs are stretched: now or, in the air, on landing."""
        clock, planted = self._clock, self._feet.planted
        seconds = (1.0 - clock.swing) * (1.0 - clock.numbers.duty) * clock.seconds * ~planted
        line = np.where(planted, self._ankles, self._feet.landing) - self.state.hips
        line[::2] -= self.trunk.velocity(self.steering.now)[:, None] * seconds
        return self._reach.headroom(line, planted, clock.swing)

    def _placed(self, ground: Array) -> WalkerState:
        """The creatures as they are now; ground: how high feet in the air must be, (legs, creatures)."""
        rig, feet, clock = self.rig, self._feet, self._clock
        feet.place(ground, clock, self._activity)
        frames = self.trunk.frames(clock, self._activity)
        hips = frames.hips(rig)
        last = self._reach.kept_aside(feet.directions(), hips, feet.tips, frames.knees(rig))
        self._ankles = feet.tips - rig.last * last
        given = self._reach.given_way(self._ankles - hips, feet.planted, clock.swing)
        self._urgent = given.asking & clock.may_lift(feet.planted)
        if given.shift is not None:
            self.trunk.shift(given.shift)
            frames, hips = frames.shifted(given.shift), hips + given.shift[:, None]
        self._draw_in(hips)
        return self._seen(frames, hips, last, ground)

    def _draw_in(self, hips: Array) -> None:
        """Brings feet that cannot be reached nearer. One on the ground leaves it: seldom, for bodies give way."""
        feet = self._feet
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
            self._clock.lift(lost)
            feet.lift(lost)
            self._urgent = self._urgent | lost

    def _seen(self, frames: SegmentFrames, hips: Array, last: Array, ground: Array) -> WalkerState:
        feet = self._feet
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
            rhythm=self._clock.rhythm,
            activity=self._activity[None],
            planted=feet.planted,
        )
