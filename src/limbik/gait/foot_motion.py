"""The feet of all creatures: planted, or in swing to the next foothold."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.foothold_search import Footholds, Needs, find
from limbik.gait.gait_clock import GaitClock
from limbik.gait.rig import Rig
from limbik.gait.swing_arcs import Course, hump, hump_rate, lift_needed, travel
from limbik.skeleton.easing import ease
from limbik.terrains.base import Terrain

# Fractions of a leg's length:
SEARCH_RADIUS = 0.3  # greatest distance of a foothold from the preferred place
REPLAN_DISTANCE = 0.03  # change of the preferred place that makes a foot in swing search again
MAX_LIFT = 0.4  # greatest lift; over higher obstacles feet slide
STANDING_TOLERANCE = 0.02  # distance from the preferred place up to which a foot of a standing creature stays

COMMITTED = 0.7  # fraction of the swing from which on the foothold is final
# Fractions of the stance: when a foot that struck with its heel is flat, and when its heel leaves the ground.
FOOT_FLAT, HEEL_OFF = 0.22, 0.5
FAR_AWAY = 1e9  # metres: a place that no foot is near
TIP, NORMAL, TOE, ROLL = slice(0, 3), slice(3, 6), slice(6, 9), 9  # rows of `FootMotion.course`


class FootMotion:
    """The state of the feet, (..., legs, creatures).

    planted: bool, in stance. hold: the present foothold, or in swing the next. landing: where the ankles will be then.
    tips: the present tips. roll: radians by which the toes point up, about the heel, or down, about the tip.
    course: the tip along the ground, the normal of the ground there, the direction of the toes, and the roll; they move
    to their goals, which they reach at the end of the swing.
    """

    def __init__(self, rig: Rig, terrain: Terrain, places: Array, toes: Array) -> None:
        self._rig, self._terrain = rig, terrain
        shape = places.shape[1:]
        self._length = np.broadcast_to(rig.far + rig.last, shape)
        self.planted = np.ones(shape, bool)
        self.hold = np.full((3, *shape), FAR_AWAY)
        self.roll: Array = np.zeros(shape)
        self._strike, self._lift, self._slack = np.zeros((3, *shape))
        self._wish = places.copy()
        everyone = np.arange(places[0].size)
        found = self._found(everyone, places, toes)
        self.hold = found.place.reshape(3, *shape)
        self.course = Course(np.concatenate([*found, np.zeros((1, everyone.size))]).reshape(10, *shape))
        self.landing = self.hold.copy()
        self.tips, self._left = self.hold.copy(), self.hold.copy()

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

    def plan(self, lifting: Array, again: Array, wish: Array, toes: Array, clock: GaitClock, activity: Array) -> None:
        """Finds footholds for feet that lift off now, and for others in swing, (legs, creatures) bool each.

        wish: (2, legs, creatures), the preferred places. toes: the same, where the feet will point then.
        """
        which = np.flatnonzero(lifting | (again & ~self.planted))
        if not which.size:
            return
        self._aim(which, (clock.swing * ~lifting).reshape(-1)[which], wish, toes, clock, activity)
        if lifting.any():
            self.course.advance(np.zeros_like(clock.swing), clock.swing * lifting)

    def _aim(self, which: Array, swing: Array, wish: Array, toes: Array, clock: GaitClock, activity: Array) -> None:
        """Gives feet, by index, new goals; swing: the fraction of the swing that is over."""
        legs, columns = np.divmod(which, wish.shape[2])
        found = self._found(which, wish, toes)
        _rows(self._wish)[:, which] = _rows(wish)[:, which]
        _rows(self.hold)[:, which] = found.place
        # A foothold far from the preferred place is kept for longer, since another search would likely find it again.
        away = np.hypot(*(found.place[::2] - _rows(wish)[:, which]))
        self._slack.reshape(-1)[which] = (REPLAN_DISTANCE * self._length.reshape(-1)[which] + 0.5 * away) ** 2
        strike = (clock.numbers.strike * activity)[columns]
        self._strike.reshape(-1)[which] = strike
        goal = np.concatenate([*found, strike[None]])
        if self._rig.has_heel:
            goal[TIP] += _raised(self._rig.heel[legs, 0], strike, found.toe, found.normal)
        _rows(self.course.goal)[:, which] = goal
        lean = self._rig.lean[legs, 0] + strike
        last = np.sin(lean) * found.toe - np.cos(lean) * found.normal
        _rows(self.landing)[:, which] = goal[TIP] - self._rig.last[legs, 0] * last
        self._raise(which, swing, clock.numbers.lift[columns], -self._rig.heel[legs, 0] * found.toe[::2])

    def _found(self, which: Array, wish: Array, toes: Array) -> Footholds:
        creature = self._rig.creature
        legs, columns = np.divmod(which, wish.shape[2])
        others = self.hold[::2].take(columns, axis=2)
        others[:, legs, np.arange(len(legs))] = FAR_AWAY  # a foot does not block itself
        needs = Needs(
            toe=_rows(toes)[:, which],
            heel=self._rig.heel[legs, 0],
            radius=creature.foot,
            steepest=float(np.tan(np.radians(creature.steepest))),
            far=SEARCH_RADIUS * self._length.reshape(-1)[which],
            apart=self._rig.apart,
            others=others,
        )
        return find(self._terrain, _rows(wish)[:, which], needs)

    def _raise(self, which: Array, swing: Array, lift: Array, back: Array) -> None:
        """Sets how high the feet are lifted; position and velocity of those in swing stay continuous."""
        course, rate, height = _rows(self.course.now), _rows(self.course.rate), self._lift.reshape(-1)
        goal = _rows(self.course.goal)[TIP, which]
        needed = lift_needed(self._terrain, course[TIP, which], goal, swing, lift, back)
        needed = np.minimum(needed, np.maximum(MAX_LIFT * self._length.reshape(-1)[which], lift))
        less = height[which] - needed
        course[1, which] += less * hump(travel(swing))
        rate[1, which] += less * hump_rate(swing)
        height[which] = needed

    def land(self, legs: Array) -> None:
        """Plants legs, (legs, creatures) bool, at their footholds."""
        self.planted = self.planted | legs

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

        tips: (2, legs, creatures), x and z; tips and heels must be above the ground below them. others: places
        (2, n, creatures), whose heights are (n, creatures).
        """
        legs = self._rig.legs
        if not self._rig.has_heel:
            found = self._terrain.height(np.concatenate([tips, others], axis=1).transpose(1, 2, 0))
            return found[:legs], found[legs:]
        angle = self.course.now[ROLL]
        heel = self._rig.heel * (np.cos(angle) * self.toe + np.sin(angle) * self.normal)
        found = self._terrain.height(np.concatenate([tips, tips - heel[::2], others], axis=1).transpose(1, 2, 0))
        return np.maximum(found[:legs], found[legs : 2 * legs] + heel[1]), found[2 * legs :]

    def supports(self, clock: GaitClock) -> Array:
        """(3, legs, creatures): where feet stand or, in swing, the point between their footholds."""
        return self._left + (self.hold - self._left) * np.where(self.planted, 1.0, travel(clock.swing))

    def place(self, ground: Array, clock: GaitClock, activity: Array) -> None:
        """Updates `tips` and `roll`. ground: (legs, creatures), the least heights of tips in swing."""
        standing = self.hold
        if self._rig.rolls:
            numbers = clock.numbers
            stance = clock.phase / numbers.duty
            flat = self._strike * (1.0 - ease(stance * (1.0 / FOOT_FLAT)))
            rising = (numbers.push * activity) * ease((stance - HEEL_OFF) * (1.0 / (1.0 - HEEL_OFF)))
            self.roll = np.where(self.planted, flat - rising, self.course.now[ROLL])
        if self._rig.has_heel:
            standing = standing + _raised(self._rig.heel, np.maximum(self.roll, 0.0), self.toe, self.normal)
        flying = self.course.now[TIP].copy()
        flying[1] = np.maximum(flying[1] + self._lift * hump(travel(clock.swing)), ground)
        self.tips = np.where(self.planted, standing, flying)

    def arcs(self, clock: GaitClock, samples: int) -> Array:
        """(samples, 3, legs, creatures): the paths of tips until they land, if no goal moves; planted feet stay."""
        step = np.linspace(0.0, 1.0, samples)[:, None, None, None] * (1.0 - clock.swing)
        way = self.course.after(clock.swing, step)[0][:, TIP]
        lift = self._lift * hump(travel(clock.swing + step[:, 0]))
        way[:, 1] = np.maximum(way[:, 1] + lift, self._terrain.height(way[:, ::2].transpose(0, 2, 3, 1)))
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
