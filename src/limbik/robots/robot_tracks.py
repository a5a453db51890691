"""Robot limbs along time: each frame continues from the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import reals
from limbik.arrays import Array
from limbik.errors import ShapeError
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.robots.nearest import measure
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

JUMP = 0.2  # radians: a frame that turns a joint by more is tried again from the frame before
CONTINUED = 12  # Newton steps from the frame before
REACHED = 1e-9  # metres: what they may miss


def track_limb(limb: RobotLimb, position: Any, rotation: Any, previous: Any) -> RobotSolution:
    """The track; see `RobotLimb.track`."""
    places = reals("position", position)
    if places.ndim < 2 or places.shape[-1] != 3:
        raise ShapeError("position", places.shape, "(frames, ..., 3)")
    turns = None if rotation is None else reals("rotation", rotation)
    if turns is not None:
        if turns.ndim < 1 or turns.shape[-1] != 4:
            raise ShapeError("rotation", turns.shape, "(frames, ..., 4), or (4,) for all frames")
        turns = np.broadcast_to(turns, (*places.shape[:-1], 4))
    if isinstance(previous, RobotSolution):
        previous = _angles_before(previous, places.shape[1:-1])
    frames = []
    for number, place in enumerate(places):
        turn = None if turns is None else turns[number]
        found = limb.solve(place, turn, previous)
        if previous is not None:
            _continue(limb, found, np.broadcast_to(np.asarray(previous, float), found.angles.shape))
        frames.append(found)
        invalid = np.isnan(found.angles)
        previous = found.angles if previous is None else np.where(invalid, previous, found.angles)
        previous = np.where(np.isnan(previous), limb._middle, previous)
    return _stacked(limb, frames, places.shape[:-1])


def _angles_before(previous: RobotSolution, batch: tuple[int, ...]) -> Array:
    """The angles (..., n) of a track's last frame, or of a solution for each limb of the batch."""
    if (previous.shape[1:] if previous.tracked else previous.shape) != batch:
        raise ShapeError(
            "previous", previous.shape, f"a solution of shape {batch}, one for each limb of the batch, or a track"
        )
    return previous.angles[-1] if previous.tracked else previous.angles


def _continue(limb: RobotLimb, found: RobotSolution, previous: Array) -> None:
    """Replaces answers that jump by those to which Newton steps lead from the frame before, where these reach."""
    joints = len(limb.chain)
    angles, before, cost = found.angles.reshape(-1, joints), previous.reshape(-1, joints), found.cost.reshape(-1)
    gaps = np.abs(angles - before).max(axis=1)
    jumps = (gaps > JUMP) & (cost < BEYOND_LIMIT)
    if not jumps.any():
        return
    position, rotation = found.position.reshape(-1, 3)[jumps], found.rotation.reshape(-1, 4)[jumps]
    moved = before[jumps]
    for _ in range(CONTINUED):
        moved = limb._chain_answer("step", moved, position, rotation)
    good = measure(limb, moved, position, rotation) < REACHED**2
    good &= ((moved >= limb.lower) & (moved <= limb.upper)).all(axis=1)
    good &= np.abs(moved - before[jumps]).max(axis=1) < gaps[jumps]
    angles[np.flatnonzero(jumps)[good]] = moved[good]
    found.angles[...] = angles.reshape(found.angles.shape)


def _stacked(limb: RobotLimb, frames: list[RobotSolution], shape: tuple[int, ...]) -> RobotSolution:
    def stacked(name: str, *size: int) -> Array:
        return np.stack([getattr(frame, name) for frame in frames]) if frames else np.empty((*shape, *size))

    angles = stacked("angles", len(limb.chain))
    return RobotSolution(
        limb, stacked("position", 3), stacked("rotation", 4), angles, stacked("branch"), stacked("cost"), tracked=True
    )
