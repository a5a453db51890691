"""Sheets of frames of every creature: `python docs/creature_sheets.py [FOLDER]` writes FOLDER/creature_NAME.webp.

Each row is one kind of motion, and its frames are spread over one cycle of the gait. Without a folder: docs/pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from picture_files import FOLDER, keep
from PIL import Image

import limbik
from limbik.gait.creature import creature, preset_names
from limbik.rendering.scene_renderer import SceneRenderer

FRAMES, CELL = 6, (150, 110)
FPS = 60.0
STAIRS = {
    "biped": "stairs:rise=0.17,run=0.3,start=1",
    "quadruped": "stairs:rise=0.12,run=0.35,start=1",
    "hexapod": "stairs:rise=0.05,run=0.25,start=0.5",
    "spider": "stairs:rise=0.06,run=0.3,start=0.5",
    "centipede": "stairs:rise=0.02,run=0.12,start=0.3",
}
TURN = {"biped": 60.0, "quadruped": 70.0}


def motions(name: str) -> dict[str, tuple[str, float, float]]:
    """Terrain, speed and turning rate of each row."""
    kind = creature(name)
    return {
        "walk": ("plane", kind.cruise, 0.0),
        "run": ("plane", 0.9 * kind.speed, 0.0),
        "turn": ("plane", 0.7 * kind.speed, TURN.get(name, 60.0)),
        "slope": ("slope:20", kind.cruise, 0.0),
        "stairs": (STAIRS[name], 0.6 * kind.cruise, 0.0),
        "stand": ("plane", 0.0, 0.0),
    }


def walked(name: str, terrain: str, speed: float, turn: float) -> limbik.Clip:
    """A walk of some seconds, steered from the outside."""
    walker = limbik.Walker(name, terrain)
    states = [walker.state]
    for _ in range(int(5.0 * FPS)):
        yaw = np.radians(walker.heading_degrees[0])
        walker.step(1.0 / FPS, (speed * np.sin(yaw), speed * np.cos(yaw)), turn_degrees=turn)
        states.append(walker.state)
    return walker.clip(states, FPS)


def cycle(clip: limbik.Clip, contacts: np.ndarray) -> tuple[int, int]:
    """The first and last frame of the last whole cycle of the first foot; two seconds where it does not step."""
    landed = np.flatnonzero(contacts[1:, 0] & ~contacts[:-1, 0]) + 1
    return (int(landed[-2]), int(landed[-1])) if len(landed) > 1 else (len(clip) - 121, len(clip) - 1)


def row(name: str, terrain: str, speed: float, turn: float, view: str = "side") -> np.ndarray:
    """Frames side by side, (height, width, 3)."""
    clip = walked(name, terrain, speed, turn)
    assert clip.contacts is not None
    first, last = cycle(clip, clip.contacts)
    frames = np.linspace(first, last, FRAMES, endpoint=False).round().astype(int)
    pictures = []
    for frame in frames:
        one = clip[frame - 1 : frame + 2]
        pictures.append(SceneRenderer(one, terrain, CELL, view).picture([1.0 / FPS])[..., :3])
    return np.concatenate(pictures, axis=1)


def sheet(name: str) -> np.ndarray:
    """All rows, one below the other."""
    return np.concatenate(
        [row(name, *motion, "three-quarter" if kind == "turn" else "side") for kind, motion in motions(name).items()]
    )


def main() -> None:
    """Writes the sheets."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name in sys.argv[2:] or preset_names():
        print(keep(Image.fromarray(sheet(name)), f"creature_{name}", folder))


if __name__ == "__main__":
    main()
