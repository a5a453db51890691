"""Sun, shadow map, sky, ground and marks for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import tan
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rendering.raster_kernels import kernel
from limbik.rendering.raster_meshes import MaterialTable, RasterMesh, linear_colours, plain_mesh
from limbik.rendering.shading import BLOCK_TEXELS
from limbik.scenes.ground_patch import GroundPatch, grid
from limbik.scenes.looks import LOOKS, Colours, Triple
from limbik.scenes.staircase import SOIL

Quadruple = tuple[float, float, float, float]
SHADOW_MAP_TEXELS = 640  # texels across the shadow map
# A surface does not shade itself: places are moved off it by so many texels, and by so much towards the sun.
SHADOW_OFFSET_TEXELS, SHADOW_BIAS_RADII = 1.5, 0.0012  # the second over the radius of what is seen
DISPLAY_SHADES = 1 << 16


class Light(NamedTuple):
    """Colours are linear; sun is a direction.

    right, down, towards: rows of the shadow map's matrix. Times a place (x, y, z, 1) they give its column, its row and
    its nearness to the sun, metres. box: first and last column and row with shadows. offset, bias: metres.
    """

    sun: Triple
    sunlight: Triple
    above: Triple
    below: Triple
    rim: float
    right: Quadruple
    down: Quadruple
    towards: Quadruple
    box: Quadruple
    offset: float
    bias: float


class Squares(NamedTuple):
    """The ground's grid; colours are linear. middle, margin: of the GroundPatch.

    steep: the colour of slopes. thin, thick: opacity of a line, and of every fifth. often: lines a metre. contour,
    contours: opacity of contour lines, and lines a metre.
    """

    colour: Triple
    steep: Triple
    line: Triple
    thin: float
    thick: float
    often: float
    contour: float
    contours: float
    middle: Quadruple
    margin: float


class MarkStyle(NamedTuple):
    """Marks under planted feet: the displayed colour, where the ring begins, opacities, darkness of footprints."""

    colour: Triple
    ring: float
    ring_opacity: float
    disc_opacity: float
    print_shade: float


def squares_of(ground: GroundPatch, size: float, colours: Colours) -> Squares:
    """The grid under figures of a size, metres."""
    shown = colours.ground, colours.steep, colours.line
    flat, steep, line = (tuple(linear_colours(np.array(one)).tolist()) for one in shown)
    often = 1.0 / grid(size)
    lines = LOOKS.line, LOOKS.fifth, often, LOOKS.contour, LOOKS.contours * often
    return Squares(flat, steep, line, *lines, _quadruple(ground.middle), ground.margin)


def ground_mesh(ground: GroundPatch, colours: Colours) -> RasterMesh:
    """The ground as a mesh; u is 1, and the colour given, where it is painted."""
    mesh = plain_mesh(ground.vertices, ground.faces)
    paint = linear_colours(np.array([(255.0,) * 3, colours.tread, colours.nosing, colours.wall]))[ground.paint]
    return mesh._replace(colours=paint, uvs=np.stack([ground.paint != SOIL, np.zeros(len(paint))], axis=-1))


def mark_opacities(marks: Array, times: list[float]) -> tuple[Array, Array]:
    """Opacity of marks (see `SceneClip.marks`): 1 while the foot is planted at one of the times, then that of a print.

    Returns the opacities, and whether each foot is planted, 1 or 0.
    """
    first, stop = marks[:, 6:7], marks[:, 7:8]
    left = LOOKS.left * np.exp(LOOKS.fading * np.minimum(stop - times, 0.0))
    each = np.where(times < first, 0.0, np.where(times < stop, 1.0, left))
    standing = ((times >= first) & (times < stop)).any(axis=1)
    return each.max(axis=1, initial=0.0), standing.astype(float)


def sky_of(colours: Colours, rows: int, axes: Array) -> Array:
    """(rows, 3): displayed colours, 0 to 255, from the top down. axes: of the camera, right, up and back."""
    tangent = tan(0.5 * LOOKS.field) * (1.0 - (2.0 * np.arange(rows) + 1.0) / rows)
    up = (tangent * axes[1, 1] - axes[2, 1]) / np.hypot(tangent, 1.0)  # the sine of the elevation
    part = np.clip(np.abs(up) / LOOKS.haze, 0.0, 1.0)[:, None]
    low, end = np.array(colours.sky_low), np.where(up[:, None] > 0.0, colours.sky_top, colours.far)
    return low + part * part * (3.0 - 2.0 * part) * (end - low)


def display_table() -> Array:
    """Displayed values, 0 to 255, of light from none to white in even steps."""
    return (255.0 * np.linspace(0.0, 1.0, DISPLAY_SHADES) ** (1.0 / 2.2)).astype(np.float32)


def light_on(
    meshes: list[RasterMesh], materials: MaterialTable, centre: Array, radius: float
) -> tuple[Light, Array, Array]:
    """The sun on meshes, the shadow map within a radius of a centre (3,), and the same in blocks of BLOCK texels.

    The map (rows, columns) holds the nearness to the sun of what casts shadows, metres.
    """
    sun = np.array(LOOKS.sun) / np.linalg.norm(LOOKS.sun)
    right = np.cross((0.0, 1.0, 0.0), sun)
    right /= np.linalg.norm(right)
    scale = 0.5 * SHADOW_MAP_TEXELS / radius
    matrix = np.zeros((3, 4))
    matrix[:, :3] = scale * right, -scale * np.cross(sun, right), sun
    matrix[:2, 3] = 0.5 * SHADOW_MAP_TEXELS
    matrix[:, 3] -= matrix[:, :3] @ centre
    shadows, unseen = np.full((SHADOW_MAP_TEXELS, SHADOW_MAP_TEXELS), -np.inf, np.float32), np.empty((0, 0), np.int32)
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for mesh in meshes:
        corners = np.ones((len(mesh.places), 4))
        corners[:, [0, 1, 3]] = mesh.places @ matrix[:, :3].T + matrix[:, 3]
        kernel("fill")(mesh, materials, corners, 0, 0.5, shadows, unseen)
        low, high = np.minimum(low, corners[:, :2].min(axis=0)), np.maximum(high, corners[:, :2].max(axis=0))
    low, high = np.maximum(low - 3.0, 2.0), np.minimum(high + 3.0, SHADOW_MAP_TEXELS - 3.0)
    right, down, towards = (_quadruple(row) for row in matrix)
    box = _quadruple([low[0], high[0], low[1], high[1]])
    colours = LOOKS.sunlight, LOOKS.above, LOOKS.below, LOOKS.rim
    offset, bias = SHADOW_OFFSET_TEXELS / scale, SHADOW_BIAS_RADII * radius
    light = Light(tuple(sun.tolist()), *colours, right, down, towards, box, offset, bias)
    return light, shadows, _coarse_map(shadows)


def _quadruple(numbers: Sequence[float] | Array) -> Quadruple:
    a, b, c, d = (float(number) for number in numbers)
    return a, b, c, d


def _coarse_map(shadows: Array) -> Array:
    """The greatest of each block and of the eight around it."""
    count = SHADOW_MAP_TEXELS // BLOCK_TEXELS
    blocks = shadows.reshape(count, BLOCK_TEXELS, count, BLOCK_TEXELS).max(axis=(1, 3))
    for _ in range(2):
        padded = np.pad(blocks, ((1, 1), (0, 0)), mode="edge")
        blocks = np.maximum(np.maximum(padded[:-2], padded[1:-1]), padded[2:]).T
    return np.ascontiguousarray(blocks)
