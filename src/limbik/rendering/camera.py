"""The camera of rendered images."""

from __future__ import annotations

from math import cos, pi, sin, tan
from typing import NamedTuple

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.scenes.looks import LOOKS
from limbik.scenes.scene_clip import SceneClip
from limbik.terrains.base import Terrain

# Azimuth of the camera from the direction of travel, about +y (None: the scene's own), and its elevation, radians. In
# the views "side" and "top" figures travel from left to right.
VIEWS = {
    "three-quarter": (None, LOOKS.elevation),
    "side": (-0.5 * pi, 0.16),
    "front": (0.0, 0.16),
    "top": (-0.5 * pi, 0.5 * pi),
}
HALF_FIELD_TANGENT = tan(0.5 * LOOKS.field)
RAISING_RADIANS = 0.1  # radians: step by which the camera is raised until no ground is in its way
SIGHT_LINE_RANGE = 0.3, 1.1  # parts of the line to the camera, and a little beyond, that should be free of ground
NEAR_PLANE_DISTANCES = 0.02  # near plane, over the distance to the target


class Camera(NamedTuple):
    """eye: (3,) position in the world. axes: (3, 3), the directions right, up and back. distance: to the target."""

    eye: Array
    axes: Array
    distance: float

    @property
    def centre(self) -> Array:
        """(3,): the target."""
        return self.eye - self.distance * self.axes[2]

    @property
    def near(self) -> float:
        return NEAR_PLANE_DISTANCES * self.distance

    def corners(self, places: Array, size: tuple[int, int]) -> Array:
        """Positions (n, 3) as homogeneous corners (n, 4) on an image of a width and height, as the kernels take them.

        Column x w / w and row y w / w are counted from the picture's left and top edge; the last number is 1.
        """
        width, height = size
        scale = 0.5 * height / HALF_FIELD_TANGENT
        right, up, back = self.axes
        rows = np.stack([scale * right - 0.5 * width * back, -scale * up - 0.5 * height * back, -back])
        corners = np.ones((len(places), 4))
        corners[:, :3] = (places - self.eye) @ rows.T
        return corners


class Frame(NamedTuple):
    """A camera relative to the figures: axes (3, 3), target's offset (3,) from their centre, distance from there."""

    axes: Array
    offset: Array
    distance: float

    def camera(self, middle: Array) -> Camera:
        """The camera when the centre of the figures is at `middle`, (3,)."""
        return Camera(middle + self.offset + self.distance * self.axes[2], self.axes, self.distance)


def frame_view(view: str, scene: SceneClip, points: Array, middles: Array, terrain: Terrain, aspect: float) -> Frame:
    """The frame in which everything is visible, raised where ground would be in the way.

    scene: what it looks at. points: (n, 3), what should be visible, relative to the centre
    of the figures; middles: (m, 3), that centre at some times. aspect: of the image, width over height.
    """
    turn, elevation = VIEWS[choice("view", view, VIEWS)]
    azimuth = scene.azimuth if turn is None else scene.heading + turn
    while True:
        axes = _axes(azimuth, elevation)
        along = points @ axes.T
        offset = 0.5 * (along.min(axis=0) + along.max(axis=0)) @ axes
        frame = Frame(axes, offset, _distance(axes, points - offset, aspect))
        if elevation >= 0.5 * pi or not _is_hidden(terrain, middles + offset, frame.distance * axes[2]):
            return frame
        elevation = min(elevation + RAISING_RADIANS, 0.5 * pi)


def _axes(azimuth: float, elevation: float) -> Array:
    right = np.array([cos(azimuth), 0.0, -sin(azimuth)])
    back = np.array([cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth)])
    return np.stack([right, np.cross(back, right), back])


def _distance(axes: Array, points: Array, aspect: float) -> float:
    """The distance from the origin at which all points (n, 3) are visible, with a margin."""
    right, up, back = axes @ points.T
    tangent = HALF_FIELD_TANGENT / LOOKS.room
    return float(np.max(back + np.maximum(np.abs(up) / tangent, np.abs(right) / (tangent * aspect))))


def _is_hidden(terrain: Terrain, targets: Array, away: Array) -> bool:
    """Whether ground lies between targets (n, 3) and the camera at an offset `away` (3,), except near the targets."""
    between = targets + np.linspace(*SIGHT_LINE_RANGE, 16)[:, None, None] * away
    return bool(np.any(terrain.height(between[..., [0, 2]]) > between[..., 1]))
