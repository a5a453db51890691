"""The feet of all creatures: planted, or in swing to the next foothold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import absolute, maximum, minimum, sqrt, where
from limbik.formulas.vectors import along, combine
from limbik.gait.foothold_search import Footholds, Needs, find
from limbik.gait.gait_clock import GaitClock
from limbik.gait.ground_ahead import STEP
from limbik.gait.leg_formulas import LEAST, PLACED, ROLL, SPOTS
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.gait.leg_reach import stacked
from limbik.gait.rig import Rig
from limbik.gait.step_width import ROUND, WIDENED
from limbik.gait.swing_arcs import Course, bow, bow_rate, hump, hump_rate, lift_needed, travel
from limbik.terrains.base import Terrain

# Fractions of a leg's length:
SEARCH_RADIUS = 0.3  # greatest distance of a foothold from the preferred place
REPLAN_DISTANCE = 0.03  # change of the preferred place that makes a foot in swing search again
MAX_LIFT = 0.45  # greatest lift; what is higher is not stepped over
STEP_HEIGHT = 0.15  # step, up or down, from which on a foot does not strike with its heel
STANDING_TOLERANCE = 0.02  # distance from the preferred place up to which a foot of a standing creature stays

LONG_STEP, SLOWEST = 1.15, 0.4  # length over the usual of a step that takes longer, and the least rate of its swing
SHORTER = 0.5  # length of the step that a foot without a foothold tries, over that to the preferred place
COMMITTED = 0.7  # fraction of the swing from which on the foothold is final
MAX_TOE_BEND = 0.7  # radians, of toes to the foot
TOUCHING = 0.005  # distance of the ends of toes from the ground that they touch, over their length
EVEN = 0.2  # additional lift up to which the ground before a foot is even, over the distance from tip to heel
QUICK = 9.0  # initial acceleration of a foot in swing, over the length of the step, per swing²
SINK = 3.0  # leg lengths per second: greatest speed at which a foot sinks that was held above an edge
FAR_AWAY = 1e9  # metres: a place that no foot is near
TIP, NORMAL, TOE, ROLL_ROW = slice(0, 3), slice(3, 6), slice(6, 9), 9  # rows of `FootMotion.course`


class FootMotion:
    """The state of the feet, (..., legs, creatures).

    planted: bool, in stance. hold: the present foothold, or in swing the next; left: the one before. landing: where the
    ankles will be then. tips: the present tips. roll: radians by which the toes point up, about the heel, or down,
    about the tip. stuck: bool, which find no foothold in reach. toe_rise: radians by which toes on the ground point up
    from the foot. arch: (3, ...), metres by which the path of a foot in swing is aside of its course, x and z, and
    above it, y, in the middle. course: the tip along the ground, the normal of the ground there, the direction of the
    toes, and the roll; they move to their goals, which they reach at the end of the swing. limits: those of LegReach.
    """

    def __init__(self, rig: Rig, terrain: Terrain, limits: Array, places: Array, toes: Array, level: Array) -> None:
        self._rig, self._terrain = rig, terrain
        shape = places.shape[1:]
        self._count = places.shape[2]
        self._fixed = stacked(shape, rig.length, rig.lean, rig.heel, rig.last)
        self._length, _, self._heel, _ = self._fixed
        self.planted = np.ones(shape, bool)
        self.lost = np.zeros(shape, bool)  # lifted since they did not reach their footholds
        self.hold = np.full((3, *shape), FAR_AWAY)
        self.roll: Array = np.zeros(shape)
        self._strike, self._slack, self.arch = np.zeros(shape), np.zeros(shape), np.zeros((3, *shape))
        # Heights of tips at which straight toes touch the ground, and radians by which the ground bends toes up.
        self._toes = np.zeros((2, *shape))
        self._wish = places.copy()
        self._width = stacked(shape, *rig.width)
        self._stands = False  # yet: no foot is in the way of another
        everyone = np.arange(places[0].size)
        found, there = self._found(everyone, places, toes, level)
        self.stuck = ~there.reshape(shape)
        self.some_stuck, self.some_lost = not there.all(), False  # whether any are
        self.hold = found.place.reshape(3, *shape)
        self.toes_down = np.ones(shape, bool)  # whose toes have ground below them
        self._bend_toes(everyone, found)
        self.course = Course(np.concatenate([*found, np.zeros((1, everyone.size))]).reshape(10, *shape))
        self.landing = self.hold.copy()
        self.tips, self.left = self.hold.copy(), self.hold.copy()
        self._stands = True
        self._held = np.full(shape, -np.inf)  # heights at which the ground held feet in swing, in the frame before
        self._toes[0] = self.hold[1]
        self.clearance: Array = np.zeros(shape)  # of the ends of the toes, if they were not bent
        self.toe_rise: Array = np.zeros(shape)
        sine, cosine, heeled = np.sin(rig.lean), np.cos(rig.lean), np.full((rig.legs, 1), float(rig.has_heel))
        self._rolling = stacked(shape, rig.lean, sine, cosine, rig.last, rig.far, heeled)
        standing = stacked(shape, *rig.attachment, *rig.knee, rig.heel, rig.last, rig.side, rig.natural)
        self._leg = np.concatenate([standing, limits])
        # Sines and cosines of the roll, of the angle by which feet are raised about their heels, and of the last link.
        none = 0.0 * sine
        self._sines, self._cosines = stacked(shape, none, none, sine), stacked(shape, none + 1.0, none + 1.0, cosine)

    # --- from foothold to foothold

    def lift(self, legs: Array) -> None:
        """Lifts legs, (legs, creatures) bool, off the ground."""
        self.planted = self.planted & ~legs
        np.copyto(self.left, self.hold, where=legs)
        np.copyto(self.course.now[TIP], self.tips, where=legs)
        np.copyto(self.course.now[ROLL_ROW], self.roll, where=legs)
        self.arch *= ~legs

    def off(self, wish: Array) -> Array:
        """(legs, creatures) bool: for which feet the preferred place has moved since they were put down."""
        x, z = wish - self._wish
        return x * x + z * z > (STANDING_TOLERANCE * self._length) ** 2

    def moved(self, wish: Array, clock: GaitClock) -> Array:
        """(legs, creatures) bool: which feet in swing need another foothold, since the preferred place has moved."""
        x, z = wish - self._wish
        return (x * x + z * z > self._slack) & (clock.swing < COMMITTED)

    def plan(
        self,
        lifting: Array,
        again: Array,
        wish: Array,
        toes: Array,
        levels: Callable[[Array], Array],
        clock: GaitClock,
    ) -> Array:
        """Finds footholds for feet that lift off now, and for others in swing, (legs, creatures) bool each.

        wish: (2, legs, creatures), the preferred places. toes: the same, where the feet will point then. levels: the
        heights, (legs, creatures), that the ground is expected to have at such places. Returns (legs, creatures) bool:
        feet that stay, as there is no foothold.
        """
        which = np.flatnonzero(lifting | (again & ~self.planted))
        refused = np.zeros_like(lifting)
        if not which.size:
            return refused
        swing = (clock.swing * ~lifting).reshape(-1)[which]
        nearer = wish - (1.0 - SHORTER) * (wish - self.hold[::2])
        there = self._aim(which, swing, wish, toes, levels(wish), clock)
        if np.count_nonzero(there) < len(there):
            none = ~there
            there[none] = self._aim(which[none], swing[none], nearer, toes, levels(nearer), clock)
        flat = self.stuck.reshape(-1)
        flat[which] = ~there
        self.some_stuck = bool(flat.any())
        if lifting.any():
            refused = lifting & self.stuck & ~self.lost
            self.planted = self.planted | refused
            self.course.advance(np.zeros_like(clock.swing), clock.swing * (lifting & ~refused))
        return refused

    def _aim(self, which: Array, swing: Array, wish: Array, toes: Array, level: Array, clock: GaitClock) -> Array:
        """Gives feet, by index, new goals where there is a foothold, (n,) bool; swing: the fraction that is over."""
        found, there = self._found(which, wish, toes, level)
        columns = which % self._count
        lift, now = clock.numbers.lift[columns], _rows(self.course.now)[:, which]
        aside, needed, most = self._arched(which, swing, now, found, lift)
        there &= needed <= most
        taken = there | self.lost.reshape(-1)[which] if self.some_lost else there
        if np.count_nonzero(taken) < len(taken):
            which, swing, columns, lift = which[taken], swing[taken], columns[taken], lift[taken]
            now, aside, needed, most = now[:, taken], aside[:, taken], needed[taken], most[taken]
            found = Footholds(*(array[:, taken] for array in found))
        wanted, fixed = _rows(wish)[:, which], _rows(self._fixed)[:, which]
        _rows(self._wish)[:, which] = wanted
        _rows(self.hold)[:, which] = found.place
        most_strike = (clock.numbers.strike * clock.activity)[columns]
        before = _rows(self.left)[1, which]
        self._slack.reshape(-1)[which], strike = STRIKE(found.place, wanted, before, fixed[0], most_strike)
        self._strike.reshape(-1)[which] = strike
        self._bend_toes(which, found)
        angles = np.array([strike, fixed[1] + strike])
        state = np.array([strike, swing, lift, clock.stride[columns]])
        arch = np.array([aside[0], np.minimum(needed, most), aside[1]])
        old = _rows(self.arch)[:, which], _rows(self.course.rate)[TIP, which]
        aimed = AIMED(now, *found, np.sin(angles), np.cos(angles), state, arch, *old, fixed[2:])
        _rows(self.course.goal)[:, which] = aimed[:10]
        _rows(self.landing)[:, which] = aimed[10:13]
        _rows(self.course.now)[TIP, which], _rows(self.course.rate)[TIP, which] = aimed[13:16], aimed[16:19]
        if self._rig.has_heel:
            _rows(self.course.force)[:3:2, which] += aimed[19:21]
        clock.swing_rate.reshape(-1)[which] = aimed[21]
        _rows(self.arch)[:, which] = arch
        return there

    def _arched(
        self, which: Array, swing: Array, now: Array, found: Footholds, lift: Array
    ) -> tuple[Array, Array, Array]:
        """How far aside feet, by index, go on their way to footholds, (2, n), the lift they need, and the greatest."""
        most = np.maximum(MAX_LIFT * self._length.reshape(-1)[which], lift)
        start, toes = now[TIP], None
        if self._rig.has_heel:
            toes = self._heel.reshape(-1)[which] * np.array([now[TOE], found.toe])
        path = swing, lift, toes
        aside = np.zeros((2, len(which)))
        if self._rig.paired:
            aside = ROUND(now[0:3:2], found.place[::2], swing, now[TOE][::2], found.toe[::2], *self._pair(which))
        if not np.count_nonzero(aside):
            return aside, lift_needed(self._terrain, start, found.place, None, *path), most
        # With room beside it: a foot whose goal moves does not keep exactly to its path.
        wide = aside * (1.0 + self._rig.creature.foot / np.maximum(np.sqrt((aside * aside).sum(axis=0)), 1e-9))
        needed = lift_needed(self._terrain, start, found.place, wide, *path)
        if (walled := (needed > most) & aside.any(axis=0)).any():  # there is no way round the other leg
            aside = aside * ~walled
            needed = lift_needed(self._terrain, start, found.place, aside, *path)
        return aside, needed, most

    def _pair(self, which: Array) -> tuple[Array, ...]:
        """Of feet, by index: where they point at rest, where the others of their pairs stand and point; step widths."""
        legs, columns = np.divmod(which, self._count)
        other = self._rig.partner[legs] * self._count + columns
        place, toe = _rows(self.hold)[::2, other], _rows(self.course.goal)[TOE, other][::2]
        return self._rig.toe[:, legs, 0], place, toe, _rows(self._width)[:, which]

    def _found(self, which: Array, wish: Array, toes: Array, level: Array) -> tuple[Footholds, Array]:
        creature = self._rig.creature
        legs, columns = np.divmod(which, self._count)
        others = self.hold[::2].take(columns, axis=2)
        others[:, legs, np.arange(len(legs))] = FAR_AWAY  # a foot does not block itself
        length, toe = self._length.reshape(-1)[which], _rows(toes)[:, which]
        place = _rows(wish)[:, which]
        if self._rig.paired and self._stands:
            place = WIDENED(place, toe, *self._pair(which))
        needs = Needs(
            toe=toe,
            heel=self._heel.reshape(-1)[which],
            radius=creature.foot,
            steepest=self._rig.steepest,
            far=SEARCH_RADIUS * length,
            apart=self._rig.apart,
            others=others,
            level=level.reshape(-1)[which],
            step=STEP * length,
        )
        return find(self._terrain, place, needs)

    def _bend_toes(self, which: Array, found: Footholds) -> None:
        """Bends the toes of feet, by index, up or down, so that their ends are on the ground at the footholds."""
        if not self._rig.has_heel:
            return
        length = np.maximum(TOE_RATIO * self._heel.reshape(-1)[which], 1e-9)
        angle = np.zeros(len(which))
        for _ in range(3):  # a secant's way to the ground
            x, y, z = found.place + length * (np.cos(angle) * found.toe + np.sin(angle) * found.normal)
            angle = angle + (self._terrain.height(x, z) - y) * found.normal[1] / length
            angle = np.minimum(np.maximum(angle, -MAX_TOE_BEND), MAX_TOE_BEND)
        x, y, z = found.place + length * (np.cos(angle) * found.toe + np.sin(angle) * found.normal)
        down = (angle > -MAX_TOE_BEND) & (np.abs(self._terrain.height(x, z) - y) <= TOUCHING * length)
        self._toes[1].reshape(-1)[which] = np.where(down | (angle > 0.0), angle, 0.0)  # toes over an edge stay straight
        self.toes_down = self.toes_down.copy()  # states hold the one before
        self.toes_down.reshape(-1)[which] = down

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

    def turn(self, clock: GaitClock, hips: Array) -> None:
        """Rolls feet about heel or ball. hips: (3, legs, creatures), before this step."""
        if not self._rig.rolls:
            return
        state = self.planted, clock.phase, self._strike, self._rolling, clock.mixed, clock.activity
        rolls = ROLL(self.hold, self.course.now, hips, *state, self.roll, clock.beat).reshape(3, *self.planted.shape)
        self.roll = rolls[0]
        self._sines, self._cosines = np.sin(rolls), np.cos(rolls)

    def ground(self, others: Array, clock: GaitClock, seconds: float) -> tuple[Array, Array]:
        """The least heights (legs, creatures) of tips in swing, and heights of other ground.

        Tips, heels and toes must be above the ground below them; behind an edge they sink, but do not drop. others:
        places (2, n, creatures), x and z, whose heights are (n, creatures). seconds: since the frame before.
        """
        least, found = self._ground(self.course.now, self.arch, others, clock.swing)
        return np.maximum(least, self._held - SINK * seconds * self._length), found

    def ground_at(self, tips: Array) -> Array:
        """The least heights (legs, creatures) of tips in swing at (3, legs, creatures)."""
        now = np.concatenate([tips, self.course.now[3:]])
        return self._ground(now, np.zeros_like(tips), tips[::2, :0], np.zeros_like(tips[0]))[0]

    def _ground(self, now: Array, arch: Array, others: Array, swing: Array) -> tuple[Array, Array]:
        """The same for feet with a course and an arch."""
        rig, shape = self._rig, self.planted.shape
        if not (rig.has_heel or rig.paired):  # then tips are on their course
            x, z = np.concatenate([now[0:3:2], others], axis=1)
            found = self._terrain.height(x, z)
            return found[: rig.legs], found[rig.legs :]
        spots = SPOTS(now, arch, swing, self._sines[0], self._cosines[0], self._heel)
        points = 3 if rig.has_heel else 1
        there = spots[:6].reshape(2, 3, *shape)[:, :points].reshape(2, -1, self._count)
        x, z = np.concatenate([there, others], axis=1)
        found = self._terrain.height(x, z)
        below = points * rig.legs
        if not rig.has_heel:
            return found[:below], found[below:]
        least, self._toes[0] = LEAST(found[:below], spots[6:], self._heel).reshape(2, *shape)
        return least, found[below:]

    def supports(self, clock: GaitClock) -> Array:
        """(3, legs, creatures): where feet stand or, in swing, the point between their footholds."""
        return self.left + (self.hold - self.left) * np.where(self.planted, 1.0, travel(clock.swing))

    def place(
        self, ground: Array, clock: GaitClock, frame: Array, body: tuple[Array, Array]
    ) -> tuple[Array, Array, Array, Array]:
        """Updates `tips`, `clearance` and `toe_rise`.

        ground: (legs, creatures), the least heights of tips in swing. frame: (12, legs or 1, creatures), left, up,
        forward and centre of their segments. body: `Steering.motion` and `TrunkMotion.heading`.

        Returns:
            (3, legs, creatures) each: directions of the last links, hips, ankles; and (3, legs, creatures), whether the
            body, or the foot, must give way, for the leg to reach, and the fraction of the motion that it allows.
        """
        state = self.planted, self.lost, self.arch, clock.swing, ground, self._toes, self._sines[1:], self._cosines[1:]
        tethered = self.landing, clock.swing_rate, self.stuck, clock.phase, *body, clock.mixed[0], clock.seconds
        placed = PLACED(self.hold, self.course.now, *state, frame, self._leg, *tethered)
        placed = placed.reshape(17, *self.planted.shape)
        kept = placed[:11].copy()  # by states
        self.tips, self.clearance, self.toe_rise = kept[0:3], kept[9], kept[10]
        self._held = np.where(self.planted | (kept[1] > ground), -np.inf, ground)
        return kept[3:6], kept[6:9], placed[11:14], placed[14:]

    def move(self, by: Array) -> None:
        """Moves tips by (3, legs, creatures), to where the ground was last looked at."""
        self.tips = self.tips + by
        self.clearance = np.where(self.planted | (self._heel == 0.0), 0.0, self.tips[1] - self._toes[0])

    def arcs(self, clock: GaitClock, samples: int) -> Array:
        """(samples, 3, legs, creatures): the paths of tips until they land, if no goal moves; planted feet stay."""
        step = np.linspace(0.0, 1.0, samples)[:, None, None] * (1.0 - clock.swing)
        way = self.course.after(clock.swing, step)[0, TIP].swapaxes(0, 1)
        part = travel(clock.swing + step)[:, None]
        way += self.arch * np.concatenate([bow(part), hump(part), bow(part)], axis=1)
        way[:, 1] = np.maximum(way[:, 1], self._terrain.height(way[:, 0], way[:, 2]))
        way[0] = self.tips
        return np.where(self.planted, self.tips, way)


def _rows(array: Array) -> Array:
    """(components, legs, creatures) as (components, feet), the same memory."""
    return array.reshape(len(array), -1)


# --- formulas


def _strike(place: Any, wish: Any, before: Any, length: Any, most: Any) -> Any:
    """How far the preferred place may move, squared, before the search is repeated; and the roll of the heel strike.

    A foothold far from the preferred place is kept for longer, since another search would likely find it again.
    """
    x, z = place[0] - wish[0], place[2] - wish[1]
    slack = REPLAN_DISTANCE * length + 0.5 * sqrt(x * x + z * z)
    high = minimum(absolute(place[1] - before) / (STEP_HEIGHT * length), 1.0)
    return slack * slack, most * (1.0 - smoothstep(high))


def _aimed(
    now: Any,
    place: Any,
    normal: Any,
    toe: Any,
    sines: Any,
    cosines: Any,
    state: Any,
    arch: Any,
    old: Any,
    rates: Any,
    leg: Any,
) -> Any:
    """The goal of a foot's course, where its ankle lands, and what changes so that the course stays smooth.

    state: roll of the heel strike, fraction of the swing that is over, usual lift, usual stride. arch, old: that of the
    path, and the one before. rates: of the tip. sines, cosines: of the strike, and of the last link then.

    Returns:
        goal (10), ankle (3), tip (3) and its rates (3), additional forces along x and z, and the rate of the swing.
    """
    strike, swing, usual, stride = state
    heel, last = leg
    lift = arch[1]
    tip = along(place, 1.0, combine((cosines[0] - 1.0) * heel, toe, sines[0] * heel, normal))
    ankle = along(tip, -last, combine(sines[1], toe, -cosines[1], normal))
    # Position and velocity stay continuous where the arch changes during the swing.
    part = travel(swing)
    sizes = bow(part), hump(part, sqrt, maximum), bow(part)
    slopes = bow_rate(swing), hump_rate(swing, sqrt, maximum), bow_rate(swing)
    less = [before - after for before, after in zip(old, arch, strict=True)]
    start = tuple(one + gap * size for one, gap, size in zip(now[:3], less, sizes, strict=True))
    rates = tuple(one + gap * slope for one, gap, slope in zip(rates, less, slopes, strict=True))
    # A foot with a heel that leaves even ground is quick, or the knee would straighten.
    quick = where((swing == 0.0) & (lift - usual <= EVEN * heel), QUICK, 0.0)
    x, y, z = (b - a for a, b in zip(start, tip, strict=True))
    high, left = maximum(lift - usual, 0.0), 1.0 - part
    far = sqrt((x * x + y * y + z * z) / (left * left) + 9.0 * high * high)
    pace = maximum(minimum(LONG_STEP * stride / maximum(far, 1e-9), 1.0), SLOWEST)
    return tip, normal, toe, strike, ankle, start, rates, quick * x, quick * z, pace


STRIKE = RowFormula(_strike, place=3, wish=2, before=1, length=1, most=1)
AIMED = RowFormula(
    _aimed,
    **{"now": 10, "place": 3, "normal": 3, "toe": 3, "sines": 2, "cosines": 2},
    **{"state": 4, "arch": 3, "old": 3, "rates": 3, "leg": 2},
)
