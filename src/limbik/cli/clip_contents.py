"""What a clip file contains, gathered for programs and printed for people."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.cli.running import byte_size, printable
from limbik.cli.terminal_tables import pairs, show_table, table, terminal
from limbik.files import fbx
from limbik.files.bvh.bvh_reader import BvhSource
from limbik.files.clip_files import ARRAY_SUFFIXES
from limbik.files.gltf import vrm
from limbik.files.gltf.gltf_reader import Animation, GltfSource, animations_of
from limbik.skeleton.clip import COARSE_HINT, Clip
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton, tree
from limbik.skeleton.units import METRE

STEADY_RATIO = 1e-4  # a bone whose length varies by less than this part of it keeps its length
KNOWN_FORMAT = "as glTF defines it"
ANIMATION_KEYS = ("name", "frames", "fps", "start", "duration")
FORMATS = {"bvh": "BVH", "glb": "glTF, binary", "gltf": "glTF", "vrm": "VRM", "vrma": "VRM animation"}
FORMATS |= {"npz": "arrays", "npy": "array of positions", "fbx": "FBX"}
MAX_LINES = 40  # joints and animations that are shown by default
SHOW_ALL = "; --all shows them"
NUMBER_FORMATS = {"frames": "", "fps": ".6g", "duration": ".3g"}  # of an animation


def clip_contents(path: Path, clip: Clip) -> dict[str, Any]:
    """What a file contains, and a clip of it, for JSON. Lengths are metres, times seconds; a root's parent is -1."""
    skeleton, source = clip.skeleton, clip.source
    bvh = source if isinstance(source, BvhSource) else None
    gltf = source if isinstance(source, GltfSource) else None
    at_rest = Pose.rest(skeleton).positions()
    positions = clip.positions() if len(clip) else at_rest[None]
    heights = np.ptp(positions[..., 1], axis=-1)
    joints = zip(skeleton.names, skeleton.parents.tolist(), skeleton.end_sites.tolist(), strict=True)
    animations = _animations(path, gltf)
    chosen = gltf.animation if gltf else next((k for k, one in enumerate(animations) if one.name == clip.name), None)
    unit, up = _units(path, clip, bvh)
    return {
        "file": str(path),
        "format": path.suffix.lower()[1:],
        "bytes": path.stat().st_size,
        "joints": [{"name": name, "parent": parent, "end_site": end} for name, parent, end in joints],
        "animations": [{key: getattr(one, key) for key in ANIMATION_KEYS} for one in animations],
        "animation": chosen,
        "vrm": vrm.about(gltf.document) if gltf else None,
        "frames": len(clip),
        "frames_claimed": bvh.motion.claimed if bvh else len(clip),
        "fps": clip.fps,
        "start": clip.start,
        "duration": clip.duration,
        "unit": {"name": clip.unit.name, "metres": clip.unit.metres, "known": unit},
        "up": up,
        "height": {
            "rest": float(np.ptp(at_rest[:, 1])),
            "least": float(heights.min()),
            "most": float(heights.max()),
        },
        "terrain": None if clip.terrain is None else repr(clip.terrain),
        "limbs": _limb_contents(clip, positions),
        "trunk": _trunk_contents(skeleton),
        "map": {role: name for role, name in zip(skeleton.roles, skeleton.names, strict=False) if role},
    }


def _animations(path: Path, gltf: GltfSource | None) -> tuple[Animation, ...]:
    if path.suffix.lower() == ".fbx":
        return fbx.animations_of(path)
    return animations_of(gltf.document) if gltf else ()


def _units(path: Path, clip: Clip, bvh: BvhSource | None) -> tuple[str, dict[str, str]]:
    """How the unit and the axis that points up are known."""
    suffix = path.suffix.lower()
    if bvh:
        floor = "guessed from the floor that the figure stands on"
        return "guessed from the figure's size", {"axis": bvh.up, "known": floor}
    if suffix == ".fbx":
        return "as the file states", {"axis": "y", "known": "turned from the axes that the file states"}
    if suffix in ARRAY_SUFFIXES:
        return "of arrays, in metres once loaded", {"axis": "y", "known": "once loaded"}
    unit = KNOWN_FORMAT if clip.unit == METRE else "guessed: in metres the figure would be a giant"
    return unit, {"axis": "y", "known": KNOWN_FORMAT}


def _trunk_contents(skeleton: Skeleton) -> dict[str, list[str]]:
    """The joints of pelvis, spine, neck and head; empty where there are neither limbs nor a head."""
    torso = skeleton.torso
    try:
        known = bool(skeleton.limbs)
    except NoLimbsError:
        known = torso.head is not None
    parts = {"pelvis": [torso.pelvis], "spine": torso.spine, "neck": torso.neck[:-1], "head": torso.neck[-1:]}
    return {part: [skeleton.names[joint] for joint in joints] for part, joints in parts.items() if joints and known}


def _limb_contents(clip: Clip, positions: Array) -> dict[str, Any]:
    try:
        found = find_limbs(clip)
    except NoLimbsError:
        return {}
    return {name: _limb_content(clip.skeleton, limb, positions) for name, limb in found.items()}


def _limb_content(skeleton: Skeleton, limb: RigLimb, positions: Array) -> dict[str, Any]:
    """A limb, the median lengths of its bones, and by how much those vary over time."""
    bones = np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1)
    lengths, variations = np.median(bones, axis=0), np.ptp(bones, axis=0)
    return {
        "kind": limb.kind,
        "side": limb.side,
        "joints": [skeleton.names[joint] for joint in limb.joints],
        "toes": [skeleton.names[joint] for joint in limb.toes],
        "stands": limb.stands,
        "lengths": lengths.tolist(),
        "variations": variations.tolist(),
        "vary": bool(np.any(variations > STEADY_RATIO * lengths)),
    }


def print_clip(found: dict[str, Any], clip: Clip, every: bool) -> None:
    """Prints the contents of a file: `every` joint and animation, or the first ones and how many others there are."""
    console = terminal()
    title = f"{printable(found['file'])}: {FORMATS[found['format']]}, {byte_size(found['bytes'])}"
    console.print(title, style="bold", soft_wrap=True)
    console.print(pairs(_facts(found, clip)))
    most = None if every else MAX_LINES
    animations = found["animations"]
    if animations:
        console.print("\nAnimations", style="bold")
        rows = [
            [
                f" {k}",
                printable(one["name"]) or "(no name)",
                *(f"{one[key]:{form}}" for key, form in NUMBER_FORMATS.items()),
            ]
            for k, one in enumerate(animations[:most])
        ]
        show_table(console, table(("", "name", "frames", "fps", "seconds"), rows, left=("name",)))
        if most is not None and len(animations) > most:
            console.print(f" … and {len(animations) - most} more{SHOW_ALL}")
    if found["trunk"]:
        console.print("\nTrunk", style="bold")
        console.print(pairs((part, ", ".join(map(printable, joints))) for part, joints in found["trunk"].items()))
    console.print("\nLimbs", style="bold")
    if found["limbs"]:
        console.print(pairs((name, _limb_lines(limb)) for name, limb in found["limbs"].items()))
    else:
        console.print(" none found; limbik.find_limbs(clip, left_arm=[...]) takes them by joint names")
    if found["map"]:
        console.print("\nMap in the file", style="bold")
        console.print(pairs((printable(role), printable(joint)) for role, joint in found["map"].items()))
    console.print("\nJoints", style="bold")
    lines = tree(clip.skeleton, most)
    if most is not None and len(lines) > most:
        lines[-1] += SHOW_ALL
    for line in lines:
        console.print(" " + printable(line), soft_wrap=True)


def _facts(found: dict[str, Any], clip: Clip) -> Iterable[tuple[str, str]]:
    if found["vrm"]:
        about = found["vrm"]
        yield about["kind"], ", ".join(about[key] for key in ("version", "title") if key in about)
        yield from ((key, about[key]) for key in ("author", "licence") if key in about)
    ends = sum(joint["end_site"] for joint in found["joints"])
    yield "joints", f"{len(found['joints'])}{f', {ends} of them only mark the end of a bone' if ends else ''}"
    name = f", {printable(clip.name)!r}" if found["animation"] is not None and clip.name else ""
    begins = f", from {clip.start:.3g} s on" if clip.start else ""
    yield "motion", f"{len(clip)} frames at {clip.fps:.6g} fps, {clip.duration:.3g} s{begins}{name}"
    if clip.is_coarse:
        yield "", COARSE_HINT
    if found["frames_claimed"] != len(clip):
        yield "", f"the file states {found['frames_claimed']} frames"
    metres = "" if clip.unit.name == "m" else f", {clip.unit.metres:.5g} m"
    yield "unit", f"{clip.unit}{metres}; {found['unit']['known']}"
    yield "up", f"{found['up']['axis']}; {found['up']['known']}"
    height = found["height"]
    yield "height", f"{height['rest']:.2f} m at rest, {height['least']:.2f} to {height['most']:.2f} m in motion"
    if found["terrain"] is not None:
        yield "terrain", found["terrain"]


def _limb_lines(limb: dict[str, Any]) -> str:
    joints, toes = (", ".join(map(printable, limb[key])) for key in ("joints", "toes"))
    lengths = ", ".join(f"{length:.3f}" for length in limb["lengths"])
    steady = f"varying by up to {max(limb['variations']):.2g} m" if limb["vary"] else "constant"
    toes = f"; toes {toes}" if toes else ""
    return f"{joints}{toes}{'; stands' if limb['stands'] else ''}\nbones {lengths} m, {steady}"
