"""What creatures do where walking is hard: `python benchmarks/creatures.py [--speeds] [--vary N] [WORD ...]`.

Each creature is put before walls, gaps, slits, ledges, holes, on islands and stairs, and is told to stop and go, to
reverse and to turn, for thirty seconds each. The script measures clips over terrains, and uses nothing of how walks are
made. It prints, for each creature, the worst of all stresses and which it was; with WORDs, every stress whose name
contains one of them, or of the creature of that name. With --vary every stress is repeated N times with other seeds of
creature and hills, other speeds, sizes of obstacles and frame rates; what misses a bar is printed, and then the worst.

- jump: largest movement of any joint in a sixtieth of a second, over the largest in a plain walk at the same speed; at
  the top speed for creatures that turn, whose outer feet are faster than their bodies.
- foot: greatest depth of a tip, heel or toe below the ground, millimetres, and that of any foot marked as in contact.
- slide: greatest movement of a foot that stays in contact, from frame to frame, millimetres.
- body: least height of the hips above the ground below the feet, on average, over that at the start.
- lurch: largest acceleration of the trunk, over that in a plain walk.
- legs: least distance between the axes of the legs of a pair, millimetres; hips excluded.
- stand: least angle between a leg (the line from hip to tip) and the horizontal, degrees, of legs that stand under the
  body; near 0 in the splits.
- stuck: the longest time, seconds, in which a creature that is asked to go straight on goes at less than 70 % of the
  requested speed, on average over a second, along the ground, and is not blocked; until it is, if it comes to that.

With --speeds: how well they keep the requested speed, straight ahead and backwards (the mean of six seconds, after
four), and along paths of six seconds or four legs on a side (the mean from 5 % to 95 % of the way, over the requested
speed, and the greatest distance of the body's centre from the path, over the body's width).

With --stairs: up and down flights of all sizes that people build, or for other creatures as large for their legs, at
four speeds; every flight that misses a bar, and the worst of all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from motion import CREATURES
from report import machine, table

import limbik

SECONDS = 30.0
STAIRS = {"biped": (0.17, 0.3), "quadruped": (0.12, 0.35), "hexapod": (0.05, 0.25), "spider": (0.06, 0.3)}
COLUMNS = "jump", "foot", "slide", "body", "lurch", "legs", "stand", "stuck"
BEST = {"body": min, "legs": min, "stand": min}  # the worst is the least of these, and the greatest of the others
SPIRAL = 1.5  # radius of spiral stairs, legs
BARS = {"jump": 1.5, "foot": 1.0, "slide": 1e-3, "body": 0.7, "legs": 20.0, "stand": 15.0, "stuck": 1.0}
UPRIGHT = np.radians(60.0)  # legs that are steeper at the start stand under the body
HUMAN_LEG = 1.035  # metres: that of the biped, for whom stairs are built
RISES, RUNS = (0.10, 0.12, 0.14, 0.16, 0.18, 0.20), (0.25, 0.27, 0.29, 0.31, 0.34, 0.37, 0.40)  # metres
STAIR_SPEEDS = 0.4, 0.7, 1.0, 1.3  # over the default speed

Command = Callable[[float, limbik.Walker], tuple[tuple[float, float], float | None]]
Shape = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Variation:
    """Seeds of the creature and of hills, the speed and the size of what is in the way over the usual, frames a second.

    Turns are slower with the speed, too.
    """

    seed: int = 0
    hills: int = 0
    speed: float = 1.0
    size: float = 1.0
    fps: float = 60.0


@dataclass(frozen=True)
class Site:
    """For whom a ground is made: the creature's name, its longest leg and its widest stance, metres; how it varies."""

    name: str
    leg: float
    stance: float
    variation: Variation


Ground = Callable[[Site], limbik.terrains.Terrain | str | Shape]


@dataclass(frozen=True)
class Stress:
    """A ground, a command, and the speed of the plain walk to which it is compared."""

    ground: Ground
    command: Command
    fast: bool = False  # the top speed
    faces: bool = False  # turns to face its way, as fast whatever the speed: compared with the top speed, never less


def scaled(shape: Shape) -> Ground:
    """A shape whose lengths are in legs."""

    def ground(site: Site) -> Shape:
        unit = site.leg * site.variation.size
        return lambda x, z: unit * shape(x / unit, z / unit)

    return ground


def block(height: float, low: float, high: float) -> Ground:
    """Ground at another height, or depth, between two distances ahead, in legs."""
    return scaled(lambda x, z: np.where((z > low) & (z < high), height, 0.0))


def hills(seed: int) -> Ground:
    """Hills."""
    return lambda site: f"hills:height={0.3 * site.variation.size},seed={seed + site.variation.hills}"


def flight(site: Site) -> str:
    """Stairs that suit the creature."""
    rise, run = steps(site)
    return f"stairs:rise={rise},run={run},start=1"


def steps(site: Site) -> tuple[float, float]:
    """Rise and run of stairs that suit the creature, metres."""
    rise, run = STAIRS.get(site.name, (0.02, 0.12))
    return rise * site.variation.size, run


def flight_down(site: Site) -> Shape:
    """The same stairs, downwards."""
    rise, run = steps(site)
    return lambda x, z: -rise * np.maximum(np.floor((z - 1.0) / run) + 1.0, 0.0)


def spiral(sign: float) -> Ground:
    """Such stairs around a post, on a circle through the start, to the left."""

    def ground(site: Site) -> Shape:
        (rise, run), radius = steps(site), SPIRAL * site.leg
        each = run / radius

        def shape(x: np.ndarray, z: np.ndarray) -> np.ndarray:
            turned = np.arctan2(z, radius - x)  # from where it starts, wound up on the first turn only
            return sign * rise * np.floor(np.clip(turned, 0.0, 3.0) / each)

        return shape

    return ground


def curb(site: Site) -> Shape:
    """A curb along the way, under the left feet."""
    high = 0.6 * steps(site)[0]
    return lambda x, z: np.where((x > 0.0) & (z > site.leg), high, 0.0)


def curbs(site: Site) -> Shape:
    """Low curbs across the way, at an angle."""
    high, apart = 0.6 * steps(site)[0], 2.0 * site.leg
    return lambda x, z: np.where((z + 0.5 * x > site.leg) & ((z + 0.5 * x) % apart < 0.5 * apart), high, 0.0)


def narrow_ledge(site: Site) -> Shape:
    """A ledge little wider than the stance, between a wall and an abyss."""
    half = 1.25 * site.stance
    return lambda x, z: np.where(z < site.leg, 0.0, np.where(x > half, 2.0, np.where(x < -half, -3.0, 0.0)) * site.leg)


def along(walker: limbik.Walker, speed: float) -> tuple[float, float]:
    """A velocity straight ahead."""
    yaw = np.radians(float(walker.heading_degrees[0]))
    return speed * float(np.sin(yaw)), speed * float(np.cos(yaw))


def onward(_: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Straight on, whatever is in the way."""
    return (0.0, walker.creature.cruise), 0.0


def racing(_: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Straight on at the top speed."""
    return (0.0, walker.fastest), 0.0


def restart(t: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Walks a little, stops, walks again, three times differently."""
    on = t % 10.0 < 1.2 or 2.6 < t % 10.0 < 5.0 or t % 10.0 > 5.3
    return along(walker, walker.creature.cruise if on else 0.0), 0.0


def reversal(t: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Forth and back at the top speed, facing the same way."""
    return (0.0, walker.fastest * (1.0 if t % 6.0 < 3.0 else -1.0)), 0.0


def about_turn(t: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Forth and back at the top speed, facing the way it goes."""
    return (0.0, walker.fastest * (1.0 if t % 8.0 < 4.0 else -1.0)), None


def nervous(t: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Another direction every 0.7 seconds."""
    angle, speed = float(np.floor(t / 0.7)) * 2.4, walker.creature.cruise
    return (speed * float(np.sin(angle)), speed * float(np.cos(angle))), None


def winding(_: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Around the post of spiral stairs, at half the default speed."""
    speed, radius = 0.5 * walker.creature.cruise, SPIRAL * max(sum(one.lengths) for one in walker.creature.legs)
    x, z = radius - float(walker.places[0, 0]), float(walker.places[0, 2])
    away = np.hypot(x, z)
    inward = (away / radius - 1.0) * np.array((x, -z)) / away
    way = np.array((z, x)) / away + 2.0 * inward
    return tuple(speed * way / np.linalg.norm(way)), None


def turning(_: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Ahead, turning by 90 degrees a second."""
    return along(walker, walker.creature.cruise), 90.0


def pivoting(_: float, walker: limbik.Walker) -> tuple[tuple[float, float], float | None]:
    """Turning by 90 degrees a second on the spot."""
    return (0.0, 0.0), 90.0


def level(_: Site) -> str:
    """A plane."""
    return "plane"


STRESSES = {
    "wall": Stress(block(2.0, 3.0, 9e9), onward),
    "thin wall": Stress(block(2.0, 3.0, 3.1), onward),
    "wall at an angle": Stress(scaled(lambda x, z: np.where(z + 2.0 * x > 3.0, 2.0, 0.0)), onward),
    "gap of a quarter leg": Stress(block(-3.0, 3.0, 3.25), onward),
    "gap of 1.5 legs": Stress(block(-3.0, 3.0, 4.5), onward),
    "slits": Stress(scaled(lambda x, z: np.where((z > 2.0) & (z % 0.6 < 0.15), -1.0, 0.0)), onward),
    "ledge up": Stress(block(1.0, 3.0, 9e9), onward),
    "ledge down": Stress(block(-1.0, 3.0, 9e9), onward),
    "step up": Stress(block(0.2, 3.0, 9e9), onward),
    "step down": Stress(block(-0.2, 3.0, 9e9), onward),
    "hole": Stress(scaled(lambda x, z: np.where(np.hypot(x, z - 4.0) < 1.2, -3.0, 0.0)), onward),
    "pillar": Stress(scaled(lambda x, z: np.where(np.hypot(x - 0.1, z - 4.0) < 0.3, 3.0, 0.0)), onward),
    "island": Stress(scaled(lambda x, z: np.where(np.hypot(x, z) < 6.0, 0.0, -3.0)), onward),
    "stairs twice its height": Stress(scaled(lambda x, z: np.maximum(np.floor(z / 2.0), 0.0) * 2.0), onward),
    "steps of half a leg": Stress(scaled(lambda x, z: np.maximum(np.floor((z - 1.0) / 0.8) + 1.0, 0.0) * 0.5), onward),
    "slope of 35°": Stress(lambda _: "slope:35", onward),
    "stairs down": Stress(flight_down, onward),
    "top speed down stairs": Stress(flight_down, racing, fast=True),
    "spiral stairs up": Stress(spiral(1.0), winding, fast=True, faces=True),
    "spiral stairs down": Stress(spiral(-1.0), winding, fast=True, faces=True),
    "curb along the way": Stress(curb, onward),
    "curbs across the way": Stress(curbs, onward),
    "narrow ledge": Stress(narrow_ledge, onward),
    "restart": Stress(level, restart),
    "restart on hills": Stress(hills(0), restart),
    "reversal": Stress(level, reversal, fast=True),
    "reversal on hills": Stress(hills(0), reversal, fast=True),
    "about turn": Stress(level, about_turn, fast=True, faces=True),
    "nervous": Stress(level, nervous, fast=True, faces=True),
    "top speed on hills": Stress(hills(3), racing, fast=True),
    "top speed on stairs": Stress(flight, racing, fast=True),
    "turn, 90°/s": Stress(level, turning, fast=True),
    "turn on the spot": Stress(level, pivoting, fast=True),
}


class Measured:
    """A walk of a creature, and what is measured on it."""

    def __init__(
        self,
        name: str,
        ground: limbik.terrains.Terrain | str | Shape,
        command: Command,
        how: Variation,
        seconds: float = SECONDS,
    ):
        walker = limbik.Walker(name, ground, seed=how.seed)
        states, asked = [walker.state], [(0.0, 0.0)]
        for k in range(round(seconds * how.fps)):
            (x, z), turn = command(k / how.fps, walker)
            turn = None if turn is None else how.speed * turn
            asked.append((how.speed * x, how.speed * z))
            walker.step(1.0 / how.fps, asked[-1], turn_degrees=turn)
            states.append(walker.state)
        self._asked = np.array(asked)
        self.clip, self.walker, self.fps = walker.clip(states, how.fps), walker, how.fps
        self.joints = self.clip.positions()
        self.feet = self.joints[:, self.clip.feet]

    @property
    def jump(self) -> float:
        """Metres."""
        return float(np.linalg.norm(np.diff(self.joints, axis=0), axis=-1).max())

    @property
    def foot(self) -> float:
        """Metres below the ground."""
        return float((self.walker.terrain.height(self.feet[..., ::2]) - self.feet[..., 1]).max())

    @property
    def slide(self) -> float:
        """Metres."""
        contacts = self.clip.contacts
        assert contacts is not None
        moved = np.linalg.norm(np.diff(self.feet, axis=0), axis=-1)
        return float(moved[contacts[1:] & contacts[:-1]].max(initial=0.0))

    @property
    def body(self) -> float:
        """Of the hips, on average, above the ground below the tips, over that at the start."""
        kind, names = self.walker.creature, self.clip.skeleton.names
        follows = kind.body.spine == "following"  # then the body is the first of several
        legs = [k for k, leg in enumerate(kind.legs) if not follows or leg.segment == 0]
        hips = self.joints[:, [names.index(f"{kind.legs[k].name}_hip") for k in legs], 1].mean(axis=1)
        height = hips - self.walker.terrain.height(self.feet[:, legs][..., ::2]).mean(axis=1)
        return float((height / height[0]).min())

    @property
    def lurch(self) -> float:
        """m/s², from frames about a thirtieth of a second apart, as a viewer sees it."""
        every = max(round(self.fps / 30.0), 1)
        seen = self.joints[::every, 0]
        return float(np.linalg.norm(np.diff(seen, 2, axis=0), axis=-1).max() * (self.fps / every) ** 2)

    @property
    def stand(self) -> float:
        """Degrees."""
        names, found = self.clip.skeleton.names, []
        for leg in self.walker.creature.legs:
            hip, tip = (self.joints[:, names.index(f"{leg.name}_{end}")] for end in ("hip", "tip"))
            x, y, z = (hip - tip).T
            angle = np.arctan2(y, np.hypot(x, z))
            if angle[0] > UPRIGHT:
                found.append(float(np.degrees(angle.min())))
        return min(found, default=np.inf)

    @property
    def stuck(self) -> float:
        """Seconds, for walks straight on from the first second on."""
        asked, every = self._asked[1:], round(self.fps)
        if np.ptp(asked, axis=0).any() or self.clip.blocked is None:
            return np.nan
        moved = self.joints[every:, 0] - self.joints[:-every, 0]
        along = moved[:, ::2] @ asked[0] / np.linalg.norm(asked[0])
        slow = np.hypot(along, moved[:, 1]) < 0.7 * np.linalg.norm(asked[0])
        slow[:every] = False
        longest = time = 0
        for is_slow, is_blocked in zip(slow, self.clip.blocked[every:, 0], strict=True):
            time = (np.inf if is_blocked else time + 1) if is_slow else 0  # what has been said is not said again
            longest = max(longest, time if np.isfinite(time) else 0)
        return longest / self.fps

    @property
    def legs(self) -> float:
        """Metres between left and right legs of a pair, from knee to tip; infinite for many legs."""
        found, names = np.inf, self.clip.skeleton.names
        if len(self.walker.creature.legs) > 4:
            return found
        for leg in self.walker.creature.legs:
            if not leg.name.startswith("left"):
                continue
            lines = []
            for side in ("left", "right"):
                own = [k for k, joint in enumerate(names) if joint.startswith(leg.name.replace("left", side) + "_")]
                ends = self.joints[:, own]
                parts = np.linspace(0.0, 1.0, 9)[:, None]
                between = ends[:, 1:-1, None] + (ends[:, 2:] - ends[:, 1:-1])[:, :, None] * parts
                lines.append(between.reshape(len(ends), -1, 3))
            for left, right in zip(*lines, strict=True):
                found = min(found, float(np.linalg.norm(left[:, None] - right, axis=-1).min()))
        return found


@cache
def plain(name: str, speed: float, how: Variation) -> Measured:
    """A walk straight ahead on a plane."""
    return Measured(name, "plane", lambda t, walker: ((0.0, speed), 0.0), how)


def row(name: str, key: str, how: Variation) -> dict[str, float]:
    """The measures of one stress, lengths in millimetres."""
    stress, kind = STRESSES[key], limbik.Walker(name).creature
    site = site_of(name, how)
    walked = Measured(name, stress.ground(site), stress.command, how)
    usual = Variation(speed=1.0 if stress.faces else how.speed, fps=how.fps)
    return measures(walked, plain(name, kind.speed if stress.fast else kind.cruise, usual))


def site_of(name: str, how: Variation) -> Site:
    """The site of a creature."""
    legs = limbik.Walker(name).creature.legs
    stance = max(abs(leg.foothold[0]) for leg in legs) + limbik.Walker(name).creature.foot
    return Site(name, max(sum(one.lengths) for one in legs), stance, how)


def on_stairs(name: str, rise: float, run: float, speed: float) -> dict[str, float]:
    """The measures of ten seconds on stairs, downwards for a negative rise; lengths for a human's legs."""
    walker = limbik.Walker(name)
    size, speed = site_of(name, Variation()).leg / HUMAN_LEG, speed * walker.creature.cruise
    rise, run, start = rise * size, run * size, walker.creature.body.length + 0.6 * size

    def shape(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return rise * np.maximum(np.floor((z - start) / run) + 1.0, 0.0)

    walked = Measured(name, shape, lambda t, walker: ((0.0, speed), 0.0), Variation(), 10.0)
    return measures(walked, plain(name, speed, Variation()))


def measures(walked: Measured, normal: Measured) -> dict[str, float]:
    """The measures of a walk, beside a plain one; lengths in millimetres."""
    return {
        "jump": walked.jump / normal.jump,
        "foot": 1e3 * walked.foot,
        "slide": 1e3 * walked.slide,
        "body": walked.body,
        "lurch": walked.lurch / normal.lurch,
        "legs": 1e3 * walked.legs,
        "stand": walked.stand,
        "stuck": walked.stuck,
        "blocked": float(walked.walker.blocked[0]),
    }


def shown(measure: str, value: float) -> str:
    """As text; what does not apply is a dash."""
    if not np.isfinite(value):
        return "–"
    digits = {"slide": 3, "foot": 1, "legs": 1, "stand": 1}.get(measure, 2)
    return f"{value:.{digits}f}"


def missed(found: dict[str, float]) -> list[str]:
    """The measures that are worse than their bars."""
    return [m for m, bar in BARS.items() if (found[m] < bar if m in BEST else found[m] > bar)]


def worst(name: str, rows: dict[str, dict[str, float]]) -> dict[str, str]:
    """A row of the table: the worst of each measure, and where it was."""
    cells = {"creature": name}
    for measure in COLUMNS:
        applies = [key for key in rows if np.isfinite(rows[key][measure])] or list(rows)
        key = BEST.get(measure, max)(applies, key=lambda key, m=measure: rows[key][m])
        value = shown(measure, rows[key][measure])
        cells[measure] = value if value == "–" else f"{value} ({key})"
    return cells


def variations(count: int) -> list[Variation]:
    """The usual one or, where `count` is not 0, so many others."""
    random = np.random.default_rng(1)
    found = [
        Variation(k, 10 * k, *random.uniform((0.5, 0.85), (1.0, 1.15)).round(2).tolist(), (60.0, 30.0, 144.0)[k % 3])
        for k in range(1, count + 1)
    ]
    return found or [Variation()]


PATH_FPS = 30.0
ANGLES = np.linspace(0.0, 2.0 * np.pi, 61)
PATHS = {
    "square": np.array([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]),
    "zigzag": 0.5 * np.array([(0.0, 0.0), (0.5, 1.0), (-0.5, 2.0), (0.5, 3.0), (0.0, 4.0)]),
    "circle": 0.5 * np.array([np.cos(ANGLES), np.sin(ANGLES)]).T,
    "figure of eight": np.array([0.6 * np.sin(2.0 * ANGLES), 1.0 - np.cos(ANGLES)]).T,
}


def straight(name: str, speed: float, sign: float) -> float:
    """The speed ahead, or backwards, over the requested speed."""
    walker = limbik.Walker(name)
    walker.step(4.0, (0.0, sign * speed), turn_degrees=0.0)
    start = walker.places[0, 2]
    walker.step(6.0)
    return float(abs(walker.places[0, 2] - start) / 6.0 / speed)


def centre(clip: limbik.Clip) -> np.ndarray:
    """(frames, 2) The middle of the trunk; the first segment's where others follow it."""
    names = clip.skeleton.names
    if clip.name != "quadruped":
        return clip.translations[:, 0, ::2]
    return clip.positions()[:, [names.index("body_2"), names.index("body_3")]].mean(axis=1)[:, ::2]


def ways_along(places: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far along a path places are, and how far from it, metres; none is far behind or ahead of the one before."""
    steps = np.diff(path, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    starts = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    ways, offs, last = [], [], 0.0
    for place in places:
        share = np.clip(((place - path[:-1]) * steps).sum(axis=1) / lengths**2, 0.0, 1.0)
        way, off = starts + share * lengths, np.linalg.norm(place - path[:-1] - share[:, None] * steps, axis=1)
        best = int(np.argmin(np.where(np.abs(way - last) < 0.15 * lengths.sum(), off, np.inf)))
        last = float(way[best])
        ways.append(last)
        offs.append(off[best])
    return np.array(ways), np.array(offs)


def followed(name: str, speed: float, path: np.ndarray, width: float) -> tuple[float, float]:
    """The speed along a path, over the requested speed, and the distance from it, over the body's width."""
    ways, offs = ways_along(centre(limbik.walk(name, path=path, speed=speed, fps=PATH_FPS)), path)
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    first, last = (int(np.argmax(ways > part * length)) for part in (0.05, 0.95))
    return float((ways[last] - ways[first]) / (last - first) * PATH_FPS / speed), float(offs.max() / width)


def speeds(name: str) -> list[dict[str, str]]:
    """Rows of the table for a creature."""
    kind, rows = limbik.Walker(name).creature, []
    leg, width = max(sum(one.lengths) for one in kind.legs), kind.body.width
    for speed in (0.4 * kind.cruise, kind.cruise, kind.speed):
        row = {"creature": name, "m/s": f"{speed:.2f}"}
        row |= {way: f"{straight(name, speed, sign):.3f}" for way, sign in (("straight", 1.0), ("backwards", -1.0))}
        for path, points in PATHS.items():
            kept, off = followed(name, speed, points * max(6.0 * speed, 4.0 * leg), width)
            row[path] = f"{kept:.3f}, {off:.2f}"
        rows.append(row)
    return rows


def stairs(name: str) -> dict[str, str]:
    """The worst of all flights for a creature, and how many miss a bar; prints these."""
    asked = [(sign * rise, *of) for sign in (1.0, -1.0) for rise, *of in product(RISES, RUNS, STAIR_SPEEDS)]
    rows, count = {}, 0
    with ProcessPoolExecutor() as pool:
        for (rise, run, speed), found in zip(
            asked, pool.map(on_stairs, [name] * len(asked), *zip(*asked, strict=True)), strict=True
        ):
            key = f"{'up' if rise > 0.0 else 'down'} {abs(rise):.2f} by {run:.2f} m, {speed:g}"
            rows[key], misses = found, missed(found)
            count += bool(misses)
            if misses:
                cells = "  ".join(f"{measure} {shown(measure, value)}" for measure, value in found.items())
                print(f"{name:10s} {key:26s} {cells}  misses {', '.join(misses)}", flush=True)
    return {**worst(name, rows), "flights that miss a bar": f"{count} of {len(asked)}"}


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--vary", type=int, default=0, metavar="N")
    parser.add_argument("--speeds", action="store_true")
    parser.add_argument("--stairs", action="store_true")
    parser.add_argument("words", nargs="*", metavar="WORD")
    given = parser.parse_args()
    if given.speeds:
        rows = [row for name in given.words or CREATURES for row in speeds(name)]
        print(f"Measured on: {machine()}.\n\n{table(rows)}")
        return
    print(f"Measured on: {machine()}.\n")
    if given.stairs:
        print(table([stairs(name) for name in given.words or CREATURES]))
        return
    words, every = given.words, variations(given.vary)
    asked = [
        one
        for one in product(CREATURES, STRESSES, every)
        if not words or one[0] in words or any(word in one[1] for word in words)
    ]
    rows: dict[str, dict[str, dict[str, float]]] = {}
    with ProcessPoolExecutor() as pool:
        for (name, key, how), found in zip(asked, pool.map(row, *zip(*asked, strict=True)), strict=True):
            told = key if not given.vary else f"{key}, {how.seed}"
            rows.setdefault(name, {})[told] = found
            misses = missed(found)
            if (words and not given.vary) or (given.vary and misses):
                cells = "  ".join(f"{measure} {shown(measure, value)}" for measure, value in found.items())
                print(f"{name:10s} {told:26s} {cells}  {'misses ' if misses else ''}{', '.join(misses)}", flush=True)
    if given.vary:
        total = {m: sum(m in missed(found) for of in rows.values() for found in of.values()) for m in BARS}
        print(f"\nOf {len(asked)} walks miss a bar: " + ", ".join(f"{m} {count}" for m, count in total.items()) + "\n")
    if given.vary or not words:
        print(table([worst(name, of) for name, of in rows.items()]))


if __name__ == "__main__":
    main()
