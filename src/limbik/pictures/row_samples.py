"""A few rows of a solution to look at: on NumPy, and cheap however many there are."""

from __future__ import annotations

from math import prod

import numpy as np

from limbik.arrays import HANDLERS, library_of
from limbik.errors import LimbikError
from limbik.limbs.inputs import FLOAT32, FLOAT64, Group
from limbik.limbs.solution import Solution
from limbik.limbs.track import Track

MOST = 20_000  # rows that are worked out for a glance


def plain(solution: Solution) -> Solution:
    """The same solution on NumPy, whatever library its inputs are of, with nothing worked out yet."""
    groups = {name: _numbers(group) for name, group in solution._groups.items()}
    dtype = FLOAT64 if not solution._library or "64" in str(solution.dtype) else FLOAT32
    return Solution(solution._program, groups, solution._flags, dtype if solution._library else solution.dtype)


def _numbers(group: Group) -> Group:
    library = library_of(group)
    if library is None:
        return group
    try:
        array = HANDLERS[library].numpy(group)
    except (TypeError, RuntimeError) as error:  # a tensor without content, or one that is being traced
        raise LimbikError("its numbers are not there to be looked at") from error
    return tuple(array.tolist()) if array.ndim == 1 else array


def sample(solution: Solution) -> Solution:
    """All rows of a batch, or of a large one some that chance picks, always the same ones: (rows,)."""
    rows = prod(solution.shape)
    if rows > MOST:
        picked = np.random.default_rng(0).integers(0, rows, MOST)
        solution = solution[np.unravel_index(picked, solution.shape)]
    return plain(solution)


def first(solution: Solution, count: int) -> Solution:
    """The first rows along axis 0, of the first limb where there are more axes: (rows,).

    Along time that is one limb's way; of branches, one target's.
    """
    head = plain(solution[(slice(count), *(0,) * (len(solution.shape) - 1))])
    if isinstance(solution, Track):  # whose angles go on past half a turn
        head = Track(head._program, head._groups, head._flags, head.dtype)
    return head
