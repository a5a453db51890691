"""`limbik convert`: converts clips to another format or frame rate, or cuts them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from limbik import arguments
from limbik.cli.options import Animation, Flag, Overwrite, animation_of, refuse_existing
from limbik.cli.running import byte_size, printable, progress, reason, status_of, tell
from limbik.errors import ArgumentError, FileError, LimbikError

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip
    from limbik.skeleton.units import Unit

app = App(name="convert")

FORMS = "IN OUT, or one or more files or folders with --out FOLDER and --to bvh, glb, gltf, npz or vrma"


@app.default
def convert(
    *files: Annotated[
        Path,
        Parameter(
            help="The input and the output; or, with --out, all inputs, files and folders: .bvh, .glb, .gltf, .vrm,"
            " .vrma, .fbx, .npz, .npy."
        ),
    ],
    out: Annotated[Path | None, Parameter(help="Folder for the converted files, created if needed.")] = None,
    to: Annotated[
        Literal["bvh", "glb", "gltf", "npz", "vrma"] | None, Parameter(help="With --out: the format to write.")
    ] = None,
    animation: Animation = None,
    unit: Annotated[
        str, Parameter(help="Unit of the input's lengths: m, cm, mm, inch, cmu, or a number of metres.")
    ] = "auto",
    frames: Annotated[
        str | None,
        Parameter(help="Frames to convert, such as 10:200, 10: or :200; the first is 0, the last is left out."),
    ] = None,
    fps: Annotated[float | None, Parameter(help="Frames per second of the output (default: the input's).")] = None,
    names: Annotated[
        str | None,
        Parameter(help="The joints of positions in a .npz or .npy: humanml3d, kit, kimodo, mediapipe, coco, smpl."),
    ] = None,
    window: Annotated[int | None, Parameter(help="Into .npz: cut the clip into samples of so many frames.")] = None,
    stride: Annotated[int | None, Parameter(help="With --window: frames from one window's start to the next.")] = None,
    mirrored: Annotated[Flag, Parameter(help="Into .npz: add mirrored copies as samples.")] = False,
    overwrite: Overwrite = False,
) -> int:
    """Convert clips between BVH, glTF and arrays (.npz), and from FBX; the suffixes choose the formats.

    One file: limbik convert walk.bvh walk.glb. Many: limbik convert *.bvh --out FOLDER --to glb. What a BVH file cannot
    hold is listed after its name. A file that cannot be converted does not stop the others: the errors are listed at
    the end, and the exit status is 2.
    """
    options = {"animation": animation_of(animation), "unit": _unit(unit), "names": names}
    sampling = {"window": window, "stride": stride, "mirrored": mirrored}
    chosen, rate = _frames(frames), None if fps is None else arguments.positive("--fps", fps, "frames a second")
    jobs = _jobs(files, out, to)
    if any(sampling.values()) and any(target.suffix.lower() != ".npz" for _, target in jobs):
        asked = ", ".join(f"--{name}" for name, value in sampling.items() if value)
        raise ArgumentError(asked, "another format than .npz", "a .npz to write, which holds several samples")
    written: list[str] = []
    faults: list[str] = []
    status = 0
    try:
        with progress() as advance:
            for done, (source, target) in enumerate(jobs):
                advance(done, len(jobs), source.name)
                try:
                    refuse_existing(target, overwrite)
                    clip = _clip(source, target, chosen, rate, options)
                    if out is not None:  # only now, so that a failure leaves no empty one
                        target.parent.mkdir(parents=True, exist_ok=True)
                    written.append(_write(clip, target, sampling))
                except (LimbikError, OSError) as error:
                    faults.append(reason(error, source))
                    status = max(status, status_of(error))
    finally:  # an interrupted run lists what it has converted, too
        for line in written:
            print(line)
        for line in faults:
            tell(line)
    return status


def _clip(source: Path, target: Path, frames: slice | None, fps: float | None, options: dict[str, Any]) -> Clip:
    """What is to be written of a file."""
    from limbik.files.clip_files import load

    if frames is None:
        return load(source, fps=fps, **options)  # so that curves between keys are sampled at the new rate
    whole = load(source, **options)
    clip = whole[frames]
    if not len(clip):
        chosen = f"{frames.start or 0}:{'' if frames.stop is None else frames.stop}"
        raise FileError(source, "", f"has {len(whole)} frames, and none of them in --frames {chosen}")
    clip = clip if fps is None else clip.resampled(fps)
    if target.suffix.lower() != ".bvh":
        clip = clip.with_(start=0.0)  # a viewer would wait until the time that the first frame had in the whole
    return clip


def _write(clip: Clip, target: Path, sampling: dict[str, Any]) -> str:
    """Writes a clip; returns a line about the result and, for BVH, what it cannot hold."""
    from limbik.files import bvh, gltf
    from limbik.files.clip_files import save

    facts = f"{len(clip)} frames at {clip.fps:.6g} fps, {len(clip.skeleton)} joints"
    lost: list[str] = []
    if target.suffix.lower() == ".npz":
        from limbik.files.npz import write_npz
        from limbik.learning.training_data import training_data

        arrays = training_data(clip, **sampling)
        write_npz(target, arrays)
        facts += f", {len(arrays['sample_starts'])} samples" if "sample_starts" in arrays else ""
    else:
        save(clip, target)
        if target.suffix.lower() == ".bvh":
            lost = [*gltf.lost_in_clip(clip), *bvh.lost_in_bvh(clip)]
    size = byte_size(target.stat().st_size)
    return f"{printable(str(target))}: {facts}, {size}{'; not kept: ' * bool(lost)}{', '.join(lost)}"


def _jobs(files: tuple[Path, ...], out: Path | None, to: str | None) -> list[tuple[Path, Path]]:
    """The files to read, and where each is written."""
    if out is None:
        if to is not None:
            wanted = "--out FOLDER as well; with IN OUT the suffix of OUT is the format"
            raise ArgumentError("--to", f"{to} without --out", wanted)
        if len(files) != 2:
            raise ArgumentError("FILES", f"{len(files)} of them without --out", FORMS)
        return [(files[0], files[1])]
    if not files or to is None:
        raise ArgumentError("--out", f"{len(files)} files, --to {to or 'nothing'}", FORMS)
    from limbik.batch.planning import clips_at

    found = [each for path in files for each in clips_at(path, out)]
    if not found:
        raise ArgumentError("FILES", "folders without clips", FORMS)
    jobs = [(path, out / place.with_suffix(f".{to}")) for path, place in found]
    first: dict[Path, Path] = {}
    for source, target in jobs:
        if first.setdefault(target, source) is not source:
            raise ArgumentError("FILES", f"{first[target]} and {source}", f"one file for each {target}")
    return jobs


def _unit(word: str) -> str | Unit:
    from limbik.skeleton.units import as_unit

    try:
        metres = float(word)
    except ValueError:
        return word if word == "auto" else as_unit(word)
    return as_unit(metres)


def _frames(word: str | None) -> slice | None:
    if word is None:
        return None
    form = re.fullmatch(r"(-?[0-9]{1,9})?:(-?[0-9]{1,9})?", word)
    if not form:
        raise ArgumentError("--frames", word, "START:STOP, such as 10:200, 10: or :200")
    start, stop = (None if part is None else int(part) for part in form.groups())
    return slice(start, stop)
