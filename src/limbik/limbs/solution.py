"""A Solution: every answer about a limb's pose, computed when first read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Self

import numpy as np

from limbik.arguments import instance
from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.engines import dispatch, scalar_engine, tensor_dispatch
from limbik.engines.programs import Flags, Program
from limbik.errors import ChangedInputError, LimbikError, NoSuchAnswerError, did_you_mean
from limbik.limbs.array_types import ArrayType, answer
from limbik.limbs.inputs import (
    FLOAT64,
    Groups,
    any_large,
    batch_shape,
    copied,
    memory_of_tensors,
    rows_of,
    with_batch,
)
from limbik.limbs.pytrees import register_pytrees
from limbik.limbs.status import Status, counted

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb


class Solution(Generic[ArrayType]):
    """The pose of a limb, or of a batch of limbs, as `solve`, `branches` and `track` return it.

    Answers are arrays with the batch's leading axes (none for a single limb), of the library and number type of the
    inputs, computed when first read and kept. Large answers are component-major in memory.

    A solution never mixes inputs: what a caller writes into an array after `solve` either does not show in the answers
    or makes them raise a LimbikError. Arrays are copied, up to 1 MiB in `solve`; for larger ones `solve` computes one
    answer at once (`joints`, or what the limb's previous solution was first read for), and every later answer is
    checked to come from the same numbers. So it is for torch on the CPU without gradients; other tensors are copied, or
    on CUDA compared by their version. Solutions of torch and JAX arrays are pytrees.
    """

    def __init__(
        self, program: Program, groups: Groups, flags: Flags, dtype: Any = None, limb: Limb | None = None
    ) -> None:
        # The groups' arrays belong to the solution; `_share` takes those of a caller.
        self._program = program
        self._inputs = groups
        self._flags = flags
        self._dtype = FLOAT64 if dtype is None else dtype  # torch.compile may not take it as a default
        self._limb = limb
        self._answers: dict[str, Any] = {}
        self._spare: dict[str, Array] = {}
        self._shape = batch_shape(groups)
        self._library: str | None = None
        for group in groups.values():
            if type(group) is not tuple and type(group) is not np.ndarray:
                self._library = common_library(groups.values())
                register_pytrees(self._library)
                break

    # What protects a solution whose inputs are a caller's arrays.
    _checksum: int | None = None  # of large NumPy arrays
    _versions: tuple[tuple[Any, int], ...] = ()  # of CUDA tensors
    _early: tuple[str, Any] | None = None  # an answer that was computed with the checksum, not read yet
    _shared: Groups | None = None  # the inputs as arrays in the memory of large tensors on the CPU

    # --- the answers

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single limb."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The number type of the answers, NumPy's or the library's."""
        return self._dtype

    @property
    def limb(self) -> Limb:
        """The limb that was solved for."""
        if self._limb is None:  # it came out of a transform that traced its lengths
            raise LimbikError("this solution does not know its limb: the link lengths were traced by jit or vmap")
        return self._limb

    @answer
    def target(self) -> Any:
        """The targets, (..., 2) in the plane, (..., 3) in space, with the batch's leading axes."""
        self._check()
        groups = self._groups
        target: Any = groups.get("requested_target", groups["target"])
        if self._library:
            handler = HANDLERS[self._library]
            like = next(group for group in groups.values() if library_of(group))
            return with_batch(handler.convert(target, like, handler.working(self._dtype)), self._shape)
        return with_batch(np.asarray(target, self._dtype), self._shape)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints, root to tip."""
        return self._program.joint_names

    @property
    def angle_names(self) -> tuple[str, ...]:
        """The names of the angles, in order."""
        return self._program.angle_names

    @answer
    def joints(self) -> Any:
        """Joint positions in the world, root to tip: (..., joints, 2) in the plane, (..., joints, 3) in space."""
        return self._answer("joints")

    @answer
    def angles(self) -> Any:
        """Joint angles in radians.

        In the plane (..., 2): the first link's angle from +x, the second's from the first, counter-clockwise. In space
        (..., links + 2): yaw about y, roll about z, then a hinge about x for each link: Ry Rz Rx Rx…. They
        describe the pose completely where `out_of_plane` is 0.
        """
        return self._answer("angles")

    @answer
    def rotations(self) -> Any:
        """World rotations of the links as quaternions, xyzw: (..., links, 4). +z runs along the link, +x is the hinge.

        They describe the pose completely, in every style.
        """
        if "rotations" not in self._program.answers:
            raise self._none("rotations")
        return self._answer("rotations")

    @property
    def status(self) -> Any:
        """The status of each target: a `Status` for a single limb, otherwise an array (...,) of its numbers, int8."""
        code = self._report("status")
        if self._library:
            return HANDLERS[self._library].small_integers(code)
        return Status(int(code)) if self._shape == () else code.astype(np.int8)

    @property
    def status_names(self) -> Any:
        """The names of `status`: a str for a single limb, otherwise a NumPy array (...,) of them."""
        status = np.asarray(HANDLERS[self._library].numpy(self.status) if self._library else self.status, int)
        names = np.array([one.name for one in sorted(Status)])[status]
        return str(names) if names.ndim == 0 else names

    @property
    def reached(self) -> Any:
        """Whether the tip is at the target: a bool for a single limb, otherwise an array (...,)."""
        return self.status == Status.REACHED

    @property
    def residual(self) -> Any:
        """Distance from the tip to the target: a float for a single limb, otherwise an array (...,)."""
        return self._report("residual")

    @property
    def singular(self) -> Any:
        """Whether nothing determined the bending plane (in the plane: the aim), so that a default was used, (...,)."""
        return self._report("singular") > 0

    @property
    def up_error(self) -> Any:
        """Angle between the last link and the requested `up`, radians, (...,)."""
        return self._report("up_error")

    @property
    def out_of_plane(self) -> Any:
        """Angle by which the last link leans out of the bending plane, towards the hinge axis, radians, (...,).

        0 in the natural style. Elsewhere (the easy style, a hint near the singularity, a track that keeps its plane)
        five angles do not describe the last joint; `rotations` does, and so does this sixth angle, a turn about the
        last link's own y: `limb.forward(s.angles, out_of_plane=s.out_of_plane)` returns the joints.
        """
        return self._report("out_of_plane")

    @property
    def stretch(self) -> Any:
        """The factor by which the links are lengthened, (...,); 1 by default."""
        return self._report("stretch")

    def degrees(self) -> ArrayType:
        """`angles` in degrees.

        Returns:
            The angles, of the shape of `angles`.
        """
        return self.angles * (180 / math.pi)  # type: ignore[operator]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises the error that led here
            known = [one for one in dir(type(self)) if not one.startswith("_")]
            raise NoSuchAnswerError(self._kind, name, did_you_mean(name, known))

    def __copy__(self) -> Self:
        same = object.__new__(type(self))
        vars(same).update(vars(self))
        return same

    def __getstate__(self) -> dict[str, Any]:
        self._check()
        groups = self._groups  # may replace the reference to a larger solution
        state = {**vars(self), "_versions": ()}
        if self._checksum is not None:
            state |= {"_inputs": copied(groups), "_checksum": None, "_shared": None}
        return state

    # --- how they are computed

    @property
    def _groups(self) -> Groups:
        if self._source is not None:
            whole, index = self._source
            whole._check()
            self._inputs, self._source = copied(whole._picked(index)), None
        return self._inputs

    def _answer(self, name: str) -> Any:
        answer = self._answers.get(name)
        if answer is None:
            if self._early is not None and self._read_early(name):
                return self._answers[name]
            answer = self._answers[name] = self._compute(name)
        return answer

    def _compute(self, name: str) -> Any:
        program, shape = self._program, self._shape
        if self._source is not None:
            whole, index = self._source
            return whole._answer(name)[_with_trailing(index, len(program.answers[name].shape))]
        if self._library and self._shared is None:
            self._check_versions()
            return tensor_dispatch.run(self._library, program, name, self._flags, self._groups, shape, self._dtype)
        if not shape and self._dtype is FLOAT64 and not program.answers[name].built_on:
            return scalar_engine.caller(program, name, self._flags)(self._groups)
        answer, checksum = self._run(name, checked=self._checksum is not None)
        if checksum != self._checksum:
            self._check()  # by NumPy's engine, which has no checksum, or changed
        return answer

    def _run(self, name: str, *, checked: bool) -> tuple[Any, int | None]:
        """An answer, and the checksum of its inputs if it is to be checked and the engine has one."""
        if self._shared is None:
            return self._run_on_arrays(name, self._inputs, self._dtype, checked)
        from limbik.engines import torch_kernels

        with torch_kernels.on_arrays(self._dtype) as dtype:  # in the tensors' memory
            answer, checksum = self._run_on_arrays(name, self._shared, dtype, checked)
        return torch_kernels.as_tensor(answer), checksum

    def _run_on_arrays(self, name: str, groups: Groups, dtype: Any, checked: bool) -> tuple[Any, int | None]:
        rows = math.prod(self._shape)
        parts = rows_of(map(groups.__getitem__, self._program.groups_of(name)), self._shape, dtype)
        spare = self._spare.pop(name, None)
        if spare is not None and (spare.shape[1] != rows or spare.dtype != dtype):
            spare = None
        out, checksum = dispatch.run(self._program, name, self._flags, parts, rows, dtype, spare, checked=checked)
        own = self._program.answers[name].shape
        axes = len(own), len(self._shape)
        batch_first = (*range(axes[0], sum(axes)), *range(axes[0]))
        return out.reshape(own + self._shape).transpose(batch_first), checksum

    def _report(self, name: str) -> Any:
        if name not in self._program.report:
            raise self._none(name)
        value = self._answer("report")[..., self._program.report.index(name)]
        return value.item() if self._shape == () and not self._library else value

    def _none(self, name: str) -> NoSuchAnswerError:
        return NoSuchAnswerError(self._kind, name, f"; {self._program.remark}")

    @property
    def _kind(self) -> str:
        return self._program.name.replace("_", "-")

    # --- inputs that are a caller's arrays

    def _share(self, out: Solution[Any] | None) -> Any:
        """Protects the answers from changes of the inputs, which are a caller's arrays; reuses the memory of `out`."""
        if out is not None:
            self._reuse(out)
        if not self._shape and not self._library:
            return self
        if self._library and (versions := self._cuda_versions()):
            self._versions = versions
            return self
        self._shared = memory_of_tensors(self._inputs, self._dtype) if self._library == "torch" else None
        if self._shared is None and (self._library or not any_large(self._inputs)):
            self._inputs = copied(self._inputs)
        else:
            name = self._limb._first_answer if self._limb else "joints"
            answer, self._checksum = self._run(name, checked=True)
            self._early = name, answer
            if self._checksum is None:  # computed by NumPy's engine: compared with its time, a copy costs little
                self._inputs, self._shared = copied(self._inputs), None
        return self

    def _read_early(self, name: str) -> bool:
        """Notes what a solution is read for first: the limb's next one computes it early. Whether this one did."""
        assert self._early is not None
        computed, answer = self._early
        self._early = None
        self._answers[computed] = answer
        if self._limb is not None:
            self._limb._first_answer = name
        return computed == name

    def _cuda_versions(self) -> tuple[tuple[Any, int], ...]:
        """The tensors and their versions, if they lie on a GPU and count their changes: they need not be copied."""
        if self._library != "torch":
            return ()
        import torch

        if torch.compiler.is_compiling():
            return ()
        tensors = {id(group): group for group in self._inputs.values() if type(group) is not tuple}.values()
        for group in tensors:
            if not isinstance(group, torch.Tensor) or not group.is_cuda or group.is_inference():
                return ()
        return tuple([(group, group._version) for group in tensors])

    def _check_versions(self) -> None:
        for tensor, version in self._versions:
            if tensor._version != version:
                raise ChangedInputError("tensor")

    def _check(self) -> None:
        """Raises if the inputs are no longer those of the answers."""
        self._check_versions()
        if self._checksum is not None:
            with dispatch.use("numba"):
                if self._run("joints", checked=True)[1] != self._checksum:
                    raise ChangedInputError("tensor" if self._library else "array")

    def _reuse(self, out: Solution[Any] | None) -> Any:
        """Makes the memory of an earlier solution's answers available to this one's; the earlier ones are gone."""
        if out is None:
            return self
        instance("out", out, Solution, "an earlier Solution, whose memory is reused")
        if out._early is not None:
            out._read_early(out._early[0])
        inputs = [group for group in self._shared_inputs() if isinstance(group, np.ndarray)]
        for name, array in out._answers.items():
            if out._library or not out._shape or name not in out._program.answers:
                continue
            flat = np.moveaxis(array, range(len(out._shape), array.ndim), range(array.ndim - len(out._shape)))
            read = any(np.may_share_memory(flat, one) for one in inputs)  # targets taken from the earlier joints
            if flat.flags.c_contiguous and not read:
                self._spare[name] = flat.reshape(out._program.answers[name].size, -1)
        out._answers = SpentAnswers()
        return self

    def _shared_inputs(self) -> Iterable[Any]:
        """The groups whose memory may be that of another solution's answers."""
        return self._groups.values()

    # --- as a batch

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("a single solution has no length")
        return self._shape[0]

    def __getitem__(self, index: Any) -> Solution[ArrayType]:
        """The solutions of some rows of the batch."""
        if not self._shape:
            raise IndexError("a single solution cannot be indexed")
        if index is Ellipsis:
            return self
        if self._checksum is None and not self._versions:
            return Solution(self._program, self._picked(index), self._flags, self._dtype, self._limb)
        part = self.__copy__()  # its answers are rows of this one's, which are protected
        part._source, part._shape = (self, index), np.broadcast_to(False, self._shape)[index].shape
        part._answers, part._spare, part._early, part._checksum, part._versions = {}, {}, None, None, ()
        part._shared = None
        return part

    _source: tuple[Solution[Any], Any] | None = None  # the solution of which this one is some rows

    def _picked(self, index: Any) -> Groups:
        """The groups of some rows of the batch."""
        groups: Groups = {}
        for name, group in self._groups.items():
            if isinstance(group, tuple):
                groups[name] = group
                continue
            picked = with_batch(group, self._shape)[_with_trailing(index, 1)]
            if picked.ndim == 0 or picked.shape[-1] != group.shape[-1]:
                raise IndexError(f"too many indices for a batch of shape {self._shape}")
            single = picked.ndim == 1 and isinstance(picked, np.ndarray)
            groups[name] = tuple(picked.tolist()) if single else picked
        return groups

    def __iter__(self) -> Iterator[Solution[ArrayType]]:
        return (self[k] for k in range(len(self)))

    # --- for people

    def __repr__(self) -> str:
        if self._shape == () and not self._library:
            return self._describe_one()
        text = f"{self._kind} solutions, shape {self._shape}, {self._dtype}"
        if self._library:
            return f"{text} ({self._library})"
        if 0 < math.prod(self._shape) <= 1_000_000:  # the report of a larger batch would take too long for a repr
            text += f": {counted(self.status, self.residual)}"
        return text

    def _repr_html_(self) -> str:
        """What notebooks show: the numbers and a plot, or the summary of a batch."""
        from limbik.pictures.notebook import solution_html

        return solution_html(self)  # pyright: ignore[reportArgumentType]

    def _describe_one(self: Any) -> str:
        lines = [f"{self._kind} solution: {self.status.name}, {self.status.words}"]
        angles = zip(self.angle_names, self.degrees(), strict=True)
        lines.append("  angles    " + ", ".join(f"{name} {round(angle, 2) + 0.0:.2f}°" for name, angle in angles))
        if "out_of_plane" in self._program.report and self.out_of_plane:
            lines[-1] += f", and {np.degrees(self.out_of_plane):.2f}° out of the plane: see rotations"
        for name, joint in zip(self.joint_names, self.joints, strict=True):
            lines.append(f"  {name:9s} (" + ", ".join(f"{part:.6g}" for part in joint) + ")")
        lines.append(f"  residual  {self.residual:.3g}" + ("; the bending plane was free" if self.singular else ""))
        return "\n".join(lines)


def _with_trailing(index: Any, axes: int) -> Any:
    """An index of the batch as one of an array that has further axes after the batch's."""
    if isinstance(index, tuple) and any(part is Ellipsis for part in index):
        return (*index, *(slice(None),) * axes)
    return index


class SpentAnswers(dict[str, Any]):
    """The answers of a solution whose memory another one has taken."""

    def get(self, name: str, default: Any = None) -> Any:
        """Raises: no answer is left."""
        raise LimbikError(f"the memory of this solution's {name} was given to another solution by out=")
