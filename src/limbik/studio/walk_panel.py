"""The panel of the Walk tab: its controls, its numbers, and the gait diagram, which scrolls with time."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import floor, log10
from typing import TYPE_CHECKING

from limbik.arrays import Array
from limbik.gait.creature import Leg
from limbik.gait.walker import Walker
from limbik.pictures import palette
from limbik.pictures.contact_bars import contact_bars, html_labels, svg_bars

if TYPE_CHECKING:
    from viser import GuiApi, GuiSliderHandle

AUTOMATIC = "automatic"
FIRST_TERRAINS: tuple[str, ...] = ("hills",)
FIRST_GAITS: tuple[str, ...] = (AUTOMATIC,)
PUSHES = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "front": (0.0, -1.0), "back": (0.0, 1.0)}  # left, forward
FIRST_PUSH = 0.6  # strength of a push, as a fraction of the highest speed
ROW_PIXELS, MAX_CHART_PIXELS = 13.0, 120.0  # height of a row, and of all of them
MIN_LABEL_PIXELS = 10.0  # rows below have no names of their own


class WalkControls:
    """The controls, numbers and gait diagram, added to the folder that is open."""

    def __init__(self, gui: GuiApi, creatures: Iterable[str], first: str) -> None:
        self.creature = gui.add_dropdown(
            "Creature", tuple(creatures), initial_value=first, hint="The creature that walks."
        )
        self.terrain = gui.add_dropdown(
            "Terrain", FIRST_TERRAINS, hint="The ground to walk on; below you can describe your own."
        )
        self.gait = gui.add_dropdown(
            "Gait", FIRST_GAITS, hint="The order in which legs step. automatic: chosen by speed."
        )
        self.speed = gui.add_slider("Speed", 0.0, 1.0, 0.01, 0.0, hint="Target speed in m/s; 0 stands still.")
        self.heading = gui.add_slider(
            "Heading", -180, 180, 1, 0, hint="Target heading in degrees from +z; positive turns left."
        )
        self.push = gui.add_button_group(
            "Push from", tuple(PUSHES), hint="Pushes the creature, which steps to keep its balance."
        )
        self.walk = gui.add_button("Pause", hint="Stops time, and lets it go on.")
        self.restart = gui.add_button("Restart", color="gray", hint="Starts again in the middle of the chosen terrain.")
        self.numbers = gui.add_html("")
        self.chart = gui.add_html("")
        self._build_folders(gui)

    def _build_folders(self, gui: GuiApi) -> None:
        with gui.add_folder("View and push", expand_by_default=False):
            self.follow = gui.add_checkbox("Follow", True, hint="Keep the creature in the middle of the picture.")
            self.strength = gui.add_slider(
                "Push", 0.0, 1.0, 0.01, 0.5, hint="Change of the body's velocity by a push, m/s."
            )
        with gui.add_folder("Custom terrain or creature", expand_by_default=False):
            with gui.add_form(None) as self.form:
                self.description = gui.add_text(
                    "Description",
                    "hills",
                    hint="For example hills:height=0.4,seed=7, slope:20 or stairs:rise=0.1,run=0.4, or a file on the "
                    "machine that runs the studio (.obj, .glb, .png, .npy). Press Enter to use it.",
                )
                self.use = gui.add_button("Walk on this terrain")
            hint = "Your own creature, described in a .toml file."
            self.upload = gui.add_upload_button("Open a creature (.toml)", mime_type=".toml", color="gray", hint=hint)
        with gui.add_folder("Save the walk", expand_by_default=False):
            hint = "The last minute, for Blender, game engines and viewers."
            self.save_clip = gui.add_button("As a clip (.glb)", color="gray", hint=hint)
            hint = "The last minute, in any browser, offline."
            self.save_page = gui.add_button("As a page that plays it (.html)", color="gray", hint=hint)

    def offer(self, walker: Walker) -> None:
        """Offers the gaits and speeds of a creature. A chosen gait that it has as well stays chosen."""
        self.gait.options = (AUTOMATIC, *(gait.name for gait in walker.creature.gaits))
        self.offer_speeds(walker)
        self.speed.value = min(_round_to(walker.creature.cruise, self.speed.step), self.speed.max)
        _set_range(self.strength, walker.fastest)
        self.strength.value = _round_to(FIRST_PUSH * walker.fastest, self.strength.step)

    def offer_speeds(self, walker: Walker) -> None:
        """Offers speeds up to the walker's highest."""
        _set_range(self.speed, walker.fastest)
        self.speed.value = min(self.speed.value, self.speed.max)


def _set_range(slider: GuiSliderHandle[float], most: float) -> None:
    """Makes a slider go from 0 to `most`, in steps of at least two decimals and two significant digits."""
    digits = max(2, 1 - floor(log10(most)))
    slider.step, slider.precision = 10.0**-digits, digits
    slider.max = max(floor(most * 10**digits + 1e-9), 1) / 10**digits


def _round_to(value: float, step: float) -> float:
    return round(round(value / step) * step, 9)


def row_order(legs: tuple[Leg, ...]) -> list[int]:
    """Leg numbers in the order of rows: left legs from front to back, then right legs."""
    return sorted(range(len(legs)), key=lambda k: (legs[k].foothold[0] <= 0.0, k))


def chart_html(legs: tuple[Leg, ...], standing: Array, frames: int, seconds: float) -> str:
    """HTML of the gait diagram of the last `frames` frames, which took `seconds`.

    standing: which legs stood in those that were recorded, (n, legs) bool.
    """
    rows = row_order(legs)
    row = min(ROW_PIXELS, MAX_CHART_PIXELS / len(rows))
    path = "".join(f"M{frames * (1.0 - k / seconds):.1f} 0v{len(rows)}" for k in range(1, int(seconds)))
    lines = f"<path d='{path}' stroke='{palette.GHOST}' stroke-opacity='.35' vector-effect='non-scaling-stroke'/>"
    size, shift = (frames, len(rows)), frames - len(standing)
    picture = svg_bars(contact_bars(standing, rows), "gait", size, row, shift, lines)
    return (
        f"<div class='limbik-chart limbik-small'><div>{_row_labels(legs, rows, row)}</div>"
        f"<div>{picture}<div><span>{seconds:g} s ago</span><span>now</span></div></div></div>"
    )


def _row_labels(legs: tuple[Leg, ...], rows: list[int], row: float) -> str:
    """Labels of the rows: the legs' names, or the two sides where rows are too low for text."""
    if row >= MIN_LABEL_PIXELS:
        labels = [(legs[k].name.replace("_", " "), 1) for k in rows]
    else:
        left = sum(legs[k].foothold[0] > 0.0 for k in rows)
        labels = [("left legs", left), ("right legs", len(rows) - left)]
    return html_labels(labels, row)


def numbers_html(words: str, values: dict[str, str]) -> str:
    """HTML of a line of words, and of values by name in two columns."""
    cells = "".join(f"<span>{escape(name)}</span><b>{escape(value)}</b>" for name, value in values.items())
    return f"<div class='walk-numbers'><b>{escape(words)}</b>{cells}</div>"
