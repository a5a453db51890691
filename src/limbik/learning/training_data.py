"""Clips as arrays, to train on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limbik.arguments import flag, whole
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.clip_files import as_clip
from limbik.files.npz import training_arrays
from limbik.learning.contacts import with_contacts

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip


def training_data(
    clip: Clip | str | os.PathLike[str],
    *,
    window: int | None = None,
    stride: int | None = None,
    mirrored: bool = False,
) -> dict[str, Array]:
    """A clip as arrays for training: positions, rotations, contacts, and features as seen from the figure's heading.

    Lengths are metres, +y is up, quaternions are xyzw. `numpy.savez(path, **arrays)` writes what `limbik.load` reads.

    Args:
        clip: The clip, or the path of a file.
        window: Frames of a sample: the arrays that have frames get samples on axis 0 (default: no samples).
        stride: Frames from the start of one window to that of the next (default: `window`).
        mirrored: Whether mirrored copies are samples, too, after the others.

    Returns:
        Arrays by name: "positions" (frames, joints, 3), "rotations" (frames, joints, 4), "rotations_6d" (frames,
        joints, 6), "contacts" (frames, feet), "local_positions" and others; the page on training data lists each one's
        shape, unit and frame.

    Raises:
        ArgumentError: An argument is out of range, or the clip has no frames, or fewer than `window`.
        FileError: The file cannot be read.
    """
    clip = as_clip(clip)
    mirrored = flag("mirrored", mirrored)
    if not len(clip):
        raise ArgumentError("clip", "no frames", "one frame at least")
    if window is not None:
        window = whole("window", window, 1, len(clip))
    elif stride is not None:
        raise ArgumentError("stride", stride, "a window as well")
    if stride is not None:
        stride = whole("stride", stride, 1)
    return training_arrays(with_contacts(clip), window, stride, mirrored)
