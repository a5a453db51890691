"""Makes every picture in docs/pictures, with limbik itself: `python docs/figures.py`, or with names of some of them."""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from measurements import miss_near_the_rims, path_past_the_singularity, through_the_hole
from PIL import Image

import limbik
from limbik import samples
from limbik.pictures import palette
from limbik.pictures.canvas import canvas as sized
from limbik.pictures.canvas import save, style_axes
from limbik.pictures.gait_plot import footfalls, gait_figure
from limbik.pictures.limb_plot import draw_arrow, draw_links
from limbik.pictures.limb_scene import circle, ring
from limbik.pictures.workspace_plot import workspace_figure
from limbik.rotations import rotate

OUT = Path(__file__).parent / "pictures"
DPI = 110
ORANGE = "#E69F00"
SKY = "#56B4E9"
Y = np.array([0.0, 1.0, 0.0])


# --- what the figures share


@dataclass(frozen=True)
class Camera:
    """Looks at the world from afar: y up, turned about y from +z towards +x, and raised; angles in degrees."""

    turned: float
    raised: float

    def __call__(self, points: Any) -> np.ndarray:
        """Points (..., 3) as (..., 2): to the right, and up."""
        a, e = math.radians(self.turned), math.radians(self.raised)
        right = np.array([math.cos(a), 0.0, -math.sin(a)])
        toward = np.array([math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e)])
        return np.stack([np.asarray(points) @ right, np.asarray(points) @ np.cross(toward, right)], -1)


def canvas(width: float, height: float, columns: int = 1, titled: bool = False, **layout: Any) -> tuple[Any, list[Any]]:
    """A figure with axes side by side."""
    figure = sized(width, height)
    axes = figure.subplots(1, columns, squeeze=False, **layout)[0]
    figure.subplots_adjust(left=0.01, right=0.99, bottom=0.01, top=0.91 if titled else 0.99, wspace=0.04)
    return figure, list(axes)


def bare(axes: Any) -> None:
    """Equal axes without frame or ticks."""
    axes.set_aspect("equal")
    axes.axis("off")


def say(axes: Any, place: Any, text: str, offset: tuple[float, float] = (0, 0), **style: Any) -> None:
    """Text at a place, moved by some points."""
    style = {"ha": "center", "va": "center", "fontsize": 12, "color": palette.INK, "zorder": 10, **style}
    axes.annotate(text, xy=tuple(np.asarray(place)), xytext=offset, textcoords="offset points", **style)


def arc(axes: Any, centre: Any, radius: float, start: float, end: float, colour: str = palette.INK) -> np.ndarray:
    """An arc between two angles, in radians; returns the middle of it."""
    turn = np.linspace(start, end, 60)
    points = np.asarray(centre) + radius * np.stack([np.cos(turn), np.sin(turn)], -1)
    axes.plot(*points.T, color=colour, linewidth=1.4, zorder=3)
    return points[30]


def dashed(axes: Any, a: Any, b: Any, colour: str = palette.FAINT) -> None:
    """A dashed line."""
    axes.plot(*np.array([a, b]).T, color=colour, linewidth=1.2, linestyle=(0, (5, 4)), zorder=1)


def room(axes: Any, points: Any, margin: float = 0.1) -> None:
    """Limits around the points."""
    flat = np.concatenate([np.reshape(one, (-1, 2)) for one in points])
    low, high = flat.min(axis=0), flat.max(axis=0)
    space = margin * (high - low).max()
    axes.set_xlim(low[0] - space, high[0] + space)
    axes.set_ylim(low[1] - space, high[1] + space)


def heading(vector: Any) -> float:
    """The angle of a flat vector."""
    return math.atan2(vector[1], vector[0])


def perpendicular(vector: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The unit vector of `vector`'s part perpendicular to the unit axis."""
    part = vector - (vector @ axis) * axis
    return part / np.linalg.norm(part)


def target_mark(axes: Any, place: Any) -> None:
    """The cross that marks a target."""
    axes.plot(*place, "x", color=palette.TARGET, markersize=11, markeredgewidth=2.6, zorder=7)


# --- conventions


def conventions() -> Any:
    """The axes, and the chain Ry Rz Rx Rx Rx."""
    figure, (axes,) = canvas(6.4, 4.6)
    view = Camera(-62, 18)
    leg = limbik.ThreeLink(0.45, 0.42, 0.2)
    joints = leg.solve([0.1, -0.66, 0.3], [0.15, -0.25, 1.0]).joints
    flat = view(joints)
    for axis, name in zip(np.eye(3), ("x  left", "y  up", "z  forward"), strict=True):
        draw_arrow(axes, view(np.zeros(3)), view(0.42 * axis), palette.INK)
        say(axes, view(0.42 * axis), name, {"x": (-6, 14), "y": (0, 10), "z": (38, -2)}[name[0]])
    draw_links(axes, flat, palette.LINK)
    target_mark(axes, flat[-1])
    for joint, text, offset in (
        (flat[0], "origin: yaw about y,\nroll about z, hinge about x", (-96, -8)),
        (flat[1], "knee: hinge about x", (74, 6)),
        (flat[2], "ankle: hinge about x", (-76, 2)),
        (flat[3], "tip, at the target", (66, 0)),
    ):
        say(axes, joint, text, offset, fontsize=11)
    room(axes, [flat, view(0.45 * np.eye(3)), flat.min(axis=0) - [0.3, 0], flat.max(axis=0) + [0.28, 0]], 0.05)
    bare(axes)
    return figure


# --- two links


def triangle() -> Any:
    """The triangle of two links and its chord, in lengths and as fractions of the total."""
    figure, both = canvas(10.4, 3.8, 2)
    arm = limbik.PlanarTwoLink(0.5, 0.4)
    origin, elbow, tip = joints = arm.solve([0.68, 0.0]).joints
    foot = elbow * [1, 0]
    for axes in both:
        dashed(axes, origin, tip)
        draw_links(axes, joints, palette.LINK)
        room(axes, [joints, [[0, -0.16], [0, 0.38]]], 0.06)
        bare(axes)
    left, right = both
    say(left, elbow / 2, "$l_1$", (-14, 8), fontsize=15)
    say(left, (elbow + tip) / 2, "$l_2$", (14, 8), fontsize=15)
    say(left, tip / 2, "$d$", (0, -14), fontsize=15)
    say(left, arc(left, origin, 0.13, 0, heading(elbow)), "$\\theta_a$", (15, 5), fontsize=14)
    say(left, arc(left, elbow, 0.09, heading(-elbow), heading(tip - elbow)), "$\\theta_b$", (1, -13), fontsize=14)
    beyond = elbow + 0.17 * elbow / np.linalg.norm(elbow)
    dashed(left, elbow, beyond)
    say(left, arc(left, elbow, 0.12, heading(elbow), heading(tip - elbow)), "$K$", (15, 6), fontsize=14)
    for place, name, offset in ((origin, "O", (-14, -8)), (elbow, "elbow", (-26, 10)), (tip, "E", (14, -8))):
        say(left, place, name, offset)
    dashed(right, elbow, foot, palette.TARGET)
    right.plot(*np.array([origin, tip]).T, color=palette.INK, linewidth=1.2, zorder=1)
    say(right, elbow / 2, "$\\frac{1+D}{2}$", (-20, 12), fontsize=16)
    say(right, (elbow + tip) / 2, "$\\frac{1-D}{2}$", (22, 12), fontsize=16)
    say(right, (foot + elbow) / 2, "$y$", (10, -4), fontsize=15, color=palette.TARGET)
    say(right, foot / 2, "$x=\\frac{c+\\rho}{2}$", (0, -20), fontsize=15)
    say(right, (foot + tip) / 2, "$\\frac{c-\\rho}{2}$", (0, -20), fontsize=15)
    say(right, tip / 2, "in units of $L=l_1+l_2$, with the chord $c=d/L$", (0, -52), color=palette.FAINT)
    say(left, tip / 2, "in lengths", (0, -52), color=palette.FAINT)
    return figure


def digits() -> Any:
    """How far forward kinematics of the angles misses, near full stretch and near full fold."""
    figure, both = canvas(9.6, 3.7, 2, sharey=True)
    for axes, (title, shortfalls, by_arccos, by_half) in zip(both, miss_near_the_rims(), strict=True):
        axes.loglog(shortfalls, by_arccos, "o-", color=palette.TARGET, label="law of cosines and arccos")
        axes.loglog(shortfalls, by_half, "s-", color=palette.LINK, label="limbik")
        axes.set_title(title, fontsize=12, color=palette.INK)
        axes.set_xlabel("distance from the rim, as a fraction of the reach", color=palette.FAINT)
        axes.invert_xaxis()
        axes.minorticks_off()
        style_axes(axes)
    both[0].set_ylabel("worst miss / reach", color=palette.FAINT)
    both[0].legend(frameon=False, loc="upper left")
    figure.tight_layout()
    return figure


def planar() -> Any:
    """Both bends of a planar arm in its ring, and angles that are counter-clockwise."""
    figure, (axes,) = canvas(5.4, 5.0)
    arm = limbik.PlanarTwoLink(0.5, 0.3)
    target = np.array([0.46, 0.44])
    two = arm.branches(target)
    axes.fill(*ring(0.2, 0.8).T, color=palette.REGION, linewidth=0)
    for radius in (0.2, 0.8):
        axes.plot(*circle(radius).T, color=palette.REGION_EDGE, linewidth=0.9)
    draw_links(axes, two.joints[1], palette.GHOST, faint=True)
    draw_links(axes, two.joints[0], palette.LINK)
    dashed(axes, [0, 0], target)
    dashed(axes, [0, 0], [0.4, 0])
    target_mark(axes, target)
    _, elbow, tip = two.joints[0]
    say(axes, arc(axes, [0, 0], 0.28, 0, two.angles[0, 0], palette.LINK), "$\\theta_0$", (16, -2), color=palette.LINK)
    dashed(axes, elbow, elbow * 1.35, palette.LINK)
    first = heading(elbow)
    say(
        axes,
        arc(axes, elbow, 0.13, first, first + two.angles[0, 1], palette.LINK),
        "$\\theta_1$",
        (13, 7),
        color=palette.LINK,
    )
    say(axes, elbow, "bend +1:\nleft of the ray", (-14, 8), ha="right", color=palette.LINK)
    say(axes, two.joints[1, 1], "bend −1:\nright of it", (2, -24), ha="left", color=palette.FAINT)
    say(axes, tip, "E", (15, 4))
    say(axes, [0, 0], "O", (-12, -10))
    say(axes, [0, -0.48], "$|l_1-l_2| \\leq d \\leq l_1+l_2$", color=palette.FAINT, fontsize=12)
    room(axes, [circle(0.8)], 0.02)
    bare(axes)
    return figure


def pole() -> Any:
    """The circle on which the elbow can lie, and how pole and twist choose a point of it."""
    figure, (axes,) = canvas(7.0, 4.0)
    view = Camera(-52, 20)
    arm = limbik.TwoLink(0.34, 0.3)
    target = np.array([0.1, 0.12, 0.5])
    direction = np.array([0.0, 1.0, -0.15])
    pose, twisted = (arm.solve(target, pole=direction, twist=twist) for twist in (0.0, 0.8))
    joints = view(pose.joints)
    aim = target / np.linalg.norm(target)
    side = perpendicular(direction, aim)
    knee = pose.joints[1]
    centre = (knee @ aim) * aim
    turn = np.linspace(0, 2 * math.pi, 121)[:, None]
    rim = centre + (knee @ side) * (np.cos(turn) * side + np.sin(turn) * np.cross(aim, side))
    axes.plot(*view(rim).T, color=palette.REGION_EDGE, linewidth=1.6)
    axes.fill(*view(rim).T, color=palette.REGION, alpha=0.6, linewidth=0)
    draw_arrow(axes, view(np.zeros(3)), view(1.25 * target), palette.INK)
    draw_arrow(axes, view(np.zeros(3)), view(0.3 * direction), palette.POLE)
    draw_arrow(axes, view(centre), view(knee), palette.LINK)
    draw_links(axes, view(twisted.joints), palette.GHOST, faint=True)
    draw_links(axes, joints, palette.LINK)
    target_mark(axes, joints[-1])
    sector = rim[: int(121 * 0.8 / (2 * math.pi)) + 1]
    axes.plot(*view(sector).T, color=palette.TARGET, linewidth=2.6, zorder=3)
    say(axes, view(sector[len(sector) // 2]), "twist", (-22, 6), color=palette.TARGET)
    say(axes, view(0.3 * direction), "pole $p$", (-26, 2), color=palette.POLE)
    say(axes, view(1.25 * target), "aim $e$", (24, 0))
    say(axes, view(centre + 0.5 * (knee - centre)), "$f$", (9, -4), color=palette.LINK, fontsize=14)
    say(axes, joints[1], "elbow", (32, 8))
    say(axes, joints[0], "O", (-14, -6))
    say(axes, joints[2], "E", (4, -17))
    room(axes, [view(rim), joints, view(1.45 * target), view(0.33 * direction), view(-0.04 * target)], 0.03)
    bare(axes)
    return figure


def soft_reach() -> Any:
    """The eased chord against the one asked for, and how the tip follows a target that runs away."""
    figure, (axes,) = canvas(6.2, 4.0)
    arm = limbik.TwoLink(0.5, 0.5)
    asked = np.linspace(0.5, 1.5, 401)
    targets = np.stack([0 * asked, 0 * asked, asked], -1)
    for onset, colour in ((1.0, palette.FAINT), (0.9, SKY), (0.7, palette.LINK)):
        chord = arm.solve(targets, soften=onset).joints[:, -1, 2]
        label = "no softening" if onset == 1 else f"soften = {onset}"
        axes.plot(asked, chord, color=colour, linewidth=2.4, label=label)
        axes.plot(onset, onset, "o", color=colour)
    dashed(axes, [0.5, 0.5], [1.06, 1.06])
    say(axes, [0.98, 1.045], "never past what was asked", (-6, 0), ha="right", color=palette.FAINT, fontsize=10)
    say(axes, [1.5, 1.0], "never past full stretch", (0, 9), ha="right", color=palette.FAINT, fontsize=10)
    axes.set_xlabel("distance asked for / reach", color=palette.FAINT)
    axes.set_ylabel("distance reached / reach", color=palette.FAINT)
    axes.legend(frameon=False, loc="lower right")
    style_axes(axes)
    axes.set_aspect("equal")
    axes.set_ylim(0.48, 1.09)
    figure.tight_layout()
    return figure


# --- three links


def three_links() -> Any:
    """P_T, the bending plane that holds `up`, its hinge axis, and both bends."""
    figure, (axes,) = canvas(7.4, 5.2)
    view = Camera(-118, 24)
    leg = limbik.ThreeLink(0.45, 0.4, 0.26)
    ankle, up = np.array([0.06, -0.52, 0.32]), np.array([0.34, 0.18, 0.92])
    up /= np.linalg.norm(up)
    target = ankle + 0.26 * up
    joints = leg.branches(target, up).joints[[0, 4]]
    aim = ankle / np.linalg.norm(ankle)
    side = perpendicular(up, aim)
    normal = np.cross(side, aim)
    corners = [a * aim + b * side for a, b in ((-0.12, -0.42), (-0.12, 0.62), (0.86, 0.62), (0.86, -0.42))]
    axes.fill(*view(corners).T, color=palette.REGION, alpha=0.8, linewidth=0)
    dashed(axes, view(np.zeros(3)), view(ankle))
    draw_links(axes, view(joints[1]), palette.GHOST, faint=True)
    draw_links(axes, view(joints[0]), palette.LINK)
    draw_arrow(axes, view(np.zeros(3)), view(0.3 * normal), palette.TARGET)
    draw_arrow(axes, view(np.zeros(3)), view(0.24 * side), ORANGE)
    draw_arrow(axes, view(ankle), view(target), palette.UP)
    target_mark(axes, view(target))
    for place, text, offset, colour in (
        (np.zeros(3), "O", (-12, 10), palette.INK),
        (joints[0, 1], "knee, bend +1", (52, 6), palette.LINK),
        (joints[1, 1], "bend −1", (-34, 2), palette.FAINT),
        (ankle, "$P_T$, the ankle", (32, -16), palette.INK),
        (target, "E", (14, -8), palette.INK),
        (ankle + 0.14 * up, "$u$", (4, -14), palette.UP),
        (0.3 * normal, "hinge axis $n=f\\times e$", (-16, 14), palette.TARGET),
        (0.24 * side, "$f$", (8, 10), ORANGE),
        (0.5 * ankle, "$d$", (-12, 0), palette.FAINT),
    ):
        say(axes, view(place), text, offset, color=colour)
    room(axes, [view(corners), view(joints), view(0.3 * normal)], 0.07)
    bare(axes)
    return figure


def natural_and_easy() -> Any:
    """The same target and up, bent in the plane that holds up, and in the vertical plane."""
    figure, both = canvas(9.6, 4.6, 2, titled=True)
    view = Camera(-38, 14)
    leg = limbik.ThreeLink(0.45, 0.42, 0.24)
    target, up = np.array([0.22, -0.62, 0.24]), np.array([0.85, -0.2, 0.5])
    for axes, style in zip(both, ("natural", "easy"), strict=True):
        pose = leg.solve(target, up, style=style, hint=(0, 0, 1) if style == "easy" else None)
        origin, knee, ankle, tip = joints = pose.joints
        axes.fill(*view(joints[:3]).T, color=palette.REGION, linewidth=0)
        draw_links(axes, view(joints), palette.LINK)
        draw_arrow(axes, view(ankle), view(tip), palette.UP)
        target_mark(axes, view(tip))
        floor = joints * [1, 0, 1] + [0, -0.75, 0]
        axes.plot(*view(floor).T, color=palette.GHOST, linewidth=3, alpha=0.45, solid_capstyle="round")
        say(axes, view(origin), "O", (-12, 6))
        say(axes, view(knee), "knee", (26, 2))
        say(axes, view(tip), "E", (12, 6))
        lean = math.degrees(pose.out_of_plane)
        told = "all links in one plane" if style == "natural" else f"last link {abs(lean):.0f}° out of the plane"
        axes.set_title(f"{style}: {told}", fontsize=12, color=palette.INK)
        room(axes, [view(joints), view(floor), view(floor) + [0.08, 0], view(floor) - [0.08, 0]], 0.06)
        bare(axes)
    return figure


def handover() -> Any:
    """The side of the bending plane as `up` goes over a disc around the aim, without a hint and with one."""
    figure, both = canvas(9.8, 5.1, 2)
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    ankle = np.array([0.0, -0.7, 0.0])
    grid = np.linspace(-24, 24, 13)
    x, z = (one.ravel() for one in np.meshgrid(grid, grid))
    keep = np.hypot(x, z) <= 25
    x, z = x[keep] + 1e-7, z[keep] + 2e-7
    up = np.stack([np.sin(np.radians(x)), -np.ones_like(x), np.sin(np.radians(z))], -1)
    up[:, 1] = -np.sqrt(1 - up[:, 0] ** 2 - up[:, 2] ** 2)
    for axes, hint in zip(both, (None, (0.0, 0.0, 1.0)), strict=True):
        knee = leg.solve(ankle + 0.12 * up, up, hint=hint).joints[:, 1]
        side = knee[:, [0, 2]] / np.hypot(knee[:, 0], knee[:, 2])[:, None]
        axes.quiver(x, z, *side.T, color=palette.LINK, pivot="mid", width=0.006, scale=19)
        axes.plot(*circle(15).T, color=palette.FAINT, linewidth=1, linestyle=(0, (5, 4)))
        free = (0.0, 0.0) if hint is None else (0.0, -math.degrees(math.asin(0.5 * math.sin(math.radians(15)))))
        axes.plot(*free, "o", color=palette.TARGET, markersize=9)
        axes.set_title("no hint" if hint is None else "a hint, upward in this picture", fontsize=12, color=palette.INK)
        axes.set_xlabel("where up points, in degrees off the aim", color=palette.FAINT)
        axes.set_xticks(range(-20, 21, 10))
        axes.set_yticks(range(-20, 21, 10))
        axes.set_aspect("equal")
        style_axes(axes)
    figure.tight_layout()
    return figure


def track() -> Any:
    """A leg whose `up` passes close by the singularity: the plane's angle, solved frame by frame and tracked."""
    figure, both = canvas(9.8, 3.7, 2)
    path = path_past_the_singularity()
    angle, step = both
    for name, colour, line in (("solve", palette.TARGET, "o-"), ("track", palette.LINK, "s-")):
        angle.plot(path.sweep, path.plane[name], line, color=colour, markersize=3, label=name)
        step.plot(path.sweep, np.degrees(np.abs(path.lean[name])), line, color=colour, markersize=3, label=name)
    angle.set_title("the bending plane's angle, degrees", fontsize=12, color=palette.INK)
    step.set_title("the last link's lean out of it, degrees", fontsize=12, color=palette.INK)
    for axes in both:
        axes.set_xlabel("where up stands along its path, degrees from the aim", color=palette.FAINT)
        style_axes(axes)
        axes.legend(frameon=False)
    figure.tight_layout()
    return figure


def too_near() -> Any:
    """A target that crosses the hole which the folded arm leaves: where the tip goes, solved and tracked."""
    figure, both = canvas(9.6, 4.4, 2, titled=True)
    path = through_the_hole()
    for axes, name in zip(both, ("solve", "track"), strict=True):
        axes.fill(*ring(path.near, path.far).T, color=palette.REGION, linewidth=0)
        axes.plot(*circle(path.near).T, color=palette.REGION_EDGE, linewidth=1)
        for goal, tip in zip(path.targets, path.tips[name], strict=True):
            axes.plot(*np.array([goal, tip]).T, color=palette.GRID, linewidth=0.8, zorder=2)
        axes.plot(*path.targets.T, ".", color=palette.TARGET, markersize=5, zorder=3, label="target")
        axes.plot(*path.tips[name].T, "o-", color=palette.LINK, markersize=4, linewidth=1, zorder=4, label="tip")
        axes.set_title(f"{name}: longest step of the tip {path.longest[name]}", fontsize=12, color=palette.INK)
        axes.set_xlim(-0.48, 0.48)
        axes.set_ylim(-0.36, 0.42)
        bare(axes)
    both[0].legend(frameon=False, loc="upper left")
    return figure


def priority() -> Any:
    """A target beyond reach with `up` kept, and the tip brought to it by giving up some of `up`."""
    figure, both = canvas(9.4, 4.4, 2, titled=True)
    leg = limbik.ThreeLink(0.45, 0.42, 0.26)
    target, up = np.array([0.0, -0.9, 0.42]), np.array([0.0, 0.55, 1.0])
    for axes, first in zip(both, ("up", "position"), strict=True):
        pose = leg.solve(target, up, priority=first)
        joints = pose.joints[:, [2, 1]]
        goal = target[[2, 1]]
        draw_links(axes, joints, palette.LINK)
        asked = up[[2, 1]] / np.linalg.norm(up)
        draw_arrow(axes, goal - 0.26 * asked, goal, palette.UP)
        target_mark(axes, goal)
        say(axes, goal - 0.13 * asked, "up, as asked", (10, -10), color=palette.UP, ha="left")
        told = f"misses by {pose.residual:.2f}, up is kept" if first == "up" else "reached"
        turned = math.degrees(pose.up_error)
        axes.set_title(
            f'priority="{first}": {told}' + (f", {turned:.0f}° from up" if turned > 0.1 else ""),
            fontsize=12,
            color=palette.INK,
        )
        for joint, name, offset in zip(joints, ("O", "knee", "ankle"), ((-12, 6), (-28, -2), (-28, -6)), strict=False):
            say(axes, joint, name, offset)
        room(axes, [joints, goal, [[-0.3, 0.05], [0.75, -1.05]]], 0.03)
        bare(axes)
    return figure


def limits() -> Any:
    """A knee's range as a range of distances, and a last joint at the end of its own."""
    figure, both = canvas(9.8, 5.0, 2, titled=True)
    knee, last = both
    arm = limbik.PlanarTwoLink(0.45, 0.42, middle_limits=(0.35, 2.3))
    near, far = (float(np.hypot(*arm.forward([0.0, bend])[-1])) for bend in (2.3, 0.35))
    knee.fill(*ring(near, far).T, color=palette.REGION, linewidth=0)
    for radius in (near, far):
        knee.plot(*circle(radius).T, color=palette.REGION_EDGE, linewidth=1)
    knee.plot(*circle(0.87).T, color=palette.FAINT, linewidth=1, linestyle=(0, (5, 4)))
    for reach, angle, bend in ((2.0, 0.5, 20), (0.0, 2.4, 132)):
        goal = reach * np.array([math.cos(angle), math.sin(angle)]) + [1e-9, 1e-9]
        joints = arm.solve(goal).joints if reach else arm.solve([-1e-3, 1e-3]).joints
        draw_links(knee, joints, palette.LINK)
        say(knee, joints[1], f"bent by {bend}°", (2, 17 if reach else -18))
    knee.set_title("knee range 20° to 132°: a ring of distances", fontsize=12, color=palette.INK)
    room(knee, [circle(0.87)], 0.03)
    bare(knee)
    _last_limits(last)
    return figure


def _last_limits(axes: Any) -> None:
    lengths = (0.45, 0.42, 0.3)
    target, up = np.array([0.0, -0.6, 0.45]), np.array([0.0, -0.1, 1.0])
    held = limbik.ThreeLink(*lengths, last_limits=(-1.5, 0.3))
    free = limbik.ThreeLink(*lengths).solve(target, up)
    kept, given_up = (held.solve(target, up, priority=first) for first in ("up", "position"))
    flat = [pose.joints[:, [2, 1]] for pose in (free, given_up, kept)]
    for joints, colour, faint in zip(flat, (palette.GHOST, ORANGE, palette.LINK), (True, True, False), strict=True):
        draw_links(axes, joints, colour, faint=faint)
    target_mark(axes, target[[2, 1]])
    say(axes, flat[0][2], "no range", (-34, -10), color=palette.FAINT)
    turned = math.degrees(given_up.up_error)
    say(axes, flat[1][1], f"position first:\nreached, {turned:.0f}° from up", (2, 26), color="#A87000")
    say(axes, flat[2][3], f"up first:\nmisses by {kept.residual:.2f}", (4, 28), color=palette.LINK)
    axes.set_title("last joint held to a bend of −86° to 17°", fontsize=12, color=palette.INK)
    room(axes, [*flat, [[0.0, 0.08], [0.7, 0.08]]], 0.06)
    bare(axes)


def printed_cosine() -> Any:
    """Erratum 1: the printed cosine and the right one, for one arm."""
    figure, (axes,) = canvas(6.4, 3.6)
    first, second = 0.45, 0.30
    d = np.linspace(first - second, first + second, 400)
    above = d**2 + first**2 - second**2
    axes.axhspan(1, 1.8, color="#F6DDD0", linewidth=0)
    axes.plot(d, above / (2 * d * second), color=palette.TARGET, linewidth=2.4, label="as printed, over $2dl_2$")
    axes.plot(d, above / (2 * d * first), color=palette.LINK, linewidth=2.4, label="right, over $2dl_1$")
    say(axes, [0.2, 1.7], "no angle has such a cosine", ha="left", color=palette.TARGET, fontsize=11)
    axes.set_xlabel("distance $d$ to a reachable target ($l_1=0.45$, $l_2=0.30$)", color=palette.FAINT)
    axes.set_ylabel("$\\cos\\theta_a$", color=palette.FAINT)
    axes.set_ylim(0.6, 1.8)
    axes.legend(frameon=False, loc="lower right")
    style_axes(axes)
    figure.tight_layout()
    return figure


# --- the README's picture


@dataclass(frozen=True)
class Walk:
    """A walker on a slope: hips (frames, 3), toes and foot directions (frames, legs, 3), and the tracked legs."""

    hips: np.ndarray
    toes: np.ndarray
    poses: limbik.Solution


def ground(z: Any) -> Any:
    """The height of a slope that levels out at both ends."""
    return -0.52 * 0.5 * (1 + np.tanh((np.asarray(z) - 1.75) / 0.95))


def walk_down(frames: int = 181, stride: float = 0.62, legs: int = 2) -> Walk:
    """Feet planted in turn on the ground, each foot along it, tracked by a batch of two legs."""
    time = np.linspace(0.0, 5.4, frames)
    phase = time[:, None] + np.arange(legs) / legs
    step, part = np.floor(phase), phase % 1.0
    swing = np.clip((part - 0.55) / 0.45, 0, 1)
    eased = swing * swing * (3 - 2 * swing)
    z = (step - np.arange(legs) / legs + eased) * stride
    slope = np.arctan2(ground(z + 0.05) - ground(z - 0.05), 0.1)
    lift = 0.13 * np.sin(math.pi * swing)
    heel = 0.24 + 0.55 * np.sin(math.pi * np.clip((part - 0.38) / 0.4, 0, 1)) ** 2  # the ankle above the toe
    toes = np.stack([np.full_like(z, 0.1) * [1, -1], ground(z) + lift, z + 0.16], -1)
    feet = np.stack([0 * z, np.sin(slope - heel), np.cos(slope - heel)], -1)
    hip_z = (time - 0.28) * stride
    hips = np.stack([0 * time, 0.895 + ground(hip_z + 0.16) + 0.012 * np.cos(4 * math.pi * time), hip_z], -1)
    origins = hips[:, None] + np.array([[0.1, 0, 0], [-0.1, 0, 0]])
    poses = limbik.ThreeLink(0.46, 0.44, 0.2).track(toes, feet, origin=origins)
    return Walk(hips, toes, poses)


def hero() -> Any:
    """What limbik does, at a glance: every branch of a leg, and feet that stay planted down a slope."""
    figure = sized(12.0, 4.5)
    _hero_walk(figure.add_axes((0.31, 0.0, 0.69, 1.0)))
    _hero_leg(figure.add_axes((0.0, 0.0, 0.31, 1.0)))
    return figure


def _hero_leg(axes: Any) -> None:
    view = Camera(-64, 16)
    leg = limbik.ThreeLink(0.45, 0.42, 0.2)
    target, up = np.array([0.12, -0.68, 0.34]), np.array([0.3, -0.15, 1.0])
    both = leg.branches(target, up)
    pose, other = both.joints[0], both.joints[4]
    normal = np.cross(pose[1], pose[2] - pose[1])
    aim = pose[2] / np.linalg.norm(pose[2])
    side = np.cross(aim, normal / np.linalg.norm(normal))
    plane = [a * aim + b * side for a, b in ((-0.16, -0.5), (-0.16, 0.44), (0.9, 0.44), (0.9, -0.5))]
    axes.fill(*view(plane).T, color=palette.REGION, alpha=0.75, linewidth=0)
    draw_links(axes, view(other), palette.GHOST, faint=True)
    draw_links(axes, view(pose), palette.LINK)
    draw_arrow(axes, view(target), view(target + 0.17 * up), palette.UP)
    target_mark(axes, view(target))
    say(axes, view(target + 0.17 * up), "up", (10, 8), color=palette.UP)
    say(axes, view(target), "target", (8, -18), color=palette.TARGET)
    say(axes, view(pose[1]), "solution", (40, 4), color=palette.LINK)
    say(axes, view(other[1]), "other\nbranch", (-28, 0), color=palette.FAINT)
    room(axes, [view(plane), view(target + 0.2 * up), view(other) - [0.05, 0]], 0.04)
    bare(axes)


def _hero_walk(axes: Any) -> None:
    walk = walk_down()
    z = np.linspace(-0.8, 4.0, 300)
    axes.fill_between(z, ground(z), -1.2, color="#E9E4DA", linewidth=0)
    axes.plot(z, ground(z), color="#8C7B5E", linewidth=2)
    for leg, colour in ((0, SKY), (1, palette.TARGET)):
        axes.plot(walk.toes[:, leg, 2], walk.toes[:, leg, 1], color=colour, linewidth=1.2, alpha=0.8)
    axes.plot(walk.hips[:, 2], walk.hips[:, 1], color=palette.FAINT, linewidth=1.2, linestyle=(0, (2, 3)))
    for frame in np.linspace(8, len(walk.hips) - 18, 7).astype(int):
        far, near = walk.poses.joints[frame][:, :, [2, 1]]
        hip = near[0]
        axes.plot(
            *np.array([hip, hip + [0.05, 0.46]]).T, color="#D5D5D5", linewidth=9, solid_capstyle="round", zorder=1
        )
        axes.plot(*(hip + [0.075, 0.62]), "o", color="#D5D5D5", markersize=17, zorder=1)
        draw_links(axes, far, SKY, faint=True)
        draw_links(axes, near, palette.LINK, faint=True)
    axes.set_xlim(-0.70, 3.606)
    axes.set_ylim(-0.72, 1.62)
    bare(axes)


# --- rigs


def rigs() -> Any:
    """A walking figure whose hand follows a path, before and after, and whose head watches it."""
    walk = samples.walk()
    arm = limbik.find_limbs(walk.skeleton)["right_arm"]
    hips = walk.positions()[:, 0]
    wave = 0.13 * np.sin(4.0 * hips[:, 2])
    path = np.stack([np.full(len(walk), -0.33), 1.03 + wave, hips[:, 2] + 0.30], -1)
    posed = walk.reach(arm, path).aim("Head", path)
    figure, (axes,) = canvas(9.6, 4.3)
    view = Camera(-68, 9)
    axes.plot(*view(path[:211]).T, color=palette.TARGET, linewidth=1.8, zorder=6)
    floor = np.array([[x, 0.0, z] for x, z in ((-0.4, -0.45), (-0.4, 3.95), (0.4, 3.95), (0.4, -0.45))])
    axes.fill(*view(floor).T, color="#F1EEE8", linewidth=0, zorder=0)
    frames = range(12, 205, 38)
    for frame in frames:
        _stick_figure(axes, view, posed, frame, arm.joints)
        draw_links(axes, view(walk.positions()[frame, list(arm.joints)]), palette.GHOST, faint=True)
        draw_links(axes, view(posed.positions()[frame, list(arm.joints)]), palette.LINK)
        axes.plot(*view(path[frame]), "x", color=palette.TARGET, markersize=9, markeredgewidth=2.4, zorder=9)
    say(axes, view(path[210]), "the path\nof the hand", (10, 0), color=palette.TARGET, ha="left")
    say(axes, view(path[12]), "reach", (8, 20), color=palette.LINK, ha="left")
    say(axes, view(walk.positions()[12, arm.joints[-1]]), "as it was", (-10, -12), color=palette.FAINT, ha="right")
    room(axes, [view(floor), view(posed.positions()[12]) + [0, 0.18], view(path[210]) + [0.55, 0]], 0.02)
    bare(axes)
    return figure


def several_ends() -> Any:
    """One pose as it was, and with hands, feet and pelvis sent to targets: pelvis and spine follow."""
    walk = samples.walk()
    pose, places = walk[60:61], walk[60].positions()
    here = {name: places[limb.joints[-1]] for name, limb in pose.skeleton.torso.ends.items()}
    looks = limbik.Goal(direction=(-0.1, -0.7, 0.7))
    asked = [
        ("as it was", {}, {}),
        (
            "a hand: pelvis and spine follow,\nthe feet stay",
            {"right_hand": (-0.35, 0.3, places[0, 2] + 0.55)},
            {"head": looks},
        ),
        ("the pelvis down,\na hand held", {"pelvis": places[0] - [0.0, 0.35, 0.1]}, {"left_hand": here["left_hand"]}),
        (
            "both hands, a foot\nand the pelvis",
            {
                "left_hand": here["left_hand"] + [0.1, 0.75, 0.1],
                "right_hand": here["right_hand"] + [-0.2, 0.7, 0.3],
                "left_foot": here["left_foot"] + [0.05, 0.45, 0.35],
                "pelvis": places[0] + [0.0, -0.08, 0.0],
            },
            {},
        ),
        ("too far: the feet stay,\nthe hand misses", {"right_hand": (-0.4, 1.0, places[0, 2] + 1.8)}, {}),
    ]
    figure, (axes,) = canvas(11.0, 3.9)
    camera, drawn = Camera(-68, 9), []
    for k, (words, goals, also) in enumerate(asked):

        def view(points: Any, aside: float = 1.35 * k) -> Any:
            return camera(points) + [aside, 0.0]

        posed = pose.reach({**goals, **also}) if goals else pose
        _stick_figure(axes, view, posed, 0, ())
        for goal in goals.values():
            axes.plot(*view(np.asarray(goal)), "x", color=palette.TARGET, markersize=9, markeredgewidth=2.4, zorder=9)
        below = view(np.array([0.0, -0.12, places[0, 2]]))
        axes.text(*below, words, ha="center", va="top", fontsize=9, color="#444444")
        drawn += [view(posed.positions()[0]) + [0, 0.12], below[None] - [0.0, 0.25]]
        drawn += [view(np.asarray(goal))[None] + [0.1, 0.0] for goal in goals.values()]
    room(axes, drawn, 0.03)
    bare(axes)
    return figure


def _stick_figure(
    axes: Any, view: Callable[[Any], Any], clip: limbik.Clip, frame: int, without: tuple[int, ...]
) -> None:
    """The bones of one frame, but for those that lead to some joints, and a head that shows where it looks."""
    positions, rotations = (part[frame] for part in clip.world())
    flat = view(positions)
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent >= 0 and joint not in without[1:]:
            far = clip.skeleton.names[joint].startswith("L") and joint != clip.skeleton.index("LowerBack")
            colour, order = ("#C9C9C9", 1) if far else ("#8A8A8A", 2)
            axes.plot(*flat[[parent, joint]].T, color=colour, linewidth=4.2, solid_capstyle="round", zorder=order)
    head = clip.skeleton.index("Head")
    centre, nose = (
        positions[head] + rotate(rotations[head], np.array(at)) for at in ((0, 0.07, 0.02), (0, 0.05, 0.30))
    )
    axes.plot(*view(centre), "o", color="#8A8A8A", markersize=19, zorder=3)
    draw_arrow(axes, view(centre), view(nose), palette.UP)


# --- grounding


def fit() -> Any:
    """Positions of 22 joints, and the figure that limbik makes from them."""
    walk = samples.walk()
    names = ("Hips", "LeftUpLeg", "RightUpLeg", "LowerBack", "LeftLeg", "RightLeg", "Spine", "LeftFoot", "RightFoot")
    names += ("Spine1", "LeftToeBase", "RightToeBase", "Neck", "LeftShoulder", "RightShoulder", "Head", "LeftArm")
    names += ("RightArm", "LeftForeArm", "RightForeArm", "LeftHand", "RightHand")
    positions = walk.positions()[:190, [walk.skeleton.index(name) for name in names]]
    clip = limbik.fit(positions, "humanml3d", fps=walk.fps)
    figure, (left, right) = canvas(9.6, 3.4, columns=2, titled=True)
    view = Camera(52, 14)
    for frame in range(0, 190, 38):
        left.plot(*view(positions[frame]).T, ".", color=palette.TARGET, markersize=4)
    left.set_title("positions, (frames, 22, 3)")
    with tempfile.TemporaryDirectory() as folder:
        limbik.render(clip, Path(folder) / "still.png", size=(960, 640), poses=5)
        right.imshow(np.asarray(Image.open(Path(folder) / "still.png")))
    right.set_title('limbik.fit(positions, "humanml3d")')
    room(left, [view(positions[::38].reshape(-1, 3))], 0.1)
    bare(left)
    bare(right)
    return figure


def grounding() -> Any:
    """A walk made for a floor, over a floor and up stairs: as it was, in grey, and grounded."""
    walk = samples.walk()
    figure, rows = canvas(9.6, 3.3, 2)
    for axes, spec, title in zip(
        rows,
        ("slope:12,heading=180", "stairs:rise=0.17,run=0.3,start=0.9"),
        ("down a slope", "up the stairs"),
        strict=True,
    ):
        result = limbik.ground(walk, spec)
        before, after = walk.positions(), result.clip.positions()
        z = np.linspace(before[:, 0, 2].min() - 0.6, before[:, 0, 2].max() + 0.6, 1200)
        height = result.terrain.height(np.stack([np.zeros_like(z), z], -1))
        axes.fill_between(z, height, height.min() - 0.12, color="#F1EEE8", linewidth=0)
        axes.plot(z, height, color=palette.INK, linewidth=1.2)
        for frame in range(10, len(walk), 58):
            _bones(axes, walk, before[frame], "#D8D8D8", 1)
            _bones(axes, walk, after[frame], palette.LINK, 3)
        for k, foot in enumerate(result.clip.feet):
            stood = after[result.clip.contacts[:, k], foot]
            axes.plot(stood[:, 2], stood[:, 1], "o", color=palette.TARGET, markersize=5, zorder=5)
        axes.set_title(title, fontsize=11)
        bare(axes)
    figure.subplots_adjust(top=0.9)
    return figure


def _bones(axes: Any, clip: limbik.Clip, positions: np.ndarray, colour: str, order: int) -> None:
    """One frame seen from its right."""
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent >= 0:
            axes.plot(*positions[[parent, joint]][:, [2, 1]].T, color=colour, linewidth=2.2, zorder=order)


def gait() -> Any:
    """Which feet of a hexapod stand, over time."""
    return gait_figure(footfalls(limbik.walk("hexapod", gait="ripple", seconds=4)), "a hexapod's ripple gait")


def workspace() -> Any:
    """What a leg reaches with its foot held along one direction, and limits of knee and ankle."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.2, middle_limits=(0.1, 2.5), last_limits=(-0.7, 1.0))
    return workspace_figure(leg, up=(0.0, -0.89, 0.45))


FIGURES: dict[str, Callable[[], Any]] = {
    one.__name__: one
    for one in (
        conventions,
        triangle,
        digits,
        planar,
        pole,
        soft_reach,
        three_links,
        natural_and_easy,
        handover,
        track,
        too_near,
        priority,
        limits,
        printed_cosine,
        hero,
        rigs,
        several_ends,
        fit,
        grounding,
        gait,
        workspace,
    )
}


def main(names: list[str], folder: Path = OUT) -> None:
    """Writes the figures of these names, or all of them."""
    folder.mkdir(exist_ok=True)
    for name in names or FIGURES:
        save(FIGURES[name](), folder / f"{name}.png", dpi=DPI)


if __name__ == "__main__":
    main(sys.argv[1:])
