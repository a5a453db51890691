"""HTML of the Limb tab: the result of a solve, and the Python code for it with a copy button."""

from __future__ import annotations

from html import escape

from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.studio.limb.limb_call import LimbCall

# Pages from another machine have no navigator.clipboard (it needs a secure context): there the text is selected.
COPY = (
    "const text=this.parentNode.querySelector('textarea');text.select();"
    "if(navigator.clipboard)navigator.clipboard.writeText(text.value);else document.execCommand('copy');"
    "this.textContent='Copied';setTimeout(()=>this.textContent='Copy the Python call',1200)"
)
BUTTON = (
    "display:block;width:100%;height:2em;border:0;border-radius:4px;background:#0072B2;color:#fff;cursor:pointer;"
    "font:inherit;font-weight:600"
)
CODE = (
    "display:block;width:100%;box-sizing:border-box;margin-top:.5em;height:8.2em;resize:vertical;white-space:pre;"
    "font:11px/1.5 ui-monospace,monospace;color:#222;background:#f6f7f8;border:1px solid #e0e3e6;border-radius:4px"
)


def outcome_html(solution: Solution) -> str:
    """HTML: the status, the residual, and the angles in degrees."""
    dot = palette.UP if solution.status == Status.REACHED else palette.TARGET
    residual = f"the tip is {1e3 * solution.residual:.2g} mm from the target"
    cells = "".join(
        f"<td style='padding:0 .4em .1em 0;color:#666'>{escape(name)}</td>"
        f"<td style='text-align:right;padding-right:1.2em'>{escape(words.degrees(angle))}</td>"
        + ("</tr><tr>" if k % 2 else "")
        for k, (name, angle) in enumerate(zip(solution.angle_names, solution.degrees(), strict=True))
    )
    return (
        "<div style='margin:.2em 1em .6em;font-size:13px;line-height:1.55'>"
        f"<div><span style='color:{dot}'>●</span> <b>{escape(words.outcome(solution))}</b></div>"
        f"<div style='color:#666'>{escape(residual)}</div>"
        f"<table style='border-spacing:0;font-variant-numeric:tabular-nums'><tr>{cells}</tr></table></div>"
    )


def python_html(call: LimbCall) -> str:
    """HTML: the Python code of a call, and a button that copies it."""
    return (
        f"<div style='margin:.2em 1em .8em;font-size:13px'><button style='{BUTTON}' onclick=\"{COPY}\">"
        f"Copy the Python call</button><textarea readonly spellcheck='false' aria-label='Python' style='{CODE}'>"
        f"{escape(call.python())}</textarea></div>"
    )
