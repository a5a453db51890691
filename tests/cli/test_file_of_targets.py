"""A file of targets: every format in and out has the library's own answers, in order, bad rows alone aside."""

import csv
import itertools
import json

import numpy as np
import pytest

import limbik
from limbik.files import npy_files, text_tables

from .command import ARM, LEG, run

ENDINGS = ("csv", "jsonl", "npy")
LEG_LIMB = limbik.ThreeLink(0.45, 0.42, 0.12)
RANDOM = np.random.default_rng(5)
TARGETS = RANDOM.uniform(-0.8, 0.8, (60, 3))
UPS = RANDOM.normal(size=(60, 3))
SIDES = RANDOM.choice([1.0, -1.0], 60)


def save(path, columns):
    """Writes columns (name to numbers, (rows,)) with other means than limbik's own."""
    names, table = list(columns), np.stack(list(columns.values()), 1)
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([names, *table.tolist()])
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in table.tolist()))
    else:
        np.save(path, np.array([tuple(row) for row in table], [(name, "f8") for name in names]))


def load(path):
    """Columns (name to values, (rows,)) with other means than limbik's own; the status as a word."""
    if path.suffix == ".npy":
        array = np.load(path)
        columns = {name: array[name] for name in array.dtype.names}
        return {**columns, "status": np.array([limbik.Status(code).name for code in array["status"]])}
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file)) if path.suffix == ".csv" else [json.loads(line) for line in file]
    return {
        name: np.array(
            [row[name] if name == "status" else float(np.nan if row[name] in (None, "") else row[name]) for row in rows]
        )
        for name in (rows[0] if rows else ())
    }


def vector(name, array):
    return {f"{name}_{axis}": array[:, k] for k, axis in enumerate("xyz")}


def points(array):
    return dict(zip("xyz", array.T, strict=False))


def joined(columns, *names):
    return np.stack([columns[name] for name in names], -1)


@pytest.mark.parametrize(("source", "out"), list(itertools.product(ENDINGS, ENDINGS)))
def test_every_format_gives_the_library_s_answers(capsys, tmp_path, source, out):
    paths = tmp_path / f"targets.{source}", tmp_path / f"answers.{out}"
    save(paths[0], {**points(TARGETS), **vector("up", UPS), "bend": SIDES})
    told = run(
        capsys, f"solve three-link {LEG} --targets {paths[0]} --out {paths[1]} --columns angles,joints,rotations"
    )
    assert told.status == 0 and not told.err
    own = LEG_LIMB.solve(TARGETS, UPS, bend=SIDES)
    columns = load(paths[1])
    assert columns["status"].tolist() == [limbik.Status(code).name for code in own.status]
    assert {"REACHED", "TOO_FAR"} <= set(columns["status"])
    assert np.array_equal(columns["residual"], own.residual)
    assert np.array_equal(columns["up_error_rad"], own.up_error)
    angles = [f"{name}_rad" for name in ("yaw", "roll", "first", "second", "last", "out_of_plane")]
    assert np.array_equal(joined(columns, *angles), np.column_stack([own.angles, own.out_of_plane]))
    joints = [f"{joint}_{axis}" for joint in ("origin", "knee", "ankle", "tip") for axis in "xyz"]
    assert np.array_equal(joined(columns, *joints), own.joints.reshape(60, 12))
    rotations = [f"rotation_{link}_{part}" for link in ("first", "second", "last") for part in "xyzw"]
    assert np.array_equal(joined(columns, *rotations), own.rotations.reshape(60, 12))
    assert list(columns) == ["status", "residual", "up_error_rad", *angles, *joints, *rotations]


@pytest.mark.parametrize("source", ENDINGS)
def test_options_fill_in_for_columns(capsys, tmp_path, source):
    save(tmp_path / f"t.{source}", points(TARGETS))
    options = "--up 0 -1 0 --origin 0.1 0 0 --bend -1 --style easy --hint 0 0 1"
    line = f"solve three-link {LEG} {options} --targets {tmp_path}/t.{source} --out {tmp_path}/o.npy --degrees"
    assert run(capsys, line).status == 0
    own = LEG_LIMB.solve(TARGETS, [0, -1, 0], [0.1, 0, 0], bend=-1, style="easy", hint=[0, 0, 1])
    columns = load(tmp_path / "o.npy")
    assert np.array_equal(columns["last_deg"], own.degrees()[:, 4])
    assert np.array_equal(columns["out_of_plane_deg"], np.degrees(own.out_of_plane))
    assert np.array_equal(joined(columns, "knee_x", "knee_y", "knee_z"), own.joints[:, 1])


def test_columns_have_precedence_over_options(capsys, tmp_path):
    poles, origins = RANDOM.normal(size=(60, 3)), RANDOM.normal(size=(60, 3)) / 10
    save(tmp_path / "t.csv", {**vector("origin", origins), **points(TARGETS), **vector("pole", poles)})
    options = "--pole 1 0 0 --origin 5 5 5 --twist 20 --soften 0.8 --stretch 1.2 --degrees"
    line = f"solve two-link {ARM} {options} --targets {tmp_path}/t.csv --out {tmp_path}/o.csv --overwrite"
    assert run(capsys, line).status == 0
    own = limbik.TwoLink(0.45, 0.42).solve(TARGETS, poles, origins, twist=np.radians(20), soften=0.8, stretch=1.2)
    columns = load(tmp_path / "o.csv")
    assert np.array_equal(columns["stretch"], own.stretch)
    assert np.array_equal(joined(columns, "middle_x", "middle_y", "middle_z"), own.joints[:, 1])
    assert "rotation_first_x" not in columns


@pytest.mark.parametrize("ending", ENDINGS)
def test_planar_targets(capsys, tmp_path, ending):
    if ending == "npy":
        np.save(tmp_path / "t.npy", TARGETS[:, :2])
    else:
        save(tmp_path / f"t.{ending}", points(TARGETS[:, :2]))
    line = f"solve planar {ARM} --targets {tmp_path}/t.{ending} --out {tmp_path}/o.{ending} --columns joints"
    assert run(capsys, line).status == 0
    own = limbik.PlanarTwoLink(0.45, 0.42).solve(TARGETS[:, :2])
    columns = load(tmp_path / f"o.{ending}")
    assert list(columns)[2:] == [f"{joint}_{axis}" for joint in ("origin", "elbow", "tip") for axis in "xy"]
    assert np.array_equal(joined(columns, "elbow_x", "elbow_y"), own.joints[:, 1])


def test_plain_arrays_of_targets_and_ups(capsys, tmp_path):
    np.save(tmp_path / "six.npy", np.hstack([TARGETS, UPS]))
    np.save(tmp_path / "three.npy", TARGETS.astype(np.float32))
    for name, up, own in (
        ("six", "", LEG_LIMB.solve(TARGETS, UPS)),
        ("three", "--up 0 -1 0", LEG_LIMB.solve(TARGETS.astype(np.float32).astype(float), [0, -1, 0])),
    ):
        line = f"solve three-link {LEG} {up} --targets {tmp_path}/{name}.npy --out {tmp_path}/o.npy --overwrite"
        assert run(capsys, line).status == 0
        assert np.array_equal(load(tmp_path / "o.npy")["yaw_rad"], own.angles[:, 0])


def test_vectors_in_brackets(capsys, tmp_path):
    objects = [
        {"target": target, "up": up, "bend": side}
        for target, up, side in zip(TARGETS.tolist(), UPS.tolist(), SIDES.tolist(), strict=True)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, objects)))
    assert run(capsys, f"solve three-link {LEG} --targets {tmp_path}/t.jsonl --out {tmp_path}/o.npy").status == 0
    assert np.array_equal(load(tmp_path / "o.npy")["yaw_rad"], LEG_LIMB.solve(TARGETS, UPS, bend=SIDES).angles[:, 0])


@pytest.mark.parametrize("out", ENDINGS)
def test_bad_rows_are_invalid_alone(capsys, tmp_path, out):
    rows = [[str(part) for part in row] for row in np.column_stack([TARGETS, SIDES]).tolist()]
    rows[3][1] = "oops"
    rows[10] = rows[10][:2]
    rows[20][0] = "nan"
    rows[30][3] = "0.5"
    rows[59][2] = "-inf"
    (tmp_path / "t.csv").write_text("x,y,z,bend\n" + "\n".join(",".join(row) for row in rows))
    told = run(capsys, f"solve three-link {LEG} --up 0 -1 0 --targets {tmp_path}/t.csv --out {tmp_path}/o.{out} --json")
    assert told.status == 0
    assert [line.split(", ", 1)[1] for line in told.err.splitlines()] == [
        "line 5: y is 'oops', not a number; the row is INVALID",
        "line 12: 2 fields where the header has 4; the row is INVALID",
        "line 22: x is nan; the row is INVALID",
        "line 32: bend is 0.5; expected 1 or -1; the row is INVALID",
        "line 61: z is -inf; the row is INVALID",
    ]
    bad = [3, 10, 20, 30, 59]
    columns = load(tmp_path / f"o.{out}")
    own = LEG_LIMB.solve(TARGETS, [0, -1, 0], bend=SIDES)
    good = np.setdiff1d(np.arange(60), bad)
    assert (columns["status"] == "INVALID").nonzero()[0].tolist() == bad
    assert np.array_equal(columns["knee_x"][good], own.joints[good, 1, 0])
    assert all(np.isnan(column[bad]).all() for name, column in columns.items() if name != "status")
    summary = json.loads(told.out)
    assert summary["rows"] == 60
    assert summary["bad_rows"] == summary["by_status"]["INVALID"] == 5
    assert sum(summary["by_status"].values()) == 60


def test_ten_bad_rows_are_told_and_the_others_counted(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(text_tables, "FIRST_BLOCK_BYTES", 60)
    monkeypatch.setattr(text_tables, "CHUNK_ROWS", 6)
    (tmp_path / "t.csv").write_text("x,y\n" + "0.1,0.2\nbad,0.2\n" * 1234)
    told = run(capsys, f"solve planar {ARM} --targets {tmp_path}/t.csv --out {tmp_path}/o.csv")
    errors = told.err.splitlines()
    assert len(errors) == 11
    assert [f"line {2 * k + 3}:" in error for k, error in enumerate(errors[:10])] == [True] * 10
    assert errors[10] == "limbik: and 1,224 more bad rows"
    assert load(tmp_path / "o.csv")["status"].tolist() == ["REACHED", "INVALID"] * 1234


@pytest.mark.parametrize("ending", ENDINGS)
def test_chunks_join_without_a_seam(capsys, tmp_path, monkeypatch, ending):
    save(tmp_path / f"t.{ending}", points(TARGETS))
    line = f"solve two-link {ARM} --targets {tmp_path}/t.{ending} --out {tmp_path}/"
    assert run(capsys, line + "whole.csv").status == 0
    monkeypatch.setattr(text_tables, "FIRST_BLOCK_BYTES", 50)
    monkeypatch.setattr(text_tables, "CHUNK_ROWS", 7)
    monkeypatch.setattr(npy_files, "CHUNK_ROWS", 7)
    assert run(capsys, line + "pieces.csv").status == 0
    assert (tmp_path / "pieces.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_summary_counts_rows_by_status(capsys, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n0.5,0\n9,9\n0.3,0.3\n0.001,0\n")
    told = run(capsys, f"solve planar {ARM} --targets {tmp_path}/t.csv --out {tmp_path}/o.csv")
    words = [line.split() for line in told.out.splitlines()]
    assert words[0][:4] == [f"{tmp_path}/o.csv:", "4", "rows", "in"]
    assert words[0][-1] == "rows/s"
    assert [line[:2] for line in words[1:]] == [["REACHED", "2"], ["TOO_FAR", "1"], ["TOO_NEAR", "1"]]


@pytest.mark.parametrize("out", ENDINGS)
def test_no_rows_are_no_fault(capsys, tmp_path, out):
    (tmp_path / "t.csv").write_text("x,y,z\n")
    told = run(capsys, f"solve two-link {ARM} --targets {tmp_path}/t.csv --out {tmp_path}/o.{out} --columns angles")
    assert told.status == 0
    assert "0 rows" in told.out
    if out == "csv":
        header = "status,residual,stretch,yaw_rad,roll_rad,first_rad,second_rad\n"
        assert (tmp_path / "o.csv").read_text() == header
    if out == "npy":
        assert np.load(tmp_path / "o.npy").shape == (0,)
