"""`limbik plot` draws what `limbik solve` would answer, what limbs reach, how clips walk, and what grounding does."""

import sys

import numpy as np
import pytest

import limbik
from limbik import plots, samples
from limbik.pictures.gait_plot import footfalls
from tests.assets import asset

from .command import ARM, LEG, run

pytest.importorskip("matplotlib")

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("ending", STARTS)
def test_a_picture_of_each_kind(capsys, tmp_path, ending):
    told = run(capsys, f"plot planar {ARM} --target 0.5 0.2 --out {tmp_path}/limb.{ending}")
    assert told.status == 0 and not told.err
    assert told.out == f"{tmp_path}/limb.{ending}: reached\n"
    assert (tmp_path / f"limb.{ending}").read_bytes().startswith(STARTS[ending])


@pytest.mark.parametrize(
    "line",
    [
        f"three-link {LEG} --target 0.2 -0.6 0.3 --up 0 -1 0",
        f"two-link {ARM} --target 3 0 0 --twist 20 --degrees",
    ],
)
def test_limbs_in_space(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, f"plot {line}").status == 0
    assert (tmp_path / "limb.png").read_bytes().startswith(STARTS["png"])


def test_what_is_drawn_is_what_is_asked(capsys, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "limb", lambda *given, **named: drawn.append((given, named)))
    line = f"plot three-link {LEG} --target 0.2 -0.6 0.3 --up 0 -1 0 --bend -1 --out {tmp_path}/a.png"
    run(capsys, line)
    own = limbik.ThreeLink(0.45, 0.42, 0.12).solve([0.2, -0.6, 0.3], [0, -1, 0], bend=-1)
    ((solution, path), named) = drawn[0]
    assert isinstance(solution.limb, limbik.ThreeLink)
    assert (solution.joints == own.joints).all()
    assert named["branches"].shape == (8,)
    assert str(path) == f"{tmp_path}/a.png"
    assert named["title"] == "three-link limb, lengths 0.45, 0.42, 0.12"


@pytest.fixture
def clip(tmp_path):
    """A file of a walk."""
    limbik.save(samples.walk(120), tmp_path / "walk.bvh")
    return tmp_path / "walk.bvh"


@pytest.fixture
def drawn(monkeypatch):
    """What the pictures are asked to draw, in place of drawing it."""
    asked = []
    for name in ("gait", "report", "workspace"):
        monkeypatch.setattr(plots, name, lambda *given, **named: asked.append((given, named)))
    return asked


@pytest.mark.parametrize(
    "line",
    [
        "gait {clip}",
        "gait hexapod --gait ripple --terrain hills --seconds 1 --speed 0.15",
        "report {clip} --terrain stairs:rise=0.17,run=0.3",
        "workspace planar --lengths 0.5 0.4 --middle-limits 20 140 --degrees",
    ],
)
def test_a_picture_where_it_is_asked_for(capsys, tmp_path, clip, line):
    told = run(capsys, f"plot {line.format(clip=clip)} --out {tmp_path}/picture.png")
    assert (told.status, told.out, told.err) == (0, f"{tmp_path}/picture.png\n", "")
    assert (tmp_path / "picture.png").read_bytes().startswith(STARTS["png"])


def test_the_gait_of_a_creature_is_that_of_its_walk(capsys, drawn):
    run(capsys, "plot gait quadruped --gait trot --terrain slope:5 --seconds 1 --speed 1.5")
    run(capsys, "plot gait hexapod --speed 0.15")
    (((walked, path), named), ((other, _), others)) = drawn
    own = limbik.walk("quadruped", "slope:5", seconds=1, speed=1.5, gait="trot")
    assert np.array_equal(walked.rotations, own.rotations) and str(path) == "gait.png"
    assert named["name"] == "quadruped on slope:5: trot"
    assert len(other) == 241 and others["name"] == "hexapod on plane: ripple"


@pytest.mark.parametrize("speed, chosen", [(0.05, "wave"), (0.15, "ripple"), (0.5, "tripod")])
def test_the_gait_in_the_title_is_the_one_that_it_walks(capsys, drawn, speed, chosen):
    run(capsys, f"plot gait hexapod --speed {speed} --seconds 6")
    (((walked, _), named),) = drawn
    assert named["name"] == f"hexapod on plane: {chosen}"
    duty = {one.name: one.duty for one in limbik.creature("hexapod").gaits}[chosen]
    assert footfalls(walked).duty == pytest.approx(duty, abs=0.05)


def test_a_clip_is_called_by_its_file_and_animation(capsys, drawn, clip):
    run(capsys, f"plot gait {clip}")
    run(capsys, f"plot gait {asset('gltf/Fox.glb')} --animation Walk")
    run(capsys, f"plot report {asset('gltf/Fox.glb')} --animation 2 --terrain slope:5")
    assert [named["name"] for _, named in drawn] == ["walk", "Fox, Walk", "Fox, Run"]
    ((grounded, path), _) = drawn[2]
    assert repr(grounded.terrain) == "slope:5" and str(path) == "report.png"


def test_what_limbs_reach_is_asked_of_the_limb_that_was_described(capsys, drawn):
    run(capsys, "plot workspace planar --lengths 0.5 0.4 --middle-limits 0.1 2")
    run(capsys, "plot workspace two-link --lengths 0.5 0.3 --out a.svg")
    run(capsys, f"plot workspace three-link {LEG} --up 0 -1 0.2 --middle-limits 5 140 --last-limits -30 90 --degrees")
    run(capsys, f"plot workspace three-link {LEG}")
    limbs, paths = zip(*(given for given, _ in drawn), strict=True)
    assert [type(limb).__name__ for limb in limbs] == ["PlanarTwoLink", "TwoLink", "ThreeLink", "ThreeLink"]
    assert limbs[0].middle_limits == pytest.approx((0.1, 2.0)) and limbs[1].lengths.tolist() == [0.5, 0.3]
    assert np.degrees(limbs[2].last_limits) == pytest.approx([-30, 90])
    assert [named["up"] for _, named in drawn] == [None, None, (0, -1, 0.2), (0, -1, 0)]
    assert [str(path) for path in paths] == ["workspace.png", "a.svg", "workspace.png", "workspace.png"]


@pytest.mark.parametrize("line", ["gait hexapod", "gait hexapod --out gait.svg", "report walk.bvh --terrain plane"])
def test_without_matplotlib_nothing_is_computed(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr("limbik.gait.walking.walk", None)
    told = run(capsys, f"plot {line}")  # there is no walk.bvh to be found missing
    assert told.status == 2 and "pip install 'limbik[plot]'" in told.err
    assert told.err.count("\n") == 1 and not list(tmp_path.iterdir())
