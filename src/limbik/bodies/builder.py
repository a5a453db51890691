"""Builds the body of a figure from rings, and blends its parts where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, Material, MeshPart, skeleton_skin, vertex_normals
from limbik.bodies.lofts import LEFT, Rings, Surface, ball, frames_along, join, loft, rings_along
from limbik.bodies.look import Look
from limbik.rotations import normalized
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

COAT = Material((1.0, 1.0, 1.0, 1.0), name="coat", roughness=0.7)
SHELL = Material((1.0, 1.0, 1.0, 1.0), name="shell", roughness=0.42)
GLOSS = Material((1.0, 1.0, 1.0, 1.0), name="gloss", roughness=0.15)  # eyes and noses
BLEND = 0.3  # how far from a joint, over the length of a bone, its skin follows both bones
FILLET_WIDTH = 0.035  # width of the fillets between parts, over the size of the figure
BELLY_SHARPNESS = 1.3  # how quickly the colour of the belly takes over where a surface turns downward
Stops = Sequence[tuple[float, float]]


class Field(NamedTuple):
    """The rings of a loft as a solid whose distance can be estimated."""

    centres: Array  # (n, 3)
    radii: Array  # (n, 2)
    across: Array  # (n, 3), unit directions of the first radius
    other: Array  # (n, 3), of the second

    def distance(self, places: Array) -> tuple[Array, Array]:
        """Approximate signed distances (m,) of places (m, 3), negative inside, and outward directions (m, 3)."""
        start, along = self.centres[:-1], np.diff(self.centres, axis=0)
        length = np.maximum(np.linalg.norm(along, axis=-1), 1e-9)
        part = np.clip(((places[:, None] - start) * along).sum(axis=-1) / length**2, 0.0, 1.0)[..., None]

        def between(values: Array) -> Array:
            return values[:-1] + part * np.diff(values, axis=0)

        away = places[:, None] - between(self.centres)
        axes = np.stack(
            [between(self.across), between(self.other), np.broadcast_to(along / length[:, None], away.shape)]
        )
        radii = between(self.radii)
        sizes = np.stack([radii[..., 0], radii[..., 1], radii.mean(axis=-1)])
        parts = (axes * away).sum(axis=-1)
        scaled = np.maximum(np.sqrt(((parts / sizes) ** 2).sum(axis=0)), 1e-9)
        distances = np.linalg.norm(away, axis=-1) * (1.0 - 1.0 / scaled)
        best = np.argmin(distances, axis=1)
        rows = np.arange(len(places))
        outward = ((parts / sizes**2)[..., None] * axes).sum(axis=0)[rows, best]
        return distances[rows, best], normalized(outward)


class Meeting(NamedTuple):
    """A part that is blended with others."""

    field: Field
    reach: Array  # (n,), how much each vertex takes part, 0 to 1


class Vertices(NamedTuple):
    """Vertices of a part, (n, 3) each."""

    positions: Array
    normals: Array
    colours: Array


def blend(skin: Vertices, reach: Array, others: list[tuple[Field, Vertices]], width: float) -> Vertices:
    """The vertices of one part, blended with others. reach: see Meeting. width: of a fillet, metres."""
    positions, normals, _ = skin
    moved, turned, painted = (values.copy() for values in skin)
    for field, other in others:
        distance, outward = field.distance(positions)
        near = np.abs(distance) < width
        if not near.any():
            continue
        part = reach[near] * (1.0 - np.abs(distance[near]) / width)
        share = (0.5 * part)[:, None]
        direction = normalized((1.0 - share) * normals[near] + share * outward[near])
        moved[near] += (0.25 * width * part**2)[:, None] * direction
        turned[near] = normalized((1.0 - share) * turned[near] + share * outward[near])
        gaps = np.linalg.norm(positions[near][:, None] - other.positions, axis=-1)
        painted[near] += share * (other.colours[gaps.argmin(axis=1)] - painted[near])
    return Vertices(moved, turned, painted)


class BodyBuilder:
    """Collects the parts of one figure at rest, which faces +z with its left side at +x, unless given otherwise."""

    def __init__(self, skeleton: Skeleton, look: Look, sides: int, material: Material = COAT) -> None:
        self.skeleton, self.look, self.sides = skeleton, look, sides
        self.places = Pose.rest(skeleton).positions()
        self._coat = material
        self._pieces: list[_Piece] = []

    def colour(self, name: str) -> Array:
        """One of the look's colours, linear, (3,)."""
        return self.look.linear(name)

    def add(
        self,
        surface: Surface,
        material: Material | None = None,
        under: Array | None = None,
        meets: Meeting | None = None,
    ) -> None:
        """Adds a surface.

        Args:
            surface: the surface.
            material: default: that of the body.
            under: (3,), colour of its underside.
            meets: for a surface that is blended with others.
        """
        if under is not None:
            down = np.clip(-BELLY_SHARPNESS * vertex_normals(surface.positions, surface.faces)[:, 1:2], 0.0, 1.0)
            surface = surface._replace(colours=surface.colours + down * (under - surface.colours))
        joints, weights = _drop_small_weights(surface.joints, surface.weights)
        surface = surface._replace(joints=joints, weights=weights)
        self._pieces.append(_Piece(material or self._coat, surface, meets))

    def tube(
        self,
        joints: Sequence[int],
        radii: Stops,
        colours: Sequence[tuple[float, Array]],
        at: Sequence[float] | Array,
        *,
        depth: Stops = ((0.0, 1.0),),
        root: int | None = None,
        start: Array | None = None,
        ends: Array | None = None,
        side: Array | None = None,
        sides: int | None = None,
        under: Array | None = None,
        round_ends: bool = True,
        floor: float | None = None,
        meets: tuple[float, float] | None = None,
    ) -> None:
        """A tube along a chain of joints.

        Positions along the chain are numbers whose whole part is a bone, counted from 0, and whose fraction is a place
        on it. Radii and colours are interpolated between stops of such positions.

        Args:
            joints: from root to tip; the bone from each to the next follows the first of the two.
            radii: (position, metres).
            colours: (position, linear colour).
            at: positions of the rings.
            depth: (position, second radius of a ring over the first).
            root: joint that the start of the tube follows too (default: none).
            start: (3,), where the first bone starts (default: at its joint).
            ends: (3,), where the last bone ends, if no joint is there; the last of `joints` then has a bone.
            side: (3,) direction of the first radius (default: x).
            sides: vertices of a ring (default: the builder's).
            under: (3,), colour of the underside.
            round_ends: whether the ends are domes.
            floor: least height of vertices, metres.
            meets: the first and last position between which the tube is blended with others (default: it is not).
        """
        joints = list(joints)
        points = self.places[joints] if ends is None else np.concatenate([self.places[joints], [ends]])
        points[0] = points[0] if start is None else start
        bones = joints[:-1] if ends is None else joints
        where = np.asarray(at, float)
        bone = np.clip(where.astype(int), 0, len(bones) - 1)
        part = where - bone
        centres = points[bone] + part[:, None] * (points[bone + 1] - points[bone])
        wide = _stops(where, radii)
        follows, weights = _followed(bones, bone, part, root)
        rings = Rings(
            centres,
            np.stack([wide, wide * _stops(where, depth)], axis=-1),
            follows,
            weights,
            np.stack([_stops(where, [(s, colour[k]) for s, colour in colours]) for k in range(3)], axis=-1),
        )
        side = LEFT if side is None else side
        surface = loft(rings, sides or self.sides, side, round_ends)
        if floor is not None:
            surface.positions[:, 1] = np.maximum(surface.positions[:, 1], floor)
        self.add(surface, under=under, meets=meets and _meeting_of(rings, side, where, meets, surface))

    def solid(
        self,
        centres: Array,
        radii: Array,
        joint: int,
        colour: Array,
        *,
        side: Array = LEFT,
        sides: int | None = None,
        material: Material | None = None,
        floor: float | None = None,
    ) -> None:
        """A loft that follows one joint; see `rings_along` and `tube`."""
        surface = loft(rings_along(centres, radii, joint, colour), sides or self.sides, side)
        if floor is not None:
            surface.positions[:, 1] = np.maximum(surface.positions[:, 1], floor)
        self.add(surface, material)

    def ball(
        self, centre: Array, radii: Sequence[float], joint: int, colour: Array, material: Material | None = None
    ) -> None:
        """An ellipsoid that follows one joint."""
        self.add(ball(centre, radii, joint, colour, self.sides), material)

    def build(self) -> Body:
        """The body of all that was added."""
        width = FILLET_WIDTH * float(np.ptp(self.places, axis=0).max())
        skins = [_vertices(piece.surface) for piece in self._pieces]
        meeting = [(piece.meets.field, skin) for piece, skin in zip(self._pieces, skins, strict=True) if piece.meets]
        made: dict[Material, list[tuple[Surface, Array]]] = {}
        for piece, skin in zip(self._pieces, skins, strict=True):
            if piece.meets is not None:
                others = [each for each in meeting if each[1] is not skin]
                skin = blend(skin, piece.meets.reach, others, width)  # noqa: PLW2901
            surface = piece.surface._replace(positions=skin.positions, colours=skin.colours)
            made.setdefault(piece.material, []).append((surface, skin.normals))
        parts = []
        for material, pieces in made.items():
            whole, normals = join([surface for surface, _ in pieces]), np.concatenate([one for _, one in pieces])
            skin = whole.joints, whole.weights, normals
            parts.append(MeshPart(material, whole.positions, whole.faces, *skin, colours=whole.colours))
        return Body([parts], [skeleton_skin(self.skeleton)])


class _Piece(NamedTuple):
    material: Material
    surface: Surface
    meets: Meeting | None


def _vertices(surface: Surface) -> Vertices:
    normals = vertex_normals(surface.positions, surface.faces, (0.0, 1.0, 0.0))
    return Vertices(surface.positions, normals, surface.colours)


def field_of(rings: Rings, side: Array) -> Field:
    """The solid inside rings."""
    lines, across = frames_along(rings.centres, side)
    return Field(rings.centres, rings.radii, across, np.cross(lines, across))


def _meeting_of(rings: Rings, side: Array, where: Array, meets: tuple[float, float], surface: Surface) -> Meeting:
    """The solid of a tube between two positions, and how much each vertex of its surface takes part in blending."""
    whole = field_of(rings, side)
    kept = (where >= meets[0] - 1e-9) & (where <= meets[1] + 1e-9)
    field = Field(*(values[kept] for values in whole))
    nearest = np.linalg.norm(surface.positions[:, None] - rings.centres, axis=-1).argmin(axis=1)
    spread = max(0.35 * (meets[1] - meets[0]), 1e-6)
    inner = np.minimum(where - meets[0] + 2.0 * spread, meets[1] - where)  # the start lies inside another part
    return Meeting(field, np.clip(inner / spread, 0.0, 1.0)[nearest])


def _stops(where: Array, stops: Sequence[tuple[float, float]]) -> Array:
    """Values at places, along a smooth curve through stops that neither overshoots nor leaves their range."""
    places, values = (np.array(column, float) for column in zip(*stops, strict=True))
    if len(places) < 3:
        return np.interp(where, places, values)
    steps = np.diff(places)
    slopes = np.diff(values) / steps
    inner = np.where(
        slopes[:-1] * slopes[1:] > 0.0,
        2.0 * slopes[:-1] * slopes[1:] / (slopes[:-1] + slopes[1:] + (slopes[:-1] + slopes[1:] == 0.0)),
        0.0,
    )
    slope = np.concatenate([slopes[:1], inner, slopes[-1:]])
    k = np.clip(np.searchsorted(places, where, side="right") - 1, 0, len(steps) - 1)
    h, t = steps[k], np.clip((where - places[k]) / steps[k], 0.0, 1.0)
    ease = t * t * (3.0 - 2.0 * t)
    bend = h * t * (1.0 - t) * ((1.0 - t) * slope[k] - t * slope[k + 1])
    return values[k] + ease * (values[k + 1] - values[k]) + bend


def _followed(bones: Sequence[int], bone: Array, part: Array, root: int | None) -> tuple[Array, Array]:
    """Joints and weights (n, 4) of places on bones: near a joint both of its bones, half and half at the joint."""
    listed = np.array([bones[0] if root is None else root, *bones, bones[-1]])
    before = np.clip(0.5 - 0.5 * part / BLEND, 0.0, 0.5)
    after = np.clip(0.5 - 0.5 * (1.0 - part) / BLEND, 0.0, 0.5)
    before[(bone == 0) & (root is None)] = 0.0
    after[bone == len(bones) - 1] = 0.0
    joints = np.stack([listed[bone + 1], listed[bone], listed[bone + 2], listed[bone + 1]], axis=-1)
    weights = np.stack([1.0 - before - after, before, after, np.zeros(len(part))], axis=-1)
    return joints, weights


def _drop_small_weights(joints: Array, weights: Array) -> tuple[Array, Array]:
    """Joints and weights (n, 4) in which no joint is listed twice, and 0 is listed where the weight is 0."""
    joints, weights = joints.copy(), weights.copy()
    for one in range(1, 4):
        for before in range(one):
            same = joints[:, one] == joints[:, before]
            weights[same, before] += weights[same, one]
            weights[same, one] = 0.0
    joints[weights == 0.0] = 0
    return joints, weights
