"""A crowd: creatures of one kind, advanced in time together."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import maximum, minimum, sqrt, where
from limbik.gait.foot_motion import FootMotion
from limbik.gait.gait_clock import GaitClock
from limbik.gait.leg_formulas import SUPPORT, TETHER, TRUTH
from limbik.gait.leg_reach import LegReach
from limbik.gait.pacing import Pacing
from limbik.gait.posture import Bearing
from limbik.gait.rig import Rig
from limbik.gait.secondary_motion import SecondaryMotion
from limbik.gait.segment_frames import SegmentFrames
from limbik.gait.steering import Steering
from limbik.gait.trunk_motion import TrunkMotion
from limbik.gait.walker_state import WalkerState
from limbik.terrains.base import Terrain

STANDING_SPEED = 0.02  # speed below which a creature stands, over the slowest gait's top speed
REPLAN_FRAMES = 3  # interval at which feet in swing search for footholds again
SETTLING_ROUNDS = 4  # iterations, plus one for each segment, for the initial lean of a body on uneven ground
URGENT = 0.4  # fraction of the stance before which legs do not step out of turn
LONGEST = 1.5  # length of the longest step, over the usual: a foot that was left behind catches up in several
GIVE_WAY = 1.0  # greatest speed of bodies that give way, over the top speed


class Crowd:
    """The state of the creatures, and how it changes.

    place: (2, creatures), x and z, and yaw: (creatures,), radians, at the start. beats: (creatures,), initial cycles.
    gait: index of the gait to keep, or None. character: (numbers, creatures), factors on the parameters of the gaits,
    or None. times: (creatures,), seconds from which each one's idle motions start, or None for no secondary motion.
    running: (creatures,) bool, which walk or still have feet to move. steering, pacing, clock, feet, trunk: the parts
    of the state, each advanced by its own rules.
    """

    def __init__(
        self,
        rig: Rig,
        terrain: Terrain,
        place: Array,
        yaw: Array,
        beats: Array,
        gait: int | None = None,
        character: Array | None = None,
        times: Array | None = None,
    ) -> None:
        self.rig = rig
        self.steering = Steering(rig, len(yaw), rig.fastest(gait))
        self.pacing = Pacing(rig, terrain, len(yaw))
        self.clock = GaitClock(rig, beats, gait, character)
        self.trunk = TrunkMotion(rig, place, yaw)
        self._bearing = Bearing(rig, times, len(yaw))
        self._steep, self._rising = np.zeros((2, len(yaw)))
        self._time, self._frame = 0.0, 0
        self._still = np.zeros((2, rig.springs, len(yaw)))
        self._terrain = terrain
        self._reach = LegReach(rig, len(yaw))
        self._settle()
        self._nobody = np.zeros((rig.legs, len(yaw)), bool)
        self._urgent = self._nobody  # legs that must step out of turn
        self._standing = STANDING_SPEED * rig.speeds[0]
        self.running = np.zeros(len(yaw), bool)
        self._ankles = self.feet.hold
        self._hips = self._frames()[1].hips(rig)
        self._tethers: Array | None = None  # fractions of the motion that legs allow, (legs, creatures), if known
        self._seconds = np.inf  # of the last step
        if self.feet.stuck.any():
            self.feet.lose(self.feet.stuck)
        self._secondary: SecondaryMotion | None = None
        self.state = self._placed(self.feet.hold[1])
        self._urgent = self._nobody
        if times is not None and rig.springs:
            self._secondary = SecondaryMotion(rig, self.state.angles, self.state.middle[1])

    def _settle(self) -> None:
        """Stands the creatures on the ground."""
        for _ in range(SETTLING_ROUNDS + self.rig.segments):
            wish, toes = self._wishes()
            level = self._first_levels(wish)
            self.feet = FootMotion(self.rig, self._terrain, self._reach.limits, wish, toes, level)
            self.trunk.settle(self._supports())
            self._frames()
            self.trunk.straighten()

    def _first_levels(self, wish: Array) -> Array:
        """(legs, creatures) The heights that the ground is expected to have, from those below the body and near it."""
        middle = self.trunk.middles()
        below = self._terrain.height(*middle)
        rise = 2.0 * (self._terrain.height(*(0.5 * (middle + wish))) - below)
        most = self.rig.steepest * np.hypot(*(wish - middle))
        return below + np.minimum(np.maximum(rise, -most), most)

    def request(self, velocity: Array, turn: Array | None) -> None:
        """Asks for a velocity, (2, creatures), and a turning rate, (creatures,), or None to face the velocity."""
        self.steering.request(velocity, turn, self.trunk.yaw[0], self.trunk.heading)

    def advance(self, seconds: float) -> None:
        """Advances in time, by about one frame."""
        clock, feet = self.clock, self.feet
        most = self.pacing.most(seconds, self.steering, self.trunk, self._supports)
        self.steering.advance(seconds, self._rising, most, self._tether())
        self._time, self._seconds = self._time + seconds, seconds
        steering = self.steering
        clock.choose(seconds, steering.now, steering.command, steering.hold)
        self.trunk.move(self.steering, clock.seconds)
        going = clock.pace > self._standing
        rethink, everyone = self._frame % REPLAN_FRAMES == 0, np.count_nonzero(going) == going.size
        wishes = None if everyone and not rethink else self._wishes()
        willing = going if wishes is None else going | feet.off(wishes[0])
        self._run(going if everyone else (willing | ~feet.planted | feet.struck).any(axis=0))
        hanging = feet.lost & feet.stuck if feet.some_lost else self._nobody
        turns = clock.advance(seconds, self.running, feet.planted, self._steep, hanging, feet.course, feet.arch)
        lifting = self._nobody
        if np.count_nonzero(turns) or self._urgent is not self._nobody:
            feet.land(turns[0] > 0.5)
            lifting = self._lift_off(turns[1] > 0.5, willing, rethink)
        if rethink or np.count_nonzero(lifting) or np.count_nonzero(self._urgent):
            wish, toes = wishes or self._wishes()
            again = self._urgent | (feet.lost & feet.stuck) | feet.moved(wish, clock) if rethink else self._urgent
            refused = feet.plan(lifting, again, wish, toes, self.trunk.levels, clock)
            if refused.any():
                clock.wait(refused)
        self._frame += 1
        self.state = self._placed(self._carry(seconds))

    def keep_to(self, gait: int | None) -> None:
        """Keeps a gait, by its index; with None the gait follows from the speed."""
        self.clock.keep_to(gait)
        self.steering.fastest = self.rig.fastest(gait)

    def push(self, velocity: Array) -> None:
        """Adds a velocity, (2, creatures), x and z in the world."""
        self.steering.push(velocity, self.trunk.yaw[0])
        self._tethers = None

    # --- steps

    def _run(self, running: Array) -> None:
        """Runs the clocks of creatures, (creatures,) bool, and stops the others."""
        starting = running & ~self.running
        self.running = running
        if np.count_nonzero(starting):
            self.clock.start(starting)

    def _wishes(self) -> tuple[Array, Array]:
        """Preferred footholds and directions of the toes, (2, legs, creatures) each.

        They are those at rest below the body in the middle of the coming stance.
        """
        clock = self.clock
        seconds = clock.landing + 0.5 * clock.numbers.duty * clock.seconds
        way = self.steering.ahead(seconds)
        if self.pacing.obstacles:  # not beyond the place where the body will stop
            far = np.hypot(way[0], way[1])
            way[:2] *= np.minimum(self.pacing.clear / np.maximum(far, 1e-9), 1.0)
        wish, toes = self.trunk.ahead(way)
        if self._frame:
            feet = self.feet
            wish = SHORTENED(wish, feet.hold, feet.left, feet.planted, clock.stride).reshape(wish.shape)
        return wish, toes

    def _frames(self) -> tuple[Array, SegmentFrames]:
        return self.trunk.frames(self.clock, self.steering, self._bearing, self._time)

    def _tether(self) -> Array:
        """(creatures,) The fraction of the motion that the feet allow, at most 1."""
        clock, feet, parts = self.clock, self.feet, self._tethers
        if parts is None:
            state = feet.landing, feet.planted, clock.landing, feet.stuck, clock.phase
            motion = self.steering.motion, self.trunk.heading, clock.mixed[0], clock.seconds
            parts = TETHER(self._ankles, self.state.hips, *state, self._reach.tether, *motion)
            parts = parts.reshape(self._nobody.shape)
        part = np.minimum.reduce(parts, initial=1.0)
        return part * ~feet.lost.all(axis=0) if feet.some_lost else part

    def _supports(self) -> Array:
        """(3, legs, creatures): where feet stand, or between their footholds; without footholds, beside the others."""
        return self._beside(self.feet.supports(self.clock))

    def _beside(self, supports: Array) -> Array:
        """Supports with feet that have no foothold beside the others."""
        feet = self.feet
        if feet.some_stuck:
            none = feet.stuck & ~feet.planted if self._frame else feet.stuck
            others = np.where(none, 0.0, supports[1]).sum(axis=0) / np.maximum((~none).sum(axis=0), 1)
            if none.all(axis=0).any():
                others = np.where(none.all(axis=0), self._terrain.height(*self.trunk.place), others)
            supports[1] = np.where(none, others, supports[1])
        return supports

    def _lift_off(self, due: Array, willing: Array, rethink: bool) -> Array:
        """The legs that lift off now; those whose turn it is but that stand well skip their swing.

        Legs that found no foothold wait until feet search again.
        """
        clock, feet = self.clock, self.feet
        clock.passing = clock.passing | (due & ~willing)
        due = due & willing
        if feet.some_stuck and not rethink:
            clock.wait(due & feet.stuck)
            due = due & ~feet.stuck
        lifting = (due & clock.may_lift(feet.planted)) | (self._urgent & feet.planted)
        clock.passing = clock.passing & ~lifting
        if lifting.any():
            clock.lift(lifting)
            feet.lift(lifting)
        return lifting

    # --- the body

    def _carry(self, seconds: float) -> Array:
        """Moves the bodies after the feet; returns the least heights of tips in swing, (legs, creatures)."""
        trunk, feet, clock = self.trunk, self.feet, self.clock
        places = np.concatenate([trunk.ends, trunk.coming[:2, None]], axis=1)
        feet.turn(clock, self._hips)
        ground, found = feet.ground(places, clock, seconds)
        there = feet.left, feet.hold, self._ankles, feet.landing, self.state.hips, feet.planted, feet.lost, clock.swing
        time = clock.swing_rate, clock.mixed[0], clock.seconds
        support = SUPPORT(*there, self._reach.comfortable, trunk.coming, *time, *trunk.base)
        support = support.reshape(12, *self._nobody.shape)
        moments = trunk.moments(self._beside(support[:3])) if feet.some_stuck else support[4:]
        self._rising, self._steep = trunk.follow(moments, support[3], found, seconds, self.steering, clock)
        return ground

    def _placed(self, ground: Array) -> WalkerState:
        """The present state of the creatures; ground: (legs, creatures), the least heights of tips in swing."""
        rig, feet, clock = self.rig, self.feet, self.clock
        posture, frames = self._frames()
        body = self.steering.motion, self.trunk.heading
        last, hips, self._ankles, asking = feet.place(ground, clock, frames.of_legs(rig), body)
        shift, self._urgent, self._tethers = None, self._nobody, asking[2]
        if np.count_nonzero(asking[0]):
            lost = feet.lost if feet.some_lost else None
            shift, urgent = self._reach.given_way(self._ankles - hips, feet.planted, clock.swing, lost)
            # A leg that has just been put down is not lifted again: the body sinks.
            self._urgent = urgent & clock.may_lift(feet.planted) & (clock.phase > URGENT * clock.numbers.duty)
        if shift is not None:
            most = (
                GIVE_WAY
                * self.rig.fastest(None)
                * self._seconds
                / np.maximum(np.sqrt((shift * shift).sum(axis=0)), 1e-12)
            )
            shift = shift * np.minimum(most, 1.0)
            self.trunk.shift(shift)
            frames = frames.shifted(shift)
            last, hips, self._ankles, asking = feet.place(ground, clock, frames.of_legs(rig), body)
        self._hips = hips
        if shift is not None or np.count_nonzero(asking[1]):
            self._draw_in(hips)
            self._tethers = None
        sprung = self._still
        if self._secondary is not None:
            sprung = self._secondary.advance(frames.angles, frames.middle[1], self._seconds)
        return WalkerState(
            middle=frames.middle,
            angles=frames.angles,
            hips=hips,
            tips=feet.tips,
            last=last,
            normal=feet.normal,
            toe=feet.toe,
            roll=feet.roll,
            clearance=feet.clearance,
            toe_rise=feet.toe_rise,
            rhythm=clock.rhythm,
            planted=feet.planted,
            toes_down=feet.toes_down,
            posture=posture,
            sprung=sprung,
            blocked=self.pacing.blocked | feet.lost.all(axis=0) if feet.some_lost else self.pacing.blocked,
        )

    def _draw_in(self, hips: Array) -> None:
        """Brings feet that are out of reach nearer. A planted one lifts off: a rare case, since bodies give way."""
        feet = self.feet
        inward, out = self._reach.drawn_in(self._ankles - hips)
        if not out.any():
            return
        lost = out & feet.planted
        there = feet.tips + inward
        inward[1] += np.maximum(feet.ground_at(there) - there[1], 0.0) * out
        feet.move(inward)
        self._ankles = self._ankles + inward
        if lost.any():
            self.clock.lift(lost)
            feet.lose(lost)
            self._urgent = self._urgent | lost


# --- formulas


def _shortened(wish: Any, hold: Any, left: Any, planted: Any, stride: Any) -> Any:
    """A preferred foothold, x and z, no further than the longest step from where the foot stands or stood."""
    start = tuple(where(planted > 0.5, hold[k], left[k]) for k in (0, 2))
    x, z = (b - a for a, b in zip(start, wish, strict=True))
    part = minimum(LONGEST * stride / maximum(sqrt(x * x + z * z), 1e-9), 1.0)
    return start[0] + x * part, start[1] + z * part


SHORTENED = RowFormula(_shortened, wish=2, hold=3, left=3, planted=TRUTH, stride=1)
