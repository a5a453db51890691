"""Every biped of the assets on every other with `limbik.retarget`, by the referee and by the angles of limbs.

    python benchmarks/retargeting.py [--sources WORD ...] [--figures WORD ...] [--terrain SPEC] [--frames N] [--save F]

For each pair: the median angle between links of the source and of the result (the largest of legs, and of arms), where
they face, the largest slide, sink and float of soles in the referee's stances, the share of stance frames in which a
sole is off the ground, how far hips accelerate over what the source's do (scaled, over thirtieths of a second), and
frames a second of this process's time. Pairs with the same bones are left out: there the clip is returned as it is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from report import machine

import limbik
from tests.assets import FOLDER

SHORTEST_CLIP = 10  # frames of a source
FPS = 30.0


def figures() -> Iterator[tuple[str, limbik.Clip]]:
    """All bipeds of the assets, and limbik's own, by name."""
    for path in sorted(
        [*FOLDER.glob("bvh/*.bvh"), *FOLDER.glob("fbx/*.bvh"), *FOLDER.glob("gltf/*"), *FOLDER.glob("vrm/*")]
    ):
        try:
            clip = limbik.load(path)
            clip = clip if not clip.is_coarse else limbik.load(path, fps=FPS)
            limbs = limbik.find_limbs(clip)
        except limbik.LimbikError:
            continue
        if sum(limb.stands for limb in limbs.values()) == 2:
            yield path.stem, clip.resampled(FPS)[1:] if clip.fps > 2.0 * FPS else clip
    yield "biped", limbik.walk("biped", "plane", seconds=3)


def hip_acceleration(clip: limbik.Clip) -> float:
    """The largest vertical acceleration of the middle of the hips, m/s²."""
    limbs = limbik.find_limbs(clip).values()
    heights = clip.positions()[:, [limb.joints[0] for limb in limbs if limb.kind == "leg"], 1].mean(axis=1)
    step = max(round(clip.fps / FPS), 1)
    away = heights[2 * step :] - 2.0 * heights[step:-step] + heights[: -2 * step]
    return float(np.abs(away).max(initial=0.0)) * (clip.fps / step) ** 2


def measure(source: limbik.Clip, figure: limbik.Clip, terrain: str) -> dict[str, float]:
    """The measures of one pair."""
    start = time.process_time()
    result = limbik.retarget(source, figure, terrain)
    seconds = time.process_time() - start
    angles, after = result.likeness.median, result.report.total.after
    stands = sum(int(foot.stands.any(axis=1).sum()) for foot in result.grounded.comparison.feet)
    return {
        "legs_deg": max(angle for name, angle in angles.items() if "thigh" in name or "shank" in name),
        "arms_deg": max((angle for name, angle in angles.items() if "arm" in name), default=0.0),
        "facing_deg": angles["facing"],
        "slide_mm": after.slide_mm or 0.0,
        "sink_mm": max(after.heel_penetration_mm or 0.0, after.toe_penetration_mm or 0.0),
        "float_mm": max(after.heel_float_mm or 0.0, after.toe_float_mm or 0.0),
        "off_ground": sum(map(len, result.missed_frames.values())) / max(stands, 1),
        "hips": hip_acceleration(result.clip) / max(result.scale * hip_acceleration(source), 0.1),
        "frames_per_second": len(source) / seconds,
    }


def main() -> None:
    """Prints a line for each source, with the figures in columns, then what all pairs have in common."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sources", nargs="*", default=[""])
    options.add_argument("--figures", nargs="*", default=[""])
    options.add_argument("--terrain", default="plane")
    options.add_argument("--frames", type=int, default=300)
    options.add_argument("--save", type=Path)
    given = options.parse_args()
    found = dict(figures())
    print(machine())
    pairs: dict[str, dict[str, float]] = {}
    for name, source in found.items():
        if len(source) < SHORTEST_CLIP or not any(word in name for word in given.sources):
            continue
        for other, figure in found.items():
            if not any(word in other for word in given.figures) or source.skeleton.has_joints_of(figure.skeleton):
                continue
            pairs[f"{name} on {other}"] = one = measure(source[: given.frames], figure, given.terrain)
            print(f"{name} on {other}: " + ", ".join(f"{key} {value:.3g}" for key, value in one.items()), flush=True)
    for key in next(iter(pairs.values()), {}):
        values = np.array([one[key] for one in pairs.values()])
        print(
            f"{key}: median {np.median(values):.3g}, 95 % {np.quantile(values, 0.95):.3g}, largest {values.max():.3g}"
        )
    if given.save is not None:
        given.save.write_text(json.dumps({"machine": machine(), "pairs": pairs}, indent=1))


if __name__ == "__main__":
    main()
