"""Packages that drop into an engine: template text of the engine's own, and generated solvers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from limbik import __version__
from limbik.exporting.language import pascal
from limbik.exporting.licence import LICENCE
from limbik.exporting.packages import sample_bodies
from limbik.exporting.packages.wheel import WHEEL_NAME, archive, wheel

if TYPE_CHECKING:
    from limbik.exporting.exporter import Exported
    from limbik.limbs.n_link import NLink

# Limb, language, options, answers and name to what is exported.
Export = Callable[["str | NLink", str, Iterable[str], Iterable[str], str], "Exported"]
Files = dict[str, str | bytes]  # by their paths
FOLDER = files("limbik.exporting.packages")
ROOT = PurePosixPath()
ANSWERS = ("joints", "rotations", "report")


def templates(folder: Traversable, path: PurePosixPath = ROOT) -> Iterator[tuple[str, str]]:
    """The files of a folder by their paths in it, with the version filled in."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        place = path / entry.name
        if entry.is_dir():
            yield from templates(entry, place) if entry.name != "__pycache__" else ()
        else:
            yield str(place), entry.read_text("utf-8").replace("@VERSION@", version())


def version() -> str:
    """Limbik's version as semantic versioning writes it: 0.2.0-dev0 for 0.2.0.dev0."""
    return __version__.replace(".dev", "-dev")


LIMBS = {"two_link": ("soften",), "three_link": ("easy", "hint"), "aim": ("pole", "max_angle")}


def unity(export: Export) -> Files:
    """A package for Unity's package manager."""
    from limbik.exporting.packages import unity_sources
    from limbik.gait.creature import creature

    made: Files = dict(templates(FOLDER / "unity"))
    for limb, options in {**LIMBS, "two_link": ("soften", "track", "bones")}.items():
        made[f"Runtime/Solvers/{pascal(limb)}.cs"] = export(limb, "csharp-mathematics", options, ANSWERS, limb).text
    for name, text in unity_sources.chains(partial(_chain, export)).items():
        made[f"Runtime/Solvers/{name}"] = text
    for name, text in unity_sources.creature(creature("spider"), "spider").items():
        made[f"Runtime/Creatures/{name}"] = text
    for name, text in unity_sources.walking_figure().items():
        made[f"Runtime/Sample/{name}"] = text
    made["LICENSE.md"] = LICENCE
    return made | _meta_files(made)


def _chain(export: Export, links: int) -> str:
    """A chain whose lengths are inputs."""
    from limbik.limbs.n_link import NLink

    chain = NLink([1.0] * links)
    return export(chain, "csharp-mathematics", ("lengths",), ("rotations",), f"n_link{links}").text


def godot(export: Export) -> Files:
    """An addon for Godot."""
    made: Files = dict(templates(FOLDER / "godot"))
    for limb, options in LIMBS.items():
        made[f"solvers/{limb}.gd"] = export(limb, "gdscript", _tracked(limb, options), ANSWERS, f"limbik_{limb}").text
    made |= {f"samples/{name}": text for name, text in sample_bodies.files("gdscript").items()}
    return {**made, "LICENSE": LICENCE}


def web(export: Export) -> Files:
    """An npm package."""
    made: Files = dict(templates(FOLDER / "web"))
    for limb, options in {"planar": (), **LIMBS}.items():
        answers = ("joints", "angles", "report") if limb == "planar" else (*ANSWERS, "angles")
        made |= export(limb, "js", _tracked(limb, options), answers, limb).files
    made |= {f"examples/{name}": text for name, text in sample_bodies.files("js").items()}
    return {**made, "LICENSE": LICENCE}


def _tracked(limb: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """The options of a limb, with tracks where it has them."""
    return (*options, "track") if limb in ("two_link", "three_link") else options


def shaders(export: Export) -> Files:
    """Compute shaders: the solver in three languages, and examples that run a million of it."""
    made: Files = dict(templates(FOLDER / "shaders"))
    for language in ("wgsl", "glsl", "hlsl"):
        made |= export("two_link", language, (), ("joints", "rotations"), "two_link").files
    return {**made, "LICENSE": LICENCE}


def blender(export: Export) -> Files:
    """An extension for Blender, a zip file: the add-on, and limbik's wheel."""
    made: Files = {}
    for path, text in templates(FOLDER / "blender"):
        made["__init__.py" if path == "addon.py" else path] = text.replace("@WHEEL@", WHEEL_NAME)
    return {"limbik.zip": archive({**made, "LICENSE": LICENCE, f"wheels/{WHEEL_NAME}": wheel()})}


def _meta_files(made: Files) -> Files:
    """Unity's companions of assets: without them, a package from a repository or an archive is ignored."""
    visible = [PurePosixPath(path) for path in made if "~" not in path]
    folders = {parent for path in visible for parent in path.parents if parent.name}
    metas: Files = {}
    for path in sorted({*visible, *folders}):
        guid = hashlib.md5(f"limbik/{path}".encode(), usedforsecurity=False).hexdigest()
        folder = "folderAsset: yes\n" if path in folders else ""
        metas[f"{path}.meta"] = f"fileFormatVersion: 2\nguid: {guid}\n{folder}"
    return metas


PACKAGES: dict[str, Callable[[Export], Files]] = {
    "unity": unity,
    "godot": godot,
    "web": web,
    "shaders": shaders,
    "blender": blender,
}
