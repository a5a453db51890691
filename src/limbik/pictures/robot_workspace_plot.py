"""Plots of a robot limb's workspace: where its tip can be within limits, from the side and from above."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arguments import instance
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, draw_scale, save, style_axes, write_line
from limbik.robots.robot_limb import RobotLimb

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLE_COUNT = 200_000
MAP_CELLS = 90  # along a side of a map
VIEW_AXES = {"from the side": (0, 2), "from above": (0, 1)}  # the axes that each shows, across and up


class ReachMap(NamedTuple):
    """A view as a grid of cells."""

    best: Array  # (MAP_CELLS, MAP_CELLS), rows upwards: the best conditioning, NaN where the tip never is
    extent: tuple[float, float, float, float]  # left, right, bottom, top; metres


def robot_workspace(limb: RobotLimb, path: str | os.PathLike[str]) -> None:
    """Plots where a limb's tip can be within its limits, in the frame of its base, from the side and from above.

    Random angles within limits give the places (joints without limits turn once around). A place is darker the better
    the best of its poses is conditioned: by the smallest singular value of the position's Jacobian over the largest.

    Args:
        limb: The limb, as `robot.limb` returns it.
        path: The file to write: .png, .svg or .pdf.

    Raises:
        ArgumentError: An argument cannot be used.
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    wanted = "a limb of hinges, as robot.limb returns it"
    if "slide" in instance("limb", limb, RobotLimb, wanted).chain.kinds:
        raise ArgumentError("limb", "one with a slide", wanted)
    save(robot_workspace_figure(limb), out)


def sample_tip(limb: RobotLimb, count: int) -> tuple[Array, Array]:
    """Places of the tip (count, 3) for random angles within limits, and how well each pose is conditioned, (count,)."""
    lower, upper = (np.clip(limits, -np.pi, np.pi) for limits in (limb.lower, limb.upper))
    angles = np.random.default_rng(0).uniform(lower, np.maximum(lower, upper), (count, len(limb.joints)))
    values = np.linalg.svd(limb.jacobian(angles)[:, :3], compute_uv=False)
    return limb.forward(angles)[0], values[:, -1] / np.maximum(values[:, 0], 1e-300)


def reach_map(places: Array, quality: Array, axes: tuple[int, int]) -> ReachMap:
    """The best quality in each cell of a view along the axis that is not named."""
    across, up = places[:, axes[0]], places[:, axes[1]]
    size = 0.525 * max(np.ptp(places, axis=0).max(), 1e-9)
    centres = [0.5 * (one.min() + one.max()) for one in (across, up)]
    columns, rows = (
        np.clip(((one - centre + size) / (2 * size) * MAP_CELLS).astype(int), 0, MAP_CELLS - 1)
        for one, centre in zip((across, up), centres, strict=True)
    )
    best = np.full((MAP_CELLS, MAP_CELLS), -1.0)
    np.maximum.at(best, (rows, columns), quality)
    x, y = centres
    return ReachMap(np.where(best < 0.0, np.nan, best), (x - size, x + size, y - size, y + size))


def robot_workspace_figure(limb: RobotLimb, count: int = SAMPLE_COUNT) -> Figure:
    """The plot as a matplotlib figure. count: of random angles."""
    from matplotlib.colors import LinearSegmentedColormap

    figure = canvas(10.4, 5.6)
    places, quality = sample_tip(limb, count)
    shades = LinearSegmentedColormap.from_list("reach", palette.SHADES)
    image = None
    for k, (title, (across, up)) in enumerate(VIEW_AXES.items()):
        axes = figure.add_axes((0.07 + 0.44 * k, 0.14, 0.38, 0.7))
        found = reach_map(places, quality, (across, up))
        image = axes.imshow(found.best, extent=found.extent, origin="lower", cmap=shades, vmin=0.0, vmax=1.0)
        axes.plot(0, 0, "o", color=palette.TARGET, markersize=6)
        axes.set_title(title, fontsize=10, color=palette.FAINT)
        axes.set_xlabel(f"{'xyz'[across]}, metres", fontsize=9, color=palette.FAINT)
        axes.set_ylabel(f"{'xyz'[up]}, metres", fontsize=9, color=palette.FAINT)
        style_axes(axes)
    assert image is not None
    draw_scale(figure, image, (0.915, 0.2, 0.012, 0.58))  # both maps have the same shades
    write_line(figure, 0.955, f"{limb.joints[0]} … {limb.joints[-1]}", 12, palette.INK)
    explanation = "where the tip can be within limits; darker: farther from a singularity; the dot is the base"
    write_line(figure, 0.03, explanation, 9)
    return figure
