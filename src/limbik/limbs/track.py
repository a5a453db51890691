"""Along a path: frame after frame, each from the one before, without pops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library
from limbik.engines import dispatch, numba_track, numpy_engine, scalar_engine, tensor_engine
from limbik.engines.programs import STATE, Flags, Program
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.inputs import Group, as_rows, batch_shape
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status

# Degrees that the bending plane may turn for each degree that the target turns.
TURN_RATE = 5.0


class Track(Solution):
    """The solutions along time, axis 0. Angles are continuous too: they go on past ±π instead of jumping back.

    (Those of torch and JAX are as in `Solution.angles`.)
    """

    _after: Array  # the state to go on from, (12, rows)

    @property
    def angles(self) -> Array:
        """Joint angles in radians as in `Solution.angles`, each frame the spelling nearest to the frame before."""
        if self._library:
            return self._answer("angles")
        if "continuous" not in self._answers:
            self._answers["continuous"] = _continuous(self._answer("angles"))
        return self._answers["continuous"]

    def adjusted(self, groups: dict[str, Group], flags: Flags) -> Track:
        """The same track for changed groups."""
        changed = Track(self._program, groups, flags, self._dtype)
        changed._after = self._after
        return changed


def track(
    program: Program,
    groups: dict[str, Group],
    flags: Flags,
    dtype: np.dtype[Any],
    side: str,
    turn_rate: float,
    previous: Solution | None,
) -> Track:
    """Solves frame after frame; `side` names the group that holds the pole or hint, which the track then gives."""
    shape = batch_shape(groups)
    target = groups["target"]
    if isinstance(target, tuple) or target.ndim < 2:
        raise ShapeError("targets", (3,), "(frames, ..., 3): time on axis 0")
    if not (np.isfinite(turn_rate) and turn_rate > 0):
        raise ArgumentError("turn_rate", turn_rate, "a positive number of degrees for each degree")
    frames, batch = shape[0], shape[1:]
    if library := common_library(groups.values()):
        return _track_tensors(library, program, groups, flags, dtype, side, float(turn_rate), previous)
    state = _state_before(program, groups, flags, dtype, previous, batch)
    given = _follow(program, {**groups, "turn_rate": (float(turn_rate),)}, flags, dtype, shape, state)
    aims, sides, signs, after = given
    ones = np.ones((frames, *batch), dtype)
    placed = {
        "aim": aims.reshape(*shape, 3),
        side: sides.reshape(*shape, 3),
        "signs": np.stack([ones, signs.reshape(shape), ones][: program.groups["signs"]], -1),
    }
    solution = Track(program, {**groups, **placed}, flags._replace(fixed_frame=True), dtype)
    solution._after = after
    return solution


def _track_tensors(
    library: str,
    program: Program,
    groups: dict[str, Group],
    flags: Flags,
    dtype: Any,
    side: str,
    turn_rate: float,
    previous: Solution | None,
) -> Track:
    """The track of tensors, frame after frame, so that gradients flow along it."""
    shape = batch_shape(groups)
    handler = HANDLERS[library]
    if previous is None:
        state = Solution(program, groups, flags, dtype)[0]._answer("state")
    else:
        state = previous._after if isinstance(previous, Track) else previous._answer("state")
    state = state.reshape(*shape[1:], 12)
    frames = []
    for t in range(shape[0]):
        now: dict[str, Any] = {"turn_rate": (turn_rate,)}
        for name, group in groups.items():
            full = group if isinstance(group, tuple) else handler.broadcast(group, (*shape, group.shape[-1]))
            now[name] = full if isinstance(full, tuple) else full[t]
        now |= {name: state[..., 3 * k : 3 * k + 3] for k, name in enumerate(STATE)}
        numbers = tensor_engine.run(library, program, "follow", flags, now, shape[1:], dtype)
        frames.append(numbers[..., :7])
        state = numbers[..., 7:]
    out = handler.pile(frames)
    ones = out[..., 6:] * 0 + 1
    sides = handler.join([ones, out[..., 6:], ones][: program.groups["signs"]])
    placed = {"aim": out[..., :3], side: out[..., 3:6], "signs": sides}
    solution = Track(program, {**groups, **placed}, flags._replace(fixed_frame=True), dtype)
    solution._after = state
    return solution


def _state_before(
    program: Program,
    groups: dict[str, Group],
    flags: Flags,
    dtype: np.dtype[Any],
    previous: Solution | None,
    batch: tuple[int, ...],
) -> Array:
    """Where the limbs are before the first frame, (12, rows): as `previous` left them, or as a plain solve starts."""
    rows = int(np.prod(batch))
    if previous is None:
        return _components(_first_valid(Solution(program, dict(groups), flags, dtype)), rows)
    if not isinstance(previous, Solution) or previous._program is not program:
        raise ArgumentError("previous", repr(previous), f"an earlier {program.name.replace('_', '-')} solution")
    if isinstance(previous, Track):
        if previous.shape[1:] != batch:
            raise ShapeError("previous", previous.shape[1:], f"a track of the batch {batch}")
        return previous._after
    if previous.shape != batch:
        raise ShapeError("previous", previous.shape, f"a solution of the batch {batch}")
    return _components(previous._answer("state"), rows)


def _first_valid(solution: Solution) -> Array:
    """The state (..., 4, 3) of every limb in its first frame that is not invalid."""
    if 0 in solution.shape:
        return np.zeros((*solution.shape[1:], 4, 3), solution.dtype)
    state = solution[0]._answer("state")
    if np.any(solution[0].status == Status.INVALID):
        frame = np.argmax(solution.status != Status.INVALID, axis=0)
        state = np.take_along_axis(solution._answer("state"), frame[None, ..., None, None], 0)[0]
    return state


def _components(state: Array, rows: int) -> Array:
    """A state (..., 4, 3) as (12, rows)."""
    return np.ascontiguousarray(state.reshape(rows, 12).T)


def _follow(
    program: Program,
    groups: dict[str, Group],
    flags: Flags,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    state: Array,
) -> tuple[Array, Array, Array, Array]:
    """Aims and sides (frames, rows, 3), hinge signs (frames, rows), and the state after the last frame, (12, rows)."""
    frames = shape[0]
    rows = state.shape[1]
    names = [name for name in program.groups_of("follow") if name not in STATE]
    parts = [_by_frame(groups[name], shape, dtype) for name in names]
    out = np.empty((frames, 7, rows), dtype)
    # One limb runs on plain floats, a batch on NumPy, a large one on Numba: the same formula either way.
    large = rows > 1 and dispatch.uses_numba(frames, rows)
    if large and (done := dispatch.try_numba(lambda: numba_track.follow(program, flags, parts, frames, state))):
        out, state = done
    elif rows == 1:
        step = scalar_engine.compiled(program, "follow", flags)
        columns = [part[:, :, 0].tolist() for part in parts]
        before = tuple(state[:, 0].tolist())
        for t in range(frames):
            numbers = step(*[one for column in columns for one in column[min(t, len(column) - 1)]], *before)
            out[t, :, 0] = numbers[:7]
            before = numbers[7:]
        state = np.array(before, dtype)[:, None]
    else:
        straight = numpy_engine.compiled(program, "follow", flags, dtype)
        with np.errstate(all="ignore"):
            for t in range(frames):
                now = [row for part in parts for row in part[min(t, len(part) - 1)]]
                numbers = np.stack([np.broadcast_to(one, rows) for one in straight(*now, *state)])
                out[t] = numbers[:7]
                state = numbers[7:]
    turned = np.moveaxis(out, 1, 2)
    return turned[..., :3], turned[..., 3:6], turned[..., 6], state


def _by_frame(group: Group, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A group as (frames, components, rows), with an axis of 1 where it does not vary."""
    array = np.asarray(group, dtype)
    if array.ndim == 1:
        return array[None, :, None]
    if array.ndim < len(shape) + 1 or array.shape[0] == 1:
        array = array.reshape((1,) * (len(shape) + 1 - array.ndim) + array.shape)[0]
        return as_rows(array, shape[1:], dtype)[None]
    full = np.broadcast_to(array, (*shape, array.shape[-1]))
    return np.moveaxis(full.reshape(shape[0], int(np.prod(shape[1:])), array.shape[-1]), 1, 2)


def _continuous(angles: Array) -> Array:
    """The angles (frames, ..., turns) of chains Ry Rz Rx…, each frame in the spelling nearest to the one before.

    A base has two spellings, half a turn of yaw apart (roll mirrored at a quarter turn, the first hinge half a turn
    on), and each angle goes on by whole turns. Where the hinge is vertical the yaw is free and stays.
    """
    out = angles.copy()
    pi = np.pi
    for before, now in itertools.pairwise(out):
        yaw, roll, first = now[..., 0].copy(), now[..., 1].copy(), now[..., 2].copy()
        free = np.abs(np.cos(roll)) < 1e-9
        drift = np.where(free, yaw - before[..., 0], 0)
        yaw, first = yaw - drift, first + np.sign(roll) * drift
        plain = np.abs(_wrapped(yaw - before[..., 0])) + np.abs(_wrapped(roll - before[..., 1]))
        other = np.abs(_wrapped(yaw + pi - before[..., 0])) + np.abs(_wrapped(pi - roll - before[..., 1]))
        flip = other < plain
        now[..., 0] = np.where(flip, yaw + pi, yaw)
        now[..., 1] = np.where(flip, pi - roll, roll)
        now[..., 2] = np.where(flip, first + pi, first)
        step = _wrapped(now - before)
        now[...] = np.where(np.isfinite(before), before + step, now)
    return out


def _wrapped(angle: Array) -> Array:
    """An angle brought into [−π, π]."""
    return angle - 2 * np.pi * np.round(angle / (2 * np.pi))
