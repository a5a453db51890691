"""Clips from files and into files, whatever their format."""

from __future__ import annotations

import os
from pathlib import Path

from limbik.arguments import instance
from limbik.errors import ArgumentError, ChoiceError, FileError
from limbik.skeleton.clip import Clip
from limbik.skeleton.units import Unit

SUFFIXES = (".bvh", ".glb", ".gltf")


def load(
    path: str | os.PathLike[str],
    *,
    animation: str | int | None = None,
    unit: str | float | Unit = "auto",
    up: str = "auto",
    fps: float | None = None,
) -> Clip:
    """A clip from a .bvh, .glb or .gltf file, in metres and with +y up.

    animation: its name or number, where a file has several; the first unless told.
    unit: what the file's lengths are in, "m", "cm", "mm", "inch", "cmu" or so many metres; guessed unless told, and
    `clip.unit` says what was taken.
    up: the file's axis that points up, "x", "y" or "z"; guessed for BVH, and always y for glTF.
    fps: frames a second of the clip; the file's own unless told.
    """
    path = Path(path)
    suffix = _suffix(path)
    if not path.is_file():
        raise FileError(path, "", "is a folder" if path.is_dir() else "there is no such file")
    if suffix == ".bvh":
        from limbik.files import bvh

        clip = bvh.load(path, unit, up)
        if animation not in (None, 0, clip.name) or isinstance(animation, bool):
            raise ArgumentError("animation", repr(animation), f"0 or {clip.name!r}: a BVH file has one")
        return clip if fps is None else clip.resampled(fps)
    from limbik.files import gltf

    if up not in ("auto", "y"):
        raise ChoiceError("up", up, ("auto", "y"))
    return gltf.load(path, animation, unit, fps)


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Writes a clip as a .bvh, .glb or .gltf file, in the unit of the file that it came from.

    A clip that came from a file of the same format keeps all else that was in it. The file appears whole or not at all.
    """
    path = Path(path)
    if _suffix(path) == ".bvh":
        from limbik.files import bvh

        bvh.save(clip, path)
    else:
        from limbik.files import gltf

        gltf.save(clip, path)


def as_clip(clip: Clip | str | os.PathLike[str], name: str = "clip") -> Clip:
    """A clip from what functions on clips accept: a Clip, returned as it is, or the path of a file to load."""
    if isinstance(clip, str | os.PathLike):
        return load(clip)
    return instance(
        name, clip, Clip, f"a Clip, as limbik.load returns it, or the path of a file ({', '.join(SUFFIXES)})"
    )


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        found = f"the suffix {suffix!r}" if suffix else "no suffix"
        raise FileError(path, "", f"has {found}; clips are read and written as {', '.join(SUFFIXES)}")
    return suffix
