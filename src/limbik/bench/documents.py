"""What a run leaves behind: the JSON, and the tables in a document, between two markers."""

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
    """The whole report."""
    _write(path, json.dumps(report, indent=1) + "\n")


def check_markdown(path: Path) -> None:
    """Raises where the tables could not be put into the document: better before the run than after it."""
    if path.exists():
        _parts(path)


def write_markdown(path: Path, report: dict[str, Any]) -> None:
    """Puts the tables between the document's markers; a document that is not there yet is begun."""
    before, after = _parts(path) if path.exists() else ("# Performance\n\n", "\n")
    text = f"Measured on: {sentence(report['machine'])}.\n\n{as_markdown(tables(report))}"
    _write(path, f"{before}{BEGIN}\n{text}\n{END}{after}")


def _parts(path: Path) -> tuple[str, str]:
    """What stands before and after the tables."""
    text = path.read_text("utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise FileError(path, "", f"has no lines {BEGIN} and {END}, between which the tables go")
    return before, after


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())
