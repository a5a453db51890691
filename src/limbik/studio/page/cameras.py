"""The cameras of all pages: where they stand, as in the pages that play clips, and how they fit windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import cos, sin, tan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.scenes.looks import LOOKS

if TYPE_CHECKING:
    from viser import CameraHandle, ClientHandle, ViserServer

TANGENT = tan(0.5 * LOOKS.field)
UP = np.array([0.0, 1.0, 0.0])
NARROW_ASPECT = 0.6  # windows with a smaller ratio of width to height are narrow: the panel covers their lower part
COVERED_PART = 0.6  # which is this part of their height


class CameraPose(NamedTuple):
    """Where a camera stands, and the point that it looks at: (3,) each, metres."""

    position: Array
    look_at: Array

    def is_near(self, other: CameraPose) -> bool:
        """Whether both are in the same place, and look at the same point."""
        return bool(np.allclose(self, other, atol=1e-6))


@dataclass(frozen=True)
class CameraView:
    """What the cameras show, and the direction in which they stand.

    radius: of what has to be visible around `centre`, metres. centre: (3,), metres. azimuth: from +z towards +x, and
    elevation, radians.
    """

    radius: float
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    azimuth: float = LOOKS.azimuth
    elevation: float = LOOKS.elevation

    def pose(self, width: int = 1, height: int = 1) -> CameraPose:
        """The camera's pose with which the view fits a window of this size, pixels."""
        aspect = max(width, 1) / max(height, 1)
        covered = COVERED_PART if aspect < NARROW_ASPECT else 0.0
        level = cos(self.elevation)
        away = np.array([level * sin(self.azimuth), sin(self.elevation), level * cos(self.azimuth)])
        distance = LOOKS.room * self.radius / (TANGENT * min(1.0 - covered, aspect, 1.0))
        upward = normalized(UP - (UP @ away) * away)
        look_at = np.array(self.centre) - covered * TANGENT * distance * upward
        return CameraPose(look_at + distance * away, look_at)


class Cameras:
    """The cameras of a server's pages. All are placed for the same view, and then moved by their users.

    submit: takes jobs for the studio's thread, which moves the cameras.
    """

    def __init__(self, server: ViserServer, submit: Callable[[Callable[[], None]], None]) -> None:
        self._server, self._submit = server, submit
        self._view = CameraView(1.0)
        server.initial_camera.fov = LOOKS.field
        # A page starts with the initial camera whatever it was sent before. Some are moved once they report it.
        server.on_client_connect(self._watch)

    def show(self, view: CameraView) -> None:
        """Shows a view on all pages, and on pages opened later."""
        self._view, initial = view, self._server.initial_camera
        initial.position, initial.look_at = view.pose()
        for client in self._server.get_clients().values():
            self._place(client.camera)

    def _watch(self, client: ClientHandle) -> None:
        client.camera.on_update(self._fit)

    def _fit(self, camera: CameraHandle) -> None:
        """Moves a camera that stands where all begin, if its window is too narrow for that."""
        pose = CameraPose(camera.position, camera.look_at)
        if pose.is_near(self._view.pose()) and not pose.is_near(self._fitted_pose(camera)):
            self._submit(partial(self._place, camera))

    def _place(self, camera: CameraHandle) -> None:
        camera.position, camera.look_at = self._fitted_pose(camera)

    def _fitted_pose(self, camera: CameraHandle) -> CameraPose:
        return self._view.pose(camera.image_width, camera.image_height)
