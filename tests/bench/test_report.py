"""A whole run's report: its schema, its tables, its document, its picture."""

import json

import pytest

from limbik.bench import children, documents, run
from limbik.bench.cases import Case
from limbik.bench.curve import curve_rows, curve_sizes
from limbik.bench.documents import BEGIN, END, check_markdown, write_json, write_markdown
from limbik.bench.gpu import gpu_rows
from limbik.bench.memory import peak_row, usable
from limbik.bench.report_tables import TextTable, as_markdown, duration, tables
from limbik.bench.run import SECTIONS, Settings
from limbik.bench.starting import first_call_row
from limbik.bench.timing import QUICK
from limbik.errors import FileError, LimbikError

from .small import SMALL, report


def test_the_schema(tmp_path):
    path = tmp_path / "bench.json"
    write_json(path, report())
    read = json.loads(path.read_text())
    assert set(read) == {"schema", "machine", "settings", *SECTIONS}
    assert read["schema"] == 1
    assert {"cpu", "cores", "memory", "system", "python", "numpy", "numba", "limbik", "date"} == set(read["machine"])
    assert read["settings"]["sizes"] == [1, 200]
    counts = len(SMALL.threads)
    assert len(read["batches"]) == 1 + 2 * 2 * counts
    assert {(row["targets"], row["who"]) for row in read["curve"]} >= {(1, "lists"), (30, "array"), (30, "memory copy")}
    assert len(read["single"]) == 4
    assert [row["who"] for row in read["robots"]] == ["limbik"] * 2
    beyond, shell = (row["seconds"] for row in read["starting"])
    assert isinstance(beyond, float) and shell > 0  # the first is a difference of times: on a busy machine, of any sign
    (first,) = read["first_calls"]
    assert all(first[state][part] > 0 for state in ("cold", "warm") for part in ("numba_import", "call", "again"))
    assert read["failures"] == read["gpu"] == []


def test_progress_is_told_step_by_step(monkeypatch):
    monkeypatch.setattr(run, "steps", lambda _: iter([("batches", "one", list), ("single", "two", list)]))
    told = []
    run.run(SMALL, lambda *step: told.append(step))
    assert told == [(0, 2, "one"), (1, 2, "two"), (2, 2, "done")]


def test_a_step_that_fails_is_named(monkeypatch):
    def fail():
        raise LimbikError("killed")

    monkeypatch.setattr(run, "steps", lambda _: iter([("memory", "peak", fail)]))
    made = run.run(SMALL)
    assert tables(made)[-1].rows == [("peak", "killed")]


def test_a_contender_that_fails_on_the_gpu_is_named(monkeypatch):
    row = {"limb": "two-link", "who": "jax.jit", "answer": "angles", "targets": 100, "skipped": "out of memory"}
    monkeypatch.setattr(run, "steps", lambda _: iter([("gpu", "the device", lambda: [row])]))
    assert tables(run.run(SMALL))[-1].rows == [("jax.jit, two-link, angles on the GPU", "out of memory")]


def test_a_hurry_leaves_out_most():
    quick, full = Settings.of(True), Settings.of(False)
    assert len(quick.cases) * 4 < len(full.cases)
    assert {case.limb for case in quick.cases} == {case.limb for case in full.cases}
    assert Settings.of(True, dtypes=("float32",)).dtypes == ("float32",)
    assert ("planar", "rotations", "float64") not in full.works


def test_tables_tell_what_was_measured():
    made = {table.title: table for table in tables(report())}
    rates = next(table for title, table in made.items() if title.startswith("Solves a second, 200"))
    assert len(rates.rows) == 2 * len(SMALL.threads)
    assert all(len(row) == len(table.columns) for table in made.values() for row in table.rows)
    curve = made["The time of a call: three-link joints, row-major, one thread"]
    assert [row[:2] for row in curve.rows] == [("float64", "1"), ("float64", "30")]
    assert {"lists", "array", "array, out=", "array, new process", "memory copy"} <= set(curve.columns)
    assert all(cell for row in curve.rows for cell in row[:6])
    assert "Start-up" in made


@pytest.mark.parametrize(
    "seconds, told", [(2.5, "2.50 s"), (0.0123, "12.3 ms"), (4e-6, "4.00 µs"), (3.21e-9, "3.21 ns"), (1e-7, "100 ns")]
)
def test_durations(seconds, told):
    assert duration(seconds) == told


def test_markdown_of_a_table():
    text = as_markdown([TextTable("Title", ("who", "M/s"), [("a|b", "1")])])
    assert text == "### Title\n\n| who | M/s |\n| --- | ---: |\n| a\\|b | 1 |"


def test_tables_go_between_the_markers(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_markdown(path, report())
    text = path.read_text()
    assert text.startswith(f"before\n{BEGIN}\nMeasured on: ")
    assert text.endswith(f"{END}\nafter\n")
    assert report()["machine"]["cpu"] in text and "| limb | answer |" in text and "old" not in text
    write_markdown(path, report())
    assert path.read_text() == text


def test_a_document_is_begun_where_there_is_none(tmp_path):
    write_markdown(tmp_path / "new.md", report())
    assert (tmp_path / "new.md").read_text().startswith(f"# Performance\n\n{BEGIN}\n")


@pytest.mark.parametrize("text", ["", BEGIN, END, f"{END} {BEGIN}"])
def test_a_document_without_markers_is_left_alone(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(text)
    for write in (check_markdown, lambda page: write_markdown(page, report())):
        with pytest.raises(FileError, match="has no lines"):
            write(path)
    assert path.read_text() == text
    assert documents.BEGIN != documents.END


def test_the_picture(tmp_path):
    pytest.importorskip("matplotlib")
    from limbik.bench.picture import check_picture, draw_curve

    check_picture(tmp_path / "curve.png")
    draw_curve(report(), tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(LimbikError, match="ends in"):
        check_picture(tmp_path / "curve.gif")
    with pytest.raises(LimbikError, match="nothing to plot"):
        draw_curve({**report(), "curve": []}, tmp_path / "none.png")


def test_the_sizes_of_the_curve():
    assert curve_sizes(1) == (1,)
    assert curve_sizes(1000) == (1, 3, 10, 30, 100, 300, 1000)
    assert curve_sizes(10**8)[-2:] == (3 * 10**7, 10**8)


def test_a_size_of_the_curve_that_does_not_fit_is_named():
    (row,) = curve_rows(10**8, "float64", QUICK, None, 10**9)
    assert "GB of memory" in row["skipped"]
    assert tables({**report(), "curve": [row]})[-1].rows == [
        ("100,000,000 × three-link joints, float64, the curve", row["skipped"])
    ]


def test_peak_memory_is_that_of_inputs_and_answers():
    row = peak_row(Case("three-link", "angles", "float64", "row-major", 1_000_000))
    assert row["inputs_and_outputs"] == 88_000_000
    assert row["peak"] > 0 and row["beside"] == row["peak"] - row["inputs_and_outputs"]
    assert 0 < usable() < 1 << 50


def test_first_calls_leave_the_users_cache_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path / "own"))
    row = first_call_row("planar", "angles", "float32")
    assert row["cold"]["call"] > 0 and row["warm"]["call"] > 0
    assert not (tmp_path / "own").exists()


def test_a_process_that_fails_says_why():
    with pytest.raises(LimbikError, match="ValueError: no"):
        children.output_of("raise ValueError('no')")


def test_no_gpu_is_told():
    with pytest.raises(LimbikError, match="--gpu"):
        gpu_rows(1000)
