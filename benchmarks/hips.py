"""How smoothly `limbik.ground` moves hips, knees and feet, beside the recording itself: every clip of the assets.

    python benchmarks/hips.py [--held-back] [--clips WORD ...] [--terrains WORD ...] [--cut N] [--each] [--save FILE]

Hips: the largest vertical acceleration of the middle of the hips, by differences over thirtieths of a second. Knees:
the largest step in a thirtieth. Feet: the fastest ankle or ball. Drift, sink and float are the referee's, in its own
stances. Every third clip is held back: settings are chosen on the others, and `--held-back` measures those.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
from grounding import parts, turned
from report import machine

import limbik
from tests.assets import FOLDER

CHARACTERS = (
    "Fox.glb",
    "KayKit_General.glb",
    "KayKit_MovementBasic.glb",
    "KayKit_Rogue.glb",
    "RobotExpressive.glb",
)
TERRAINS = {
    "plane": "plane",
    "up": "slope:10",
    "down": "slope:10,heading=180",
    "hills": "hills:height=0.3",
    "stairs up": "stairs:rise=0.17,run=0.3",
    "stairs down": "stairs:rise=-0.17,run=0.3",
}
# Of the recording's largest vertical acceleration of hips: a factor, or so much more in m/s².
HIP_BARS = {"plane": (1.05, 0.3), "stairs up": (2.0, 8.0), "stairs down": (2.0, 8.0)}
HIP_BAR, HIP_LIMIT = (1.5, 6.0), (2.5, 10.0)
MAX_KNEE_STEP_DEGREES, MAX_FOOT_SPEED_RATIO = 12.0, 1.5
HELD_BACK_EVERY = 3
MIN_FRAMES = 4  # clips of fewer are poses


def clips(held_back: bool | None) -> Iterator[tuple[str, limbik.Clip]]:
    """All clips of the assets and their names; every third is held back. None: all of them."""
    recordings = (
        (path.stem.removeprefix("cmu_"), lambda path=path: turned(limbik.load(path)[1:]))
        for path in sorted((FOLDER / "bvh").glob("*.bvh"))
    )
    for number, (name, load) in enumerate(recordings):
        if held_back is None or (number % HELD_BACK_EVERY == HELD_BACK_EVERY - 1) == held_back:
            yield name, load()
    for file in CHARACTERS:
        for number in count():
            try:
                clip = limbik.load(FOLDER / "gltf" / file, animation=number)
            except limbik.errors.ArgumentError:  # there are no more
                break
            chosen = held_back is None or (number % HELD_BACK_EVERY == HELD_BACK_EVERY - 1) == held_back
            if chosen and len(clip) > MIN_FRAMES:
                yield f"{Path(file).stem.split('_')[-1]} {clip.name}", clip


def hip_acceleration(clip: limbik.Clip, hips: list[int]) -> float:
    """The largest vertical acceleration of the middle of the hips over thirtieths of a second, in m/s²."""
    step = max(round(clip.fps / 30.0), 1)
    height = clip.positions()[:, hips, 1].mean(axis=1)
    faster = np.abs(height[2 * step :] - 2.0 * height[step:-step] + height[: -2 * step]) * (clip.fps / step) ** 2
    return float(faster.max(initial=0.0))


def foot_speed(clip: limbik.Clip, joints: list[int]) -> float:
    """The largest speed of joints over a thirtieth of a second, in m/s."""
    step = max(round(clip.fps / 30.0), 1)
    places = clip.positions()[:, joints]
    return float(np.linalg.norm(places[step:] - places[:-step], axis=-1).max(initial=0.0) * clip.fps / step)


def measure(result: limbik.Grounded) -> dict[str, float | None]:
    """What grounding did to one clip."""
    limbs, total = [foot.limb for foot in result.feet], result.report.total
    hips, feet = (
        [limb.joints[0] for limb in limbs],
        [joint for foot in result.feet for joint in (foot.ankle, foot.ball)],
    )
    before, after = (hip_acceleration(clip, hips) for clip in (result.before, result.clip))
    slow, fast = (foot_speed(clip, feet) for clip in (result.before, result.clip))
    rows = result.report.feet
    return {
        "hips before": before,
        "hips": after,
        "knee step": max((row.after.snap_deg or 0.0) - (row.before.snap_deg or 0.0) for row in rows),
        "foot speed": fast / max(slow, 1e-9),
        "joints": total.pops,
        "drift mm": total.after.slide_mm,
        "sink mm": total.largest("heel_penetration_mm", "toe_penetration_mm", after=True),
        "float mm": total.largest("heel_float_mm", "toe_float_mm", after=True),
        "swing mm": total.after.swing_penetration_mm,
        "found": total.found,
        "crouch": max((row.crouch_deg for row in rows if row.crouch_deg is not None), default=None),
    }


def within(terrain: str, row: dict[str, float | None], bar: tuple[float, float] | None = None) -> bool:
    """Whether hips stay within the bar of a terrain, or within another one."""
    before, after = row["hips before"] or 0.0, row["hips"] or 0.0
    factor, more = bar or HIP_BARS.get(terrain, HIP_BAR)
    if bar is HIP_LIMIT:
        return after <= factor * before + more
    return after <= max(factor * before, before + more) + 1e-6


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-back", action="store_true", help="the clips that are held back, instead of the others")
    parser.add_argument("--clips", nargs="*", default=[])
    parser.add_argument("--terrains", nargs="*", default=[])
    parser.add_argument("--cut", type=int, default=0, metavar="N", help="parts of each recording instead of the whole")
    parser.add_argument("--each", action="store_true", help="a line for each clip")
    parser.add_argument("--save", type=Path, help="a JSON file of all numbers")
    options = parser.parse_args()
    print(f"Measured on: {machine()}.")
    surfaces = {
        key: limbik.terrain(spec)
        for key, spec in TERRAINS.items()
        if not options.terrains or any(word in key for word in options.terrains)
    }
    found: dict[str, dict[str, dict[str, float | None]]] = {key: {} for key in surfaces}
    for name, clip in clips(options.held_back):
        if options.clips and not any(word in name for word in options.clips):
            continue
        for number, part in enumerate(parts(clip, name, options.cut) if options.cut else [clip]):
            for key, surface in surfaces.items():
                try:
                    result = limbik.ground(part, surface)
                except limbik.errors.LimbikError as error:  # a figure without legs of some length
                    print(f"{name}: {error}"[:120])
                    break
                found[key][f"{name}.{number}" if options.cut else name] = measure(result)
    for key, rows in found.items():
        print_table(key, rows, options.each)
    if options.save:
        options.save.write_text(json.dumps(found))


def print_table(terrain: str, rows: dict[str, dict[str, float | None]], each: bool) -> None:
    """Prints the shares of clips that keep to the bars, and median, ninth of ten and worst case of every measure."""
    bar, limit = (np.mean([within(terrain, row, one) for row in rows.values()]) for one in (None, HIP_LIMIT))
    knees = np.mean([(row["knee step"] or 0.0) <= MAX_KNEE_STEP_DEGREES for row in rows.values()])
    feet = np.mean([(row["foot speed"] or 0.0) <= MAX_FOOT_SPEED_RATIO for row in rows.values()])
    print(
        f"\n{terrain}, {len(rows)} clips: {bar:.1%} keep to the bar of hips, {limit:.1%} to the limit,"
        f" {knees:.1%} to that of knees, {feet:.1%} to that of feet"
    )
    for label in next(iter(rows.values()), {}):
        known = sorted((value, name) for name, row in rows.items() if (value := row[label]) is not None)
        if known:
            middle, most = (np.quantile([value for value, _ in known], part) for part in (0.5, 0.9))
            print(f"  {label:12} {middle:8.2f} {most:8.2f} {known[-1][0]:8.2f} {known[-1][1]}")
    if each:
        for name, row in rows.items():
            mark = "  beyond the limit" if not within(terrain, row, HIP_LIMIT) else ""
            mark = mark or ("" if within(terrain, row) else "  beyond the bar")
            numbers = "  ".join(f"{label} {value:.2f}" for label, value in row.items() if value is not None)
            print(f"    {name:28}{numbers}{mark}")


if __name__ == "__main__":
    main()
