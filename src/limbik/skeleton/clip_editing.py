"""Edits of clips: resampled, mirrored, joined; and whether a pose was put in front of the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.rotations import about, inverse, multiply, rotate, slerp, to_matrices
from limbik.skeleton.pose import Pose
from limbik.skeleton.symmetry import NO_PARTNER, UP, symmetry
from limbik.skeleton.timing import ease

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip

HALF_TURN_ABOUT_X = np.array([1.0, 0.0, 0.0, 0.0])  # half a turn about the normal of the mirror plane
MIN_STRAY_TURN_RATIO = (
    5.0  # the first frame is a stray pose where joints turn this many times as far after it as after other frames
)
ROUNDING_FRAMES = 1e-9  # times closer than this are equal
Frames = slice | list[int] | Array


def resample(clip: Clip, fps: float) -> Clip:
    """The motion at another rate: see `Clip.resampled`."""
    fps = arguments.positive("fps", fps, "frames a second")
    if fps == clip.fps or len(clip) < 2:
        return clip.with_(fps=fps)
    last = len(clip) - 1
    at = np.arange(int(last * (fps / clip.fps) + ROUNDING_FRAMES) + 1) * (clip.fps / fps)  # in frames at the old rate
    at = np.where(np.abs(at - np.rint(at)) < ROUNDING_FRAMES, np.rint(at), np.minimum(at, last))
    before = at.astype(int)
    after = np.minimum(before + 1, last)
    contacts = None if clip.contacts is None else clip.contacts[np.rint(at).astype(int)]
    footsteps = None if clip.footsteps is None else clip.footsteps.at_rate(fps)
    motion = blend_frames(clip, before, clip, after, at - before)
    return clip.with_(**motion, fps=fps, contacts=contacts, footsteps=footsteps)


def mirror(clip: Clip) -> Clip:
    """The mirrored motion: see `Clip.mirrored`.

    Each joint takes the motion of its counterpart: the world rotation away from rest, and the difference of its
    translation from that at rest. Bones keep their lengths, whatever the axes of the joints on either side.
    """
    plane = symmetry(clip.skeleton)
    partners = np.where(plane.partners == NO_PARTNER, np.arange(len(plane.partners)), plane.partners)
    alone = plane.partners == NO_PARTNER
    parents, rest = clip.skeleton.parents, Pose.rest(clip.skeleton).world()[1]
    # A mirror is a half turn about its normal and a reversal of everything; two reversals cancel out. `into` takes
    # directions from the counterpart's frame into the mirror image of the joint's own.
    into = multiply(inverse(rest), multiply(np.append(plane.normal, 0.0), rest[partners]))
    above = np.where((parents < 0)[:, None], HALF_TURN_ABOUT_X, into[parents])
    turned = multiply(multiply(above, clip.rotations[:, partners]), inverse(into))
    resting = np.where((parents < 0)[:, None], 0.0, clip.skeleton.translations)
    shifted = resting - rotate(above, clip.translations[:, partners] - resting[partners])
    changes: dict[str, Any] = {
        "rotations": np.where(alone[:, None], clip.rotations, turned),
        "translations": np.where(alone[:, None], clip.translations, shifted),
        "feet": tuple(int(partners[foot]) for foot in clip.feet),
        "terrain": None,  # terrains are not mirrored
    }
    if clip.scales is not None:
        along = to_matrices(into) ** 2  # the share of each axis along each axis of the counterpart
        stretched = (along @ clip.scales[:, partners, :, None])[..., 0]
        changes["scales"] = np.where(alone[:, None], clip.scales, stretched)
    return clip.with_(**changes)


def join(clip: Clip, other: Clip, blend: float, follow: bool) -> Clip:
    """One motion, then another of the same figure: see `Clip.then`."""
    from limbik.skeleton.clip import Clip

    if not arguments.instance("other", other, Clip, "a Clip").skeleton.has_joints_of(clip.skeleton):
        raise ArgumentError("other", other.skeleton, f"a clip of the same joints, {clip.skeleton}")
    blend = arguments.number("blend", blend, 0.0, unit="seconds")
    if not len(clip) or not len(other):
        return clip if len(clip) else other
    if (clip.scales is None) != (other.scales is None):
        clip, other = (one if one.scales is not None else one.with_(scales=np.ones(3)) for one in (clip, other))
    other = resample(other, clip.fps)
    overlap = min(round(blend * clip.fps), len(clip), len(other))
    if follow:
        other = _move_to_follow(clip, other, len(clip) - overlap)
    return _concatenate(clip, other, overlap)


def _move_to_follow(clip: Clip, other: Clip, at: int) -> Clip:
    """The other clip, turned about +y and shifted over the ground: its joints start as near as can be to a frame's."""
    if at < len(clip):
        goal = clip[at].positions()
    else:  # one frame past the end
        last = clip[max(at - 2, 0) :].positions()
        goal = 2.0 * last[-1] - last[0]
    start = other[0].positions()
    middle, goal_middle = start.mean(axis=0), goal.mean(axis=0)
    a, b = start - middle, goal - goal_middle
    sine, cosine = np.sum(a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]), np.sum(a[:, 0] * b[:, 0] + a[:, 2] * b[:, 2])
    turn = about(UP, np.arctan2(sine, cosine))
    shift = goal_middle - rotate(turn, middle)
    return other.moved(shift * (1.0 - UP), turn)


def _concatenate(clip: Clip, other: Clip, overlap: int) -> Clip:
    """Frames of one clip, then of the other; over the shared frames one fades into the other."""
    kept = len(clip) - overlap
    share = ease(np.arange(1, overlap + 1) / (overlap + 1))
    faded = blend_frames(clip, slice(kept, None), other, slice(overlap), share)
    changes = {
        name: np.concatenate([getattr(clip, name)[:kept], frames, getattr(other, name)[overlap:]])
        for name, frames in faded.items()
    }
    contacts = None
    if clip.contacts is not None and other.contacts is not None and clip.feet == other.feet:
        switch = int(np.sum(share < 0.5))
        contacts = np.concatenate([clip.contacts[: kept + switch], other.contacts[switch:]])
    return clip.with_(**changes, contacts=contacts)


def blend_frames(clip: Clip, at: Frames, other: Clip, other_at: Frames, part: Array) -> dict[str, Array]:
    """Local rotations, translations and scales at parts (frames,) of the way from frames of one clip to another's."""
    part = part[:, None]
    p, q = clip.rotations[at], other.rotations[other_at]
    mixed = {"rotations": np.where(part[..., None] == 0.0, p, slerp(p, q, part))}
    for name in ("translations", "scales"):
        if getattr(clip, name) is not None:
            p, q = getattr(clip, name)[at], getattr(other, name)[other_at]
            mixed[name] = p + part[..., None] * (q - p)
    return mixed


def begins_with_stray_pose(clip: Clip) -> bool:
    """Whether the first frame is no part of the motion, such as the T-pose that many recordings begin with."""
    if len(clip) < 4:
        return False
    q = clip.rotations
    turns = np.mean(2.0 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=-1)), 0.0, 1.0)), axis=-1)
    return bool(turns[0] > MIN_STRAY_TURN_RATIO * np.percentile(turns[1:], 95) and turns[0] > np.radians(3.0))
