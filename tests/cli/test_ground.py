"""`limbik ground`: clips in, clips on a terrain out, with a report; no partial files, and no work done twice."""

import json
import os
import re
import signal
import sys
import time
from dataclasses import fields
from html.parser import HTMLParser

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.batch.runner import ground_files
from limbik.cli.ground import SettingsOptions
from limbik.grounding.ground import ground
from limbik.grounding.settings import Settings, descriptions
from limbik.pages.clip_page import page_text
from limbik.pages.report_page import write_report_page
from tests.assets import asset
from tests.batch.folders import contents, fill, times
from tests.patience import PATIENCE

from .command import on_a_terminal, run, spawn

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals as POSIX has them")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of three clips."""
    return fill(tmp_path_factory.mktemp("clips"), 3, frames=90)


def done(capsys, line):
    answer = run(capsys, f"ground {line} --jobs 1")
    assert answer.status == 0 and not answer.err, answer.err
    return answer.out.splitlines()


def test_a_clip_and_a_table_of_its_feet(capsys, folder, tmp_path):
    lines = done(capsys, f"{folder}/walk0.bvh --terrain slope:10 --out {tmp_path}/hill")
    grounded = ground(limbik.load(folder / "walk0.bvh"), "slope:10")
    limbik.save(grounded.clip, tmp_path / "walk0.bvh")
    assert (tmp_path / "hill" / "walk0.bvh").read_bytes() == (tmp_path / "walk0.bvh").read_bytes()
    assert lines[0] == f"{tmp_path}/hill/walk0.bvh: 90 frames at 60 fps on slope:10"
    assert lines[1].split() == ["before", "→", "after", "total", "left", "leg", "right", "leg"]
    (line,) = (line for line in lines if line.startswith("heel penetration"))
    before, after = (getattr(grounded.report.total, when).heel_penetration_mm for when in ("before", "after"))
    assert line.split("mm")[1].split()[:3] == [f"{before:.1f}", "→", f"{after:.1f}"]
    assert lines[-1] == f"{tmp_path}/hill: 1 clip grounded"


def test_a_folder_and_a_table_of_its_clips(capsys, folder, tmp_path):
    line = f"{folder} --terrain stairs:rise=0.17,run=0.3 --out {tmp_path}"
    lines = done(capsys, line)
    assert lines[0] == "3 clips on stairs:rise=0.17,run=0.3,start=0.5; before → after"
    assert [row.split()[0] for row in lines[2:5]] == ["more/walk1.glb", "walk0.bvh", "walk2.bvh"]
    assert lines[-1] == f"{tmp_path}: 3 clips grounded"
    written = times(tmp_path)
    assert done(capsys, line)[-1] == f"{tmp_path}: 0 clips grounded, 3 up to date"
    assert times(tmp_path) == written


def test_reports_for_programs(capsys, folder, tmp_path):
    found = [json.loads(line) for line in done(capsys, f"{folder} --terrain hills --out {tmp_path} --json")]
    assert [one["file"] for one in found] == [
        str(folder / place) for place in ("more/walk1.glb", "walk0.bvh", "walk2.bvh")
    ]
    expected = ground(limbik.load(folder / "walk2.bvh"), "hills").report.as_dict()
    assert found[2]["out"] == str(tmp_path / "walk2.bvh") and found[2]["fresh"]
    assert found[2]["report"].pop("frames_per_second") > 0
    assert {**found[2]["report"], "frames_per_second": None} == expected


def test_every_setting_is_an_option(capsys, folder, tmp_path):
    shown = " ".join(run(capsys, "ground --help").out.replace("│", " ").split())
    for one in fields(Settings):
        option = f"--{one.name.replace('_', '-')}"
        assert f"{option} FLOAT" in shown, option
        words = descriptions()[one.name].split()
        assert len(words) > 3 and " ".join(words[:3]) in shown, f"{one.name} has no help"
    assert {one.name: one.default for one in fields(SettingsOptions)} == {
        one.name: one.default for one in fields(Settings)
    }
    done(capsys, f"{folder}/walk0.bvh --terrain slope:30 --out {tmp_path} --align-limit-degrees 12 --clearance 0.02")
    settings = Settings(align_limit_degrees=12.0, clearance=0.02)
    limbik.save(ground(limbik.load(folder / "walk0.bvh"), "slope:30", settings=settings).clip, tmp_path / "same.bvh")
    assert (tmp_path / "walk0.bvh").read_bytes() == (tmp_path / "same.bvh").read_bytes()


def test_an_animation_into_another_format(capsys, tmp_path):
    done(capsys, f"{asset('gltf/Fox.glb')} --terrain plane --out {tmp_path} --animation Walk --format bvh")
    assert len(limbik.load(tmp_path / "Fox.bvh")) == 18


def test_a_cycle_is_played_on(capsys, tmp_path):
    root = samples.walk(61).positions()[:, 0] * [1.0, 0.0, 1.0]
    limbik.save(samples.walk(61).moved(translation=-root), tmp_path / "cycle.bvh")
    done(capsys, f"{tmp_path}/cycle.bvh --terrain slope:5 --out {tmp_path}/out --repeat 3")
    longer = limbik.load(tmp_path / "out" / "cycle.bvh")
    assert len(longer) == 181 and longer.positions()[-1, 0, 2] == pytest.approx(3.0, abs=0.2)
    record = json.loads((tmp_path / "out" / "cycle.bvh.json").read_text())
    assert all(len(record["contacts"][leg]["ball"]) >= 3 for leg in ("left_leg", "right_leg"))
    assert run(capsys, f"ground {tmp_path}/cycle.bvh --terrain plane --out {tmp_path}/no --repeat 0").status != 0


def test_a_failure_leaves_no_empty_folder(capsys, tmp_path):
    assert run(capsys, f"ground {tmp_path}/none.bvh --terrain plane --out {tmp_path}/out --jobs 1").status == 2
    assert list(tmp_path.iterdir()) == []


def test_a_broken_clip_is_reported_at_the_end(capsys, folder, tmp_path):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\n")
    answer = run(capsys, f"ground {bad} {folder} {tmp_path}/none.glb --terrain plane --out {tmp_path}/out --jobs 2")
    assert answer.status == 2
    assert answer.out.splitlines()[-1] == f"{tmp_path}/out: 3 clips grounded"
    faults = answer.err.splitlines()
    assert len(faults) == 2
    assert faults[0].startswith(f"limbik: {bad}, line ") and faults[1].startswith(f"limbik: {tmp_path}/none.glb")
    answer = run(capsys, f"ground {bad} {folder} --terrain plane --out {tmp_path}/out --jobs 1 --json")
    assert answer.status == 2
    first, *others = map(json.loads, answer.out.splitlines())
    assert first["file"] == str(bad) and first["error"].startswith(f"{bad}, line ")
    assert [one["fresh"] for one in others] == [False] * 3


class Page(HTMLParser):
    """The tags of a page, and how they nest."""

    EMPTY = ("meta", "br")

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_page_that_needs_nothing_else(capsys, folder, tmp_path):
    bad = tmp_path / "<b>.bvh"
    bad.write_text("HIERARCHY\n")
    limbik.save(limbik.walk("quadruped", "plane", seconds=1), tmp_path / "animal.glb")
    line = f"ground '{bad}' {folder} {tmp_path}/animal.glb --terrain hills --out {tmp_path}/out --jobs 1"
    assert run(capsys, f"{line} --report {tmp_path}/report.html").status == 2
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page(text)
    assert not page.open
    named = [value for _, one in page.tags for key, value in one.items() if key in ("src", "href")]
    assert all(value.startswith("#") for value in named) and "@import" not in text and "url(" not in text
    assert "&lt;b&gt;.bvh" in text and "<b>.bvh" not in text
    (data,) = (part for part in page.texts if part.startswith('[{"first"'))
    plotted = json.loads(data)
    assert len(plotted) == 4 == sum(tag == "details" for tag, _ in page.tags)
    walk = next(one for one in plotted if one["frames"] == 90)
    report = ground(limbik.load(folder / "walk0.bvh"), "hills").report
    slides = [value for value in walk["feet"][0]["slide"]["before"] if value is not None]
    assert max(slides) / 1e3 <= max(1.0, 5 * report.feet[0].before.slide_mm)  # no swing is taken for a slide
    assert len(walk["feet"][0]["ball"]) == report.feet[0].contacts
    assert len(walk["pelvis"]) == 90


def test_a_page_of_many_clips_stays_small(tmp_path):
    limbik.save(samples.walk(), tmp_path / "walk.bvh")
    (one,) = ground_files([tmp_path / "walk.bvh"], "stairs", tmp_path / "out", jobs=1)
    many = [one] * 3000
    write_report_page(many, tmp_path / "report.html", Settings())
    assert 500_000 < (tmp_path / "report.html").stat().st_size < 1_000_000
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "and 2,000 more" in text and 20 < text.count("<details") < 100


def test_a_page_beside_each_clip_that_plays_it(capsys, folder, tmp_path):
    done(capsys, f"{folder} --terrain hills --out {tmp_path} --html")
    pages = {str(path.relative_to(tmp_path)): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    assert sorted(pages) == ["more/walk1.glb.html", "walk0.bvh.html", "walk2.bvh.html"]
    grounded = ground(limbik.load(folder / "walk2.bvh"), "hills")
    assert pages["walk2.bvh.html"] == page_text(grounded.clip, "hills", compare=grounded.before_on_terrain)


def test_a_page_that_cannot_be_written_is_reported_and_its_clip_kept(capsys, folder, tmp_path):
    (tmp_path / "out" / "walk0.bvh.html").mkdir(parents=True)
    line = f"ground {folder}/walk0.bvh --terrain plane --out {tmp_path}/out --jobs 1 --overwrite"
    answer = run(capsys, f"{line} --html --report {tmp_path}/report.html --json")
    assert answer.status == 2 and "walk0.bvh.html" in answer.err
    found = json.loads(answer.out)
    assert "walk0.bvh.html" in found["error"] and found["report"]["frames"] == 90
    assert len(limbik.load(found["out"])) == 90
    assert "walk0.bvh.html" in (tmp_path / "report.html").read_text("utf-8")


def _all_ended(group):
    """Waits until all processes of a group have ended."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def finished(folder):
    """The clips in a folder that have a finished record."""
    records = [path for path in folder.rglob("*.json") if "key" in json.loads(path.read_bytes())]
    return {str(path.relative_to(folder))[: -len(".json")] for path in records}


@posix
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_no_half_file(tmp_path, number, expected):
    """One of the clips is a pipe without a writer, so that the run cannot end before it is interrupted."""
    fill(tmp_path / "clips", 6)
    os.mkfifo(tmp_path / "pipe.bvh")
    line = "ground clips pipe.bvh --terrain hills --out out --jobs 2"
    process = spawn(line, cwd=tmp_path, start_new_session=True)
    deadline = time.monotonic() + PATIENCE
    while len(finished(tmp_path / "out")) < 2:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # a terminal signals every process of the group
    else:
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == expected
    assert err == ("limbik: interrupted; no partial files were left\n" if number == signal.SIGINT else "")
    assert _all_ended(process.pid)
    left = contents(tmp_path / "out")
    assert not any(place.endswith(".part") for place in left)
    done = finished(tmp_path / "out")
    printed = int(re.search(r"out: (\d+) clips? grounded", out)[1])
    assert printed <= len(done) <= printed + 2  # two may have been finished after the table was printed
    written = times(tmp_path / "out")
    (tmp_path / "pipe.bvh").unlink()
    (tmp_path / "pipe.bvh").write_bytes((tmp_path / "clips" / "walk0.bvh").read_bytes())
    process = spawn(line, cwd=tmp_path)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and not err
    assert f"out: {7 - len(done)} clip{'s' * (len(done) != 6)} grounded, {len(done)} up to date" in out
    now = times(tmp_path / "out")
    assert all(now[place] == written[place] for place in done)
    assert len(now) == 2 * 7 + 2  # each clip and the terrain with a record


def test_files_of_others_are_not_replaced_unless_requested(capsys, folder, tmp_path):
    line = f"ground {folder}/walk0.bvh --terrain plane --out {tmp_path}/out --jobs 1 --html"
    (tmp_path / "out").mkdir()
    for name in ("walk0.bvh", "walk0.bvh.html", "terrain.glb"):
        (tmp_path / "out" / name).write_text("somebody's")
        answer = run(capsys, line)
        assert answer.status == 2 and not answer.out
        assert answer.err == f"limbik: {tmp_path}/out/{name} already exists; use --overwrite to replace it\n"
        assert contents(tmp_path / "out") == {name: b"somebody's"}
        assert run(capsys, f"{line} --overwrite").status == 0
        assert b"somebody's" not in contents(tmp_path / "out").values()
        for path in (tmp_path / "out").iterdir():
            path.unlink()


def test_own_files_are_replaced_when_something_changed(capsys, folder, tmp_path):
    line = f"{folder}/walk0.bvh --out {tmp_path}/out --report {tmp_path}/report.html --html"
    for terrain in ("plane", "slope:10", "slope:10"):
        done(capsys, f"{line} --terrain {terrain}")
        assert "slope:10" not in (tmp_path / "report.html").read_text("utf-8") or terrain == "slope:10"
    (tmp_path / "report.html").write_text("<p>somebody's</p>")
    answer = run(capsys, f"ground {line} --terrain plane")
    assert answer.status == 2
    assert answer.err == f"limbik: {tmp_path}/report.html already exists; use --overwrite to replace it\n"
    done(capsys, f"{line} --terrain plane --overwrite")
    assert "somebody's" not in (tmp_path / "report.html").read_text("utf-8")


@posix
def test_a_bar_moves_on_a_terminal(folder, tmp_path):
    status, seen = on_a_terminal(f"ground {folder} --terrain plane --out {tmp_path} --jobs 2")
    assert status == 0
    assert b"0/3" in seen and b"3/3" in seen


@pytest.mark.parametrize(
    "words, message",
    [
        ("{clip} --out {out}", "--terrain"),
        ("{clip} --terrain plane", "--out"),
        ("--terrain plane --out {out}", "clips: got none; expected motion files"),
        ("{clip} --terrain hilly --out {out}", "did you mean 'hills'?"),
        ("{clip} --terrain none.obj --out {out}", "none.obj"),
        ("{clip} --terrain plane --out {folder}", "another folder than that of"),
        ("{clip} --terrain plane --out {out} --jobs 0", "jobs: got 0; expected a whole number, 1 or more"),
        ("{clip} --terrain plane --out {out} --extension 2", "extension: got 2.0; expected a number from 0.5 to 1"),
        ("{clip} --terrain plane --out {out} --format fbx", "fbx"),
        ("{clip} --terrain plane --out {out} --report page.pdf", "--report: got page.pdf; expected a page, .html"),
        ("{clip} --terrain plane --out {out} --report {out}/no/page.html", "a page in a folder that exists"),
        ("--terrain plane --out {out} --ray {clip}", "--ray: got"),
    ],
)
def test_bad_arguments(capsys, folder, tmp_path, words, message):
    clip = folder / "walk0.bvh"
    answer = run(capsys, "ground " + words.format(clip=clip, folder=folder, out=tmp_path / "out"))
    assert answer.status == 2
    assert message in answer.err and answer.err.count("\n") == 1 and not answer.out
    assert not (tmp_path / "out").exists()


def test_footsteps_are_written_edited_and_read_back(capsys, folder, tmp_path):
    line = f"{folder}/walk0.bvh --terrain slope:5 --out {tmp_path}"
    done(capsys, f"{line} --write-footsteps")
    path = tmp_path / "walk0.bvh.footsteps.json"
    steps = limbik.load_footsteps(path)
    before = limbik.load(tmp_path / "walk0.bvh")
    done(capsys, f"{line} --footsteps {path}")
    assert np.array_equal(limbik.load(tmp_path / "walk0.bvh").rotations, before.rotations)
    edited = [steps[0], steps[1].moved(x=0.1), *steps[2:]]
    limbik.save_footsteps(limbik.Footsteps(tuple(edited), steps.fps), path)
    done(capsys, f"{line} --footsteps {path} --write-footsteps")
    assert limbik.load_footsteps(path)[1].position[0] == pytest.approx(steps[1].position[0] + 0.1)
    assert (
        "one clip to go with it"
        in run(capsys, f"ground {folder} --terrain plane --out {tmp_path} --footsteps {path}").err
    )
