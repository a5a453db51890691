"""Marks of a walking creature: footholds, landing places, paths of the feet, support polygon, and its goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.pictures import palette
from limbik.studio.scene.solids import Solid, add_screen_lines, bands, rgb, rings, segments

if TYPE_CHECKING:
    from viser import SceneApi

# In multiples of the creature's size: radii of a foothold's disc, of a landing place's ring (inner, outer) and of the
# mark below the body; and the height of marks above the ground, so that it does not hide them.
DISC_RADIUS, RING_RADII, CENTRE_RADIUS = 0.028, (0.028, 0.038), 0.014
MARK_HEIGHT, GOAL_HEIGHT = 0.004, 0.006
GOAL_RADII = (0.0, 0.022), (0.055, 0.07)  # of its disc and its ring
PAST_SEGMENTS, COMING_SEGMENTS = 20, 14  # of a foot's path
EDGE_POINTS, POLYGON_LAYERS = 72, 7  # along the edge of the support polygon, and rings from its middle to the edge
SUPPORT_CORNERS = 72  # of the support polygon


class FootfallMarks:
    """The marks of a walker with one creature. Marks that do not move are sent to pages once."""

    def __init__(self, scene: SceneApi, name: str, walker: Walker, size: float) -> None:
        self._walker, self._size = walker, size
        legs = len(walker.creature.legs)
        self._planted = Solid(scene, f"{name}/planted", palette.UP)
        self._landing = Solid(scene, f"{name}/landing", palette.TARGET)
        self._support = Solid(scene, f"{name}/support", palette.UP, 0.14)
        self._centre = scene.add_icosphere(f"{name}/centre", CENTRE_RADIUS * size, rgb(palette.INK), cast_shadow=False)
        self._trail = np.repeat(walker.state.tips[..., 0].T[:, None], PAST_SEGMENTS + 1, axis=1)
        kinds = (palette.GHOST, legs * PAST_SEGMENTS), (palette.TARGET, legs * COMING_SEGMENTS), (palette.INK, 1)
        colours = np.concatenate([np.tile(rgb(colour), (count, 2, 1)) for colour, count in kinds]).astype(np.uint8)
        self._paths = add_screen_lines(scene, f"{name}/paths", colours)
        self._drawn: tuple[bytes, bytes] | None = None
        self.corners = np.zeros((0, 2))  # of the support polygon, x and z

    def draw(self, feet: Array) -> None:
        """Draws the current state of the walker; feet: positions of `Walker.feet`, (feet, 3)."""
        walker = self._walker
        contacts, footholds = walker.contacts[0], walker.footholds[0]
        drawn = contacts.tobytes(), footholds.tobytes()
        if drawn != self._drawn:
            self._drawn = drawn
            self._draw_feet(feet, contacts, footholds)
        self._draw_paths()

    def _draw_feet(self, feet: Array, contacts: Array, footholds: Array) -> None:
        in_swing = ~self._walker.state.planted[:, 0]
        self._planted.draw(*self._rings(feet, (0.0, DISC_RADIUS), contacts))
        self._landing.draw(*self._rings(footholds, RING_RADII, in_swing))
        self.corners = support_polygon(feet[contacts][:, ::2], DISC_RADIUS * self._size)
        self._support.draw(*self._polygon(self.corners)) if len(self.corners) > 2 else self._support.hide()

    def _draw_paths(self) -> None:
        state, terrain = self._walker.state, self._walker.terrain
        tips, planted = state.tips[..., 0].T, state.planted[:, 0]
        self._trail = np.concatenate([self._trail[:, 1:], tips[:, None]], axis=1)
        self._trail[planted] = tips[planted, None]
        body = state.middle[..., 0].mean(axis=1)
        ground = np.array([body[0], terrain.height(body[::2]), body[2]])
        paths = [
            segments(self._trail),
            segments(self._walker.arcs(COMING_SEGMENTS + 1)[0]),
            np.stack([body, ground])[None],
        ]
        self._paths.points = np.concatenate(paths).astype(np.float32)
        self._centre.position = ground
        self._centre.color = rgb(palette.INK if contains(self.corners, body[::2]) else palette.TARGET)

    def _rings(self, places: Array, radii: tuple[float, float], shown: Array) -> tuple[Array, Array]:
        """Vertices and faces of rings on the ground at places (n, 3); those that are not shown have radius 0."""
        normal = self._walker.terrain.normal(places[:, ::2])
        above = places + MARK_HEIGHT * self._size * normal
        return rings(above, normal, self._size * shown[:, None] * np.array(radii))

    def _polygon(self, corners: Array) -> tuple[Array, Array]:
        """Vertices and faces of a convex polygon draped over the ground."""
        edge = points_along_edge(corners, EDGE_POINTS)
        middle = edge.mean(axis=0)
        places = middle + np.linspace(0.0, 1.0, POLYGON_LAYERS)[:, None, None] * (edge - middle)
        height = self._walker.terrain.height(places) + 0.5 * MARK_HEIGHT * self._size
        vertices = np.stack([places[..., 0], height, places[..., 1]], axis=-1)
        return vertices.reshape(-1, 3), bands(1, POLYGON_LAYERS, EDGE_POINTS)


class GoalMark(Solid):
    """A disc in a ring on the ground; hidden until it is shown. size: of the creature, metres."""

    def __init__(self, scene: SceneApi, name: str, size: float) -> None:
        super().__init__(scene, name, palette.TARGET)
        self._size = size

    def show(self, place: Array, normal: Array) -> None:
        """Shows it at a place, (3,), on ground with a unit normal, (3,)."""
        centre = place + GOAL_HEIGHT * self._size * normal
        self.draw(*rings(np.array([centre] * 2), np.array([normal] * 2), self._size * np.array(GOAL_RADII)))


def support_polygon(feet: Array, radius: float) -> Array:
    """Corners (m, 2), counter-clockwise from the first axis to the second, around feet at (n, 2), each a disc.

    In each of many directions, the corner is the farthest point of the farthest foot; no feet have none.
    """
    angle = 2.0 * np.pi * np.arange(SUPPORT_CORNERS) / SUPPORT_CORNERS
    directions = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return feet[(directions @ feet.T).argmax(axis=1)] + radius * directions if len(feet) else feet


def contains(corners: Array, place: Array) -> bool:
    """Whether a point (2,) lies within a convex polygon with corners (m, 2)."""
    if len(corners) < 3:
        return False
    edge, away = np.roll(corners, -1, axis=0) - corners, place - corners
    return bool(np.all(edge[:, 0] * away[:, 1] >= edge[:, 1] * away[:, 0]))


def points_along_edge(corners: Array, count: int) -> Array:
    """Points (count, 2) spaced evenly along the edge of a polygon with at least three corners."""
    closed = np.concatenate([corners, corners[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=-1))])
    at = along[-1] * np.arange(count) / count
    return np.stack([np.interp(at, along, axis) for axis in closed.T], axis=-1)
