"""What pages and rendered pictures have in common: the light, the camera, lines and marks on the ground.

The colours are those of the page's style, which has them once for bright and once for dark windows.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

Triple = tuple[float, float, float]
STYLE = Path(__file__).with_name("colours.css")


@dataclass(frozen=True)
class Looks:
    """Light and colours are linear, 1 is white. Angles are radians."""

    sun: Triple = (0.45, 1.0, 0.3)  # the direction in which it is
    sunlight: Triple = (0.68, 0.64, 0.58)
    above: Triple = (0.44, 0.47, 0.52)  # the light from the sky, and from the ground
    below: Triple = (0.24, 0.22, 0.21)
    rim: float = 0.08  # the light that glances off a body's edges
    field: float = 0.7  # of view, from top to bottom
    azimuth: float = 0.75  # of the eye from where a figure goes, about +y
    elevation: float = 0.4
    room: float = 1.15  # of the window over what should be seen
    line: float = 0.35  # how dark the lines between squares are, and every fifth of them
    fifth: float = 0.8
    mark: float = 0.04  # the radius of the mark under a planted foot, over the figure's size
    ring: float = 0.72  # where its ring begins, over its radius
    ring_opacity: float = 0.9
    disc_opacity: float = 0.3
    left: float = 0.35  # of a mark when its foot leaves, and the rate, a second, at which it fades from then on
    fading: float = 0.7


LOOKS = Looks()


class Colours(NamedTuple):
    """Colours as they are displayed, 0 to 255. sky: from the top down to a part of the window's height."""

    sky_top: Triple
    sky_low: Triple
    sky_part: float
    ground: Triple
    line: Triple
    planted: Triple


def script() -> str:
    """The looks as the viewer's scripts know them."""
    return f"const LOOKS = {json.dumps(asdict(LOOKS))};"


def colours() -> Colours:
    """Those of bright windows."""
    bright = dict(re.findall(r"--(\w+): (.*);", STYLE.read_text("utf-8").partition("}")[0]))
    top, low, part = re.fullmatch(r"linear-gradient\((#\w+), (#\w+) (\d+)%\)", bright["sky"]).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return Colours(
        _parts(top), _parts(low), float(part) / 100.0, *(_parts(bright[name]) for name in ("ground", "line", "planted"))
    )


def _parts(colour: str) -> Triple:
    """Red, green and blue of a colour such as #20262b."""
    red, green, blue = bytes.fromhex(colour[1:])
    return float(red), float(green), float(blue)
