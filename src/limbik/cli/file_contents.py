"""What a clip file contains, gathered for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.files import gltf
from limbik.files.bvh.bvh_reader import BvhSource
from limbik.files.clip_files import load
from limbik.files.gltf.gltf_reader import Animation, GltfSource
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.units import METRE

STEADY = 1e-4  # a bone whose length varies by less than this part of it keeps its length
DEFINED = "as glTF defines it"
ANIMATION = ("name", "frames", "fps", "start", "duration")


@dataclass(frozen=True, eq=False)
class Bones:
    """The bones between the joints of a limb, (bones,): median length, and shortest to longest over time, metres."""

    lengths: Array
    variations: Array

    @property
    def vary(self) -> bool:
        """Whether any of them changes its length over time."""
        return bool(np.any(self.variations > STEADY * self.lengths))


@dataclass(frozen=True, eq=False)
class Contents:
    """What a file contains. clip: the requested animation; animations: all of a glTF file."""

    path: Path
    size: int  # bytes
    clip: Clip
    animations: tuple[Animation, ...]

    @classmethod
    def of(cls, path: Path, animation: str | int | None = None) -> Contents:
        """Reads the file."""
        clip = load(path, animation=animation)
        animations = gltf.animations(path) if isinstance(clip.source, GltfSource) else ()
        return cls(path, path.stat().st_size, clip, animations)

    @property
    def format(self) -> str:
        """The file's suffix, without its dot."""
        return self.path.suffix.lower()[1:]

    @property
    def animation(self) -> int | None:
        """The number of the animation that the clip is; None where the file has no list of them."""
        return self.clip.source.animation if isinstance(self.clip.source, GltfSource) else None

    @property
    def claimed(self) -> int:
        """The number of frames that the file states; in BVH files it is often wrong."""
        return self.clip.source.motion.claimed if isinstance(self.clip.source, BvhSource) else len(self.clip)

    @property
    def unit_known(self) -> str:
        """How the unit was determined."""
        if self.format == "bvh":
            return "guessed from the figure's size"
        return DEFINED if self.clip.unit == METRE else "guessed: in metres the figure would be a giant"

    @property
    def up(self) -> tuple[str, str]:
        """The file's axis that points up, and how it was determined."""
        if isinstance(self.clip.source, BvhSource):
            return self.clip.source.up, "guessed from the floor that the figure stands on"
        return "y", DEFINED

    @cached_property
    def resting(self) -> float:
        """The figure's height at rest, metres."""
        return float(np.ptp(Pose.rest(self.clip.skeleton).positions()[:, 1]))

    @cached_property
    def moving(self) -> tuple[float, float]:
        """Its smallest and largest height in the motion, metres."""
        heights = np.ptp(self._positions[..., 1], axis=-1)
        return float(heights.min()), float(heights.max())

    @cached_property
    def limbs(self) -> dict[str, tuple[RigLimb, Bones]]:
        """The limbs, if any, and their bones."""
        try:
            found = find_limbs(self.clip)
        except NoLimbsError:
            return {}
        limbs = {}
        for name, limb in found.items():
            lengths = np.linalg.norm(np.diff(self._positions[:, list(limb.joints)], axis=1), axis=-1)
            limbs[name] = limb, Bones(np.median(lengths, axis=0), np.ptp(lengths, axis=0))
        return limbs

    @cached_property
    def _positions(self) -> Array:
        """World positions (frames, joints, 3); the figure at rest where there are no frames."""
        return self.clip.positions() if len(self.clip) else Pose.rest(self.clip.skeleton).positions()[None]

    def names(self, joints: Sequence[int]) -> list[str]:
        """The names of some joints."""
        return [self.clip.skeleton.names[joint] for joint in joints]

    def as_json(self) -> dict[str, Any]:
        """For JSON. Lengths are metres, times seconds; parents are numbers of joints, -1 for a root's."""
        clip, skeleton = self.clip, self.clip.skeleton
        joints = zip(skeleton.names, skeleton.parents.tolist(), skeleton.end_sites.tolist(), strict=True)
        return {
            "file": str(self.path),
            "format": self.format,
            "bytes": self.size,
            "joints": [{"name": name, "parent": parent, "end_site": end} for name, parent, end in joints],
            "animations": [{key: getattr(one, key) for key in ANIMATION} for one in self.animations],
            "animation": self.animation,
            "frames": len(clip),
            "frames_claimed": self.claimed,
            "fps": clip.fps,
            "start": clip.start,
            "duration": clip.duration,
            "unit": {"name": clip.unit.name, "metres": clip.unit.metres, "known": self.unit_known},
            "up": {"axis": self.up[0], "known": self.up[1]},
            "height": {"rest": self.resting, "least": self.moving[0], "most": self.moving[1]},
            "limbs": {name: self._limb(limb, bones) for name, (limb, bones) in self.limbs.items()},
        }

    def _limb(self, limb: RigLimb, bones: Bones) -> dict[str, Any]:
        return {
            "kind": limb.kind,
            "side": limb.side,
            "joints": self.names(limb.joints),
            "toes": self.names(limb.toes),
            "stands": limb.stands,
            "lengths": bones.lengths.tolist(),
            "variations": bones.variations.tolist(),
            "vary": bones.vary,
        }
