"""The feet of all creatures: planted, or in swing to the next foothold."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.foothold_search import Footholds, Needs, find
from limbik.gait.gait_clock import GaitClock
from limbik.gait.ground_ahead import STEP
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.rig import Rig
from limbik.gait.swing_arcs import Course, hump, hump_rate, lift_needed, travel
from limbik.skeleton.easing import ease
from limbik.terrains.base import Terrain

# Fractions of a leg's length:
SEARCH_RADIUS = 0.3  # greatest distance of a foothold from the preferred place
REPLAN_DISTANCE = 0.03  # change of the preferred place that makes a foot in swing search again
MAX_LIFT = 0.45  # greatest lift; what is higher is not stepped over
STEP_HEIGHT = 0.15  # step, up or down, from which on a foot does not strike with its heel
STANDING_TOLERANCE = 0.02  # distance from the preferred place up to which a foot of a standing creature stays

LONG_STEP, SLOWEST = 1.15, 0.4  # length over the usual of a step that takes longer, and the least rate of its swing
COMMITTED = 0.7  # fraction of the swing from which on the foothold is final
# Fractions of the stance: when a foot that struck with its heel is flat, and when its heel leaves the ground.
FOOT_FLAT, HEEL_OFF = 0.22, 0.56
MAX_TOE_BEND = 0.7  # radians, of toes to the foot
HEEL_RISE = 0.9955  # extension of a leg from which on its heel rises
MAX_HEEL_RISE = 1.1  # radians
BEHIND = 0.2  # distance of a foot behind its hip from which on its heel may rise fully, over the leg's length
QUICK = 9.0  # initial acceleration of a foot in swing, over the length of the step, per swing²
TOE_LIFT = 0.6  # slope up to which toes bend up where the ground before them is higher
FAR_AWAY = 1e9  # metres: a place that no foot is near
TIP, NORMAL, TOE, ROLL = slice(0, 3), slice(3, 6), slice(6, 9), 9  # rows of `FootMotion.course`


class FootMotion:
    """The state of the feet, (..., legs, creatures).

    planted: bool, in stance. hold: the present foothold, or in swing the next. landing: where the ankles will be then.
    tips: the present tips. roll: radians by which the toes point up, about the heel, or down, about the tip. stuck:
    bool, which find no foothold in reach. toe_rise: radians by which toes on the ground point up from the foot. course:
    the tip along the ground, the normal of the ground there, the direction of the toes, and the roll; they move to
    their goals, which they reach at the end of the swing.
    """

    def __init__(self, rig: Rig, terrain: Terrain, places: Array, toes: Array, level: Array) -> None:
        self._rig, self._terrain = rig, terrain
        shape = places.shape[1:]
        self._length = np.broadcast_to(rig.far + rig.last, shape)
        self.planted = np.ones(shape, bool)
        self.lost = np.zeros(shape, bool)  # lifted since they did not reach their footholds
        self.hold = np.full((3, *shape), FAR_AWAY)
        self.roll: Array = np.zeros(shape)
        self._strike, self._lift, self._slack = np.zeros((3, *shape))
        self.toe_rise: Array = np.zeros(shape)
        self._wish = places.copy()
        everyone = np.arange(places[0].size)
        found, there = self._found(everyone, places, toes, level)
        self.stuck = ~there.reshape(shape)
        self.some_stuck, self.some_lost = not there.all(), False  # whether any are
        self.hold = found.place.reshape(3, *shape)
        self.toes_down = np.ones(shape, bool)  # whose toes have ground below them
        self._bend_toes(everyone, found)
        self.course = Course(np.concatenate([*found, np.zeros((1, everyone.size))]).reshape(10, *shape))
        self.landing = self.hold.copy()
        self.tips, self._left = self.hold.copy(), self.hold.copy()
        self._toe_ground = self.hold[1]
        self.clearance: Array = np.zeros(shape)  # of the ends of the toes, if they were not bent

    # --- from foothold to foothold

    def lift(self, legs: Array) -> None:
        """Lifts legs, (legs, creatures) bool, off the ground."""
        self.planted = self.planted & ~legs
        np.copyto(self._left, self.hold, where=legs)
        np.copyto(self.course.now[TIP], self.tips, where=legs)
        np.copyto(self.course.now[ROLL], self.roll, where=legs)
        self._lift *= ~legs

    def off(self, wish: Array) -> Array:
        """(legs, creatures) bool: for which feet the preferred place has moved since they were put down."""
        x, z = wish - self._wish
        return x * x + z * z > (STANDING_TOLERANCE * self._length) ** 2

    def moved(self, wish: Array, clock: GaitClock) -> Array:
        """(legs, creatures) bool: which feet in swing need another foothold, since the preferred place has moved."""
        x, z = wish - self._wish
        return (x * x + z * z > self._slack) & (clock.swing < COMMITTED)

    def plan(
        self, lifting: Array, again: Array, wish: Array, toes: Array, level: Array, clock: GaitClock, activity: Array
    ) -> Array:
        """Finds footholds for feet that lift off now, and for others in swing, (legs, creatures) bool each.

        wish: (2, legs, creatures), the preferred places. toes: the same, where the feet will point then. level:
        (legs, creatures), expected heights. Returns (legs, creatures) bool: feet that stay, as there is no foothold.
        """
        which = np.flatnonzero(lifting | (again & ~self.planted))
        refused = np.zeros_like(lifting)
        if not which.size:
            return refused
        swing = (clock.swing * ~lifting).reshape(-1)[which]
        there = self._aim(which, swing, wish, toes, level, clock, activity)
        flat = self.stuck.reshape(-1)
        flat[which] = ~there
        self.some_stuck = bool(flat.any())
        if lifting.any():
            refused = lifting & self.stuck & ~self.lost
            self.planted = self.planted | refused
            self.course.advance(np.zeros_like(clock.swing), clock.swing * (lifting & ~refused))
        return refused

    def _aim(
        self, which: Array, swing: Array, wish: Array, toes: Array, level: Array, clock: GaitClock, activity: Array
    ) -> Array:
        """Gives feet, by index, new goals where there is a foothold, (n,) bool; swing: the fraction that is over."""
        found, there = self._found(which, wish, toes, level)
        columns = which % wish.shape[2]
        back = -self._rig.heel[which // wish.shape[2], 0] * found.toe[::2]
        lift = clock.numbers.lift[columns]
        needed = lift_needed(
            self._terrain, _rows(self.course.now)[TIP, which], found.place, swing, lift, back, -TOE_RATIO * back
        )
        most = np.maximum(MAX_LIFT * self._length.reshape(-1)[which], lift)
        there &= needed <= most
        taken = there | self.lost.reshape(-1)[which]
        if not taken.all():
            which, swing, needed, columns, most = which[taken], swing[taken], needed[taken], columns[taken], most[taken]
            found = Footholds(*(array[:, taken] for array in found))
        legs = which // wish.shape[2]
        _rows(self._wish)[:, which] = _rows(wish)[:, which]
        _rows(self.hold)[:, which] = found.place
        # A foothold far from the preferred place is kept for longer, since another search would likely find it again.
        away = np.hypot(*(found.place[::2] - _rows(wish)[:, which]))
        self._slack.reshape(-1)[which] = (REPLAN_DISTANCE * self._length.reshape(-1)[which] + 0.5 * away) ** 2
        steps = np.abs(found.place[1] - _rows(self._left)[1, which]) / (STEP_HEIGHT * self._length.reshape(-1)[which])
        strike = (clock.numbers.strike * activity)[columns] * (1.0 - ease(steps))
        self._strike.reshape(-1)[which] = strike
        self._bend_toes(which, found)
        goal = np.concatenate([*found, strike[None]])
        if self._rig.has_heel:
            goal[TIP] += _raised(self._rig.heel[legs, 0], strike, found.toe, found.normal)
        _rows(self.course.goal)[:, which] = goal
        lean = self._rig.lean[legs, 0] + strike
        last = np.sin(lean) * found.toe - np.cos(lean) * found.normal
        _rows(self.landing)[:, which] = goal[TIP] - self._rig.last[legs, 0] * last
        needed = np.minimum(needed, most)
        self._raise(which, swing, needed)
        if self._rig.has_heel:  # a foot that leaves level ground is quick, or the knee would straighten
            quick = QUICK * (swing == 0.0) * (needed <= 1.05 * lift[taken])
            _rows(self.course.force)[:3:2, which] += quick * (goal - _rows(self.course.now)[:, which])[:3:2]
        usual = clock.stride[columns]
        way = goal[TIP] - _rows(self.course.now)[TIP, which]
        high = np.maximum(needed - lift[taken], 0.0)
        far = np.sqrt((way * way).sum(axis=0) / (1.0 - swing) ** 2 + 9.0 * high * high)
        clock.swing_rate.reshape(-1)[which] = np.maximum(
            np.minimum(LONG_STEP * usual / np.maximum(far, 1e-9), 1.0), SLOWEST
        )
        return there

    def _found(self, which: Array, wish: Array, toes: Array, level: Array) -> tuple[Footholds, Array]:
        creature = self._rig.creature
        legs, columns = np.divmod(which, wish.shape[2])
        others = self.hold[::2].take(columns, axis=2)
        others[:, legs, np.arange(len(legs))] = FAR_AWAY  # a foot does not block itself
        length = self._length.reshape(-1)[which]
        needs = Needs(
            toe=_rows(toes)[:, which],
            heel=self._rig.heel[legs, 0],
            radius=creature.foot,
            steepest=self._rig.steepest,
            far=SEARCH_RADIUS * length,
            apart=self._rig.apart,
            others=others,
            level=level.reshape(-1)[which],
            step=STEP * length,
        )
        return find(self._terrain, _rows(wish)[:, which], needs)

    def _bend_toes(self, which: Array, found: Footholds) -> None:
        """Bends the toes of feet, by index, up or down, so that their ends are on the ground at the footholds."""
        if not self._rig.has_heel:
            return
        length = np.maximum(TOE_RATIO * self._rig.heel[which // self.planted.shape[-1], 0], 1e-9)
        angle = np.zeros(len(which))
        for _ in range(3):  # a secant's way to the ground
            x, y, z = found.place + length * (np.cos(angle) * found.toe + np.sin(angle) * found.normal)
            angle = angle + (self._terrain.height(x, z) - y) * found.normal[1] / length
            angle = np.minimum(np.maximum(angle, -MAX_TOE_BEND), MAX_TOE_BEND)
        down = angle > -MAX_TOE_BEND
        self.toe_rise.reshape(-1)[which] = np.where(down, angle, 0.0)  # toes over an edge stay straight
        self.toes_down = self.toes_down.copy()  # states hold the one before
        self.toes_down.reshape(-1)[which] = down

    def _raise(self, which: Array, swing: Array, lift: Array) -> None:
        """Sets how high the feet are lifted; position and velocity of those in swing stay continuous."""
        course, rate, height = _rows(self.course.now), _rows(self.course.rate), self._lift.reshape(-1)
        less = height[which] - lift
        course[1, which] += less * hump(travel(swing))
        rate[1, which] += less * hump_rate(swing)
        height[which] = lift

    def land(self, legs: Array) -> None:
        """Plants legs, (legs, creatures) bool, at their footholds."""
        self.planted = self.planted | legs
        if self.some_lost:
            self.lost = self.lost & ~legs
            self.some_lost = bool(self.lost.any())

    def lose(self, legs: Array) -> None:
        """Lifts legs, (legs, creatures) bool, that are out of reach of their footholds."""
        self.lift(legs)
        self.lost, self.some_lost = self.lost | legs, True

    # --- the present state

    @property
    def struck(self) -> Array:
        """(legs, creatures) bool: which feet have struck with their heels and are not flat yet."""
        return self.planted & (self.roll > 0.0)

    @property
    def normal(self) -> Array:
        """(3, legs, creatures) Normals of the ground under the feet, interpolated between footholds."""
        return self.course.now[NORMAL]

    @property
    def toe(self) -> Array:
        """(3, legs, creatures) Directions of the toes along the ground."""
        return self.course.now[TOE]

    def ground(self, tips: Array, others: Array) -> tuple[Array, Array]:
        """The least heights (legs, creatures) of tips in swing, and heights of other ground.

        tips: (2, legs, creatures), x and z; tips, heels and toes must be above the ground below them. others: places
        (2, n, creatures), whose heights are (n, creatures).
        """
        legs = self._rig.legs
        if not self._rig.has_heel:
            x, z = np.concatenate([tips, others], axis=1)
            found = self._terrain.height(x, z)
            return found[:legs], found[legs:]
        angle = np.where(self.planted, self.roll, self.course.now[ROLL])
        foot = self._rig.heel * (np.cos(angle) * self.toe + np.sin(angle) * self.normal)
        x, z = np.concatenate(
            [tips, tips - foot[::2], tips + TOE_RATIO * self._rig.heel * self.toe[::2], others], axis=1
        )
        found = self._terrain.height(x, z)
        length = TOE_RATIO * self._rig.heel
        self._toe_ground = np.maximum(found[2 * legs : 3 * legs] - length * self.toe[1], found[:legs])
        toes = self._toe_ground - length * TOE_LIFT
        return np.maximum(np.maximum(found[:legs], found[legs : 2 * legs] + foot[1]), toes), found[3 * legs :]

    def toe_bends(self, clock: GaitClock) -> Array:
        """(legs, creatures) Radians by which toes point up from the foot, as the ground asks, late in the swing too."""
        if not self._rig.has_heel:
            return self.toe_rise
        share: Array = np.where(self.planted, 1.0, ease(4.0 * clock.swing - 3.0))
        return self.toe_rise * share

    def supports(self, clock: GaitClock) -> Array:
        """(3, legs, creatures): where feet stand or, in swing, the point between their footholds."""
        return self._left + (self.hold - self._left) * np.where(self.planted, 1.0, travel(clock.swing))

    def place(self, ground: Array, clock: GaitClock, activity: Array, hips: Array) -> None:
        """Updates `tips` and `roll`.

        ground: (legs, creatures), the least heights of tips in swing. hips: (3, legs, creatures), in the world.
        """
        standing = self.hold
        if self._rig.rolls:
            numbers = clock.numbers
            stance = clock.phase / numbers.duty
            flat = self._strike * (1.0 - ease(stance * (1.0 / FOOT_FLAT)))
            rising = (numbers.push * activity) * ease((stance - HEEL_OFF) * (1.0 / (1.0 - HEEL_OFF)))
            if self._rig.has_heel:
                rising = np.maximum(rising, self._heel_rise(hips) * activity)
            self.roll = np.where(self.planted, flat - rising, self.course.now[ROLL])
        if self._rig.has_heel:
            standing = standing + _raised(self._rig.heel, np.maximum(self.roll, 0.0), self.toe, self.normal)
        flying = self.course.now[TIP].copy()
        flying[1] = np.maximum(flying[1] + self._lift * hump(travel(clock.swing)), ground)
        self.tips = np.where(self.planted, standing, flying)
        if self._rig.has_heel:
            self.clearance = (self.tips[1] - self._toe_ground) * ~self.planted

    def _heel_rise(self, hips: Array) -> Array:
        """(legs, creatures) Radians by which heels must rise so that legs behind the body need not be straight."""
        rig = self._rig
        sine, cosine = np.sin(rig.lean), np.cos(rig.lean)
        ankles = self.hold - rig.last * (sine * self.toe - cosine * self.normal)
        line = hips - ankles
        length = np.sqrt((line * line).sum(axis=0))
        # How fast the ankle comes nearer to the hip as the foot turns about the ball.
        turned = rig.last * (cosine * self.toe + sine * self.normal)
        gain = np.maximum((line * turned).sum(axis=0) / length, 0.3 * rig.last)
        behind = ease((line * self.toe).sum(axis=0) / (BEHIND * rig.far))
        rise = behind * np.maximum(length - HEEL_RISE * rig.far, 0.0) / np.maximum(gain, 1e-9)
        return np.minimum(rise, MAX_HEEL_RISE)

    def arcs(self, clock: GaitClock, samples: int) -> Array:
        """(samples, 3, legs, creatures): the paths of tips until they land, if no goal moves; planted feet stay."""
        step = np.linspace(0.0, 1.0, samples)[:, None, None, None] * (1.0 - clock.swing)
        way = self.course.after(clock.swing, step)[0][:, TIP]
        lift = self._lift * hump(travel(clock.swing + step[:, 0]))
        way[:, 1] = np.maximum(way[:, 1] + lift, self._terrain.height(way[:, 0], way[:, 2]))
        way[0] = self.tips
        return np.where(self.planted, self.tips, way)

    def directions(self) -> Array:
        """(3, legs, creatures), unit: directions of the last links, from ankle to tip, before `LegReach.kept_aside`."""
        angle = self._rig.lean + self.roll
        last = np.sin(angle) * self.toe - np.cos(angle) * self.normal
        x, y, z = last
        return last * (1.0 / np.sqrt(x * x + y * y + z * z))


def _rows(array: Array) -> Array:
    """(components, legs, creatures) as (components, feet), the same memory."""
    return array.reshape(len(array), -1)


def _raised(heel: Array, roll: Array, toe: Array, normal: Array) -> Array:
    """Displacement of the tip when the foot is rotated up about its heel."""
    return heel * ((np.cos(roll) - 1.0) * toe + np.sin(roll) * normal)
