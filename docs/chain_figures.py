"""Makes the pictures of docs/chains.md: `python docs/chain_figures.py FOLDER`, a folder with Fox.glb and cmu_05_02.bvh.

FABRIK is written in the tests, as published: run it in the repository's root, with that on PYTHONPATH.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import limbik
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, save, style_axes
from tests.limbs.iterative_peers import fabrik

OUT = Path(__file__).parent / "pictures"
LENGTHS = np.array([0.2, 0.18, 0.16, 0.14, 0.12, 0.1, 0.06, 0.04])
SPINE = ("LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head", "Head_end")
GOALS = {"bowing": (0.78, 0.42), "leaning back": (0.9, -0.3)}  # along the spine, and forward, over its length


def bare(axes: Any, title: str) -> None:
    """Axes of equal scales without ticks."""
    style_axes(axes)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.set_title(title, fontsize=10, color=palette.INK)


def sweep() -> None:
    """A chain of eight links whose target comes from beyond its reach to its root."""
    x = np.linspace(1.1, 0.06, 9)
    targets = np.stack([x, np.full_like(x, 0.05), 0 * x], -1)
    figure = canvas(9.0, 3.4)
    closed = limbik.NLink(LENGTHS).solve(targets, (0, 1, 0)).joints
    pose = np.concatenate([[[0, 0, 0]], np.cumsum(LENGTHS)[:, None] * [0.999, 0.04, 0.0]])[None]
    steps = []
    for target in targets:  # each from the pose before, as in an engine
        pose, _ = fabrik(pose, target[None])
        steps.append(pose[0])
    for place, (title, poses) in enumerate({"NLink": closed, "FABRIK, from pose to pose": np.array(steps)}.items()):
        axes = figure.add_axes((0.02 + 0.49 * place, 0.02, 0.47, 0.86))
        bare(axes, title)
        for k, joints in enumerate(poses):
            share = k / (len(poses) - 1)
            axes.plot(*joints[:, :2].T, color=palette.LINK, alpha=0.25 + 0.75 * share, linewidth=1.6)
            axes.plot(*joints[:, :2].T, ".", color=palette.LINK, alpha=0.25 + 0.75 * share, markersize=4)
        axes.plot(*targets[:, :2].T, "x", color=palette.TARGET, markersize=5)
        axes.set_xlim(-0.25, 1.15)
        axes.set_ylim(-0.2, 0.45)
    save(figure, OUT / "chains.png", 110)


def spines(folder: Path) -> None:
    """A recorded back, bowing and leaning: the clip, FABRIK, and `reach`."""
    figure = canvas(9.0, 6.6)
    clip = limbik.load(folder / "cmu_05_02.bvh")[10:11]
    joints = [clip.skeleton.index(joint) for joint in SPINE]
    before = clip.positions()[0]
    root, end = before[joints[0]], before[joints[-1]]
    apart = [joints[0], *(b for a, b in pairwise(joints) if np.any(before[a] != before[b]))]
    for row, (name, (along, forward)) in enumerate(GOALS.items()):
        target = root + along * (end - root) + forward * np.linalg.norm(end - root) * np.array([0.0, 0.0, 1.0])
        after = clip.reach(joints, target).positions()[0]
        other = before.copy()
        other[apart] = fabrik(before[None, apart], target[None])[0][0]
        for place, (title, pose) in enumerate({"the clip": before, "FABRIK": other, "reach": after}.items()):
            axes = figure.add_axes((0.01 + 0.33 * place, 0.51 - 0.49 * row, 0.32, 0.44))
            bare(axes, f"{name}: {title}")
            draw(axes, clip.skeleton.parents, pose, apart, moves=title != "FABRIK")
            axes.plot(target[2], target[1], "x", color=palette.TARGET, markersize=8, markeredgewidth=2)
            axes.set_xlim(root[2] - 0.75, root[2] + 0.75)
            axes.set_ylim(root[1] - 0.45, root[1] + 0.75)
    save(figure, OUT / "chain_spines.png", 110)


def draw(axes: Any, parents: Any, pose: np.ndarray, chain: list[int], *, moves: bool) -> None:
    """A figure from its left, and a chain of it; what hangs on the chain only where it moves along."""
    for joint, parent in enumerate(parents):
        hangs = any(above in chain[1:] for above in ancestors(parents, joint))
        if parent >= 0 and (moves or not hangs):
            axes.plot(*pose[[parent, joint]][:, [2, 1]].T, color=palette.GHOST, linewidth=1.4)
    axes.plot(*pose[chain][:, [2, 1]].T, color=palette.LINK, linewidth=2.6, marker=".", markersize=8)


def ancestors(parents: Any, joint: int) -> list[int]:
    """The joint and those above it."""
    found = [joint]
    while parents[found[-1]] >= 0:
        found.append(int(parents[found[-1]]))
    return found


def tail(folder: Path) -> None:
    """A running fox's tail, as in the clip and swaying, and the tip's height over time at three frame rates."""
    clip = limbik.load(folder / "Fox.glb", animation="Run")
    joints = [name for name in clip.skeleton.names if "Tail" in name]
    numbers = [clip.skeleton.index("b_Hip_01"), *(clip.skeleton.index(name) for name in joints)]
    figure = canvas(9.0, 3.6)
    left, right = figure.add_axes((0.02, 0.04, 0.4, 0.84)), figure.add_axes((0.5, 0.16, 0.48, 0.72))
    bare(left, "the run, and the same with a tail that sways")
    swayed = clip.sway(joints)
    frame = int(np.argmax(np.abs(swayed.positions() - clip.positions()).max(axis=(1, 2))))
    draw(left, clip.skeleton.parents, swayed.positions()[frame], numbers, moves=True)
    left.plot(*clip.positions()[frame][numbers][:, [2, 1]].T, color=palette.TARGET, linewidth=1.6, linestyle="--")
    style_axes(right)
    for fps, colour in ((30, palette.TARGET), (60, palette.UP), (120, palette.LINK)):
        one = clip.resampled(fps).sway(joints)
        right.plot(one.times, one.positions()[:, numbers[-1], 1], color=colour, label=f"swaying, {fps} Hz")
    plain = clip.positions()[:, numbers[-1], 1]
    right.plot(clip.times, plain, color=palette.GHOST, linestyle="--", label="the clip")
    right.set_title("height of the tail's tip, metres, over seconds", fontsize=10, color=palette.INK)
    right.legend(frameon=False, fontsize=8)
    save(figure, OUT / "chain_sway.png", 110)


def main() -> None:
    """Makes the pictures."""
    folder = Path(sys.argv[1])
    sweep()
    spines(folder)
    tail(folder)


if __name__ == "__main__":
    main()
