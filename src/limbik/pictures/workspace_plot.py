"""Plots of a limb's workspace: a section through it, coloured by the bend of the middle joint."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import shown, vector
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, draw_legend, draw_scale, save, style_axes, write_line
from limbik.pictures.limb_plot import Axes3D, as_zxy, draw_arrow, draw_links, frame_space
from limbik.pictures.limb_scene import Plane, bending_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

AnyLimb = PlanarTwoLink | TwoLink | ThreeLink

GRID_SIDE = 1000  # targets along a side of a grid: a million in all
GRID_REACHES = 1.1  # how far the grid goes, over the limb's reach
FORWARD_HINGE = np.array([1.0, 0.0, 0.0])  # the hinge of a plane that runs forward and up
DOWN = (0.0, -1.0, 0.0)
# Degrees of lines of equal bend; those below the second number are on pale ground.
BEND_LINES_DEGREES, MAX_PALE_DEGREES = (30.0, 60.0, 90.0, 120.0, 150.0), 75.0
NOT_REACHED = {  # fill, hatch, its colour, and the word for it
    Status.LIMITED: ("#FCEBDD", "////", palette.TARGET, "beyond a joint's range"),
    Status.TOO_NEAR: ("#E6E6E6", "xxx", palette.FAINT, "too near"),
}
BOTH_BENDS: dict[str, Any] = {"colors": palette.POLE, "linewidths": 1.8, "linestyles": "dashed"}
# The example pose: its middle joint's bend and its direction, radians, and the weight of the latter.
EXAMPLE_BEND, EXAMPLE_DIRECTION, DIRECTION_WEIGHT = 1.3, {PlanarTwoLink: 0.6, TwoLink: -0.5, ThreeLink: -1.1}, 0.4
# The direction of the labels of lines of equal bend, and how far every other one is aside; radians.
LABEL_DIRECTION, LABEL_ASIDE = {PlanarTwoLink: 2.4, TwoLink: 0.6, ThreeLink: 0.9}, 0.25
SHELL_STEPS = 73  # faces around, and from the rim to the pole
SHELL_LIGHT = np.array([-0.2, 1.0, 0.6]) / np.sqrt(1.4)


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
    save(workspace_figure(limb, up), out)


def workspace_figure(limb: AnyLimb, up: ArrayLike | None = None, side: int = GRID_SIDE) -> Figure:
    """The plot as a matplotlib figure. side: targets of the grid along a side."""
    if type(limb) not in EXAMPLE_DIRECTION:
        raise ArgumentError("limb", shown(limb), "a PlanarTwoLink, TwoLink or ThreeLink")
    if np.ndim(limb.lengths) != 1:
        raise ArgumentError("limb", f"many, of shape {np.shape(limb.lengths)[:-1]}", "a single one")
    up = _up_direction(limb, up)
    grid = grid_of(limb, up, side)
    found = section(limb, grid.targets, up)
    in_space = isinstance(limb, TwoLink)
    figure = canvas(*((10.4, 6.4) if in_space else (8.0, 7.8)))
    axes = figure.add_axes((0.58, 0.2, 0.31, 0.68) if in_space else (0.1, 0.18, 0.75, 0.73))
    scale = _draw_section(axes, grid, found, LABEL_DIRECTION[type(limb)])
    if found.reached.any():
        _draw_example(axes, limb, grid, found, up)
        if in_space:
            middle = found.bend[len(grid.high) // 2]
            _draw_shell(figure.add_axes((-0.01, 0.13, 0.52, 0.8), projection="3d"), grid.right, middle, scale)
    _label_axes(axes, limb, grid)
    bar = draw_scale(
        figure, scale, (0.925 if in_space else 0.885, 0.32, 0.018, 0.46), ticks=range(0, 181, 30), format="%g°"
    )
    bar.ax.set_title(f"bend of the {limb._program.joint_names[1]}", fontsize=9, color=palette.FAINT, pad=10)
    draw_legend(figure, 0.085, _legend_entries(limb, found), columns=5)
    lengths = ", ".join(f"{length:g}" for length in limb.lengths)
    kind = limb._program.name.replace("_", "-")
    write_line(figure, 0.965, f"what a {kind} limb of {lengths} reaches", 13, palette.INK)
    write_line(figure, 0.93, _conditions(limb, up))
    write_line(figure, 0.03, _totals(found))
    return figure


def _up_direction(limb: AnyLimb, up: ArrayLike | None) -> Array | None:
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


# --- what a limb reaches


@dataclass(frozen=True, eq=False)
class Grid:
    """Targets in a plane: coordinates (n,) of columns, to the right, and of rows, up; and the plane, if in space."""

    right: Array
    high: Array
    plane: Plane | None

    @property
    def points(self) -> Array:
        """(rows, columns, 2)."""
        return np.stack(np.meshgrid(self.right, self.high), axis=-1)

    @property
    def targets(self) -> Array:
        """(rows, columns, 2), or (rows, columns, 3) in space."""
        return self.points if self.plane is None else self.plane.to_space(self.points)


@dataclass(frozen=True, eq=False)
class Section:
    """The outcome for each target; all (...,)."""

    status: Array  # numbers of `Status`; LIMITED where the links could reach, but only with a joint beyond its range
    bend: Array  # the middle joint's, radians, 0 straight; NaN where the target is not reached
    both: Array  # where either bend reaches: they differ only for three links whose last joint has limits

    @property
    def reached(self) -> Array:
        """Where the tip gets to the target."""
        return self.status == Status.REACHED

    @property
    def one_bend_only(self) -> bool:
        """Whether there are targets that one bend reaches and the other does not."""
        return bool((self.reached & ~self.both).any() and self.both.any())


def grid_of(limb: AnyLimb, up: Array | None, side: int = GRID_SIDE) -> Grid:
    """The grid that shows all that a limb, attached at zero, can reach.

    All of the plane for a planar limb; a half plane for two links, forward of the vertical, for what they reach does
    not change when turned; for three, the plane of `up` and the vertical, for it does not when turned about `up`.
    """
    far = GRID_REACHES * float(limb.reach)
    across = np.linspace(-far, far, side)
    if isinstance(limb, PlanarTwoLink):
        return Grid(across, across, None)
    if up is None:
        return Grid(across[side // 2 :], across, bending_plane(np.zeros(3), FORWARD_HINGE))
    hinge = np.array([-up[2], 0.0, up[0]])  # across `up` and the vertical
    size = float(np.linalg.norm(hinge))
    return Grid(across, across, bending_plane(np.zeros(3), hinge / size if size > 1e-9 else FORWARD_HINGE))


def section(limb: AnyLimb, targets: Array, up: Array | None = None) -> Section:
    """What becomes of targets (..., 2 or 3) that a limb, attached at zero, is to reach.

    up: (3,), the direction that a three-link limb's last link is to have; other limbs have none.
    """
    poses = _solve_both_bends(limb, targets, up)
    unlimited = type(limb)(*limb.lengths.tolist())
    free = _solve_both_bends(unlimited, targets, up)[0].status
    reached = np.stack([pose.reached for pose in poses])
    some = np.logical_or.reduce(reached)
    status = np.where(some, int(Status.REACHED), np.where(free == Status.REACHED, int(Status.LIMITED), free))
    bends = np.abs([pose.angles[..., 1 if isinstance(limb, PlanarTwoLink) else 3] for pose in poses])
    bend = np.where(some, np.where(reached, bends, 0.0).max(axis=0), np.nan)
    return Section(status, bend, np.logical_and.reduce(reached))


def _solve_both_bends(limb: AnyLimb, targets: Array, up: Array | None) -> list[Solution]:
    """Both bends of three links, whose last joints then differ; one of two links: the other reaches what it does."""
    if isinstance(limb, ThreeLink):
        assert up is not None
        return [limb.solve(targets, up, bend=bend) for bend in (1, -1)]
    return [limb.solve(targets)]


# --- the section


def _draw_section(axes: Axes, grid: Grid, found: Section, label_direction: float) -> ScalarMappable:
    """Colours by bend, with lines of equal bend; hatches where nothing is reached. Returns the scale of colours."""
    from matplotlib.colors import LinearSegmentedColormap

    extent = grid.right[0], grid.right[-1], grid.high[0], grid.high[-1]
    colours = LinearSegmentedColormap.from_list("bend", palette.SHADES)
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
        axes.contour(grid.right, grid.high, found.both, levels=[0.5], zorder=3, **BOTH_BENDS)
    _draw_bend_lines(axes, grid, degrees, label_direction)
    return image


def _draw_bend_lines(axes: Axes, grid: Grid, degrees: Array, label_direction: float) -> None:
    """Lines of equal bend, dark on pale and white on dark, with their angles in a direction from the origin."""
    known = degrees[np.isfinite(degrees)]
    lines = [angle for angle in BEND_LINES_DEGREES if known.size and known.min() < angle < known.max()]
    if lines:
        colours = [palette.LINK if angle < MAX_PALE_DEGREES else "white" for angle in lines]
        drawn = axes.contour(grid.right, grid.high, degrees, levels=lines, colors=colours, linewidths=0.9, zorder=2)
        axes.clabel(drawn, fmt="%g°", fontsize=9, manual=_label_places(drawn.allsegs, label_direction))


def _label_places(lines: Any, direction: float) -> list[tuple[float, float]]:
    """The point (x, y) of each line nearest to a direction. lines: for each, its parts (n, 2).

    Every other label is moved aside: lines are close together where the limb is nearly straight.
    """
    places = []
    for k, parts in enumerate(lines):
        points, angle = np.concatenate([_inner_part(part) for part in parts]), direction + LABEL_ASIDE * (k % 2)
        places.append(tuple(points[np.argmax(points @ [np.cos(angle), np.sin(angle)] / np.hypot(*points.T))]))
    return places


def _inner_part(line: Array) -> Array:
    """A line (n, 2) without its ends, unless it is closed: they lie on the edge of what is reached."""
    end = 0 if np.array_equal(line[0], line[-1]) else len(line) // 5
    return line[end : len(line) - end]


def _draw_example(axes: Axes, limb: AnyLimb, grid: Grid, found: Section, up: Array | None) -> None:
    """Draws a pose: of all that are reached, one whose bend and direction can be seen well."""
    directions = np.exp(1j * (np.arctan2(*np.moveaxis(grid.points, -1, 0)[::-1]) - EXAMPLE_DIRECTION[type(limb)]))
    cost = np.abs(found.bend - EXAMPLE_BEND) + DIRECTION_WEIGHT * np.abs(np.angle(directions))
    target = grid.targets[np.unravel_index(int(np.nanargmin(cost)), cost.shape)]
    if isinstance(limb, ThreeLink):
        pose = next(one for one in _solve_both_bends(limb, target, up) if one.reached)
    else:
        pose = limb.solve(target) if isinstance(limb, PlanarTwoLink) else limb.solve(target, pole=(0.0, 1.0, 0.0))
    joints = pose.joints if grid.plane is None else grid.plane.project(pose.joints)
    draw_links(axes, joints, palette.INK)
    axes.plot(*joints[-1], "x", color=palette.TARGET, markersize=10, markeredgewidth=2.4, zorder=8)
    if up is not None:
        draw_arrow(axes, joints[-2], joints[-1], palette.UP)


def _label_axes(axes: Axes, limb: AnyLimb, grid: Grid) -> None:
    style_axes(axes)
    axes.set_aspect("equal")
    across = "x"
    if isinstance(limb, TwoLink):
        across = "distance from the vertical through the origin"
    elif grid.plane is not None:
        x, _, z = np.round(grid.plane.right, 2) + 0.0
        across = {(0.0, 1.0): "z, forward", (1.0, 0.0): "x, left"}.get((x, z), f"along ({x:g}, 0, {z:g})")
    axes.set_xlabel(across, color=palette.FAINT)
    axes.set_ylabel("y" if grid.plane is None else "y, up", color=palette.FAINT)


def _legend_entries(limb: AnyLimb, found: Section) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = [Line2D([], [], color=palette.INK, linewidth=4, alpha=0.75, label="a pose")]
    if isinstance(limb, ThreeLink):
        entries.append(Line2D([], [], color=palette.UP, linewidth=2, label="up"))
    entries.append(Patch(facecolor=palette.SHADES[1], label="within reach"))
    if found.one_bend_only:
        entries.append(Line2D([], [], label="here with either bend", color=palette.POLE, lw=1.8, ls="dashed"))
    for status, (fill, hatch, colour, label) in NOT_REACHED.items():
        if (found.status == status).any():
            entries.append(Patch(facecolor=fill, hatch=hatch, edgecolor=colour, label=label, linewidth=0))
    return [*entries, Patch(facecolor="white", edgecolor=palette.GRID, label="too far")]


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


# --- the shell of a two-link limb


def _draw_shell(axes: Axes3D, radii: Array, bend: Array, scale: ScalarMappable) -> None:
    """Draws the half of the shell behind the plane that runs forward and up, and the cut, by the middle joint's bend.

    radii: (n,), and bend: (n,), radians at each, NaN where the limb does not reach. scale: colours of degrees.
    """
    axes.computed_zorder = False
    reaches = np.isfinite(bend)
    near, far = float(radii[reaches][0]), float(radii[reaches][-1])
    frame_space(axes, far * np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]))
    turn, out = np.linspace(0.0, 2.0 * np.pi, SHELL_STEPS), np.linspace(0.0, 0.5 * np.pi, SHELL_STEPS)[:, None, None]
    circle = np.stack([0.0 * turn, np.sin(turn), np.cos(turn)], -1)  # (steps, 3), in the plane of the cut
    sphere = np.cos(out) * [1.0, 0.0, 0.0] + np.sin(out) * circle  # (steps, steps, 3), from the far pole, at +x
    rings = np.linspace(near, far, SHELL_STEPS)
    colours = scale.to_rgba(np.degrees(np.interp(rings, radii[reaches], bend[reaches])))
    cut = np.repeat(colours[:, None], SHELL_STEPS, axis=1)
    surfaces = (far * sphere, _light(sphere)), (near * sphere, _light(-sphere)), (rings[:, None, None] * circle, cut)
    for order, (points, faces) in enumerate(surfaces):  # outside, what shows in the hole, and the cut
        style: dict[str, Any] = {"facecolors": faces, "shade": False, "antialiased": False, "zorder": order}
        drawn = axes.plot_surface(*np.moveaxis(as_zxy(points), -1, 0), rstride=1, cstride=1, linewidth=0, **style)
        drawn.set_rasterized(True)  # thousands of little faces, which an .svg or a .pdf had better keep as a picture
    for radius in (near, far):
        axes.plot(*as_zxy(radius * circle).T, color=palette.REGION_EDGE, linewidth=0.8, zorder=3)
    axes.plot([0.0], [0.0], [0.0], "o", color="white", markeredgecolor=palette.INK, markeredgewidth=2, zorder=4)
    axes.view_init(elev=18, azim=-58)


def _light(normals: Array) -> Array:
    """Colours (..., 3) of a surface with unit normals (..., 3)."""
    from matplotlib.colors import to_rgb

    return (0.81 + 0.19 * normals @ SHELL_LIGHT)[..., None] * to_rgb(palette.REGION)
