"""Writing a figure: which kinds there are, and the same bytes for the same picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What would make two runs differ is left out of each kind of picture.
METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def check_path(path: str | Path) -> Path:
    """The path, if its ending names a kind of picture that can be written."""
    checked = Path(path)
    if checked.suffix.lower() not in METADATA:
        raise ArgumentError("path", repr(str(path)), "a name that ends in " + ", ".join(METADATA))
    return checked


def save(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Writes the figure; an interrupted run leaves what was there before."""
    from matplotlib import rc_context

    kind = path.suffix.lower()
    with atomic_write(path) as file, rc_context({"svg.hashsalt": "limbik"}):  # else an SVG's names differ in every run
        figure.savefig(file, format=kind[1:], dpi=dpi, metadata=METADATA[kind])
