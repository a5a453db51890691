"""A clip that was opened from a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from limbik.errors import as_unicode
from limbik.files.clip_files import load
from limbik.files.gltf.gltf_reader import animations_of, clip_of, own_source
from limbik.skeleton.clip import Clip

LONGEST_STEM = 80  # characters


@dataclass(frozen=True, eq=False)
class OpenedClip:
    """A clip, the name of its file, and the names of all animations in that file."""

    clip: Clip
    name: str
    animations: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path) -> OpenedClip:
        """Loads the first clip of a file."""
        clip = load(path)
        source = own_source(clip)
        found = () if source is None else animations_of(source.document)
        return cls(clip, as_unicode(path.name), tuple(f"{k + 1} {one.name}".strip() for k, one in enumerate(found)))

    def with_animation(self, animation: str) -> OpenedClip:
        """Another animation of the same file, by its name in `animations`."""
        source = own_source(self.clip)
        assert source is not None
        return replace(self, clip=clip_of(source.document, self.animations.index(animation)))

    @property
    def animation(self) -> str:
        """The name of the animation that the clip is; empty for files without names."""
        source = own_source(self.clip)
        return self.animations[source.animation] if source is not None and source.animation is not None else ""

    def output_name(self, change: str) -> str:
        """The file name for the clip after a change, such as "grounded", in the format of the original."""
        path = Path(self.name.replace(" ", "_"))
        return f"{path.stem[:LONGEST_STEM]}_{change}{'.bvh' if path.suffix.lower() == '.bvh' else '.glb'}"

    def __str__(self) -> str:
        return f"{self.name}: {self.clip.duration:.1f} s, {len(self.clip)} frames at {self.clip.fps:g} fps"
