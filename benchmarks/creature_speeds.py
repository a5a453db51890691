"""How well creatures keep the requested speed and their paths: `python benchmarks/creature_speeds.py [NAME ...]`.

Straight ahead and backwards: the mean speed of six seconds, after four. Along paths: the mean speed from 5 % to 95 % of
the way, over the requested speed, and the greatest distance of the body's centre from the path, over the body's width.
Paths are six seconds long on a side, or four legs.
"""

from __future__ import annotations

import sys

import numpy as np

import limbik
from limbik.bench.machine import machine, sentence

FPS = 30.0
KINDS = ("biped", "quadruped", "hexapod", "spider", "centipede")
ANGLES = np.linspace(0.0, 2.0 * np.pi, 61)
PATHS = {
    "square": np.array([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]),
    "zigzag": 0.5 * np.array([(0.0, 0.0), (0.5, 1.0), (-0.5, 2.0), (0.5, 3.0), (0.0, 4.0)]),
    "circle": 0.5 * np.array([np.cos(ANGLES), np.sin(ANGLES)]).T,
    "figure of eight": np.array([0.6 * np.sin(2.0 * ANGLES), 1.0 - np.cos(ANGLES)]).T,
}
HEADINGS = ("straight", "backwards")


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


def along(places: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
    ways, offs = along(centre(limbik.walk(name, path=path, speed=speed, fps=FPS)), path)
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    first, last = (int(np.argmax(ways > part * length)) for part in (0.05, 0.95))
    return float((ways[last] - ways[first]) / (last - first) * FPS / speed), float(offs.max() / width)


def main() -> None:
    """Prints the table."""
    print(f"Measured on: {sentence(machine())}.\n")
    print("| creature | m/s | " + " | ".join((*HEADINGS, *PATHS)) + " |\n| --- |" + " --- |" * (3 + len(PATHS)))
    for name in sys.argv[1:] or KINDS:
        kind = limbik.Walker(name).creature
        leg, width = max(sum(one.lengths) for one in kind.legs), kind.body.width
        for speed in (0.4 * kind.cruise, kind.cruise, kind.speed):
            cells = [f"{straight(name, speed, sign):.3f}" for sign in (1.0, -1.0)]
            for path in PATHS.values():
                kept, off = followed(name, speed, path * max(6.0 * speed, 4.0 * leg), width)
                cells.append(f"{kept:.3f}, {off:.2f}")
            print(f"| {name} | {speed:.2f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
