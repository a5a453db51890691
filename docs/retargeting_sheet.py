"""Makes docs/pictures/retargeting.webp: a run, and who runs it: `python docs/retargeting_sheet.py`.

The source is a recording of the CMU database; the figures are KayKit's Rogue and RobotExpressive (CC0) and limbik's
biped, from the assets of the tests.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from picture_files import keep
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))
import limbik
from tests.assets import FOLDER

FIGURES = ("gltf/KayKit_Rogue.glb", "gltf/RobotExpressive.glb", None)
GROUNDS = (None, "stairs:rise=0.12,run=0.3,start=0.3")
POSES, SIZE, WIDTH = 4, (800, 600), 400  # poses in a picture, pixels of it as rendered, and its width in the sheet


def still(clip: limbik.Clip, folder: Path) -> Image.Image:
    """A picture of a clip at several times."""
    path = folder / "still.png"
    limbik.render(clip, path, poses=POSES, size=SIZE)
    picture = Image.open(path).convert("RGB")
    return picture.resize((WIDTH, WIDTH * SIZE[1] // SIZE[0]))


def main() -> None:
    """Renders the sheet: a row for each ground, the source first."""
    run = limbik.load(FOLDER / "bvh/cmu_16_35.bvh").resampled(30)[1:]
    figures = [limbik.load(FOLDER / one) if one else limbik.walk("biped", "plane", seconds=1) for one in FIGURES]
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            [
                still(run, Path(folder)),
                *(still(limbik.retarget(run, one, ground).clip, Path(folder)) for one in figures),
            ]
            for ground in GROUNDS
        ]
    height = rows[0][0].height
    sheet = Image.new("RGB", (WIDTH * len(rows[0]), height * len(rows)))
    for k, row in enumerate(rows):
        for n, picture in enumerate(row):
            sheet.paste(picture, (WIDTH * n, height * k))
    print(keep(sheet, "retargeting"))


if __name__ == "__main__":
    main()
