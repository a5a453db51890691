"""Heads: of humans, mannequins, animals with a muzzle, insects and spiders."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.bodies.builder import GLOSS, SHELL, BodyBuilder
from limbik.bodies.lofts import ball, loft, rings_along
from limbik.rotations import normalized

WHITE = np.array([0.8, 0.78, 0.74])
# Heights and radii of a head, over their greatest.
EGG = np.array(
    [
        [-1.0, 0.3],
        [-0.94, 0.5],
        [-0.8, 0.66],
        [-0.56, 0.8],
        [-0.25, 0.92],
        [0.1, 1.0],
        [0.42, 0.98],
        [0.7, 0.8],
        [0.88, 0.55],
    ]
)
EGG = np.concatenate([EGG, [[0.97, 0.28]]])


class Face:
    """Directions of a head, and places on it in multiples of its size."""

    def __init__(self, b: BodyBuilder, joint: int, centre: Array, up: Array, ahead: Array, size: float) -> None:
        self.b, self.joint, self.centre, self.size = b, joint, centre, size
        self.up = up
        self.ahead = normalized(ahead - (ahead @ up) * up)
        self.left = np.cross(self.up, self.ahead)

    def at(self, left: float, up: float, ahead: float) -> Array:
        return self.centre + self.size * (left * self.left + up * self.up + ahead * self.ahead)

    def eyes(self, left: float, up: float, ahead: float, radius: float, white: bool = False) -> None:
        """A pair of eyes that look ahead and a little outward."""
        for side in (1.0, -1.0):
            place = self.at(side * left, up, ahead)
            looks = normalized(self.ahead + 0.25 * side * self.left)
            self.eye(place, radius * self.size, looks if white else None)

    def eye(self, place: Array, radius: float, looks: Array | None = None) -> None:
        """An eye, of one colour, or with white around an iris that looks in a direction."""
        b, dark = self.b, self.b.colour("eyes")
        if looks is None:
            b.add(ball(place, (radius,) * 3, self.joint, dark, max(b.sides, 8)), GLOSS)
            return
        turn = np.array([0.0, 0.16, 0.3, 0.36, 0.5, 0.75]) * np.pi
        line = place + radius * np.cos(turn)[::-1, None] * looks
        colours = np.where((turn < 0.34 * np.pi)[::-1, None], dark, WHITE)
        rings = rings_along(line, np.maximum(radius * np.sin(turn)[::-1], 1e-4 * radius), self.joint, colours)
        b.add(loft(rings, max(b.sides, 8), self.left, round_ends=False), GLOSS)


def human_head(
    b: BodyBuilder, joint: int, base: Array, up: Array, ahead: Array, height: float, mannequin: bool
) -> None:
    """A human head, or a mannequin's with a visor. base: under the skull, (3,). height: from chin to crown, metres."""
    face = Face(b, joint, base + 0.33 * height * up + 0.06 * height * ahead, up, ahead, height)
    skin, hair = b.colour("head"), b.colour("accent")
    rows = EGG[:, 0] * 0.5
    centres = np.array([face.at(0.0, row, -0.02 + 0.05 * (0.5 - row) ** 2) for row in rows])
    wide = height * np.stack([0.345 * EGG[:, 1], 0.42 * EGG[:, 1]], axis=-1)
    surface = loft(rings_along(centres, wide, joint, skin), b.sides + 4, face.left, round_ends=False)
    if not mannequin:
        place = (surface.positions - face.centre) / height
        over, front = place @ face.up, place @ face.ahead
        covered = np.clip(8.0 * (over - 0.12 - 0.9 * np.maximum(front - 0.05, -0.42)) + 0.5, 0.0, 1.0)
        surface = surface._replace(colours=surface.colours + covered[:, None] * (hair - surface.colours))
    b.add(surface)
    for side in (1.0, -1.0):
        b.ball(face.at(0.345 * side, -0.03, -0.04), (0.035 * height, 0.085 * height, 0.05 * height), joint, 0.94 * skin)
    if mannequin:
        turns = np.linspace(-1.05, 1.05, 9)
        visor = np.array([face.at(0.315 * np.sin(turn), 0.05, 0.37 * np.cos(turn)) for turn in turns])
        radii = height * np.stack([0.1 * np.cos(0.9 * turns), np.full(9, 0.06)], axis=-1)
        b.solid(visor, radii, joint, b.colour("eyes"), side=up, material=GLOSS)
        return
    nose = np.array([face.at(0.0, 0.04, 0.36), face.at(0.0, -0.05, 0.41), face.at(0.0, -0.09, 0.4)])
    b.solid(nose, height * np.array([0.03, 0.05, 0.05]), joint, 0.96 * skin, side=face.left, sides=8)
    face.eyes(0.15, 0.05, 0.345, 0.056, white=True)
    mouth = np.array([face.at(0.1 * s, -0.22 + 0.012 * s * s, 0.355 - 0.05 * s * s) for s in (-1.0, 0.0, 1.0)])
    b.solid(mouth, height * np.array([0.008, 0.014, 0.008]), joint, skin * [0.62, 0.4, 0.4], side=up, sides=6)
    tuft = np.array([face.at(0.0, 0.2, -0.1), face.at(0.0, 0.36, -0.06), face.at(0.0, 0.42, 0.04)])
    b.solid(tuft, height * np.array([[0.36, 0.4], [0.31, 0.36], [0.2, 0.22]]), joint, hair, side=face.left)


def muzzled_head(b: BodyBuilder, joint: int, nose: Array) -> None:
    """The head of a dog: skull, muzzle, ears. nose: its tip, (3,)."""
    base = b.places[joint]
    size = float(np.linalg.norm(nose - base))
    along = normalized(nose - base)
    face = Face(b, joint, base, normalized(np.cross(along, np.cross((0.0, 1.0, 0.0), along))), along, size)
    head, belly, dark = b.colour("head"), b.colour("belly"), b.colour("eyes")
    line = np.array([face.at(0.0, y, z) for y, z in ((0.02, -0.22), (0.07, -0.1), (0.1, 0.08), (0.07, 0.26))])
    line = np.concatenate(
        [line, [face.at(0.0, y, z) for y, z in ((0.0, 0.42), (-0.02, 0.6), (-0.02, 0.8), (-0.01, 0.93))]]
    )
    wide = size * np.array([0.26, 0.36, 0.4, 0.36, 0.25, 0.19, 0.165, 0.13])
    tall = size * np.array([0.26, 0.36, 0.38, 0.34, 0.24, 0.19, 0.165, 0.13])
    surface = loft(rings_along(line, np.stack([wide, tall], axis=-1), joint, head), b.sides + 2, face.left)
    b.add(surface, under=belly)
    b.add(ball(face.at(0.0, 0.05, 1.03), (0.09 * size, 0.07 * size, 0.07 * size), joint, dark, 8), GLOSS)
    face.eyes(0.265, 0.235, 0.29, 0.075)
    for side in (1.0, -1.0):
        ear = np.array(
            [face.at(side * x, y, z) for x, y, z in ((0.2, 0.3, -0.06), (0.27, 0.5, -0.08), (0.31, 0.68, -0.09))]
        )
        radii = size * np.array([[0.2, 0.08], [0.15, 0.06], [0.04, 0.025]])
        b.solid(ear, radii, joint, b.colour("accent"), side=face.left)


def shelled_head(b: BodyBuilder, joint: int, wide: float, long: float, eight_eyes: bool, jaws: Array | None) -> None:
    """The head of an insect or a spider. wide, long: half its width and length, metres. jaws: where they end, (3,)."""
    centre = b.places[joint]
    face = Face(b, joint, centre, np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), wide)
    steps = np.array([-0.8, -0.5, -0.1, 0.3, 0.62, 0.85])
    round_ = np.array([0.55, 0.82, 1.0, 0.96, 0.76, 0.5])
    line = centre + long * steps[:, None] * [0.0, 0.0, 1.0]
    rings = rings_along(line, wide * np.stack([round_, 0.82 * round_], axis=-1), joint, b.colour("head"))
    b.add(loft(rings, b.sides + 2), SHELL, under=0.7 * b.colour("belly"))
    stretch = long / wide
    if eight_eyes:
        for left, up, ahead, radius in ((0.2, 0.5, 0.8, 0.17), (0.52, 0.42, 0.62, 0.11), (0.42, 0.66, 0.45, 0.1)):
            face.eyes(left, up, stretch * ahead, radius)
        face.eyes(0.66, 0.36, 0.3 * stretch, 0.09)
    else:
        face.eyes(0.78, 0.25, 0.3 * stretch, 0.3)
    end = centre + np.array([0.0, -0.75 * wide, 1.05 * long]) if jaws is None else jaws
    if jaws is None and not eight_eyes:
        return
    start = centre + np.array([0.0, -0.3 * wide, 0.6 * long])
    curve = np.array([1.0, 1.45, 1.2, 0.35])[:, None] * [0.32 * wide, 0.0, 0.0]
    middle = start + np.array([0.0, 0.4, 0.75, 1.0])[:, None] * (end - start)
    for side in (1.0, -1.0):
        b.solid(
            middle + side * curve, wide * np.array([0.24, 0.22, 0.15, 0.04]), joint, b.colour("feet"), material=SHELL
        )


def round_head(b: BodyBuilder, joint: int, size: float) -> None:
    """A plain round head with eyes. size: its radius, metres."""
    face = Face(b, joint, b.places[joint], np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), size)
    b.ball(face.centre, (size, size, 1.15 * size), joint, b.colour("head"))
    face.eyes(0.45, 0.35, 0.85, 0.2)
