"""Converts between the channels of a BVH file and the local rotations and translations of joints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import threads
from limbik.files.bvh.bvh_sections import POSITIONS, ROTATIONS, Hierarchy
from limbik.rotations import IDENTITY, about, from_euler, multiply, to_euler

BLOCK_ROTATIONS = 1 << 12  # rotations computed together, within the processor's cache
MIN_VISIBLE_CHANGE = 5e-7  # the smallest change of a number that shows in the text
MAX_SAME_ROTATION = 1e-9  # components of quaternions differ by less where a rotation is still the file's own
GIMBAL_LOCK_RADIANS = 1e-6  # radians around gimbal lock within which the first and last angle are not distinct


class Tracks(NamedTuple):
    """A joint's channels and their numbers, (frames, channels)."""

    channels: tuple[str, ...]
    values: Array


def order_of(channels: tuple[str, ...]) -> str:
    """The order of rotation axes of a joint, such as "zyx"; axes without a channel come last."""
    order = "".join(channel[0].lower() for channel in channels if channel in ROTATIONS)
    return order + "".join(axis for axis in "zyx" if axis not in order)


def local_transforms(hierarchy: Hierarchy, values: Array) -> tuple[Array, Array]:
    """Local rotations (frames, joints, 4) and translations (frames, joints, 3) of channels' values."""
    frames, joints = len(values), len(hierarchy.names)
    rotations, translations = np.empty((frames, joints, 4)), np.empty((frames, joints, 3))
    turns = _rotation_columns(hierarchy)
    moves = [
        (k, joint, POSITIONS.index(name)) for k, (joint, name) in enumerate(hierarchy.columns) if name in POSITIONS
    ]
    places, moved, axes = np.array(moves, int).reshape(-1, 3).T
    step = max(1, BLOCK_ROTATIONS // joints)

    def work(start: int, stop: int) -> None:
        for first in range(start, stop, step):
            block = slice(first, min(first + step, stop))
            translations[block] = hierarchy.offsets
            translations[block, moved, axes] = values[block, places]
            rotations[block] = IDENTITY
            rows = np.zeros((hierarchy.width + 1, block.stop - first))
            rows[:-1] = values[block].T
            for order, (turned, columns) in turns.items():
                rotations[block, turned] = from_euler(order, np.radians(rows[columns])).transpose(2, 1, 0)

    threads.spread(work, frames, rows_per_thread=4096)
    return rotations, translations


def _rotation_columns(hierarchy: Hierarchy) -> dict[str, tuple[list[int], Array]]:
    """The joints of each order of axes, and the columns (3, joints) of their angles; −1 where there is no channel."""
    found: dict[str, tuple[list[int], list[list[int]]]] = {}
    column = {place: k for k, place in enumerate(hierarchy.columns)}
    for joint, channels in enumerate(hierarchy.channels):
        order = order_of(channels)
        if not set(ROTATIONS).isdisjoint(channels):
            joints, columns = found.setdefault(order, ([], []))
            joints.append(joint)
            columns.append([column.get((joint, name), -1) for name in rotation_names(order)])
    return {order: (joints, np.array(columns).T) for order, (joints, columns) in found.items()}


def rotation_names(order: str) -> list[str]:
    """The channels of an order of axes."""
    return [f"{axis.upper()}rotation" for axis in order]


def known_tracks(hierarchy: Hierarchy, values: Array, frames: Array) -> Iterator[Tracks]:
    """Each joint's channels and the file's numbers in some of its frames (frames,); NaN where the frame is −1."""
    there = frames >= 0
    end = 0
    for channels in hierarchy.channels:
        start, end = end, end + len(channels)
        found = np.full((len(frames), len(channels)), np.nan)
        found[there] = values[frames[there], start:end]
        yield Tracks(channels, found)


def tracks(
    wanted: tuple[str, ...], offset: Array, rotations: Array, translations: Array, known: Tracks | None
) -> Tracks:
    """The channels wanted of a joint's local rotations (frames, 4) and translations (frames, 3), and others if needed.

    known: the values of channels where the joint was not changed, NaN in other frames.
    """
    order = order_of(wanted)
    angles = _angles(order, rotations, None if known is None else _known_angles(order, known))
    names = (*POSITIONS, *rotation_names(order))
    numbers = dict(zip(names, (*translations.T, *angles.T), strict=True))
    resting = dict(zip(names, (*offset, 0.0, 0.0, 0.0), strict=True))
    moved = [name for name in names if np.any(np.abs(numbers[name] - resting[name]) > MIN_VISIBLE_CHANGE)]
    missing = [name for name in moved if name not in wanted]
    moves = any(name in POSITIONS for name in missing)
    before = [name for name in POSITIONS if moves and name not in wanted]
    after = [name for name in missing if name in ROTATIONS]
    channels = (*before, *wanted, *after)
    values = [numbers[name] for name in channels]
    return Tracks(channels, np.stack(values, axis=1) if values else np.empty((len(rotations), 0)))


def _known_angles(order: str, known: Tracks) -> Array:
    """The angles (frames, 3), in degrees, among known numbers; 0 about axes that have no channel."""
    angles = np.zeros((len(known.values), 3))
    for k, name in enumerate(rotation_names(order)):
        if name in known.channels:
            angles[:, k] = known.values[:, known.channels.index(name)]
    return angles


def _angles(order: str, rotations: Array, known: Array | None) -> Array:
    """Angles (frames, 3), degrees: the known ones where they give the rotation, the others without jumps to them."""
    if known is None:
        return np.degrees(_unwind(_angles_near_gimbal_lock(order, rotations)))
    before = from_euler(order, np.radians(known.T)).T
    apart = np.minimum(np.abs(before - rotations).max(axis=-1), np.abs(before + rotations).max(axis=-1))
    same = apart < MAX_SAME_ROTATION
    if same.all():
        return known
    angles = np.where(same[:, None], np.radians(known), _angles_near_gimbal_lock(order, rotations))
    anchor = int(np.argmax(same))  # the first frame where the angles are known; all others follow from there
    before, after = _unwind(angles[anchor::-1])[::-1], _unwind(angles[anchor:])
    return np.degrees(np.concatenate([before[:-1], after]))


def _angles_near_gimbal_lock(order: str, rotations: Array) -> Array:
    """Euler angles (frames, 3). In gimbal lock the last one keeps its value, and the first one turns."""
    angles = to_euler(order, rotations)
    locked = np.abs(np.abs(angles[:, 1]) - 0.5 * np.pi) < GIMBAL_LOCK_RADIANS
    if not locked.any():
        return angles
    before = np.maximum.accumulate(np.where(locked, 0, np.arange(len(angles))))
    last = angles[before[locked], 2]
    axis = np.eye(3)["xyz".index(order[2])]
    angles[locked] = to_euler(order, multiply(rotations[locked], about(axis, -last)))
    angles[locked, 2] += last
    return angles


def _unwind(angles: Array) -> Array:
    """Removes jumps along axis 0 from angles (radians): by full turns, or by the other triple of the same rotation."""
    other = np.stack([angles[:, 0] + np.pi, np.pi - angles[:, 1], angles[:, 2] + np.pi], axis=-1)
    # The distance between two frames is the same for both triples: each step can decide on its own whether to switch.
    changes = _differences(angles[:-1], other[1:]) < _differences(angles[:-1], angles[1:])
    changed = np.logical_xor.accumulate(np.concatenate([[False], changes]))
    return np.unwrap(np.where(changed[:, None], other, angles), axis=0)


def _differences(a: Array, b: Array) -> Array:
    """The squared distance of triples of angles, modulo full turns."""
    turns = (b - a) / (2.0 * np.pi)
    return np.sum((turns - np.rint(turns)) ** 2, axis=-1)
