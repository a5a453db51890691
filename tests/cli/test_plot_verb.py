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


@pytest.mark.parametrize("out", ["a.gif", "none/a.png"])
def test_a_picture_that_cannot_be_written(capsys, tmp_path, out):
    told = run(capsys, f"plot planar {ARM} --target 0.5 0.2 --out {tmp_path}/{out}")
    assert told.status == 2
    assert told.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


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


@pytest.mark.parametrize(
    "line, told",
    [
        ("gait", "CLIP_OR_CREATURE"),
        ("gait cat", "'biped', 'centipede', 'hexapod', 'quadruped', 'spider', 'a .toml file', 'a clip (.bvh, .glb"),
        ("gait none.bvh", "none.bvh: does not exist, or is not a file"),
        ("gait {clip} --speed 1", "--speed: got 1.0; expected no value with a clip"),
        ("gait {clip} --terrain hills", "--terrain: got hills"),
        ("gait spider --animation Walk", "--animation: got Walk; expected no value with a creature"),
        ("gait spider --gait trot", "'wave', 'ripple', 'tripod'"),
        ("gait spider --speed 90", "got 90.0"),
        ("gait spider --seconds -1", "seconds: got -1.0"),
        ("gait spider --terrain swamp", "swamp"),
        ("gait {legless}", "no legs found"),
        ("gait spider --out {folder}/a.gif", ".png, .svg, .pdf"),
        ("report {clip}", "--terrain"),
        ("report {clip} --terrain hilly", "did you mean 'hills'?"),
        ("report {legless} --terrain hills", "no legs found"),
        ("report none.glb --terrain hills", "none.glb: does not exist, or is not a file"),
        ("report walk.fbx --terrain hills", "clips are read and written as .bvh, .glb, .gltf"),
        ("report {clip} --terrain plane --out {folder}/a.gif", ".png, .svg, .pdf"),
        ("workspace five-link --lengths 1 1", "five-link"),
        ("workspace planar", "--lengths"),
        ("workspace planar --lengths 0.5 0", "--lengths: got 0.5 0; expected positive, finite lengths"),
        ("workspace two-link --lengths 1 1 --middle-limits 2 1", "--middle-limits: got 2 1; expected from and to"),
        ("workspace two-link --lengths 1 1 --up 0 -1 0", "--up"),
        ("workspace three-link --lengths 1 1 1 --up 0 0 0", "a direction"),
        ("workspace three-link --lengths 1 1 1 --last-limits 9 9", "--last-limits"),
        ("workspace planar --lengths 1 1 --out {folder}/a.gif", ".png, .svg, .pdf"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_line(capsys, tmp_path, monkeypatch, clip, line, told):
    monkeypatch.chdir(tmp_path)
    legless = asset("gltf/RiggedSimple.glb") if "legless" in line else ""
    answer = run(capsys, f"plot {line.format(clip=clip, folder=tmp_path, legless=legless)}")
    assert answer.status == 2
    assert told in answer.err and answer.err.count("\n") == 1 and not answer.out
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]


@pytest.mark.parametrize("line", ["planar --lengths 1 1 --target 1 1", "workspace planar --lengths 1 1", "gait spider"])
def test_an_existing_file_is_replaced_only_if_told_so(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_text("before")
    refused = run(capsys, f"plot {line} --out a.png")
    assert refused.status == 2 and "a.png already exists; use --overwrite to replace it" in refused.err
    assert (tmp_path / "a.png").read_text() == "before"
    assert run(capsys, f"plot {line} --out a.png --overwrite").status == 0
    assert (tmp_path / "a.png").read_bytes().startswith(STARTS["png"])
    for _ in range(2):  # names of our own are replaced
        assert run(capsys, f"plot {line}").status == 0


@pytest.mark.parametrize("line", ["gait hexapod", "gait hexapod --out gait.svg", "report walk.bvh --terrain plane"])
def test_without_matplotlib_nothing_is_computed(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr("limbik.gait.walking.walk", None)
    told = run(capsys, f"plot {line}")  # there is no walk.bvh to be found missing
    assert told.status == 2 and "pip install 'limbik[plot]'" in told.err
    assert told.err.count("\n") == 1 and not list(tmp_path.iterdir())
