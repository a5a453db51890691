"""Follows a path: frame after frame, each from the one before, without pops."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arrays import HANDLERS, Array, common_library
from limbik.engines import dispatch, tensor_dispatch, tracks
from limbik.engines.programs import TRACK_STEPS, Program, TrackStep
from limbik.engines.track_steps import groups_read
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.inputs import Group, Groups, batch_shape, copied
from limbik.limbs.one_frame import one_frame
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.track import Track

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb

# Degrees that the bending plane may turn for each degree that the target turns.
TURN_RATE = 5.0

Limit = Callable[[Groups, Any, Any], tuple[Groups, Any]]  # groups, flags and number type to groups and flags


def track(
    limb: Limb,
    groups: Groups,
    flags: Any,
    dtype: Any,
    side: str,
    turn_rate: float,
    previous: Solution | None,
    limit: Limit | None = None,
) -> Track[Any]:
    """Solves frame after frame.

    Args:
        limb: the limb.
        groups: the groups of all frames, time on axis 0; arrays may be the caller's.
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
    groups["turn_rate"] = (arguments.positive("turn_rate", turn_rate),)
    program, shape, library = limb._program, batch_shape(groups), common_library(groups.values())
    step = "follow_limits" if limit else "follow_position" if getattr(flags, "position_first", False) else "follow"
    start = _start(program, groups, flags, dtype, step, previous, shape[1:], limit)
    solution: Track[Any]
    if shape[0] == 1 and not library and 0 < prod(shape) < dispatch.LARGE:
        solution = one_frame(limb, step, side, groups, flags, dtype, shape, _state(start, step, dtype))
    else:
        groups = copied(groups)
        follow = _follow_tensors if library else _follow
        out, after = follow(program, step, groups, flags, dtype, shape, start)
        groups |= _placed(program, step, out, side)
        solution = Track(program, groups, flags._replace(fixed_frame=True), dtype, limb)
        solution._step, solution._after = step, after
    if isinstance(previous, Track) and not library and len(previous):
        solution._angles_before = previous._last_angles()
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
    parts = [_by_frame(groups[name], shape, dtype) for name in groups_read(program, step)]
    varying = tuple((False, False) if type(part) is tuple else (part.ndim == 3, True) for part in parts)
    same = tuple(part for part in parts if type(part) is tuple)
    arrays = [part for part in parts if type(part) is not tuple]
    steps = tracks.steps(program, step, flags, dtype, varying)
    out, state = steps.follow(same, arrays, frames, _state(start, step, dtype))
    return out.transpose(0, 2, 1).reshape(*shape, out.shape[1]), state.T.reshape(*batch, len(state))


def _state(start: Any, step: str, dtype: np.dtype[Any]) -> Array:
    """A state (..., numbers) as (numbers, rows)."""
    return np.ascontiguousarray(np.asarray(start, dtype).reshape(-1, TRACK_STEPS[step].state_size).T)


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


def _by_frame(group: Group, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Group:
    """A group as a step reads it: numbers, (components, rows), or (frames, components, rows)."""
    if type(group) is tuple:
        return group
    rows = prod(shape[1:])
    timed = group.ndim == len(shape) + 1 and group.shape[0] == shape[0]
    if not timed and group.ndim == len(shape) + 1:
        group = group[0]  # an axis of 1
    batch = shape if timed else shape[1:]
    array = np.asarray(np.broadcast_to(group, (*batch, group.shape[-1])), dtype)
    return array.reshape(*batch[:timed], rows, group.shape[-1]).swapaxes(-1, -2)
