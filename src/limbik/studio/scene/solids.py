"""Meshes in the scene whose vertices move: any triangles, chains of links, and rings on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import capsules
from limbik.pictures import palette
from limbik.rotations import normalized

if TYPE_CHECKING:
    from viser import LineSegmentsHandle, MeshHandle, SceneApi

LINK_SIDES = 16
RING_SIDES = 24
JOINT_RADIUS = 1.3  # radius of the sphere at a joint over that of the link that begins there
TAPER = 0.7  # radius of a link at its end over that at its start


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour such as "#0072B2" as three numbers from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def segments(paths: Array) -> Array:
    """Paths (n, points, 3) as line segments, (m, 2, 3)."""
    return np.stack([paths[:, :-1], paths[:, 1:]], axis=2).reshape(-1, 2, 3)


def rings(centres: Array, normals: Array, radii: Array) -> tuple[Array, Array]:
    """Vertices (m, 3) and faces (k, 3) of rings about centres (n, 3), on ground with unit normals (n, 3), up.

    radii: (n, 2), inside and outside; those of size 0 are points, so that faces stay the same when one is not shown.
    """
    across = normalized(np.stack([normals[:, 1], -normals[:, 0], np.zeros(len(normals))], axis=-1))
    along = np.cross(across, normals)
    turn = 2.0 * np.pi * np.arange(RING_SIDES)[:, None] / RING_SIDES
    circle = across[:, None] * np.cos(turn) + along[:, None] * np.sin(turn)
    vertices = centres[:, None, None] + radii[:, :, None, None] * circle[:, None]
    return vertices.reshape(-1, 3), bands(len(centres), 2, RING_SIDES)


def bands(count: int, circles: int, sides: int) -> Array:
    """The faces between circles of vertices about one another, for many such: (m, 3)."""
    first = sides * np.arange(circles - 1)[:, None]
    a, b = first + np.arange(sides), first + (np.arange(sides) + 1) % sides
    faces = np.stack([a, b, a + sides, b, b + sides, a + sides], axis=-1).reshape(-1, 3)
    return (faces + circles * sides * np.arange(count)[:, None, None]).reshape(-1, 3)


def add_screen_lines(scene: SceneApi, name: str, colours: Array | None = None) -> LineSegmentsHandle:
    """Lines as wide at any distance, such as those from tips to targets that they miss; points are set later.

    colours: (n, 2, 3) uint8, of the ends of n lines (default: that of targets).
    """
    chosen = np.array(rgb(palette.TARGET), np.uint8) if colours is None else colours
    points = np.zeros((1 if colours is None else len(colours), 2, 3), np.float32)
    return scene.add_line_segments(name, points, chosen, thickness=2.5, thickness_units="screen")


class Solid:
    """A mesh in the scene whose vertices move; it is invisible until it is drawn.

    colour: "#rrggbb". opacity: below 1 for translucent meshes, which cast no shadow (default: opaque). None receives
    shadows: those of viser are so coarse that meshes would be striped by their own.
    """

    def __init__(self, scene: SceneApi, name: str, colour: str, opacity: float | None = None) -> None:
        self._scene, self._name = scene, name
        self._colour, self._opacity = rgb(colour), opacity
        self._mesh: MeshHandle | None = None
        self._faces = np.zeros((0, 3), np.uint32)

    def draw(self, vertices: Array, faces: Array) -> None:
        """Shows triangles: vertices (n, 3), metres, and faces (m, 3), vertex numbers."""
        vertices = np.asarray(vertices, np.float32)
        if self._mesh is None or not np.array_equal(faces, self._faces):
            self._faces = np.asarray(faces, np.uint32)
            self._mesh = self._scene.add_mesh_simple(
                self._name,
                vertices,
                self._faces,
                color=self._colour,
                opacity=self._opacity,
                side="double",
                cast_shadow=self._opacity is None,
                receive_shadow=False,
            )
        else:
            self._mesh.vertices = vertices
            self._mesh.visible = True

    @property
    def visible(self) -> bool:
        """Whether the mesh is shown."""
        return self._mesh is not None and self._mesh.visible

    def hide(self) -> None:
        if self._mesh is not None:
            self._mesh.visible = False


class Links(Solid):
    """A chain of links as tapered rods with spheres between them."""

    def chain(self, joints: Array, radius: float) -> None:
        """Draws links through joints (n, 3), metres; radius: of the first link at its start, metres."""
        radii = radius * TAPER ** np.arange(len(joints))
        shapes = capsules(
            start=np.concatenate([joints[:-1], joints]),
            end=np.concatenate([joints[1:], joints]),
            radii=np.concatenate([np.stack([radii[:-1], radii[1:]], -1), JOINT_RADIUS * np.stack([radii, radii], -1)]),
            joints=np.zeros(2 * len(joints) - 1, int),
            sides=LINK_SIDES,
        )
        self.draw(shapes.positions, shapes.triangles)
