"""The table of the Rig tab: what became of each end's target."""

from __future__ import annotations

from html import escape

from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.studio.rig.dragged_rig import DraggedRig

TABLE = (
    "width:calc(100% - 2em);margin:.3em 1em .7em;border-spacing:0;font-size:12.5px;line-height:1.5;"
    "font-variant-numeric:tabular-nums"
)
RIGHT = "text-align:right"
GREY = "#999999"  # of ends that have no target


def ends_table(rig: DraggedRig) -> str:
    """HTML table with a row for each end: its name, its status, and its distance from the target."""
    heads = f"<tr><th></th><th style='text-align:left'>status</th><th style='{RIGHT}'>off by</th></tr>"
    return f"<table style='{TABLE}'>{heads}{''.join(_row(rig, end) for end in rig.joints)}</table>"


def _row(rig: DraggedRig, end: str) -> str:
    colour, status, residual = GREY, "held" if rig.holds(end) else "free", "–"
    if rig.reached is not None and end in rig.reached.status:
        found = Status(int(rig.reached.status[end]))
        colour = palette.UP if found == Status.REACHED else palette.TARGET
        if end in rig.targets or found != Status.REACHED:
            status = found.name.replace("_", " ").lower()
        residual = words.millimetres(float(rig.reached.residual[end]))
    return (
        f"<tr><td>{escape(end.replace('_', ' '))}</td><td><span style='color:{colour}'>●</span> {status}</td>"
        f"<td style='{RIGHT}'>{residual}</td></tr>"
    )
