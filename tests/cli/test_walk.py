"""`limbik walk` writes a clip, its terrain and a page, and tells how it went."""

import webbrowser
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.gait.walking import walk as own_walk

from . import command


def run(capsys, line):
    """Runs the verb with the words of a line, in this process."""
    return command.run(capsys, f"walk {line}")


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_with_no_argument_a_spider_crosses_hills(capsys, tmp_path):
    said = run(capsys, "")
    assert said.status == 0 and not said.err
    assert {path.name for path in tmp_path.iterdir()} == {"walk.glb", "walk.html"}
    for word in ("spider", "distance", "steps", "foot slide", "penetration", "leg extension", "computed in"):
        assert word in said.out
    assert "0.000 mm" in said.out
    clip = limbik.load("walk.glb", unit="m")
    assert len(clip) == 601
    assert clip.translations[-1, 0, 2] == pytest.approx(4.0, rel=0.05)  # it is slower uphill


def test_options_are_those_of_the_walk(capsys, tmp_path):
    line = "quadruped --terrain slope:5 --seconds 2 --speed 1.5 --gait trot --fps 30 --seed 3 --out dog.bvh"
    assert run(capsys, line).status == 0
    clip = limbik.load("dog.bvh", unit="m")
    own = own_walk("quadruped", "slope:5", seconds=2, speed=1.5, gait="trot", fps=30, seed=3)
    assert len(clip) == 61 and np.allclose(clip.positions()[:, 0], own.positions()[:, 0], atol=1e-4)
    assert (tmp_path / "dog_terrain.glb").is_file()


def test_tails_are_stiff_without_secondary_motion(capsys):
    line = "quadruped --terrain plane --seconds 1 --speed 2 --fps 20 --overwrite --out dog.glb"
    moving = []
    for flag, secondary in (("", True), (" --without-secondary", False)):
        assert run(capsys, line + flag).status == 0
        own = own_walk("quadruped", "plane", seconds=1, speed=2, fps=20, secondary=secondary)
        moving.append(_path_of(limbik.load("dog.glb", unit="m"), "tail_end"))
        assert np.allclose(moving[-1], _path_of(own, "tail_end"), atol=1e-4)
    assert np.abs(moving[0] - moving[1]).max() > 1e-3


def _path_of(clip, joint):
    return clip.positions()[:, clip.skeleton.index(joint)]


def test_a_wall_that_stops_the_walk_is_told(capsys, tmp_path):
    heights = np.zeros((41, 41))
    heights[32:] = 2.0  # from z = 1.2 on
    np.save(tmp_path / "wall.npy", heights)
    line = "hexapod --terrain wall.npy --fps 10 --overwrite --out ant.glb"
    told = {}
    for way in ("--path 0 0 0 0.3", "--path 0 0 0 4", "--path 0 0 0 4 --count 2"):
        said = run(capsys, f"{line} {way}")
        assert said.status == 0
        told[way] = next(row.split()[1:] for row in said.out.splitlines() if row.split()[:1] == ["blocked"])
    assert [words[1:5] for words in told.values()] == [[], ["s,", "to", "the", "end"], ["of", "2", "at", "the"]]
    assert "the hexapod climbs" in " ".join(said.out.split())


def test_stairs_are_sized_to_the_creature(capsys):
    assert run(capsys, "hexapod --terrain stairs --seconds 9 --fps 20 --out ant.glb").status == 0
    clip = limbik.load("ant.glb", unit="m")
    assert clip.translations[-1, 0, 1] - clip.translations[0, 0, 1] > 0.4


def test_a_path_and_a_crowd(capsys):
    said = run(capsys, "hexapod --terrain plane --path 0 0 0 1 1 1 --count 3 --fps 20 --out many.glb")
    assert said.status == 0 and "3 × hexapod" in said.out and "mean of all creatures" in said.out
    clip = limbik.load("many.glb", unit="m")
    roots = clip.translations[:, list(clip.skeleton.roots)][..., ::2]
    assert np.allclose(roots[-1] - roots[0], (1.0, 1.0), atol=0.1)


def test_a_creature_from_a_file(capsys, tmp_path):
    from limbik.gait.creature import PRESETS

    (tmp_path / "mine.toml").write_text((PRESETS / "hexapod.toml").read_text())
    said = run(capsys, "mine.toml --seconds 0.5")
    assert said.status == 0 and "mine, 0.5 s" in said.out


def test_the_page_is_opened_when_asked_for(capsys, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert run(capsys, "hexapod --seconds 0.2").status == 0 and not opened
    assert run(capsys, "hexapod --seconds 0.2 --open").status == 0
    assert opened == [(tmp_path / "walk.html").as_uri()]


def test_the_page_goes_where_it_is_told(capsys, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    (tmp_path / "pages").mkdir()
    said = run(capsys, "hexapod --seconds 0.2 --html pages/ant.html --open")
    assert said.status == 0 and said.out.endswith("pages/ant.html\nsteer it yourself: limbik walk hexapod --steer\n")
    assert (tmp_path / "pages" / "ant.html").read_text("utf-8").startswith("<!doctype html>")
    assert opened == [(tmp_path / "pages" / "ant.html").as_uri()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pages", "walk.glb"]


@pytest.mark.parametrize("creature", ["biped", "centipede"])
def test_a_page_of_ten_seconds_stays_small(capsys, tmp_path, creature):
    assert run(capsys, f"{creature} --html page.html").status == 0
    assert (tmp_path / "page.html").stat().st_size < 3e6


def test_steering_opens_the_studio_with_creature_and_terrain(capsys, monkeypatch):
    from limbik.cli import studio
    from limbik.studio.application import Studio

    begun = []

    def serve(tab, prepare):
        with Studio("127.0.0.1", 0, tab) as opened:
            prepare(opened)
            begun.append((opened.tab.walker.creature.name, opened.tab.walker.terrain))

    monkeypatch.setattr(studio, "serve", serve)
    said = run(capsys, "quadruped --terrain slope:7 --steer")
    assert said.status == 0 and begun == [("quadruped", limbik.terrain("slope:7"))]
    assert not list(Path.cwd().glob("walk.*"))
