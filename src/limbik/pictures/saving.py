"""Saving matplotlib figures: the same figure gives the same bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from limbik.arguments import file_path
from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Metadata that would differ from run to run is left out.
METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def check_path(path: str | os.PathLike[str]) -> Path:
    """The path, if its suffix is one of those that can be written."""
    checked = file_path("path", path)
    if checked.suffix.lower() not in METADATA:
        raise ArgumentError("path", repr(str(path)), "a name that ends in " + ", ".join(METADATA))
    return checked


def save(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Writes a figure; an interrupted run leaves an existing file as it was."""
    from matplotlib import rc_context

    kind = path.suffix.lower()
    with atomic_write(path) as file, rc_context({"svg.hashsalt": "limbik"}):  # else an SVG's names differ in every run
        figure.savefig(file, format=kind[1:], dpi=dpi, metadata=METADATA[kind])
