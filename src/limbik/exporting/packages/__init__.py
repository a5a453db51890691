"""Packages that drop into an engine: template text of the engine's own, and generated solvers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

from limbik import __version__

Export = Callable[[str, str, Iterable[str], Iterable[str]], Any]  # limb, language, options, answers to Exported
ROOT = PurePosixPath()
ANSWERS = ("joints", "rotations", "report")


def templates(folder: Traversable, path: PurePosixPath = ROOT) -> Iterator[tuple[str, str]]:
    """The files of a folder by their paths in it, with the version filled in."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        place = path / entry.name
        if entry.is_dir():
            yield from templates(entry, place)
        else:
            yield str(place), entry.read_text("utf-8").replace("@VERSION@", version())


def version() -> str:
    """Limbik's version as semantic versioning writes it: 0.2.0-dev0 for 0.2.0.dev0."""
    return __version__.replace(".dev", "-dev")


def unity(export: Export) -> dict[str, str]:
    """A package for Unity's package manager."""
    made = dict(templates(files("limbik.exporting.packages") / "unity"))
    limbs = {"TwoLink": ("soften",), "ThreeLink": ("easy", "hint"), "Aim": ("pole", "max_angle")}
    for name, options in limbs.items():
        kind = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        made[f"Runtime/Solvers/{name}.cs"] = export(kind, "csharp-mathematics", options, ANSWERS).text
    return made | _meta_files(made)


def _meta_files(made: dict[str, str]) -> dict[str, str]:
    """Unity's companions of assets: without them, a package from a repository or an archive is ignored."""
    visible = [PurePosixPath(path) for path in made if "~" not in path]
    folders = {parent for path in visible for parent in path.parents if parent.name}
    metas = {}
    for path in sorted({*visible, *folders}):
        guid = hashlib.md5(f"limbik/{path}".encode(), usedforsecurity=False).hexdigest()
        folder = "folderAsset: yes\n" if path in folders else ""
        metas[f"{path}.meta"] = f"fileFormatVersion: 2\nguid: {guid}\n{folder}"
    return metas


PACKAGES: dict[str, Callable[[Export], dict[str, str]]] = {"unity": unity}
