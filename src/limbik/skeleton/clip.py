"""A clip: a skeleton's motion, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.skeleton import clip_editing
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import frozen
from limbik.skeleton.units import METRE, Unit


@dataclass(frozen=True, eq=False)
class Clip(Pose):
    """A motion: poses on axis 0, one for each frame, `fps` frames a second from second `start` on.

    unit: what the file's lengths were in; here they are metres. feet: joint numbers of the feet; contacts: (frames,
    feet) bool, where each stands on the ground; empty and None until somebody finds out. source: what the file that the
    clip came from needs to be written again, for its format alone to read. terrain: what it walks on, where that is
    known, for those who show it; it is the world's, and stays where it is when the figure is moved.
    """

    fps: float = 60.0
    start: float = 0.0
    name: str = ""
    unit: Unit = METRE
    feet: tuple[int, ...] = ()
    contacts: Array | None = None
    source: Any = None
    terrain: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rotations.ndim != 3:
            raise ShapeError("rotations", self.rotations.shape, f"(frames, {len(self.skeleton)}, 4)")
        if not (np.isfinite(self.fps) and self.fps > 0.0):
            raise ArgumentError("fps", self.fps, "a positive number of frames a second")
        self._keep("feet", tuple(int(foot) for foot in self.feet))
        if self.contacts is not None:
            self._keep("contacts", frozen(self.contacts, bool))
            if self.contacts.shape != (len(self), len(self.feet)):
                raise ShapeError("contacts", self.contacts.shape, f"{(len(self), len(self.feet))}, (frames, feet)")

    def __len__(self) -> int:
        return len(self.rotations)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return f"Clip({name}{len(self)} frames at {self.fps:g} fps, {len(self.skeleton)} joints, file in {self.unit})"

    def _repr_html_(self) -> str:
        """What notebooks show: the clip, playing."""
        from limbik.pages.in_notebook import clip_html

        return clip_html(self)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return max(len(self) - 1, 0) / self.fps

    @property
    def times(self) -> Array:
        """(frames,) seconds."""
        return self.start + np.arange(len(self)) / self.fps

    @overload
    def __getitem__(self, at: int) -> Pose: ...
    @overload
    def __getitem__(self, at: slice) -> Clip: ...
    def __getitem__(self, at: int | slice) -> Pose | Clip:
        scales = None if self.scales is None else self.scales[at]
        if not isinstance(at, slice):
            return Pose(self.skeleton, self.rotations[at], self.translations[at], scales)
        first, _, step = at.indices(len(self))
        if step < 1:
            raise ArgumentError("step", step, "a positive step; frames run forward in time")
        return self.with_(
            rotations=self.rotations[at],
            translations=self.translations[at],
            scales=scales,
            fps=self.fps / step,
            start=self.start + first / self.fps,
            contacts=None if self.contacts is None else self.contacts[at],
        )

    def resampled(self, fps: float) -> Clip:
        """The same motion at another rate, from the same start, up to the last frame that the new rate meets.

        Rotations follow the shorter arc between frames, translations and scales the straight line, contacts the nearest
        frame. Frames that both rates share are the same to the bit.
        """
        return clip_editing.resampled(self, fps)

    def mirrored(self) -> Clip:
        """The motion as in a mirror, across the world's plane x = 0: what the left side did, the right side does.

        Joints are paired by their names, or by where they rest. Bones keep their lengths; where the skeleton is even,
        each joint gets exactly to its counterpart's mirror image.
        """
        return clip_editing.mirrored(self)

    def then(self, other: Clip, blend: float = 0.2, follow: bool = True) -> Clip:
        """One motion after the other: this one, then another of the same joints, at this one's rate.

        The two overlap by `blend` seconds, at most the shorter clip, over which one fades into the other; with 0 the
        other's first frame comes one frame after this one's last. With `follow` the other is turned about the vertical
        and shifted over the ground to go on from where this one is; without, it stays where it is in the world.
        """
        return clip_editing.then(self, other, blend, follow)
