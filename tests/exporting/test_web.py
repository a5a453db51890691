"""The npm package: its three.js components pose the bones of a SkinnedMesh, and its types hold."""

import json

import numpy as np

from tests.exporting.conftest import NODE
from tests.exporting.toolchains import run, tool


def test_bones_of_a_skinned_mesh_reach(web_package):
    lines = [line.split() for line in run(tool("node"), NODE / "trial.js").splitlines()]
    for name in ("arm", "leg", "tail", "look"):
        errors = np.array([line[1:] for line in lines if line[0] == name], float)
        assert len(errors) == 200
        assert errors.max() < 1e-7, (name, errors.max(axis=0))
        assert np.median(errors, axis=0).max() < 1e-14
    (_, _, _, worst, _), (_, _, median, _, _) = [line for line in lines if line[0] == "beside"]
    assert float(worst) < 1e-7 < float(median)  # exact, where an iterative solver is not


def test_types(web_package):
    flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    run(tool("node"), NODE / "node_modules" / "typescript" / "bin" / "tsc", *flags, NODE / "types.ts", cwd=NODE)


def test_every_file_that_the_manifest_names_exists(web_package):
    manifest = json.loads((web_package / "package.json").read_text())
    for entry in manifest["exports"].values():
        assert all((web_package / path).is_file() for path in entry.values())
