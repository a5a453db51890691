"""A Solution: every answer about a limb's pose, worked out when asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.engines import dispatch, scalar_engine, tensor_engine
from limbik.engines.programs import Flags, Program
from limbik.errors import ArgumentError, LimbikError, NoSuchAnswerError
from limbik.limbs.inputs import FLOAT64, Group, Guard, as_rows, batch_shape
from limbik.limbs.status import Status

_INSTEAD = {
    "planar": "its angles are the whole answer",
    "two_link": "it has no last link whose direction was asked for",
    "three_link": "its links keep their lengths",
}
JOINT_NAMES = {
    "planar": ("origin", "elbow", "tip"),
    "two_link": ("origin", "middle", "tip"),
    "three_link": ("origin", "knee", "ankle", "tip"),
}
ANGLE_NAMES = {
    "planar": ("first", "second"),
    "two_link": ("yaw", "roll", "first", "second"),
    "three_link": ("yaw", "roll", "first", "second", "last"),
}


class Solution:
    """The pose of a limb, or of a batch of limbs, for the targets that `solve` was given.

    Answers are arrays with the batch's leading axes (none for a single limb), of the inputs' number type, worked out
    when first asked for and kept. Large answers are laid out component after component in memory.
    """

    def __init__(
        self,
        program: Program,
        groups: dict[str, Group],
        flags: Flags,
        dtype: Any = FLOAT64,
    ) -> None:
        self._program = program
        self._inputs = groups
        self._flags = flags
        self._dtype = dtype
        self._answers: dict[str, Any] = {}
        self._spare: dict[str, Array] = {}
        self._shape: tuple[int, ...] = ()
        self._guard: Guard | None = None
        self._library: str | None = None
        for group in groups.values():
            if type(group) is not tuple:
                self._shape = batch_shape(groups)
                self._library = common_library(groups.values())
                self._guard = None if self._library else Guard(groups)
                break

    # --- the answers

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single limb."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The number type of the answers."""
        return self._dtype

    @property
    def joint_names(self) -> tuple[str, ...]:
        """What the joints are called, root to tip."""
        return JOINT_NAMES[self._program.name]

    @property
    def angle_names(self) -> tuple[str, ...]:
        """What the angles are called, in order."""
        return ANGLE_NAMES[self._program.name]

    @property
    def joints(self) -> Array:
        """Joint positions in the world, root to tip: (..., joints, 2) in the plane, (..., joints, 3) in space."""
        return self._answer("joints")

    @property
    def angles(self) -> Array:
        """Joint angles in radians.

        In the plane (..., 2): the first link's angle from +x, the second's from the first, counter-clockwise. In space
        (..., 4) or (..., 5): yaw about y, roll about z, then a hinge about x for each link: Ry Rz Rx Rx (Rx). They are
        the whole answer where `out_of_plane` is 0; see there.
        """
        return self._answer("angles")

    @property
    def rotations(self) -> Array:
        """World rotations of the links as quaternions, xyzw: (..., links, 4). +z runs along the link, +x is the hinge.

        Always the whole answer, for every style.
        """
        if "rotations" not in self._program.answers:
            raise self._none("rotations")
        return self._answer("rotations")

    @property
    def status(self) -> Any:
        """What became of each target, (...,): a `Status`, or an array of their numbers (int8)."""
        code = self._report("status")
        if self._library:
            return HANDLERS[self._library].small_integers(code)
        return Status(int(code)) if self._shape == () else code.astype(np.int8)

    @property
    def reached(self) -> Any:
        """Whether the tip is at the target, (...,): bool."""
        return self.status == Status.REACHED

    @property
    def residual(self) -> Any:
        """Distance from the tip to the target, (...,)."""
        return self._report("residual")

    @property
    def singular(self) -> Any:
        """Where the bending plane (in the plane: the aim) was free, so that a default chose it, (...,): bool."""
        return self._report("singular") > 0

    @property
    def up_error(self) -> Any:
        """Angle between the last link and the `up` that was asked for, in radians, (...,)."""
        return self._report("up_error")

    @property
    def out_of_plane(self) -> Any:
        """How far the last link leans out of the bending plane, towards the hinge axis, in radians, (...,).

        0 for the natural style. Where it is not (the easy style; a hint near the singularity; a track that keeps its
        plane), five angles cannot express the last joint: `rotations` does, and so does this sixth angle, a turn about
        the last link's own y: `limb.forward(s.angles, out_of_plane=s.out_of_plane)` gives the joints.
        """
        return self._report("out_of_plane")

    @property
    def stretch(self) -> Any:
        """The factor by which the links are longer than at rest, (...,); 1 unless `stretch` was allowed."""
        return self._report("stretch")

    def degrees(self) -> Array:
        """`angles` in degrees."""
        return self.angles * (180 / math.pi)

    # --- how they are worked out

    @property
    def _groups(self) -> dict[str, Group]:
        return self._inputs

    def _answer(self, name: str) -> Array:
        answer = self._answers.get(name)
        if answer is None:
            answer = self._answers[name] = self._work_out(name)
        return answer

    def _work_out(self, name: str) -> Array:
        program = self._program
        answer = program.answers[name]
        if self._library:
            return tensor_engine.run(self._library, program, name, self._flags, self._groups, self._shape, self._dtype)
        if self._guard is None:
            one = scalar_engine.caller(program, name, self._flags)(self._groups)
            return one if self._dtype is FLOAT64 else one.astype(self._dtype)
        self._guard.check()
        groups = [self._groups[group] for group in program.groups_of(name)]
        rows = int(np.prod(self._shape))
        parts = [as_rows(group, self._shape, self._dtype) for group in groups]
        spare = self._spare.pop(name, None)
        if spare is not None and (spare.shape != (answer.size, rows) or spare.dtype != self._dtype):
            spare = None
        out = dispatch.run(program, name, self._flags, parts, rows, self._dtype, spare)
        return np.moveaxis(
            out.reshape(answer.shape + self._shape), range(len(answer.shape)), range(-len(answer.shape), 0)
        )

    def _report(self, name: str) -> Any:
        if name not in self._program.report:
            raise self._none(name)
        value = self._answer("report")[..., self._program.report.index(name)]
        return value.item() if self._shape == () and not self._library else value

    def _none(self, name: str) -> NoSuchAnswerError:
        return NoSuchAnswerError(self._program.name.replace("_", "-"), name, _INSTEAD[self._program.name])

    def into(self, out: Solution | None) -> Self:
        """Takes over the memory of an earlier solution's answers, which are gone with that."""
        if out is not None:
            if not isinstance(out, Solution):
                raise ArgumentError("out", repr(out), "an earlier Solution, whose memory is to be used again")
            self._spare = {}
            inputs = [group for group in self._groups.values() if isinstance(group, np.ndarray)]
            for name, array in out._answers.items():
                if out._library or not out._shape or name not in out._program.answers:
                    continue
                flat = np.moveaxis(array, range(len(out._shape), array.ndim), range(array.ndim - len(out._shape)))
                read = any(np.may_share_memory(flat, one) for one in inputs)  # targets taken from the earlier joints
                if flat.flags.c_contiguous and not read:
                    self._spare[name] = flat.reshape(out._program.answers[name].size, -1)
            out._answers = _Spent()
        return self

    # --- as a batch

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("a single solution has no length")
        return self._shape[0]

    def __getitem__(self, index: Any) -> Solution:
        """The solutions of some rows of the batch."""
        if not self._shape:
            raise IndexError("a single solution cannot be indexed")
        if isinstance(index, tuple) and any(part is Ellipsis for part in index):
            index = (*index, slice(None))
        elif index is Ellipsis:
            return self
        groups: dict[str, Group] = {}
        for name, group in self._groups.items():
            if isinstance(group, tuple):
                groups[name] = group
            else:
                library = library_of(group)
                broadcast = HANDLERS[library].broadcast if library else np.broadcast_to
                picked = broadcast(group, (*self._shape, group.shape[-1]))[index]
                if picked.ndim == 0 or picked.shape[-1] != group.shape[-1]:
                    raise IndexError(f"too many indices for a batch of shape {self._shape}")
                groups[name] = tuple(picked.tolist()) if picked.ndim == 1 and not library else picked
        if self._guard is not None:
            self._guard.check()
        return Solution(self._program, groups, self._flags, self._dtype)

    def __iter__(self) -> Iterator[Solution]:
        return (self[k] for k in range(len(self)))

    # --- for people

    def __repr__(self) -> str:
        if self._library:
            kind = self._program.name.replace("_", "-")
            return f"{kind} solutions, shape {self._shape}, {self._dtype} ({self._library})"
        return self._describe_one() if self._shape == () else self._describe_batch()

    def _repr_html_(self) -> str:
        """What notebooks show: a card with a drawing, or the summary of a batch."""
        from limbik.pictures.solution_card import card

        return card(self)

    def _describe_one(self) -> str:
        kind = self._program.name
        status = self.status
        lines = [f"{kind.replace('_', '-')} solution: {status.name}, {status.words}"]
        angles = zip(self.angle_names, self.degrees(), strict=True)
        lines.append("  angles    " + ", ".join(f"{name} {round(angle, 2) + 0.0:.2f}°" for name, angle in angles))
        if kind == "three_link" and self.out_of_plane:
            lines[-1] += f", and {np.degrees(self.out_of_plane):.2f}° out of the plane: see rotations"
        joints = zip(self.joint_names, self.joints, strict=True)
        for name, joint in joints:
            lines.append(f"  {name:9s} (" + ", ".join(f"{part:.6g}" for part in joint) + ")")
        lines.append(f"  residual  {self.residual:.3g}" + ("; the bending plane was free" if self.singular else ""))
        return "\n".join(lines)

    def _describe_batch(self) -> str:
        kind = self._program.name.replace("_", "-")
        size = int(np.prod(self._shape))
        text = f"{kind} solutions, shape {self._shape}, {self._dtype}"
        if 0 < size <= 1_000_000:  # a report on more is more than a glance should cost
            counts = np.bincount(self.status.ravel(), minlength=len(Status))
            told = [f"{count:,} {status.name}" for status, count in zip(Status, counts, strict=True) if count]
            worst = np.nanmax(self.residual, initial=0.0)
            text += f": {', '.join(told)}; largest residual {worst:.3g}"
        return text


class _Spent(dict[str, Any]):
    """The answers of a solution whose memory was given away."""

    def get(self, name: str, default: Any = None) -> Any:
        """Nothing is left to get."""
        raise LimbikError(f"the memory of this solution's {name} was given to another one by out=")


class Branches(Solution):
    """Every solution for the targets, on a leading axis."""

    @property
    def same_joints_as(self) -> Array:
        """For each branch, (branches, ...), the first branch that has the same joints: they differ in angles only."""
        if not hasattr(self, "_shared"):
            joints = HANDLERS[self._library].numpy(self.joints) if self._library else self.joints
            extent = np.abs(joints - joints[..., :1, :]).max(axis=(0, -1, -2))
            gaps = np.abs(joints[:, None] - joints[None]).max(axis=(-1, -2))
            # Near full stretch the middle joint stands off by the root of what the chord lacks.
            near = np.sqrt(64 * np.finfo(joints.dtype).eps) * extent
            self._shared = np.argmax(gaps <= near, axis=1)
        return self._shared

    def others(self, solution: Solution) -> list[Array]:
        """Of the branches of a single target, the joints, (joints, 2 or 3), of those that look unlike a solution."""
        poses = [self.joints[k] for k in sorted(set(self.same_joints_as.tolist()))]
        extent = float(np.abs(solution.joints - solution.joints[0]).max())
        return [pose for pose in poses if np.abs(pose - solution.joints).max() > 1e-6 * extent]

    @property
    def distinct(self) -> Array:
        """Which branches, (branches, ...), are solutions of their own: where the limb is straight, bends coincide."""
        half = len(self) // 2
        twin = self.same_joints_as[half:] < half
        return np.concatenate([np.ones_like(twin), ~twin])
