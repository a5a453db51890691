"""Prints what a clip file contains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from limbik.cli.file_contents import Bones, Contents
from limbik.skeleton.clip import COARSE_HINT
from limbik.skeleton.skeleton import RigLimb, tree

FORMATS = {"bvh": "BVH", "glb": "glTF, binary", "gltf": "glTF"}
MOST = 40  # joints and animations that are shown by default
SHOW_ALL = "; --all shows them"
NARROWEST = 80  # a terminal that is narrower wraps lines


def show(contents: Contents, every: bool) -> None:
    """Prints what a file contains: `every` joint and animation, or the first of them and the number of the others."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = max(NARROWEST, console.width)
    path = printable(str(contents.path))
    console.print(f"{path}: {FORMATS[contents.format]}, {size(contents.size)}", style="bold", soft_wrap=True)
    console.print(_pairs(_facts(contents)))
    most = None if every else MOST
    if contents.animations:
        console.print("\nAnimations", style="bold")
        console.print(_animations(contents, most))
        if most is not None and len(contents.animations) > most:
            console.print(f" … and {len(contents.animations) - most} more{SHOW_ALL}")
    console.print("\nLimbs", style="bold")
    if contents.limbs:
        console.print(_pairs((name, _limb(contents, *found)) for name, found in contents.limbs.items()))
    else:
        console.print(" none found; limbik.find_limbs(clip, left_arm=[...]) takes them by joint names")
    console.print("\nJoints", style="bold")
    for line in _joints(contents, most):
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


def _facts(contents: Contents) -> Iterable[tuple[str, str]]:
    clip = contents.clip
    ends = int(clip.skeleton.end_sites.sum())
    yield "joints", f"{len(clip.skeleton)}{f', {ends} of them only mark the end of a bone' if ends else ''}"
    name = f", {printable(clip.name)!r}" if contents.animation is not None and clip.name else ""
    begins = f", from {clip.start:.3g} s on" if clip.start else ""
    yield "motion", f"{len(clip)} frames at {clip.fps:.6g} fps, {clip.duration:.3g} s{begins}{name}"
    if clip.is_coarse:
        yield "", COARSE_HINT
    if contents.claimed != len(clip):
        yield "", f"the file states {contents.claimed} frames"
    metres = "" if clip.unit.name == "m" else f", {clip.unit.metres:.5g} m"
    yield "unit", f"{clip.unit}{metres}; {contents.unit_known}"
    yield "up", "; ".join(contents.up)
    least, most = contents.moving
    yield "height", f"{contents.resting:.2f} m at rest, {least:.2f} to {most:.2f} m in motion"


def _animations(contents: Contents, most: int | None) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=True)
    for column in ("", "name", "frames", "fps", "seconds"):
        table.add_column(column, justify="left" if column == "name" else "right")
    for number, one in enumerate(contents.animations[:most]):
        numbers = f"{one.frames}", f"{one.fps:.6g}", f"{one.duration:.3g}"
        table.add_row(str(number), printable(one.name) or "(no name)", *numbers)
    return table


def _limb(contents: Contents, limb: RigLimb, bones: Bones) -> str:
    joints = _names(contents, limb.joints)
    toes = f"; toes {_names(contents, limb.toes)}" if limb.toes else ""
    lengths = ", ".join(f"{length:.3f}" for length in bones.lengths)
    steady = f"varying by up to {bones.variations.max():.2g} m" if bones.vary else "constant"
    return f"{joints}{toes}{'; stands' if limb.stands else ''}\nbones {lengths} m, {steady}"


def _names(contents: Contents, joints: Sequence[int]) -> str:
    named = zip(contents.names(joints), joints, strict=True)
    return ", ".join(printable(name) or f"(joint {joint})" for name, joint in named)


def _pairs(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False)
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table


def _joints(contents: Contents, most: int | None) -> list[str]:
    lines = tree(contents.clip.skeleton, most)
    return lines if most is None or len(lines) <= most else [*lines[:-1], lines[-1] + SHOW_ALL]
