"""How the scripts of this folder keep their pictures: as small WebP files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

FOLDER = Path(__file__).parent / "pictures"
QUALITY = 78  # of photographs and renders; edges of text stay clean
LARGEST = 140_000  # bytes


def keep(picture: Image.Image, name: str, folder: Path = FOLDER) -> Path:
    """Writes a picture as NAME.webp, and returns its path."""
    path = folder / f"{name}.webp"
    picture.convert("RGB").save(path, quality=QUALITY, method=6)
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name}: {path.stat().st_size} bytes; expected at most {LARGEST}")
    return path


def drawn(figure: Any, dpi: int = 100) -> Image.Image:
    """A picture of a matplotlib figure."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=dpi)
    return Image.open(file)
