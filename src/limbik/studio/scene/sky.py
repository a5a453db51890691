"""Sky and light of the scene, as in the pages that play clips."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.scenes.looks import LOOKS, Triple, colours
from limbik.studio.scene.coloured_mesh import ColouredMesh, as_glb
from limbik.studio.scene.solids import bands

if TYPE_CHECKING:
    from viser import SceneApi

SKY, SUN, SKYLIGHT = "/sky", "/sun", "/skylight"  # names in the scene
RADIUS = 400.0  # of the sphere that is the sky, metres: within what cameras see, and beyond all that they look at
SIDES, CIRCLES = 16, 81
SUN_DISTANCE = 100.0  # metres; only the direction matters
# viser's pages show colours by the filmic curve of three.js (ACES, in Hill's approximation): how much of red, green and
# blue goes into each channel before and after a curve (v (v + A) − B) / (v (C v + D) + E), v being colour / EXPOSED.
BEFORE = np.array([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]])
AFTER = np.array([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]])
A, B, C, D, E = 0.0245786, 0.000090537, 0.983729, 0.4329510, 0.238081
EXPOSED = 0.6


def show_sky(scene: SceneApi, dark: bool) -> None:
    """Puts a sphere around the scene: the sky, haze at the horizon, and far ground below."""
    rise = np.linspace(-1.0, 1.0, CIRCLES)
    sine = rise * np.abs(rise)  # closer together near the horizon, where colours change
    turn = 2.0 * pi * np.arange(SIDES) / SIDES
    level = np.sqrt(1.0 - sine**2)[:, None]
    shape = np.stack([level * np.sin(turn), np.repeat(sine[:, None], SIDES, axis=1), level * np.cos(turn)], axis=-1)
    paint = np.repeat(exposed_as(sky_colours(sine, dark)), SIDES, axis=0)
    faces = bands(1, CIRCLES, SIDES)
    sphere = as_glb("sky", ColouredMesh(RADIUS * shape.reshape(-1, 3), faces, paint))
    scene.add_glb(SKY, sphere, cast_shadow=False, receive_shadow=False)


def sky_colours(sine: Array, dark: bool) -> Array:
    """(n, 3), linear: colours of the sky, and below of far ground, by the sine of the elevation, (n,)."""
    shown = colours(dark)
    clear = np.clip(np.abs(sine) / LOOKS.haze, 0.0, 1.0)[:, None]
    clear = clear * clear * (3.0 - 2.0 * clear)
    end = np.where(sine[:, None] > 0.0, shown.sky_top, shown.far)
    return ((shown.sky_low + clear * (end - shown.sky_low)) / 255.0) ** 2.2


def exposed_as(shown: Array) -> Array:
    """The linear colours, (n, 3), that pages show as those given, through their filmic curve."""
    curved = shown @ np.linalg.inv(AFTER).T
    a, b, c = 1.0 - C * curved, A - D * curved, -B - E * curved
    return EXPOSED * (np.sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a) @ np.linalg.inv(BEFORE).T


def add_lights(scene: SceneApi) -> None:
    """Replaces viser's lights by sun and sky."""
    scene.configure_environment_map(None)
    scene.configure_default_lights(enabled=False)
    x, y, z = LOOKS.sun
    place = SUN_DISTANCE * x, SUN_DISTANCE * y, SUN_DISTANCE * z
    # Surfaces of viser reflect 1/π of the light that they receive.
    scene.add_light_directional(SUN, color=_display(LOOKS.sunlight), intensity=pi, cast_shadow=True, position=place)
    above, below = _display(LOOKS.above), _display(LOOKS.below)
    scene.add_light_hemisphere(SKYLIGHT, sky_color=above, ground_color=below, intensity=pi)


def _display(light: Triple) -> tuple[int, int, int]:
    """The display colour of a linear one."""
    red, green, blue = (round(255.0 * part ** (1.0 / 2.2)) for part in light)
    return red, green, blue
