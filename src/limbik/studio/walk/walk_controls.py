"""The controls of the Walk tab."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10
from typing import TYPE_CHECKING

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.studio.walk.gait_chart import chart, numbers

if TYPE_CHECKING:
    from viser import GuiApi, GuiSliderHandle

AUTOMATIC = "automatic"
FIRST_GROUNDS: tuple[str, ...] = ("hills",)
FIRST_GAITS: tuple[str, ...] = (AUTOMATIC,)
PUSHES = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "front": (0.0, -1.0), "back": (0.0, 1.0)}  # to the left, and ahead
PUSH = 0.6  # of the creature's fastest: how hard a push is unless told


class Controls:
    """What pages set, and what they are told."""

    def __init__(self, gui: GuiApi, creatures: Iterable[str], first: str) -> None:
        self.creature = gui.add_dropdown("Creature", tuple(creatures), initial_value=first, hint="Who walks.")
        self.terrain = gui.add_dropdown(
            "Ground", FIRST_GROUNDS, hint="What it walks on; below you can describe your own."
        )
        self.gait = gui.add_dropdown(
            "Gait", FIRST_GAITS, hint="How its legs take turns. Automatic: it changes with speed."
        )
        self.speed = gui.add_slider("Speed", 0.0, 1.0, 0.01, 0.0, hint="Metres a second; 0 stands still.")
        self.heading = gui.add_slider(
            "Heading", -180, 180, 1, 0, hint="Degrees to the left of where it faced at first; below 0 to the right."
        )
        self.push = gui.add_button_group("Push from", tuple(PUSHES), hint="It steps so as not to fall.")
        self.walk = gui.add_button("Pause")
        self.again = gui.add_button("Start again", color="gray")
        self._numbers = gui.add_html("")
        self._chart = gui.add_html("")
        self._build_rest(gui)

    def _build_rest(self, gui: GuiApi) -> None:
        with gui.add_folder("View and push", expand_by_default=False):
            self.follow = gui.add_checkbox("Follow it", True, hint="Keeps the creature in the middle as it goes.")
            self.strength = gui.add_slider(
                "Push", 0.0, 1.0, 0.01, 0.5, hint="How much faster the body is at once when it is pushed, m/s."
            )
        with gui.add_folder("Your own ground or creature", expand_by_default=False):
            with gui.add_form(None) as self.typing:
                self.spec = gui.add_text(
                    "Description",
                    "hills",
                    hint="Such as hills:height=0.4,seed=7 or slope:20 or stairs:rise=0.1,run=0.4, or a file on the "
                    "machine that serves this page (.obj .glb .png .npy). Enter walks on it.",
                )
                self.use = gui.add_button("Walk on this ground")
            self.upload = gui.add_upload_button("Open a creature (.toml)", mime_type=".toml", color="gray")
        with gui.add_folder("Save the walk", expand_by_default=False):
            self.save_clip = gui.add_button("As a clip (.glb)", color="gray")
            self.save_page = gui.add_button("As a page that plays it (.html)", color="gray")

    def suit(self, walker: Walker) -> None:
        """Offers what a creature can do."""
        self.gait.options = (AUTOMATIC, *(gait.name for gait in walker.creature.gaits))
        self.gait.value = AUTOMATIC
        self.suit_speed(walker)
        self.speed.value = min(_round(walker.creature.cruise, self.speed.step), self.speed.max)
        _span(self.strength, walker.fastest)
        self.strength.value = _round(PUSH * walker.fastest, self.strength.step)

    def suit_speed(self, walker: Walker) -> None:
        """Offers speeds up to the walker's fastest."""
        _span(self.speed, walker.fastest)
        self.speed.value = min(self.speed.value, self.speed.max)

    def tell(self, pairs: list[tuple[str, str]]) -> None:
        """Shows numbers, with their names."""
        self._numbers.content = numbers(pairs)

    def draw(self, walker: Walker, standing: Array, frames: int, seconds: float) -> None:
        """Shows the gait diagram, as of `chart`."""
        self._chart.content = chart(walker.creature.legs, standing, frames, seconds)


def _span(slider: GuiSliderHandle[float], most: float) -> None:
    """Lets a slider go from 0 to the most, in steps that are fine enough."""
    digits = max(2, 1 - floor(log10(most)))
    slider.step, slider.precision = 10.0**-digits, digits
    slider.max = max(floor(most * 10**digits + 1e-9), 1) / 10**digits


def _round(value: float, step: float) -> float:
    return round(round(value / step) * step, 9)
