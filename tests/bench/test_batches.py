"""The rows of a batch: all there, all positive, and none that does not fit into memory."""

import math
from dataclasses import asdict

import pytest

from limbik.bench.batches import FRESH, REUSED, batch_rows
from limbik.bench.cases import COMPONENTS, ROWS, Case
from limbik.bench.timing import QUICK
from limbik.engines import thresholds

PLENTY = 10**12


def positive(sample):
    return all(math.isfinite(sample[name]) and sample[name] > 0 for name in ("best", "median")) and sample["rounds"] > 0


@pytest.mark.parametrize("layout", [COMPONENTS, ROWS])
def test_rows_for_threads_and_memory(layout):
    block = thresholds.NUMPY_BLOCK_ROWS
    case = Case("planar", "joints", "float32", layout, 300)
    rows = batch_rows(case, (1, 2), QUICK, PLENTY)
    assert block == thresholds.NUMPY_BLOCK_ROWS
    assert [(row["threads"], row["memory"]) for row in rows] == [(1, FRESH), (2, FRESH), (1, REUSED), (2, REUSED)]
    for row in rows:
        assert row.items() >= asdict(case).items()
        assert row["bytes_moved"] == 300 * 8 * 4
        assert positive(row["seconds"]) and positive(row["copy"])
        assert row["solves_per_second"] > 0 and row["of_copy"] > 0 and row["of_copy_median"] > 0
        eager = row["memory"] == FRESH
        assert (row["numpy"] is not None) == (row["numpy_blocks"] is not None) == eager
        assert not eager or (positive(row["numpy"]) and row["times_numpy"] > 0 and row["times_numpy_blocks"] > 0)


def test_one_target_has_one_row():
    (row,) = batch_rows(Case("three-link", "angles", "float64", ROWS, 1), (1, 2), QUICK, PLENTY)
    assert row["threads"] == 1 and row["memory"] == FRESH


def test_what_does_not_fit_is_named():
    (row,) = batch_rows(Case("three-link", "joints", "float64", ROWS, 10**8), (1,), QUICK, 10**9)
    assert row["targets"] == 10**8
    assert row["skipped"] == "needs 14.7 GB of memory, 1.0 GB are available"


def test_eager_numpy_is_left_out_where_its_steps_do_not_fit():
    case = Case("planar", "joints", "float64", ROWS, 1000)
    rows = batch_rows(case, (1,), QUICK, case.bytes_needed)
    assert all(row["numpy"] is None and row["times_numpy"] is None for row in rows)
