"""How well `limbik.ground` does on real motion, as the referee sees it: every measure, its worst case and its clip.

    python benchmarks/grounding.py [--folder PATH | --characters] [--clips WORD ...] [--terrains WORD ...] [--each]
        [--vary KIND] [--cut N]

Recorded walks and runs, or the clips of a folder, are turned to walk along +z from the origin, so that slopes and
stairs lie across their way; --characters takes every animation of the glTF characters instead, as it is. --vary tries
clips as unseen material: resampled, mirrored, scaled legs, reversed, slower and faster, noisy. --cut takes N parts of
each clip, of 1.2 to 3 s, in which the figure goes half a metre or more.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from report import machine

import limbik
from limbik.rotations import about, multiply
from tests.assets import FOLDER

WALKS = ("02_01", "07_01", "08_01", "16_15", "35_01", "16_17", "16_35", "09_03", "105_16", "143_40")
CHARACTERS = ("KayKit_Rogue.glb", "RobotExpressive.glb", "Fox.glb")
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


def clips(options: argparse.Namespace) -> Iterator[tuple[str, limbik.Clip]]:
    """The chosen clips and their names."""

    def chosen(name: str) -> bool:
        return not options.clips or any(word in name for word in options.clips)

    if options.characters:
        for file in CHARACTERS:
            for number in count():
                try:
                    clip = limbik.load(FOLDER / "gltf" / file, animation=number)
                except limbik.errors.ArgumentError:  # there are no more
                    break
                if chosen(clip.name):
                    yield f"{file[:6]} {clip.name}", clip
    elif options.folder:
        for path in sorted(options.folder.rglob("*")):
            if path.suffix in SUFFIXES and chosen(path.stem):
                yield path.stem, turned(limbik.load(path))
    else:
        for take in filter(chosen, WALKS):
            yield take, turned(limbik.load(FOLDER / "bvh" / f"cmu_{take}.bvh")[1:])


def reports(options: argparse.Namespace) -> dict[str, list[tuple[str, Any]]]:
    """For each terrain the clips' names and reports."""
    specs = {k: v for k, v in TERRAINS.items() if not options.terrains or any(word in k for word in options.terrains)}
    surfaces = {k: rocks() if v == "rocks" else limbik.terrain(v) for k, v in specs.items()}
    found: dict[str, list[tuple[str, Any]]] = {key: [] for key in surfaces}
    for name, clip in clips(options):
        varied_clip = varied(clip, options.vary) if options.vary else clip
        for part in parts(varied_clip, name, options.cut) if options.cut else [varied_clip]:
            for key, surface in surfaces.items():
                found[key].append((name, limbik.ground(part, surface).report))
    return found


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


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="a folder of other clips, instead of the recordings")
    parser.add_argument("--characters", action="store_true", help="the glTF characters, instead of the recordings")
    parser.add_argument("--clips", nargs="*", default=[])
    parser.add_argument("--terrains", nargs="*", default=[])
    parser.add_argument("--vary")
    parser.add_argument("--cut", type=int, default=0, metavar="N", help="parts of each clip instead of the whole")
    parser.add_argument("--each", action="store_true", help="a line for each clip")
    options = parser.parse_args()
    print(f"Measured on: {machine()}.")
    for terrain, found in reports(options).items():
        print(f"\n{terrain}")
        for label, value in BARS:
            rows = [(value(report), name) for name, report in found]
            rows = [(number, name) for number, name in rows if number is not None]
            if not rows:
                continue
            known, (worst, who) = [number for number, _ in rows], max(rows)
            most = f"   nine in ten {np.percentile(known, 90):7.2f}" if options.cut else ""
            print(f"  {label:28} worst {worst:7.2f} {who:24} median {statistics.median(known):7.2f}{most}")
            if options.each:
                print("      " + "  ".join(f"{name} {number:.2f}" for number, name in rows))


if __name__ == "__main__":
    main()
