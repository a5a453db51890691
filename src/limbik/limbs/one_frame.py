"""A track of one frame, as a game asks for in every frame: in as few steps as possible.

It takes the same steps as any track. What does not change from frame to frame is kept with the limb.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, tracks
from limbik.engines.plans import Formula, Plan
from limbik.engines.programs import TRACK_STEPS, Flags
from limbik.engines.track_steps import groups_read
from limbik.limbs.inputs import Group, Groups, as_rows, floats
from limbik.limbs.track import Track

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb

# How a group is passed: the same numbers for all limbs, or an array, with or without the axis of time.
CONSTANT, TIMED, UNTIMED = "constant", "timed", "untimed"


def one_frame(
    limb: Limb,
    step: str,
    side: str,
    groups: Groups,
    flags: Flags,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    state: Array,
) -> FrameTrack:
    """A track of one frame: the arguments as in `limbs.following.track`; the state before it, (numbers, limbs)."""
    rows, parts, layouts = prod(shape), {}, {}
    copies: dict[int, tuple[Group, str]] = {}
    for name, group in groups.items():
        if id(group) not in copies:
            # What a caller moves is an array, even for one limb: constants are kept.
            moved = rows == 1 and name in limb._vectors
            copies[id(group)] = _part(group, shape, rows, dtype, moved)
        parts[name], layouts[name] = copies[id(group)]
    key = step, flags, dtype.char, tuple(layouts.values())
    kind = limb._frame_kinds.get(key)
    if kind is None:
        kind = limb._frame_kinds[key] = FrameKind(limb, step, side, flags, dtype, layouts)
    return FrameTrack(kind, shape, parts, state)


def _part(group: Group, shape: tuple[int, ...], rows: int, dtype: np.dtype[Any], moved: bool) -> tuple[Group, str]:
    """A group as a copy (components, limbs), or as numbers that are the same for all limbs; and how it was passed."""
    if type(group) is tuple and not (moved and any(group)):
        return group, CONSTANT
    numbers = as_rows(group, shape, dtype)
    if numbers.shape[1] < rows:
        return tuple(numbers[:, 0].tolist()), CONSTANT
    timed = isinstance(group, np.ndarray) and group.ndim > len(shape)
    return np.array(numbers, order="C"), TIMED if timed else UNTIMED


class FrameKind:
    """What the frames of a limb have in common whose arguments were passed alike.

    Args:
        limb: the limb.
        step: how it takes a step: a name in TRACK_STEPS.
        side: the group that a frame fills with its side.
        flags: the program's flags, for a step.
        dtype: the number type.
        layouts: how each group was passed.
    """

    def __init__(
        self, limb: Limb, step: str, side: str, flags: Flags, dtype: np.dtype[Any], layouts: dict[str, str]
    ) -> None:
        self._made_of = limb, step, side, flags, dtype, layouts
        self.limb, self.step, self.dtype = limb, step, dtype
        self.flags = flags._replace(fixed_frame=True)  # pyright: ignore[reportAttributeAccessIssue]
        self.layouts = layouts
        program = limb._program
        names = groups_read(program, step)
        varying = tuple((layouts[name] == TIMED, layouts[name] != CONSTANT) for name in names)
        self._steps = tracks.steps(program, step, flags, dtype, varying)
        self._same = [name for name in names if layouts[name] == CONSTANT]
        self._varying = [name for name in names if layouts[name] != CONSTANT]
        self._signs = program.groups["signs"]
        self._frame: list[tuple[str, int, int]] = []
        first = 0
        for name, size in TRACK_STEPS[step].frame.items():
            self._frame.append((side if name == "side" else name, first, first + size))
            first += size
        self.plans: dict[str, tuple[Plan, list[str], list[str]]] = {}
        # What the caller passes to a call with default options, by the names of the groups that keep it.
        default = limb._fast_path is not None and flags == limb._fast_path.flags and step == "follow"
        self.vectors = [(name, layouts[name]) for name in limb._vectors] if default else None

    def __reduce__(self) -> Any:
        return FrameKind, self._made_of  # kernels cannot be pickled

    def follow(self, parts: Groups, state: Array) -> tuple[Groups, Array]:
        """The groups of the answers, and the state after the frame, (numbers, limbs), from the state before."""
        same, arrays = tuple([parts[name] for name in self._same]), [parts[name] for name in self._varying]
        (frame,), after = self._steps.follow(same, arrays, 1, state)
        placed = {name: frame[first:last] for name, first, last in self._frame}
        signs = np.ones((self._signs, frame.shape[1]), self.dtype)
        signs[1] = placed.pop("hinge_sign")
        return {**parts, **placed, "signs": signs}, after

    def plan(self, answer: str) -> tuple[Plan, list[str], list[str]]:
        """The plan of an answer, made when first used; the groups that are the same for all limbs, and the others."""
        found = self.plans.get(answer)
        if found is None:
            program = self.limb._program
            names = program.groups_of(answer)
            placed = {name for name, *_ in self._frame} | {"signs"}
            same = [name for name in names if self.layouts[name] == CONSTANT and name not in placed]
            layouts = tuple("constant" if name in same else "rows" for name in names)
            plan = Plan(Formula(program, answer, self.flags, names, (), {}), layouts, self.dtype)
            found = self.plans[answer] = plan, same, [name for name in names if name not in same]
        return found


class FrameTrack(Track[Array]):
    """A track of one frame.

    Args:
        kind: what it has in common with others.
        shape: the batch's shape, (1, ...).
        call: the groups of the call, numbers or arrays (components, limbs).
        state: the state before, (numbers, limbs).
    """

    _library = None

    def __init__(self, kind: FrameKind, shape: tuple[int, ...], call: Groups, state: Array) -> None:
        self._kind_of_frame = kind
        self._shape = shape
        self._call = call
        self._parts, self._state = kind.follow(call, state)
        self._answers = {}
        self._spare = {}

    @property
    def _program(self) -> Any:  # type: ignore[override]
        return self._kind_of_frame.limb._program

    @property
    def _flags(self) -> Any:  # type: ignore[override]
        return self._kind_of_frame.flags

    @property
    def _limb(self) -> Any:  # type: ignore[override]
        return self._kind_of_frame.limb

    @property
    def _dtype(self) -> Any:  # type: ignore[override]
        return self._kind_of_frame.dtype

    @property
    def _step(self) -> str:  # type: ignore[override]
        return self._kind_of_frame.step

    @property
    def _after(self) -> Array:  # type: ignore[override]
        return self._state.T.reshape(*self._shape[1:], len(self._state))

    @property
    def _inputs(self) -> Groups:  # type: ignore[override]
        parts = self._parts.items()
        return {name: part if type(part) is tuple else part.T.reshape(*self._shape, -1) for name, part in parts}

    def _compute(self, name: str) -> Any:
        if dispatch.chosen() is not None:
            return super()._compute(name)
        plan, same, varying = self._kind_of_frame.plan(name)
        parts = self._parts
        arrays = [parts[one].T for one in varying]
        numbers = plan.run(arrays, tuple([parts[one] for one in same]), len(arrays[0]))
        return numbers.T.reshape(self._shape + plan.shape)


def next_frame(limb: Limb, previous: Any, turn_rate: float, *vectors: Any) -> FrameTrack | None:
    """The frame after an earlier one, by a call with default options whose vectors are passed as in that frame's call.

    None where `limbs.following.track` has to do it.
    """
    if type(previous) is not FrameTrack:
        return None
    kind, call, shape = previous._kind_of_frame, previous._call, previous._shape
    if (
        kind.vectors is None
        or kind.limb is not limb
        or type(turn_rate) is not float
        or turn_rate != call["turn_rate"][0]
    ):
        return None
    moved = {}
    for (name, layout), vector in zip(kind.vectors, vectors, strict=True):
        part = _moved(vector, call[name], layout, shape, kind.dtype)
        if part is None:
            return None
        moved[name] = part
    aliases = {alias: moved[name] for alias, name in limb._aliases}
    frame = FrameTrack(kind, shape, {**call, **moved, **aliases}, previous._state)
    frame._angles_before = previous._last_angles()
    return frame


def _moved(vector: Any, before: Group, layout: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Group | None:
    """A vector as `_part` returns it, if it was passed as the one before, in the same shape; else None."""
    size = len(before)
    if vector is before:  # such as the default origin
        return before
    if layout is CONSTANT:
        return floats(vector, size, dtype.char) if prod(shape) > 1 else None
    wanted = shape if layout is TIMED else shape[1:]
    if type(vector) is np.ndarray and vector.shape == (*wanted, size):
        return np.array(vector.reshape(-1, size).T, order="C") if vector.dtype is dtype else None
    numbers = floats(vector, size, dtype.char) if layout is UNTIMED and before.shape[1] == 1 else None
    return None if numbers is None else np.array(numbers, dtype).reshape(size, 1)
