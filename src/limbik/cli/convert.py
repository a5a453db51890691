"""`limbik convert`: files of motion into other formats, rates and stretches of time."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from limbik.cli.faults import FAILED, reason, tell
from limbik.cli.options import Animation, Flag, animation_of
from limbik.cli.running import progress, terminated
from limbik.errors import ArgumentError, FileError, LimbikError

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip
    from limbik.skeleton.units import Unit

app = App(name="convert")

FORMS = "IN OUT, or one or more files with --out FOLDER and --to bvh, glb or gltf"


@dataclass(frozen=True)
class Wish:
    """How a file is read, and what part of it at what rate is written."""

    animation: str | int | None
    unit: str | Unit
    frames: slice | None
    fps: float | None


@app.default
def convert(
    *files: Annotated[Path, Parameter(help="IN and OUT; or with --out, files that are all read: .bvh, .glb, .gltf.")],
    out: Annotated[Path | None, Parameter(help="A folder for the files that are written; made if need be.")] = None,
    to: Annotated[Literal["bvh", "glb", "gltf"] | None, Parameter(help="With --out: the format to write.")] = None,
    animation: Animation = None,
    unit: Annotated[str, Parameter(help="What lengths are in: m, cm, mm, inch, cmu, or metres in one unit.")] = "auto",
    frames: Annotated[str | None, Parameter(help="START:STOP, frames of the file as Python counts them.")] = None,
    fps: Annotated[float | None, Parameter(help="Frames a second to write; else as many as are read.")] = None,
    overwrite: Annotated[Flag, Parameter(help="Write over files that are there, the one that is read too.")] = False,
) -> int:
    """Convert files of motion between BVH and glTF, by their suffixes.

    limbik convert walk.bvh walk.glb, or many: limbik convert *.bvh --out FOLDER --to glb. A file that cannot be
    converted is told at the end, and the others are converted all the same; the exit status is then 1.
    """
    wish = Wish(animation_of(animation), _unit(unit), _frames(frames), _rate(fps))
    jobs = _jobs(files, out, to)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    faults: list[str] = []
    try:
        with terminated(), progress() as advance:
            for done, (source, target) in enumerate(jobs):
                advance(done, len(jobs), source.name)
                try:
                    written.append(_convert(source, target, wish, overwrite))
                except (LimbikError, OSError) as error:
                    faults.append(reason(error, source))
    finally:  # an interrupted run tells what it got done, too
        for line in written:
            print(line)
        for line in faults:
            tell(line)
    return FAILED if faults else 0


def _convert(source: Path, target: Path, wish: Wish, overwrite: bool) -> str:
    """Converts one file, and says what was written."""
    from limbik.cli.contents_view import printable, size
    from limbik.files.clip_files import save

    if target.exists() and not overwrite:
        same = source.exists() and source.samefile(target)
        raise FileError(target, "", f"is {'the file that is read' if same else 'there'}; --overwrite writes over it")
    clip = _read(source, wish)
    if wish.frames is not None and target.suffix.lower() != ".bvh":
        clip = clip.with_(start=0.0)  # a viewer would wait for the first frame where it was in the whole
    save(clip, target)
    told = f"{len(clip)} frames at {clip.fps:.6g} fps, {len(clip.skeleton)} joints, {size(target.stat().st_size)}"
    return f"{printable(str(target))}: {told}"


def _read(source: Path, wish: Wish) -> Clip:
    from limbik.files.clip_files import load

    if wish.frames is None:  # curves between keys are then met at the new rate
        return load(source, animation=wish.animation, unit=wish.unit, fps=wish.fps)
    whole = load(source, animation=wish.animation, unit=wish.unit)
    clip = whole[wish.frames]
    if not len(clip):
        asked = f"{wish.frames.start or 0}:{'' if wish.frames.stop is None else wish.frames.stop}"
        raise FileError(source, "", f"has {len(whole)} frames, and none of them in --frames {asked}")
    return clip if wish.fps is None else clip.resampled(wish.fps)


def _jobs(files: tuple[Path, ...], out: Path | None, to: str | None) -> list[tuple[Path, Path]]:
    """What is read, and where each goes."""
    if out is None:
        if to is not None:
            raise ArgumentError("--to", f"{to} without --out", "--out FOLDER too; of IN OUT, OUT tells the format")
        if len(files) != 2:
            raise ArgumentError("FILES", f"{len(files)} of them without --out", FORMS)
        return [(files[0], files[1])]
    if not files or to is None:
        raise ArgumentError("--out", f"{len(files)} files, --to {to or 'nothing'}", FORMS)
    jobs = [(path, out / f"{path.stem}.{to}") for path in files]
    first: dict[Path, Path] = {}
    for source, target in jobs:
        if target in first:
            raise ArgumentError("FILES", f"{first[target]} and {source}", f"one file for each {target}")
        first[target] = source
    return jobs


def _unit(word: str) -> str | Unit:
    from limbik.skeleton.units import unit_named

    try:
        metres = float(word)
    except ValueError:
        return word if word == "auto" else unit_named(word)
    return unit_named(metres)


def _frames(word: str | None) -> slice | None:
    if word is None:
        return None
    form = re.fullmatch(r"(-?[0-9]{1,9})?:(-?[0-9]{1,9})?", word)
    if not form:
        raise ArgumentError("--frames", word, "START:STOP, such as 10:200, 10: or :200")
    start, stop = (None if part is None else int(part) for part in form.groups())
    return slice(start, stop)


def _rate(fps: float | None) -> float | None:
    if fps is not None and not (math.isfinite(fps) and fps > 0.0):
        raise ArgumentError("--fps", f"{fps:g}", "a positive number of frames a second")
    return fps
