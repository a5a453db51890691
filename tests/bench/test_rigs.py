"""Rigs and clips in the bench: files beside their readers, a limb posed over many frames, and the figure for both."""

from pathlib import Path

import numpy as np
import pybvh
import pytest

from limbik import samples
from limbik.bench import rig_rows as rigs
from limbik.bench.peers import installed, readers
from limbik.bench.report_tables import tables
from limbik.bench.rig_rows import file_rows, motion_rows, reach_rows, real_files
from limbik.bench.timing import QUICK
from limbik.files.clip_files import save
from limbik.skeleton.limb_finding import find_limbs
from tests.assets import FOLDER, asset

from .small import report

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"


class Someone:
    """A reader of the tests' own."""

    PACKAGE = "json"
    DISTRIBUTION = "numpy"  # whose version is told
    SUFFIXES = (".bvh", ".glb", ".gltf")

    def __init__(self, load=Path.read_bytes):
        self.load = load


def rows_with(monkeypatch, *others, assets=None):
    monkeypatch.setattr(rigs, "readers", lambda folder, suffix: list(others))
    return file_rows(QUICK, PEERS, assets=assets)


def test_the_files_that_are_made_are_read_by_limbik_alone():
    rows = file_rows(QUICK, None, assets=None)
    assert [(row["job"], row["who"]) for row in rows] == [
        (f"load walk{suffix}, 31 joints × 300 frames", "limbik") for suffix in (".bvh", ".glb")
    ]
    assert all(row["seconds"]["best"] > 0 for row in rows)


def test_a_peer_is_timed_beside(monkeypatch):
    rows = [row for row in rows_with(monkeypatch, Someone()) if row["who"] == "numpy"]
    assert len(rows) == 2
    assert all(row["seconds"]["median"] > 0 and row["version"] == np.__version__ for row in rows)


def test_peers_that_are_missing_or_fail_are_named(monkeypatch, capsys):
    made = report()  # with the real peers: it is kept for other tests

    def broken(path):
        print("chatter")
        raise RuntimeError("out of order")

    nobody = Someone()
    nobody.PACKAGE = "a_package_that_nobody_has"
    rows = rows_with(monkeypatch, nobody, Someone(broken))
    told = [row["skipped"] for row in rows if row["who"] == "numpy"]
    assert told == ["not installed", "failed: RuntimeError: out of order"] * 2
    assert not capsys.readouterr().out
    left_out = {**made, "rigs": rows}
    assert ("numpy, load walk.bvh, 31 joints × 300 frames", "not installed") in tables(left_out)[-1].rows


@pytest.mark.parametrize("suffix, package", [(".bvh", "pybvh"), (".glb", "pygltflib"), (".gltf", "pygltflib")])
def test_the_peers_read_what_is_made(tmp_path, suffix, package):
    (peer,) = readers(PEERS, suffix)
    assert package == peer.DISTRIBUTION and installed(peer)
    save(samples.walk(30), tmp_path / f"walk{suffix}")
    assert peer.load(tmp_path / f"walk{suffix}") is not None


def test_real_files_of_a_folder(monkeypatch, tmp_path):
    for name in ("gltf/Fox.glb", "gltf/SimpleSkin.gltf"):
        (tmp_path / Path(name).name).write_bytes(asset(name).read_bytes())
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    (tmp_path / "notes.txt").write_text("")
    rows = rows_with(monkeypatch, assets=tmp_path)
    assert [row["job"].split(",")[0] for row in rows[2:]] == ["load Fox.glb", "load SimpleSkin.gltf", "load broken.bvh"]
    assert rows[2]["job"] == "load Fox.glb, 25 joints × 83 frames"
    assert "broken.bvh, line 1" in rows[-1]["skipped"]
    if FOLDER.is_dir():
        assert len(real_files(FOLDER)) >= 12


def test_reach_is_timed_beside_a_copy():
    rows = reach_rows(QUICK)
    assert [row["who"] for row in rows] == ["limbik", "a copy of its rotations", "limbik"]
    assert all(row["job"] == "reach with an arm, 31 joints × 10,000 frames" for row in rows[:2])
    assert rows[2]["job"] == "reach with four limbs, one pose"
    assert all(row["seconds"]["best"] > 0 for row in rows)


def test_the_four_limbs_that_are_timed_reach():
    pose = samples.walk()[10]
    moved = rigs.four_limbs()()
    for limb in find_limbs(pose.skeleton).values():
        wanted = pose.positions()[limb.joints[-1]] + rigs.ASIDE
        assert np.linalg.norm(moved.positions()[limb.joints[-1]] - wanted) < 1e-9


def test_every_target_of_the_reach_that_is_timed_is_within_reach():
    clip = samples.walk()
    arm = find_limbs(clip.skeleton)["left_arm"]
    targets = clip.positions()[:, arm.joints[-1]] + rigs.ASIDE
    ends = clip.reach(arm, targets).positions()[:, arm.joints[-1]]
    assert np.abs(ends - targets).max() < 1e-9


def test_walking_and_grounding_are_timed(monkeypatch):
    monkeypatch.setattr(rigs, "CROWD", 20)
    rows = motion_rows(QUICK)
    assert [row["job"].split(",")[0] for row in rows] == [
        "one hexapod",
        "20 hexapods on hills",
        "ground a walk on hills",
    ]
    assert all(row["seconds"]["best"] > 0 for row in rows)


def test_the_report_and_its_tables_have_the_rigs():
    table = next(table for table in tables(report()) if table.title == "Rigs, clips and creatures")
    assert [row[1] for row in table.rows] == ["limbik", "a copy of its rotations", *["limbik"] * 6]
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_walker_walks(tmp_path):
    """Its feet stand where they are put, one after the other, and its bones keep their lengths."""
    save(samples.walk(), tmp_path / "walk.bvh")
    read = pybvh.read_bvh_file(tmp_path / "walk.bvh")
    positions = read.joint_positions()
    assert positions.shape == (300, 31, 3)
    for side in ("Left", "Right"):
        foot = positions[:, read.joint_index[f"{side}Foot"]]
        speed = np.linalg.norm(np.diff(foot, axis=0), axis=-1) * read.fps
        assert np.mean(speed < 1e-3) > 0.55  # it stands
        assert speed.max() < 5.0 and foot[:, 1].min() > 0.07  # and never pops or sinks
    assert np.ptp(positions[:, 0, 2]) > 4.0
    knee, hip, foot = (positions[:, read.joint_index[f"Left{part}"]] for part in ("Leg", "UpLeg", "Foot"))
    assert np.all((knee - (hip + foot) / 2.0)[:, 2] > -1e-6)  # knees bend forward
    assert np.ptp(np.linalg.norm(knee - hip, axis=-1)) < 1e-5
