"""Files whose names are no UTF-8: every command reads and writes them, and says their names."""

import io
import json
import os
import re
import sys

import numpy as np
import pytest

import limbik
from limbik.cli import main

from .command import ARM

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="file names elsewhere are Unicode")

NAME = os.fsdecode(b"caf\xe9")
COMMANDS = {  # {0} begins the names of files that are there, {1} of those that are made, and the latter
    "info": ("info {0}.bvh {0}.glb {0}.gltf", []),
    "info for programs": ("info {0}.bvh --json", []),
    "convert": ("convert {0}.bvh {1}.glb", [".glb"]),
    "convert back": ("convert {0}.glb {1}.bvh", [".bvh"]),
    "ground": ("ground {0}.bvh {0}bad.bvh --terrain {0}.npy --out {1} --html --report {1}.html", ["", ".html"]),
    "solve": (f"solve two-link {ARM} --targets {{0}}.csv --out {{1}}.csv", [".csv"]),
    "walk": ("walk hexapod --seconds 0.5 --terrain {0}.npy --out {1}.glb", [".glb", ".html"]),
    "plot": ("plot gait {0}.bvh --out {1}.png", [".png"]),
    "export": ("export two-link --to c --out {1}.h", [".h"]),
    "no such file": ("info {0}none.bvh", []),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    for suffix in (".bvh", ".glb", ".gltf"):
        limbik.save(limbik.samples.walk(40), folder / f"{NAME}{suffix}")
    (folder / f"{NAME}bad.bvh").write_text("rubbish")
    (folder / f"{NAME}.csv").write_text("x,y,z\n0.1,-0.2,0.3\n1,2,oops\n")
    np.save(folder / f"{NAME}.npy", np.zeros((50, 50)))
    return folder


@pytest.mark.parametrize(
    ("name", "encoding"), [*((name, "utf-8") for name in COMMANDS), ("info", "ascii"), ("solve", "ascii")]
)
def test_every_command_says_the_name(folder, tmp_path, monkeypatch, name, encoding):
    line, made = COMMANDS[name]
    out, err = io.BytesIO(), io.BytesIO()
    for stream, to, errors in (("stdout", out, "strict"), ("stderr", err, "backslashreplace")):  # as Python has them
        monkeypatch.setattr(sys, stream, io.TextIOWrapper(to, encoding, errors, write_through=True))
    status = main(line.format(folder / NAME, tmp_path / NAME).split())
    told = (out.getvalue() + err.getvalue()).decode()
    assert status == (2 if "none" in line or "bad" in line else 0), told
    assert re.search(r"caf(\\udce9|\\ufffd|\ufffd)", told), told
    assert all((tmp_path / f"{NAME}{suffix}").exists() for suffix in made)


def test_pages_and_files_have_the_name_as_unicode(folder):
    clip = limbik.load(folder / f"{NAME}.bvh")
    assert clip.name == r"caf\udce9"
    limbik.save(clip, folder / "walk.gltf")
    assert json.loads((folder / "walk.gltf").read_bytes())["animations"][0]["name"] == r"caf\udce9"
    limbik.write_page(clip.with_(name=NAME), folder / "walk.html")
    assert r"<title>caf\udce9" in (folder / "walk.html").read_text("utf-8")
