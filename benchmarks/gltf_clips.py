"""Every clip of the glTF characters on every terrain, as the referee sees it: a table, and the worst of each measure.

python -m benchmarks.gltf_clips [--files Fox] [--clips Walk] [--terrains plane stairs] [--each]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import limbik
from benchmarks.grounding_bars import ASSETS, TERRAINS, rocks
from limbik.files.gltf.gltf_reader import animations_of, clip_of, own_source

FILES = ("KayKit_Rogue.glb", "RobotExpressive.glb", "Fox.glb")
COLUMNS = (
    "travel m", "seam mm", "seam °", "drift mm", "sink mm", "float mm", "swing mm", "accel ×", "snap °", "hips cm",
)  # fmt: skip


def clips_of(folder: Path, files: list[str], wanted: list[str]) -> Iterator[tuple[str, limbik.Clip]]:
    """The animations of the files, each with its name."""
    for file in FILES:
        if files and not any(word in file for word in files):
            continue
        document = own_source(limbik.load(folder / "gltf" / file)).document
        for number, animation in enumerate(animations_of(document)):
            if not wanted or any(word in animation.name for word in wanted):
                yield f"{file.split('.')[0][:8]} {animation.name}", clip_of(document, number)


def measured(clip: limbik.Clip, terrain: limbik.Terrain) -> list[float | None]:
    """The columns for one clip on one terrain."""
    result = limbik.ground(clip, terrain)
    report = result.report
    total, after = report.total, report.total.after
    root = clip.skeleton.roots[0]
    ways = [one.positions()[[0, -1], root][:, [0, 2]] for one in (clip, result.clip)]
    travel = float(np.linalg.norm((ways[1][1] - ways[1][0]) - (ways[0][1] - ways[0][0])))
    seams = [None if pair is None else pair[1] - pair[0] for pair in (report.seam_mm, report.seam_deg)]
    hips = [limb.joints[0] for limb in clip.skeleton.limbs.values() if limb.kind == "leg"]
    heights = [one.positions()[:, hips, 1] for one in (result.before_on_terrain, result.clip)]
    snaps = [(row.after.snap_deg or 0.0) - (row.before.snap_deg or 0.0) for row in report.feet]
    floats = [value for value in (after.heel_float_mm, after.toe_float_mm) if value is not None]
    sinks = [value for value in (after.heel_penetration_mm, after.toe_penetration_mm) if value is not None]
    return [
        travel,
        *seams,
        after.slide_mm,
        max(sinks, default=None),
        max(floats, default=None),
        after.swing_penetration_mm,
        total.pops,
        max(snaps, default=None),
        100.0 * float(np.abs(heights[1] - heights[0]).max()),
    ]


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--assets", type=Path, default=ASSETS)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--clips", nargs="*", default=[])
    parser.add_argument("--terrains", nargs="*", default=[])
    parser.add_argument("--each", action="store_true", help="a line for each clip")
    options = parser.parse_args()
    chosen = {k: v for k, v in TERRAINS.items() if not options.terrains or any(word in k for word in options.terrains)}
    grounds = {key: rocks() if spec == "rocks" else limbik.terrain(spec) for key, spec in chosen.items()}
    clips = dict(clips_of(options.assets, options.files, options.clips))
    print(f"{len(clips)} clips")
    for key, ground in grounds.items():
        print(f"\n{key:34}" + "".join(f"{name:>10}" for name in COLUMNS))
        rows = {name: measured(clip, ground) for name, clip in clips.items()}
        for name, row in rows.items() if options.each else ():
            print(f"{name:34}" + "".join("         –" if one is None else f"{one:10.2f}" for one in row), flush=True)
        for k, column in enumerate(COLUMNS):
            known = sorted(((row[k], name) for name, row in rows.items() if row[k] is not None), reverse=True)
            print(f"  {column:10} " + ", ".join(f"{value:.2f} {name}" for value, name in known[:4]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
