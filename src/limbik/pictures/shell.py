"""The workspace of a two-link limb in space: a shell, cut open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.pictures.spatial_view import Axes3D, frame_space, shown

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable

STEPS, RINGS = 73, 40
LIGHT, DARKEST = np.array([-0.2, 1.0, 0.6]), 0.62  # from above and ahead; what is left where it does not fall


def draw_shell(axes: Axes3D, radii: Array, bend: Array, scale: ScalarMappable) -> None:
    """The half of the shell behind the plane that runs forward and up, and the cut, by the middle joint's bend.

    radii: (n,), and bend: (n,), radians at each, NaN where the limb does not reach. scale: colours of degrees.
    """
    axes.computed_zorder = False
    reaches = np.isfinite(bend)
    near, far = float(radii[reaches][0]), float(radii[reaches][-1])
    frame_space(axes, far * np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]))
    for order, (radius, facing) in enumerate(((far, 1.0), (near, -1.0))):  # its outside, and what shows in the hole
        normals = facing * _half_sphere()
        _draw(axes, radius * _half_sphere(), order, facecolors=_lit(normals))
    rings = np.linspace(near, far, RINGS)
    colours = scale.to_rgba(np.degrees(np.interp(rings, radii[reaches], bend[reaches])))
    faces = np.broadcast_to(colours[:, None], (RINGS, STEPS, 4))
    _draw(axes, rings[:, None, None] * _circle(), 2, facecolors=faces)
    for radius in (near, far):
        axes.plot(*shown(radius * _circle()).T, color=palette.REGION_EDGE, linewidth=0.8, zorder=3)
    axes.plot([0.0], [0.0], [0.0], "o", color="white", markeredgecolor=palette.INK, markeredgewidth=2, zorder=4)
    axes.view_init(elev=18, azim=-58)


def _lit(normals: Array) -> Array:
    """Colours (..., 4) of a surface with unit normals (..., 3)."""
    from matplotlib.colors import to_rgb

    light = LIGHT / np.linalg.norm(LIGHT)
    bright = DARKEST + (1.0 - DARKEST) * np.clip(0.5 + 0.5 * normals @ light, 0.0, 1.0)
    return np.concatenate([bright[..., None] * to_rgb(palette.REGION), np.ones((*bright.shape, 1))], axis=-1)


def _draw(axes: Axes3D, surface: Array, order: int, **style: Any) -> None:
    """A surface of points (rows, columns, 3)."""
    style |= {"rstride": 1, "cstride": 1, "linewidth": 0, "antialiased": False, "shade": False, "zorder": order}
    drawn = axes.plot_surface(*np.moveaxis(shown(surface), -1, 0), **style)
    drawn.set_rasterized(True)  # thousands of little faces, which an .svg or a .pdf had better keep as a picture


def _circle() -> Array:
    """(steps, 3), once around in the plane of the cut."""
    turn = np.linspace(0.0, 2.0 * np.pi, STEPS)
    return np.stack([0.0 * turn, np.sin(turn), np.cos(turn)], -1)


def _half_sphere() -> Array:
    """(steps, steps, 3), from the far pole, at +x, to the cut."""
    out = np.linspace(0.0, 0.5 * np.pi, STEPS)[:, None, None]
    return np.cos(out) * [1.0, 0.0, 0.0] + np.sin(out) * _circle()
