"""Plots of a limb's pose: the solution, the other branches as ghosts, the target, and what is in reach."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from limbik.arguments import instance
from limbik.errors import ArgumentError
from limbik.limbs.branches import Branches
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.pictures.canvas import canvas, check_path, legend, save, write
from limbik.pictures.limb_scene import LimbScene, last_link, radii, solve_inputs
from limbik.pictures.planar_view import draw_flat
from limbik.pictures.spatial_view import bending_plane, draw_space, flattened
from limbik.rotations import rotate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STROKES: dict[str, dict[str, Any]] = {  # in the legend
    "link": {"linewidth": 4, "alpha": 0.75},
    "ghost": {"linewidth": 3},
    "cross": {"marker": "x", "linestyle": "", "markersize": 9, "markeredgewidth": 2.4},
    "arrow": {"linewidth": 2},
}


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
    planar = isinstance(solution.limb, PlanarTwoLink)
    lost = solution.status is Status.INVALID
    figure = canvas(*((6.4, 7.2) if planar or lost else (11.0, 6.6)))
    if lost:
        figure.text(0.5, 0.55, "no pose", ha="center", fontsize=12, color=palette.FAINT)
    else:
        target, up, pole = solve_inputs(solution)
        ghosts = [] if branches is None else branches.others(solution)
        joints = solution.joints
        up = last_link(joints, up)
        scene = LimbScene(joints, solution.joint_names, target, *radii(solution), ghosts, up, pole)
        if planar:
            axes = figure.add_axes((0.09, 0.19, 0.86, 0.73))
            draw_flat(axes, scene)
            axes.set_xlabel("x", color=palette.FAINT)
            axes.set_ylabel("y", color=palette.FAINT)
        else:
            _draw_spatial(figure, scene, solution)
        _legend(figure, scene)
    write(figure, 0.965, title or repr(solution.limb), 13, palette.INK)
    write(figure, 0.065, words.outcome(solution), 11, palette.INK)
    write(figure, 0.03, words.angles(solution))
    save(figure, out)


def _draw_spatial(figure: Figure, scene: LimbScene, solution: Solution) -> None:
    plane = bending_plane(scene.joints[0], rotate(solution.rotations[0], (1.0, 0.0, 0.0)))
    draw_space(figure.add_axes((-0.035, 0.15, 0.53, 0.82), projection="3d"), plane, scene)
    axes = figure.add_axes((0.6, 0.22, 0.38, 0.68))
    draw_flat(axes, flattened(plane, scene))
    axes.set_title("within the bending plane", color=palette.FAINT, fontsize=11)


def _legend(figure: Figure, scene: LimbScene) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def entry(kind: str, colour: str, text: str) -> Any:
        if kind == "region":
            return Patch(facecolor=palette.REGION, edgecolor=colour, label=text)
        return Line2D([], [], color=colour, label=text, **STROKES[kind])

    legend(figure, 0.085, [entry(*one) for one in scene.key("other branch")], loc="lower center")
