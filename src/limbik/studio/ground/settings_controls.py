"""The settings of `ground` as controls: their names, descriptions and defaults are those of `Settings`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from limbik.grounding.settings import Settings, descriptions
from limbik.studio.page.job_queue import Job
from limbik.studio.page.stage import Stage

if TYPE_CHECKING:
    from viser import ClientHandle

# How far sliders go, and by what steps. What makes sense; the command line takes more.
RANGES = {
    "plant_speed": (0.0, 2.0, 0.01),
    "plant_share": (0.0, 0.5, 0.01),
    "unplant_ratio": (1.0, 4.0, 0.05),
    "plant_height": (0.0, 0.5, 0.005),
    "unplant_height": (0.0, 0.3, 0.005),
    "unplant_radius": (0.0, 1.0, 0.01),
    "shortest_plant": (0.0, 0.5, 0.01),
    "align_limit_degrees": (0.0, 90.0, 1.0),
    "extension": (0.5, 1.0, 0.005),
    "release": (0.0, 1.0, 0.01),
    "pelvis_smoothing": (0.0, 2.0, 0.05),
    "clearance": (0.0, 0.2, 0.005),
    "foothold_search": (0.0, 1.0, 0.01),
    "sole": (0.0, 0.3, 0.005),
}
THICK = 0.08  # metres: what the sole is at first where it is not taken from the clip


class SettingsControls:
    """A slider for each setting, in the folder that is open; a box to tick beside one that can be left to the clip.

    Args:
        stage: the studio's.
        changed: what is done when any has changed.
    """

    def __init__(self, stage: Stage, changed: Job) -> None:
        self._changed = changed
        self._sliders, self._given = {}, {}
        hints = descriptions()
        for field in fields(Settings):
            name, (low, high, step) = field.name, RANGES[field.name]
            words = name.removesuffix("_degrees").replace("_", " ")
            if field.default is None:
                self._given[name] = stage.gui.add_checkbox(f"Own {words}", False, hint=hints[name])
            start: Any = THICK if field.default is None else field.default
            self._sliders[name] = stage.gui.add_slider(
                words.capitalize(), low, high, step, start, hint=hints[name], disabled=field.default is None
            )
        self._reset = stage.gui.add_button("Back to the defaults")
        stage.on_change(self._chosen, *self._sliders.values(), *self._given.values())
        stage.on_press(self._reset, self._back)

    def settings(self) -> Settings:
        """Those that are chosen."""
        chosen: dict[str, Any] = {
            name: slider.value
            for name, slider in self._sliders.items()
            if name not in self._given or self._given[name].value
        }
        return Settings(**chosen)

    def _chosen(self) -> None:
        for name, given in self._given.items():
            self._sliders[name].disabled = not given.value
        self._changed()

    def _back(self, _: ClientHandle) -> None:
        for given in self._given.values():
            given.value = False
        for field in fields(Settings):
            if field.default is not None:
                self._sliders[field.name].value = field.default
        self._chosen()
