"""A track: solutions along time, whose angles go on from frame to frame."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.angles import continued_angles
from limbik.limbs.array_types import ArrayType, answer
from limbik.limbs.solution import Solution, solution_of_call


class Track(Solution[ArrayType]):
    """The solutions along time, axis 0. Angles are continuous: they go on past ±π instead of jumping back.

    (Those of torch and JAX are as in `Solution.angles`.) A slice of a track along time is a track.
    """

    _step: str  # how the track takes a step: a name in TRACK_STEPS
    _after: Array | None = None  # the state to continue from, (..., numbers); None: that of the last frame
    _states: Array | None = None  # of each frame, (frames, ..., numbers), where its pose does not tell it
    _angles_before: Array | None = None  # the angles, (angles, limbs), that those of the first frame continue
    _angles_after: Array | None = None  # those that a track continues, once the angles were computed

    @answer
    def angles(self) -> ArrayType:
        """Joint angles in radians as in `Solution.angles`, each frame in the equivalent set nearest to the last one."""
        if self._library:
            return self._answer("angles")
        found: Any = self._answers.get("continuous")
        if found is None:
            found, self._angles_after = _continuous(self._answer("angles"), self._angles_before)
            self._answers["continuous"] = found
        return found

    def _last_angles(self) -> Array:
        """The angles, (angles, limbs), that those of the next frame continue."""
        angles: Any = self.angles
        if self._angles_after is None:  # part of another track: of each limb its last valid frame
            frames = len(angles) - 1 - np.argmax(np.isfinite(angles[::-1]).all(-1), axis=0)
            last = np.take_along_axis(angles, frames[None, ..., None], 0)[0]
            return np.asarray(last, float).reshape(-1, angles.shape[-1]).T
        return self._angles_after

    def __getitem__(self, index: Any) -> Solution[ArrayType]:
        """The solutions of some frames: a `Track` for a slice of time, else a `Solution` with the track's angles."""
        if index is Ellipsis:
            return self
        first = index[0] if isinstance(index, tuple) else index
        along_time = isinstance(first, slice) and (first.step or 1) > 0
        kind: Any = Track if along_time else Solution
        picked: Any = solution_of_call(self._plans.inputs, self._pick(index), kind=kind)
        if along_time:
            picked._step = self._step
            picked._states = None if self._states is None else self._states[index]
        if not self._library:
            angles: Any = self.angles
            picked._answers["continuous" if along_time else "angles"] = np.array(angles[index])
        return picked


# --- continuous angles


@cache
def _continued(size: int) -> RowFormula:
    return RowFormula(continued_angles, angles=size, before=size, vertical=1)


@cache
def _vertical(dtype: np.dtype[Any]) -> Array:
    return np.array([64.0 * float(np.finfo(dtype).eps)])


def _continuous(angles: Array, before: Array | None) -> tuple[Array, Array]:
    """The angles (frames, ..., angles) of chains Ry Rz Rx…, each frame in the equivalent set nearest to the one before.

    Also those, (angles, limbs), that a further frame continues, as `before`. Invalid frames are passed over.
    """
    frames, size = angles.shape[0], angles.shape[-1]
    if not angles.size:
        return angles.copy(), np.empty((size, 0))
    now = angles.reshape(frames, -1, size).swapaxes(1, 2).astype(float)
    last = now[0] if before is None else before
    vertical, nearest = _vertical(angles.dtype), _continued(size)
    found = []
    for frame in now:
        numbers = nearest(frame, last, vertical)
        found.append(numbers[:size])
        last = numbers[size:] if angles.dtype == float else numbers[size:].astype(angles.dtype).astype(float)
    whole = found[0][None] if frames == 1 else np.stack(found)
    return whole.astype(angles.dtype, copy=False).swapaxes(1, 2).reshape(angles.shape), last
