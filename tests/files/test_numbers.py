"""Numbers in text: written so that they read back the same, and read by one rule in every format."""

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.errors import FileError
from limbik.files.bvh import bvh_sections
from limbik.files.number_lines import LineWriter, number_rows
from limbik.files.table_files import read_table, write_table

from .layouts import LAYOUT

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def lines(values, words=None, missing=""):
    columns = [f"c{k}" for k in range(values.shape[1])]
    file = io.BytesIO()
    LineWriter(file, columns, words or {}, ["", *[","] * (len(columns) - 1)], "\n", missing).write(values)
    return file.getvalue()


def test_random_bits_of_every_exponent_read_back():
    bits = np.random.default_rng(0).integers(0, 1 << 63, 80_000).view(np.float64)
    bits = bits[np.isfinite(bits)][:70_000, None]
    assert number_rows(lines(bits), 1, ",").tobytes() == bits.tobytes()


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 8))
def test_a_number_is_written_as_shortly_as_python_writes_it(digits, places):
    value = digits / 10**places
    assert lines(np.array([[value]])).decode() == f"{value!r}\n"


def test_words_and_missing_numbers():
    values = np.array([[1.0, np.nan], [0.0, np.inf], [2.0, 1.5]])
    assert lines(values, {"c0": ["no", "yes", "100 %"]}, "null") == b"yes,null\nno,null\n100 %,1.5\n"


GOOD = ["1", "-2.5", "+.5", "4e2", "-5E-3", "00012", " 7 ", "1e-320"]
BAD = ["", "x", "1_000", "\u00a01", "1\u00a0", "1\u00a0000", "١٢", "0x10", "1,5", "1.2.3", "--1", "1e"]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("word", [*GOOD, *BAD])
@pytest.mark.parametrize("alone", [True, False])
def test_all_readers_agree_on_what_is_a_number(word, encoding, alone, tmp_path):
    """In a CSV file or a BVH file, among good lines, which are read fast, or beside bad ones, which are read slowly."""
    try:
        data = word.encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("cannot be written in this encoding")
    other = b"" if alone else b"1,2,z\n"
    (tmp_path / "t.csv").write_bytes(b"x,y,z\n1,2," + data.replace(b",", b".,") + b"\n" + other)
    found = next(iter(read_table(tmp_path / "t.csv", LAYOUT).chunks()))
    assert bool(found.bad[0]) == (word in BAD), found.faults
    text = b"1 2 " + data + b"\n" + (b"" if alone else b"1 2 z\n")
    if word in BAD:
        with pytest.raises(FileError, match="line 1"):
            bvh_sections.read_rows(text, 0, 3, "t.bvh")
    elif alone:
        assert bvh_sections.read_rows(text, 0, 3, "t.bvh").tolist() == [[1.0, 2.0, float(word)]]


def test_what_is_written_as_jsonl_is_json(tmp_path):
    with write_table(tmp_path / "t.jsonl", ["x", 'a "b"%'], {}) as write:
        write(np.array([[0.1, np.nan]]))
    assert json.loads((tmp_path / "t.jsonl").read_text()) == {"x": 0.1, 'a "b"%': None}
