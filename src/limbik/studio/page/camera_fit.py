"""Where a page's camera had best be: in narrow windows the panel lies over the lower part of the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized

if TYPE_CHECKING:
    from viser import CameraHandle, InitialCameraConfig

NARROW = 0.6  # width over height of the picture, below which a window is narrow
RAISED = 0.3  # of a narrow window's height: how far above its middle things are
FARTHER = 1.5  # how much farther the camera is, so that they fit in there


def is_narrow(camera: CameraHandle) -> bool:
    """Whether a page's window is narrow."""
    return camera.image_width < NARROW * camera.image_height


def is_first_of_narrow(camera: CameraHandle, first: InitialCameraConfig) -> bool:
    """Whether a narrow page has the view that all pages begin with."""
    same = np.allclose(camera.position, first.position) and np.allclose(camera.look_at, first.look_at, atol=1e-6)
    return is_narrow(camera) and same


def fitted(camera: CameraHandle, eye: Any, at: Any) -> tuple[Array, Array]:
    """Eye and what it looks at, (3,) each, as they suit the window of a page."""
    eye, at = np.asarray(eye, float), np.asarray(at, float)
    if not is_narrow(camera):
        return eye, at
    away = FARTHER * (eye - at)
    right = np.cross(camera.up_direction, away)
    down = normalized(np.cross(right, away))
    seen = 2.0 * np.tan(0.5 * camera.fov) * np.linalg.norm(away)
    at = at + RAISED * seen * down
    return at + away, at
