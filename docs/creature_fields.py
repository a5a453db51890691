"""What each field of a creature file changes: `python docs/creature_fields.py [TABLE …]`.

Writes docs/pictures/fields_TABLE.webp. Each field is a pair of pictures of a preset, which differ in that field alone,
at the moment at which the figures differ most, seen by the same camera.
"""

from __future__ import annotations

import json
import sys
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from picture_files import keep
from PIL import Image, ImageDraw, ImageFont

import limbik
from limbik.gait.creature import PRESETS
from limbik.rendering.scene_renderer import SceneRenderer

CELL, COLUMNS, GAP, TEXT = (136, 104), 3, 10, 19  # pixels
FPS, SECONDS, BEFORE = 60.0, 4.0, 2.0  # seconds: of a walk, and of it that are not looked at
PAPER, INK, FAINT = "#ffffff", "#20262b", "#5d666d"
SIGNAL = "#2c6fbb"
Table = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """Two values of a field, and what shows the difference.

    values: one and another. place: the tables of a preset whose field is changed. speed: m/s (default: the creature's
    own). turn: degrees per second. view: of the camera.
    """

    preset: str
    field: str
    values: tuple[Any, Any]
    place: Callable[[Table], list[Table]] = lambda table: [table]
    terrain: Any = "plane"
    speed: float | None = None
    turn: float = 0.0
    view: str = "three-quarter"
    texts: tuple[str, str] | None = None


def legs(*names: str) -> Callable[[Table], list[Table]]:
    """The legs of these names, or all."""
    return lambda table: [leg for leg in table["legs"] if not names or leg["name"] in names]


def gait(name: str) -> Callable[[Table], list[Table]]:
    """A gait."""
    return lambda table: [table["gaits"][name]]


def parts(*ends: str) -> Callable[[Table], list[Table]]:
    """The parts whose names end so."""
    return lambda table: [part for part in table["parts"] if part["name"].endswith(ends)]


def body(table: Table) -> list[Table]:
    """The body."""
    return [table["body"]]


def body_without_tail(table: Table) -> list[Table]:
    """The body of a creature whose tail is removed: it hangs on the last segment."""
    table["parts"] = [
        part for part in table["parts"] if not part["name"].startswith("tail") and "cercus" not in part["name"]
    ]
    return [table["body"]]


def look(table: Table) -> list[Table]:
    """The colours."""
    return [table["look"]]


def times(factor: float) -> Callable[[Any], list[float]]:
    """A list multiplied by a number."""
    return lambda old: [factor * one for one in old]


def moved(*shift: float) -> Callable[[Any], list[float]]:
    """A place moved by some metres."""
    return lambda old: [one + by for one, by in zip(old, shift, strict=True)]


def furrows(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Ground whose crests and bottoms are level, and whose flanks are as steep as 45 degrees."""
    return 0.03 * np.sin(z / 0.03)


SHOULDERS = {"place": parts("shoulder"), "speed": 1.4, "view": "side"}
SHEETS: dict[str, list[Pair]] = {
    "top": [
        Pair("hexapod", "height", (0.11, 0.19)),
        Pair("hexapod", "foot", (0.005, 0.05), terrain="stairs:rise=0.05,run=0.13", view="side"),
        Pair("quadruped", "cruise", (0.4, 2.0), view="side"),
        Pair("quadruped", "tilt", (0, 1), terrain="slope:22", view="side"),
        Pair("hexapod", "steepest", (15, 60), terrain=furrows, view="side"),
        Pair("hexapod", "turn", (20, 150), turn=150.0),
        Pair("biped", "bank", (0, 1), speed=3.2, turn=70.0, view="front"),
    ],
    "body": [
        Pair("hexapod", "length", (0.13, 0.3), body),
        Pair("hexapod", "width", (0.06, 0.16), body, view="front"),
        Pair("hexapod", "thickness", (0.05, 0.15), body, view="side"),
        Pair("centipede", "segments", (5, 14), body_without_tail),
        Pair("quadruped", "spine", ("following", "flexible"), body, speed=4.0, view="side"),
    ],
    "legs": [
        Pair(
            "hexapod",
            "attachment",
            (None, moved(0.04, 0.05, 0.0)),
            legs(),
            view="front",
            texts=("as it is", "farther out, higher"),
        ),
        Pair("hexapod", "lengths", (None, times(1.4)), legs(), texts=("as it is", "1.4 times")),
        Pair("hexapod", "foothold", (times(0.65), None), legs(), texts=("0.65 times", "as it is")),
        Pair("quadruped", "knee", ("back", "forward"), legs("hind"), view="side"),
        Pair("hexapod", "toe", ("out", "forward"), legs()),
        Pair("hexapod", "lean", (-20, 45), legs(), view="front"),
        Pair("biped", "heel", (0.19, 0.27), legs(), speed=1.2, view="side"),
        Pair("quadruped", "segment", (1, 2), legs("hind"), view="side"),
    ],
    "gaits": [
        Pair("quadruped", "phases", ("walk", "pace"), gait("walk"), view="side"),
        Pair("hexapod", "duty", (0.3, 0.54), gait("tripod")),
        Pair("quadruped", "speed", (0.8, 1.02), gait("walk"), speed=1.0, view="side"),
        Pair("hexapod", "cycle", ([0.4, 0.25], [0.6, 0.38]), gait("tripod")),
        Pair("hexapod", "lift", (0.02, 0.1), gait("tripod")),
        Pair("biped", "bob", (0.016, 0.07), gait("walk"), view="side"),
        Pair("biped", "sway", (0, 0.08), gait("walk"), view="front"),
        Pair("quadruped", "rock", (0, 12), gait("gallop"), speed=4.0, view="side"),
        Pair("biped", "twist", (0, 25), gait("walk")),
        Pair("biped", "crouch", (0.012, 0.2), gait("walk"), view="side"),
        Pair("biped", "strike", (20, 50), gait("walk"), view="side"),
        Pair("biped", "push", (45, 78), gait("walk"), view="side"),
        Pair("biped", "drop", (0, 16), gait("walk"), view="front"),
        Pair("quadruped", "arch", (0, 25), gait("gallop"), speed=4.0, view="side"),
        Pair("biped", "lean", (0, 35), gait("run"), speed=3.4, view="side"),
    ],
    "parts": [
        Pair("hexapod", "parent", ("head", "body"), parts("t_feeler")),
        Pair("quadruped", "at", ([0, 0.115, 0.135], [0, 0.23, 0.27]), parts("head"), view="side"),
        Pair("biped", "leg", ("left_leg", "right_leg"), parts("left_shoulder"), speed=1.4, view="side"),
        Pair("biped", "axis", ("x", "z"), **SHOULDERS | {"view": "front"}),
        Pair("biped", "swing", (5, 50), **SHOULDERS),
        Pair("biped", "lead", (0, 0.5), **SHOULDERS),
        Pair("biped", "bend", ([0, 0], [-100, -100]), parts("elbow"), view="side"),
        Pair("biped", "lean", (0, 1), parts("spine"), speed=3.4, view="side"),
        Pair("quadruped", "steady", (0, 1), parts("neck", "head"), terrain="slope:25", view="side"),
        Pair("quadruped", "look", (0, 80), parts("neck", "head"), turn=60.0),
        Pair("hexapod", "wander", (0, 50), parts("feeler"), speed=0.0),
        Pair("spider", "breath", (0, 20), parts("abdomen"), speed=0.0, view="side"),
        Pair("quadruped", "spring", (0, 1.2), parts("tail", "tail_middle"), speed=2.0, turn=60.0),
    ],
    "look": [
        *(Pair("biped", field, (None, SIGNAL), look, speed=0.0) for field in ("body", "legs", "head", "feet")),
        *(Pair("quadruped", field, (None, SIGNAL), look, speed=0.0) for field in ("belly", "accent", "eyes")),
        Pair("spider", "pattern", ("plain", "bands"), look, speed=0.0),
    ],
}


def toml(table: Table) -> str:
    """A creature as the text of its file."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items() if not isinstance(value, dict | list)]
    for name, value in table.items():
        tables = {f"[{name}]": value} if isinstance(value, dict) else {}
        if name == "gaits":
            tables = {f"[gaits.{one}]": own for one, own in value.items()}
        listed = [(f"[[{name}]]", own) for own in value] if isinstance(value, list) else list(tables.items())
        for heading, own in listed:
            lines += [heading, *(f"{field} = {json.dumps(one)}" for field, one in own.items())]
    return "\n".join(lines)


def creature_with(pair: Pair, value: Any) -> limbik.Creature:
    """The preset with a field changed; None keeps it."""
    table = tomllib.loads((PRESETS / f"{pair.preset}.toml").read_text("utf-8"))
    for place in pair.place(table):
        if value is not None:
            place[pair.field] = value(place[pair.field]) if callable(value) else value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{pair.preset}.toml"
        path.write_text(toml(table), "utf-8")
        return limbik.creature(path)


def walked(pair: Pair, creature: limbik.Creature) -> limbik.Clip:
    """Its walk."""
    walker = limbik.Walker(creature, pair.terrain, seed=1)
    states, speed = [walker.state], creature.cruise if pair.speed is None else pair.speed
    for frame in range(round(SECONDS * FPS)):
        rate = pair.turn if frame >= 0.6 * BEFORE * FPS else 0.0
        yaw = np.radians(walker.heading_degrees[0])
        walker.step(1.0 / FPS, (speed * np.sin(yaw), speed * np.cos(yaw)), turn_degrees=rate)
        states.append(walker.state)
    return walker.clip(states, FPS)


def most_different(clips: list[limbik.Clip]) -> int:
    """The frame at which two figures differ most, relative to the ground below them."""
    shapes = []
    for clip in clips:
        places = clip.positions()
        middle = places.mean(axis=1, keepdims=True)
        middle[..., 1] = 0.0
        shapes.append(places - middle)
    start = round(BEFORE * FPS)
    if shapes[0].shape != shapes[1].shape:
        return start
    gaps = np.linalg.norm(shapes[0] - shapes[1], axis=-1).max(axis=-1)
    return start + int(gaps[start:-2].argmax())


def pictures(pair: Pair) -> list[Image.Image]:
    """The two pictures, by a camera at the same distance and height."""
    clips = [walked(pair, creature_with(pair, value)) for value in pair.values]
    frame = most_different(clips)
    scenes = [SceneRenderer(clip[frame - 1 : frame + 2], None, CELL, pair.view) for clip in clips]
    wide = max(scenes, key=lambda scene: scene._radius)
    for scene, clip in zip(scenes, clips, strict=True):
        low = clip.terrain.height(scene._middles[:, ::2]) if clip.terrain is not None else 0.0
        ground = wide._scene.clip.terrain.height(wide._middles[:, ::2])
        scene._middles = scene._middles.copy()
        if scene is not wide:
            scene._middles[:, 1] = low + wide._middles[:, 1] - ground
        scene._frame, scene._radius = wide._frame, wide._radius
    return [Image.fromarray(scene.picture([1.0 / FPS])[..., :3]) for scene in scenes]


def label(value: Any) -> str:
    """A value as in the file."""
    return "as it is" if value is None else json.dumps(value)


def sheet(table: str) -> Image.Image:
    """All pairs of a table of the file."""
    pairs = SHEETS[table]
    rows = -(-len(pairs) // COLUMNS)
    wide, high = 2 * CELL[0] + 2 + GAP, CELL[1] + 2 * TEXT + GAP
    paper = Image.new("RGB", (COLUMNS * wide + GAP, rows * high + GAP), PAPER)
    pen, big, small = ImageDraw.Draw(paper), ImageFont.load_default(14), ImageFont.load_default(12)
    for k, pair in enumerate(pairs):
        x, y = GAP + k % COLUMNS * wide, GAP + k // COLUMNS * high
        pen.text((x, y), pair.field, INK, big)
        texts = pair.texts or tuple(map(label, pair.values))
        for column, (text, one) in enumerate(zip(texts, pictures(pair), strict=True)):
            left = x + column * (CELL[0] + 2)
            paper.paste(one, (left, y + TEXT))
            pen.text((left + CELL[0] // 2, y + TEXT + CELL[1] + 2), text, FAINT, small, anchor="ma")
    return paper


def main(tables: list[str]) -> None:
    """Writes the sheets of these tables, or all."""
    for table in tables or SHEETS:
        path = keep(sheet(table), f"fields_{table}")
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
