"""Makes the moving picture of the README, docs/film.webp: `python docs/film.py`. Needs Pillow.

On the left a spider crosses hills; on the right a human motion goes up stairs, before and after grounding.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import limbik
from limbik.rendering.scene_renderer import SceneRenderer

OUT = Path(__file__).with_name("film.webp")
SECONDS, FPS = 4.0, 12.5
LEFT, RIGHT = (420, 400), (270, 400)  # pixels: of the spider; of the human, twice
QUALITY = 50
INK, PAPER, MARGIN = (32, 38, 43), (244, 245, 240), 16


def scenes() -> list[tuple[SceneRenderer, tuple[int, int], str]]:
    """Each part of the picture, where it is, and what is written in it."""
    spider = limbik.walk("spider", "hills:height=0.3,seed=3", seconds=SECONDS + 0.1)
    stairs = limbik.ground(limbik.samples.walk(round(60 * SECONDS) + 6), "stairs:rise=0.17,run=0.3,start=0.6")
    before = stairs.before_on_terrain.with_(terrain=stairs.terrain)
    return [
        (SceneRenderer(spider, None, LEFT, "three-quarter"), (0, 0), "limbik walk spider"),
        (SceneRenderer(before, None, RIGHT, "three-quarter"), (LEFT[0], 0), "before"),
        (SceneRenderer(stairs.clip, None, RIGHT, "three-quarter"), (LEFT[0] + RIGHT[0], 0), "limbik ground"),
    ]


def main() -> None:
    """Writes the film, which loops."""
    parts, font = scenes(), ImageFont.load_default(16)
    frames = []
    for time in np.arange(round(SECONDS * FPS)) / FPS:
        frame = Image.new("RGB", (LEFT[0] + 2 * RIGHT[0], LEFT[1]))
        for renderer, corner, words in parts:
            frame.paste(Image.fromarray(renderer.picture([float(time)])), corner)
            draw, at = ImageDraw.Draw(frame), (corner[0] + MARGIN, corner[1] + MARGIN)
            left, top, right, bottom = draw.textbbox(at, words, font)
            draw.rounded_rectangle((left - 7, top - 5, right + 7, bottom + 5), 6, PAPER)
            draw.text(at, words, INK, font)
        frames.append(frame)
    options = {"quality": QUALITY, "method": 4, "duration": round(1000 / FPS), "loop": 0}
    frames[0].save(OUT, save_all=True, append_images=frames[1:], **options)
    print(f"{OUT.name}: {OUT.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
