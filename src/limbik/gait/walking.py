"""walk(): a creature, a terrain and a route give a clip."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator

from numpy.typing import ArrayLike

from limbik.arguments import number, positive, shown, vector
from limbik.errors import ArgumentError
from limbik.gait.creature import Creature, creature
from limbik.gait.routes import StraightRoute, WaypointRoute, waypoints
from limbik.gait.walker import Walker
from limbik.skeleton.clip import Clip
from limbik.terrains.specs import TerrainLike

SECONDS = 10.0
MAX_FRAMES = 1_000_000
GAIT_SPEED = 0.8  # default speed over a gait's top speed, where only the gait is requested
ROUTE_FACTOR, ROUTE_SECONDS = 3.0, 10.0  # a walk ends after so many times its expected duration, and so much longer


def walk(
    kind: str | os.PathLike[str] | Creature,
    terrain: TerrainLike = "plane",
    *,
    seconds: float | None = None,
    speed: float | None = None,
    path: ArrayLike | None = None,
    at: ArrayLike = (0.0, 0.0),
    heading_degrees: float = 0.0,
    turn_degrees: float = 0.0,
    gait: str | None = None,
    count: int = 1,
    seed: int = 0,
    fps: float = 60.0,
    secondary: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Clip:
    """Lets a creature, or a crowd of them, walk over a terrain.

    Feet in stance do not move, legs always reach, and the same arguments give the same clip.

    Args:
        kind: a Creature, the name of a preset ("biped", "quadruped", "hexapod", "spider", "centipede"), or the path of
            a .toml file.
        terrain: a Terrain or anything that `limbik.terrains.as_terrain` accepts: a spec such as
            "hills:height=0.3,seed=3", a file, an array of heights, a function of x and z. "stairs" alone is a flight in
            a size that suits the creature.
        seconds: duration; default: 10, or until the end of the path.
        speed: m/s; default: the creature's own, or 80 % of the top speed of `gait`.
        path: (n, 2) waypoints, x and z in metres, from the start to the place where the creature stops.
        at: (2,) x and z of the start, metres; not with a path.
        heading_degrees: initial heading in degrees from +z toward +x; not with a path.
        turn_degrees: constant turning rate in degrees per second, from +z toward +x; not with a path.
        gait: name of the gait to keep; by default it follows from the speed.
        count: number of creatures; a crowd is one clip whose skeleton has a root for each.
        seed: random seed: with which leg they start and, for a crowd, where.
        fps: frames per second.
        secondary: whether tails and antennae trail behind the body, and creatures that stand breathe and shift their
            weight.
        progress: callback that receives the fraction done, from 0 to 1.

    Returns:
        A clip with its feet, their contacts, the terrain, and when each creature was blocked.

    Raises:
        LimbikError: An argument is not usable; the message names it.
    """
    if progress is not None and not callable(progress):
        raise ArgumentError("progress", shown(progress), "a function of one number, or None")
    walked = walk_steps(
        kind,
        terrain,
        seconds=seconds,
        speed=speed,
        path=path,
        at=at,
        heading_degrees=heading_degrees,
        turn_degrees=turn_degrees,
        gait=gait,
        count=count,
        seed=seed,
        fps=fps,
        secondary=secondary,
    )
    while True:
        try:
            done = next(walked)
        except StopIteration as end:
            return end.value
        if progress is not None:
            progress(done)


def walk_steps(
    kind: str | os.PathLike[str] | Creature,
    terrain: TerrainLike = "plane",
    *,
    seconds: float | None = None,
    speed: float | None = None,
    path: ArrayLike | None = None,
    at: ArrayLike = (0.0, 0.0),
    heading_degrees: float = 0.0,
    turn_degrees: float = 0.0,
    gait: str | None = None,
    count: int = 1,
    seed: int = 0,
    fps: float = 60.0,
    secondary: bool = True,
) -> Generator[float, None, Clip]:
    """The walk that `walk` describes, for programs with a window: yields the fraction done after each frame.

    Returns:
        The clip, as the generator's return value.
    """
    walking = creature(kind)
    pace = _speed(walking, speed, gait)
    fps, at = positive("fps", fps), vector("at", at, 2)
    heading, turn = number("heading_degrees", heading_degrees), number("turn_degrees", turn_degrees)
    route: StraightRoute | WaypointRoute = StraightRoute(pace, turn)
    duration = SECONDS
    if path is not None:
        points = waypoints(path)
        if turn or heading or at.any():
            got = f"turn_degrees={turn:g}, heading_degrees={heading:g}, at={at.tolist()}"
            raise ArgumentError("path", got, "none of these together with a path")
        route, at = WaypointRoute(points, pace, walking), points[0]
        heading = route.heading_degrees
        duration = ROUTE_FACTOR * route.length / pace + ROUTE_SECONDS
    frames = _frames(duration if seconds is None else positive("seconds", seconds), fps)
    walker = Walker(
        walking,
        terrain,
        count=count,
        seed=seed,
        gait=gait,
        at=at,
        heading_degrees=heading,
        secondary=secondary,
    )
    states = [walker.state]
    for frame in range(frames):
        going = route.step(walker, 1.0 / fps)
        states.append(walker.state)
        yield (frame + 1) / frames
        if not going:
            break
    return walker.clip(states, fps)


def _speed(walking: Creature, speed: float | None, gait: str | None) -> float:
    top = walking.speed if gait is None else walking.gait(gait).speed
    if speed is None:
        return walking.cruise if gait is None else GAIT_SPEED * top
    which = f"speed of the {walking.name}" if gait is None else f"speed of the {walking.name} at a {gait}"
    return number(which, speed, 0.0, top, "m/s", above=True)


def _frames(seconds: float, fps: float) -> int:
    if seconds * fps > MAX_FRAMES:
        raise ArgumentError("seconds", f"{seconds:g} s at {fps:g} fps", f"at most {MAX_FRAMES:,} frames")
    return round(seconds * fps)
