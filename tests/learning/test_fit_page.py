"""docs/fit.md: its arrays and layouts are those of the code, and what it shows runs."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np

import limbik
from limbik.skeleton.joint_layouts import LAYOUTS

PAGE = (Path(__file__).parents[2] / "docs" / "fit.md").read_text("utf-8")


def test_every_array_is_in_the_table_with_its_shape():
    clip = limbik.samples.walk(20)
    scaled = clip.with_(scales=np.ones((20, len(clip.skeleton), 3)))
    arrays = limbik.training_data(scaled, window=10)
    rows = {
        name: row
        for row in re.findall(r"^\| (`.*) \|$", PAGE, re.M)
        for name in re.findall(r"`(\w+)`", row.split("|")[0])
    }
    samples, joints, feet = 2, len(clip.skeleton), 2
    sizes = {"frames": 10, "joints": joints, "feet": feet, "samples": samples, "3": 3, "4": 4, "6": 6, "3 or 4": None}
    for name, array in arrays.items():
        words = re.search(r"\(([^)]*)\)", rows[name])[1]
        shape = [sizes[word.strip()] for word in words.split(",") if word.strip()]
        found = array.shape[1:] if words.startswith("frames") else array.shape
        assert len(found) == len(shape) and all(a in (None, b) for a, b in zip(shape, found, strict=True)), name
        kind = re.search(r"float32|float64|bool", rows[name].split("|")[1])
        assert kind is None or array.dtype == kind[0], name
        assert name in import_module("limbik.files.npz.training_arrays").__doc__


def test_every_layout_is_in_the_table():
    rows = [row for row in PAGE.splitlines() if row.startswith("| `")]
    for layout in LAYOUTS:
        (row,) = (row for row in rows if f'`"{layout.name}"`' in row)
        numbers = list(map(float, re.findall(r"\d+(?:\.\d+)?", row.replace("humanml3d", ""))))
        assert layout.rows in numbers and layout.fps in numbers


def test_what_it_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    walk = limbik.samples.walk(160)
    limbik.save(walk, "walk.bvh")
    limbik.save(walk, "character.glb")
    wave = np.sin(np.linspace(0.0, 9.0, 40))[:, None, None] * np.random.default_rng(0).normal(size=(22, 3))
    np.save("joints.npy", limbik.fit(wave + np.arange(22)[:, None] * [0.0, 0.07, 0.01], "humanml3d").positions())
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    space = {}
    exec(blocks[0].replace("limbik.write_page", "# limbik.write_page"), space)
    space["positions"] = space["positions"][:, :9]
    for block in blocks[1:]:
        exec(block, space)
    assert space["window"].start == 1.5 and len(space["window"]) == 60
