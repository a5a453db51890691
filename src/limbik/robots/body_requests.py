"""What callers ask of a whole robot: targets by the names of ends, and where the robot is before it moves."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arguments import positive, reals, shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.array_types import ArrayLike
from limbik.robots.body_descent import BodyGoal, BodyState, Freedom
from limbik.robots.body_ends import BASE, BodyEnd
from limbik.robots.standing import standing_angles
from limbik.robots.whole_body import follow_body, solve_body
from limbik.robots.whole_body_solution import WholeBodySolution

if TYPE_CHECKING:
    from limbik.robots.robot import Robot

BodyTarget = ArrayLike[Array] | tuple[ArrayLike[Array] | None, ArrayLike[Array] | None]
BodyTargets = Mapping[str, BodyTarget]
BodyStart = WholeBodySolution | Mapping[str, ArrayLike[Array]] | ArrayLike[Array]
BasePose = tuple[ArrayLike[Array] | None, ArrayLike[Array] | None]  # position and rotation; None: as it is


class Request(NamedTuple):
    """A call, checked: goals and the state before with `shape`, flat; the targets as the answer has them."""

    goals: list[BodyGoal]
    targets: dict[str, tuple[Array | None, Array | None]]
    state: BodyState
    shape: tuple[int, ...]
    valid: Array  # (rows,), where all is finite


def reach_body(
    robot: Robot, targets: BodyTargets, near: BodyStart | None, base: BasePose, free_base: bool
) -> WholeBodySolution:
    """The answer of `Robot.reach`."""
    ends = _read_targets(robot, targets, free_base)
    start = _read_start(robot, "near", near, base)
    request = _broadcast(ends, start, _common_shape(ends, *start))
    rows = np.flatnonzero(request.valid)
    found = BodyState(*(np.full_like(part, np.nan) for part in request.state))
    if rows.size:
        own = [goal.select(rows) for goal in request.goals]
        found.put(rows, solve_body(robot, own, request.state.select(rows), freedom(robot, own, free_base)))
    return _as_solution(robot, found, request)


def track_body(
    robot: Robot,
    targets: BodyTargets,
    previous: BodyStart | None,
    base: BasePose,
    free_base: bool,
    max_step: ArrayLike[Array] | None,
    fps: float | None,
) -> WholeBodySolution:
    """The answer of `Robot.track`."""
    ends = _read_targets(robot, targets, free_base)
    shape = _common_shape(ends)
    if not shape or not shape[0]:
        raise ShapeError("targets", shape, "time as their first axis, one frame or more")
    if isinstance(previous, WholeBodySolution) and previous.is_track:
        previous = previous[-1]
    start = _read_start(robot, "previous", previous, base)
    request = _broadcast(ends, start, shape)
    step = _read_step(robot, max_step, fps)
    frames, rows = shape[0], prod(shape[1:])
    valid = request.valid.reshape(frames, rows)
    free = freedom(robot, request.goals, free_base)
    state, found = request.state.select(np.arange(rows)), BodyState(*(part.copy() for part in request.state))
    begun = np.full(rows, previous is not None)
    for k in range(frames):
        goals = [goal.select(np.arange(k * rows, (k + 1) * rows)) for goal in request.goals]
        for first in (True, False):
            chosen = np.flatnonzero(valid[k] & (begun ^ first))
            if not chosen.size:
                continue
            own, before = [goal.select(chosen) for goal in goals], state.select(chosen)
            box = free._replace(
                lower=np.maximum(free.lower, before.angles - step), upper=np.minimum(free.upper, before.angles + step)
            )
            state.put(chosen, solve_body(robot, own, before, free) if first else follow_body(own, before, box))
        begun |= valid[k]
        for part, now in zip(found, state, strict=True):
            part[k * rows : (k + 1) * rows] = np.where(valid[k][:, None], now, np.nan)
    return _as_solution(robot, found, request, is_track=True)


def freedom(robot: Robot, goals: list[BodyGoal], free_base: bool) -> Freedom:
    """What may move: the base, and the joints between it and the ends."""
    joints = np.zeros(len(robot.joints), bool)
    for goal in goals:
        joints[goal.end.columns] = True
    lower, upper = (np.array([[getattr(joint, side) for joint in robot.joints]]) for side in ("lower", "upper"))
    slides = np.array([joint.kind == "slide" for joint in robot.joints], bool)
    size = max((goal.end.chain.length for goal in goals if goal.end.chain), default=1.0)
    return Freedom(free_base, joints, lower.reshape(1, -1), upper.reshape(1, -1), slides, size)


# --- arguments

ReadEnd = tuple[BodyEnd, Array | None, Array | None]


def _read_targets(robot: Robot, targets: object, free_base: bool) -> list[ReadEnd]:
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError(
            "targets", shown(targets), 'ends and their targets, such as {"left_hand": (position, rotation)}'
        )
    found = [_read_target(robot._body_ends.find(name), value) for name, value in targets.items()]
    if len({end.link for end, _, _ in found}) < len(found):
        raise ArgumentError("targets", shown(list(targets)), "each end once")
    for end, _, _ in found:
        if end.rank == BASE and not free_base:
            raise ArgumentError("targets", shown(end.name), "ends that joints move; free_base=True lets the base move")
    return found


def _read_target(end: BodyEnd, value: Any) -> ReadEnd:
    place, turn = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    if place is None and turn is None:
        raise ArgumentError(f"targets[{end.name!r}]", shown(value), "a position, a rotation, or both")
    name = f"targets[{end.name!r}]"
    return end, _read_part(name, "a position", place, 3), _read_part(name, "a rotation, xyzw,", turn, 4)


def _read_part(name: str, what: str, value: Any, size: int) -> Array | None:
    if value is None:
        return None
    found = reals(name, value)
    if not found.ndim or found.shape[-1] != size:
        raise ShapeError(name, found.shape, f"{what} (..., {size}); a pair (position, rotation) is a tuple")
    if size == 3:
        return found
    length = np.linalg.norm(found, axis=-1, keepdims=True)
    return np.where(length > 0.0, found / np.where(length > 0.0, length, 1.0), np.nan)


def _read_start(robot: Robot, name: str, start: Any, base: BasePose) -> BodyState:
    """Angles, and the base's position and rotation, (..., size) each."""
    place = robot._tree.spec.links[robot._tree.base].place
    angles, position, rotation = standing_angles(robot), np.array(place.position), np.array(place.rotation)
    if isinstance(start, WholeBodySolution):
        angles, position, rotation = start.angles, start.position, start.rotation
    elif isinstance(start, Mapping):
        parts = dict(zip((joint.name for joint in robot.joints), angles.tolist(), strict=True))
        robot._by_name(dict.fromkeys(start, 0.0))  # raises where it is none
        parts |= {key: reals(f"{name}[{key!r}]", value) for key, value in start.items()}
        angles = np.stack(np.broadcast_arrays(*parts.values()), axis=-1) if parts else angles
    elif start is not None:
        angles = reals(name, start)
    if not angles.ndim or angles.shape[-1] != len(robot.joints):
        raise ShapeError(name, angles.shape, f"(..., {len(robot.joints)}), a number for each joint of the robot")
    moved, turned = _read_part("position", "a position", base[0], 3), _read_part("rotation", "a rotation", base[1], 4)
    return BodyState(angles, position if moved is None else moved, rotation if turned is None else turned)


def _read_step(robot: Robot, max_step: ArrayLike[Array] | None, fps: float | None) -> Array:
    """The most that joints may move in a frame, (joints,)."""
    joints = len(robot.joints)
    step = np.full(joints, np.inf) if max_step is None else reals("max_step", max_step)
    if step.shape not in ((), (joints,)) or not (step > 0).all():
        raise ArgumentError("max_step", shown(max_step), f"a number above 0, or {joints} of them, one for each joint")
    if fps is None:
        return np.broadcast_to(step, joints)
    return np.minimum(step, np.array([joint.max_velocity for joint in robot.joints]) / positive("fps", fps))


def _common_shape(ends: list[ReadEnd], *others: Array) -> tuple[int, ...]:
    """The shape to which the leading axes of all targets, and of other arrays, broadcast."""
    shapes = [part.shape[:-1] for _, *parts in ends for part in (*parts, *others) if part is not None]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ArgumentError("targets", f"leading axes {shapes}", "leading axes that broadcast") from None


def _broadcast(ends: list[ReadEnd], start: BodyState, shape: tuple[int, ...]) -> Request:
    """The call with all arrays of one shape."""

    def full(part: Array) -> Array:
        return np.array(np.broadcast_to(part, (*shape, part.shape[-1])), float)

    targets, goals, rows = {}, [], prod(shape)
    valid = np.ones(rows, bool)
    for end, *parts in ends:
        place, turn = (None if part is None else full(part) for part in parts)
        targets[end.name] = place, turn
        flat = [None if part is None else part.reshape(rows, -1) for part in (place, turn)]
        goals.append(BodyGoal(end, flat[0], flat[1]))
        for part in flat:
            valid &= True if part is None else np.isfinite(part).all(axis=1)
    state = BodyState(*(full(part).reshape(rows, -1) for part in start))
    valid &= np.all([np.isfinite(part).all(axis=1) for part in state], axis=0)
    return Request(goals, targets, state, shape, valid)


def _as_solution(robot: Robot, found: BodyState, request: Request, *, is_track: bool = False) -> WholeBodySolution:
    angles, position, rotation = (part.reshape(*request.shape, part.shape[-1]) for part in found)
    return WholeBodySolution(robot, angles, position, rotation, request.targets, is_track)
