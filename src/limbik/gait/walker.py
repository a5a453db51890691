"""A walker: creatures that are told how fast to go, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.gait.creature import Creature, creature
from limbik.gait.creature_poser import CreaturePoser, crowd_skeleton
from limbik.gait.crowd import Crowd
from limbik.gait.rig import Rig
from limbik.gait.walker_state import WalkerState, joined
from limbik.rotations import continuous
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.coercion import as_terrain

LONGEST = 1.0 / 24.0  # seconds: longer steps are taken in parts
ROOM, ASTRAY = 1.5, 0.15  # how far those of a crowd start from one another, times their size; and out of line
TOUCHING = 1e-9  # radians that a foot may be turned while both its heel and its tip count as on the ground


class Walker:
    """One creature, or many of a kind, on a terrain.

    Args:
        kind: a Creature, a preset's name, or a .toml file.
        terrain: a Terrain, or what describes one.
        count: how many creatures.
        seed: of chance: with which leg they start and, for a crowd, where.
        gait: the name of the one to keep to; else it is chosen by speed.
        at: (2,), x and z about which they start.
        heading: degrees from +z to +x, one number or one for each creature.
    """

    def __init__(
        self,
        kind: str | Creature,
        terrain: Any = "plane",
        count: int = 1,
        *,
        seed: int = 0,
        gait: str | None = None,
        at: Any = (0.0, 0.0),
        heading: Any = 0.0,
    ) -> None:
        self.creature = creature(kind)
        self.terrain = as_terrain(terrain)
        if not (isinstance(count, int) and count > 0):
            raise ArgumentError("count", count, "a whole number, 1 or more")
        self.count = count
        number = None if gait is None else self.creature.gait(gait)
        rig = Rig(self.creature)
        self._poser = CreaturePoser(rig)
        chance = np.random.default_rng(seed)
        start = _started(self.creature, count, chance) + _place(at)[:, None]
        yaw = np.radians(self._each("heading", heading)).copy()
        self._crowd = Crowd(rig, self.terrain, start, yaw, chance.random(count), number)

    def step(self, seconds: float, velocity: Any, turn: Any = None) -> None:
        """Goes on in time.

        Args:
            seconds: how long.
            velocity: (2,), x and z, or (3,), in the world, m/s; or one for each creature, (count, 2 or 3). What is more
                than the creature's fastest is cut down to that.
            turn: degrees a second, positive to the left (from +z to +x), one number or one for each creature; else they
                turn to face where they go.
        """
        asked = self._horizontal(velocity)
        rate = None if turn is None else np.radians(self._each("turn", turn))
        if not 0.0 < seconds < float("inf"):
            raise ArgumentError("seconds", seconds, "a positive number")
        parts = ceil(seconds / LONGEST - 1e-9)
        for _ in range(parts):
            self._crowd.steering.ask(asked, rate, self._crowd.trunk.yaw[0])
            self._crowd.advance(seconds / parts)

    def push(self, velocity: Any) -> None:
        """Pushes the bodies: at once they go faster by a velocity, as of `step`. Legs step to stay below them.

        They come back to the speed that they are told by and by.
        """
        self._crowd.steering.push(self._horizontal(velocity), self._crowd.trunk.yaw[0])

    def keep_to(self, gait: str | None) -> None:
        """Keeps to a gait, by its name, from now on; with None it is chosen by speed again. They change by and by."""
        self._crowd.keep_to(None if gait is None else self.creature.gait(gait))

    # --- how the creatures are now

    @property
    def fastest(self) -> float:
        """The fastest that they go, m/s."""
        return self._crowd.steering.fastest

    @property
    def state(self) -> WalkerState:
        """All that is needed to draw them."""
        return self._crowd.state

    @property
    def places(self) -> Array:
        """(count, 3) The middles of their bodies, of the first segment, without the sway of their steps."""
        x, z = self._crowd.trunk.place
        return np.array([x, self.state.middle[1, 0], z]).T

    @property
    def headings(self) -> Array:
        """(count,) Degrees from +z to +x."""
        return np.degrees(self._crowd.trunk.yaw[0])

    @property
    def velocities(self) -> Array:
        """(count, 2) x and z in the world, m/s, of the bodies without the sway of their steps."""
        return self._crowd.trunk.velocity(self._crowd.steering.now).T

    @property
    def gaits(self) -> list[str]:
        """The name of the gait that each is in."""
        return [self.creature.gaits[number].name for number in self._crowd.gait]

    @property
    def footholds(self) -> Array:
        """(count, legs, 3) Where their feet stand or, in the air, are going to."""
        return self._crowd.footholds.transpose(2, 1, 0)

    def arcs(self, samples: int) -> Array:
        """(count, legs, samples, 3) The ways of the legs' tips from now until they land; those on the ground stay.

        A foot in the air may still change its mind, early in its swing.
        """
        return self._crowd.arcs(samples).transpose(3, 2, 0, 1)

    @property
    def at_rest(self) -> Array:
        """(count,) bool: which stand, and have no foot that they would move."""
        return ~self._crowd.running

    @property
    def contacts(self) -> Array:
        """(count, feet) bool: which feet are on the ground; legs' tips first, then heels."""
        return self._contacts(self.state).T

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton of all of them: many have a root each, and numbers in their names."""
        return crowd_skeleton(self._poser.skeleton, self.creature.name, self.count)

    @property
    def feet(self) -> tuple[int, ...]:
        """The joints of all feet, creature after creature."""
        joints, feet = len(self._poser.layout.names), self._poser.layout.feet
        return tuple(k * joints + foot for k in range(self.count) for foot in feet)

    @property
    def pose(self) -> Pose:
        """The skeleton as they are."""
        rotations, translations = self._posed(self.state, 1)
        return Pose(self.skeleton, rotations[0], translations[0])

    def clip(self, states: Sequence[WalkerState], fps: float) -> Clip:
        """Moments of this walker as a clip."""
        frames = len(states)
        whole = joined(states)
        rotations, translations = self._posed(whole, frames)
        contacts = self._contacts(whole).reshape(-1, frames, self.count).transpose(1, 2, 0).reshape(frames, -1)
        return Clip(
            self.skeleton,
            continuous(rotations),
            translations,
            fps=fps,
            name=self.creature.name,
            feet=self.feet,
            contacts=contacts,
            terrain=self.terrain,
        )

    def _posed(self, state: WalkerState, frames: int) -> tuple[Array, Array]:
        """Rotations (frames, joints, 4) and translations (frames, joints, 3) of all creatures."""
        layout = self._poser.layout
        joints = len(layout.names)
        rotations = self._poser.rotations(state).reshape(4, joints, frames, self.count).transpose(2, 3, 1, 0)
        translations = np.empty((frames, self.count, joints, 3))
        translations[:] = layout.translations
        translations[:, :, 0] = state.middle[:, 0].reshape(3, frames, self.count).transpose(1, 2, 0)
        return rotations.reshape(frames, -1, 4), translations.reshape(frames, -1, 3)

    def _contacts(self, state: WalkerState) -> Array:
        heeled = list(self._poser.layout.heels)
        if not heeled:
            return state.planted
        tips, heels = state.planted & (state.roll <= TOUCHING), state.planted & (state.roll >= -TOUCHING)
        return np.concatenate([tips, heels[heeled]])

    # --- what was given

    def _horizontal(self, velocity: Any) -> Array:
        """(2, count), x and z."""
        given = np.asarray(velocity, float)
        if given.shape[-1:] not in ((2,), (3,)) or given.shape[:-1] not in ((), (self.count,)):
            wanted = f"(2,) or (3,), or one for each creature, ({self.count}, 2) or ({self.count}, 3)"
            raise ShapeError("velocity", given.shape, wanted)
        if not np.isfinite(given).all():
            raise ArgumentError("velocity", velocity, "finite numbers")
        return given[..., :: given.shape[-1] - 1].reshape(-1, 2).T + np.zeros((2, self.count))

    def _each(self, name: str, value: Any) -> Array:
        """(count,)."""
        given = np.asarray(value, float)
        if given.shape not in ((), (self.count,)) or not np.isfinite(given).all():
            raise ArgumentError(name, value, f"degrees, one number or one for each creature, {self.count}")
        return np.broadcast_to(given, (self.count,))


def _place(at: Any) -> Array:
    given = np.asarray(at, float)
    if given.shape != (2,) or not np.isfinite(given).all():
        raise ArgumentError("at", at, "two finite numbers, x and z")
    return given


def _started(kind: Creature, count: int, chance: np.random.Generator) -> Array:
    """(2, count): one at the origin, many on a grid about it, a little out of line."""
    if count == 1:
        return np.zeros((2, 1))
    across = 2.0 * max(abs(leg.foothold[0]) for leg in kind.legs)
    along = 2.0 * max(abs(leg.foothold[1]) for leg in kind.legs) + kind.body.length * kind.body.segments
    side = ceil(count**0.5)
    grid = np.array(np.divmod(np.arange(count), side)[::-1]) - 0.5 * (side - 1)
    return ROOM * max(across, along) * (grid + chance.uniform(-ASTRAY, ASTRAY, grid.shape))
