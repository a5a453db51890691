"""Plots of a limb's pose: the solution, the other branches as ghosts, the target, and what is in reach."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limbik.arguments import instance
from limbik.errors import ArgumentError
from limbik.limbs.branches import Branches
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.pictures.canvas import new_figure
from limbik.pictures.limb_scene import LimbScene
from limbik.pictures.planar_view import draw_flat
from limbik.pictures.region import radii
from limbik.pictures.saving import check_path, save
from limbik.pictures.solve_inputs import solve_inputs
from limbik.pictures.spatial_view import bending_plane, draw_space, flattened, hinge_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    figure = new_figure()
    if solution.status is Status.INVALID:
        _draw_nothing(figure)
    elif isinstance(solution.limb, PlanarTwoLink):
        _draw_planar(figure, _scene(solution, branches))
    else:
        _draw_spatial(figure, _scene(solution, branches), solution)
    _write_words(figure, solution, title or repr(solution.limb))
    save(figure, out)


def _scene(solution: Solution, branches: Branches | None) -> LimbScene:
    """What there is to draw, in the limb's own coordinates."""
    near, far = radii(solution)
    inputs = solve_inputs(solution)
    ghosts = [] if branches is None else branches.others(solution)
    names = words.joint_names(solution.limb)
    return LimbScene(solution.joints, names, inputs.target, near, far, ghosts, inputs.up, inputs.pole)


def _draw_nothing(figure: Figure) -> None:
    figure.set_size_inches(6.4, 7.2)
    figure.text(0.5, 0.55, "no pose", ha="center", fontsize=12, color=palette.FAINT)


def _draw_planar(figure: Figure, scene: LimbScene) -> None:
    figure.set_size_inches(6.4, 7.2)
    axes = figure.add_axes((0.09, 0.19, 0.86, 0.73))
    draw_flat(axes, scene)
    axes.set_xlabel("x", color=palette.FAINT)
    axes.set_ylabel("y", color=palette.FAINT)
    _legend(figure, scene)


def _draw_spatial(figure: Figure, scene: LimbScene, solution: Solution) -> None:
    figure.set_size_inches(11.0, 6.6)
    plane = bending_plane(scene.joints[0], hinge_axis(solution.rotations[0]))
    draw_space(figure.add_axes((-0.035, 0.15, 0.53, 0.82), projection="3d"), plane, scene)
    axes = figure.add_axes((0.6, 0.22, 0.38, 0.68))
    draw_flat(axes, flattened(plane, scene))
    axes.set_title("within the bending plane", color=palette.FAINT, fontsize=11)
    _legend(figure, scene)


def _legend(figure: Figure, scene: LimbScene) -> None:
    from matplotlib.artist import Artist
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    region = f"within reach of the {scene.names[2]}"
    entries: list[Artist] = [Line2D([], [], color=palette.LINK, linewidth=4, alpha=0.75, label="solution")]
    if scene.ghosts:
        entries.append(Line2D([], [], color=palette.GHOST, linewidth=3, label="other branch"))
    cross = {"marker": "x", "linestyle": "", "markersize": 9, "markeredgewidth": 2.4}
    entries.append(Line2D([], [], color=palette.TARGET, label="target", **cross))
    if scene.up is not None:
        entries.append(Line2D([], [], color=palette.UP, linewidth=2, label="up, requested"))
    if scene.pole is not None:
        entries.append(
            Line2D([], [], color=palette.POLE, linewidth=2, label="hint" if scene.up is not None else "pole")
        )
    entries.append(Patch(facecolor=palette.REGION, edgecolor=palette.REGION_EDGE, label=region))
    figure.legend(
        handles=entries, loc="lower center", bbox_to_anchor=(0.5, 0.085), ncols=len(entries), frameon=False, fontsize=9
    )


def _write_words(figure: Figure, solution: Solution, title: str) -> None:
    figure.text(0.5, 0.965, title, ha="center", va="center", fontsize=13, color=palette.INK)
    figure.text(0.5, 0.065, words.outcome(solution), ha="center", va="center", fontsize=11, color=palette.INK)
    figure.text(
        0.5, 0.03, words.angles(solution.limb, solution), ha="center", va="center", fontsize=10, color=palette.FAINT
    )
