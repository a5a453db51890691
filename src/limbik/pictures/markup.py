"""HTML and SVG as text, in which nothing that was not meant as markup can become it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from limbik.pictures import palette

# A notebook's own style, light or dark, is for its own tables: ours say everything themselves.
ROW = "background:none"
CELL = f"border:0;background:none;color:{palette.INK};font-size:12px;padding:2px 14px 2px 0;white-space:nowrap"
HEAD = f"{CELL};color:{palette.FAINT};font-weight:normal"


class Markup(str):
    """Text that is markup, and stays as it is."""

    __slots__ = ()


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element. Text inside and attributes' values are escaped; what is Markup already is not.

    An attribute's name is written with - for _, and without one at its end (`class_`).
    """
    shown = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return Markup(f"<{name}{shown}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Elements and texts, one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table of texts: the first column to the left, numbers to the right."""

    def row(kind: str, cells: Sequence[str], style: str) -> Markup:
        aligned = ["left", *["right"] * (len(cells) - 1)]
        shown = (tag(kind, cell, style=f"{style};text-align:{side}") for cell, side in zip(cells, aligned, strict=True))
        return tag("tr", *shown, style=ROW)

    body = (row("td", cells, CELL) for cells in rows)
    return tag(
        "table", row("th", heading, HEAD), *body, style="border-collapse:collapse;border:0;margin:0;background:none"
    )


def framed(*inside: str) -> Markup:
    """A card: light, whatever the notebook around it is."""
    style = (
        f"display:inline-block;box-sizing:border-box;max-width:100%;overflow-x:auto;padding:12px 16px;"
        f"border:1px solid {palette.GRID};border-radius:10px;background:#FFFFFF;color:{palette.INK};color-scheme:light;"
        "font:13px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:left"
    )
    return tag("div", *inside, class_="limbik", style=style)


def heading(title: str, more: str) -> Markup:
    """A card's first line: what it shows, and some more about it."""
    return line(tag("b", title), "  ", faint(more))


def outcome(text: str, good: bool) -> Markup:
    """What became of something, with a mark that tells whether that was as wished."""
    colour = palette.UP if good else palette.TARGET
    return line(tag("span", "● ", style=f"color:{colour}", aria_hidden="true"), text)


def line(*inside: str) -> Markup:
    """A line of words on a card."""
    return tag("div", *inside, style="margin:0 0 4px;max-width:560px")


def faint(text: str) -> Markup:
    """Words that stand back."""
    return tag("span", text, style=f"color:{palette.FAINT}")
