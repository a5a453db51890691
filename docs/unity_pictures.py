"""The pictures of docs/unity.md: `python docs/unity_pictures.py [NAME …]`, in the repository's root.

It needs that root on PYTHONPATH, and Mono: what they show of feet is what the package and the script of the page do.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from figures import bare, canvas, dashed, draw_links, room, say
from picture_files import drawn, keep
from PIL import Image, ImageDraw, ImageFont

import limbik
from limbik.pictures import palette
from limbik.pictures.canvas import style_axes
from limbik.rotations import inverse, multiply, rotate

ROOT = Path(__file__).parents[1]
SLOPE = -np.tan(np.radians(10.0))
LEGS = [["UpLeg", "Leg", "Foot", "ToeBase"]] * 2
JOINTS = ("Hips", *(side + part for side, leg in zip(("Left", "Right"), LEGS, strict=True) for part in leg))
WAYS = {"none": "as animated", "typed": "the forty lines", "package": "the package"}


@cache
def program() -> Path:
    """The package, the tests' stand-in for UnityEngine and the page's listings, compiled."""
    folder = Path(tempfile.mkdtemp())
    limbik.export("unity").write(folder / "package")
    listings = re.findall(r"^```csharp\n(.*?)^```$", (ROOT / "docs" / "unity.md").read_text("utf-8"), re.M | re.S)
    for number, text in enumerate(listings):
        (folder / f"Listing{number}.cs").write_text(text)
    sources = [*folder.rglob("*.cs"), *(ROOT / "tests" / "exporting" / "unity").glob("*.cs")]
    command = ["mcs", "-langversion:7", "-main:Scenarios", f"-out:{folder / 'all.exe'}", *map(str, sources)]
    subprocess.run(command, check=True)
    return folder / "all.exe"


@cache
def walked(way: str) -> limbik.Clip:
    """The sample's walk down a slope."""
    clip = limbik.samples.character(240)
    numbers = [clip.skeleton.index(name) for name in JOINTS]
    places, turns = (part[:, numbers] for part in clip.world()[:2])
    rows = np.concatenate([places * [-1, 1, 1], turns * [1, -1, -1, 1]], axis=-1)  # left-handed
    rows = np.concatenate([rest_pose(clip)[None], rows]).astype("<f4")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.bin", Path(folder) / "out.bin"
        rows.tofile(source)
        height = f"{ankle_height(clip):.4f}"
        given = [source, clip.fps, SLOPE, height, height, target, way, 0]
        subprocess.run(["mono", str(program()), "Recorded", *map(str, given)], check=True, capture_output=True)
        found = np.fromfile(target, "<f4").reshape(len(clip), len(JOINTS), 7).astype(float)
    places, turns = found[..., :3] * [-1, 1, 1], found[..., 3:] * [1, -1, -1, 1]
    translations, rotations = clip.translations.copy(), clip.rotations.copy()
    translations[:, 0] = places[:, 0]
    for k, joint in enumerate(numbers):
        parent = clip.skeleton.parents[joint]
        above = clip.with_(rotations=rotations, translations=translations).world()[1][:, parent]
        rotations[:, joint] = turns[:, k] if parent < 0 else multiply(inverse(above), turns[:, k])
    ground = limbik.terrain(f"slope:{np.degrees(np.arctan(SLOPE)):g}")
    return clip.with_(rotations=rotations, translations=translations, terrain=ground)


def rest_pose(clip: limbik.Clip) -> np.ndarray:
    """(joints, 7) Places and rotations of the joints at rest, left-handed."""
    still = np.broadcast_to(clip.skeleton.rotations, clip.rotations[:1].shape)
    places = clip.with_(rotations=still, translations=clip.skeleton.translations[None]).positions()[0]
    numbers = [clip.skeleton.index(name) for name in JOINTS]
    return np.concatenate([places[numbers] * [-1, 1, 1], np.tile([0.0, 0.0, 0.0, 1.0], (len(numbers), 1))], axis=-1)


def ankle_height(clip: limbik.Clip) -> float:
    """Of the sample's figure: its ankles are lowest when it stands on them."""
    return float(np.median(np.sort(clip.positions()[:, clip.skeleton.index("LeftFoot"), 1])[: len(clip) // 2]))


def unity_slope() -> Image.Image:
    """The same moment of the walk, three times."""
    sheet = Image.new("RGB", (1140, 460), "white")
    with tempfile.TemporaryDirectory() as folder:
        for column, (way, title) in enumerate(WAYS.items()):
            path = Path(folder) / "still.png"
            limbik.render(walked(way), path, at=2.02, view="side", size=(380, 460))
            sheet.paste(Image.open(path).convert("RGB"), (380 * column, 0))
            pen = ImageDraw.Draw(sheet)
            pen.text((380 * column + 16, 12), title, fill=palette.INK, font=ImageFont.load_default(22))
    return sheet


def sole(clip: limbik.Clip, side: str) -> np.ndarray:
    """(frames,) How far the lowest of heel and ball is above the slope, metres."""
    ankle, toes = (clip.skeleton.index(side + part) for part in ("Foot", "ToeBase"))
    places, turns = clip.world()[:2]
    flat = limbik.samples.character(240)
    rest, turned = flat.world()[:2]
    frame = np.argmin(rest[:, ankle, 1] + np.abs(rest[:, ankle, 1] - np.roll(rest[:, ankle, 1], 1)))
    low = ankle_height(flat)
    points = [rest[frame, ankle] - [0, low, 0.04], rest[frame, toes] * [1, 0, 1]]
    heights = []
    for point in points:
        own = rotate(inverse(turned[frame, ankle]), point - rest[frame, ankle])
        at = places[:, ankle] + rotate(turns[:, ankle], np.broadcast_to(own, places[:, ankle].shape))
        heights.append((at[:, 1] - SLOPE * at[:, 2]) * np.cos(np.arctan(SLOPE)))
    return np.min(heights, axis=0)


def unity_feet() -> Image.Image:
    """The height of a sole over time."""
    figure, (axes,) = canvas(8.2, 3.0)
    figure.subplots_adjust(left=0.08, right=0.98, bottom=0.18, top=0.96)
    style_axes(axes)
    seconds = np.arange(240) / 60.0
    for (way, title), colour in zip(WAYS.items(), (palette.FAINT, palette.TARGET, palette.LINK), strict=True):
        axes.plot(seconds, 100.0 * sole(walked(way), "Left"), color=colour, label=title, linewidth=1.8)
    axes.axhline(0.0, color=palette.INK, linewidth=0.8)
    axes.set_xlim(1.0, 3.0)
    axes.set_ylim(-7, 22)
    axes.set_xlabel("seconds")
    axes.set_ylabel("sole above the slope, cm")
    axes.legend(frameon=False, fontsize=9, loc="upper right")
    return drawn(figure)


def unity_triangle() -> Image.Image:
    """Hip, knee and ankle as the corners of a triangle."""
    figure, (axes,) = canvas(4.6, 4.2)
    hip, ankle = np.array([0.0, 0.0]), np.array([0.24, -0.72])
    joints = limbik.PlanarTwoLink(0.45, 0.42).solve(ankle, bend=1).joints
    dashed(axes, hip, ankle)
    draw_links(axes, joints, palette.LINK)
    knee = joints[1]
    say(axes, hip, "O, the hip", (-44, 8))
    say(axes, ankle, "E, the ankle", (-2, -20))
    say(axes, knee, "knee", (24, 4))
    say(axes, (hip + knee) / 2, "l₁", (14, 8), color=palette.LINK)
    say(axes, (knee + ankle) / 2, "l₂", (16, -4), color=palette.LINK)
    say(axes, (hip + ankle) / 2, "d", (-12, -6))
    for corner, others, radius, name in ((hip, (knee, ankle), 0.13, "θₐ"), (knee, (hip, ankle), 0.1, "θ_b")):
        ends = [np.arctan2(*(other - corner)[::-1]) for other in others]
        span = (ends[1] - ends[0] + np.pi) % (2 * np.pi) - np.pi
        turn = ends[0] + span * np.linspace(0, 1, 30)
        axes.plot(corner[0] + radius * np.cos(turn), corner[1] + radius * np.sin(turn), color=palette.INK, linewidth=1)
        middle = ends[0] + span / 2
        place = corner + 1.45 * radius * np.array([np.cos(middle), np.sin(middle)])
        axes.text(*place, f"${name.replace('ₐ', '_a')}$".replace("θ", r"\theta"), ha="center", va="center", fontsize=12)
    room(axes, [joints, [[-0.12, 0.05], [0.5, -0.8]]], 0.05)
    bare(axes)
    return drawn(figure)


def unity_course() -> Image.Image:
    """The sample of the menu: a figure on its way over ramp and stairs."""
    clip = limbik.samples.character(840)
    with tempfile.TemporaryDirectory() as folder:
        target, mesh, still = (Path(folder) / name for name in ("out.bin", "course.obj", "still.png"))
        command = ["mono", str(program()), "Course", str(target)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        boxes = np.array([line.split()[1:] for line in printed.splitlines()], float)
        mesh.write_text(obj(boxes))
        found = np.fromfile(target, "<f4").reshape(len(clip), len(clip.skeleton), 7).astype(float)
        places, turns = found[..., :3] * [-1, 1, 1], found[..., 3:] * [1, -1, -1, 1]
        above = turns[:, clip.skeleton.parents[1:]]
        rotations = np.concatenate([turns[:, :1], multiply(inverse(above), turns[:, 1:])], axis=1)
        translations = clip.translations.copy()
        translations[:, 0] = places[:, 0]
        shown = clip.with_(rotations=rotations, translations=translations, terrain=limbik.terrain(mesh))
        limbik.render(shown, still, poses=8, view="side", size=(1520, 560))
        return Image.open(still).convert("RGB").crop((60, 150, 1460, 440))


def obj(boxes: np.ndarray) -> str:
    """Boxes, each a place, a size and degrees about x, as a mesh; right-handed."""
    corners = np.stack(np.meshgrid(*[[-0.5, 0.5]] * 3, indexing="ij"), -1).reshape(-1, 3)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines, faces = [], []
    for place, size, degrees in zip(boxes[:, :3], boxes[:, 3:6], boxes[:, 6], strict=True):
        half = np.radians(degrees) / 2.0
        turned = place + rotate(np.array([np.sin(half), 0.0, 0.0, np.cos(half)]), corners * size)
        for side in sides:  # each with vertices of its own: no edge is smoothed
            lines += [f"v {-x} {y} {z}" for x, y, z in turned[list(side)]]
            faces.append(f"f {len(lines) - 3} {len(lines) - 2} {len(lines) - 1} {len(lines)}")
    return "\n".join([*lines, *faces]) + "\n"


def unity_spider() -> Image.Image:
    """A spider on stairs, at three times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spider.png"
        limbik.render(limbik.walk("spider", "stairs", seconds=7), path, poses=3, view="three-quarter", size=(1000, 420))
        return Image.open(path).convert("RGB")


PICTURES = (unity_slope, unity_triangle, unity_feet, unity_course, unity_spider)


def main(names: list[str]) -> None:
    """Makes the pictures of these names, or all."""
    for make in PICTURES:
        if not names or make.__name__ in names:
            print(keep(make(), make.__name__))


if __name__ == "__main__":
    main(sys.argv[1:])
