"""Curves of one foot over time, before and after grounding: sliding in stance, and height of the sole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.referee.comparison import Comparison
from limbik.referee.curves import JsonCurves, JsonFootCurves, curves
from limbik.studio.ground.report_table import AFTER, BEFORE
from limbik.studio.page.stage import Stage

if TYPE_CHECKING:
    from viser import GuiUplotHandle

HEIGHT, ABOVE, BELOW = 166, 34, 42  # pixels: of a plot, and of the margins above and below its curves
LEFT, RIGHT = 46, 14  # pixels beside the curves
TITLES = "Sliding in stance, mm/s", "Sole above the ground, mm"
GAP = "var(--mantine-spacing-xs)"


class FootPlots:
    """Two plots of the chosen foot, added to the folder that is open."""

    def __init__(self, stage: Stage) -> None:
        gui = stage.gui
        self._curves: JsonCurves | dict[str, Any] = {}
        self._foot = gui.add_dropdown("Foot", ("",), hint="The foot whose curves are shown.")
        self._lines, self._plots = [], []
        for title in TITLES:
            self._lines.append(gui.add_html(""))
            self._plots.append(_plot(stage, title))
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
        left = f"calc({GAP} + {LEFT + 1}px + (100% - 2 * {GAP} - {LEFT + RIGHT + 2}px) * {place:.4f})"
        line = (
            f"<div style='position:relative;height:0;pointer-events:none;z-index:1'><div style='position:absolute;"
            f"left:{left};top:calc({GAP} + {ABOVE}px);height:{HEIGHT - ABOVE - BELOW}px;width:1.5px;"
            f"background:{palette.TARGET}'></div></div>"
        )
        for html in self._lines:
            html.content = line

    def _draw(self) -> None:
        foot = next(foot for foot in self._curves["feet"] if foot["name"] == self._foot.value)
        step, first, fps = self._curves["step"], self._curves["first"], self._curves["fps"]
        times = (first + step * np.arange(len(foot["slide"]["after"]))) / fps
        for plot, curve in zip(self._plots, (_slide, _height), strict=True):
            plot.data = (times, curve(foot, "before"), curve(foot, "after"))


def _slide(foot: JsonFootCurves, which: str) -> Array:
    """Sliding speed in mm/s, 0 during swings: uPlot would draw a line across gaps."""
    return np.nan_to_num(np.array(foot["slide"][which], float))


def _height(foot: JsonFootCurves, which: str) -> Array:
    """Height of the lower of heel and toe."""
    curves = [curve[which] for curve in (foot.get("heel_height"), foot["toe_height"]) if curve]
    return np.min(np.array(curves, float), axis=0)


def _plot(stage: Stage, title: str) -> GuiUplotHandle:
    from viser import uplot

    empty = np.array([0.0, 1.0])
    return stage.gui.add_uplot(
        (empty, empty, empty),
        (
            uplot.Series(label="s"),
            uplot.Series(label="before", stroke=BEFORE, width=1.2),
            uplot.Series(label="after", stroke=AFTER, width=1.8),
        ),
        title=title,
        scales={"x": uplot.Scale(time=False)},
        axes=(uplot.Axis(size=BELOW), uplot.Axis(size=LEFT)),
        cursor=uplot.Cursor(drag=uplot.Cursor_Drag(x=False, y=False, setScale=False)),
        height=HEIGHT,
        padding=(8, RIGHT, 0, 0),
    )
