"""Walks: a creature, a terrain and a way to go, as a clip."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from limbik.errors import ArgumentError
from limbik.gait.creature import Creature, creature
from limbik.gait.routes import StraightRoute, WaypointRoute, waypoints
from limbik.gait.walker import Walker
from limbik.skeleton.clip import Clip
from limbik.terrains.coercion import as_terrain

SECONDS = 10.0
EASY = 0.8  # part of a gait's top speed that a creature which is told the gait alone walks at
PATIENCE = 3.0, 10.0  # times as long as a path should take, and seconds, after which a walk along it ends


def walk(
    kind: str | Creature,
    terrain: Any = "plane",
    *,
    seconds: float | None = None,
    speed: float | None = None,
    path: Any = None,
    at: Any = (0.0, 0.0),
    heading: float = 0.0,
    turn: float = 0.0,
    gait: str | None = None,
    count: int = 1,
    seed: int = 0,
    fps: float = 60.0,
    progress: Callable[[float], None] | None = None,
) -> Clip:
    """A creature, or a crowd of them, walks: a clip with its feet and their contacts.

    Feet that stand do not move, legs always reach, and the same arguments give the same clip.

    Args:
        kind: a Creature, a preset's name ("biped", "quadruped", "hexapod", "spider", "centipede"), or a .toml file.
        terrain: a Terrain, or what describes one: "hills:height=0.3,seed=3", a file, an array of heights.
        seconds: how long; 10 unless told, and along a path until its end.
        speed: m/s; unless told as the creature likes.
        path: waypoints (n, 2), x and z, from the first, where it starts, to the last, where it stops.
        at: (2,), x and z where it starts, and heading: degrees from +z to +x; not with a path.
        turn: degrees a second from +z to +x, all the time; not with a path.
        gait: the name of the one to keep to; else it is chosen by speed.
        count: how many creatures; a crowd is one clip whose skeleton has a root for each.
        seed: of chance: with which leg they start and, for a crowd, where.
        fps: frames a second.
        progress: is told the part that is done, from 0 to 1.
    """
    being = creature(kind)
    pace = _speed(being, speed, gait)
    way: StraightRoute | WaypointRoute
    if path is None:
        _finite("turn", turn)
        way = StraightRoute(pace, turn)
        limit = SECONDS if seconds is None else _positive("seconds", seconds)
    else:
        points = waypoints(path)
        if turn or heading or any(np.ravel(at)):
            raise ArgumentError("turn, heading, at", (turn, heading, at), "none of them with a path")
        way, at = WaypointRoute(points, pace), points[0]
        heading = way.heading
        usual = float(np.linalg.norm(np.diff(points, axis=0), axis=-1).sum()) / pace
        limit = PATIENCE[0] * usual + PATIENCE[1] if seconds is None else _positive("seconds", seconds)
    walker = Walker(being, as_terrain(terrain), count, seed=seed, gait=gait, at=at, heading=heading)
    frames = round(limit * _positive("fps", fps))
    states = [walker.state]
    for frame in range(frames):
        going = way.step(walker, 1.0 / fps)
        states.append(walker.state)
        if progress is not None:
            progress((frame + 1) / frames)
        if not going:
            break
    return walker.clip(states, fps)


def _speed(being: Creature, speed: float | None, gait: str | None) -> float:
    fastest = being.speed if gait is None else being.gaits[being.gait(gait)].speed
    if speed is None:
        return being.cruise if gait is None else EASY * fastest
    if not (isfinite(speed) and 0.0 < speed <= fastest):
        which = f"a {being.name}" if gait is None else f"the {gait} of a {being.name}"
        raise ArgumentError("speed", speed, f"m/s, more than 0 and at most {fastest:g}, for {which}")
    return float(speed)


def _positive(name: str, value: float) -> float:
    if not (isfinite(value) and value > 0.0):
        raise ArgumentError(name, value, "a positive number")
    return float(value)


def _finite(name: str, value: float) -> None:
    if not isfinite(value):
        raise ArgumentError(name, value, "a finite number")
