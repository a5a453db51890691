"""The reports of many clips as one page, with plots, that needs nothing but itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from pathlib import Path

from limbik.batch.clip_job import Outcome
from limbik.batch.records import read_record
from limbik.errors import as_unicode
from limbik.files.atomic_write import atomic_write
from limbik.grounding.settings import Settings
from limbik.referee.curves import JsonCurves
from limbik.referee.motion_report import Report, number

GENERATOR = b'<meta name="generator" content="limbik ground">'
MAX_ROWS = 1000  # of the table of clips
MAX_PLOT_BYTES = 550_000  # bytes for the plots of clips; the page stays below a megabyte

MEANING = """Before is the clip as it came: slide, pops and knees as recorded, heights and sole angles with each frame
raised by the ground under its root. After is the clip on the terrain. Slide, penetration and float are the largest in
any stance, and stances are found in the original clip by rules of the report's own. Pops are the largest angular
acceleration of a joint of a leg, as a multiple of the same joint's before."""


def write_report_page(outcomes: Sequence[Outcome], path: Path, settings: Settings) -> None:
    """Writes a page about grounded clips: a table of all, and plots of as many as the page has room for.

    Clips with the largest pops come first. Curves are read from the records beside the clips.
    """
    done = sorted((one for one in outcomes if one.report), key=_pops, reverse=True)
    plotted, sections = _plots(done)
    body = "\n".join([_summary(done, settings), _faults(outcomes), _table(done, len(plotted)), *sections])
    data = json.dumps(plotted, separators=(",", ":")).replace("<", "\\u003c")  # no name may end the script
    parts = {"title": "Feet on the ground", "body": body, "data": data}
    frame = files("limbik.pages").joinpath("report_page.html").read_text("utf-8")
    text = re.sub(r"<!--(\w+)-->", lambda place: parts[place[1]], frame)
    with atomic_write(path) as file:
        file.write(as_unicode(text).encode())


def is_report(path: Path) -> bool:
    """Whether a file is a page that `write_report_page` wrote."""
    with path.open("rb") as file:
        return GENERATOR in file.read(1000)


def _report(outcome: Outcome) -> Report:
    assert outcome.report is not None
    return outcome.report


def _pops(outcome: Outcome) -> float:
    return max((row.pops or 0.0 for row in _report(outcome).feet), default=0.0)


def _name(outcome: Outcome) -> str:
    return escape(str(outcome.job.place))


def _summary(done: Sequence[Outcome], settings: Settings) -> str:
    default = asdict(Settings())
    changed = [f"{name} {value}" for name, value in asdict(settings).items() if value != default[name]]
    terrains = sorted({_report(one).terrain for one in done})
    clips = f"{len(done)} clip{'s' * (len(done) != 1)}"
    frames, contacts = sum(_report(one).frames for one in done), sum(_report(one).total.contacts for one in done)
    summary = f"{clips} on {escape(', '.join(terrains) or 'no ground')}: {frames:,} frames, {contacts:,} stances"
    return f"<p>{summary}{escape('; ' + ', '.join(changed)) if changed else ''}.</p>\n<p class=dim>{MEANING}</p>"


def _faults(outcomes: Sequence[Outcome]) -> str:
    faults = [escape(one.error) for one in outcomes if one.error]
    lines = "".join(f"<li class=bad>{fault}</li>" for fault in faults[:MAX_ROWS])
    return f"<h2>Not done</h2><ul>{lines}</ul>" if faults else ""


def _largest_cell(*names: str) -> Callable[[Report], str]:
    """A column: the larger of some measures of all feet, before and after."""

    def cell(report: Report) -> str:
        return " → ".join(number(report.total.largest(*names, after=after), ".1f") for after in (False, True))

    return cell


def _percentage(value: float | None) -> str:
    return number(None if value is None else 100.0 * value, ".0f")


COLUMNS: dict[str, Callable[[Report], str]] = {  # of a table of clips: the heading, and a cell of a report as text
    "stances": lambda report: str(report.total.contacts),
    "held %": lambda report: _percentage(report.total.found),
    "slide mm": _largest_cell("slide_mm"),
    "penetration mm": _largest_cell("heel_penetration_mm", "toe_penetration_mm"),
    "float mm": _largest_cell("heel_float_mm", "toe_float_mm"),
    "in swing mm": _largest_cell("swing_penetration_mm"),
    "sole degrees": _largest_cell("sole_angle_deg"),
    "pops ×": lambda report: number(report.total.pops, ".2f"),
    "knee fold degrees": _largest_cell("fold_deg"),
    "standing knee degrees": _largest_cell("single_support_deg"),
    "flips": lambda report: str(report.total.flips),
    "pelvis cm": lambda report: number(report.pelvis_offset_cm, ".1f"),
}


def _table(done: Sequence[Outcome], plotted: int) -> str:
    if not done:
        return ""
    heads = "".join(f"<th>{'<br>'.join(name.rsplit(' ', 1))}</th>" for name in ("clip", *COLUMNS))
    rows = []
    for k, one in enumerate(done[:MAX_ROWS]):
        name = f'<a href="#clip-{k}">{_name(one)}</a>' if k < plotted else _name(one)
        cells = "".join(f"<td>{_colour_cell(cell(_report(one)))}</td>" for cell in COLUMNS.values())
        rows.append(f"<tr><td>{name}</td>{cells}</tr>")
    rest = [] if len(done) <= MAX_ROWS else [f"<p class=dim>… and {len(done) - MAX_ROWS:,} more.</p>"]
    rest += [] if len(done) <= plotted else [f"<p class=dim>The {plotted:,} with the largest pops have plots.</p>"]
    return "\n".join([f"<h2>Clips</h2><div class=wide><table><tr>{heads}</tr>", *rows, "</table></div>", *rest])


def _plots(done: Sequence[Outcome]) -> tuple[list[JsonCurves], list[str]]:
    """Curves of as many clips as there is room for, and their sections of the page."""
    plotted, sections, room = [], [], MAX_PLOT_BYTES
    for one in done:
        curves = read_record(one.job.target)["curves"]
        section = _section(one, len(plotted))
        room -= len(json.dumps(curves, separators=(",", ":"))) + len(section)
        if room < 0:
            break
        plotted.append(curves)
        sections.append(section)
    return plotted, [LEGEND, *sections] if sections else []


LEGEND = """<h2>Plots</h2>
<p class=key><span style="--c: var(--before)">before</span><span style="--c: var(--after)">after</span>
<span class=area style="--c: var(--stand)">ball stands</span></p>"""


def _section(outcome: Outcome, k: int) -> str:
    report = _report(outcome)
    heading, lines = report.table()
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    rows = "".join(f"<tr>{''.join(f'<td>{_colour_cell(cell)}</td>' for cell in line)}</tr>" for line in lines)
    size = f"{report.frames} frames at {report.fps:g} fps"
    return (
        f'<details data-clip={k} id="clip-{k}"{" open" * (k == 0)}><summary>{_name(outcome)} '
        f"<span class=dim>{size}</span></summary><div class=wide><table><tr>{head}</tr>{rows}</table></div>"
        f"{''.join(f'<p>{escape(note)}</p>' for note in report.notes)}<div class=plots></div></details>"
    )


def _colour_cell(cell: str) -> str:
    before, arrow, after = escape(cell).partition(" → ")
    return f"<i>{before}</i> → <b>{after}</b>" if arrow else before
