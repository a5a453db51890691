"""HTML: a bar for each joint, with its limits, its angle, and the angles of the other answers."""

from __future__ import annotations

from html import escape
from math import degrees, isfinite, pi

from limbik.arrays import Array
from limbik.pictures import palette, words

ROW = "display:flex;align-items:center;gap:.6em;margin:.25em 0;font-size:12px"
NAME = "flex:0 0 42%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--mantine-color-dimmed)"
BAR = "position:relative;flex:1;height:10px;border-radius:5px;background:var(--mantine-color-default-border)"
MARK = "position:absolute;top:{top}px;width:{width}px;height:{height}px;left:calc({at:.1f}% - {half}px);"
VALUE = "flex:0 0 3.6em;text-align:right;font-variant-numeric:tabular-nums"


def joint_bars(names: tuple[str, ...], lower: Array, upper: Array, angles: Array, others: Array) -> str:
    """A row for each joint: its name, a bar from limit to limit (without limits: a turn), its angle in degrees."""
    rows = []
    for k, name in enumerate(names):
        low = float(lower[k]) if isfinite(lower[k]) else min(-pi, float(angles[k]))
        high = float(upper[k]) if isfinite(upper[k]) else max(pi, float(angles[k]))
        inside = low - 1e-9 <= angles[k] <= high + 1e-9
        marks = [_mark(float(one), low, high, palette.GHOST, 3) for one in others[:, k] if low <= one <= high]
        marks.append(_mark(float(angles[k]), low, high, palette.LINK if inside else palette.TARGET, 5))
        rows.append(
            f"<div style='{ROW}'><span style='{NAME}' title='{escape(name)}'>{escape(name)}</span>"
            f"<span style='{BAR}'>{''.join(marks)}</span>"
            f"<span style='{VALUE}'>{words.degrees(degrees(angles[k]))}</span></div>"
        )
    return f"<div style='margin:.2em 1em .8em'>{''.join(rows)}</div>"


def _mark(angle: float, low: float, high: float, colour: str, width: int) -> str:
    at = 100.0 * min(max((angle - low) / max(high - low, 1e-9), 0.0), 1.0)
    top, height = (-2, 14) if width > 3 else (1, 8)
    place = MARK.format(top=top, height=height, width=width, half=width / 2, at=at)
    return f"<i style='{place}border-radius:2px;background:{colour}'></i>"
