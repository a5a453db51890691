"""Along a path: frame after frame, each from the one before, without pops."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np

from limbik import arguments
from limbik.arrays import HANDLERS, Array, common_library
from limbik.engines import tensor_dispatch, tracks
from limbik.engines.programs import TRACK_STEPS, Program, TrackStep
from limbik.engines.row_formulas import RowFormula
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas.angles import continued_angles
from limbik.limbs.array_types import ArrayType, answer
from limbik.limbs.inputs import Group, as_rows, batch_shape
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status

# Degrees that the bending plane may turn for each degree that the target turns.
TURN_RATE = 5.0

Groups = dict[str, Group]
Limit = Callable[[Groups, Any, Any], tuple[Groups, Any]]  # groups, flags and number type to groups and flags


class Track(Solution[ArrayType]):
    """The solutions along time, axis 0. Angles are continuous: they go on past ±π instead of jumping back.

    (Those of torch and JAX are as in `Solution.angles`.) A slice of a track along time is a track.
    """

    _step: str  # how the track takes a step: a name in TRACK_STEPS
    _after: Array | None = None  # the state to continue from, (..., numbers); None: that of the last frame
    _angles_before: Array | None = None  # the angles, (..., angles), that those of the first frame continue

    @answer
    def angles(self) -> Any:
        """Joint angles in radians as in `Solution.angles`, each frame in the equivalent set nearest to the last one."""
        if self._library:
            return self._answer("angles")
        if "continuous" not in self._answers:
            self._answers["continuous"] = _continuous(self._answer("angles"), self._angles_before)
        return self._answers["continuous"]

    def __getitem__(self, index: Any) -> Solution[ArrayType]:
        """The solutions of some frames: a `Track` for a slice of time, else a `Solution` with the track's angles."""
        picked = super().__getitem__(index)
        if picked is self:
            return self
        first = index[0] if isinstance(index, tuple) else index
        if isinstance(first, slice) and (first.step or 1) > 0:
            part: Track[Any] = Track(self._program, picked._groups, self._flags, self._dtype, self._limb)
            part._step = self._step
            picked = part
        if not self._library:
            angles: Any = self.angles
            picked._answers["continuous" if isinstance(picked, Track) else "angles"] = angles[index]
        return picked


def track(
    program: Program,
    groups: Groups,
    flags: Any,
    dtype: Any,
    side: str,
    turn_rate: float,
    previous: Solution | None,
    limit: Limit | None = None,
) -> Track:
    """Solves frame after frame.

    Args:
        program: the limb's formulas.
        groups: the groups of all frames, time on axis 0.
        flags: the program's flags.
        dtype: the number type of the answers.
        side: the group that holds the pole or hint; a frame of the track fills it with its side.
        turn_rate: degrees that the bending plane may turn for each degree that the target turns.
        previous: the track or solution to continue from.
        limit: for a limb with a range of its last joint: the nearest pose within it, for one frame without memory.

    Returns:
        The track.
    """
    target = groups["target"]
    if isinstance(target, tuple) or target.ndim < 2:
        raise ShapeError("target", (3,), "(frames, ..., 3): time on axis 0")
    groups = {**groups, "turn_rate": (arguments.positive("turn_rate", turn_rate),)}
    shape = batch_shape(groups)
    step = "follow_limits" if limit else "follow_position" if getattr(flags, "position_first", False) else "follow"
    start = _start(program, groups, flags, dtype, step, previous, shape[1:], limit)
    library = common_library(groups.values())
    follow = _follow_tensors if library else _follow
    out, after = follow(program, step, groups, flags, dtype, shape, start)
    groups |= _placed(program, step, out, side)
    solution: Track[Any] = Track(program, groups, flags._replace(fixed_frame=True), dtype)
    solution._step, solution._after = step, after
    if isinstance(previous, Track) and not library and len(previous):
        last, earlier = previous.angles[-1], previous._angles_before
        solution._angles_before = last if earlier is None else np.where(np.isfinite(last), last, earlier)
    return solution


def _placed(program: Program, step: str, out: Any, side: str) -> Groups:
    """The groups that frames, (frames, ..., numbers), fill."""
    parts: Groups = {}
    first = 0
    for name, size in TRACK_STEPS[step].frame.items():
        parts[name] = out[..., first : first + size]
        first += size
    sign = parts.pop("hinge_sign")
    ones = sign * 0 + 1
    parts[side] = parts.pop("side")
    pieces = [ones, sign, ones][: program.groups["signs"]]
    library = common_library([out])
    parts["signs"] = HANDLERS[library].join(pieces) if library else np.concatenate(pieces, -1)
    return parts


# --- where a track starts


def _start(
    program: Program,
    groups: Groups,
    flags: Any,
    dtype: Any,
    step: str,
    previous: Solution | None,
    batch: tuple[int, ...],
    limit: Limit | None,
) -> Any:
    """Where the limbs are before the first frame, (..., numbers): where `previous` ends, or as a plain solve begins."""
    if previous is None:
        return _first_state(Solution(program, groups, flags, dtype), TRACK_STEPS[step], limit)
    if not isinstance(previous, Solution) or previous._program is not program:
        raise ArgumentError("previous", repr(previous), f"an earlier {program.name.replace('_', '-')} solution")
    tracked = isinstance(previous, Track)
    if (previous.shape[1:] if tracked else previous.shape) != batch:
        raise ShapeError("previous", previous.shape, f"a track or a solution of the batch {batch}")
    if tracked and previous._step == step and previous._after is not None:
        return previous._after
    if tracked and step == "follow_limits" == previous._step:
        return previous._groups["track_state"][-1]
    last = _last_valid(previous) if tracked else previous
    limits = {"joint_limits": groups["joint_limits"]} if limit else {}
    return Solution(program, {**last._groups, **limits}, last._flags, dtype)._answer(TRACK_STEPS[step].start)


def _first_state(solution: Solution, spec: TrackStep, limit: Limit | None) -> Any:
    """The state of every limb in its first frame that is not invalid."""

    def state_of(part: Solution) -> Any:
        if limit:
            part = Solution(part._program, *limit(part._groups, part._flags, part._dtype), part._dtype)
        return part._answer(spec.start)

    if 0 in solution.shape:
        return np.zeros((*solution.shape[1:], spec.state_size), solution.dtype)
    if solution._library is None and np.any(solution[0].status == Status.INVALID):
        frame = np.argmax(solution.status != Status.INVALID, axis=0)
        return np.take_along_axis(state_of(solution), frame[None, ..., None], 0)[0]
    return state_of(solution[0])


def _last_valid(track: Solution) -> Solution:
    """The last frame of a track, or of each limb the last one that is not invalid."""
    if track._library or not np.any(track[-1].status == Status.INVALID):
        return track[-1]
    frames = len(track) - 1 - np.argmax(track.status[::-1] != Status.INVALID, axis=0)
    return track[(frames, *np.indices(track.shape[1:]))]


# --- from frame to frame


def _follow(
    program: Program, step: str, groups: Groups, flags: Any, dtype: Any, shape: tuple[int, ...], start: Array
) -> tuple[Array, Array]:
    """Frames (frames, ..., numbers), and the state after the last one, (..., numbers)."""
    frames, batch = shape[0], shape[1:]
    rows = prod(batch)
    size, state_size = TRACK_STEPS[step].frame_size, TRACK_STEPS[step].state_size
    names = [name for name in program.groups_of(step) if name != TRACK_STEPS[step].previous]
    parts = [_by_frame(groups[name], shape, dtype) for name in names]
    state = np.ascontiguousarray(np.asarray(start, dtype).reshape(rows, state_size).T)
    out, state = tracks.follow(program, step, flags, parts, frames, state)
    return out.transpose(0, 2, 1).reshape(*shape, size), np.ascontiguousarray(state.T).reshape(*batch, len(state))


def _follow_tensors(
    program: Program, step: str, groups: Groups, flags: Any, dtype: Any, shape: tuple[int, ...], start: Any
) -> tuple[Any, Any]:
    """As `_follow`, for tensors: gradients flow along the track."""
    library = common_library(groups.values())
    assert library
    handler = HANDLERS[library]
    spec = TRACK_STEPS[step]
    constant = {name: group for name, group in groups.items() if isinstance(group, tuple)}
    varying = {
        name: handler.broadcast(group, (*shape, group.shape[-1]))
        for name, group in groups.items()
        if not isinstance(group, tuple)
    }
    state = start
    frames = []
    for t in range(shape[0]):
        now = {**constant, **{name: group[t] for name, group in varying.items()}, spec.previous: state}
        numbers = tensor_dispatch.run(library, program, step, flags, now, shape[1:], dtype)
        frames.append(numbers[..., : spec.frame_size])
        state = numbers[..., -spec.state_size :]
    return handler.pile(frames), state


def _by_frame(group: Group, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A group as (frames, components, rows), with an axis of 1 where it does not vary."""
    array = np.asarray(group, dtype)
    if array.ndim == 1:
        return array[None, :, None]
    if array.ndim < len(shape) + 1 or array.shape[0] == 1:
        array = array.reshape((1,) * (len(shape) + 1 - array.ndim) + array.shape)[0]
        return as_rows(array, shape[1:], dtype)[None]
    full = np.broadcast_to(array, (*shape, array.shape[-1]))
    return np.moveaxis(full.reshape(shape[0], prod(shape[1:]), array.shape[-1]), 1, 2)


# --- continuous angles


@cache
def _continued(size: int) -> RowFormula:
    return RowFormula(continued_angles, angles=size, before=size, vertical=1)


@cache
def _vertical(dtype: np.dtype[Any]) -> Array:
    return np.array([64.0 * float(np.finfo(dtype).eps)])


def _continuous(angles: Array, before: Any) -> Array:
    """The angles (frames, ..., angles) of chains Ry Rz Rx…, each frame in the equivalent set nearest to the one before.

    Invalid frames are passed over.
    """
    frames, size = angles.shape[0], angles.shape[-1]
    if not angles.size:
        return angles.copy()
    found = np.empty((frames, size, angles.size // (frames * size)), angles.dtype)
    last = (angles[0] if before is None else before).reshape(-1, size).T.astype(float)
    vertical, nearest = _vertical(angles.dtype), _continued(size)
    for frame, now in zip(found, angles, strict=True):
        numbers = nearest(now.reshape(-1, size).T.astype(float), last, vertical)
        frame[:] = numbers[:size]
        last = numbers[size:] if angles.dtype == float else numbers[size:].astype(angles.dtype).astype(float)
    return found.swapaxes(1, 2).reshape(angles.shape)
