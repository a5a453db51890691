"""A clip: the motion of a skeleton, frame by frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from limbik import arguments
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.skeleton import clip_editing
from limbik.skeleton.footsteps import Footsteps
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton, freeze, keep_array
from limbik.skeleton.standing_rest import standing_skeleton
from limbik.skeleton.units import METRE, Unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.bodies.body import Body
    from limbik.terrains.base import Terrain

COARSE_HINT = "key frames; limbik.load(path, fps=30) interpolates them"
BONE_FIELDS = "parents", "translations", "rotations", "scales"  # of a skeleton: what a body has to fit
MIN_SMOOTH_FPS = 10.0  # frames a second; below, a clip holds the file's key frames rather than a smooth motion


@dataclass(frozen=True, eq=False)
class Clip(Pose):
    """A motion: a pose for each frame on axis 0, at `fps` frames a second. Immutable; compares by identity.

    Args:
        skeleton: The joints. Where they do not stand at rest, as in files in which the pose without rotations has all
            bones along one axis, the clip's skeleton gets a rest pose from the frames in which the figure stands.
        rotations: (frames, joints, 4) local rotations, quaternions xyzw.
        translations: (frames, joints, 3) local translations, metres (default: the skeleton's at rest).
        scales: (frames, joints, 3), or None where nothing is scaled (default).
        fps: Frames a second.
        start: Time of the first frame, seconds.
        name: Name of the motion.
        unit: Unit of length of the file that the clip came from, and is saved in; in memory lengths are metres.
        feet: Joint numbers of the feet, where they are known.
        contacts: (frames, feet) bool, where each foot stands on the ground; None where that is not known.
        blocked: (frames, figures) bool, when each figure of a walk could not go where it was asked to; None where that
            is not known.
        footsteps: When, where and how each foot stands, of a clip that was grounded; None where that is not known, as
            of a motion that was changed since.
        notes: What was noticed when the motion was made, in words, such as what blocked a figure.
        source: What the file format needs to write the clip back into a copy of its file; private to the format.
        terrain: The ground under the motion, where it is known; it stays in place when the figure is moved.
        body: What each figure looks like, where neither its file has a body nor bones are to be drawn. `with_`
            drops it together with the bones that it fits.

    Raises:
        ArgumentError: A value is not a number, or `fps` is not positive.
        ShapeError: An array does not fit the skeleton's joints, the frames or the feet.
    """

    fps: float = 60.0
    start: float = 0.0
    name: str = ""
    unit: Unit = METRE
    feet: tuple[int, ...] = ()
    contacts: Array | None = None
    blocked: Array | None = None
    footsteps: Footsteps | None = None
    notes: tuple[str, ...] = ()
    source: object = None
    terrain: Terrain | None = None
    body: Body | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rotations.ndim != 3:
            raise ShapeError("rotations", self.rotations.shape, f"(frames, {len(self.skeleton)}, 4)")
        self._keep("skeleton", standing_skeleton(self))
        self._keep("fps", arguments.positive("fps", self.fps, "frames a second"))
        self._keep("start", arguments.number("start", self.start, unit="seconds"))
        self._keep("feet", tuple(self.skeleton.index(foot) for foot in self.feet))
        if self.contacts is not None:
            keep_array(self, "contacts", self.contacts, (len(self), len(self.feet)), bool, "frame and foot")
        if self.blocked is not None:
            figures = len(self.skeleton.roots)
            keep_array(self, "blocked", self.blocked, (len(self), figures), bool, "frame and figure")
        if self.footsteps is not None:
            arguments.instance("footsteps", self.footsteps, Footsteps, "Footsteps, or None")

    def __len__(self) -> int:
        return len(self.rotations)

    def __iter__(self) -> Iterator[Pose]:
        return (self[frame] for frame in range(len(self)))

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        rate = f"{len(self)} frames at {self.fps:g} fps"
        rate += f" ({COARSE_HINT})" if self.is_coarse else ""
        return f"Clip({name}{rate}, {len(self.skeleton)} joints, file in {self.unit})"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the clip, playing."""
        from limbik.pages.in_notebook import clip_html

        return clip_html(self)

    @property
    def is_coarse(self) -> bool:
        """Whether the clip has so few frames a second that it holds key frames rather than a smooth motion."""
        return len(self) > 1 and self.fps < MIN_SMOOTH_FPS

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return max(len(self) - 1, 0) / self.fps

    @property
    def times(self) -> Array:
        """(frames,) the time of each frame, seconds."""
        return self.start + np.arange(len(self)) / self.fps

    @overload
    def __getitem__(self, at: int) -> Pose: ...
    @overload
    def __getitem__(self, at: slice) -> Clip: ...
    def __getitem__(self, at: int | slice) -> Pose | Clip:
        if not isinstance(at, slice):
            at = arguments.whole("frame", at, -len(self), len(self) - 1)
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
            blocked=None if self.blocked is None else self.blocked[at],
            footsteps=None if self.footsteps is None else self.footsteps.shifted(-first).at_rate(self.fps / step),
            notes=self.notes,
        )

    def _complete_changes(self, changes: dict[str, object]) -> dict[str, object]:
        """With a skeleton of other bones goes the body; with another motion, what was noted of the one before."""
        new, old = changes.get("skeleton"), self.skeleton
        if changes.keys() & {"rotations", "skeleton"}:
            changes = {"blocked": None, "notes": (), **changes}
        if changes.keys() & {"rotations", "translations", "skeleton", "fps"}:
            changes = {"footsteps": None, **changes}
        fits = not isinstance(new, Skeleton) or all(
            np.array_equal(getattr(new, one), getattr(old, one)) for one in BONE_FIELDS
        )
        return changes if fits else {"body": None, **changes}

    def resampled(self, fps: float) -> Clip:
        """The motion at another frame rate, from the same start to the last frame within its duration.

        Rotations are interpolated along the shorter arc, translations and scales linearly; contacts are those of the
        nearest frame. Frames that both rates share are bit-identical.

        Args:
            fps: Frames a second of the new clip.

        Returns:
            The new clip.

        Raises:
            ArgumentError: `fps` is not a positive number.
        """
        return clip_editing.resample(self, fps)

    def sway(
        self,
        joints: Sequence[str | int],
        *,
        frequency: float = 2.0,
        damping: float = 0.3,
        max_angle: float = 1.0,
        weight: ArrayLike = 1.0,
    ) -> Clip:
        """Lets a chain of joints, such as a tail, an ear or a strand of hair, follow the motion by springs.

        The far end of each bone swings about where the clip has it, driven by its accelerations. A step of the springs
        is exact: the result does not depend on the frame rate, as far as the motion between frames is straight, and is
        stable for any frequency.

        Args:
            joints: The joints from root to tip, by name or number. The last one's bone ends at its first child; without
                one it moves with the bone before.
            frequency: How often a second the chain swings.
            damping: Of critical: 0 swings for ever, 1 or more not at all.
            max_angle: The angle from the clip's pose that no bone exceeds, radians; smaller ones are eased towards it.
            weight: (...,), from 0 (no change) to 1 (default).

        Returns:
            The new clip.

        Raises:
            ArgumentError: There is no such chain of joints, or an argument is out of range.
            ShapeError: `weight` does not broadcast with the frames.
        """
        from limbik.skeleton.sway import sway

        return self.with_(rotations=freeze(sway(self, joints, frequency, damping, max_angle, weight)))

    def mirrored(self) -> Clip:
        """The motion mirrored in the world's plane x = 0: the right side does what the left side did.

        Joints are paired by name, or by position at rest. Bones keep their lengths; in a symmetric skeleton each joint
        arrives exactly at the mirror image of its counterpart.

        Returns:
            The new clip.
        """
        return clip_editing.mirror(self)

    def then(self, other: Clip, blend: float = 0.2, follow: bool = True) -> Clip:
        """Joins another motion of the same joints to the end of this one, at this one's frame rate.

        Args:
            other: The motion that follows.
            blend: Seconds over which the two overlap and one fades into the other, at most the shorter clip; with 0 the
                other's first frame comes one frame after this one's last.
            follow: Whether the other is turned about the vertical and moved over the ground to continue from where this
                one ends; otherwise it keeps its place in the world.

        Returns:
            The new clip.

        Raises:
            ArgumentError: The other is no clip of the same joints, or `blend` is negative.
        """
        return clip_editing.join(self, other, blend, follow)
