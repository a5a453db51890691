"""A limb in space: seen from a little above, and projected into its bending plane."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.pictures.limb_scene import LimbScene, circle, ring
from limbik.pictures.planar_view import draw_links

Axes3D = Any  # matplotlib's, whose 3-D axes have no types
RIGHT = np.array([0.3, 0.0, 1.0])  # what a flat view has on its right: forward, and a little left
UPWARD = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # what it has above; the second where the first is its normal


@dataclass(frozen=True, eq=False)
class Plane:
    """A bending plane: a point of it, and the unit vectors that point right and up in its flat view."""

    origin: Array
    right: Array
    up: Array

    @property
    def toward_viewer(self) -> Array:
        """The plane's normal, out of its flat view."""
        return np.cross(self.right, self.up)

    def flat(self, points: Array) -> Array:
        """Points (..., 3) projected into the plane, as (..., 2)."""
        return self.turned(points - self.origin)

    def turned(self, vectors: Array) -> Array:
        """Directions (..., 3) projected into the plane, as (..., 2)."""
        return np.stack([vectors @ self.right, vectors @ self.up], -1)

    def place(self, points: Array) -> Array:
        """Points (..., 2) of the plane, in space."""
        return self.origin + points[..., :1] * self.right + points[..., 1:] * self.up


def bending_plane(origin: Array, hinge: Array) -> Plane:
    """The plane through the limb's origin across its hinge (3,), turned so that up is up and forward is right."""
    parts = UPWARD - np.outer(UPWARD @ hinge, hinge)
    sizes = np.linalg.norm(parts, axis=-1)
    first = int(np.argmax(sizes > 0.2))
    up = parts[first] / sizes[first]
    right = np.cross(up, hinge)
    return Plane(origin, right if right @ RIGHT >= 0 else -right, up)


def flattened(plane: Plane, scene: LimbScene) -> LimbScene:
    """A spatial scene as its bending plane shows it."""
    return replace(
        scene,
        joints=plane.flat(scene.joints),
        target=plane.flat(scene.target),
        ghosts=[plane.flat(ghost) for ghost in scene.ghosts],
        up=None if scene.up is None else plane.turned(scene.up),
        pole=None if scene.pole is None else plane.turned(scene.pole),
    )


def draw_space(axes: Axes3D, plane: Plane, scene: LimbScene) -> None:
    """The limb, its ghosts, its bending plane and its shadow on the floor, with y up."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    axes.computed_zorder = False
    edge = plane.place(circle(scene.far))
    floor = frame_space(axes, np.concatenate([edge, scene.joints, *scene.ghosts, scene.target[None]]))
    outline = shown(plane.place(ring(scene.near, scene.far)))
    axes.add_collection3d(Poly3DCollection([outline], color=palette.REGION, linewidth=0, alpha=0.6, zorder=1))
    for radius in (scene.near, scene.far):
        axes.plot(*shown(plane.place(circle(radius))).T, color=palette.REGION_EDGE, linewidth=0.8, zorder=1)
    shadow = scene.joints * [1.0, 0.0, 1.0] + [0.0, floor, 0.0]
    axes.plot(*shown(shadow).T, color=palette.GHOST, linewidth=3, alpha=0.4)
    for ghost in scene.ghosts:
        draw_links(axes, shown(ghost), palette.GHOST, faint=True)
    draw_links(axes, shown(scene.joints), palette.LINK)
    for (start, end), colour in scene.arrows():
        style: dict[str, Any] = {"linewidth": 1.8, "arrow_length_ratio": 0.25, "zorder": 8, "color": colour}
        axes.quiver(*shown(start), *shown(end - start), **style)
    axes.plot(*shown(scene.target[None]).T, "x", color=palette.TARGET, markersize=10, markeredgewidth=2.4, zorder=9)
    x, y, z = plane.toward_viewer
    turned = np.degrees(np.arctan2(x, z)) if abs(y) < 0.9 else -90.0
    axes.view_init(elev=18, azim=turned + 32)


def shown(points: Array) -> Array:
    """World coordinates in the order in which the view takes them: z, x, y, so that y is up and hands stay right."""
    return np.asarray(points)[..., [2, 0, 1]]


def frame_space(axes: Axes3D, points: Array) -> float:
    """Equal axes around the points, with quiet grids; returns the height of the floor."""
    from matplotlib.ticker import MaxNLocator

    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, float((high - low).max()) * 0.5
    views = (axes.xaxis, axes.yaxis, axes.zaxis)
    setters = (axes.set_xlim, axes.set_ylim, axes.set_zlim)
    names = ("z forward", "x left", "y up")
    for view, set_limits, name, place in zip(views, setters, names, (2, 0, 1), strict=True):
        set_limits(middle[place] - half, middle[place] + half)
        view.set_pane_color("white")
        view.line.set_color(palette.GRID)
        view._axinfo["grid"].update(color=palette.GRID, linewidth=0.7)  # no public way to set a pane's grid
        view.set_major_locator(MaxNLocator(4))
        view.set_label_text(name, color=palette.FAINT, fontsize=10)
    axes.set_box_aspect((1, 1, 1), zoom=1.08)
    axes.tick_params(colors=palette.FAINT, labelsize=8, pad=0)
    return float(middle[1]) - half
