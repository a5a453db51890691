"""A Solution: every answer about a limb's pose, computed when first read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Self

import numpy as np

from limbik.arguments import instance
from limbik.arrays import HANDLERS, Array, library_of
from limbik.engines import dispatch
from limbik.engines.plans import checksum_of
from limbik.engines.programs import Flags, Program
from limbik.errors import ChangedInputError, LimbikError, NoSuchAnswerError, did_you_mean
from limbik.limbs.array_types import ArrayType, answer
from limbik.limbs.calls import (
    Call,
    Inputs,
    Plans,
    TensorPlans,
    array_dtype,
    copied,
    cuda_versions,
    in_tensor_memory,
    owned_tensors,
    rows_of_call,
)
from limbik.limbs.inputs import COPIED_MAX_BYTES, FLOAT64, batch_shape, with_batch
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

    def __init__(self, plans: Plans | TensorPlans, shape: tuple[int, ...], parts: Sequence[Any]) -> None:
        self._plans = plans
        self._shape = shape
        self._parts = parts
        self._answers: dict[str, Any] = {}

    _alone = True  # whether all of its memory is its own, and what follows does not matter
    # What protects a solution whose inputs are a caller's arrays.
    _checksum: int | None = None  # of large arrays
    _versions: tuple[tuple[Any, int], ...] = ()  # of CUDA tensors
    _early: tuple[str, Any] | None = None  # an answer that was computed with the checksum, not read yet
    # What `out=` reuses.
    _memory: dict[str, Array] | None = None  # of an earlier solution's answers, by name
    _shown = False  # whether other objects may refer to the parts
    _source: tuple[Solution[Any], Any] | None = None  # the protected solution of which this one is some rows

    @property
    def _program(self) -> Program:
        return self._plans.inputs.program

    @property
    def _flags(self) -> Flags:
        return self._plans.inputs.flags

    @property
    def _limb(self) -> Limb | None:
        return self._plans.inputs.limb

    @property
    def _library(self) -> str | None:
        return self._plans.library

    # --- the answers

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch's shape; () for a single limb."""
        return self._shape

    @property
    def dtype(self) -> object:
        """The dtype of the answers, NumPy's or the library's."""
        return self._plans.dtype

    @property
    def limb(self) -> Limb:
        """The limb that was solved for."""
        if self._limb is None:  # it came out of a transform that traced its lengths
            raise LimbikError("this solution does not know its limb: the link lengths were traced by jit or vmap")
        return self._limb

    @answer
    def target(self) -> ArrayType:
        """The targets, (..., 2) in the plane, (..., 3) in space, with the batch's leading axes."""
        self._check()
        inputs = self._groups
        target: Any = inputs.get("requested_target", inputs["target"])
        if self._library:
            handler = HANDLERS[self._library]
            like = next(value for value in inputs.values() if library_of(value))
            return with_batch(handler.convert(target, like, handler.working(self.dtype)), self._shape)
        return with_batch(np.asarray(target, self._plans.dtype), self._shape)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints, root to tip."""
        return self._program.joint_names

    @property
    def angle_names(self) -> tuple[str, ...]:
        """The names of the angles, in order."""
        return self._program.angle_names

    @answer
    def joints(self) -> ArrayType:
        """Joint positions in the world, root to tip: (..., joints, 2) in the plane, (..., joints, 3) in space."""
        return self._answer("joints")

    @answer
    def angles(self) -> ArrayType:
        """Joint angles in radians.

        In the plane (..., 2): the first link's angle from +x, the second's from the first, counter-clockwise. In space
        (..., links + 2): yaw about y, roll about z, then a hinge about x for each link: Ry Rz Rx Rx…. They
        describe the pose completely where `out_of_plane` is 0.
        """
        return self._answer("angles")

    @answer
    def rotations(self) -> ArrayType:
        """World rotations of the links as quaternions, xyzw: (..., links, 4). +z runs along the link, +x is the hinge.

        They describe the pose completely, in every style.
        """
        if "rotations" not in self._program.answers:
            raise self._none("rotations")
        return self._answer("rotations")

    @property
    def status(self) -> Status | ArrayType:
        """The status of each target: a `Status` for a single limb, otherwise an array (...,) of its numbers, int8."""
        code = self._report("status")
        if self._library:
            return HANDLERS[self._library].small_integers(code)
        return Status(int(code)) if self._shape == () else code.astype(np.int8)

    @property
    def status_names(self) -> str | Array:
        """The names of `status`: a str for a single limb, otherwise a NumPy array (...,) of them."""
        status = np.asarray(HANDLERS[self._library].numpy(self.status) if self._library else self.status, int)
        names = np.array([one.name for one in sorted(Status)])[status]
        return str(names) if names.ndim == 0 else names

    @answer
    def reached(self) -> ArrayType:
        """Whether the tip is at the target: a bool for a single limb, otherwise an array (...,)."""
        status: Any = self.status
        return status == Status.REACHED

    @answer
    def residual(self) -> ArrayType:
        """Distance from the tip to the target: a float for a single limb, otherwise an array (...,)."""
        return self._report("residual")

    @answer
    def singular(self) -> ArrayType:
        """Whether nothing determined the bending plane (in the plane: the aim), so that a default was used, (...,)."""
        return self._report("singular") > 0

    @answer
    def up_error(self) -> ArrayType:
        """Angle between the last link and the requested `up`, radians, (...,)."""
        return self._report("up_error")

    @answer
    def out_of_plane(self) -> ArrayType:
        """Angle by which the last link leans out of the bending plane, towards the hinge axis, radians, (...,).

        0 in the natural style. Elsewhere (the easy style, a hint near the singularity, a track that keeps its plane)
        five angles do not describe the last joint; `rotations` does, and so does this sixth angle, a turn about the
        last link's own y: `limb.forward(s.angles, out_of_plane=s.out_of_plane)` returns the joints.
        """
        return self._report("out_of_plane")

    @answer
    def stretch(self) -> ArrayType:
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
        self._settle()
        state = {**vars(self), "_versions": (), "_memory": None, "_shown": False}
        if self._checksum is not None:
            plans: Any = self._plans
            parts = [part if type(part) is tuple else part.copy() for part in self._parts]
            plans = plans.inputs.plans(plans.array_dtype, plans.layouts.replace("s", "r"), self._library or "")
            state |= {"_parts": parts, "_plans": plans, "_checksum": None}
        return state

    # --- how they are computed

    @property
    def _values(self) -> list[Any]:
        """The inputs that the call passed, as tuples and arrays or tensors (..., components)."""
        self._settle()
        if self._parts is None:
            raise LimbikError("the memory of this solution was given to another solution by out=")
        self._shown = True
        return self._plans.values_of(self._parts, self._shape)

    def _settle(self) -> None:
        """Replaces the reference to a larger solution by the inputs of these rows."""
        if self._source is not None:
            whole, index = self._source
            whole._check()
            other = solution_of_call(self._plans.inputs, whole._pick(index))
            self._plans, self._parts, self._source = other._plans, other._parts, None

    @property
    def _groups(self) -> dict[str, Any]:
        """All inputs of the formula, by name."""
        return self._plans.inputs.by_name(self._values)

    def _answer(self, name: str) -> Any:
        answer = self._answers.get(name)
        if answer is None:
            own = self._alone
            answer = self._plans[name](self._parts, self._shape, None) if own else self._protected_answer(name)
            self._answers[name] = answer
        return answer

    def _protected_answer(self, name: str) -> Any:
        """An answer of a solution that has other memory than its own: inputs of the caller's, or an earlier output."""
        if self._source is not None:
            whole, index = self._source
            return whole._answer(name)[_with_trailing(index, len(self._program.answers[name].shape))]
        self._check_versions()
        if self._early is not None and self._read_early(name):
            return self._answers[name]
        memory = self._memory.pop(name, None) if self._memory else None
        plan: Any = self._plans[name]
        if self._checksum is None:
            return plan(self._parts, self._shape, memory)
        answer, checksum = plan.with_checksum(self._parts, self._shape, memory)
        if checksum != self._checksum:
            self._check()  # by NumPy's engine, which has no checksum, or changed
        return answer

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

    def _protect(self) -> bool:
        """Computes an answer from large arrays of the caller's, and their checksum; whether that is possible."""
        name = self._limb._first_answer if self._limb else "joints"
        plan: Any = self._plans[name]
        memory = self._memory.pop(name, None) if self._memory else None
        answer, self._checksum = plan.with_checksum(self._parts, self._shape, memory)
        self._alone = False
        self._early = None if self._checksum is None else (name, answer)
        return self._checksum is not None

    def _read_early(self, name: str) -> bool:
        """Notes what a solution is read for first: the limb's next one computes it early. Whether this one did."""
        assert self._early is not None
        computed, answer = self._early
        self._early = None
        self._answers[computed] = answer
        if self._limb is not None:
            self._limb._first_answer = name
        return computed == name

    def _check_versions(self) -> None:
        for tensor, version in self._versions:
            if tensor._version != version:
                raise ChangedInputError("tensor")

    def _check(self) -> None:
        """Raises if the inputs are no longer those of the answers."""
        self._check_versions()
        if self._checksum is not None:
            assert isinstance(self._plans, Plans)
            if checksum_of(self._parts, self._plans.layouts, math.prod(self._shape)) != self._checksum:
                raise ChangedInputError("tensor" if self._library else "array")

    def _take_memory(self, out: Solution[Any]) -> Sequence[Any]:
        """Takes the memory of an earlier solution, whose answers are gone; returns its parts if these may be reused."""
        instance("out", out, Solution, "an earlier Solution, whose memory is reused")
        if out._early is not None:
            out._read_early(out._early[0])
        parts: Sequence[Any] = ()
        if out._plans is self._plans and out._shape == self._shape and out._checksum is None and not out._shown:
            parts, out._parts = out._parts or (), None
        if not out._library and out._source is None:
            bases = {name: array.base for name, array in out._answers.items() if array.base is not None}
            in_place = [] if parts else [part for part in self._parts if type(part) is np.ndarray]
            self._memory = {  # except where targets were taken from the earlier joints
                name: base
                for name, base in bases.items()
                if base.ndim == 2 and not any(np.may_share_memory(base, part) for part in in_place)
            }
        out._answers = SpentAnswers()
        self._alone = False
        return parts

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
            return solution_of_call(self._plans.inputs, self._pick(index))
        part: Solution[ArrayType] = Solution(self._plans, np.broadcast_to(False, self._shape)[index].shape, ())
        part._source, part._alone = (self, index), False  # its answers are rows of this one's, which are protected
        return part

    def _pick(self, index: Any) -> Call:
        """The call for some rows of the batch."""
        values = []
        for value in self._values:
            if type(value) is tuple:
                values.append(value)
                continue
            picked = with_batch(value, self._shape)[_with_trailing(index, 1)]
            if picked.ndim == 0 or picked.shape[-1] != value.shape[-1]:
                raise IndexError(f"too many indices for a batch of shape {self._shape}")
            single = picked.ndim == 1 and isinstance(picked, np.ndarray)
            values.append(tuple(picked.tolist()) if single else picked)
        if self._library:
            shape = batch_shape(dict(zip(self._plans.inputs.names, values, strict=True)))
        else:
            shape = np.broadcast_to(False, self._shape)[index].shape
        return Call(values, shape, self.dtype, self._library)

    def __iter__(self) -> Iterator[Solution[ArrayType]]:
        return (self[k] for k in range(len(self)))

    # --- for people

    def __repr__(self) -> str:
        if self._shape == () and not self._library:
            return self._describe_one()
        text = f"{self._kind} solutions, shape {self._shape}, {self.dtype}"
        if self._library:
            return f"{text} ({self._library})"
        if 0 < math.prod(self._shape) <= 1_000_000:  # the report of a larger batch would take too long for a repr
            text += f": {counted(np.asarray(self.status), np.asarray(self.residual))}"
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


def on_numpy(solution: Solution[Any], kind: type[Solution[Any]] = Solution, **inputs: Any) -> Any:
    """A solution for the same inputs, or other `inputs`, on NumPy whatever their library, with nothing computed yet.

    Raises:
        TypeError, RuntimeError: for tensors without values, such as those that are being traced.
    """
    handler = HANDLERS[solution._library] if solution._library else None
    plans = solution._plans
    values = []
    for name, value in zip(plans.inputs.names, solution._values, strict=True):
        array = inputs.get(name, value)
        if handler and library_of(array):
            array = handler.numpy(array)
            array = tuple(array.tolist()) if array.ndim == 1 else array
        values.append(array)
    dtype = array_dtype(solution.dtype) if handler else solution.dtype
    return solution_of_call(plans.inputs, Call(values, solution.shape, dtype, None), kind=kind)


def _with_trailing(index: Any, axes: int) -> Any:
    """An index of the batch as one of an array that has further axes after the batch's."""
    if isinstance(index, tuple) and any(part is Ellipsis for part in index):
        return (*index, *(slice(None),) * axes)
    return index


def solution_of_call(
    inputs: Inputs,
    call: Call,
    out: Solution[Any] | None = None,
    kind: type[Solution[Any]] = Solution,
    *,
    in_place: bool = False,
) -> Any:
    """The solution of a call, which the caller's arrays cannot change any more; reuses the memory of `out`.

    They are copied, or if they are large and may stay in place, the first answer is computed with a checksum.
    """
    if call.library:
        return _solution_of_tensors(inputs, call, out, kind, in_place)
    return _solution_of_arrays(inputs, call, out, kind, in_place)


def _solution_of_arrays(
    inputs: Inputs,
    call: Call,
    out: Solution[Any] | None,
    kind: type[Solution[Any]],
    in_place: bool,
    library: str = "",
) -> Any:
    values, shape, dtype, _ = call
    if shape == () and dtype is FLOAT64 and not library:
        solution = kind(inputs.one, shape, values)
        if out is not None:
            solution._take_memory(out)
            solution._memory = None
        return solution
    if in_place:
        large = any(type(value) is not tuple and value.nbytes > COPIED_MAX_BYTES for value in values)
        in_place = large and dispatch.waits_for_numba(inputs.program, math.prod(shape))
    rows = rows_of_call(values, shape, dtype, strided=in_place)
    solution = kind(inputs.plans(dtype, rows.layouts, library), shape, rows.parts)
    memory = () if out is None else solution._take_memory(out)
    if in_place and not all(rows.owned):
        if solution._protect():
            return solution
        rows = rows_of_call(values, shape, dtype)  # compared with the time of NumPy's engine, a copy costs little
        solution._plans = inputs.plans(dtype, rows.layouts, library)
    solution._parts = copied(rows, memory)
    return solution


def _solution_of_tensors(
    inputs: Inputs, call: Call, out: Solution[Any] | None, kind: type[Solution[Any]], in_place: bool
) -> Any:
    register_pytrees(call.library)
    assert call.library
    if call.library == "torch":
        arrays = in_tensor_memory(call)
        if arrays is not None:
            shared = Call(arrays, call.shape, array_dtype(call.dtype), None)
            return _solution_of_arrays(inputs, shared, out, kind, in_place, "torch")
    solution = kind(TensorPlans(inputs, call.library, call.dtype), call.shape, call.values)
    if out is not None:
        solution._take_memory(out)
        solution._memory = None
    if in_place:
        solution._versions = cuda_versions(call)
        solution._alone = not solution._versions
    if not solution._versions:
        solution._parts = owned_tensors(call)
    return solution


class SpentAnswers(dict[str, Any]):
    """The answers of a solution whose memory another one has taken."""

    def get(self, name: str, default: Any = None) -> Any:
        """Raises: no answer is left."""
        raise LimbikError(f"the memory of this solution's {name} was given to another solution by out=")
