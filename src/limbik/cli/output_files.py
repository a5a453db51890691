"""Output files that already exist: the one rule of all verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from limbik.errors import LimbikError

Overwrite = Annotated[bool, Parameter(show_default=False, help="Replace output files that already exist.")]


def refuse_existing(path: Path | None, overwrite: bool) -> None:
    """Raises where an output file already exists, unless it may be replaced; None is no file."""
    if path is not None and not overwrite and path.exists():
        raise LimbikError(f"{path} already exists; use --overwrite to replace it")
