"""Plots of a limb's pose: the solution, the other branches as ghosts, the target, and what is in reach."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import instance
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.limbs.branches import Branches
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.pictures.canvas import canvas, check_path, draw_legend, save, style_axes, write_line
from limbik.pictures.limb_scene import LimbScene, Plane, bending_plane, circle, ring
from limbik.rotations import rotate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Axes3D = Any  # matplotlib's, whose 3-D axes have no types


def limb(
    solution: Solution, path: str | os.PathLike[str], *, branches: Branches | None = None, title: str | None = None
) -> None:
    """Plots the pose of a limb, its target, and what it reaches.

    Args:
        solution: A single solution; index a batch first.
        path: The file to write: .png, .svg or .pdf.
        branches: All solutions for the same target, drawn as ghosts (default: none).
        title: Line above the plot (default: the limb and its lengths).

    Raises:
        ArgumentError: An argument cannot be used, or is a batch.
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    solution = instance("solution", solution, Solution, "a Solution, as solve returns it")
    if solution.shape != ():
        raise ArgumentError("solution", f"a batch of shape {solution.shape}", "a single solution, such as solution[0]")
    if branches is not None and len(branches.shape) != 1:
        raise ArgumentError("branches", f"a batch of shape {branches.shape}", "the branches of a single target")
    figure = limb_figure(solution, branches)
    write_line(figure, 0.965, title or repr(solution.limb), 13, palette.INK)
    write_line(figure, 0.065, words.outcome(solution), 11, palette.INK)
    write_line(figure, 0.03, words.angles(solution))
    save(figure, out)


def limb_figure(solution: Solution, branches: Branches | None = None) -> Figure:
    """The plot as a matplotlib figure, without title and numbers."""
    planar = solution.joints.shape[-1] == 2
    invalid = solution.status is Status.INVALID
    figure = canvas(*((6.4, 7.2) if planar or invalid else (11.0, 6.6)))
    if invalid:
        figure.text(0.5, 0.55, "no pose", ha="center", fontsize=12, color=palette.FAINT)
    else:
        scene = LimbScene.of(solution, [] if branches is None else branches.others(solution))
        if planar:
            axes = figure.add_axes((0.09, 0.19, 0.86, 0.73))
            draw_flat(axes, scene)
            axes.set_xlabel("x", color=palette.FAINT)
            axes.set_ylabel("y", color=palette.FAINT)
        else:
            plane = bending_plane(scene.origin, rotate(solution.rotations[0], (1.0, 0.0, 0.0)))
            draw_space(figure.add_axes((-0.035, 0.15, 0.53, 0.82), projection="3d"), plane, scene)
            axes = figure.add_axes((0.6, 0.22, 0.38, 0.68))
            draw_flat(axes, scene.project(plane))
            axes.set_title("within the bending plane", color=palette.FAINT, fontsize=11)
        draw_legend(figure, 0.085, _legend_entries(scene), loc="lower center")
    return figure


def _legend_entries(scene: LimbScene) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    cross: dict[str, Any] = {"marker": "x", "linestyle": "", "markersize": 9, "markeredgewidth": 2.4}
    target = "target, further out" if scene.target_is_nearer else "target"
    entries: list[Any] = [Line2D([], [], color=palette.LINK, label="solution", linewidth=4, alpha=0.75)]
    if scene.ghosts:
        entries.append(Line2D([], [], color=palette.GHOST, label="other branch", linewidth=3))
    entries.append(Line2D([], [], color=palette.TARGET, label=target, **cross))
    if scene.up is not None:
        entries.append(Line2D([], [], color=palette.UP, label="up, requested", linewidth=2))
    if scene.pole is not None:
        label = "pole" if scene.up is None else "hint"
        entries.append(Line2D([], [], color=palette.POLE, label=label, linewidth=2))
    end = "ankle" if "ankle" in scene.names else "tip"
    return [
        *entries,
        Patch(facecolor=palette.REGION, edgecolor=palette.REGION_EDGE, label=f"within reach of the {end}"),
    ]


# --- in the plane


def draw_flat(axes: Axes, scene: LimbScene) -> None:
    """Draws the reachable annulus, the ghosts, the limb and its inputs."""
    from matplotlib.patches import Wedge

    style: dict[str, Any] = {"facecolor": palette.REGION, "edgecolor": palette.REGION_EDGE, "linewidth": 0.8}
    width = scene.far - scene.near if scene.near > 0.0 else None
    axes.add_patch(Wedge(tuple(scene.origin), scene.far, 0.0, 360.0, width=width, zorder=0, **style))
    for ghost in scene.ghosts:
        draw_links(axes, ghost, palette.GHOST, faint=True)
    for (start, end), colour in scene.arrows():
        draw_arrow(axes, start, end, colour)
    draw_links(axes, scene.joints, palette.LINK)
    axes.plot(*scene.target, "x", color=palette.TARGET, markersize=11, markeredgewidth=2.6, zorder=6)
    _name_joints(axes, scene)
    _frame_flat(axes, scene)


def draw_links(axes: Axes, joints: Array, colour: str, *, faint: bool = False) -> None:
    """Draws links as strokes and joints as dots, in the plane or in space."""
    width, dot, order = (2.6, 6, 2) if faint else (4.5, 9, 4)
    dots: dict[str, Any] = {"color": "white", "markersize": dot, "markeredgecolor": colour, "markeredgewidth": 2}
    axes.plot(*joints.T, "-", color=colour, linewidth=width, solid_capstyle="round", zorder=order, alpha=0.75)
    axes.plot(*joints.T, "o", zorder=order + 1, **dots)


def draw_arrow(axes: Axes, start: Array, end: Array, colour: str) -> None:
    """Draws a thin arrow over the links."""
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
    axes.annotate("", xy=tuple(end), xytext=tuple(start), arrowprops=style, zorder=7)


def _name_joints(axes: Axes, scene: LimbScene) -> None:
    """Writes each joint's name beside it, on the side where no link runs."""
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
    if np.linalg.norm(away) < 0.3:  # a straight limb: beside it
        away = np.array([-directions[0][1], directions[0][0]])
    return away / max(float(np.linalg.norm(away)), 1e-12)


def _frame_flat(axes: Axes, scene: LimbScene) -> None:
    reach = np.array([scene.origin - scene.far, scene.origin + scene.far])
    corners = np.concatenate([scene.joints, *scene.ghosts, scene.target[None], reach])
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    margin = 0.06 * float((high - low).max())
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_aspect("equal")
    style_axes(axes)


# --- in space


def draw_space(axes: Axes3D, plane: Plane, scene: LimbScene) -> None:
    """Draws the limb, its ghosts, its bending plane and its shadow on the floor, with y up."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    axes.computed_zorder = False
    edge = plane.to_space(circle(scene.far))
    floor = frame_space(axes, np.concatenate([edge, scene.joints, *scene.ghosts, scene.target[None]]))
    outline = as_zxy(plane.to_space(ring(scene.near, scene.far)))
    axes.add_collection3d(Poly3DCollection([outline], color=palette.REGION, linewidth=0, alpha=0.6, zorder=1))
    for radius in (scene.near, scene.far):
        axes.plot(*as_zxy(plane.to_space(circle(radius))).T, color=palette.REGION_EDGE, linewidth=0.8, zorder=1)
    shadow = scene.joints * [1.0, 0.0, 1.0] + [0.0, floor, 0.0]
    axes.plot(*as_zxy(shadow).T, color=palette.GHOST, linewidth=3, alpha=0.4)
    for ghost in scene.ghosts:
        draw_links(axes, as_zxy(ghost), palette.GHOST, faint=True)
    draw_links(axes, as_zxy(scene.joints), palette.LINK)
    for (start, end), colour in scene.arrows():
        style: dict[str, Any] = {"linewidth": 1.8, "arrow_length_ratio": 0.25, "zorder": 8, "color": colour}
        axes.quiver(*as_zxy(start), *as_zxy(end - start), **style)
    axes.plot(*as_zxy(scene.target[None]).T, "x", color=palette.TARGET, markersize=10, markeredgewidth=2.4, zorder=9)
    x, y, z = plane.toward_viewer
    azimuth = np.degrees(np.arctan2(x, z)) if abs(y) < 0.9 else -90.0
    axes.view_init(elev=18, azim=azimuth + 32)


def as_zxy(points: Array) -> Array:
    """World coordinates (..., 3) in the order in which 3-D axes take them, so that y is up and hands stay right."""
    return np.asarray(points)[..., [2, 0, 1]]


def frame_space(axes: Axes3D, points: Array) -> float:
    """Sets equal limits around the points, (n, 3), and faint grids; returns the height of the floor."""
    from matplotlib.ticker import MaxNLocator

    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, float((high - low).max()) * 0.5
    views = (axes.xaxis, axes.yaxis, axes.zaxis)
    setters = (axes.set_xlim, axes.set_ylim, axes.set_zlim)
    names = ("z forward", "x left", "y up")
    for view, set_limits, name, centre in zip(views, setters, names, as_zxy(middle), strict=True):
        set_limits(centre - half, centre + half)
        view.set_pane_color("white")
        view.line.set_color(palette.GRID)
        view._axinfo["grid"].update(color=palette.GRID, linewidth=0.7)  # no public way to set a pane's grid
        view.set_major_locator(MaxNLocator(4))
        view.set_label_text(name, color=palette.FAINT, fontsize=10)
    axes.set_box_aspect((1, 1, 1), zoom=1.08)
    axes.tick_params(colors=palette.FAINT, labelsize=8, pad=0)
    return float(middle[1]) - half
