"""A limb in the plane: a planar limb, or a spatial one within its bending plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.pictures.canvas import quiet
from limbik.pictures.limb_scene import LimbScene, circle, ring

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_flat(axes: Axes, scene: LimbScene) -> None:
    """Draws the reachable annulus, the ghosts, the limb and its inputs."""
    axes.fill(*(ring(scene.near, scene.far) + scene.origin).T, color=palette.REGION, linewidth=0, zorder=0)
    for radius in (scene.near, scene.far):
        axes.plot(*(circle(radius) + scene.origin).T, color=palette.REGION_EDGE, linewidth=0.8, zorder=1)
    for ghost in scene.ghosts:
        draw_links(axes, ghost, palette.GHOST, faint=True)
    for (start, end), colour in scene.arrows():
        arrow(axes, start, end, colour)
    draw_links(axes, scene.joints, palette.LINK)
    axes.plot(*scene.target, "x", color=palette.TARGET, markersize=11, markeredgewidth=2.6, zorder=6)
    _name_joints(axes, scene)
    _frame(axes, scene)


def draw_links(axes: Axes, joints: Array, colour: str, *, faint: bool = False) -> None:
    """Links as strokes, joints as dots, in the plane or in space."""
    width, dot, order = (2.6, 6, 2) if faint else (4.5, 9, 4)
    axes.plot(*joints.T, "-", color=colour, linewidth=width, solid_capstyle="round", zorder=order, alpha=0.75)
    axes.plot(
        *joints.T, "o", color="white", markersize=dot, markeredgecolor=colour, markeredgewidth=2, zorder=order + 1
    )


def arrow(axes: Axes, start: Array, end: Array, colour: str) -> None:
    """A thin arrow over the links."""
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
    axes.annotate("", xy=tuple(end), xytext=tuple(start), arrowprops=style, zorder=7)


def _name_joints(axes: Axes, scene: LimbScene) -> None:
    """Each joint's name beside it, on the side where no link runs."""
    for place, (joint, name) in enumerate(zip(scene.joints, scene.names, strict=True)):
        x, y = _open_side(scene.joints, place)
        style: dict[str, Any] = {"color": palette.INK, "fontsize": 10, "zorder": 8, "textcoords": "offset points"}
        style["ha"] = "left" if x > 0.35 else "right" if x < -0.35 else "center"
        style["va"] = "bottom" if y > 0.35 else "top" if y < -0.35 else "center"
        axes.annotate(name, xy=tuple(joint), xytext=(14 * x, 14 * y), **style)


def _open_side(joints: Array, place: int) -> Array:
    """The unit direction that leads away from a joint's neighbours."""
    neighbours = [joints[k] - joints[place] for k in (place - 1, place + 1) if 0 <= k < len(joints)]
    directions = [one / max(float(np.linalg.norm(one)), 1e-12) for one in neighbours]
    away = -np.sum(directions, axis=0)
    length = float(np.linalg.norm(away))
    if length < 0.3:  # a straight limb: beside it
        away = np.array([-directions[0][1], directions[0][0]])
        length = max(float(np.linalg.norm(away)), 1e-12)
    return away / length


def _frame(axes: Axes, scene: LimbScene) -> None:
    points = [*scene.joints, *(joint for ghost in scene.ghosts for joint in ghost), scene.target]
    corners = np.array([*points, scene.origin - scene.far, scene.origin + scene.far])
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    room = 0.06 * float((high - low).max())
    axes.set_xlim(low[0] - room, high[0] + room)
    axes.set_ylim(low[1] - room, high[1] + room)
    axes.set_aspect("equal")
    quiet(axes)
