"""Writes a clip as a BVH file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write
from limbik.files.bvh.bvh_channels import Tracks, known_tracks, tracks
from limbik.files.bvh.bvh_reader import TO_Y_UP, BvhSource, guess_figure_unit
from limbik.files.bvh.bvh_sections import POSITIONS, Hierarchy, hierarchy_text, write_motion
from limbik.rotations import inverse, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.units import CENTIMETRE, INCH, METRE, Unit

# The rotation channels of a clip that did not come from a BVH file; roots have position channels as well.
ROTATION_CHANNELS = ("Zrotation", "Yrotation", "Xrotation")


def save(clip: Clip, path: Path) -> None:
    """Writes a clip.

    One that came from a BVH file keeps its unit, its channels, its up axis, and its numbers wherever nothing was
    changed. Any other has rotations about z, y, x, and positions at the roots. Position channels are added wherever a
    joint moves relative to its parent; scales, which the format cannot hold, become offsets or such moves. A joint's
    whole rotation is in its channels: the format has no rotations at rest. Joints are written in the order of the tree.
    """
    if not len(clip.skeleton):
        raise ArgumentError("clip", "no joints", "at least one; a BVH file has a ROOT")
    hierarchy, values, frame_time = _file_layout(clip.with_(unit=output_unit(clip)))
    if not np.isfinite(values).all():
        frame, column = np.argwhere(~np.isfinite(values))[0].tolist()
        joint, _ = list(hierarchy.columns)[column]
        where = f"{values[frame, column]} in frame {frame} of {hierarchy.names[joint]!r}"
        raise ArgumentError("clip", where, "finite rotations and translations")
    with atomic_write(path) as file:
        file.write(hierarchy_text(hierarchy).encode(errors="replace"))
        write_motion(file, values, frame_time)


def output_unit(clip: Clip) -> Unit:
    """The unit that a clip is written in: its own, or another where readers, which have to guess, would mistake it."""
    if isinstance(clip.source, BvhSource):
        return clip.unit
    return next((unit for unit in (clip.unit, METRE, CENTIMETRE, INCH) if _is_guessed(clip, unit)), clip.unit)


def _is_guessed(clip: Clip, unit: Unit) -> bool:
    first = _positions_without_scales(clip[0] if len(clip) else Pose.rest(clip.skeleton))
    return guess_figure_unit(clip.skeleton.parents, first / unit.metres) == unit


def lost_in_bvh(clip: Clip) -> list[str]:
    """What a BVH file of a clip does not hold, in words."""
    lost = []
    if clip.scales is not None:
        changing = len(clip) > 1 and bool(np.any(np.ptp(clip.scales, axis=0) > 1e-6))
        lost.append("scales (joints move as if scaled)" if changing else "scales (folded into offsets)")
    if np.any(np.abs(clip.skeleton.rotations[:, :3]) > 1e-6) and not isinstance(clip.source, BvhSource):
        lost.append("rotations at rest (they are in every frame)")
    if not _is_guessed(clip, unit := output_unit(clip)):
        lost.append(f"the unit (load it with unit={unit.metres:g})")
    return lost


def _file_layout(clip: Clip) -> tuple[Hierarchy, Array, str]:
    skeleton, order = clip.skeleton, _depth_first(clip.skeleton)
    source = clip.source if isinstance(clip.source, BvhSource) else None
    back = inverse(TO_Y_UP[source.up if source else "y"])
    offsets = _positions_without_scales(Pose.rest(skeleton)) / clip.unit.metres
    offsets[list(skeleton.roots)] = rotate(back, offsets[list(skeleton.roots)])
    parts = list(_tracks(clip, source, order, offsets, back))
    number = {joint: k for k, joint in enumerate(order)} | {-1: -1}
    # End Sites have a parent, and neither children nor channels.
    possible = skeleton.end_sites & (skeleton.parents >= 0)
    ends = [possible[j] and not (skeleton.children[j] or part.channels) for j, part in zip(order, parts, strict=True)]
    hierarchy = Hierarchy(
        names=tuple(skeleton.names[joint] for joint in order),
        parents=np.array([number[int(skeleton.parents[joint])] for joint in order]),
        offsets=offsets[order],
        channels=tuple(part.channels for part in parts),
        end_sites=np.array(ends),
    )
    motion = source.motion if source and source.motion.fps == clip.fps else None
    frame_time = motion.frame_time if motion else f"{1.0 / clip.fps:.10g}"
    return hierarchy, np.concatenate([part.values for part in parts], axis=1), frame_time


def _tracks(clip: Clip, source: BvhSource | None, order: list[int], offsets: Array, back: Array) -> Iterator[Tracks]:
    parents, translations = clip.skeleton.parents, _positions_without_scales(clip)
    known = repeat(None)
    if source and source.fits(clip.skeleton):
        known = known_tracks(source.hierarchy, source.motion.values, source.frames(clip.times))
    for joint, hint in zip(order, known, strict=False):
        rotations, moves = clip.rotations[:, joint], translations[:, joint] / clip.unit.metres
        if parents[joint] < 0:
            rotations, moves = multiply(back, rotations), rotate(back, moves)
        by_default = ROTATION_CHANNELS if parents[joint] >= 0 else (*POSITIONS, *ROTATION_CHANNELS)
        wanted = hint.channels if hint else () if clip.skeleton.end_sites[joint] else by_default
        yield tracks(wanted, offsets[joint], rotations, moves, hint)


def _positions_without_scales(pose: Pose) -> Array:
    """Local translations (..., joints, 3) that put joints without scales where they are with them."""
    if pose.scales is None:
        return pose.translations
    positions, rotations = pose.world()
    hung = np.flatnonzero(pose.skeleton.parents >= 0)
    above = pose.skeleton.parents[hung]
    translations = positions.copy()
    apart = positions[..., hung, :] - positions[..., above, :]
    translations[..., hung, :] = rotate(inverse(rotations[..., above, :]), apart)
    return translations


def _depth_first(skeleton: Skeleton) -> list[int]:
    """The joints in the order of a file: each followed by its descendants."""
    order: list[int] = []
    waiting = list(reversed(skeleton.roots))
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(skeleton.children[order[-1]])
    return order
