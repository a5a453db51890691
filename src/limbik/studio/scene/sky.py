"""The sky behind the scene, as pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.scenes.looks import colours

if TYPE_CHECKING:
    from viser import SceneApi

ROWS, COLUMNS = 256, 4
HORIZON = 0.5  # where the haze begins, from the top


def show_sky(scene: SceneApi, dark: bool) -> None:
    """Puts a gradient behind the scene: from the top of the sky to the haze at the horizon, and below."""
    shown = colours(dark)
    down = np.clip(np.linspace(0.0, 1.0 / HORIZON, ROWS), 0.0, 1.0)[:, None]
    rows = np.array(shown.sky_top) * (1.0 - down) + np.array(shown.sky_low) * down
    scene.set_background_image(np.repeat(np.rint(rows).astype(np.uint8)[:, None], COLUMNS, axis=1), format="png")
