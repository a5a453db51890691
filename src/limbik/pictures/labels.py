"""Names beside points, where they cover neither one another nor what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array

FONT = 11.0  # pixels; a letter is at most so many times as wide, and a line so many times as high
WIDE, HIGH = 0.64, 1.35
DISTANCES = 9.0, 15.0, 24.0, 38.0, 56.0  # pixels from a point to its name
TURNS = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
SAME = 5.0  # pixels: points that are nearer share a name
COVERED, FAR = 4.0, 0.3  # how bad it is to cover a pixel or so of what is drawn, and to be a pixel further away


@dataclass(frozen=True)
class Label:
    """A name and the middle (2,) of its box, which is `size` (2,) large; pixels."""

    text: str
    middle: Array

    @property
    def size(self) -> Array:
        """Width and height: at least those of the text in any usual font."""
        return np.array([WIDE * FONT * len(self.text), HIGH * FONT])


def named(
    points: Array, names: Sequence[str], strokes: Sequence[Array], room: float, taken: Sequence[Array]
) -> list[Label]:
    """Labels for points (n, 2) in a square of side `room`; one that finds no place is left out.

    strokes: lines, each (k, 2), that labels keep off as well as they can. taken: boxes, each (2, 2), low and high
    corner, that they keep out of.
    """
    drawn = np.concatenate([_dense(stroke) for stroke in strokes])
    boxes = [np.asarray(box, float) for box in taken]
    labels: list[Label] = []
    for point, name in _together(points, names):
        label = _placed(point, name, drawn, boxes, room)
        if label is not None:
            labels.append(label)
            boxes.append(np.stack([label.middle - label.size / 2, label.middle + label.size / 2]))
    return labels


def _together(points: Array, names: Sequence[str]) -> list[tuple[Array, str]]:
    """Points with their names; those at one place have one."""
    found: list[tuple[Array, str]] = []
    for point, name in zip(points, names, strict=True):
        for k, (other, text) in enumerate(found):
            if np.linalg.norm(point - other) < SAME:
                found[k] = other, f"{text}, {name}"
                break
        else:
            found.append((point, name))
    return found


def _placed(point: Array, name: str, drawn: Array, boxes: list[Array], room: float) -> Label | None:
    """The best place for a name, or None where there is none."""
    directions = np.stack([np.cos(TURNS), np.sin(TURNS)], -1)
    half = Label(name, point).size / 2
    # As far from the point as needed for the box to be outside a circle of that distance, roughly.
    away = np.concatenate(
        [directions * distance + np.clip(directions * 1.4, -1.0, 1.0) * half for distance in DISTANCES]
    )
    low, high = point + away - half, point + away + half
    free = np.all((low >= 1.0) & (high <= room - 1.0), axis=-1)
    for box in boxes:
        free &= ~np.all((low < box[1]) & (high > box[0]), axis=-1)
    if not free.any():
        return None
    inside = np.all((drawn >= low[:, None] - 3.0) & (drawn <= high[:, None] + 3.0), axis=-1)
    cost = COVERED * inside.sum(axis=-1) + FAR * np.repeat(DISTANCES, len(TURNS))
    best = int(np.argmin(np.where(free, cost, np.inf)))
    return Label(name, point + away[best])


def _dense(stroke: Array) -> Array:
    """A line as points that are a few pixels apart."""
    lengths = np.linalg.norm(np.diff(stroke, axis=0), axis=-1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    at = np.linspace(0.0, along[-1], 2 + int(along[-1] / 3.0))
    return np.stack([np.interp(at, along, part) for part in stroke.T], -1)
