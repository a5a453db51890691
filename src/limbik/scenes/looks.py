"""What pages and rendered images share: light, camera, grid and marks on the ground.

The colours are those of the page's style (colours.css), which has a light and a dark variant.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from limbik.bodies.look import TINTS

Triple = tuple[float, float, float]
STYLE_FILE = Path(__file__).with_name("colours.css")


@dataclass(frozen=True)
class Looks:
    """Light and colours are linear, 1 is white; angles are in radians."""

    sun: Triple = (0.62, 1.0, 0.34)  # direction towards it
    sunlight: Triple = (0.86, 0.8, 0.7)
    above: Triple = (0.42, 0.46, 0.52)  # light from the sky, and from the ground
    below: Triple = (0.28, 0.26, 0.24)
    rim: float = 0.08  # light at the silhouettes of bodies
    field: float = 0.7  # vertical field of view
    azimuth: float = 0.9  # of the camera from the direction of travel, about +y
    behind: float = 2.0  # the same where the way leads up: from there the risers of stairs are seen
    climb: float = 0.12  # rise over distance from which on it does
    elevation: float = 0.25
    haze: float = 0.16  # sine of the elevation, above and below the horizon, over which haze clears
    clearance: float = 0.12  # of the camera above the ground, over the radius of what is visible
    room: float = 1.15  # size of the window over that of what should be visible
    line: float = 0.35  # opacity of the grid's lines, and of every fifth one
    fifth: float = 0.7
    contour: float = 0.22  # opacity of contour lines
    contours: float = 10.0  # contour lines over the height of one of the grid's squares
    mark: float = 0.04  # the radius of the mark under a planted foot, over the figure's size
    ring: float = 0.72  # where its ring begins, over its radius
    ring_opacity: float = 0.9
    disc_opacity: float = 0.3
    left: float = 0.4  # opacity of a footprint when its foot leaves, and the rate per second at which it fades
    fading: float = 0.12
    print_shade: float = 0.45  # darkness of a footprint


LOOKS = Looks()


class Colours(NamedTuple):
    """Display colours, 0 to 255. The sky goes from its top to a low colour at the horizon; below is far ground."""

    sky_top: Triple
    sky_low: Triple
    far: Triple
    ground: Triple
    steep: Triple
    line: Triple
    planted: Triple
    accent: Triple
    tread: Triple
    nosing: Triple
    wall: Triple


def shine(roughness: float) -> tuple[float, float]:
    """The highlight of the sun on a surface: its strength, and the exponent of its fall (Blinn and Phong)."""
    return 1.3 * (1.0 - roughness) ** 2, min(2.0 / max(roughness, 0.05) ** 4, 400.0)


def script() -> str:
    """The looks as a JavaScript constant for the viewer."""
    return f"const LOOKS = {json.dumps({**asdict(LOOKS), 'tints': TINTS})};"


def colours(dark: bool = False) -> Colours:
    """The colours of the light or the dark variant."""
    variants = STYLE_FILE.read_text("utf-8").partition("@media")
    shown = dict(re.findall(r"--(\w+): (.*);", variants[2 if dark else 0]))
    top, low = re.fullmatch(r"linear-gradient\((#\w+), (#\w+) \d+%\)", shown["sky"]).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return Colours(_rgb(top), _rgb(low), *(_rgb(shown[name]) for name in Colours._fields[2:]))


def _rgb(colour: str) -> Triple:
    """Red, green and blue of a colour such as #20262b."""
    red, green, blue = bytes.fromhex(colour[1:])
    return float(red), float(green), float(blue)
