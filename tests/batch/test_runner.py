"""Many clips from files into files: each once, identical from any process, whatever happens to one of them."""

import base64
import json
import multiprocessing
import os
import shutil
import sys
import tracemalloc
from collections import deque

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.batch.clip_job import Work
from limbik.batch.planning import plan
from limbik.batch.pools import run_in_processes
from limbik.batch.runner import ground_files, run_jobs
from limbik.errors import ArgumentError, LimbikError
from limbik.grounding.ground import ground
from limbik.grounding.settings import Settings
from limbik.terrains.specs import terrain
from tests.assets import asset
from tests.thoroughness import THOROUGH

from .dying import DyingWork, Unborn
from .folders import contents, fill, times

HILLS = "hills:height=0.3,seed=3"
PLACES = ["more/walk1.glb", "walk0.bvh", "walk2.bvh", "walk3.bvh"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def run(paths, out, *, on=HILLS, **options):
    """The outcomes by their place."""
    return {str(one.job.place): one for one in ground_files(paths, on, out, **{"jobs": 1, **options})}


@pytest.fixture(scope="module")
def expected(clips, tmp_path_factory):
    """The files of a run without incidents, in this process."""
    out = tmp_path_factory.mktemp("expected")
    outcomes = run([clips], out)
    assert sorted(outcomes) == PLACES and all(one.fresh and one.report for one in outcomes.values())
    return contents(out)


def test_results_are_what_ground_gives(clips, expected, tmp_path):
    grounded = ground(limbik.load(clips / "walk2.bvh"), HILLS)
    limbik.save(grounded.clip, tmp_path / "walk2.bvh")
    assert expected["walk2.bvh"] == (tmp_path / "walk2.bvh").read_bytes()
    record = json.loads(expected["walk2.bvh.json"])
    assert record["report"] == grounded.report.as_dict()
    assert sorted(expected) == sorted(
        [*PLACES, *(f"{place}.json" for place in PLACES), "terrain.glb", "terrain.glb.json"]
    )


def test_the_terrain_lies_around_where_they_walk(expected, tmp_path):
    (tmp_path / "terrain.glb").write_bytes(expected["terrain.glb"])
    shown, hills = terrain(tmp_path / "terrain.glb"), terrain(HILLS)
    for place in PLACES:
        (tmp_path / "walk").with_suffix(place[-4:]).write_bytes(expected[place])
        places = limbik.load((tmp_path / "walk").with_suffix(place[-4:])).positions()[..., [0, 2]]
        assert abs(shown.height(places) - hills.height(places)).max() < 0.01


def test_what_is_done_is_not_done_again(clips, tmp_path):
    first = run([clips], tmp_path)
    written = times(tmp_path)
    for jobs in (1, 2):
        again = run([clips], tmp_path, jobs=jobs)
        assert times(tmp_path) == written
        assert not any(one.fresh for one in again.values())
        for place in PLACES:
            assert again[place].report.as_dict() == {**first[place].report.as_dict(), "frames_per_second": None}


@pytest.mark.parametrize(
    "change",
    [{"settings": Settings(release=0.2)}, {"on": "hills:height=0.3,seed=4"}],
    ids=["setting", "terrain"],
)
def test_a_change_of_settings_or_ground_does_all_again(clips, expected, tmp_path, change):
    run([clips], tmp_path)
    assert all(one.fresh for one in run([clips], tmp_path, **change).values())
    assert contents(tmp_path) != expected
    assert all(one.fresh for one in run([clips], tmp_path).values())
    assert contents(tmp_path) == expected


DAMAGES = {
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "a bit flipped": lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    "longer": lambda data: data + b"\n",
    "deleted": None,
}


def damage_file(path, damage):
    """Changes the bytes of a file, or deletes it."""
    path.write_bytes(damage(path.read_bytes())) if damage else path.unlink()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
@pytest.mark.parametrize("damaged", ["walk2.bvh", "terrain.glb"])
def test_what_was_damaged_is_done_again_alone(clips, expected, tmp_path, damaged, damage):
    run([clips], tmp_path)
    damage_file(tmp_path / damaged, damage)
    outcomes = run([clips], tmp_path)
    assert [place for place, one in outcomes.items() if one.fresh] == ["walk2.bvh"] * (damaged == "walk2.bvh")
    assert contents(tmp_path) == expected
    assert not any(one.fresh for one in run([clips], tmp_path).values())


@pytest.mark.parametrize("text", [None, b"", b"{", b"[]", b"null", b'{"key": 1}', b"\xff"])
def test_a_damaged_record_is_ignored(clips, expected, tmp_path, text):
    run([clips / "walk2.bvh"], tmp_path)
    damage_file(tmp_path / "walk2.bvh.json", None if text is None else lambda _: text)
    assert run([clips / "walk2.bvh"], tmp_path)["walk2.bvh"].fresh
    assert contents(tmp_path)["walk2.bvh.json"] == expected["walk2.bvh.json"]


def test_a_clip_that_changed_is_done_again_alone(tmp_path):
    folder = fill(tmp_path / "in", 3)
    run([folder], tmp_path / "out")
    limbik.save(limbik.load(folder / "walk2.bvh")[5:], folder / "walk2.bvh")
    outcomes = run([folder], tmp_path / "out")
    assert {place: one.fresh for place, one in outcomes.items()} == {
        "walk0.bvh": False,
        "more/walk1.glb": False,
        "walk2.bvh": True,
    }


def test_files_that_a_clip_names_are_part_of_it(tmp_path):
    limbik.save(samples.walk(30), tmp_path / "walk.gltf")
    document = json.loads((tmp_path / "walk.gltf").read_text())
    data = base64.b64decode(document["buffers"][0]["uri"].partition(",")[2])
    document["buffers"][0]["uri"] = "walk.bin"
    (tmp_path / "walk.gltf").write_text(json.dumps(document))
    (tmp_path / "walk.bin").write_bytes(data)
    assert run([tmp_path / "walk.gltf"], tmp_path / "out")["walk.gltf"].error is None
    assert not run([tmp_path / "walk.gltf"], tmp_path / "out")["walk.gltf"].fresh
    (tmp_path / "walk.bin").write_bytes(data[:-4] + b"\0\0\0\0")
    assert run([tmp_path / "walk.gltf"], tmp_path / "out")["walk.gltf"].fresh


def test_a_clip_is_done_again_if_the_run_ended_before_its_record_was_written(clips, tmp_path, monkeypatch):
    """Otherwise a record of earlier settings would describe a clip of later ones."""
    run([clips / "walk2.bvh"], tmp_path)

    def stopped(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("limbik.batch.clip_job.write_record", stopped)
        with pytest.raises(KeyboardInterrupt):
            run([clips / "walk2.bvh"], tmp_path, settings=Settings(release=0.2))
    assert json.loads(contents(tmp_path)["walk2.bvh.json"]) == {"files": {}}
    assert run([clips / "walk2.bvh"], tmp_path)["walk2.bvh"].fresh


def legless():
    """A clip of a figure without limbs."""
    skeleton = limbik.Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]))
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (10, 2, 1))
    return limbik.Clip(skeleton, rotations, np.tile(skeleton.translations, (10, 1, 1)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_clip_does_not_stop_the_others(clips, expected, tmp_path, jobs):
    folder = tmp_path / "in"
    shutil.copytree(clips, folder)
    (folder / "bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\n")
    (folder / "more" / "bad.glb").write_bytes(b"glTF" + bytes(20))
    limbik.save(legless(), folder / "legless.glb")
    outcomes = run([folder, tmp_path / "none.bvh"], tmp_path / "out", jobs=jobs)
    faults = {place: one.error for place, one in outcomes.items() if one.error}
    assert sorted(faults) == ["bad.bvh", "legless.glb", "more/bad.glb", "none.bvh"]
    assert faults["bad.bvh"].startswith(f"{folder / 'bad.bvh'}, line ")
    assert "no legs found" in faults["legless.glb"] and str(folder / "legless.glb") in faults["legless.glb"]
    assert all(str(outcomes[place].job.source) in fault for place, fault in faults.items())
    assert contents(tmp_path / "out") == expected


@posix
def test_a_killed_process_loses_nothing(clips, expected, tmp_path):
    """A process is killed while it writes a clip."""
    (tmp_path / "deaths").mkdir()
    out = tmp_path / "out"
    work = DyingWork(terrain(HILLS), Settings(), victim="walk2.bvh", folder=str(tmp_path / "deaths"))
    outcomes = list(run_jobs(plan([clips], out), work, out, 2))
    assert len(os.listdir(tmp_path / "deaths")) == 1
    assert sorted(str(one.job.place) for one in outcomes) == PLACES and not any(one.error for one in outcomes)
    assert contents(out) == expected


@posix
def test_processes_that_are_killed_at_any_time_lose_nothing(tmp_path):
    folder = fill(tmp_path / "in", 8)
    run([folder], tmp_path / "expected")
    done = 0
    for done, _ in enumerate(ground_files([folder], HILLS, tmp_path / "out", jobs=2), 1):
        if done in (2, 5):
            os.kill(multiprocessing.active_children()[0].pid, 9)
    assert done == 8
    assert contents(tmp_path / "out") == contents(tmp_path / "expected")


@posix
def test_a_clip_that_kills_every_process_is_given_up(clips, expected, tmp_path):
    (tmp_path / "deaths").mkdir()
    out = tmp_path / "out"
    work = DyingWork(terrain(HILLS), Settings(), victim="walk0.bvh", times=99, folder=str(tmp_path / "deaths"))
    outcomes = {str(one.job.place): one for one in run_jobs(plan([clips], out), work, out, 2)}
    assert outcomes["walk0.bvh"].error == f"{clips / 'walk0.bvh'}: the process working on it died 2 times"
    assert len(os.listdir(tmp_path / "deaths")) == 2
    left = {place: data for place, data in expected.items() if not place.startswith("walk0")}
    assert {**contents(out), "terrain.glb": b""} == {**left, "terrain.glb": b""}


def test_processes_that_cannot_start_are_an_error():
    with pytest.raises(LimbikError, match="processes die as they start"):
        list(run_in_processes(Unborn(), deque(range(100)), 2))


def test_a_run_that_is_given_up_leaves_no_process_and_no_half_file(tmp_path):
    folder = fill(tmp_path / "in", 8, frames=120)
    outcomes = ground_files([folder], HILLS, tmp_path / "out", jobs=2)
    next(outcomes)
    assert len(multiprocessing.active_children()) == 2
    outcomes.close()
    assert not multiprocessing.active_children()
    left = contents(tmp_path / "out")
    assert 1 <= sum(not place.endswith(".json") for place in left) < 8
    assert not any(place.endswith(".part") for place in left)
    run([folder], tmp_path / "out")
    run([folder], tmp_path / "expected")
    assert contents(tmp_path / "out") == contents(tmp_path / "expected")


def test_no_more_tasks_are_under_way_than_there_are_processes():
    queue = deque(range(40))
    for done, (thing, result) in enumerate(run_in_processes(str, queue, 2), 1):
        assert result == str(thing)
        assert len(queue) >= 40 - done - 2
    assert done == 40


def test_memory_does_not_grow_with_the_number_of_clips(tmp_path):
    few, many = fill(tmp_path / "few", 2, frames=20), fill(tmp_path / "many", 24 if THOROUGH else 8, frames=20)

    def most(folder):
        tracemalloc.start()
        for _ in ground_files([folder], "plane", tmp_path / f"out_{folder.name}", jobs=1):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(few)  # what is loaded once
    shutil.rmtree(tmp_path / "out_few")
    assert most(many) < 1.1 * most(few) + 200_000


def test_a_folder_is_taken_with_the_folders_inside(clips, tmp_path):
    jobs = plan([clips], tmp_path / "out")
    assert sorted(str(job.place) for job in jobs) == PLACES
    assert all(job.source == clips / job.place and job.target == tmp_path / "out" / job.place for job in jobs)
    jobs = plan([clips / "more", clips / "walk0.bvh", clips / "walk0.bvh"], tmp_path, "glb")
    assert [str(job.place) for job in jobs] == ["walk1.glb", "walk0.glb"]


def test_results_are_not_taken_for_clips(tmp_path):
    folder = fill(tmp_path, 2)
    for _ in range(2):
        assert len(run([folder], folder / "out")) == 2
    assert len(run([folder / "out"], tmp_path / "twice", on="plane")) == 2  # and not the terrain


@pytest.mark.parametrize(
    "paths, out, format, message",
    [
        (["walk0.bvh"], ".", None, "another folder than that of"),
        (["walk0.bvh", "more/walk0.bvh"], "out", None, "one clip for"),
        (["walk0.bvh", "walk0.glb"], "out", "glb", "one clip for"),
        (["terrain.glb"], "out", None, "the terrain is written to"),
        (["empty"], "out", None, r"motion files \(.bvh, .glb, .gltf, .vrm, .vrma, .npz, .fbx\)"),
        ([], "out", None, "motion files"),
        (["walk0.bvh"], "out", "fbx", "'bvh', 'glb'"),
    ],
)
def test_what_cannot_be_planned(tmp_path, paths, out, format, message):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArgumentError, match=message):
        plan([tmp_path / path for path in paths], tmp_path / out, format)


@pytest.mark.parametrize(
    "wrong",
    [
        {"paths": 3},
        {"paths": [3]},
        {"terrain": 3},
        {"out": 3},
        {"settings": 3},
        {"settings": {"releas": 1}},
        {"format": 3},
        {"jobs": "x"},
        {"jobs": 0},
        {"jobs": 1.5},
        {"ray": 3},
        {"page": 3},
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_before_any_work(clips, tmp_path, wrong):
    with pytest.raises(LimbikError):
        ground_files(**{"paths": clips, "terrain": "plane", "out": tmp_path / "out", **wrong})
    assert not (tmp_path / "out").exists()


def test_a_terrain_that_cannot_be_pickled(clips, tmp_path):
    def level(x, z):
        return 0.1 * x

    with pytest.raises(ArgumentError, match="pickled for other processes"):
        list(ground_files([clips], level, tmp_path, jobs=2))
    assert run([clips / "walk0.bvh"], tmp_path, on=level)["walk0.bvh"].error is None


def test_an_animation_and_a_format_are_chosen(tmp_path):
    fox = asset("gltf/Fox.glb")
    (name,) = run([fox], tmp_path, animation="Walk", format="bvh")
    assert name == "Fox.bvh" and len(limbik.load(tmp_path / "Fox.bvh")) == 18
    assert run([fox], tmp_path, animation="Run", format="bvh")["Fox.bvh"].fresh
    assert len(limbik.load(tmp_path / "Fox.bvh")) == len(limbik.load(fox, animation="Run"))
    fault = run([fox], tmp_path / "other", animation="Fly")["Fox.glb"].error
    assert "'Walk'" in fault and str(fox) in fault


def test_the_key_depends_on_source_format_terrain_settings_and_animation(clips, tmp_path):
    (job,) = plan(clips / "walk0.bvh", tmp_path)
    (other,) = plan([clips / "walk2.bvh"], tmp_path)
    work = Work(terrain("plane"), Settings())
    keys = {
        work.key(job),
        work.key(other),
        work.key(*plan([clips / "walk0.bvh"], tmp_path, "glb")),
        Work(terrain("slope:1"), Settings()).key(job),
        Work(terrain("plane"), Settings(sole=0.1)).key(job),
        Work(terrain("plane"), Settings(), animation=0).key(job),
    }
    assert len(keys) == 6
    assert Work(terrain("plane"), Settings()).key(job) == work.key(job)
