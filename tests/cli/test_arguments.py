"""Bad arguments: an exit status, one line on stderr that says what would be right, no traceback and no file."""

import shutil

import numpy as np
import pytest

import limbik
from limbik import samples
from tests.assets import asset
from tests.skeleton.figures import moving

from .command import ARM, LEG, run
from .test_convert import ARM as FIGURE

# By command, what is typed after it, LEG and ARM being the lengths of limbs, and words of the answer.
REFUSED = {
    "sovle": {
        "": 'Unknown command "sovle". Did you mean "solve"',
    },
    "solve": {
        "four-link": "Unknown command",
        "three-link": "--lengths",
        "three-link LEG": "--target: got nothing; expected the numbers of one target, or --targets FILE",
        "three-link LEG --target 0 0 0": "--up: got nothing; expected the direction of the last link",
        "three-link LEG --target 0 0": "--target",
        "three-link LEG --target 0 0 0 0 --up 0 1 0": "Unused Tokens: ['0']",
        "three-link LEG --target 0 zero 0 --up 0 1 0": 'unable to convert "zero" into float',
        "three-link LEG --target 0 nan 0 --up 0 1 0": "--target: got 0 nan 0; expected finite numbers",
        "three-link LEG --target 0 0 0 --up 0 -inf 0": "--up: got 0 -inf 0; expected finite numbers",
        "two-link ARM --target 0 0 0 --twist nan": "--twist: got nan; expected finite numbers",
        "two-link ARM --target 0 0 0 --pol 1 0 0": "--pol",
        "two-link --lengths 1 -2 --target 0 0 0": "--lengths: got 1 -2; expected positive, finite lengths",
        "two-link --lengths 1 inf --target 0 0 0": "--lengths: got 1 inf",
        "planar ARM --target 0 0 --bend 0": "--bend: got 0; expected 1 or -1",
        "planar ARM --target 0 0 --bend 1.2": "--bend: got 1.2; expected 1 or -1",
        "three-link LEG --target 0 0 1 --up 0 1 0 --style odd": "natural",
        "planar ARM --target 0 0 --middle-limits 0 90": "0 <= from <= to <= 3.1416 radians",
        "planar ARM --target 0 0 --middle-limits 90 0 --degrees": "0 <= from <= to <= 180 degrees",
        "planar ARM --target 0 0 --middle-limits 0 nan": "--middle-limits: got 0 nan",
        "three-link LEG --target 0 0 1 --up 0 1 0 --last-limits -181 0 --degrees": "-180 <= from <= to <= 180 degrees",
        "two-link --lengths 1 --target 0 0 0": "--lengths requires 2 numbers. Only got 1.",
        "two-link ARM --target 0 0 1 --soften 2": "soften: got 2.0; expected a fraction",
        "two-link ARM --target 0 0 1 --stretch nan": "stretch: got nan",
        "two-link ARM --target 1.7e308 0 0 --origin -1.7e308 0 0": "too large",
        "two-link ARM --target 0 0 1 --out o.csv": "--out: got o.csv without --targets",
        "two-link ARM --target 0 0 1 --columns joints": "--columns: got joints without --targets",
        "two-link ARM --targets t.csv": "--out: got nothing",
        "two-link ARM --targets t.csv --out t.csv": "t.csv: is the file of targets",
        "two-link ARM --targets t.csv --out ../here/t.csv": "t.csv: is the file of targets",
        "two-link ARM --targets t.csv --out o.xlsx": "o.xlsx: has the suffix '.xlsx'; expected one of .csv, .jsonl",
        "two-link ARM --targets t.csv --out none/o.csv": "none does not exist",
        "two-link ARM --targets none.csv --out o.csv": "none.csv: does not exist",
        "two-link ARM --targets t.csv --out o.csv --target 0 0 0": "--target: got --targets as well",
        "two-link ARM --targets t.csv --out o.csv --all": "--all: got a file of targets",
        "two-link ARM --targets t.csv --out o.csv --columns angels": "--columns: got 'angels'; expected one of",
        "two-link ARM --targets up.csv --out o.csv": "unknown column 'up_x'; known are x, y, z, pole_x, pole_y, pole_z",
        "three-link LEG --targets t.csv --out o.csv": "the file has no up_x, up_y, up_z",
        "planar ARM --targets xy.csv --out o.csv --columns rotations": "a planar limb's angles are the whole answer",
    },
    "plot": {
        "two-link ARM": "--target: got nothing",
        "gait": "CLIP_OR_CREATURE",
        "gait cat": "'biped', 'centipede', 'hexapod', 'quadruped', 'spider', 'a .toml file', 'a clip (.bvh, .glb",
        "gait none.bvh": "none.bvh: does not exist, or is not a file",
        "gait walk.bvh --speed 1": "--speed: got 1.0; expected no value with a clip",
        "gait walk.bvh --terrain hills": "--terrain: got hills",
        "gait spider --animation Walk": "--animation: got Walk; expected no value with a creature",
        "gait spider --gait trot": "'wave', 'ripple', 'tripod'",
        "gait spider --speed 90": "got 90.0",
        "gait spider --seconds -1": "seconds: got -1.0",
        "gait spider --terrain swamp": "swamp",
        "gait legless.glb": "no legs found",
        "gait spider --out a.gif": ".png, .svg, .pdf",
        "report walk.bvh": "--terrain",
        "report walk.bvh --terrain hilly": "did you mean 'hills'?",
        "report legless.glb --terrain hills": "no legs found",
        "report none.glb --terrain hills": "none.glb: does not exist, or is not a file",
        "report walk.dae --terrain hills": "clips are read from .bvh, .glb, .gltf",
        "report walk.bvh --terrain plane --out a.gif": ".png, .svg, .pdf",
        "workspace five-link --lengths 1 1": "five-link",
        "workspace planar": "--lengths",
        "workspace planar --lengths 0.5 0": "--lengths: got 0.5 0; expected positive, finite lengths",
        "workspace two-link --lengths 1 1 --middle-limits 2 1": "--middle-limits: got 2 1; expected from and to",
        "workspace two-link --lengths 1 1 --up 0 -1 0": "--up",
        "workspace three-link --lengths 1 1 1 --up 0 0 0": "a direction",
        "workspace three-link --lengths 1 1 1 --last-limits 9 9": "--last-limits",
        "workspace planar --lengths 1 1 --out a.gif": ".png, .svg, .pdf",
        "planar ARM --target 0.5 0.2 --out a.gif": ".png, .svg, .pdf",
        "planar ARM --target 0.5 0.2 --out none/a.png": "none",
    },
    "walk": {
        "cat": "'biped', 'centipede', 'hexapod', 'quadruped', 'spider'",
        "--terrain swamp": "swamp",
        "--gait trot": "'wave', 'ripple', 'tripod'",
        "--speed 40": "at most 0.8",
        "--seconds -1": "seconds",
        "--path 0 0 1": "--path: got 0 0 1; expected x and z of at least two waypoints",
        "--count 0": "count",
        "--out walk.gif": "--out",
        "--out none/walk.glb": "--out",
        "--html page.pdf": "--html: got page.pdf; expected a file .html, .htm",
        "--html none/page.html": "--html",
        "none.toml": "does not exist",
        "--spede 3": "--spede",
    },
    "convert": {
        "arm.bvh arm.fbx": "FBX is read, not written",
        "arm.bvh nowhere/arm.glb": "does not exist",
        "arm.bvh arm.glb --frames 30:": "has 20 frames, and none of them in --frames 30:",
        "arm.bvh arm.glb --animation run": "arm.bvh: animation: got 'run'",
        ". arm.glb": "is a folder",
        "walk.dae out.glb": "Blender opens such files and exports .glb and .bvh",
        "walk.fbx out.glb": "is no FBX file",
        "arm.bvh b.glb --mirrored": "--mirrored: got another format than .npz",
        "arm.bvh b.glb --names coco": "names",
        "": "expected IN OUT, or one or more files or folders with --out",
        "arm.bvh": "expected IN OUT",
        "arm.bvh arm.bvh arm.bvh": "expected IN OUT",
        "arm.bvh --out new": "--to",
        "--out new --to glb": "--out: got 0 files",
        "arm.bvh b.glb --to glb": "--to: got glb without --out",
        "arm.bvh sub/arm.glb --out new --to bvh": "one file for each",
        "arm.bvh --out new --to fbx": "fbx",
        "arm.bvh b.glb --unit furlong": "'cmu'",
        "arm.bvh b.glb --unit nan": "unit",
        "arm.bvh b.glb --fps 0": "--fps: got 0.0; expected a number of frames a second greater than 0",
        "arm.bvh b.glb --fps nan": "--fps",
        "arm.bvh b.glb --frames 1-5": "START:STOP",
        "arm.bvh b.glb --frames 1:5:2": "START:STOP",
    },
    "render": {
        "": "CLIP: got nothing; expected motion file: .bvh",
    },
    "export": {
        "three": "did you mean 'three-link'?",
        "nlink --to c": "did you mean 'n-link'?",
        "two-link": "to: got nothing; expected one of 'c'",
        "arm.urdf --to c": "limbik robot arm.urdf shows its links and limbs",
    },
    "info": {
        "walk.dae": "Blender opens such files and exports .glb and .bvh",
        "arm.urdf": "`limbik robot`",
        ".": "is a folder",
        "": ".bvh, .glb, .gltf",
    },
    "robot": {
        "walk.bvh": "is not XML, as URDF and MJCF are",
    },
    "ground": {
        "walk.bvh --out out": "--terrain: got nothing; expected ground: slope:10 (degrees), stairs:rise=",
        "walk.bvh --out out --terrain": "--terrain: got nothing; expected ground: slope:10",
        "missing/ --terrain slope:10 --out out --report report.html": "missing: does not exist",
        "walk.bvh --terrain slope:10 --out hill.bvh": "expected a folder, such as hill",
    },
}


def lines(table):
    return [(command, line, words) for command, lines in table.items() for line, words in lines.items()]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with what the lines name."""
    folder = tmp_path_factory.mktemp("files")
    limbik.save(samples.walk(60), folder / "walk.bvh")
    limbik.save(moving(FIGURE, np.random.default_rng(0), frames=20, fps=30.0), folder / "arm.bvh")
    shutil.copy(asset("gltf/RiggedSimple.glb"), folder / "legless.glb")
    texts = {"t.csv": "x,y,z\n1,2,3\n", "xy.csv": "x,y\n1,2\n", "up.csv": "x,y,z,up_x,up_y,up_z\n1,2,3,4,5,6\n"}
    for name, text in {**texts, "walk.dae": "HIERARCHY", "walk.fbx": "HIERARCHY", "arm.urdf": "HIERARCHY"}.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(("command", "line", "words"), lines(REFUSED))
def test_what_cannot_be_done_is_said_in_one_line(capsys, tmp_path, monkeypatch, files, command, line, words):
    shutil.copytree(files, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    told = run(capsys, f"{command} {line}".replace("LEG", LEG).replace("ARM", ARM))
    assert told.status == 2
    assert words in told.err
    assert told.err.startswith("limbik: ") and told.err.count("\n") == 1
    assert not told.out
    found, before = ({path.name: path.read_bytes() for path in at.iterdir()} for at in (tmp_path / "here", files))
    assert found == before


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        (f"solve two-link {ARM} --targets t.csv --out o.csv", "o.csv"),
        ("plot planar --lengths 1 1 --target 1 1 --out a.png", "a.png"),
        ("plot workspace planar --lengths 1 1 --out a.png", "a.png"),
        ("plot gait spider --out a.png", "a.png"),
        ("walk hexapod --seconds 0.2 --without-terrain --out a.glb", "a.glb"),
        ("walk hexapod --seconds 0.2 --without-terrain --out a.glb", "a_terrain.glb"),
        ("walk hexapod --seconds 0.2 --without-terrain --out a.glb", "a.html"),
        ("walk hexapod --seconds 0.2 --html page.html", "page.html"),
        ("convert arm.bvh out.glb", "out.glb"),
        ("export two-link --to c --out limb.h", "limb.h"),
    ],
)
def test_a_file_that_was_named_is_replaced_only_when_asked_for(capsys, tmp_path, monkeypatch, files, line, taken):
    shutil.copytree(files, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here" / taken).write_text("mine")
    told = run(capsys, line)
    assert told.status == 2 and not told.out
    assert f"{taken} already exists; use --overwrite to replace it\n" in told.err
    assert (tmp_path / "here" / taken).read_text() == "mine"
    assert {path.name for path in (tmp_path / "here").iterdir()} == {path.name for path in files.iterdir()} | {taken}
    assert run(capsys, f"{line} --overwrite").status == 0
    assert len((tmp_path / "here" / taken).read_bytes()) > 100


@pytest.mark.parametrize("line", ["plot planar --lengths 1 1 --target 1 1", "walk hexapod --seconds 0.2"])
def test_files_with_names_of_our_own_are_replaced(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert run(capsys, line).status == 0


@pytest.mark.parametrize("line", ["", "--help", "solve", "solve --help", "solve three-link --help", "plot planar -h"])
def test_help(capsys, line):
    told = run(capsys, line)
    assert told.status == 0
    assert "Usage: limbik" in told.out


def test_half_a_turn_may_be_typed_with_five_digits(capsys):
    assert run(capsys, f"solve planar {ARM} --target 0.3 0 --middle-limits 0 3.1416").status == 0
