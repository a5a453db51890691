"""What grounding did to a clip, in a few words and numbers."""

from __future__ import annotations

from limbik.referee.motion_report import Report, Row, number

AFTER, BEFORE = "#B4551A", "#3F6FB5"
# What people ask first: in words, the measures whose largest is told, how, and what it means.
LINES = (
    ("Feet slide", ("slide_mm",), ".1f", "mm", "The farthest that a standing foot gets from where it was set down."),
    (
        "Feet sink in",
        ("heel_penetration_mm", "toe_penetration_mm"),
        ".1f",
        "mm",
        "How far below the ground standing heels and toes are.",
    ),
    (
        "Feet float",
        ("heel_float_mm", "toe_float_mm"),
        ".1f",
        "mm",
        "How far above the ground standing heels and toes are.",
    ),
    ("Swings touch", ("swing_penetration_mm",), ".1f", "mm", "How far below the ground swinging feet are."),
    ("Soles tilt", ("sole_angle_deg",), ".1f", "°", "The angle between sole and ground in mid-stance."),
    ("Out of reach", ("out_of_reach",), ".0f", "frames", "Frames in which a leg is stretched beyond its limit."),
)
POPS = "The largest angular acceleration of any joint after, as a multiple of that before: 1 is as smooth as it was."
CELL = "padding:0 .5em 0 0;text-align:right"


def table(report: Report) -> str:
    """HTML: before and after, side by side."""
    total = report.total
    lines = "".join(
        _line(words, _told(total, names, form, unit, False), _told(total, names, form, unit, True), meaning)
        for words, names, form, unit, meaning in LINES
    )
    pops = _line("Pops", "", "–" if total.pops is None else f"× {total.pops:.2f}", POPS)
    heads = "".join(
        f"<th style='{CELL};color:{colour};font-weight:600'>{word}</th>"
        for word, colour in (("before", BEFORE), ("after", AFTER))
    )
    return (
        "<table class='report' style='width:calc(100% - 2em);margin:.3em 1em .7em;border-spacing:0;font-size:12.5px;"
        f"line-height:1.4;font-variant-numeric:tabular-nums'><tr><th></th>{heads}</tr>{lines}{pops}</table>"
    )


def _told(row: Row, names: tuple[str, ...], form: str, unit: str, after: bool) -> str:
    value = row.largest(*names, after=after)
    gap = "" if unit == "°" else " "
    return number(value, form) if value is None else f"{number(value, form)}{gap}{unit}"


def _line(words: str, before: str, after: str, meaning: str) -> str:
    return (
        f"<tr title='{meaning}'><td>{words}</td><td style='{CELL}'>{before}</td>"
        f"<td style='{CELL}'><b>{after}</b></td></tr>"
    )
