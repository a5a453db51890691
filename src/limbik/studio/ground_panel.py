"""The panel of the Ground tab: contacts over time, the measured numbers, curves of a foot, and the settings."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings, descriptions
from limbik.pictures import palette
from limbik.pictures.contact_bars import contact_bars, html_labels, svg_bars
from limbik.referee.comparison import Comparison
from limbik.referee.curves import JsonCurves, JsonFootCurves, curves
from limbik.referee.motion_report import Report, Row, number
from limbik.studio.page.stage import Job, Stage

if TYPE_CHECKING:
    from viser import ClientHandle, GuiApi, GuiUplotHandle


AFTER_COLOUR, BEFORE_COLOUR = "#B4551A", "#3F6FB5"
ROW_PIXELS, MAX_CHART_PIXELS = 15.0, 90.0  # height of a row of contacts, and of all of them
MIN_LABEL_PIXELS = 11.0  # rows below have no names
TICK_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0)
MAX_TICKS = 6
PLOT_HEIGHT, TITLE_HEIGHT, AXIS_HEIGHT = 166, 34, 42  # pixels: of a plot, and above and below its curves
AXIS_WIDTH, PLOT_PADDING = 46, 14  # pixels beside the curves
GAP = "var(--mantine-spacing-xs)"  # around plots
PLOT_TITLES = "Sliding in stance, mm/s", "Sole above the ground, mm"
HEELS_AND_TOES = "Largest {} of standing heels and toes {} the ground."
# Label, measures whose maximum is shown, unit and meaning of each row.
REPORT_ROWS = (
    ("Feet slide", ("slide_mm",), " mm", "Largest distance of a standing foot from where it was set down."),
    ("Feet sink in", ("heel_penetration_mm", "toe_penetration_mm"), " mm", HEELS_AND_TOES.format("depth", "inside")),
    ("Feet float", ("heel_float_mm", "toe_float_mm"), " mm", HEELS_AND_TOES.format("height", "above")),
    ("Swing feet sink in", ("swing_penetration_mm",), " mm", "Largest depth of swinging feet inside the ground."),
    ("Soles tilt", ("sole_angle_deg",), "°", "Angle between sole and ground in mid-stance."),
    ("Knees fold", ("fold_deg",), "°", "Largest flexion of a knee; 0 is straight."),
    ("Standing knees", ("single_support_deg",), "°", "Mean flexion of the knee while one foot alone stands."),
)
POPS_MEANING = (
    "Largest angular acceleration of a leg's joint after, as a multiple of the same joint's before: 1 is as smooth."
)
# Lowest value, highest value and step of each slider. The command line accepts wider ranges.
SETTING_RANGES = {
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
UNSET_VALUES = {"sole": 0.08, "extension": 0.99}  # values of sliders until the user sets them


class ContactTimeline:
    """The contact timeline of a clip, with a line at the current frame."""

    def __init__(self, gui: GuiApi) -> None:
        self._cursor, self._bars = gui.add_html(""), gui.add_html("")
        self._frames, self._fps, self._height = 1, 1.0, ROW_PIXELS

    def show(self, feet: list[str], contacts: Array, fps: float) -> None:
        """Shows the contacts, (frames, feet) bool, of a clip whose feet have these names."""
        self._frames, self._fps = len(contacts), fps
        row = min(ROW_PIXELS, MAX_CHART_PIXELS / max(len(feet), 1))
        self._height = row * len(feet)
        names = html_labels([(name if row >= MIN_LABEL_PIXELS else "", 1) for name in feet], row)
        size = len(contacts) - 1, len(feet)  # each frame is at the middle of its part of a bar
        picture = svg_bars(contact_bars(contacts), "contacts", size, row, -0.5)
        self._bars.content = _slider_row(names, picture + self._axis_html())

    def show_frame(self, frame: int) -> None:
        """Moves the line to a frame."""
        part = 100.0 * frame / max(self._frames - 1, 1)
        line = (
            f"<div class='limbik-cursor' style='left:{part:.3f}%;height:{self._height + 2}px;"
            f"background:{palette.TARGET}'></div>"
        )
        time = f"{frame / self._fps:.2f} s of {(self._frames - 1) / self._fps:.2f} s"
        self._cursor.content = _slider_row("Contacts", f"<div style='height:14px;text-align:right'>{time}</div>{line}")

    def _axis_html(self) -> str:
        """The time axis below the bars, in seconds."""
        duration = max(self._frames - 1, 1) / self._fps
        step = next((tick for tick in TICK_SECONDS if duration / tick <= MAX_TICKS), duration)
        marks = "".join(
            f"<span style='left:{100.0 * k * step / duration:.3f}%'>{k * step:g}</span>"
            for k in range(int(duration / step) + 1)
        )
        return f"<div class='limbik-ticks'>{marks}</div>"


def _slider_row(label: str, content: str) -> str:
    """Content as wide as a slider's track, with something where labels are."""
    return (
        f"<div class='limbik-slider'><div><div class='limbik-small'>{label}</div></div>"
        f"<div class='limbik-small'>{content}</div><div></div></div>"
    )


def report_table(report: Report) -> str:
    """HTML table of the measures before and after grounding."""
    total = report.total
    rows = "".join(
        _report_row(label, _report_value(total, names, unit, False), _report_value(total, names, unit, True), meaning)
        for label, names, unit, meaning in REPORT_ROWS
    )
    pops = _report_row("Pops", "", "–" if total.pops is None else f"× {total.pops:.2f}", POPS_MEANING)
    heads = "".join(
        f"<th style='color:{colour}'>{word}</th>"
        for word, colour in (("before", BEFORE_COLOUR), ("after", AFTER_COLOUR))
    )
    return f"<table class='limbik-table report'><tr><th></th>{heads}</tr>{rows}{pops}</table>"


def _report_value(row: Row, names: tuple[str, ...], unit: str, after: bool) -> str:
    value = row.largest(*names, after=after)
    return "–" if value is None else number(value, ".1f") + unit


def _report_row(label: str, before: str, after: str, meaning: str) -> str:
    return f"<tr title='{meaning}'><td>{label}</td><td>{before}</td><td><b>{after}</b></td></tr>"


class FootPlots:
    """Two plots of the chosen foot, added to the folder that is open."""

    _curves: JsonCurves  # of the clip that is shown

    def __init__(self, stage: Stage) -> None:
        gui = stage.gui
        self._foot = gui.add_dropdown("Foot", ("",), hint="The foot whose curves are shown.")
        self._lines, self._plots = [], []
        for title in PLOT_TITLES:
            self._lines.append(gui.add_html(""))
            self._plots.append(_add_plot(stage, title))
        stage.on_change(self._draw, self._foot)

    def show(self, comparison: Comparison) -> None:
        """Shows the curves of a grounded clip, of the same foot as before if there is one of that name."""
        self._curves = curves(comparison)
        names: tuple[Any, ...] = tuple(foot["name"] for foot in self._curves["feet"])
        chosen = self._foot.value if self._foot.value in names else names[0]
        self._foot.options = names
        self._foot.value = chosen
        self._draw()

    def show_frame(self, frame: int) -> None:
        """Moves the line to a frame."""
        place = np.clip((frame - self._curves["first"]) / max(self._curves["frames"] - 1, 1), 0.0, 1.0)
        width = f"100% - 2 * {GAP} - {AXIS_WIDTH + PLOT_PADDING + 2}px"
        left, height = f"{GAP} + {AXIS_WIDTH + 1}px + ({width}) * {place:.4f}", PLOT_HEIGHT - TITLE_HEIGHT - AXIS_HEIGHT
        line = (
            f"<div style='position:relative;height:0;pointer-events:none;z-index:1'><div style='position:absolute;"
            f"left:calc({left});top:calc({GAP} + {TITLE_HEIGHT}px);height:{height}px;width:1.5px;"
            f"background:{palette.TARGET}'></div></div>"
        )
        for html in self._lines:
            html.content = line

    def _draw(self) -> None:
        foot = next(foot for foot in self._curves["feet"] if foot["name"] == self._foot.value)
        step, first, fps = self._curves["step"], self._curves["first"], self._curves["fps"]
        times = (first + step * np.arange(len(foot["slide"]["after"]))) / fps
        for plot, curve in zip(self._plots, (_sliding_speed, _sole_height), strict=True):
            plot.data = (times, curve(foot, "before"), curve(foot, "after"))


def _sliding_speed(foot: JsonFootCurves, version: str) -> Array:
    """Sliding speed in mm/s, 0 during swings: uPlot would draw a line across gaps."""
    return np.nan_to_num(np.array(foot["slide"][version], float))


def _sole_height(foot: JsonFootCurves, version: str) -> Array:
    """Height of the lower of heel and toe."""
    curves = [curve[version] for curve in (foot.get("heel_height"), foot["toe_height"]) if curve]
    return np.min(np.array(curves, float), axis=0)


def _add_plot(stage: Stage, title: str) -> GuiUplotHandle:
    from viser import uplot

    empty = np.array([0.0, 1.0])
    return stage.gui.add_uplot(
        (empty, empty, empty),
        (
            uplot.Series(label="s"),
            uplot.Series(label="before", stroke=BEFORE_COLOUR, width=1.2),
            uplot.Series(label="after", stroke=AFTER_COLOUR, width=1.8),
        ),
        title=title,
        scales={"x": uplot.Scale(time=False)},
        axes=(uplot.Axis(size=AXIS_HEIGHT), uplot.Axis(size=AXIS_WIDTH)),
        cursor=uplot.Cursor(drag=uplot.Cursor_Drag(x=False, y=False, setScale=False)),
        height=PLOT_HEIGHT,
        padding=(8, PLOT_PADDING, 0, 0),
    )


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
            name, (low, high, step) = field.name, SETTING_RANGES[field.name]
            label = name.removesuffix("_degrees").replace("_", " ")
            unset = field.default is None
            if unset:
                self._enabled[name] = stage.gui.add_checkbox(f"Set the {label}", False, hint=hints[name])
            start: Any = UNSET_VALUES[name] if unset else field.default
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
