"""Plots of a limb's workspace: a section through it, coloured by the bend of the middle joint."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import shown, vector
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, legend, quiet, save, write
from limbik.pictures.planar_view import arrow, draw_links
from limbik.pictures.section import SIDE, AnyLimb, Grid, Section, grid_of, section
from limbik.pictures.shell import draw_shell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

DOWN = (0.0, -1.0, 0.0)
SHADES = ("#EAF3F9", "#9CC7E2", "#2F86BF", "#0A3F66")  # from a straight middle joint to a folded one
LINES, PALE = (30.0, 60.0, 90.0, 120.0, 150.0), 75.0  # degrees of lines of equal bend; those on pale ground
NOT_REACHED = {  # fill, hatch, its colour, and the word for it
    Status.LIMITED: ("#FCEBDD", "////", palette.TARGET, "beyond a joint's range"),
    Status.TOO_NEAR: ("#E6E6E6", "xxx", palette.FAINT, "too near"),
}
BOTH: dict[str, Any] = {"colors": palette.POLE, "linewidths": 1.8, "linestyles": "dashed"}
# The example: its middle joint's bend, radians, and the weight of its direction (TOWARDS) beside that.
BEND, WORTH = 1.3, 0.4
CLEAR = 40  # part of the grid by which the example keeps off the edge of what is reached

TOWARDS = {PlanarTwoLink: 0.6, TwoLink: -0.5, ThreeLink: -1.1}
# The direction of the labels of lines of equal bend, and how far every other one is aside; radians.
LABELS, ASIDE = {PlanarTwoLink: 2.4, TwoLink: 0.6, ThreeLink: 0.9}, 0.25


def workspace(limb: AnyLimb, path: str | os.PathLike[str], *, up: ArrayLike | None = None) -> None:
    """Plots what a limb reaches, coloured by the bend of its middle joint.

    A planar limb is shown whole; a two-link limb in a half plane through its origin, and as the shell that this half
    plane sweeps out; a three-link limb in the plane of `up` and the vertical, which swept about `up` is all of it.

    Args:
        limb: A single limb, with its joint limits, attached at the origin.
        path: The file to write: .png, .svg or .pdf.
        up: (3,) direction of the last link of a three-link limb (default: straight down).

    Raises:
        ArgumentError: An argument cannot be used.
        ShapeError: `up` is not (3,).
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    save(chart(limb, up), out)


def chart(limb: AnyLimb, up: ArrayLike | None = None, side: int = SIDE) -> Figure:
    """The plot as a matplotlib figure. side: targets of the grid along a side."""
    if type(limb) not in TOWARDS:
        raise ArgumentError("limb", shown(limb), "a PlanarTwoLink, TwoLink or ThreeLink")
    if np.ndim(limb.lengths) != 1:
        raise ArgumentError("limb", f"many, of shape {np.shape(limb.lengths)[:-1]}", "a single one")
    up = _direction(limb, up)
    grid = grid_of(limb, up, side)
    found = section(limb, grid.targets, up)
    in_space = isinstance(limb, TwoLink)
    figure = canvas(*((10.4, 6.4) if in_space else (8.0, 7.8)))
    axes = figure.add_axes((0.58, 0.2, 0.31, 0.68) if in_space else (0.1, 0.18, 0.75, 0.73))
    scale = _draw_section(axes, grid, found, LABELS[type(limb)])
    _draw_example(axes, limb, grid, found, up)
    _label(axes, limb, grid)
    if in_space and found.reached.any():
        middle = found.bend[len(grid.high) // 2]
        draw_shell(figure.add_axes((-0.01, 0.13, 0.52, 0.8), projection="3d"), grid.right, middle, scale)
    _draw_scale(figure, scale, f"bend of the {limb._program.joint_names[1]}", 0.925 if in_space else 0.885)
    _legend(figure, limb, found)
    lengths = ", ".join(f"{length:g}" for length in limb.lengths)
    kind = limb._program.name.replace("_", "-")
    write(figure, 0.965, f"what a {kind} limb of {lengths} reaches", 13, palette.INK)
    write(figure, 0.93, _conditions(limb, up))
    write(figure, 0.03, _totals(found))
    return figure


def _direction(limb: AnyLimb, up: ArrayLike | None) -> Array | None:
    """`up` as a unit vector, for limbs that have one."""
    if not isinstance(limb, ThreeLink):
        if up is not None:
            raise ArgumentError("up", shown(up), "None for a limb of two links")
        return None
    direction = vector("up", DOWN if up is None else up, 3)
    length = float(np.linalg.norm(direction))
    if not length > 0.0:
        raise ArgumentError("up", shown(up), "a direction, not (0, 0, 0)")
    return direction / length


def _draw_section(axes: Axes, grid: Grid, found: Section, towards: float) -> ScalarMappable:
    """Colours by bend, with lines of equal bend; hatches where nothing is reached. Returns the scale of colours."""
    from matplotlib.colors import LinearSegmentedColormap

    extent = grid.right[0], grid.right[-1], grid.high[0], grid.high[-1]
    colours = LinearSegmentedColormap.from_list("bend", SHADES)
    degrees = np.degrees(found.bend)
    style: dict[str, Any] = {"origin": "lower", "extent": extent, "vmin": 0.0, "vmax": 180.0, "cmap": colours}
    image = axes.imshow(degrees, interpolation="nearest", zorder=1, **style)
    for status, (fill, hatch, colour, _) in NOT_REACHED.items():
        where = found.status == status
        if where.any():
            hatched: dict[str, Any] = {"levels": [0.5, 1.5], "colors": [fill], "hatches": [hatch], "zorder": 1.5}
            filled = axes.contourf(grid.right, grid.high, where, **hatched)
            filled.set_edgecolor(colour)
            filled.set_linewidth(0.0)
    if found.one_bend_only:
        axes.contour(grid.right, grid.high, found.both, levels=[0.5], zorder=3, **BOTH)
    _draw_lines(axes, grid, degrees, towards)
    return image


def _draw_lines(axes: Axes, grid: Grid, degrees: Array, towards: float) -> None:
    """Lines of equal bend, dark on pale and white on dark, with their angles in a direction from the origin."""
    known = degrees[np.isfinite(degrees)]
    lines = [angle for angle in LINES if known.size and known.min() < angle < known.max()]
    if lines:
        colours = [palette.LINK if angle < PALE else "white" for angle in lines]
        drawn = axes.contour(grid.right, grid.high, degrees, levels=lines, colors=colours, linewidths=0.9, zorder=2)
        axes.clabel(drawn, fmt="%g°", fontsize=9, manual=_label_places(drawn.allsegs, towards))


def _label_places(lines: Any, towards: float) -> list[tuple[float, float]]:
    """The point (x, y) of each line nearest to a direction. lines: for each, its parts (n, 2).

    Every other label is moved aside: lines are close together where the limb is nearly straight.
    """
    places = []
    for k, parts in enumerate(lines):
        points, angle = np.concatenate([_inner(part) for part in parts]), towards + ASIDE * (k % 2)
        places.append(tuple(points[np.argmax(points @ [np.cos(angle), np.sin(angle)] / np.hypot(*points.T))]))
    return places


def _inner(line: Array) -> Array:
    """A line (n, 2) without its ends, unless it is closed: they lie on the edge of what is reached."""
    end = 0 if np.array_equal(line[0], line[-1]) else len(line) // 5
    return line[end : len(line) - end]


def _draw_example(axes: Axes, limb: AnyLimb, grid: Grid, found: Section, up: Array | None) -> None:
    if not found.reached.any():
        return
    points = grid.points
    turned = np.angle(np.exp(1j * (np.arctan2(points[..., 1], points[..., 0]) - TOWARDS[type(limb)])))
    worse = np.where(_well_within(found.reached), np.abs(found.bend - BEND) + WORTH * np.abs(turned), np.inf)
    row, column = np.unravel_index(int(np.argmin(worse)), worse.shape)
    target = grid.targets[row, column]
    if isinstance(limb, ThreeLink):
        assert up is not None
        poses = [limb.solve(target, up, bend=bend) for bend in (1, -1)]
        pose = next(one for one in poses if one.reached)
    else:
        pose = limb.solve(target) if isinstance(limb, PlanarTwoLink) else limb.solve(target, pole=(0.0, 1.0, 0.0))
    joints = grid.flat(pose.joints)
    draw_links(axes, joints, palette.INK)
    axes.plot(*joints[-1], "x", color=palette.TARGET, markersize=10, markeredgewidth=2.4, zorder=8)
    if up is not None:
        arrow(axes, joints[-2], joints[-1], palette.UP)


def _well_within(where: Array) -> Array:
    """A region (rows, columns) without its margin, or all of it where it is too narrow for that."""
    inner, step = where.copy(), len(where) // CLEAR
    for axis in (0, 1):
        inner &= np.roll(where, step, axis) & np.roll(where, -step, axis)
    return inner if inner.any() else where


def _label(axes: Axes, limb: AnyLimb, grid: Grid) -> None:
    quiet(axes)
    axes.set_aspect("equal")
    across = "x"
    if isinstance(limb, TwoLink):
        across = "distance from the vertical through the origin"
    elif grid.plane is not None:
        x, _, z = np.round(grid.plane.right, 2) + 0.0
        across = {(0.0, 1.0): "z, forward", (1.0, 0.0): "x, left"}.get((x, z), f"along ({x:g}, 0, {z:g})")
    axes.set_xlabel(across, color=palette.FAINT)
    axes.set_ylabel("y" if grid.plane is None else "y, up", color=palette.FAINT)


def _draw_scale(figure: Figure, scale: ScalarMappable, name: str, left: float) -> None:
    bar = figure.colorbar(scale, cax=figure.add_axes((left, 0.32, 0.018, 0.46)), ticks=range(0, 181, 30))
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    bar.ax.tick_params(colors=palette.FAINT, labelsize=9, length=0)
    bar.ax.set_yticklabels([f"{angle}°" for angle in range(0, 181, 30)])
    bar.ax.set_title(name, fontsize=9, color=palette.FAINT, pad=10, loc="center")


def _legend(figure: Figure, limb: AnyLimb, found: Section) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = [
        Line2D([], [], color=palette.INK, linewidth=4, alpha=0.75, label="a pose"),
        Patch(facecolor=SHADES[1], label="within reach"),
    ]
    if isinstance(limb, ThreeLink):
        entries.insert(1, Line2D([], [], color=palette.UP, linewidth=2, label="up"))
    if found.one_bend_only:
        entries.append(Line2D([], [], label="here with either bend", color=palette.POLE, lw=1.8, ls="dashed"))
    for status, (fill, hatch, colour, label) in NOT_REACHED.items():
        if (found.status == status).any():
            entries.append(Patch(facecolor=fill, hatch=hatch, edgecolor=colour, label=label, linewidth=0))
    entries.append(Patch(facecolor="white", edgecolor=palette.GRID, label="too far"))
    legend(figure, 0.085, entries, most=5)


def _totals(found: Section) -> str:
    within, beyond = found.reached.sum(), (found.status == Status.LIMITED).sum()
    text = f"{found.status.size:,} targets, each solved in closed form"
    return f"{within / (within + beyond):.0%} of it within the joints' ranges   ·   {text}" if beyond else text


def _conditions(limb: AnyLimb, up: Array | None) -> str:
    """The last link's direction and the joints' ranges, in a line."""
    parts = [] if up is None else [f"the last link along ({', '.join(f'{part:.2g}' for part in up + 0.0)})"]
    names = limb._program.joint_names
    ranges = (names[1], limb.middle_limits), (names[2], limb.last_limits if isinstance(limb, ThreeLink) else None)
    for name, limits in ranges:
        if limits:
            least, most = np.round(np.degrees(limits), 1) + 0.0
            parts.append(f"{name} {least:g}° to {most:g}°")
    return ", ".join(parts).replace("-", "−")
