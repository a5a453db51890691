"""What is written to a table is what is read from it, in every format."""

import csv
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from limbik.files import npy_files, text_tables
from limbik.files.table_files import read_table

from .layouts import LAYOUT, POINT, UP, WORDS, read, write

FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.integers(1, 20).flatmap(lambda rows: arrays(np.float64, (rows, 6), elements=FINITE))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "npy"])
@given(rows=ROWS, pieces=st.integers(1, 3))
def test_numbers_come_back_bit_for_bit(tmp_path_factory, ending, rows, pieces):
    path = tmp_path_factory.mktemp("tables") / f"table.{ending}"
    write(path, [*POINT, *UP], rows, pieces=pieces)
    groups, bad, faults = read(path)
    assert groups["point"].tobytes() == rows[:, :3].tobytes()
    assert groups["up"].tobytes() == rows[:, 3:].tobytes()
    assert not bad.any() and not faults


@pytest.mark.parametrize("ending", ["csv", "jsonl", "npy"])
def test_many_chunks_are_one_table(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(text_tables, "FIRST_BLOCK_BYTES", 100)
    monkeypatch.setattr(text_tables, "CHUNK_ROWS", 7)
    monkeypatch.setattr(npy_files, "CHUNK_ROWS", 7)
    rows = np.random.default_rng(0).normal(size=(500, 3))
    write(tmp_path / f"t.{ending}", POINT, rows, pieces=9)
    groups, bad, _ = read(tmp_path / f"t.{ending}")
    assert np.array_equal(groups["point"], rows)
    assert bad.shape == (500,)
    fractions = [chunk.fraction for chunk in read_table(tmp_path / f"t.{ending}", LAYOUT).chunks()]
    assert len(fractions) > 2 and fractions == sorted(fractions) and fractions[-1] == 1.0


def test_words_are_words_in_text_and_numbers_in_arrays(tmp_path):
    columns, rows = ["status", "size"], np.array([[0, 0.5], [1, np.nan], [0, -2.0]])
    for ending in ("csv", "jsonl", "npy"):
        write(tmp_path / f"t.{ending}", columns, rows, WORDS)
    with (tmp_path / "t.csv").open() as file:
        assert list(csv.reader(file)) == [["status", "size"], ["GOOD", "0.5"], ["BAD", ""], ["GOOD", "-2.0"]]
    objects = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert objects == [
        {"status": "GOOD", "size": 0.5},
        {"status": "BAD", "size": None},
        {"status": "GOOD", "size": -2.0},
    ]
    array = np.load(tmp_path / "t.npy")
    assert array["status"].tolist() == [0, 1, 0]
    assert array["status"].dtype == np.int8
    assert np.array_equal(array["size"], rows[:, 1], equal_nan=True)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "npy"])
def test_a_table_of_no_rows(tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    write(path, POINT, np.empty((0, 3)))
    if ending == "jsonl":
        assert path.read_bytes() == b""
    else:
        groups, bad, _ = read(path)
        assert groups["point"].shape == (0, 3)
        assert bad.shape == (0,)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=st.floats(width=64)))
def test_other_readers_understand_the_csv(tmp_path_factory, values):
    """NumPy's own reader gets the same numbers from the text, NaN from what is empty."""
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    write(path, [f"c{k}" for k in range(values.shape[1])], values)
    back = np.genfromtxt(path, delimiter=",", skip_header=1, ndmin=2)
    finite = np.where(np.isfinite(values), values, np.nan)
    assert np.array_equal(back.reshape(values.shape), finite, equal_nan=True)
