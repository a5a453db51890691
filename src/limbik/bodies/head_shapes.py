"""Heads: of humans, mannequins, animals with a muzzle, insects and spiders."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.bodies.builder import GLOSS, SHELL, BodyBuilder
from limbik.bodies.lofts import Surface, ball, loft, rings_along
from limbik.rotations import normalized

WHITE = np.array([0.86, 0.84, 0.8])
# A human head over its height: how far up, half its width, and how far it reaches ahead and back.
HEAD = np.array(
    [
        [-0.5, 0.11, 0.27, -0.02],
        [-0.47, 0.18, 0.33, 0.06],
        [-0.41, 0.235, 0.362, 0.18],
        [-0.32, 0.28, 0.372, 0.28],
        [-0.21, 0.316, 0.37, 0.345],
        [-0.1, 0.342, 0.36, 0.38],
        [0.0, 0.356, 0.342, 0.4],
        [0.07, 0.362, 0.34, 0.41],
        [0.14, 0.365, 0.357, 0.425],
        [0.23, 0.36, 0.358, 0.425],
        [0.32, 0.335, 0.325, 0.4],
        [0.4, 0.285, 0.262, 0.345],
        [0.46, 0.205, 0.17, 0.255],
        [0.49, 0.12, 0.08, 0.16],
        [0.5, 0.04, 0.0, 0.08],
    ]
)
HAIRLINE = np.array([[-0.42, -0.28], [-0.16, -0.2], [0.02, 0.03], [0.16, 0.19], [0.36, 0.29]])  # ahead, and up there
# Lines on a face: places as in `Face.on`, and radii, over the height of the head.
BROW = np.array(
    [[0.07, 0.142, 0.0, 0.012], [0.13, 0.158, 0.002, 0.016], [0.19, 0.153, 0.0, 0.014], [0.245, 0.128, 0.0, 0.008]]
)
NOSE = np.array(
    [[0.0, 0.03, -0.015, 0.03], [0.0, -0.04, 0.012, 0.038], [0.0, -0.095, 0.035, 0.05], [0.0, -0.12, 0.018, 0.042]]
)
MOUTH = np.array(
    [
        [-0.12, -0.24, 0.0, 0.005],
        [-0.07, -0.254, 0.0, 0.011],
        [0.0, -0.262, 0.0, 0.014],
        [0.07, -0.254, 0.0, 0.011],
        [0.12, -0.24, 0.0, 0.005],
    ]
)
# Parts of an eye: the place of its centre, and radii; the lid is above.
EYE, EYE_RADII = (0.142, 0.015, -0.04), np.array([0.076, 0.066, 0.052])
IRIS, IRIS_RADII = (0.152, 0.01, -0.001), np.array([0.04, 0.046, 0.018])
LID, LID_RADII = (0.142, 0.075, -0.04), np.array([0.092, 0.04, 0.06])


class Face:
    """Directions of a head, and places on it in multiples of its size."""

    def __init__(self, b: BodyBuilder, joint: int, centre: Array, up: Array, ahead: Array, size: float) -> None:
        self.b, self.joint, self.centre, self.size = b, joint, centre, size
        self.up = up
        self.ahead = normalized(ahead - (ahead @ up) * up)
        self.left = np.cross(self.up, self.ahead)

    def at(self, left: float, up: float, ahead: float) -> Array:
        return self.centre + self.size * (left * self.left + up * self.up + ahead * self.ahead)

    def coordinates(self, places: Array) -> tuple[Array, Array, Array]:
        """How far left, up and ahead places (n, 3) are, (n,) each; the inverse of `at`."""
        left, up, ahead = np.stack([self.left, self.up, self.ahead]) @ (places - self.centre).T / self.size
        return left, up, ahead

    def on(self, left: float, up: float, out: float = 0.0) -> Array:
        """A place on the front of a human head, or `out` before it."""
        wide, ahead, back = (np.interp(up, HEAD[:, 0], column) for column in HEAD.T[1:])
        round_ = np.sqrt(max(1.0 - (left / wide) ** 2, 0.0))
        return self.at(left, up, 0.5 * (ahead - back) + 0.5 * (ahead + back) * round_ + out)

    def eyes(self, left: float, up: float, ahead: float, radius: float) -> None:
        """A pair of round eyes."""
        b = self.b
        for side in (1.0, -1.0):
            place, radii = self.at(side * left, up, ahead), (radius * self.size,) * 3
            b.add(ball(place, radii, self.joint, b.colour("eyes"), max(b.sides, 8)), GLOSS)

    def line(self, rows: Array, colour: Array, side: float = 1.0) -> None:
        """A rounded line on a human face, such as BROW. side: -1 on the other side of the face."""
        points = np.array([self.on(side * left, up, out) for left, up, out, _ in rows])
        self.b.solid(points, self.size * rows[:, 3], self.joint, colour, side=self.up, sides=6)


def human_head(
    b: BodyBuilder, joint: int, base: Array, up: Array, ahead: Array, height: float, mannequin: bool
) -> None:
    """A human head, or a mannequin's with a visor. base: under the skull, (3,). height: from chin to crown, metres."""
    face = Face(b, joint, base + 0.33 * height * up + 0.06 * height * ahead, up, ahead, height)
    skin = b.colour("head")
    b.add(_skull(face, HEAD, skin))
    for side in (1.0, -1.0):
        b.ball(face.at(0.37 * side, -0.03, -0.04), (0.05 * height, 0.09 * height, 0.06 * height), joint, 0.94 * skin)
    if mannequin:
        _visor(face)
        return
    _features(face)
    _hair(face)


def _skull(face: Face, rows: Array, colour: Array) -> Surface:
    """A head without a face, through rows as in HEAD."""
    up, wide, ahead, back = (face.size * column for column in rows.T)
    line = face.centre + up[:, None] * face.up
    rings = rings_along(line, np.stack([wide, 0.5 * (ahead + back)], axis=-1), face.joint, colour)
    surface = loft(rings, face.b.sides + 8, face.left, round_ends=False)
    shift = np.interp((surface.positions - face.centre) @ face.up, up, 0.5 * (ahead - back))
    return surface._replace(positions=surface.positions + shift[:, None] * face.ahead)


def _features(face: Face) -> None:
    """Eyes in their sockets, with lids; brows, nose and mouth, of a head that is upright and faces +z."""
    b, skin = face.b, face.b.colour("head")

    def oval(place: tuple[float, float, float], side: float, radii: Array, colour: Array) -> Surface:
        left, up, out = place
        return ball(face.on(side * left, up, out), face.size * radii, face.joint, colour, max(b.sides, 8))

    for side in (1.0, -1.0):
        b.add(oval(EYE, side, EYE_RADII, WHITE), GLOSS)
        b.add(oval(IRIS, side, IRIS_RADII, b.colour("eyes")), GLOSS)
        b.add(oval(LID, side, LID_RADII, 0.9 * skin))
        face.line(BROW, b.colour("accent"), side)
    face.line(NOSE, 0.97 * skin)
    face.line(MOUTH, skin * [0.55, 0.33, 0.33])


def _hair(face: Face) -> None:
    """Hair above the HAIRLINE, thicker over the forehead."""
    hair = _skull(face, HEAD[3:], face.b.colour("accent"))
    left, over, front = face.coordinates(hair.positions)
    depth = over - np.interp(front + 0.25 * left**2, *HAIRLINE.T)
    thick = 0.035 + 0.04 * np.clip(4.0 * (over - 0.25), 0.0, 1.0) * np.clip(0.6 + 1.5 * front, 0.0, 1.0)
    face.b.add(_grow(face, hair, depth, thick))


def _visor(face: Face) -> None:
    """A band over the eyes."""
    visor = _skull(face, HEAD[4:11], face.b.colour("eyes"))
    _, over, front = face.coordinates(visor.positions)
    depth = np.minimum(0.09 - np.abs(over - 0.03), 0.5 * (front - 0.08))
    face.b.add(_grow(face, visor, depth, 0.025), GLOSS)


def _grow(face: Face, skin: Surface, depth: Array, thick: Array | float) -> Surface:
    """A second skin of a head, outside it where depths (n,) are positive, up to a thickness, and else inside it."""
    grown = face.size * np.clip(0.7 * depth, -0.05, thick)
    outward = normalized(skin.positions - face.centre)
    return skin._replace(positions=skin.positions + grown[:, None] * outward)


def muzzled_head(b: BodyBuilder, joint: int, nose: Array) -> None:
    """The head of a dog: skull, muzzle, ears. nose: its tip, (3,)."""
    base = b.places[joint]
    size = float(np.linalg.norm(nose - base))
    along = normalized(nose - base)
    face = Face(b, joint, base, normalized(np.cross(along, np.cross((0.0, 1.0, 0.0), along))), along, size)
    head, belly, dark = b.colour("head"), b.colour("belly"), b.colour("eyes")
    line = np.array([face.at(0.0, y, z) for y, z in ((0.03, -0.13), (0.07, -0.04), (0.1, 0.1), (0.07, 0.26))])
    line = np.concatenate(
        [line, [face.at(0.0, y, z) for y, z in ((0.0, 0.42), (-0.02, 0.6), (-0.02, 0.8), (-0.01, 0.93))]]
    )
    wide = size * np.array([0.28, 0.36, 0.4, 0.36, 0.25, 0.19, 0.165, 0.13])
    tall = size * np.array([0.28, 0.35, 0.38, 0.34, 0.24, 0.19, 0.165, 0.13])
    surface = loft(rings_along(line, np.stack([wide, tall], axis=-1), joint, head), b.sides + 2, face.left)
    b.add(surface, under=belly)
    b.add(ball(face.at(0.0, 0.05, 1.03), (0.09 * size, 0.07 * size, 0.07 * size), joint, dark, 8), GLOSS)
    face.eyes(0.25, 0.215, 0.28, 0.085)
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
