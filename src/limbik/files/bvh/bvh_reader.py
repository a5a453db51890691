"""Reads a BVH file as a clip, in metres and with +y up, which keeps what is needed to write the file again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.errors import FileError, as_unicode
from limbik.files.bvh.bvh_channels import local_transforms
from limbik.files.bvh.bvh_sections import Hierarchy, Motion, read_hierarchy, read_motion
from limbik.files.file_limits import check_joint_frames, joint_frames_limit, read_file
from limbik.rotations import IDENTITY, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.kinematics import forward, generations
from limbik.skeleton.skeleton import Skeleton, freeze
from limbik.skeleton.units import Unit, as_unit, guess_unit

_MOTION = re.compile(rb"^[^\S\n]*MOTION\b", re.IGNORECASE | re.MULTILINE)
SQRT_HALF = np.sqrt(0.5)
# The rotation that takes each axis to +y.
TO_Y_UP = {
    "x": np.array([0.0, 0.0, SQRT_HALF, SQRT_HALF]),
    "y": IDENTITY,
    "z": np.array([-SQRT_HALF, 0.0, 0.0, SQRT_HALF]),
}
# Guesses of what a file does not say: its unit of length, and which of its axes points up.
GUESS_FRAMES = 16  # that are examined
MAX_GENERATIONS = 1000  # of joints; a longer chain is no figure that stands, and would take seconds to examine
MAX_FLOOR_HEIGHT_RATIO = 0.1  # how far from zero a floor is at most, over the figure's size
MIN_STANDING_RATIO = 0.6  # a figure's height over its width or length, at least
HUMAN_SPAN_RATIO = 1.45  # from toe to fingertip along the bones of a human, over the height


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
    return parse(read_file(path), path, unit, up, limit).with_(name=as_unicode(path.stem))


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
    check_joint_frames(path, "", len(hierarchy.names), len(motion.values), joint_frames_limit(limit, len(data)))
    return _clip(hierarchy, motion, unit, up)


def resample(clip: Clip, fps: float, path: Path, limit: int | None) -> Clip:
    """A clip at another frame rate, which may not hold more joints × frames than allowed either."""
    most = joint_frames_limit(limit, path.stat().st_size)
    check_joint_frames(path, "", len(clip.skeleton), int(clip.duration * fps) + 1, most, ", a lower fps fewer frames")
    return clip.resampled(fps)


def _clip(hierarchy: Hierarchy, motion: Motion, unit: str | float | Unit, up: str) -> Clip:
    up = choice("up", up, ("auto", *TO_Y_UP))
    rotations, translations = local_transforms(hierarchy, motion.values)
    at_rest, offsets, roots = np.tile(IDENTITY, (len(hierarchy.names), 1)), hierarchy.offsets, hierarchy.parents < 0
    seen = (rotations, translations) if len(rotations) else (at_rest[None], offsets[None])
    unit = guess_figure_unit(hierarchy.parents, seen[1][0]) if unit == "auto" else as_unit(unit)
    up = guess_up_axis(hierarchy.parents, *seen) if up == "auto" else up
    offsets = offsets * unit.metres
    translations *= unit.metres
    if up != "y":
        offsets[roots] = rotate(TO_Y_UP[up], offsets[roots])
        at_rest[roots] = TO_Y_UP[up]
        translations[:, roots] = rotate(TO_Y_UP[up], translations[:, roots])
        rotations[:, roots] = multiply(TO_Y_UP[up], rotations[:, roots])
    skeleton = Skeleton(hierarchy.names, hierarchy.parents, offsets, at_rest, end_sites=hierarchy.end_sites)
    source = BvhSource(hierarchy, motion, up)
    return Clip(skeleton, freeze(rotations), freeze(translations), fps=motion.fps, unit=unit, source=source)


def guess_figure_unit(parents: Array, translations: Array) -> Unit:
    """The unit in which a figure is about as large as a human, from its joints' local translations (joints, 3).

    Its size is measured along the bones, so that it is the same in every pose: in some files the figure is stretched
    out at rest, or all bones lie along one axis.
    """
    lengths = np.linalg.norm(translations, axis=-1).tolist()
    reach = [0.0] * len(lengths)  # the longest way down from each joint
    span = 0.0  # the longest way between two joints
    for joint in range(len(lengths) - 1, -1, -1):
        parent, way = parents[joint], reach[joint] + lengths[joint]
        if parent >= 0:
            span = max(span, reach[parent] + way)
            reach[parent] = max(reach[parent], way)
    return guess_unit(span / HUMAN_SPAN_RATIO)


def guess_up_axis(parents: Array, rotations: Array, translations: Array) -> str:
    """The axis that points up, "y" or "z", from local rotations (frames, joints, 4) and translations.

    It is y, as nearly everywhere, unless there is a floor along z: the lowest point of the largest figure keeps near to
    zero, nearer than along y, and along z the figure is no flatter. Its shape alone would not tell: quadrupeds are
    longer than tall, and arms stretched out are as wide as the figure is tall.
    """
    if len(generations(parents)) > MAX_GENERATIONS:
        return "y"
    roots = np.flatnonzero(parents < 0)
    counts = np.diff(roots, append=len(parents))
    first = roots[np.argmax(counts)]
    figure = slice(first, first + counts.max())
    chosen = np.unique(np.linspace(0, len(rotations) - 1, GUESS_FRAMES).astype(int))
    local = rotations[chosen, figure], translations[chosen, figure]
    positions, _ = forward(np.maximum(parents[figure] - first, -1), *local, None)
    low, high = positions.min(axis=1), positions.max(axis=1)
    size, floor = np.median(high - low, axis=0), np.median(np.abs(low), axis=0)
    stands = floor[2] < MAX_FLOOR_HEIGHT_RATIO * size.max() and floor[2] < 0.5 * floor[1]
    return "z" if stands and size[2] > MIN_STANDING_RATIO * size[1] else "y"
