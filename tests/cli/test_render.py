"""`limbik render` writes a still, a GIF or a film of a file, and says what is wrong with a request."""

import signal
import time

import numpy as np
import pytest
from PIL import Image

import limbik
from limbik.rendering import render
from tests.pages.motions import walk
from tests.patience import PATIENCE

from .command import on_a_terminal, run, spawn


@pytest.fixture(autouse=True)
def _a_clip_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limbik.save(walk(60), "walk.bvh")


def test_options_are_those_of_render(capsys, tmp_path):
    said = run(capsys, "render walk.bvh --terrain slope:5 --at 0.4 --size 120 80 --view side --out walk.png")
    assert said == (0, "walk.png\n", "")
    render(limbik.load("walk.bvh"), "own.png", "slope:5", at=0.4, size=(120, 80), view="side")
    assert (tmp_path / "walk.png").read_bytes() == (tmp_path / "own.png").read_bytes()


def test_several_poses_in_a_still(capsys):
    assert run(capsys, "render walk.bvh --poses 3 --size 120 80 --out poses.png").status == 0
    with Image.open("poses.png") as image:
        assert image.size == (120, 80)


def test_a_gif_at_a_rate(capsys):
    assert run(capsys, "render walk.bvh --fps 10 --size 120 80 --out walk.gif").status == 0
    with Image.open("walk.gif") as image:
        assert image.n_frames == 10 and image.info["duration"] == 100


def test_an_animation_of_a_file_that_has_several(capsys):
    from tests.assets import asset

    for animation in ("Walk", "Run"):
        line = f"render {asset('gltf/Fox.glb')} --animation {animation} --size 120 80 --at 0.3 --out {animation}.png"
        assert run(capsys, line).status == 0
    pictures = [np.asarray(Image.open(f"{animation}.png"), int) for animation in ("Walk", "Run")]
    assert np.abs(pictures[0] - pictures[1]).max() > 50


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("walk.bvh", "--out"),
        ("walk.bvh --out walk.avi", ".png, .gif, .mp4"),
        ("nobody.bvh --out walk.png", "nobody.bvh"),
        ("walk.bvh --out walk.png --at 9", "at: got 9.0; expected a number of seconds"),
        ("walk.bvh --out walk.png --size 1 1", "whole numbers from 16"),
        ("walk.bvh --out walk.png --view below", "three-quarter"),
        ("walk.bvh --out nowhere/walk.png", "does not exist"),
        ("walk.bvh --out walk.gif --poses 3", "still"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(capsys, tmp_path, line, words):
    said = run(capsys, f"render {line}")
    assert said.status == 2 and words in said.err and said.err.count("\n") == 1 and not said.out
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]


def test_a_bar_is_shown_on_terminals():
    status, seen = on_a_terminal("render walk.bvh --size 96 64 --out walk.gif")
    assert status == 0 and b"drawing" in seen


@pytest.mark.parametrize(("stop", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_stopped_leaves_no_half_file(tmp_path, stop, status):
    limbik.save(walk(3000), "long.bvh")
    process = spawn("render long.bvh --size 640 360 --out long.mp4")
    deadline = time.monotonic() + PATIENCE
    while not any(path.suffix == ".part" for path in tmp_path.iterdir()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(stop)
    said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == status, said
    assert {path.name for path in tmp_path.iterdir()} == {"walk.bvh", "long.bvh"}


def test_an_existing_file_is_replaced_only_if_told_so(capsys, tmp_path):
    (tmp_path / "a.png").write_text("before")
    refused = run(capsys, "render walk.bvh --size 96 64 --out a.png")
    assert refused.status == 2 and "a.png already exists; use --overwrite to replace it" in refused.err
    assert (tmp_path / "a.png").read_text() == "before"
    assert run(capsys, "render walk.bvh --size 96 64 --out a.png --overwrite").status == 0
    with Image.open("a.png") as image:
        assert image.size == (96, 64)
