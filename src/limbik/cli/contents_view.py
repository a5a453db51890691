"""Prints what a clip file contains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limbik.cli.terminal_tables import pairs, show_table, table, terminal
from limbik.skeleton.clip import COARSE_HINT, Clip
from limbik.skeleton.skeleton import tree

FORMATS = {"bvh": "BVH", "glb": "glTF, binary", "gltf": "glTF", "vrm": "VRM", "vrma": "VRM animation"}
MOST = 40  # joints and animations that are shown by default
SHOW_ALL = "; --all shows them"
NUMBERS = {"frames": "", "fps": ".6g", "duration": ".3g"}  # of an animation, and their formats


def show(found: dict[str, Any], clip: Clip, every: bool) -> None:
    """Prints `contents` of a file: `every` joint and animation, or the first of them and the number of the others."""
    console = terminal()
    title = f"{printable(found['file'])}: {FORMATS[found['format']]}, {size(found['bytes'])}"
    console.print(title, style="bold", soft_wrap=True)
    console.print(pairs(_facts(found, clip)))
    most = None if every else MOST
    animations = found["animations"]
    if animations:
        console.print("\nAnimations", style="bold")
        rows = [
            [f" {k}", printable(one["name"]) or "(no name)", *(f"{one[key]:{form}}" for key, form in NUMBERS.items())]
            for k, one in enumerate(animations[:most])
        ]
        show_table(console, table(("", "name", "frames", "fps", "seconds"), rows, left=("name",)))
        if most is not None and len(animations) > most:
            console.print(f" … and {len(animations) - most} more{SHOW_ALL}")
    console.print("\nLimbs", style="bold")
    if found["limbs"]:
        console.print(pairs((name, _limb(limb)) for name, limb in found["limbs"].items()))
    else:
        console.print(" none found; limbik.find_limbs(clip, left_arm=[...]) takes them by joint names")
    console.print("\nJoints", style="bold")
    lines = tree(clip.skeleton, most)
    if most is not None and len(lines) > most:
        lines[-1] += SHOW_ALL
    for line in lines:
        console.print(" " + printable(line), soft_wrap=True)


def size(count: int) -> str:
    """A number of bytes with a suitable unit."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count} bytes"


def printable(text: str) -> str:
    """Text from a file, safe to print: control characters and such are replaced."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


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


def _limb(limb: dict[str, Any]) -> str:
    joints, toes = (", ".join(map(printable, limb[key])) for key in ("joints", "toes"))
    lengths = ", ".join(f"{length:.3f}" for length in limb["lengths"])
    steady = f"varying by up to {max(limb['variations']):.2g} m" if limb["vary"] else "constant"
    toes = f"; toes {toes}" if toes else ""
    return f"{joints}{toes}{'; stands' if limb['stands'] else ''}\nbones {lengths} m, {steady}"
