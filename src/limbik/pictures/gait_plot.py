"""Gait diagrams: when the feet of a clip are planted, and the measures derived from that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.clip_files import as_clip
from limbik.grounding.ground import ground
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, save, style_axes, write_line
from limbik.pictures.contact_bars import BAR_ROWS, draw_bars
from limbik.referee.motion_report import number
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.naming import read
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE_COLOURS = {"left": palette.LINK, "right": palette.TARGET, "": palette.FAINT}
SIDE_GAP_ROWS = 0.45  # rows between one side and the other
# The figure's width, what is above the bars, the support count, what is below it, and a row of bars.
WIDTH_INCHES, HEAD_INCHES, COUNT_INCHES, FOOT_INCHES, ROW_INCHES = 9.6, 0.85, 1.05, 1.15, 0.36
MAX_TALL_ROWS, LOW_ROW_INCHES = 8, 0.24  # more feet than this have lower rows
UP = np.array([0.0, 1.0, 0.0])
SIDE_ORDER = ("left", "right", "")
FOOT_SUFFIXES = ("_tip", "_heel", "_toe")  # suffixes of foot joints in clips that limbik made


def gait(clip: Clip | str | os.PathLike[str], path: str | os.PathLike[str], *, name: str = "") -> None:
    """Plots a gait diagram: a bar for each foot while it is planted, duty factors, and the number of planted feet.

    Args:
        clip: The motion of one figure, or the path of a file to load. Contacts are the clip's own; without any, they
            are detected from the motion.
        path: The file to write: .png, .svg or .pdf.
        name: Name in the title (default: the clip's).

    Raises:
        ArgumentError: An argument cannot be used.
        LimbikError: The clip has no contacts, and no legs are found in its skeleton.
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    clip = as_clip(clip)
    save(gait_figure(footfalls(clip), name or clip.name or "clip"), out)


def gait_figure(seen: Footfalls, name: str) -> Figure:
    """The gait diagram as a figure."""
    steps = [1.0 + SIDE_GAP_ROWS * (side != before) for before, side in pairwise(seen.sides)]
    places = np.cumsum([0.0, *steps])  # rows of the feet, from the top
    high = (ROW_INCHES if len(places) <= MAX_TALL_ROWS else LOW_ROW_INCHES) * (places[-1] + 1)
    height = HEAD_INCHES + high + COUNT_INCHES + FOOT_INCHES
    figure = canvas(WIDTH_INCHES, height)
    bars = figure.add_axes((0.14, (FOOT_INCHES + COUNT_INCHES) / height, 0.75, high / height))
    count = figure.add_axes((0.14, (FOOT_INCHES - 0.15) / height, 0.75, COUNT_INCHES / height), sharex=bars)
    _draw_feet(bars, seen, places)
    _draw_support(count, seen)
    write_line(figure, 1.0 - 0.3 / height, f"{name} at {seen.speed:.2f} m/s", 13, palette.INK)
    write_line(figure, 0.25 / height, _summary(seen))
    return figure


def name_rows(axes: Axes, places: Array, names: Sequence[str]) -> None:
    """Rows of bars from the top down, with the names of feet beside them."""
    style_axes(axes)
    axes.grid(visible=False, axis="y")
    axes.set_ylim(places[-1] + 0.5, -0.5)
    axes.set_yticks(places, names, fontsize=10 if len(names) <= MAX_TALL_ROWS else 8)


def _draw_feet(axes: Axes, seen: Footfalls, places: Array) -> None:
    """Bars of the planted feet, with duty factors beside them."""
    for place, side, stands in zip(places, seen.sides, seen.stands.T, strict=True):
        draw_bars(axes, stands, seen.fps, seen.start, (place - BAR_ROWS / 2, BAR_ROWS), SIDE_COLOURS[side])
    name_rows(axes, places, seen.names)
    axes.set_xlim(seen.start, seen.start + len(seen.stands) / seen.fps)
    axes.tick_params(labelbottom=False)
    for label, side in zip(axes.get_yticklabels(), seen.sides, strict=True):
        label.set_color(SIDE_COLOURS[side])

    beside = {"transform": axes.get_yaxis_transform(), "ha": "center", "va": "center"}
    size = 10 if len(places) <= MAX_TALL_ROWS else 8
    for place, duty in zip(places, seen.duty, strict=True):
        axes.text(1.055, place, number(duty, ".2f"), fontsize=size, color=palette.INK, **beside)
    beside |= {"transform": axes.transAxes, "va": "bottom"}
    axes.text(1.055, 1.0, "duty\nfactor", fontsize=9, color=palette.FAINT, **beside)


def _draw_support(axes: Axes, seen: Footfalls) -> None:
    edges = seen.start + np.arange(len(seen.stands) + 1) / seen.fps
    axes.stairs(seen.support, edges, fill=True, color=palette.REGION)
    axes.stairs(seen.support, edges, baseline=None, color=palette.INK, linewidth=1.2)
    style_axes(axes)
    feet = len(seen.names)
    axes.set_ylim(0, feet + 0.3)
    axes.set_yticks(range(0, feet + 1, max(1, -(-feet // 4))))
    axes.tick_params(pad=6)
    axes.set_ylabel("feet that\nstand", color=palette.FAINT, rotation=0, ha="right", va="center", fontsize=10)
    axes.set_xlabel("seconds", color=palette.FAINT, fontsize=10)


def _summary(seen: Footfalls) -> str:
    feet, least, most = len(seen.names), seen.support.min(), seen.support.max()
    strides = ["no whole stride"]
    if not np.isnan(seen.stride):
        strides = [f"duty factor {np.nanmean(seen.duty):.2f} on average", f"stride {seen.stride:.2f} s"]
    some = f"{least} to {most}" if most > least else f"{least}"
    support = f"{seen.support.mean():.1f} feet stand on average, {some} of {feet}"
    return "   ·   ".join([*strides, support])


# --- when feet are planted


@dataclass(frozen=True, eq=False)
class Footfalls:
    """The feet of one figure: those of its left side from front to back, then those of its right side, then others."""

    names: tuple[str, ...]
    sides: tuple[str, ...]  # "left", "right" or ""
    stands: Array  # (frames, feet) bool
    fps: float
    start: float  # time of the first frame, seconds
    speed: float  # mean, over the ground, m/s

    @property
    def duty(self) -> Array:
        """(feet,): the part of its strides in which each foot is planted; NaN where it takes no whole one."""
        feet = [(foot, _landings(foot)) for foot in self.stands.T]
        return np.array([np.mean(foot[at[0] : at[-1]]) if len(at) > 1 else np.nan for foot, at in feet])

    @property
    def stride(self) -> float:
        """Seconds from one touch-down of a foot to its next, the mean of all feet; NaN where no foot has two."""
        strides = [after - before for foot in self.stands.T for before, after in pairwise(_landings(foot))]
        return float(np.mean(strides)) / self.fps if strides else np.nan

    @property
    def support(self) -> Array:
        """(frames,): the number of planted feet."""
        return np.sum(self.stands, axis=1)


def footfalls(clip: Clip) -> Footfalls:
    """The footfalls of a clip: its contacts or, where it has none, those detected in its motion.

    A foot with several contact points, such as heel and tip, is planted while any of them is.
    """
    if len(clip) < 2:
        raise ArgumentError("clip", f"{len(clip)} frames", "at least two, for feet to stand and to swing in")
    if len(clip.skeleton.roots) != 1:
        raise ArgumentError("clip", f"{len(clip.skeleton.roots)} figures", "a single one")
    if clip.contacts is None:
        return _detect_footfalls(clip)
    if not clip.feet:
        raise ArgumentError("clip", "no feet", "feet with contacts, or no contacts, to find them")
    limbs = []
    with suppress(NoLimbsError):
        limbs = list(find_limbs(clip.skeleton).values())
    names = [_leg_name(clip.skeleton.names[foot], foot, limbs) for foot in clip.feet]
    return _sort_feet(clip, clip.feet, names, clip.contacts)


def _detect_footfalls(clip: Clip) -> Footfalls:
    """Detected as `ground` does it, on a plane."""
    walked = ground(clip[int(begins_with_stray_pose(clip)) :], "plane")
    limbs = [foot.limb for foot in walked.feet]
    names = [_limb_name(limb, limbs) for limb in limbs]
    # `before` travels: a cycle in place has a speed, too.
    return _sort_feet(walked.before, walked.clip.feet, names, walked.standing)


def _sort_feet(clip: Clip, joints: Sequence[int], names: Sequence[str], contacts: Array) -> Footfalls:
    """Points of feet with the same name put together, in order."""
    together = {name: [k for k, other in enumerate(names) if other == name] for name in names}
    sides = {name: read(name).side for name in together}
    positions = clip.positions()
    places = {name: positions[:, [joints[k] for k in points]].mean(axis=1) for name, points in together.items()}
    ahead = _mean_lead(places, sides)
    order = sorted(together, key=lambda name: (SIDE_ORDER.index(sides[name]), -ahead[name]))
    way = np.linalg.norm(np.diff(positions[:, clip.skeleton.roots[0], ::2], axis=0), axis=-1)
    return Footfalls(
        names=tuple(order),
        sides=tuple(sides[name] for name in order),
        stands=np.stack([np.any(contacts[:, together[name]], axis=1) for name in order], axis=1),
        fps=clip.fps,
        start=clip.start,
        speed=float(way.sum()) / clip.duration,
    )


def _mean_lead(places: dict[str, Array], sides: dict[str, str]) -> dict[str, float]:
    """How far ahead each foot is on average, metres; 0 where there are not both sides to tell what is ahead."""
    pair = [[places[name] for name in places if sides[name] == side] for side in SIDE_ORDER[:2]]
    if not all(pair):
        return dict.fromkeys(places, 0.0)
    left, right = (np.mean(some, axis=0) for some in pair)
    forward = np.cross(left - right, UP)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-12)
    return {name: float(np.mean(np.sum((place - left) * forward, axis=-1))) for name, place in places.items()}


def _landings(stands: Array) -> list[int]:
    """The frames in which a foot touches down."""
    return [first for first, _ in intervals(stands) if first > 0]


def _leg_name(joint: str, number: int, limbs: list[RigLimb]) -> str:
    """The name of a foot's leg, by the joint's own name or by the limb that it belongs to."""
    for end in FOOT_SUFFIXES:
        if joint.endswith(end):
            return joint.removesuffix(end).replace("_", " ")
    own = [limb for limb in limbs if number in (*limb.joints, *limb.toes)]
    return _limb_name(own[0], limbs) if own else joint


def _limb_name(limb: RigLimb, limbs: list[RigLimb]) -> str:
    """The name of a leg; those of a four-legged animal are fore and hind."""
    if any(other.kind == "arm" and other.stands for other in limbs):
        return f"{limb.side} {'fore' if limb.kind == 'arm' else 'hind'}".strip()
    return limb.name.replace("_", " ")
