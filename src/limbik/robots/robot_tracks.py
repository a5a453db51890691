"""Robot limbs along time: each frame continues from the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import reals
from limbik.arrays import Array
from limbik.errors import ShapeError
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.array_types import ArrayLike
from limbik.robots.refinement import squared_miss
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

JUMP_RADIANS = 0.2  # a frame that turns a joint by more is tried again from the frame before
NEWTON_STEPS = 12  # from the frame before
MAX_MISS = 1e-9  # metres: what they may miss


def track_limb(
    limb: RobotLimb,
    position: ArrayLike[Array],
    rotation: ArrayLike[Array] | None,
    previous: ArrayLike[Array] | RobotSolution | None,
) -> RobotSolution:
    """The track; see `RobotLimb.track`."""
    places = reals("position", position)
    if places.ndim < 2 or places.shape[-1] != 3:
        raise ShapeError("position", places.shape, "(frames, ..., 3)")
    turns = None if rotation is None else reals("rotation", rotation)
    if turns is not None:
        if turns.ndim < 1 or turns.shape[-1] != 4:
            raise ShapeError("rotation", turns.shape, "(frames, ..., 4), or (4,) for all frames")
        turns = np.broadcast_to(turns, (*places.shape[:-1], 4))
    before: Any = _angles_before(previous, places.shape[1:-1]) if isinstance(previous, RobotSolution) else previous
    frames = []
    for number, place in enumerate(places):
        turn = None if turns is None else turns[number]
        found = limb.solve(place, turn, before)
        if before is not None:
            _replace_jumps(limb, found, np.broadcast_to(np.asarray(before, float), found.angles.shape))
        frames.append(found)
        before = found.angles if before is None else np.where(np.isnan(found.angles), before, found.angles)
        before = np.where(np.isnan(before), limb.default_near, before)
    return _stack_frames(limb, frames, places.shape[:-1])


def _angles_before(previous: RobotSolution, batch: tuple[int, ...]) -> Array:
    """The angles (..., n) of a track's last frame, or of a solution for each limb of the batch."""
    if (previous.shape[1:] if previous.is_track else previous.shape) != batch:
        raise ShapeError(
            "previous", previous.shape, f"a solution of shape {batch}, one for each limb of the batch, or a track"
        )
    return previous.angles[-1] if previous.is_track else previous.angles


def _replace_jumps(limb: RobotLimb, found: RobotSolution, previous: Array) -> None:
    """Replaces answers that jump by those to which Newton steps lead from the frame before, where these reach."""
    joints = len(limb.chain)
    angles, before, cost = found.angles.reshape(-1, joints), previous.reshape(-1, joints), found.cost.reshape(-1)
    gaps = np.abs(angles - before).max(axis=1)
    jumps = (gaps > JUMP_RADIANS) & (cost < BEYOND_LIMIT)
    if not jumps.any():
        return
    position, rotation = found.target.reshape(-1, 3)[jumps], found.target_rotation.reshape(-1, 4)[jumps]
    moved = before[jumps]
    for _ in range(NEWTON_STEPS):
        moved = limb._evaluate_chain("step", moved, position, rotation)
    good = squared_miss(limb, moved, position, rotation) < MAX_MISS**2
    good &= ((moved >= limb.lower) & (moved <= limb.upper)).all(axis=1)
    good &= np.abs(moved - before[jumps]).max(axis=1) < gaps[jumps]
    angles[np.flatnonzero(jumps)[good]] = moved[good]
    found.angles[...] = angles.reshape(found.angles.shape)


def _stack_frames(limb: RobotLimb, frames: list[RobotSolution], shape: tuple[int, ...]) -> RobotSolution:
    sizes = {"target": (3,), "target_rotation": (4,), "angles": (len(limb.chain),), "branch": (), "cost": ()}
    arrays = [
        np.stack([getattr(frame, name) for frame in frames]) if frames else np.empty((*shape, *size))
        for name, size in sizes.items()
    ]
    target, rotation, angles, branch, cost = arrays
    return RobotSolution(limb, target, rotation, angles, branch, cost, is_track=True)
