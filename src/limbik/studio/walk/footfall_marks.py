"""Marks of a walking creature: footholds, landing places, paths of the feet, and the support polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.pictures import palette
from limbik.studio.scene.solids import Solid, bands, rgb, rings, segments
from limbik.studio.walk.support_polygon import along_edge, contains, support_polygon

if TYPE_CHECKING:
    from viser import SceneApi

# In multiples of the creature's size: radii of a foothold's disc, of a landing place's ring (inner, outer) and of the
# mark below the body; and the height of marks above the ground, so that it does not hide them.
DISC, RING, CENTRE = 0.028, (0.028, 0.038), 0.014
ABOVE = 0.004
TRAIL, AHEAD = 20, 14  # segments of a foot's past path, and of its path to come
EDGE, LAYERS = 72, 7  # points along the edge of the support polygon, and rings from its middle to the edge


class FootfallMarks:
    """The marks of a walker with one creature. Marks that do not move are sent to pages once."""

    def __init__(self, scene: SceneApi, name: str, walker: Walker, size: float) -> None:
        self._walker, self._size = walker, size
        legs = len(walker.creature.legs)
        self._planted = Solid(scene, f"{name}/planted", palette.UP)
        self._landing = Solid(scene, f"{name}/landing", palette.TARGET)
        self._support = Solid(scene, f"{name}/support", palette.UP, 0.14)
        self._centre = scene.add_icosphere(f"{name}/centre", CENTRE * size, rgb(palette.INK), cast_shadow=False)
        self._trail = np.repeat(walker.state.tips[..., 0].T[:, None], TRAIL + 1, axis=1)
        kinds = (palette.GHOST, legs * TRAIL), (palette.TARGET, legs * AHEAD), (palette.INK, 1)
        colours = np.concatenate([np.tile(rgb(colour), (count, 2, 1)) for colour, count in kinds]).astype(np.uint8)
        points = np.zeros((len(colours), 2, 3), np.float32)
        self._paths = scene.add_line_segments(f"{name}/paths", points, colours, thickness=2.5, thickness_units="screen")
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
        self._planted.draw(*self._flat(feet, (0.0, DISC), contacts))
        self._landing.draw(*self._flat(footholds, RING, in_swing))
        self.corners = support_polygon(feet[contacts][:, ::2], DISC * self._size)
        self._support.draw(*self._draped(self.corners)) if len(self.corners) > 2 else self._support.hide()

    def _draw_paths(self) -> None:
        state, terrain = self._walker.state, self._walker.terrain
        tips, planted = state.tips[..., 0].T, state.planted[:, 0]
        self._trail = np.concatenate([self._trail[:, 1:], tips[:, None]], axis=1)
        self._trail[planted] = tips[planted, None]
        body = state.middle[..., 0].mean(axis=1)
        ground = np.array([body[0], terrain.height(body[::2]), body[2]])
        paths = [segments(self._trail), segments(self._walker.arcs(AHEAD + 1)[0]), np.stack([body, ground])[None]]
        self._paths.points = np.concatenate(paths).astype(np.float32)
        self._centre.position = ground
        self._centre.color = rgb(palette.INK if contains(self.corners, body[::2]) else palette.TARGET)

    def _flat(self, places: Array, radii: tuple[float, float], shown: Array) -> tuple[Array, Array]:
        """Vertices and faces of rings on the ground at places (n, 3); those that are not shown have radius 0."""
        normal = self._walker.terrain.normal(places[:, ::2])
        above = places + ABOVE * self._size * normal
        return rings(above, normal, self._size * shown[:, None] * np.array(radii))

    def _draped(self, corners: Array) -> tuple[Array, Array]:
        """Vertices and faces of a convex polygon draped over the ground."""
        edge = along_edge(corners, EDGE)
        middle = edge.mean(axis=0)
        places = middle + np.linspace(0.0, 1.0, LAYERS)[:, None, None] * (edge - middle)
        height = self._walker.terrain.height(places) + 0.5 * ABOVE * self._size
        vertices = np.stack([places[..., 0], height, places[..., 1]], axis=-1)
        return vertices.reshape(-1, 3), bands(1, LAYERS, EDGE)
