"""How much of the requested motion creatures carry out: less uphill, before obstacles, and when feet are behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import maximum, sqrt
from limbik.gait.ground_ahead import GroundAhead
from limbik.gait.rig import GRAVITY, Rig
from limbik.gait.steering import HOLD_STIFFNESS, Steering
from limbik.gait.trunk_motion import TrunkMotion
from limbik.terrains.base import Terrain

BRAKING = 0.25 * GRAVITY  # deceleration before an obstacle, m/s²
REACTION = 0.15  # seconds before braking takes effect
LOOK_FRAMES = 6  # interval at which creatures look ahead
DETOURS = np.radians([30.0, -30.0, 55.0, -55.0])  # other directions, tried where the requested one is not clear
WORTHWHILE = 0.5  # least distance that a detour must be clear for, over the length of the legs
BLOCKED = 0.05  # fraction of the requested speed below which a creature is blocked
NEAR = 0.03  # distance to what is in the way at which it is, too, over the length of the legs
FAR = 1e6  # metres: nothing in the way
NO_LIMIT = np.array([FAR])  # m/s


class Pacing:
    """How fast creatures may go, and what is in their way.

    clear: (creatures,), metres that bodies can go in their present direction. obstacles: whether anything is in the way
    of any. blocked: (creatures,) bool, which cannot go where they are asked to, nor along what is in their way.
    """

    def __init__(self, rig: Rig, terrain: Terrain, count: int) -> None:
        self._rig, self._ahead = rig, GroundAhead(rig, terrain)
        self.clear = np.full(count, FAR)
        self.blocked = np.zeros(count, bool)
        self._detour = np.zeros(count)
        self.obstacles = False
        self._frame = 0

    def most(self, seconds: float, steering: Steering, trunk: TrunkMotion, supports: Callable[[], Array]) -> Array:
        """(creatures,) or (1,) The greatest speed, m/s; diverts what is requested where that is in the way of less.

        supports: returns (3, legs, creatures), where feet stand.
        """
        if self._frame % LOOK_FRAMES == 0:
            self._look(steering, trunk, supports()[1])
        self._frame += 1
        if not self.obstacles:
            return NO_LIMIT
        if self._detour.any():
            steering.divert(self._detour)
        most = self._speed(self.clear)
        self.clear = np.maximum(self.clear - seconds * np.hypot(*steering.now[:2]), 0.0)
        return most

    def _speed(self, clear: Array) -> Array:
        """The speed, m/s, from which a creature can stop within a distance, metres."""
        lost = BRAKING * (REACTION + 2.0 / (HOLD_STIFFNESS * self._rig.tempo))
        return np.sqrt(lost * lost + 2.0 * BRAKING * clear) - lost

    def _look(self, steering: Steering, trunk: TrunkMotion, heights: Array) -> None:
        """Looks ahead, and to the sides of what is in the way."""
        wanted, fastest, *direction = WAY(steering.command, steering.now, trunk.heading)
        going = wanted > 1e-6 * self._rig.speeds[0]
        self.blocked = np.zeros_like(going)
        self._detour = np.zeros_like(wanted)
        self.clear = np.full(len(wanted), FAR)
        self.obstacles = False
        if not going.any():
            return
        x, z = direction
        speed = float(fastest.max())
        look = speed * speed / (2.0 * BRAKING) + (REACTION + 0.1) * speed + self._rig.reach
        clear = self._ahead.clear(trunk.place, trunk.heading, heights, np.array([x, z]), look)
        which = np.flatnonzero(np.isfinite(clear) & going)
        if not which.size:
            return
        found = np.full((1 + len(DETOURS), len(wanted)), FAR)
        found[0, which] = clear[which]
        angle = np.array([0.0, *DETOURS])[:, None]
        for k, turn in enumerate(DETOURS, 1):
            sine, cosine = np.sin(turn), np.cos(turn)
            direction = np.array([x[which] * cosine + z[which] * sine, z[which] * cosine - x[which] * sine])
            there = self._ahead.clear(
                trunk.place[:, which], trunk.heading[:, which], heights[:, which], direction, look
            )
            found[k, which] = np.minimum(there, FAR)
        self.obstacles = True
        speeds = self._speed(np.maximum(found, 0.0))
        progress = np.minimum(speeds, wanted * np.cos(angle)) * np.cos(angle) ** 2
        progress[1:] *= found[1:] > WORTHWHILE * self._rig.reach
        best = np.argmax(progress, axis=0)
        everyone = np.arange(len(wanted))
        self._detour = np.where(progress[best, everyone] > 0.0, angle[best, 0], 0.0)
        best = np.where(progress[best, everyone] > 0.0, best, 0)
        self.clear = np.maximum(found[best, everyone], 0.0)
        slow, near = speeds[best, everyone] < BLOCKED * wanted, self.clear < NEAR * self._rig.reach
        self.blocked = going & (slow | near)


# --- formulas


def _way(command: Any, now: Any, heading: Any) -> Any:
    """The requested speed, the greater one of it and the present one, and x and z of the requested direction, unit."""
    (left, ahead, _), (sine, cosine) = command, heading
    wanted = sqrt(left * left + ahead * ahead)
    size = maximum(wanted, 1e-9)
    x, z = (left * cosine + ahead * sine) / size, (ahead * cosine - left * sine) / size
    return wanted, maximum(wanted, sqrt(now[0] * now[0] + now[1] * now[1])), x, z


WAY = RowFormula(_way, command=3, now=3, heading=2)
