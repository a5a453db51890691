"""A scene as a small SVG drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.pictures.labels import FONT, named
from limbik.pictures.limb_scene import LimbScene
from limbik.pictures.markup import Markup, joined, tag

SIZE = 250.0  # pixels, of a square
MARGIN = 24.0  # around what is drawn, for names
CORNER = np.array([16.0, SIZE - 30.0])  # where the axes stand
AXIS, LETTER = 20.0, 29.0  # how far from there they reach, and where their letters are
ARROW = 9.0  # the length of a head


class Sketch:
    """A drawing of a flat scene.

    rings: outlines (n, 2) of the region within reach of the second link. shadow: (n, 2), of the limb on the floor.
    axes: (axes, 2), the world's as they are seen, in the order of their letters.
    """

    def __init__(
        self, scene: LimbScene, rings: Sequence[Array], shadow: Array | None = None, axes: Array | None = None
    ) -> None:
        self.scene, self.rings, self.shadow, self.axes = scene, rings, shadow, axes
        more = [*rings, *(arrow for arrow, _ in scene.arrows()), *([] if shadow is None else [shadow])]
        points = np.concatenate([scene.joints, *scene.ghosts, scene.target[None], *more])
        low, high = points.min(axis=0), points.max(axis=0)
        self._middle = (low + high) / 2
        self._scale = (SIZE - 2.0 * MARGIN) / float((high - low).max())

    def drawn(self, words: str) -> Markup:
        """The drawing. words: its description for screen readers."""
        scene = self.scene
        joints, target = self._pixels(scene.joints), self._pixels(scene.target)
        parts = [self._region()]
        if self.shadow is not None:
            parts.append(_line(self._pixels(self.shadow), palette.GHOST, 3.0, opacity=0.35))
        parts += [_links(self._pixels(ghost), palette.GHOST, 2.5, 3.0) for ghost in scene.ghosts]
        if np.linalg.norm(joints[-1] - target) > 3.0:
            parts.append(_line(np.stack([joints[-1], target]), palette.TARGET, 1.2, stroke_dasharray="3 4"))
        arrows = scene.arrows()
        parts.append(_links(joints, palette.LINK, 4.5, 4.5))
        parts += [_arrow(self._pixels(arrow), colour) for arrow, colour in arrows]
        parts += [_cross(target), self._letters(), self._names(joints, target, [arrow for arrow, _ in arrows])]
        side = f"{SIZE:g}"
        size = {"viewBox": f"0 0 {side} {side}", "width": side, "height": side}
        style = f"display:block;width:{side}px;height:{side}px"
        return tag("svg", *parts, **size, role="img", aria_label=words, style=style)

    def _pixels(self, points: Array) -> Array:
        return SIZE / 2 + (points - self._middle) * self._scale * [1.0, -1.0]

    def _region(self) -> Markup:
        outlines = " ".join(f"M{_numbers(self._pixels(ring))}Z" for ring in self.rings)
        colours = {"fill": palette.REGION, "fill_opacity": 0.6, "stroke": palette.REGION_EDGE, "stroke_width": 0.8}
        return tag("path", d=outlines, fill_rule="evenodd", **colours)

    def _names(self, joints: Array, target: Array, arrows: list[Array]) -> Markup:
        scene = self.scene
        gap = np.stack([joints[-1], target])
        strokes = [joints, gap, *map(self._pixels, [*scene.ghosts, *arrows]), target + [[-5.0, -5.0], [5.0, 5.0]]]
        corner = [] if self.axes is None else [np.array([[0.0, SIZE - 66.0], [52.0, SIZE]])]
        labels = named(joints, scene.names, strokes, SIZE, corner)
        return joined(_text(label.text, label.middle, palette.INK) for label in labels)

    def _letters(self) -> Markup:
        parts: list[Markup] = []
        for axis, letter in zip([] if self.axes is None else self.axes, "xyz", strict=False):
            seen = axis * [1.0, -1.0]
            parts.append(_line(np.stack([CORNER, CORNER + AXIS * seen]), palette.FAINT, 1.2))
            place = CORNER + LETTER * seen / max(float(np.linalg.norm(seen)), 1e-9)
            parts.append(_text(letter, place, palette.FAINT))
        return joined(parts)


def _links(joints: Array, colour: str, width: float, dot: float) -> Markup:
    dots = (
        tag("circle", cx=_number(x), cy=_number(y), r=dot, fill="#FFFFFF", stroke=colour, stroke_width=2)
        for x, y in joints
    )
    return joined([_line(joints, colour, width, opacity=0.8), *dots])


def _line(points: Array, colour: str, width: float, **more: object) -> Markup:
    rounded = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return tag("polyline", points=_numbers(points), fill="none", stroke=colour, stroke_width=width, **rounded, **more)


def _arrow(stroke: Array, colour: str) -> Markup:
    """An arrow along a stroke (2, 2); one that is too short for its head, seen from its end, is left out."""
    start, end = stroke
    along = end - start
    length = float(np.linalg.norm(along))
    if length < ARROW:
        return Markup()
    forward = ARROW * along / length
    neck, beside = end - forward, 0.4 * np.array([-forward[1], forward[0]])
    head = tag("polygon", points=_numbers(np.stack([end, neck + beside, neck - beside])), fill=colour)
    return joined([_line(np.stack([start, neck]), colour, 1.8), head])


def _cross(middle: Array) -> Markup:
    strokes = (middle + np.array([[-5.0, side], [5.0, -side]]) for side in (-5.0, 5.0))
    return joined(_line(stroke, palette.TARGET, 2.6) for stroke in strokes)


def _text(text: str, middle: Array, colour: str) -> Markup:
    x, y = middle[0], middle[1] + 0.35 * FONT  # from a line's middle down to where letters stand
    font = {"font_size": FONT, "font_family": "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"}
    return tag("text", text, x=_number(x), y=_number(y), text_anchor="middle", fill=colour, **font)


def _numbers(points: Array) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
