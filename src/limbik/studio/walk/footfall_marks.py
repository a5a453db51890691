"""Marks on the ground and in the air: where feet stand, where they land, the ways there, and what holds the body up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.pictures import palette
from limbik.studio.scene.ground_rings import bands, rings
from limbik.studio.scene.solids import Solid, pieces, rgb
from limbik.studio.walk.support_polygon import around, contains, support

if TYPE_CHECKING:
    from viser import SceneApi

# Over the creature's size: the radii of a foot's disc, of the inside and the outside of a ring, of the body's centre;
# and how high marks are above the ground, so that they are seen.
DISC, RING, CENTRE = 0.028, (0.028, 0.038), 0.014
ABOVE = 0.004
TRAIL, AHEAD = 20, 14  # pieces of a foot's way so far, and to come
EDGE, LAYERS = 72, 7  # of the support: places along its edge, and from its middle to there


class Marks:
    """The marks of a walker with one creature.

    size: of the creature, metres. corners: (n, 2), x and z, of its support.
    What stands still is sent once: pages have enough to do with what moves.
    """

    def __init__(self, scene: SceneApi, name: str, walker: Walker, size: float) -> None:
        self._walker, self._size = walker, size
        legs = len(walker.creature.legs)
        self._planted = Solid(scene, f"{name}/planted", palette.UP)
        self._landing = Solid(scene, f"{name}/landing", palette.TARGET)
        self._support = Solid(scene, f"{name}/support", palette.UP, 0.22)
        self._centre = scene.add_icosphere(f"{name}/centre", CENTRE * size, rgb(palette.INK), cast_shadow=False)
        self._trail = np.repeat(walker.state.tips[..., 0].T[:, None], TRAIL + 1, axis=1)
        kinds = (palette.GHOST, legs * TRAIL), (palette.TARGET, legs * AHEAD), (palette.INK, 1)
        colours = np.concatenate([np.tile(rgb(colour), (count, 2, 1)) for colour, count in kinds])
        self._ways = scene.add_line_segments(
            f"{name}/ways",
            np.zeros((len(colours), 2, 3), np.float32),
            colours.astype(np.uint8),
            thickness=2.5,
            thickness_units="screen",
        )
        self._known: tuple[bytes, bytes] | None = None
        self.corners = np.zeros((0, 2))

    def draw(self, feet: Array) -> None:
        """Draws them as the walker is now; feet: (feet, 3), its feet, as of `Walker.feet`."""
        walker = self._walker
        contacts, footholds = walker.contacts[0], walker.footholds[0]
        known = contacts.tobytes(), footholds.tobytes()
        if known != self._known:
            self._known = known
            self._draw_feet(feet, contacts, footholds)
        self._draw_ways()

    def _draw_feet(self, feet: Array, contacts: Array, footholds: Array) -> None:
        aloft = ~self._walker.state.planted[:, 0]
        self._planted.draw(*self._flat(feet, (0.0, DISC), contacts))
        self._landing.draw(*self._flat(footholds, RING, aloft))
        self.corners = support(feet[contacts][:, ::2], DISC * self._size)
        if len(self.corners) > 2:
            self._support.draw(*self._draped(self.corners))
        else:
            self._support.hide()

    def _draw_ways(self) -> None:
        state, terrain = self._walker.state, self._walker.terrain
        tips, planted = state.tips[..., 0].T, state.planted[:, 0]
        self._trail = np.concatenate([self._trail[:, 1:], tips[:, None]], axis=1)
        self._trail[planted] = tips[planted, None]
        body = state.middle[..., 0].mean(axis=1)
        ground = np.array([body[0], terrain.height(body[::2]), body[2]])
        ways = [pieces(self._trail), pieces(self._walker.arcs(AHEAD + 1)[0]), np.stack([body, ground])[None]]
        self._ways.points = np.concatenate(ways).astype(np.float32)
        self._centre.position = ground
        self._centre.color = rgb(palette.INK if contains(self.corners, body[::2]) else palette.TARGET)

    def _flat(self, places: Array, radii: tuple[float, float], shown: Array) -> tuple[Array, Array]:
        """Rings that lie on the ground at places (n, 3): vertices and faces. Those that are not shown have no size."""
        normal = self._walker.terrain.normal(places[:, ::2])
        above = places + ABOVE * self._size * normal
        return rings(above, normal, self._size * shown[:, None] * np.array(radii))

    def _draped(self, corners: Array) -> tuple[Array, Array]:
        """A hull as a cloth that lies on the ground: vertices and faces."""
        edge = around(corners, EDGE)
        middle = edge.mean(axis=0)
        places = middle + np.linspace(0.0, 1.0, LAYERS)[:, None, None] * (edge - middle)
        height = self._walker.terrain.height(places) + 0.5 * ABOVE * self._size
        vertices = np.stack([places[..., 0], height, places[..., 1]], axis=-1)
        return vertices.reshape(-1, 3), bands(1, LAYERS, EDGE)
