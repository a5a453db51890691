"""The way from a batch to its kernel is short."""

import numpy as np

from limbik.engines import dispatch, plans, threads
from limbik.engines.programs import THREE_LINK
from tests.engines.journey import changes, journey

SIZES = THREE_LINK.groups
ROWS = 1000


def test_from_the_dispatcher_to_the_kernel():
    """One loop over the groups, one lookup of the kernel: few calls, whatever the number of groups."""
    rng = np.random.default_rng(0)
    groups = [rng.uniform(0.5, 1, (size, 1)) for size in SIZES.values()]
    for name in ("target", "up"):
        groups[list(SIZES).index(name)] = rng.normal(size=(ROWS, 3)).T
    arguments = (THREE_LINK, "joints", THREE_LINK.flags(), groups, ROWS, np.dtype(float))
    with dispatch.use("numba"):
        plans.run_groups(*arguments)
    plans.run_groups(*arguments)  # warm
    calls = journey(lambda: plans.run_groups(*arguments))
    assert ("engines", "run") in calls and ("engines", "_run_without_kernel") not in calls  # on Numba
    assert len(calls) <= 7, calls
    assert changes(calls) == 0


def test_parts_cover_every_row_once():
    for rows in (1, 511, 512, 70_000, 123_457):
        seen = np.zeros(rows, int)

        def work(start, stop, one, seen=seen):
            seen[start:stop] += one
            return stop - start

        assert sum(threads.spread(work, rows, 1, rows_per_thread=100)) == rows
        assert np.array_equal(seen, np.ones(rows))
