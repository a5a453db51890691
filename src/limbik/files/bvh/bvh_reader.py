"""Reads a BVH file as a clip, in metres and with +y up, which keeps what is needed to write the file again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import ChoiceError, FileError
from limbik.files.bvh.bvh_channels import local_transforms
from limbik.files.bvh.bvh_motion import Motion, read_motion
from limbik.files.bvh.guesses import guessed_unit, guessed_up
from limbik.files.bvh.hierarchy import Hierarchy, read_hierarchy
from limbik.files.file_limits import allowed, check_joint_frames, read_file
from limbik.rotations import IDENTITY, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton, owned
from limbik.skeleton.units import Unit, unit_named

_MOTION = re.compile(rb"^[^\S\n]*MOTION\b", re.IGNORECASE | re.MULTILINE)
HALF = np.sqrt(0.5)
# The rotation that takes each axis to +y.
TURNS = {"x": np.array([0.0, 0.0, HALF, HALF]), "y": IDENTITY, "z": np.array([-HALF, 0.0, 0.0, HALF])}


@dataclass(frozen=True, eq=False)
class BvhSource:
    """A file's joints and numbers, to write it again with the same channels and, where nothing was changed, numbers."""

    hierarchy: Hierarchy
    motion: Motion
    up: str  # the file's axis that points up

    def fits(self, skeleton: Skeleton) -> bool:
        """Whether these are the joints that the file had."""
        names, parents = self.hierarchy.names, self.hierarchy.parents
        return names == skeleton.names and np.array_equal(parents, skeleton.parents)

    def frames(self, times: Array) -> Array:
        """The file's frames at times (frames,) in seconds; −1 between them and beyond."""
        at = times * self.motion.fps
        frame = np.rint(at)
        there = (np.abs(at - frame) < 1e-3) & (frame >= 0) & (frame < len(self.motion.values))
        return np.where(there, frame, -1).astype(int)


def load(path: Path, unit: str | float | Unit = "auto", up: str = "auto", limit: int | None = None) -> Clip:
    """The clip in a file: see `limbik.load`."""
    return parse(read_file(path), path, unit, up, limit).with_(name=path.stem)


def parse(
    data: bytes, path: object, unit: str | float | Unit = "auto", up: str = "auto", limit: int | None = None
) -> Clip:
    """The clip in a file's bytes; its path is named in errors."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # line ends of the classic Mac OS
    start = _MOTION.search(data)
    head = data[: start.start() if start else len(data)]
    try:
        text = head.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    hierarchy = read_hierarchy(text, path)
    if start is None:
        raise FileError(path, f"line {data.count(10) + 1}", "the file ends before MOTION")
    motion = read_motion(data, start.end(), hierarchy.width, path)
    check_joint_frames(path, "", len(hierarchy.names), len(motion.values), allowed(limit, len(data)))
    return _clip(hierarchy, motion, unit, up)


def resampled(clip: Clip, fps: float, path: Path, limit: int | None) -> Clip:
    """A clip at another frame rate, which may not hold more joints × frames than allowed either."""
    most = allowed(limit, path.stat().st_size)
    check_joint_frames(path, "", len(clip.skeleton), int(clip.duration * fps) + 1, most, ", a lower fps fewer frames")
    return clip.resampled(fps)


def _clip(hierarchy: Hierarchy, motion: Motion, unit: str | float | Unit, up: str) -> Clip:
    if up not in ("auto", *TURNS):
        raise ChoiceError("up", up, ("auto", *TURNS))
    rotations, translations = local_transforms(hierarchy, motion.values)
    at_rest = np.tile(IDENTITY, (1, len(hierarchy.names), 1)), hierarchy.offsets[None]
    shown = (rotations, translations) if len(rotations) else at_rest
    in_metres = guessed_unit(hierarchy.parents, shown[1][0]) if unit == "auto" else unit_named(unit)
    up = guessed_up(hierarchy.parents, *shown) if up == "auto" else up
    return _upright(BvhSource(hierarchy, motion, up), rotations, translations, in_metres)


def _upright(source: BvhSource, rotations: Array, translations: Array, unit: Unit) -> Clip:
    """The clip of a file's local rotations and translations; takes their memory."""
    hierarchy, turn = source.hierarchy, TURNS[source.up]
    roots = np.flatnonzero(hierarchy.parents < 0)
    offsets = hierarchy.offsets * unit.metres
    at_rest = np.tile(IDENTITY, (len(offsets), 1))
    translations *= unit.metres
    if source.up != "y":
        offsets[roots] = rotate(turn, offsets[roots])
        at_rest[roots] = turn
        translations[:, roots] = rotate(turn, translations[:, roots])
        rotations[:, roots] = multiply(turn, rotations[:, roots])
    skeleton = Skeleton(hierarchy.names, hierarchy.parents, offsets, at_rest, end_sites=hierarchy.end_sites)
    return Clip(skeleton, owned(rotations), owned(translations), fps=source.motion.fps, unit=unit, source=source)
