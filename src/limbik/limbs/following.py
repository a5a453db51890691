"""Follows a path: frame after frame, each from the one before, without pops."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arrays import HANDLERS, Array, common_library
from limbik.engines import tensor_dispatch, tracks
from limbik.engines.programs import TRACK_STEPS, Program
from limbik.engines.thresholds import NUMBA_WAIT_MIN_ROWS
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


def track(
    limb: Limb,
    groups: Groups,
    flags: Any,
    dtype: Any,
    side: str,
    turn_rate: float,
    previous: Solution | None,
) -> Track[Any]:
    """Solves frame after frame.

    Args:
        limb: the limb.
        groups: the groups of all frames, time on axis 0; arrays may be the caller's. `joint_limits` are there if the
            limb has limits of its last joint.
        flags: the program's flags.
        dtype: the number type of the answers.
        side: the group that holds the pole or hint; a frame of the track fills it with its side.
        turn_rate: degrees that the bending plane may turn for each degree that the target turns.
        previous: the track or solution to continue from.

    Returns:
        The track.
    """
    target = groups["target"]
    if isinstance(target, tuple) or target.ndim < 2:
        raise ShapeError("target", (3,), "(frames, ..., 3): time on axis 0")
    groups["turn_rate"] = (arguments.positive("turn_rate", turn_rate),)
    program, shape, library = limb._program, batch_shape(groups), common_library(groups.values())
    limited, position_first = "joint_limits" in groups, getattr(flags, "position_first", False)
    step = "follow_limits" if limited else "follow_position" if position_first else "follow"
    start = _start(program, groups, dtype, step, previous, shape[1:])
    solution: Track[Any]
    if shape[0] == 1 and not library and 0 < prod(shape) < NUMBA_WAIT_MIN_ROWS:
        solution = one_frame(limb, step, side, groups, flags, dtype, shape, _state(start, step, dtype, shape[1:]))
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
    program: Program, groups: Groups, dtype: Any, step: str, previous: Solution | None, batch: tuple[int, ...]
) -> Any:
    """Where the limbs are before the first frame, (..., numbers): where `previous` ends; NaN where there is nothing.

    A limb without a state begins with its first valid frame, as a plain solve.
    """
    spec = TRACK_STEPS[step]
    if previous is None:
        return (np.nan,) * spec.state_size
    if not isinstance(previous, Solution) or previous._program is not program:
        raise ArgumentError("previous", repr(previous), f"an earlier {program.name.replace('_', '-')} solution")
    tracked = isinstance(previous, Track)
    if (previous.shape[1:] if tracked else previous.shape) != batch:
        raise ShapeError(
            "previous", previous.shape, f"a solution of shape {batch}, one for each limb of the batch, or a track"
        )
    if tracked and previous._step == step and previous._after is not None:
        return previous._after
    if tracked and step == "follow_limits" == previous._step:
        return previous._groups["track_state"][-1]
    last = _last_valid(previous) if tracked else previous
    limits = {name: groups[name] for name in ("joint_limits",) if name in groups}
    return Solution(program, {**last._groups, **limits}, last._flags, dtype)._answer(spec.start)


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
    out, state = steps.follow(same, arrays, frames, _state(start, step, dtype, batch))
    return out.transpose(0, 2, 1).reshape(*shape, out.shape[1]), state.T.reshape(*batch, len(state))


def _state(start: Any, step: str, dtype: np.dtype[Any], batch: tuple[int, ...]) -> Array:
    """A state (..., numbers) as (numbers, limbs)."""
    size = TRACK_STEPS[step].state_size
    every = np.broadcast_to(np.asarray(start, dtype), (*batch, size))
    return np.ascontiguousarray(every.reshape(-1, size).T)


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
