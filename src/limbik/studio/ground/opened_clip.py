"""A clip that was opened: which file it came from, and the other animations that are in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from limbik.files.clip_files import load
from limbik.files.gltf.gltf_reader import animations_of, clip_of, own_source
from limbik.skeleton.clip import Clip

LONGEST = 80  # letters of a name


@dataclass(frozen=True)
class Opened:
    """A clip, the name of its file, and the names of all animations in it."""

    clip: Clip
    name: str
    animations: tuple[str, ...] = ()

    @classmethod
    def file(cls, path: Path) -> Opened:
        """The first clip of a file."""
        clip = load(path)
        source = own_source(clip)
        found = () if source is None else animations_of(source.document)
        return cls(clip, path.name, tuple(f"{k + 1} {one.name}".strip() for k, one in enumerate(found)))

    def chosen(self, animation: str) -> Opened:
        """Another animation of the file, by its name here."""
        source = own_source(self.clip)
        assert source is not None
        return replace(self, clip=clip_of(source.document, self.animations.index(animation)))

    @property
    def animation(self) -> str:
        """The name of the one that the clip is, empty where there is none."""
        source = own_source(self.clip)
        return self.animations[source.animation] if source is not None and source.animation is not None else ""

    @property
    def saved_as(self) -> str:
        """The name of a file for the grounded clip, of the format that it came in."""
        path = Path(self.name.replace(" ", "_"))
        return f"{path.stem[:LONGEST]}_grounded{'.bvh' if path.suffix.lower() == '.bvh' else '.glb'}"

    def __str__(self) -> str:
        return f"{self.name}: {self.clip.duration:.1f} s, {len(self.clip)} frames at {self.clip.fps:g} fps"
