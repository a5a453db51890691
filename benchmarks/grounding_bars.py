"""Prints how well `limbik.ground` does on real motion, as the referee sees it: every bar, its worst case and its clip.

    python benchmarks/grounding_bars.py [--folder PATH] [--clips WORD ...] [--terrains WORD ...] [--all] [--each]
        [--vary KIND] [--cut N]

Clips are turned to walk along +z from the origin, so that slopes and stairs lie across their way. --vary tries them as
unseen material: resampled, mirrored, scaled legs, reversed, slower and faster, noisy. --cut takes N parts of each clip,
of 1.2 to 3 s, in which the figure goes half a metre or more.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import limbik
from limbik.referee.motion_report import Report
from limbik.rotations import about, multiply

HERE = Path(__file__).resolve()
ASSETS = Path(os.environ.get("LIMBIK_ASSETS") or HERE.parents[2] / "shared" / "assets")
PLAIN = ("02_01", "07_01", "08_01", "16_15", "35_01")  # walks straight on, on a floor
WALKS = (*PLAIN, "16_17", "16_35", "09_03", "105_16", "143_40")  # and a turn, runs, a limp, sideways
OTHERS = ("03_01", "13_35", "05_02", "05_06", "16_01")  # uneven ground, steps, dance, cartwheel, jump
LOCOMOTION = {
    "Fox.glb": ("Walk", "Run"),
    "KayKit_Rogue.glb": (
        "Walking_A", "Walking_B", "Walking_C", "Walking_Backwards", "Running_A", "Running_B", "Running_Strafe_Left",
        "Running_Strafe_Right",
    ),
    "RobotExpressive.glb": ("Walking", "Running"),
}  # fmt: skip
SUFFIXES = (".bvh", ".glb", ".gltf")
TERRAINS = {
    "plane": "plane",
    "up": "slope:10",
    "down": "slope:10,heading=180",
    "across": "slope:10,heading=90",
    "hills": "hills:height=0.3,seed=3",
    "rocks": "rocks",
    "stairs up": "stairs:rise=0.17,run=0.3",
    "stairs down": "stairs:rise=-0.17,run=0.3",
}


@dataclass(frozen=True)
class Case:
    """A clip and the terrain that it was put on, with the report."""

    name: str
    terrain: str
    report: Report
    seconds: float


def rocks(size: float = 30.0, spacing: float = 0.22, height: float = 0.05, seed: int = 7) -> limbik.terrains.Mesh:
    """Ground of flat triangles with corners at random heights, metres."""
    rng = np.random.default_rng(seed)
    n = int(2 * size / spacing)
    x, z = np.meshgrid(*(np.linspace(-size, size, n + 1),) * 2)
    x, z = (a + rng.uniform(-0.3, 0.3, a.shape) * spacing for a in (x, z))
    vertices = np.stack([x, rng.uniform(-height, height, x.shape), z], axis=-1).reshape(-1, 3)
    corner = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.stack([a, b, d, d, b, c], axis=-1).reshape(-1, 3)
    return limbik.terrains.Mesh(vertices, faces)


def recorded(folder: Path, take: str) -> limbik.Clip:
    """A recording, turned to go along +z from the origin on."""
    clip = limbik.load(folder / "bvh" / f"cmu_{take}.bvh")[1:]
    return turned(clip)


def turned(clip: limbik.Clip) -> limbik.Clip:
    """The clip, turned to go along +z from the origin on."""
    root = clip.positions()[:, 0]
    way = root[-1] - root[0]
    clip = clip.moved(rotation=about(np.array([0.0, 1.0, 0.0]), -np.arctan2(way[0], way[2])))
    start = clip.positions()[0, 0]
    return clip.moved(translation=(-start[0], 0.0, -start[2]))


def varied(clip: limbik.Clip, kind: str) -> limbik.Clip:
    """The clip as material that nobody has seen."""
    rng = np.random.default_rng(1)
    if kind.endswith("Hz"):
        return clip.resampled(float(kind[:-2]))
    if kind == "mirrored":
        return clip.mirrored()
    if kind == "reversed":
        return clip.with_(rotations=clip.rotations[::-1].copy(), translations=clip.translations[::-1].copy())
    if kind in ("slower", "faster"):
        return clip.with_(fps=clip.fps * {"slower": 0.75, "faster": 1.25}[kind]).resampled(clip.fps)
    if kind == "noisy":
        noise = rng.normal(size=(*clip.rotations.shape[:2], 3)) * np.radians(0.15)
        turn = np.concatenate([0.5 * noise, np.ones((*noise.shape[:2], 1))], axis=-1)
        turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
        shake = np.zeros_like(clip.translations)
        shake[:, 0] = rng.normal(size=(len(clip), 3)) * 5e-4
        return clip.with_(rotations=multiply(clip.rotations, turn), translations=clip.translations + shake)
    if kind == "cartoon":  # legs and feet of half the size, whose motion is that of the recording: they do not slide
        legs = [limb for limb in limbik.find_limbs(clip).values() if limb.kind == "leg"]
        short = {joint for limb in legs for joint in (*limb.joints, *limb.toes)}
        old, scale = clip.skeleton, np.ones(len(clip.skeleton))
        for joint, parent in enumerate(old.parents):  # between the root and the hips, and at the ends of toes as well
            below = parent in short and joint not in short
            above = any(joint in ancestors(old.parents, limb.joints[0]) for limb in legs)
            scale[joint] = 0.5 if joint in short or below or above else 1.0
            short |= {joint} if below else set()
        bones = limbik.Skeleton(
            old.names, old.parents, old.translations * scale[:, None], old.rotations, None, old.end_sites
        )
        return limbik.Clip(bones, clip.rotations, clip.translations * scale[:, None], fps=clip.fps, name=clip.name)
    raise SystemExit(f"--vary: {kind}")


def parts(clip: limbik.Clip, take: str, count: int) -> list[limbik.Clip]:
    """Parts of a clip, cut at random, each turned to go along +z from the origin on."""
    rng, found = np.random.default_rng(sum(map(ord, take))), []
    for _ in range(count):
        frames = min(int(rng.uniform(1.2, 3.0) * clip.fps), len(clip))
        first = int(rng.integers(0, len(clip) - frames + 1))
        part = clip[first : first + frames]
        root = part.positions()[:, 0]
        if np.hypot(*(root[-1] - root[0])[[0, 2]]) >= 0.5:
            found.append(turned(part))
    return found


def ancestors(parents: np.ndarray, joint: int) -> list[int]:
    """The joints above one, up to the root."""
    found = []
    while (joint := int(parents[joint])) >= 0:
        found.append(joint)
    return found


def cases(options: argparse.Namespace) -> list[Case]:
    """Every chosen clip on every chosen terrain."""
    specs = {k: v for k, v in TERRAINS.items() if not options.terrains or any(word in k for word in options.terrains)}
    surfaces = {k: rocks() if v == "rocks" else limbik.terrain(v) for k, v in specs.items()}
    found = []
    for name, load in clips(options):
        clip = load()
        if options.vary:
            clip = varied(clip, options.vary)
        for part in parts(clip, name, options.cut) if options.cut else [clip]:
            for key, surface in surfaces.items():
                start = time.perf_counter()
                grounded = limbik.ground(part, surface)
                found.append(Case(name, key, grounded.report, time.perf_counter() - start))
    return found


def clips(options: argparse.Namespace):
    """Names of clips, and functions that load them."""
    wanted = options.clips
    takes = [] if options.folder else [*WALKS, *(OTHERS if options.all else ())]
    for take in takes:
        if not wanted or any(word in take for word in wanted):
            yield take, lambda take=take: recorded(options.assets, take)
    for path in sorted(p for p in options.folder.rglob("*") if p.suffix in SUFFIXES) if options.folder else ():
        if not wanted or any(word in path.stem for word in wanted):
            yield path.stem, lambda path=path: turned(limbik.load(path))
    if options.all:
        for file, names in LOCOMOTION.items():
            for name in names:
                if not wanted or any(word in name for word in wanted):
                    path = options.assets / "gltf" / file
                    yield f"{file[:6]} {name}", lambda path=path, name=name: limbik.load(path, animation=name)


def worst(rows: list[tuple[float, str]]) -> str:
    """The largest value and whose it is."""
    rows = [row for row in rows if row[0] is not None]
    if not rows:
        return "–"
    value, name = max(rows)
    return f"{value:7.2f} {name}"


def total(name: str, after: bool = True):
    """A measure of all feet."""
    return lambda r: getattr(r.total.after if after else r.total.before, name)


BARS = (
    ("unsupported %", lambda r: 100 * r.unsupported),
    ("stances missed %", lambda r: None if r.total.found is None else 100 * (1 - r.total.found)),
    ("invented in flight %", lambda r: 100 * r.total.invented),
    ("drift mm", total("slide_mm")),
    ("heel sink mm", total("heel_penetration_mm")),
    ("heel float mm", total("heel_float_mm")),
    ("toe sink mm", total("toe_penetration_mm")),
    ("ball float mm", total("toe_float_mm")),
    ("sole in ground, stance mm", total("sole_penetration_mm")),
    ("swing in ground mm", total("swing_penetration_mm")),
    ("sole angle °", total("sole_angle_deg")),
    ("heading change °", lambda r: r.total.heading_deg),
    ("acceleration ×", lambda r: r.total.pops),
    ("jerk ×", lambda r: r.total.jerks),
    ("knee flips", lambda r: r.total.flips),
    ("knee fold °", total("fold_deg")),
    ("knee snap beyond clip's °", lambda r: max((x.after.snap_deg or 0) - (x.before.snap_deg or 0) for x in r.feet)),
    ("crouch °", lambda r: max((x.crouch_deg for x in r.feet if x.crouch_deg is not None), default=None)),
    ("straighter, frames", lambda r: r.total.straight),
    ("legs closer mm", lambda r: None if r.legs_apart_mm is None else r.legs_apart_mm[0] - r.legs_apart_mm[1]),
    ("body deeper mm", lambda r: r.body_below_mm[1] - r.body_below_mm[0]),
    ("seam mm more", lambda r: None if r.seam_mm is None else r.seam_mm[1] - r.seam_mm[0]),
    ("seam ° more", lambda r: None if r.seam_deg is None else r.seam_deg[1] - r.seam_deg[0]),
    ("pose cm", lambda r: r.pose_cm),
)  # fmt: skip


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--assets", type=Path, default=ASSETS)
    parser.add_argument("--folder", type=Path, help="a folder of other clips, instead of the recordings")
    parser.add_argument("--clips", nargs="*")
    parser.add_argument("--terrains", nargs="*")
    parser.add_argument("--vary")
    parser.add_argument("--cut", type=int, default=0, metavar="N", help="parts of each clip instead of the whole")
    parser.add_argument("--all", action="store_true", help="not only recorded walks and runs")
    parser.add_argument("--each", action="store_true", help="a line for each clip")
    options = parser.parse_args()
    found = cases(options)
    for key in dict.fromkeys(case.terrain for case in found):
        here = [case for case in found if case.terrain == key]
        print(f"\n{key}")
        for label, value in BARS:
            rows = [(value(case.report), case.name) for case in here]
            known = [row[0] for row in rows if row[0] is not None]
            middle = f"{statistics.median(known):7.2f}" if known else "–"
            most = f"   nine in ten {np.percentile(known, 90):7.2f}" if options.cut and known else ""
            print(f"  {label:28} worst {worst(rows):24} median {middle}{most}")
            if options.each:
                print("      " + "  ".join(f"{n} {v:.2f}" for v, n in rows if v is not None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
