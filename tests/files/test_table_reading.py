"""Files as people have them: other line ends, other orders, bad rows; and files that are none."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.errors import FileError
from limbik.files import text_tables
from limbik.files.table_files import read_table, write_table
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.specs import terrain
from tests.peak_memory import peak_of

from .layouts import LAYOUT, POINT, UP, read, write

EXPECTED = np.array([[0.1, -2.0, 3e-3], [4.0, 0.5, -6.0]])


@pytest.mark.parametrize(
    "text",
    [
        "x,y,z\n0.1,-2,3e-3\n4,.5,-6.\n",
        "x,y,z\n0.1,-2,3e-3\n4,.5,-6.",  # no last line end
        "x,y,z\r\n0.1,-2,3e-3\r\n4,.5,-6.\r\n",
        "\ufeffx,y,z\n0.1,-2,3e-3\n4,.5,-6.\n",  # as spreadsheets begin a file
        " x, y ,z\n 0.1 , -2,3E-3\n+4,.5,-6.\n",
        "z,x,y\n3e-3,0.1,-2\n-6,4,.5\n",
        '"x","y","z"\n"0.1","-2","3e-3"\n4,.5,-6.\n',
        "x,y,z\n\n0.1,-2,3e-3\n\n  \n4,.5,-6.\n\n",
    ],
)
def test_csv_as_people_have_it(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    groups, bad, faults = read(tmp_path / "t.csv")
    assert np.array_equal(groups["point"], EXPECTED)
    assert not bad.any() and not faults


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("1,oops,3", "y is 'oops', not a number"),
        ("1,2", "2 fields where the header has 3"),
        ("1", "1 field where the header has 3"),
        ("1,2,3,4", "4 fields where the header has 3"),
        ("1,,3", "y is empty"),
        ("1,2,nan", "z is nan"),
        ("-inf,2,3", "x is -inf"),
        ("1,2,1e999", "z is inf"),
        ("1_000,2,3", "x is '1_000', not a number"),
        ("١,2,3", "x is '١', not a number"),
        ("0x10,2,3", "x is '0x10', not a number"),
        ("1,2,3 # three", "z is '3 # three', not a number"),
        ("1,2,'3'", "z is \"'3'\", not a number"),
        ("1,2," + "9" * 50 + "a", "z is '" + "9" * 27 + "...', not a number"),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_its_neighbours_are_untouched(tmp_path, row, why):
    text = f"x,y,z\n0.1,-2,3e-3\n\n{row}\n4,.5,-6.\n"
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    groups, bad, faults = read(tmp_path / "t.csv")
    assert bad.tolist() == [False, True, False]
    assert np.array_equal(groups["point"][~bad], EXPECTED)
    assert faults == [f"line 4: {why}"]


def test_bytes_that_are_no_text_are_a_bad_row(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"x,y,z\n1,2,3\n\xff\xfe,\x00,3\n4,5,6\n")
    groups, bad, faults = read(tmp_path / "t.csv")
    assert bad.tolist() == [False, True, False]
    assert groups["point"][2].tolist() == [4, 5, 6]
    assert faults[0].startswith("line 3: x is")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize("length", [1 << 19, 3 << 20])
@pytest.mark.parametrize("filling", [b" ", b"1", b",", b"[],", b'{"x":1},', b"\0"])
def test_a_long_line_is_a_bad_row_in_bounded_memory(tmp_path, suffix, length, filling):
    """Whatever fills it; the file says nothing else of how much memory it takes."""
    good = (
        [b"0.1,-2,3e-3", b"4,.5,-6"]
        if suffix == ".csv"
        else [b'{"point": [0.1, -2, 3e-3]}', b'{"point": [4, 0.5, -6]}']
    )
    long = b"oops" + filling * (length // len(filling))
    head = b"x,y,z\n" if suffix == ".csv" else b""
    (tmp_path / f"t{suffix}").write_bytes(head + b"\n".join([good[0], long, good[1], good[1], long]))
    found = []
    assert peak_of(lambda: found.append(read(tmp_path / f"t{suffix}"))) < (300 << 20)
    groups, bad, faults = found[0]
    assert bad.tolist() == [False, True, False, False, True]
    assert np.array_equal(groups["point"][~bad], EXPECTED[[0, 1, 1]])
    first = 2 if suffix == ".csv" else 1
    assert [fault.partition(":")[0] for fault in faults] == [f"line {first + 1}", f"line {first + 4}"]
    assert all(len(fault) < 100 for fault in faults)
    if length > text_tables.MAX_LINE_BYTES:
        assert faults[0].endswith("is longer than 1,048,576 bytes")


def test_short_lines_after_long_ones_do_not_make_a_large_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr(text_tables, "CHUNK_ROWS", 1000)
    monkeypatch.setattr(text_tables, "FIRST_BLOCK_BYTES", 1000)
    padding = b" " * 1000
    (tmp_path / "t.csv").write_bytes(b"x,y,z\n" + (b"1,2,3" + padding + b"\n") * 50 + b"1,2,3\n" * 100_000)
    chunks = list(read_table(tmp_path / "t.csv", LAYOUT).chunks())
    assert max(len(chunk.lines) for chunk in chunks) <= 2001
    assert np.array_equal(np.concatenate([chunk.lines for chunk in chunks]), np.arange(2, 100_052))


@given(st.sets(st.integers(0, 199), max_size=30), st.sampled_from(["1,2", "a,b,c", "nan,1,1", "", "\t"]))
def test_lines_are_counted_across_blocks(tmp_path_factory, places, row):
    """Wherever bad or blank lines stand, the others are there, in order, and the bad ones are told by their lines."""
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    numbers = [f"{k},{k / 8},{-k}" for k in range(200)]
    for k in places:
        numbers[k] = row
    path.write_text("x,y,z\n" + "\n".join(numbers) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_tables, "FIRST_BLOCK_BYTES", 64)
        patch.setattr(text_tables, "CHUNK_ROWS", 9)
        groups, bad, faults = read(path)
    good = [k for k in range(200) if k not in places]
    assert groups["point"][~bad, 0].tolist() == good
    assert bad.sum() == (len(places) if row.strip() else 0)
    assert [int(fault.split(":")[0].removeprefix("line ")) for fault in faults] == (
        [k + 2 for k in sorted(places)] if row.strip() else []
    )


def test_a_chunk_explains_ten_bad_rows_and_marks_all(tmp_path):
    (tmp_path / "t.csv").write_text("x,y,z\n" + "a,b,c\n" * 25 + "1,2,nan\n" * 25 + "1,2,3\n")
    _, bad, faults = read(tmp_path / "t.csv")
    assert bad.tolist() == [True] * 50 + [False]
    assert len(faults) == 10


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"point": [1, 2, 3]', "is not JSON"),
        ("[1, 2, 3]", "is not an object such as {...}"),
        ('{"point": [1, 2]}', "point is [1, 2]; expected 3 numbers in brackets"),
        ('{"point": 5}', "point is 5; expected 3 numbers in brackets"),
        ('{"point": [1, 2, "3"]}', 'z is "3", not a number'),
        ('{"point": [1, true, 3]}', "y is true, not a number"),
        ('{"point": [1, null, 3]}', "y is null, not a number"),
        ('{"x": 1, "z": 3}', "y is missing"),
        ('{"point": [1, 2, NaN]}', "z is nan"),
        ('{"point": [1, 2, -Infinity]}', "z is -inf"),
        ('{"point": [1, 2, 3], "colour": 1}', "unknown name 'colour'"),
        ('{"point": [1' + "0" * 400 + ", 2, 3]}", "a number is too large"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_bad_line_of_json_is_told(tmp_path, line, why):
    text = '{"point": [0.1, -2, 3e-3]}\n' + line + '\n\n{"x": 4, "z": -6, "y": 0.5}\n'
    (tmp_path / "t.jsonl").write_text(text)
    groups, bad, faults = read(tmp_path / "t.jsonl")
    assert bad.tolist() == [False, True, False]
    assert np.array_equal(groups["point"][~bad], EXPECTED)
    assert faults == [f"line 2: {why}"]


def test_the_first_object_decides_what_a_file_of_json_has(tmp_path):
    objects = [{"point": [1, 2, 3], "up": [0, 1, 0], "side": 1}, {"point": [1, 2, 3], "up": [0, 1, 0]}]
    (tmp_path / "t.jsonl").write_text("not this line\n" + "\n".join(json.dumps(one) for one in objects))
    groups, bad, faults = read(tmp_path / "t.jsonl")
    assert set(groups) == {"point", "up", "side"}
    assert bad.tolist() == [True, False, True]
    assert faults == ["line 1: is not JSON", "line 3: side is missing"]


@pytest.mark.parametrize(
    "array",
    [
        np.array([tuple(row) for row in EXPECTED], [("x", "f8"), ("y", "f4"), ("z", "f8")]),
        np.array([(row[2], row[0], row[1]) for row in EXPECTED], [("z", "f8"), ("x", "f8"), ("y", "f4")]),
    ],
)
def test_arrays_with_names(tmp_path, array):
    np.save(tmp_path / "t.npy", array)
    groups, bad, _ = read(tmp_path / "t.npy")
    assert np.array_equal(groups["point"], EXPECTED)
    assert not bad.any()


def test_six_columns_without_names_are_a_point_and_a_direction(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(12, dtype=np.int32).reshape(2, 6))
    groups, _, _ = read(tmp_path / "t.npy")
    assert groups["point"].tolist() == [[0, 1, 2], [6, 7, 8]] and groups["up"].tolist() == [[3, 4, 5], [9, 10, 11]]


def test_a_bad_row_of_an_array_is_told_by_its_number(tmp_path):
    np.save(tmp_path / "t.npy", [[1, 2, 3], [1, np.nan, 3], [4, 5, 6]])
    _, bad, faults = read(tmp_path / "t.npy")
    assert bad.tolist() == [False, True, False]
    assert faults == ["row 1: y is nan"]


KNOWN = "known are x, y, z, up_x, up_y, up_z, side"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("t.csv", b"", "t.csv: is empty; expected a header, such as x,y,z"),
        ("t.csv", b"  \n", "t.csv: is empty"),
        ("t.csv", b"1,2,3\n", "t.csv, line 1: holds numbers; expected a header, such as x,y,z"),
        ("t.csv", b"x,y,w\n", f"t.csv, line 1: unknown column 'w'; {KNOWN}"),
        ("t.csv", b"x;y;z\n", f"unknown column 'x;y;z'; {KNOWN}"),
        ("t.csv", b"x,y\n", "t.csv, line 1: column 'z' is missing; found x, y"),
        ("t.csv", b"x,y,z,up_x,up_z\n", "column 'up_y' is missing"),
        ("t.csv", b"x,y,z,x\n", "column 'x' appears twice"),
        ("t.csv", b"\x93\xff\x00\n", "t.csv, line 1: is not text"),
        ("t.csv", b"x" * (1 << 21), "t.csv, line 1: is longer than 1,048,576 bytes"),
        ("t.csv", b"x" * (1 << 17), "t.csv, line 1: unknown column 'xxxxxxxxxxxx...xxxxxxxxxxxxx'; known"),
        ("t.csv", b"x," * (1 << 18) + b"x", "t.csv, line 1: column 'x' appears twice"),
        ("t.jsonl", b"", "t.jsonl: is empty"),
        ("t.jsonl", b"1\n2\n", "t.jsonl: no line is an object"),
        ("t.jsonl", b'{"point": [1, 2, 3], "w": 1}', "t.jsonl, line 1: unknown name 'w'; known are point, up, side, x"),
        ("t.npy", b"", "t.npy: is empty"),
        ("t.npy", b"x,y,z\n1,2,3\n", "t.npy: is not a .npy file"),
        ("t.txt", b"", "t.txt: has the suffix '.txt'; expected one of .csv, .jsonl, .npy"),
        ("table", b"", "table: has no suffix; expected one of"),
    ],
)
def test_files_that_are_no_tables(tmp_path, name, content, why):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError) as fault:
        read(tmp_path / name)
    assert why in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("array", "why"),
    [
        (np.ones((2, 4)), "has shape (2, 4); expected (rows, 3) for x,y,z or (rows, 6) for x,y,z,up_x,up_y,up_z"),
        (np.ones(3), "has shape (3,)"),
        (np.array(1.0), "has shape ()"),
        (np.ones((2, 3), complex), "holds complex128 values"),
        (np.ones((2, 3), bool), "holds bool values"),
        (np.array([["a", "b", "c"]]), "holds <U1 values"),
        (np.array([(1.0, 2.0)], [("x", "f8"), ("w", "f8")]), "unknown column 'w'"),
        (np.array([(1.0, 2.0)], [("x", "f8"), ("y", "f8")]), "column 'z' is missing"),
        (np.array([None]), "Python objects"),
    ],
)
def test_arrays_that_are_no_tables(tmp_path, array, why):
    np.save(tmp_path / "t.npy", array)
    with pytest.raises(FileError) as fault:
        read_table(tmp_path / "t.npy", LAYOUT)
    assert why in str(fault.value)


def npy(header, version=1, length=None, data=b""):
    """A .npy file with a header, and the length that it says the header has."""
    words = header.encode() + b"\n"
    said = (len(words) if length is None else length).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + said + words + data


def described(descr="'<f8'", shape="(2, 3)", fortran="False"):
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}"


BROKEN_ARRAYS = {
    "no version": npy(described(), version=9),
    "cut off in the magic": b"\x93NUMPY\x01",
    "unclosed": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3"),
    "unclosed text": npy("{'descr': '''<f8"),
    "nested": npy("(" * 5000),
    "nested lists": npy("[" * 90 + "]" * 90),
    "negative": npy(described(shape="(-1, 3)")),
    "very negative": npy(described(shape=f"({-(2**64)}, 3)")),
    "huge": npy(described(shape=f"({10**30}, 3)")),
    "overflow to nothing": npy(described(shape=f"({2**32}, {2**32}, 3)")),
    "overflow to something": npy(described(shape=f"({(2**64 + 16) // 3 + 1}, 3)"), data=bytes(1000)),
    "too many digits": npy(described(shape=f"({'9' * 5000}, 3)")),
    "more rows than it has": npy(described(shape="(1000000000, 3)"), data=bytes(480)),
    "many dimensions": npy(described(shape=f"({'1,' * 80})"), data=bytes(480)),
    "a huge item": npy(described("'V2147483647'", "(4,)")),
    "a huge field": npy(described("[('x', '<f8', (2147483647,))]", "(4,)")),
    "nested fields": npy(described("[('x', [('x', [('x', '<f8')])])]", "(1,)"), data=bytes(480)),
    "no type": npy(described("'rubbish'")),
    "a type of the wrong kind": npy(described("[1, 2]")),
    "objects": npy(described("'|O'"), data=b"\x80\x04" * 100),
    "objects in a field": npy(described("[('x', '<f8'), ('y', '|O'), ('z', '<f8')]", "(1,)"), data=bytes(480)),
    "a null character": npy("{'descr': '<f8\0'"),
    "a header of gigabytes": npy(described(), 2, (1 << 32) - 1),
    "a header of gigabytes in Unicode": npy(described(), 3, (1 << 32) - 1),
    "a long header": npy(described() + " " * 20_000, 2),
}


@pytest.mark.parametrize("name", BROKEN_ARRAYS)
def test_a_broken_header_is_refused_in_bounded_memory(tmp_path, name):
    path = tmp_path / "t.npy"
    path.write_bytes(BROKEN_ARRAYS[name])
    faults = []

    def refused():
        for read_it in (lambda: read_table(path, LAYOUT), lambda: terrain(path)):
            with pytest.raises(FileError) as fault:
                read_it()
            faults.append(str(fault.value))

    assert peak_of(refused) < 20 << 20
    assert all(str(path) in fault and len(fault) < 300 and "\n" not in fault for fault in faults)


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("kind", ["<f8", ">f8", ">f4", "<f2", ">i2", "|u1"])
@pytest.mark.parametrize("order", "CF")
def test_any_order_of_bytes_and_of_axes(tmp_path, version, kind, order):
    numbers = np.arange(12.0).reshape(4, 3)
    with (tmp_path / "t.npy").open("wb") as file:
        np.lib.format.write_array(file, np.array(numbers, kind, order=order), (version, 0))
    groups, bad, _ = read(tmp_path / "t.npy")
    assert np.array_equal(groups["point"], numbers) and groups["point"].dtype == np.dtype(float)
    assert not bad.any()
    field = terrain(tmp_path / "t.npy")
    assert isinstance(field, Heightfield) and np.array_equal(field.heights, numbers)


def test_a_missing_file_and_a_folder(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    for name, why in (("none.csv", "does not exist"), ("none.npy", "does not exist"), ("folder.csv", "is a folder")):
        with pytest.raises(FileError, match=why):
            read_table(tmp_path / name, LAYOUT)


def test_what_a_reader_has_is_known_before_it_reads(tmp_path):
    write(tmp_path / "t.csv", [*UP, *POINT], np.zeros((1, 6)))
    assert read_table(tmp_path / "t.csv", LAYOUT).groups == ("point", "up")


def test_a_wrong_ending_writes_nothing(tmp_path):
    with pytest.raises(FileError, match="expected one of"), write_table(tmp_path / "t.xlsx", POINT, {}):
        pass
    assert not list(tmp_path.iterdir())
