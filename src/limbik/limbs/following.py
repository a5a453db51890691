"""Follows a path: frame after frame, each from the one before, without pops."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arrays import HANDLERS, Array
from limbik.engines import tensor_dispatch, tracks
from limbik.engines.programs import TRACK_STEPS, Flags
from limbik.engines.track_steps import groups_read
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.calls import Call, Inputs, Plans
from limbik.limbs.frames import cut_rows, cut_tensor, solution_of_frame
from limbik.limbs.solution import Solution, solution_of_call
from limbik.limbs.status import Status
from limbik.limbs.track import Track

if TYPE_CHECKING:
    from limbik.limbs.limb import Limb

# Degrees that the bending plane may turn for each degree that the target turns.
TURN_RATE = 5.0


def track(
    limb: Limb,
    flags: Flags,
    vectors: tuple[Any, ...],
    options: tuple[Any, ...],
    side: str,
    turn_rate: float,
    previous: Solution[Any] | None,
) -> Track[Any]:
    """Solves frame after frame.

    Args:
        limb: the limb.
        flags: the program's flags.
        vectors: the vectors of the call, target first, with or without time on axis 0.
        options: the inputs that the call's options make, likewise.
        side: the input that holds the pole or hint; a frame of the track fills it with its side.
        turn_rate: degrees that the bending plane may turn for each degree that the target turns.
        previous: the track or solution to continue from.

    Returns:
        The track.
    """
    whole = limb._solve(flags, vectors, options, None, in_place=False)  # its inputs are those of the track
    if np.ndim(vectors[0]) < 2:
        raise ShapeError("target", (3,), "(frames, ..., 3): time on axis 0")
    rate = TURN_RATE if turn_rate is TURN_RATE else arguments.positive("turn_rate", turn_rate)
    limited, position_first = getattr(limb, "_limits_last", False), getattr(flags, "position_first", False)
    step = "follow_limits" if limited else "follow_position" if position_first else "follow"
    start = _start(whole, step, previous)
    follow = _follow if isinstance(whole._plans, Plans) else _follow_tensors
    frame, after = follow(whole, step, rate, start)
    states = frame.pop("track_state", None)
    frame[side] = frame.pop("side")
    inputs = limb._inputs[whole._plans.inputs.flags_of_frames]
    solution: Track[Any] = solution_of_frame(whole, inputs, frame, Track)
    solution._step, solution._after, solution._states = step, after, states
    if isinstance(previous, Track) and not whole._library and len(previous):
        solution._angles_before = previous._last_angles()
    return solution


# --- where a track starts


def _start(whole: Solution[Any], step: str, previous: Solution[Any] | None) -> Any:
    """Where the limbs are before the first frame, (..., numbers): where `previous` ends; NaN where there is nothing.

    A limb without a state begins with its first valid frame, as a plain solve.
    """
    spec, batch, inputs = TRACK_STEPS[step], whole.shape[1:], whole._plans.inputs
    if previous is None:
        return np.nan
    if not isinstance(previous, Solution) or previous._program is not inputs.program:
        name = inputs.program.name.replace("_", "-")
        raise ArgumentError("previous", repr(previous), f"an earlier {name} solution")
    tracked = isinstance(previous, Track)
    if (previous.shape[1:] if tracked else previous.shape) != batch:
        raise ShapeError(
            "previous", previous.shape, f"a solution of shape {batch}, one for each limb of the batch, or a track"
        )
    if tracked and previous._step == step and previous._after is not None:
        return previous._after
    if tracked and step == "follow_limits" == previous._step:
        assert previous._states is not None
        return previous._states[-1]
    last = _last_valid(previous) if tracked else previous
    limits, before = inputs.fixed.get("joint_limits"), last._plans.inputs
    if limits is not None and before.fixed.get("joint_limits") != limits:  # another limb's
        program, flags, names, aliases, fixed, _ = before.made_of
        other = Inputs(program, flags, names, aliases, {**fixed, "joint_limits": limits}, None)
        last = solution_of_call(other, Call(last._values, last.shape, last.dtype, last._library))
    state = last._answer(spec.start)
    del last._answers[spec.start]
    return state


def _last_valid(track: Solution) -> Solution:
    """The last frame of a track, or of each limb the last one that is not invalid."""
    if track._library or not np.any(track[-1].status == Status.INVALID):
        return track[-1]
    frames = len(track) - 1 - np.argmax(np.flip(np.asarray(track.status), 0) != Status.INVALID, axis=0)
    return track[(frames, *np.indices(track.shape[1:]))]


# --- from frame to frame


class _StepsOfCalls:
    """How the frames of calls are followed that pass their inputs alike."""

    def __init__(self, plans: Plans, step: str) -> None:
        inputs, self.spec = plans.inputs, TRACK_STEPS[step]
        places = {name: k for k, name in enumerate(inputs.names)}
        places |= {alias: places[name] for alias, name in inputs.aliases}
        rate = (None,)
        sources: list[Any] = [
            rate if name == "turn_rate" else places.get(name, inputs.fixed.get(name))
            for name in groups_read(inputs.program, step)
        ]
        constant = [type(one) is tuple or plans.layouts[one] == "c" for one in sources]
        self.same = [one for one, same in zip(sources, constant, strict=True) if same]
        self.rate = next(k for k, one in enumerate(self.same) if one is rate)
        self.arrays = [(one, plans.layouts[one]) for one, same in zip(sources, constant, strict=True) if not same]
        varying = tuple([(not same, not same) for same in constant])
        self.steps = tracks.Steps(inputs.program, step, inputs.flags, plans.array_dtype, varying)
        self.signs = inputs.program.groups["signs"]


def _follow(whole: Solution[Any], step: str, rate: float, start: Any) -> tuple[dict[str, Any], Array]:
    """What the frames choose, as parts (components, frames · limbs), and the state after the last, (..., numbers)."""
    plans, shape, parts = whole._plans, whole._shape, whole._parts
    assert isinstance(plans, Plans)
    calls = plans.tracks.get(step)
    if calls is None:
        calls = plans.tracks[step] = _StepsOfCalls(plans, step)
    spec, frames, limbs = calls.spec, shape[0], prod(shape[1:])
    size = plans.inputs.program.state_size(step)
    same = [parts[one] if type(one) is int else one for one in calls.same]
    same[calls.rate] = (rate,)
    arrays = [_by_frame(parts[one], layout, frames, limbs) for one, layout in calls.arrays]
    if isinstance(start, float):
        state = np.full((size, limbs), start, plans.array_dtype)
    else:
        state = np.ascontiguousarray(np.asarray(start, plans.array_dtype).reshape(limbs, size).T)
    found, after = calls.steps.follow(tuple(same), arrays, frames, state)
    one = frames == 1
    numbers = found[0] if one else np.ascontiguousarray(found.swapaxes(0, 1)).reshape(spec.frame_size, frames * limbs)
    frame = cut_rows(numbers, spec.frame)
    frame["signs"] = signs = np.ones((calls.signs, frames * limbs), plans.array_dtype)
    signs[1] = frame.pop("hinge_sign")
    if "track_state" in frame:
        frame["track_state"] = frame["track_state"].T.reshape(*shape, size)
    return frame, after.T.reshape(*shape[1:], size)


def _by_frame(part: Array, layout: str, frames: int, limbs: int) -> Array:
    """A part as a step reads it, (frames, components, limbs)."""
    if layout == "i":
        return part.reshape(frames, limbs, part.shape[1]).swapaxes(1, 2)
    return part.reshape(len(part), frames, limbs).swapaxes(0, 1)


def _follow_tensors(whole: Solution[Any], step: str, rate: float, start: Any) -> tuple[dict[str, Any], Any]:
    """What the frames choose, tensors (frames, ..., components), and the state after them: gradients flow along."""
    plans, shape, spec = whole._plans, whole._shape, TRACK_STEPS[step]
    library, inputs = plans.library, plans.inputs
    assert library
    handler = HANDLERS[library]
    columns = inputs.by_name(whole._values) | {"turn_rate": (rate,)}
    constant = {name: value for name, value in columns.items() if isinstance(value, tuple)}
    varying = {
        name: handler.broadcast(value, (*shape, value.shape[-1]))
        for name, value in columns.items()
        if not isinstance(value, tuple)
    }
    size = inputs.program.state_size(step)
    state, frames = (start,) * size if isinstance(start, float) else start, []
    for t in range(shape[0]):
        now = {**constant, **{name: value[t] for name, value in varying.items()}, spec.previous: state}
        numbers = tensor_dispatch.run(library, inputs.program, step, inputs.flags, now, shape[1:], plans.dtype)
        frames.append(numbers[..., : spec.frame_size])
        state = numbers[..., -size:]
    frame = cut_tensor(handler.pile(frames), spec.frame)
    sign = frame.pop("hinge_sign")
    ones = sign * 0 + 1
    frame["signs"] = handler.join([ones, sign, ones][: inputs.program.groups["signs"]])
    return frame, state
