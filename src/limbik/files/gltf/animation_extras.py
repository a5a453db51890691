"""What a clip knows of its motion beside the poses: feet, contacts, footsteps, when figures were blocked, and notes.

It is in the extras of the animation, which other programs keep or leave out:

    {"limbik": {"feet": {"left_foot": [[0.0, 0.4]]}, "blocked": {"root": [[2.0, 3.5]]}, "notes": ["..."],
     "footsteps": [{"foot": "left_leg", "seconds": [0.0, 0.4], "position": [0.1, 0.0, 0.5], "heading_degrees": 3.5}]}}

Joints are named, since loading may number them otherwise. Intervals are seconds, to the last frame in which the foot
stands, or the figure with that root is blocked. Positions are metres, in files of any unit. What is not of this form is
ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.skeleton.clip import Clip
from limbik.skeleton.footsteps import Footsteps
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.timing import intervals

KEY = "limbik"
DIGITS = 6  # of a time in seconds
MAX_SECONDS = 1e9
NEAR_FRAMES = 0.1  # a frame this near the end of an interval is in it


def known_of(clip: Clip) -> dict[str, Any]:
    """What a clip knows of its motion, as the extras have it; empty where it knows nothing."""
    known: dict[str, Any] = {}
    if clip.feet:
        known["feet"] = _spans(clip, clip.feet, clip.contacts)
    if clip.footsteps is not None:
        known["footsteps"] = _events(clip.footsteps)
    if clip.blocked is not None:
        known["blocked"] = _spans(clip, clip.skeleton.roots, clip.blocked)
    if clip.notes:
        known["notes"] = list(clip.notes)
    return known


def with_known_of(clip: Clip, animation: dict[str, Any]) -> dict[str, Any]:
    """An animation with what a clip knows in its extras; other programs' extras are kept."""
    extras = animation.get("extras", {})
    if type(extras) is not dict:
        return animation
    extras = {**{key: value for key, value in extras.items() if key != KEY}, KEY: known_of(clip)}
    rest = {key: value for key, value in animation.items() if key != "extras"}
    extras = {key: value for key, value in extras.items() if key != KEY or value}
    return {**rest, "extras": extras} if extras else rest


def fields_of(animation: dict[str, Any], skeleton: Skeleton, frames: int, fps: float) -> dict[str, Any]:
    """The fields of a clip that the extras of its animation fill."""
    extras = animation.get("extras")
    known = extras.get(KEY) if type(extras) is dict else None
    if type(known) is not dict:
        return {}
    fields: dict[str, Any] = {}
    feet, blocked, notes = known.get("feet"), known.get("blocked"), known.get("notes")
    joints = {name: joint for joint, name in enumerate(skeleton.names)}
    if type(feet) is dict and feet.keys() <= joints.keys():
        fields["feet"] = tuple(joints[name] for name in feet)
        fields["contacts"] = _flags(feet.values(), frames, fps)
    footsteps = _footsteps(known.get("footsteps"), fps)
    if footsteps is not None:
        fields["footsteps"] = footsteps
    roots = [skeleton.names[root] for root in skeleton.roots]
    if type(blocked) is dict and blocked.keys() == set(roots):
        fields["blocked"] = _flags([blocked[root] for root in roots], frames, fps)
    if type(notes) is list:
        fields["notes"] = tuple(note.encode("utf-8", "replace").decode() for note in notes if type(note) is str)
    return fields


def _events(footsteps: Footsteps) -> list[dict[str, Any]]:
    """Footsteps as the extras have them: with seconds instead of frames."""
    found: Any = footsteps.as_dict()["footsteps"]
    return [
        {
            "foot": row.pop("foot"),
            "seconds": [round(frame / footsteps.fps, DIGITS) for frame in (row.pop("start"), row.pop("stop") - 1)],
            **row,
        }
        for row in found
    ]


def _footsteps(found: Any, fps: float) -> Footsteps | None:
    """The footsteps that `_events` has written; None where something else is there."""
    try:
        rows = [dict(row) for row in found]
        for row in rows:
            first, last = np.clip(np.asarray(row.pop("seconds"), float), -MAX_SECONDS, MAX_SECONDS) * fps
            row |= {"start": round(first), "stop": max(round(last), round(first)) + 1}
        return Footsteps.from_dict({"fps": fps, "footsteps": rows})
    except (LimbikError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _spans(clip: Clip, joints: Sequence[int], flags: Array | None) -> dict[str, list[list[float]] | None]:
    """The intervals in which flags (frames, joints) are true, seconds, by joints' names; None where not known."""
    names = [clip.skeleton.names[joint] for joint in joints]
    if flags is None:
        return dict.fromkeys(names)
    return {
        name: [[round(frame / clip.fps, DIGITS) for frame in (first, stop - 1)] for first, stop in intervals(column)]
        for name, column in zip(names, flags.T, strict=True)
    }


def _flags(columns: Iterable[Any], frames: int, fps: float) -> Array | None:
    """(frames, n) bool: when a frame is in one of the intervals of a column; None if one is no list of intervals."""
    found = []
    for column in columns:
        try:
            spans = np.asarray(column, float).reshape(-1, 2)
        except (TypeError, ValueError, OverflowError):
            return None
        if not np.isfinite(spans).all():
            return None
        first, last = np.clip(spans, -MAX_SECONDS, MAX_SECONDS).T * fps
        edges = np.zeros(frames + 1)
        starts = np.clip(np.ceil(first - NEAR_FRAMES), 0, frames).astype(int)
        np.add.at(edges, starts, 1)
        np.add.at(edges, np.clip(np.floor(last + NEAR_FRAMES) + 1, starts, frames).astype(int), -1)
        found.append(np.cumsum(edges)[:-1] > 0)
    return np.stack(found, axis=-1) if found else None
