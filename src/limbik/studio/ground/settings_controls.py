"""The settings of `ground` as sliders: names, hints and defaults come from `Settings`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from limbik.grounding.settings import Settings, descriptions
from limbik.studio.page.stage import Job, Stage

if TYPE_CHECKING:
    from viser import ClientHandle

# Lowest value, highest value and step of each slider. The command line accepts wider ranges.
RANGES = {
    "plant_speed": (0.0, 2.0, 0.01),
    "plant_share": (0.0, 0.5, 0.01),
    "unplant_ratio": (1.0, 4.0, 0.05),
    "plant_height": (0.0, 0.5, 0.005),
    "unplant_height": (0.0, 0.1, 0.001),
    "unplant_radius": (0.0, 1.0, 0.01),
    "shortest_plant": (0.0, 0.5, 0.01),
    "align_limit_degrees": (0.0, 90.0, 1.0),
    "extension": (0.5, 1.0, 0.005),
    "release": (0.0, 1.0, 0.01),
    "pelvis_smoothing": (0.0, 1.0, 0.01),
    "lean": (0.0, 1.0, 0.05),
    "clearance": (0.0, 0.2, 0.005),
    "fit_stride": (0.0, 1.0, 0.05),
    "foothold_search": (0.0, 1.0, 0.01),
    "sole": (0.0, 0.3, 0.005),
}
UNSET = {"sole": 0.08, "extension": 0.99}  # values of sliders until the user sets them


class SettingsControls:
    """A slider for each setting, added to the folder that is open.

    Settings that default to None (measured from the clip) have a checkbox as well, which enables their slider.
    `changed` is called when a page has changed any setting.
    """

    def __init__(self, stage: Stage, changed: Job) -> None:
        self._changed = changed
        self._sliders, self._enabled = {}, {}
        hints = descriptions()
        for field in fields(Settings):
            name, (low, high, step) = field.name, RANGES[field.name]
            label = name.removesuffix("_degrees").replace("_", " ")
            unset = field.default is None
            if unset:
                self._enabled[name] = stage.gui.add_checkbox(f"Set the {label}", False, hint=hints[name])
            start: Any = UNSET[name] if unset else field.default
            self._sliders[name] = stage.gui.add_slider(
                label.capitalize(), low, high, step, start, hint=hints[name], disabled=unset
            )
        self._reset = stage.gui.add_button("Restore defaults")
        stage.on_change(self._apply, *self._sliders.values(), *self._enabled.values())
        stage.on_press(self._reset, self._restore_defaults)

    def settings(self) -> Settings:
        chosen: dict[str, Any] = {
            name: slider.value
            for name, slider in self._sliders.items()
            if name not in self._enabled or self._enabled[name].value
        }
        return Settings(**chosen)

    def _apply(self) -> None:
        for name, enabled in self._enabled.items():
            self._sliders[name].disabled = not enabled.value
        self._changed()

    def _restore_defaults(self, _: ClientHandle) -> None:
        for enabled in self._enabled.values():
            enabled.value = False
        for field in fields(Settings):
            if field.default is not None:
                self._sliders[field.name].value = field.default
        self._apply()
