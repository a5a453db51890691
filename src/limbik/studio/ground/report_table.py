"""The table of the Ground tab: how a clip improved by grounding."""

from __future__ import annotations

from limbik.referee.motion_report import Report, Row, number

AFTER, BEFORE = "#B4551A", "#3F6FB5"
HEELS_AND_TOES = "Largest {} of standing heels and toes {} the ground."
# Label, measures whose maximum is shown, unit and meaning of each row.
ROWS = (
    ("Feet slide", ("slide_mm",), " mm", "Largest distance of a standing foot from where it was set down."),
    ("Feet sink in", ("heel_penetration_mm", "toe_penetration_mm"), " mm", HEELS_AND_TOES.format("depth", "inside")),
    ("Feet float", ("heel_float_mm", "toe_float_mm"), " mm", HEELS_AND_TOES.format("height", "above")),
    ("Swing feet sink in", ("swing_penetration_mm",), " mm", "Largest depth of swinging feet inside the ground."),
    ("Soles tilt", ("sole_angle_deg",), "°", "Angle between sole and ground in mid-stance."),
    ("Knees fold", ("fold_deg",), "°", "Largest flexion of a knee; 0 is straight."),
    ("Standing knees", ("single_support_deg",), "°", "Mean flexion of the knee while one foot alone stands."),
)
POPS = "Largest angular acceleration of a leg's joint after, as a multiple of the same joint's before: 1 is as smooth."
CELL = "padding:0 .5em 0 0;text-align:right"


def table(report: Report) -> str:
    """HTML table of the measures before and after grounding."""
    total = report.total
    rows = "".join(
        _row(label, _value(total, names, unit, False), _value(total, names, unit, True), meaning)
        for label, names, unit, meaning in ROWS
    )
    pops = _row("Pops", "", "–" if total.pops is None else f"× {total.pops:.2f}", POPS)
    heads = "".join(
        f"<th style='{CELL};color:{colour};font-weight:600'>{word}</th>"
        for word, colour in (("before", BEFORE), ("after", AFTER))
    )
    return (
        "<table class='report' style='width:calc(100% - 2em);margin:.3em 1em .7em;border-spacing:0;font-size:12.5px;"
        f"line-height:1.4;font-variant-numeric:tabular-nums'><tr><th></th>{heads}</tr>{rows}{pops}</table>"
    )


def _value(row: Row, names: tuple[str, ...], unit: str, after: bool) -> str:
    value = row.largest(*names, after=after)
    return "–" if value is None else number(value, ".1f") + unit


def _row(label: str, before: str, after: str, meaning: str) -> str:
    return (
        f"<tr title='{meaning}'><td>{label}</td><td style='{CELL}'>{before}</td>"
        f"<td style='{CELL}'><b>{after}</b></td></tr>"
    )
