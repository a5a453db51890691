"""Writes the results of a run: JSON, and tables in a Markdown document between two markers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from limbik.bench.machine import sentence
from limbik.bench.report_tables import as_markdown, tables
from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write

BEGIN = "<!-- limbik bench: begin -->"
END = "<!-- limbik bench: end -->"


def write_json(path: Path, report: dict[str, Any]) -> None:
    """Writes the whole report as JSON."""
    _write(path, json.dumps(report, indent=1) + "\n")


def check_markdown(path: Path) -> None:
    """Raises before the run if the tables could not be written into the document."""
    if path.exists():
        _parts(path)


def write_markdown(path: Path, report: dict[str, Any]) -> None:
    """Writes the tables between the markers of a document; a missing document is created."""
    before, after = _parts(path) if path.exists() else ("# Performance\n\n", "\n")
    text = f"Measured on: {sentence(report['machine'])}.\n\n{as_markdown(tables(report))}"
    _write(path, f"{before}{BEGIN}\n{text}\n{END}{after}")


def _parts(path: Path) -> tuple[str, str]:
    """The text before and after the tables."""
    text = path.read_text("utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise FileError(path, "", f"has no lines {BEGIN} and {END}, between which the tables go")
    return before, after


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())
