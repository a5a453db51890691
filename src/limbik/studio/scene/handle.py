"""Handles in the scene: labelled rings that are dragged with the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rotations import shortest_arc
from limbik.studio.page.stage import Job, Stage
from limbik.studio.scene.solids import bands, rgb

if TYPE_CHECKING:
    from viser import MeshHandle, SceneNodeDragEvent

RING_POINTS, TUBE_POINTS = 40, 10  # vertices along a ring, and around its tube
TUBE_RADIUS, LABEL_RISE = 0.0075, 0.016  # of the tube; of the label above the ring: over the size of the figure
LABEL_SCALE = 0.85  # size of the label's letters, over viser's
UP, ASIDE = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])


class Handle:
    """A ring with a label. Dragging moves it in the plane that faces the camera; clicking chooses it.

    colour: "#rrggbb". radius: of the ring, metres. size: of the figure, metres. dragged: a job for each move, after
    which `position`, (3,), is where it was dragged to. chosen: a job for clicks and the start of drags.
    """

    def __init__(
        self,
        stage: Stage,
        name: str,
        label: str,
        *,
        colour: str,
        radius: float,
        size: float,
        dragged: Job,
        chosen: Job,
    ) -> None:
        self._stage, self._dragged, self._chosen, self._size = stage, dragged, chosen, size
        self._grip: Array | None = None  # from where it was grabbed to its middle
        self.label, self.radius, self.position = label, radius, np.zeros(3)
        vertices, faces = torus(radius, TUBE_RADIUS * size)
        looks = {"color": rgb(colour), "cast_shadow": False, "receive_shadow": False}
        self._ring: MeshHandle = stage.scene.add_mesh_simple(f"{name}/ring", vertices, faces, **looks)
        self._text = stage.scene.add_label(
            f"{name}/label", label, anchor="bottom-center", font_screen_scale=LABEL_SCALE
        )
        self._ring.on_drag(self._drag)
        self._ring.on_click(lambda _: stage.jobs.submit(chosen))

    def place(self, position: Array, axis: Array = UP) -> None:
        """Puts its middle at a position, (3,), and the ring around an axis, (3,), of unit length."""
        self.position = position
        x, y, z, w = shortest_arc(UP, axis, ASIDE)
        self._ring.position, self._ring.wxyz = position, (w, x, y, z)
        rise = self.radius * np.sqrt(max(1.0 - float(axis @ UP) ** 2, 0.0))
        self._text.position = position + (rise + LABEL_RISE * self._size) * UP

    async def _drag(self, event: SceneNodeDragEvent[MeshHandle]) -> None:
        """Takes a message of a page; viser runs coroutines in the order of the messages."""
        if event.phase == "start":
            self._grip = self._ring.position - np.array(event.start_position)
            self._stage.jobs.submit(self._chosen)
        elif self._grip is not None:
            self.position = np.array(event.end_position) + self._grip
            self._stage.jobs.submit(self._dragged)


def torus(radius: float, tube: float) -> tuple[Array, Array]:
    """Vertices (n, 3) and faces (m, 3) of a ring about the y axis."""
    along = 2.0 * np.pi * np.arange(RING_POINTS + 1)[:, None] / RING_POINTS
    across = 2.0 * np.pi * np.arange(TUBE_POINTS) / TUBE_POINTS
    out = radius + tube * np.cos(across)
    rise = np.broadcast_to(tube * np.sin(across), (RING_POINTS + 1, TUBE_POINTS))
    shape = np.stack([out * np.sin(along), rise, out * np.cos(along)], axis=-1)
    return shape.reshape(-1, 3).astype(np.float32), bands(1, RING_POINTS + 1, TUBE_POINTS).astype(np.uint32)
