"""Bodies for the samples of packages: a character that walks on the spot, and a creature, as glTF text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from limbik.files.clip_files import save
from limbik.samples import character
from limbik.skeleton.clip import Clip

CYCLE_FRAMES = 61  # one stride of the sample walk, the first frame again at its end
CREATURE = "spider"


def files(language: str) -> dict[str, str | bytes]:
    """The files of samples: both bodies, and the creature's walk in a language."""
    from limbik.exporting.exporter import export

    walk = export(CREATURE, language).files
    return {"character.gltf": walking_character(), f"{CREATURE}.gltf": creature_body(), **walk}


@cache
def walking_character() -> str:
    """The sample character, walking on the spot: 1 m/s."""
    clip = character(CYCLE_FRAMES)
    translations = clip.translations.copy()
    translations[:, 0, [0, 2]] = 0.0
    return _gltf_text(clip.with_(translations=translations, name="walk"))


@cache
def creature_body() -> str:
    """The skin and bones of the creature."""
    from limbik.gait.walking import walk

    return _gltf_text(walk(CREATURE, seconds=0.05))


def _gltf_text(clip: Clip) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "body.gltf"
        save(clip, path)
        return path.read_text("utf-8")
