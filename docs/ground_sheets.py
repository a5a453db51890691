"""Sheets of recorded motions before and after grounding: `python docs/ground_sheets.py [FOLDER [NAME ...]]`.

FOLDER/ground_NAME.webp has rows up stairs before and after, and over hills before and after; before is the input, each
frame raised by the height of the ground under its hips. ground_footsteps.webp shows a walk as it is, with a footstep
moved, and with that footstep deleted. The recordings are those of tests/assets.toml, in the folder that LIMBIK_ASSETS
names. Without a folder: docs/pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from picture_files import FOLDER, keep
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))

import limbik
from limbik.rendering.scene_renderer import SceneRenderer
from limbik.rotations import about
from tests.assets import asset

# Recordings, how far along +z they begin, in metres, and the first and last second that a row shows.
MOTIONS = {
    "walk": ("02_01", 0.0, 0.9, 2.3),
    "run": ("09_03", 0.0, 0.3, 1.1),
    "dance": ("05_02", 1.0, 5.8, 8.0),
    "shuffle": ("143_40", 4.6, 4.9, 6.1),
}
TERRAINS = ("stairs:rise=0.17,run=0.3", "hills:height=0.3")
POSES, CELL = 7, (130, 150)


def recording(take: str, begin: float) -> limbik.Clip:
    """A recording, turned to go along +z from `begin` on."""
    clip = limbik.load(asset(f"bvh/cmu_{take}.bvh"))[1:]
    root = clip.positions()[:, 0]
    way = root[-1] - root[0]
    clip = clip.moved(rotation=about([0.0, 1.0, 0.0], -np.arctan2(way[0], way[2])))
    return clip.moved(translation=[0.0, 0.0, begin] - clip.positions()[0, 0] * [1.0, 0.0, 1.0])


def row(clip: limbik.Clip, terrain: limbik.Terrain, first: float, last: float) -> np.ndarray:
    """Poses side by side, (height, width, 3)."""
    pictures = []
    for frame in (np.linspace(first, last, POSES) * clip.fps).round().astype(int):
        one = clip[min(frame, len(clip) - 2) - 1 :][:3]
        pictures.append(SceneRenderer(one, terrain, CELL, "side").picture([1.0 / clip.fps])[..., :3])
    return np.concatenate(pictures, axis=1)


def sheet(name: str) -> np.ndarray:
    """Before and after on each terrain, one below the other."""
    take, begin, first, last = MOTIONS[name]
    clip, rows = recording(take, begin), []
    for spec in TERRAINS:
        result = limbik.ground(clip, spec)
        for one in (result.before_on_terrain, result.clip):
            rows.append(row(one, result.terrain, first, last))
    return np.concatenate(rows)


def footsteps() -> np.ndarray:
    """A walk over hills; with one footstep 0.35 m to the side; and without it."""
    clip = recording("02_01", 0.0)
    steps, number = list(limbik.ground(clip, TERRAINS[1]).footsteps), 3
    moved = [*steps[:number], steps[number].moved(x=0.35), *steps[number + 1 :]]
    first, last = ((frame + 20 * way) / clip.fps for frame, way in ((steps[number].start, -1), (steps[number].stop, 1)))
    rows = []
    for some in (steps, moved, [step for step in steps if step != steps[number]]):
        result = limbik.ground(clip, TERRAINS[1], footsteps=some)
        rows.append(row(result.clip, result.terrain, first, last))
    return np.concatenate(rows)


def main() -> None:
    """Writes the sheets."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name in sys.argv[2:] or (*MOTIONS, "footsteps"):
        picture = footsteps() if name == "footsteps" else sheet(name)
        print(keep(Image.fromarray(picture), f"ground_{name}", folder))


if __name__ == "__main__":
    main()
