"""The pictures of the tutorials: `python docs/tutorial_pictures.py [NAME …]` follows them, and draws what they give.

Needs matplotlib, Pillow and, for the tutorial on training, torch.
"""

from __future__ import annotations

import re
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from figures import Camera, bare, canvas, dashed, draw_links, room, say, target_mark
from picture_files import drawn, keep
from PIL import Image

import limbik
from limbik.pictures import palette
from limbik.pictures.canvas import style_axes

TUTORIALS = Path(__file__).parent / "tutorials"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"(?:# |<!-- )(\w+\.\w+)(, continued)?")


def followed(name: str) -> dict[str, Any]:
    """The variables of someone who has followed a tutorial; files go to the current folder."""
    names: dict[str, Any] = {}
    for language, code in BLOCK.findall((TUTORIALS / f"{name}.md").read_text("utf-8")):
        if language == "python":
            with redirect_stdout(StringIO()):
                exec(code, names)
        elif found := FILE.match(code):
            with open(found[1], "a" if found[2] else "w", encoding="utf-8") as file:
                file.write(code)
    return names


def rendered(clip: limbik.Clip, size: tuple[int, int], **options: Any) -> Image.Image:
    """A still of a clip."""
    limbik.render(clip, "still.png", size=size, **options)
    return Image.open("still.png").convert("RGB")


def stacked(*pictures: Image.Image) -> Image.Image:
    """Pictures of one width, one below the other."""
    sheet = Image.new("RGB", (pictures[0].width, sum(one.height for one in pictures)))
    top = 0
    for one in pictures:
        sheet.paste(one, (0, top))
        top += one.height
    return sheet


def limb(_: dict[str, Any]) -> Image.Image:
    """Both ways in which the arm reaches its target."""
    figure, (axes,) = canvas(6.4, 4.0)
    both = limbik.PlanarTwoLink(0.30, 0.25).branches([0.40, 0.20]).joints
    dashed(axes, [0, 0], [0.40, 0.20])
    for joints, colour in zip(both[::-1], (palette.GHOST, palette.LINK), strict=True):
        draw_links(axes, joints, colour)
    target_mark(axes, [0.40, 0.20])
    say(axes, [0, 0], "shoulder (0, 0)", (-8, -18))
    say(axes, [0.40, 0.20], "hand (0.40, 0.20)", (66, 4))
    say(axes, both[0, 1], "elbow, bend +1:\nleft of the dashed line", (-78, 10), color=palette.LINK)
    say(axes, both[1, 1], "elbow, bend −1:\nright of it", (54, -14), color=palette.FAINT)
    room(axes, [both, [[-0.2, -0.1], [0.66, 0.3]]], 0.03)
    bare(axes)
    return drawn(figure)


def rig(names: dict[str, Any]) -> Image.Image:
    """The walk as it was loaded, and with a hand on the rail."""
    return stacked(*(rendered(names[one], (760, 300), poses=4, view="three-quarter") for one in ("clip", "watching")))


def ground(names: dict[str, Any]) -> Image.Image:
    """The walk on stairs, raised to the ground and grounded."""
    result = names["result"]
    raised = result.before_on_terrain.with_(terrain=result.terrain)
    return stacked(*(rendered(one, (760, 330), poses=5, view="side") for one in (raised, result.clip)))


def creature(names: dict[str, Any]) -> Image.Image:
    """The beetle as first described, and with its parts and colours."""
    pair = [rendered(names[one], (400, 300), at=2.0) for one in ("clip", "walked")]
    sheet = Image.new("RGB", (800, 300))
    for column, one in enumerate(pair):
        sheet.paste(one, (400 * column, 0))
    return sheet


def game_loop(names: dict[str, Any]) -> Image.Image:
    """The way of the quadruped from above, with its footprints."""
    walker, wanted = limbik.Walker("quadruped", "hills:height=0.3,seed=3"), names["wanted"]
    way, prints, before = [], [], walker.contacts[0].copy()
    for frame in range(240):
        walker.step(1 / 60, wanted(frame / 60))
        way.append(walker.places[0, ::2])
        prints.extend(walker.footholds[0][walker.contacts[0] & ~before][:, ::2])
        before = walker.contacts[0].copy()
    figure, (axes,) = canvas(6.4, 4.2)
    axes.plot(*np.array(way).T, color=palette.LINK, linewidth=2.5)
    axes.plot(*np.array(prints).T, "o", color=palette.UP, markersize=6, alpha=0.8)
    for frame, text, offset in (
        (0, "start", (0, -14)),
        (89, "1.5 s: turn left", (60, 4)),
        (179, "3 s: let go", (34, -18)),
    ):
        axes.plot(*way[frame], "o", color=palette.INK, markersize=6)
        say(axes, way[frame], text, offset)
    axes.plot(*way[-1], "s", color=palette.TARGET, markersize=9)
    say(axes, way[-1], "it stands", (-20, 30), color=palette.TARGET)
    room(axes, [way, prints, [[-0.7, 0.0], [1.6, 0.0]]], 0.08)
    axes.invert_xaxis()  # seen from above with z up, x is to the left
    bare(axes)
    return drawn(figure)


def training(names: dict[str, Any]) -> Image.Image:
    """The loss over the steps of the first loop."""
    figure, (axes,) = canvas(6.4, 3.0)
    axes.semilogy(names["losses"], color=palette.LINK, linewidth=2)
    axes.axhline(3 * 0.003**2, color=palette.TARGET, linewidth=1.2, linestyle="--")
    axes.text(199, 3 * 0.003**2 * 1.3, "noise of the camera", color=palette.TARGET, ha="right", fontsize=10)
    axes.set_xlabel("step", color=palette.FAINT)
    axes.set_ylabel("loss, m²", color=palette.FAINT)
    style_axes(axes)
    figure.tight_layout()
    return drawn(figure)


def robot(names: dict[str, Any]) -> Image.Image:
    """The arm and its other ways to hold the tool."""
    figure, (axes,) = canvas(6.4, 4.6)
    view, seen = Camera(-35, 15), []
    for angles, colour, faint in [
        *((one, palette.GHOST, True) for one in names["good"]),
        (names["s"].angles, palette.LINK, False),
    ]:
        x, y, z = names["robot"].forward(angles).positions.T
        flat = view(np.stack([x, z, -y], axis=-1))  # y up, as the camera expects
        draw_links(axes, flat, colour, faint=faint)
        seen.append(flat)
    target_mark(axes, seen[-1][-1])
    say(axes, seen[-1][-1], "tool", (22, -12))
    say(axes, seen[-1][0], "base", (-26, 0))
    room(axes, seen, 0.08)
    bare(axes)
    return drawn(figure)


PICTURES = {one.__name__: one for one in (limb, rig, ground, creature, game_loop, training, robot)}


def main(chosen: list[str]) -> None:
    """Writes the pictures of these tutorials, or of all."""
    for name in chosen or PICTURES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            picture = PICTURES[name](followed(name) if name != "limb" else {})
        path = keep(picture, f"tutorial_{name}")
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
