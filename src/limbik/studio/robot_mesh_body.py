"""A robot in the scene as its file's meshes, which move with their links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.robots.robot import Robot
from limbik.rotations import rotate
from limbik.studio.dragged_limb import DraggedLimb
from limbik.studio.robot_body import PIECE_COLOURS, RobotBody
from limbik.studio.scene.solids import rgb

if TYPE_CHECKING:
    from viser import MeshHandle, SceneApi


class RobotMeshBody(RobotBody):
    """A robot drawn as meshes, triangles (n, 3, 3) in the frames of its links, by the links' names."""

    def __init__(
        self, scene: SceneApi, name: str, robot: Robot, limbs: list[DraggedLimb], meshes: dict[str, Array]
    ) -> None:
        super().__init__(scene, name, robot, limbs)
        corners = {self._number[link]: part.reshape(-1, 3) for link, part in meshes.items() if link in self._number}
        self.lowest = min(
            float((rotate(self._turns[link], points) + self._places[link])[:, 2].min(initial=np.inf))
            for link, points in corners.items()
        )
        self._handles: dict[int, MeshHandle] = {
            link: scene.add_mesh_simple(
                f"{name}/mesh{link}",
                points.astype(np.float32),
                np.arange(len(points), dtype=np.uint32).reshape(-1, 3),
                color=rgb(PIECE_COLOURS["rod", False]),
                flat_shading=True,
                side="double",
                receive_shadow=False,
            )
            for link, points in corners.items()
        }

    def draw(self, dragged: DraggedLimb) -> None:
        """Draws the robot as it is, with the limb that is dragged."""
        places, turns = dragged.frames()
        moved = dragged.moving_links()
        for link, handle in self._handles.items():
            handle.position, handle.wxyz = places[link], np.roll(turns[link], 1)
            tone = rgb(palette.LINK if link in moved else PIECE_COLOURS["rod", False])
            if handle.color != tone:
                handle.color = tone
