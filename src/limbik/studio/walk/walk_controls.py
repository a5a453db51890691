"""The controls of the Walk tab."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10
from typing import TYPE_CHECKING

from limbik.gait.walker import Walker

if TYPE_CHECKING:
    from viser import GuiApi, GuiSliderHandle

AUTOMATIC = "automatic"
FIRST_TERRAINS: tuple[str, ...] = ("hills",)
FIRST_GAITS: tuple[str, ...] = (AUTOMATIC,)
PUSHES = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "front": (0.0, -1.0), "back": (0.0, 1.0)}  # left, forward
PUSH = 0.6  # default strength of a push, as a fraction of the highest speed


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
        self.speed.value = min(_round(walker.creature.cruise, self.speed.step), self.speed.max)
        _span(self.strength, walker.fastest)
        self.strength.value = _round(PUSH * walker.fastest, self.strength.step)

    def offer_speeds(self, walker: Walker) -> None:
        """Offers speeds up to the walker's highest."""
        _span(self.speed, walker.fastest)
        self.speed.value = min(self.speed.value, self.speed.max)


def _span(slider: GuiSliderHandle[float], most: float) -> None:
    """Makes a slider go from 0 to `most`, in steps of at least two decimals and two significant digits."""
    digits = max(2, 1 - floor(log10(most)))
    slider.step, slider.precision = 10.0**-digits, digits
    slider.max = max(floor(most * 10**digits + 1e-9), 1) / 10**digits


def _round(value: float, step: float) -> float:
    return round(round(value / step) * step, 9)
