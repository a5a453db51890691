"""The contact timeline: a row for each foot, a bar for each plant, aligned with the frame slider below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.pictures.contact_bars import contact_bars, html_labels, svg_bars

if TYPE_CHECKING:
    from viser import GuiApi

ROW, TALLEST = 15.0, 90.0  # pixels: of a row, and of all of them
READABLE = 11.0  # pixels: rows below have no names
TICKS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0)  # seconds
MOST_TICKS = 6
GAP = "var(--mantine-spacing-xs)"
# A control of a tab has its label to the left, this wide, and a slider its number to the right; its track is inset.
LABEL, NUMBER, INSET = "6.6125em", f"calc(3rem + {GAP})", "0.25rem"
SMALL = "font-size:11px;line-height:1.2;color:var(--mantine-color-dimmed)"


class ContactTimeline:
    """The contact timeline of a clip, with a line at the current frame."""

    def __init__(self, gui: GuiApi) -> None:
        self._cursor, self._bars = gui.add_html(""), gui.add_html("")
        self._frames, self._fps, self._height = 1, 1.0, ROW

    def show(self, feet: list[str], contacts: Array, fps: float) -> None:
        """Shows the contacts, (frames, feet) bool, of a clip whose feet have these names."""
        self._frames, self._fps = len(contacts), fps
        row = min(ROW, TALLEST / max(len(feet), 1))
        self._height = row * len(feet)
        names = html_labels([(name if row >= READABLE else "", 1) for name in feet], row)
        size = len(contacts) - 1, len(feet)  # each frame is at the middle of its part of a bar
        picture = svg_bars(contact_bars(contacts), "contacts", size, row, -0.5)
        self._bars.content = _beside(names, picture + self._ticks())

    def show_frame(self, frame: int) -> None:
        """Moves the line to a frame."""
        part = 100.0 * frame / max(self._frames - 1, 1)
        line = (
            f"<div class='cursor' style='position:absolute;left:{part:.3f}%;top:14px;height:{self._height + 2}px;"
            f"margin-left:-1px;width:2px;background:{palette.TARGET};pointer-events:none;z-index:1'></div>"
        )
        time = f"{frame / self._fps:.2f} s of {(self._frames - 1) / self._fps:.2f} s"
        self._cursor.content = _beside("Contacts", f"<div style='height:14px;text-align:right'>{time}</div>{line}")

    def _ticks(self) -> str:
        """The time axis below the bars, in seconds."""
        duration = max(self._frames - 1, 1) / self._fps
        step = next((tick for tick in TICKS if duration / tick <= MOST_TICKS), duration)
        marks = "".join(
            f"<span style='position:absolute;left:{100.0 * k * step / duration:.3f}%;transform:translateX(-50%)'>"
            f"{k * step:g}</span>"
            for k in range(int(duration / step) + 1)
        )
        return f"<div style='position:relative;height:13px'>{marks}</div>"


def _beside(label: str, content: str) -> str:
    """Content as wide as a slider's track, with something where labels are."""
    return (
        f"<div style='display:flex;padding:0 {GAP}'>"
        f"<div style='flex:none;width:{LABEL};padding-right:{GAP}'><div style='{SMALL}'>{label}</div></div>"
        f"<div style='flex:1;position:relative;min-width:0;margin:0 {INSET};{SMALL}'>{content}</div>"
        f"<div style='flex:none;width:{NUMBER}'></div></div>"
    )
