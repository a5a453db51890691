"""Fits the camera to a page's window: in narrow windows the panel covers the lower part of the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized

if TYPE_CHECKING:
    from viser import CameraHandle, InitialCameraConfig

Point = Array | tuple[float, float, float]

NARROW = 0.6  # windows with a smaller ratio of width to height are narrow
RAISED = 0.3  # in a narrow window, the subject is this far above the middle, as a fraction of the height
FARTHER = 1.5  # and the camera this many times as far away, so that the subject fits above the panel


def is_narrow(camera: CameraHandle) -> bool:
    """Whether a page's window is narrow."""
    return camera.image_width < NARROW * camera.image_height


def is_narrow_default(camera: CameraHandle, initial: InitialCameraConfig) -> bool:
    """Whether a narrow page still has the initial camera, which was not fitted to its window."""
    same = np.allclose(camera.position, initial.position) and np.allclose(camera.look_at, initial.look_at, atol=1e-6)
    return is_narrow(camera) and same


def fit_to_window(camera: CameraHandle, position: Point, look_at: Point) -> tuple[Array, Array]:
    """Camera position and point looked at, (3,) each, moved so that the subject fits a page's window."""
    eye, at = np.asarray(position, float), np.asarray(look_at, float)
    if not is_narrow(camera):
        return eye, at
    back = FARTHER * (eye - at)
    right = np.cross(camera.up_direction, back)
    down = normalized(np.cross(right, back))
    visible_height = 2.0 * np.tan(0.5 * camera.fov) * np.linalg.norm(back)
    at = at + RAISED * visible_height * down
    return at + back, at
