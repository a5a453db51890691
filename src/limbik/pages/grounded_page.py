"""The page of a grounded clip: on its terrain, beside what it came from."""

from __future__ import annotations

from pathlib import Path

from limbik.grounding.ground import Grounded
from limbik.pages.clip_page import write_page


def write_grounded_page(grounded: Grounded, path: Path) -> None:
    """Writes a page that plays what `ground` gave, planted feet marked, with the clip before it to compare."""
    write_page(grounded.clip, path, compare=grounded.before_on_terrain)
