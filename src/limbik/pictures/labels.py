"""Labels beside points that overlap neither each other nor, if possible, the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array

FONT = 11.0  # pixels
WIDE, HIGH = 0.64, 1.35  # the most of a letter's width and a line's height in any usual font, over FONT
DISTANCES = 9.0, 15.0, 24.0, 38.0, 56.0  # pixels from a point to its label
TURNS = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
SAME = 5.0  # pixels: nearer points share a label
COVERED, FAR = 4.0, 0.3  # costs: of a covered point of the drawing, and of a pixel of distance


@dataclass(frozen=True, eq=False)
class Label:
    """A text and the middle (2,) of its box, pixels."""

    text: str
    middle: Array

    @property
    def size(self) -> Array:
        return np.array([WIDE * FONT * len(self.text), HIGH * FONT])


def named(
    points: Array, names: Sequence[str], strokes: Sequence[Array], room: float, taken: Sequence[Array]
) -> list[Label]:
    """Labels for points (n, 2) in a square of side `room`; one without a free place is left out.

    strokes: lines, each (k, 2), to keep clear if possible. taken: boxes, each (2, 2), low and high corner, to avoid.
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
    """Points with their names; those of points at one place are joined."""
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
    """The label at the cheapest free place, or None."""
    directions = np.stack([np.cos(TURNS), np.sin(TURNS)], -1)
    half = Label(name, point).size / 2
    outside = np.clip(directions * 1.4, -1.0, 1.0) * half  # so that the box is roughly outside a circle of the distance
    away = np.concatenate([directions * distance + outside for distance in DISTANCES])
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
    """A line as points a few pixels apart."""
    lengths = np.linalg.norm(np.diff(stroke, axis=0), axis=-1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    at = np.linspace(0.0, along[-1], 2 + int(along[-1] / 3.0))
    return np.stack([np.interp(at, along, part) for part in stroke.T], -1)
