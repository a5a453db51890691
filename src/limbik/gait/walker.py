"""Walker: creatures that are steered step by step, as in a game loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import flag, instance, number, numbers, positive, shown, vector, whole
from limbik.arrays import Array, detached
from limbik.bodies.body import Body
from limbik.engines.stages import Record, fields_of, size_of
from limbik.errors import ArgumentError, ShapeError
from limbik.gait.climbing import ground_for, what_blocks
from limbik.gait.creature import Creature, creature
from limbik.gait.creature_body import creature_body
from limbik.gait.creature_machines import crowd_skeleton, machines
from limbik.gait.records import Body as BodyRecord
from limbik.gait.records import Character, Leg
from limbik.gait.swings import path_of
from limbik.gait.walker_state import WalkerState, joined
from limbik.rotations import continuous
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.specs import TerrainLike

MAX_COUNT = 1_000_000  # creatures
MAX_SEED = (1 << 63) - 1
MAX_SECONDS = 3600.0  # in one call of `step`
MAX_STEP = 1.0 / 60.0  # seconds: longer steps are subdivided, so that slow frames show the same motion
START_SPACING, START_JITTER = 1.5, 0.15  # of a crowd's grid: distance over the creatures' size; random displacement
IDLE_SECONDS = 1000.0  # range of the times at which idle motions start
# How much the creatures of a crowd differ from one another: ranges of factors on the parameters of their gaits.
CHARACTER = {
    "slow": 0.05,
    "fast": 0.05,
    "lift": 0.12,
    "bob": 0.2,
    "sway": 0.2,
    "twist": 0.25,
    "drop": 0.25,
    "arch": 0.1,
}
# What a creature starts from, and the arguments of `reset` that change it.
STARTING = ("place", "yaw", "beats", "idle", "idle_start")
STARTS = {"at": "place", "heading_degrees": "yaw"}


class Walker:
    """One creature, or a crowd of one kind, walking on a terrain.

    Arguments may be torch tensors on any device; what it returns are NumPy arrays.

    Args:
        kind: a Creature, the name of a preset, or the path of a .toml file.
        terrain: a Terrain or anything that `limbik.terrains.as_terrain` accepts: a spec such as "hills:height=0.3", a
            file, an array of heights, a function of x and z. "stairs" alone is a flight that suits the creature.
        count: number of creatures.
        seed: random seed: with which leg they start and, for a crowd, where.
        gait: name of a gait to keep; by default the gait follows from the speed.
        at: (2,) x and z of the start, metres; a crowd is centred there.
        heading_degrees: initial heading in degrees from +z toward +x, one number or (count,).
        secondary: whether tails and antennae trail behind the body, and creatures that stand breathe and shift their
            weight.

    Raises:
        LimbikError: An argument is not usable; the message names it.
    """

    def __init__(
        self,
        kind: str | os.PathLike[str] | Creature,
        terrain: TerrainLike = "plane",
        *,
        count: int = 1,
        seed: int = 0,
        gait: str | None = None,
        at: ArrayLike = (0.0, 0.0),
        heading_degrees: ArrayLike = 0.0,
        secondary: bool = True,
    ) -> None:
        self.creature = creature(kind)
        self.terrain = ground_for(self.creature, terrain)
        self.count = whole("count", count, 1, MAX_COUNT)
        random = np.random.default_rng(whole("seed", seed, 0, MAX_SEED))
        start = _started(self.creature, self.count, random) + vector("at", at, 2)[:, None]
        yaw = np.radians(self._each("heading_degrees", heading_degrees))
        beats = random.random(self.count)
        idle = IDLE_SECONDS * random.random(self.count) if flag("secondary", secondary) else None
        kept, character = self._gait_index(gait), _characters(self.count, random)
        self._machines = machines(self.creature)
        self._state = np.zeros((self.count, self._machines.step.places.size))
        self._set("place", start.T)
        self._set("yaw", yaw)
        self._set("beats", beats)
        self._set("idle", idle is not None)
        self._set("idle_start", 0.0 if idle is None else idle)
        self._columns(Character)[:] = character
        self._keep(kept)
        self._start = {name: self._columns(BodyRecord, name).copy() for name in STARTING}
        self._machines.begin.run(self._state, self.terrain.height)
        self._velocity: Array = np.zeros((2, self.count))
        self._turn: Array | None = None
        self._seen: WalkerState | None = None

    def step(self, seconds: float, velocity: ArrayLike | None = None, *, turn_degrees: ArrayLike | None = None) -> None:
        """Advances in time.

        Args:
            seconds: time step, up to 3600 s.
            velocity: (2,) x and z, or (3,), in the world, m/s; or one for each creature, (count, 2 or 3). It is reduced
                to the top speed where it is greater, and backwards to 60 % of that for creatures whose knees point
                forward or back. By default the velocity and the turning rate of the step before.
            turn_degrees: turning rate in degrees per second, positive from +z toward +x (to the left), one number or
                (count,). By default the creatures turn to face the velocity given with this step.

        Raises:
            LimbikError: An argument is not usable; the message names it.
        """
        seconds = number("seconds", seconds, 0.0, MAX_SECONDS, "seconds", above=True)
        turn = self._turn if velocity is None else None
        if turn_degrees is not None:
            turn = np.radians(self._each("turn_degrees", turn_degrees))
        self._velocity = self._velocity if velocity is None else self._horizontal(velocity)
        self._turn = turn
        parts = ceil(seconds / MAX_STEP - 1e-9)
        self._set("seconds", seconds / parts)
        self._set("velocity", self._velocity.T)
        self._set("faces", turn is None)
        self._set("turn", 0.0 if turn is None else turn)
        for _ in range(parts):
            self._machines.step.run(self._state, self.terrain.height)
        self._seen = None

    def push(self, velocity: ArrayLike) -> None:
        """Pushes the bodies: adds to their velocity at once; it returns to the requested one within a few steps.

        Args:
            velocity: (2,), (3,), (count, 2) or (count, 3), m/s, as in `step`.

        Raises:
            LimbikError: The velocity has another shape, or is not finite.
        """
        self._set("push", self._horizontal(velocity).T)
        self._machines.push.run(self._state)

    def keep_to(self, gait: str | None) -> None:
        """Changes to a gait, gradually, and keeps it.

        Args:
            gait: name of the gait; with None the gait follows from the speed again.

        Raises:
            ChoiceError: The creature has no gait of that name.
        """
        self._keep(self._gait_index(gait))

    def _keep(self, gait: int | None) -> None:
        self._set("kept", -1.0 if gait is None else gait)
        self._set("fastest", self.creature.gaits[-1 if gait is None else gait].speed)

    def _columns(self, kind: type[Record], name: str = "") -> Array:
        """(count, components) A field of a record that each creature has one of, or the whole record: a view."""
        places = self._machines.step.places
        first = places.first[kind]
        return self._state[:, places.columns(kind, name) if name else slice(first, first + size_of(kind))]

    def _set(self, name: str, value: ArrayLike) -> None:
        column = self._columns(BodyRecord, name)
        column[:] = np.reshape(value, (-1, column.shape[1]))

    def reset(
        self, which: ArrayLike | None = None, *, at: ArrayLike | None = None, heading_degrees: ArrayLike | None = None
    ) -> None:
        """Sets creatures on the ground anew, standing, where they were at first, or elsewhere.

        Args:
            which: (count,) bool, those to set; default: all.
            at: x and z, metres, (2,) or one for each creature, (count, 2).
            heading_degrees: from +z toward +x, one number or (count,).

        Raises:
            LimbikError: An argument is not usable; the message names it.
        """
        chosen = np.ones(self.count, bool) if which is None else np.asarray(detached(which))
        if chosen.shape != (self.count,) or chosen.dtype != bool:
            raise ArgumentError("which", shown(which), f"a bool for each creature, ({self.count},)")
        for name, value in (("at", at), ("heading_degrees", heading_degrees)):
            if value is not None:
                self._start[STARTS[name]][chosen] = self._placed(name, value)[chosen]
        fresh = np.zeros_like(self._state[chosen])
        kept = self._machines.step.places.columns
        for name in (*STARTING, "kept", "fastest"):
            source = self._start.get(name, self._columns(BodyRecord, name))
            fresh[:, kept(BodyRecord, name)] = source[chosen]
        first, size = self._machines.step.places.first[Character], size_of(Character)
        fresh[:, first : first + size] = self._columns(Character)[chosen]
        self._machines.begin.run(fresh, self.terrain.height)
        self._state[chosen] = fresh
        self._seen = None

    def _placed(self, name: str, value: ArrayLike) -> Array:
        """(count, components) Places, or headings in radians."""
        if name == "heading_degrees":
            return np.radians(self._each(name, value))[:, None]
        found = numbers(name, detached(value))
        if found.shape not in ((2,), (self.count, 2)):
            raise ShapeError(name, found.shape, f"(2,), x and z, or one for each creature, ({self.count}, 2)")
        return np.broadcast_to(found, (self.count, 2))

    # --- the present state

    @property
    def numbers(self) -> Array:
        """(count, n) All that decides what each creature does next, a copy; it may be assigned, for other walkers too.

        A walker of the same creature, with any terrain, goes on bit by bit as this one would from there. The meaning of
        the numbers may change from one version of limbik to the next.
        """
        return self._state.copy()

    @numbers.setter
    def numbers(self, values: ArrayLike) -> None:
        found = numbers("numbers", detached(values))
        if found.shape != self._state.shape:
            raise ShapeError(
                "numbers", found.shape, f"{self._state.shape}, those of a walker of as many such creatures"
            )
        self._state = np.array(found, float)
        self._seen = None

    @property
    def fastest(self) -> float:
        """Top speed, m/s."""
        return float(self._columns(BodyRecord, "fastest")[0, 0])

    @property
    def state(self) -> WalkerState:
        """Everything needed for a pose of the creatures; `clip` makes a clip of such states."""
        if self._seen is None:
            posed = self._machines.posed
            self._seen = WalkerState(self._state[:, posed.columns], posed)
        return self._seen

    @property
    def places(self) -> Array:
        """(count, 3) Centres of the bodies (the first segment) in the world, metres, without the sway of the steps."""
        x, z = self._columns(BodyRecord, "place").T
        return np.array([x, self.state.middle[1, 0], z]).T

    @property
    def heading_degrees(self) -> Array:
        """(count,) Headings in degrees from +z toward +x."""
        return np.degrees(self._columns(BodyRecord, "yaw")[:, 0])

    @property
    def velocities(self) -> Array:
        """(count, 2) Velocities of the bodies along x and z in the world, m/s, without the sway of the steps."""
        left, ahead, _ = self._columns(BodyRecord, "now").T
        yaw = self._columns(BodyRecord, "yaw")[:, 0]
        sine, cosine = np.sin(yaw), np.cos(yaw)
        return np.array([left * cosine + ahead * sine, ahead * cosine - left * sine]).T

    @property
    def gaits(self) -> list[str]:
        """The name of the gait of each creature: the one that it keeps, or else the present one."""
        kept, present = (self._columns(BodyRecord, name)[:, 0] for name in ("kept", "gait"))
        return [self.creature.gaits[int(number)].name for number in np.where(kept >= 0.0, kept, present)]

    @property
    def footholds(self) -> Array:
        """(count, legs, 3) Where feet stand or, during a swing, will land, metres."""
        return self._legs("hold").copy()

    def _legs(self, name: str) -> Array:
        """(count, legs, components) A field of the legs: a view."""
        return self._machines.rows(self._state, Leg, name)

    def arcs(self, samples: int) -> Array:
        """Predicts the paths of the feet until they land; the goal of a foot may still change early in its swing.

        Args:
            samples: number of points along each path.

        Returns:
            (count, legs, samples, 3) points in the world, metres; feet in stance stay where they are.

        Raises:
            ArgumentError: `samples` is no whole number from 1 to 100,000.
        """
        parts = np.linspace(0.0, 1.0, whole("samples", samples, 1, 100_000))[:, None, None]
        course = [np.moveaxis(self._legs(f"{name}_tip"), -1, 0) for name in ("course", "goal", "rate", "force")]
        swing, planted = self._legs("swing")[..., 0], self._legs("planted")[..., 0] > 0.5
        way = path_of(parts * (1.0 - swing), swing, course, np.moveaxis(self._legs("arch"), -1, 0))
        way[1] = np.maximum(way[1], self.terrain.height(way[0], way[2]))
        tip = np.moveaxis(self._legs("tip"), -1, 0)[:, None]
        way[:, 0] = tip[:, 0]
        return np.where(planted, tip, way).transpose(2, 3, 1, 0)

    @property
    def at_rest(self) -> Array:
        """(count,) bool: which creatures stand still, with no foot left to move."""
        return self._columns(BodyRecord, "running")[:, 0] < 0.5

    @property
    def blocked(self) -> Array:
        """(count,) bool: which creatures cannot go where they are asked to, nor along what is in their way."""
        return self.state.blocked.copy()

    @property
    def contacts(self) -> Array:
        """(count, feet) bool: which feet are on the ground; the tips of the legs first, then heels and toes."""
        return self._contacts(self.state).T

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton; that of a crowd has a root for each creature, and numbers in the names of its joints."""
        return crowd_skeleton(self._machines.skeleton, self.creature.name, self.count)

    @cached_property
    def body(self) -> Body:
        """What each of them looks like."""
        return creature_body(self.creature, self._machines.skeleton)

    @property
    def feet(self) -> tuple[int, ...]:
        """Joint indices of all feet, creature by creature."""
        joints, feet = len(self._machines.joints.names), self._machines.joints.feet
        return tuple(k * joints + foot for k in range(self.count) for foot in feet)

    @property
    def pose(self) -> Pose:
        """The present pose of the skeleton."""
        rotations, translations = self._posed(self.state, 1)
        return Pose(self.skeleton, rotations[0], translations[0])

    @property
    def poses(self) -> Pose:
        """The present poses of all creatures, as arrays: one Pose of the skeleton of a single creature.

        Its rotations are (count, joints, 4), xyzw, each relative to the parent; its translations (count, joints, 3),
        and `poses.positions()` (count, joints, 3) in the world, metres. `poses.skeleton` has the names of the joints.
        """
        rotations, translations = self._posed(self.state, 1)
        shape = self.count, -1
        return Pose(self._machines.skeleton, rotations.reshape(*shape, 4), translations.reshape(*shape, 3))

    def clip(self, states: Sequence[WalkerState], fps: float) -> Clip:
        """Makes a clip.

        Args:
            states: values of `state` of this walker, one for each frame.
            fps: frames per second.

        Returns:
            A clip with its feet, contacts, terrain, and when each creature was blocked, and by what.

        Raises:
            ArgumentError: There are no states, or an argument is not usable.
        """
        frames, fps = len(states), positive("fps", fps)
        if not frames:
            raise ArgumentError("states", "none", "at least one WalkerState")
        for state in states:
            instance("states", state, WalkerState, "values of Walker.state")
        together = joined(states)
        rotations, translations = self._posed(together, frames)
        contacts = self._contacts(together).reshape(-1, frames, self.count).transpose(1, 2, 0).reshape(frames, -1)
        return Clip(
            self.skeleton,
            continuous(rotations),
            translations,
            fps=fps,
            name=self.creature.name,
            feet=self.feet,
            contacts=contacts,
            blocked=together.blocked.reshape(frames, self.count),
            notes=(what_blocks(self.creature, self.terrain),) if together.blocked.any() else (),
            terrain=self.terrain,
            body=self.body,
        )

    def _posed(self, state: WalkerState, frames: int) -> tuple[Array, Array]:
        """Rotations (frames, joints, 4) and translations (frames, joints, 3) of all creatures."""
        layout = self._machines.joints
        joints = len(layout.names)
        translations = np.empty((frames, self.count, joints, 3))
        translations[:] = layout.translations
        translations[:, :, 0] = state.middle[:, 0].reshape(3, frames, self.count).transpose(1, 2, 0)
        return state.rotations.reshape(frames, -1, 4), translations.reshape(frames, -1, 3)

    def _contacts(self, state: WalkerState) -> Array:
        heeled = list(self._machines.joints.heels)
        tips, heels, toes = state.contacts
        return np.concatenate([tips, heels[heeled], toes[heeled]])

    # --- arguments

    def _gait_index(self, name: str | None) -> int | None:
        return None if name is None else self.creature.gaits.index(self.creature.gait(name))

    def _horizontal(self, velocity: ArrayLike) -> Array:
        """(2, count), x and z."""
        found = numbers("velocity", detached(velocity))
        if found.shape[-1:] not in ((2,), (3,)) or found.shape[:-1] not in ((), (self.count,)):
            wanted = f"(2,) or (3,), or one for each creature, ({self.count}, 2) or ({self.count}, 3)"
            raise ShapeError("velocity", found.shape, wanted)
        return found[..., :: found.shape[-1] - 1].reshape(-1, 2).T + np.zeros((2, self.count))

    def _each(self, name: str, value: ArrayLike) -> Array:
        """(count,)."""
        found = numbers(name, detached(value))
        if found.shape not in ((), (self.count,)):
            raise ArgumentError(name, shown(value), f"degrees, one number or one for each creature, ({self.count},)")
        return np.broadcast_to(found, (self.count,))


def _characters(count: int, random: np.random.Generator) -> Array:
    """(count, numbers) Factors on the parameters of the gaits of a crowd; 1 for a creature on its own."""
    names = list(fields_of(Character))
    if count == 1:
        return np.ones((1, len(names)))
    spread = np.array([CHARACTER.get(name, 0.0) for name in names])[:, None]
    factors = 1.0 + spread * random.uniform(-1.0, 1.0, (len(spread), count))
    factors[names.index("fast")] = factors[names.index("slow")]  # slow and fast strides alike
    return factors.T


def _started(kind: Creature, count: int, random: np.random.Generator) -> Array:
    """(2, count): one creature at the origin, a crowd on a jittered grid about it."""
    if count == 1:
        return np.zeros((2, 1))
    across = 2.0 * max(abs(leg.foothold[0]) for leg in kind.legs)
    along = 2.0 * max(abs(leg.foothold[1]) for leg in kind.legs) + kind.body.length * kind.body.segments
    side = ceil(count**0.5)
    grid = np.array(np.divmod(np.arange(count), side)[::-1]) - 0.5 * (side - 1)
    return START_SPACING * max(across, along) * (grid + random.uniform(-START_JITTER, START_JITTER, grid.shape))
