"""The eye: where it is, and where it sees what."""

from __future__ import annotations

from math import cos, pi, sin, tan
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ChoiceError
from limbik.scenes.looks import LOOKS
from limbik.terrains.base import Terrain

# By name: the eye's azimuth from where the figure goes, about +y, and its elevation, radians. Seen from the side and
# from above, a figure goes from left to right.
VIEWS = {
    "three-quarter": (LOOKS.azimuth, LOOKS.elevation),
    "side": (-0.5 * pi, 0.16),
    "front": (0.0, 0.16),
    "top": (-0.5 * pi, 0.5 * pi),
}
TANGENT = tan(0.5 * LOOKS.field)
RAISED = 0.1  # radians, by which the eye goes up until no ground is in its way
BETWEEN = 0.3, 1.1  # parts of the way to the eye, and somewhat beyond, where there should be none
NEAR = 0.02  # nearer than this part of the distance to what is looked at nothing is seen


class Camera(NamedTuple):
    """eye: (3,), in the world. axes: (3, 3), the directions right, up and back. distance: to what is looked at."""

    eye: Array
    axes: Array
    distance: float

    @property
    def centre(self) -> Array:
        """(3,): what is looked at."""
        return self.eye - self.distance * self.axes[2]

    @property
    def near(self) -> float:
        """The depth from which on things are seen."""
        return NEAR * self.distance

    def corners(self, places: Array, size: tuple[int, int]) -> Array:
        """Places (n, 3) as homogeneous corners (n, 4) on a picture of some width and height, as the kernels have them.

        Column x w / w and row y w / w are counted from the picture's left and top edge; the last number is 1.
        """
        width, height = size
        scale = 0.5 * height / TANGENT
        right, up, back = self.axes
        rows = np.stack([scale * right - 0.5 * width * back, -scale * up - 0.5 * height * back, -back])
        corners = np.ones((len(places), 4))
        corners[:, :3] = (places - self.eye) @ rows.T
        return corners


class Frame(NamedTuple):
    """How the eye looks at what moves. axes: its directions right, up and back, (3, 3).

    offset: (3,), of where it looks from the middle of the figures. distance: from there.
    """

    axes: Array
    offset: Array
    distance: float

    def camera(self, middle: Array) -> Camera:
        """The eye while the middle of the figures, (3,), is there."""
        return Camera(middle + self.offset + self.distance * self.axes[2], self.axes, self.distance)


def framed(view: str, heading: float, points: Array, middles: Array, terrain: Terrain, aspect: float) -> Frame:
    """The frame from which all is seen: as low as the view has the eye, or higher where ground would be in the way.

    heading: where the figures go, radians from +z to +x. points: (n, 3), what should be seen, from the middle of the
    figures; middles: (m, 3), where that is, at some moments. aspect: of the picture, width over height.
    """
    if view not in VIEWS:
        raise ChoiceError("view", view, VIEWS)
    azimuth, elevation = VIEWS[view]
    while True:
        axes = _axes(azimuth + heading, elevation)
        offset = _middle(axes, points)
        frame = Frame(axes, offset, _distance(axes, points - offset, aspect))
        if elevation >= 0.5 * pi or not _hidden(terrain, middles + offset, frame.distance * axes[2]):
            return frame
        elevation = min(elevation + RAISED, 0.5 * pi)


def _axes(azimuth: float, elevation: float) -> Array:
    right = np.array([cos(azimuth), 0.0, -sin(azimuth)])
    back = np.array([cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth)])
    return np.stack([right, np.cross(back, right), back])


def _middle(axes: Array, points: Array) -> Array:
    """The middle, (3,), of the box around points (n, 3) whose edges are the axes."""
    along = points @ axes.T
    return 0.5 * (along.min(axis=0) + along.max(axis=0)) @ axes


def _distance(axes: Array, points: Array, aspect: float) -> float:
    """How far from the origin the eye has to be to see all points (n, 3), with some room around them."""
    right, up, back = axes @ points.T
    tangent = TANGENT / LOOKS.room
    return float(np.max(back + np.maximum(np.abs(up) / tangent, np.abs(right) / (tangent * aspect))))


def _hidden(terrain: Terrain, targets: Array, away: Array) -> bool:
    """Whether ground lies between targets (n, 3) and the eye, away (3,) from them; not what is near them."""
    between = targets + np.linspace(*BETWEEN, 16)[:, None, None] * away
    return bool(np.any(terrain.height(between[..., [0, 2]]) > between[..., 1]))
