"""The npm package: its three.js components pose the bones of a SkinnedMesh, and its types hold."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import limbik
from tests.exporting.toolchains import run, tool

HERE = Path(__file__).parent / "node"


@pytest.fixture(scope="module")
def package():
    """The package among the modules of the tests, where three.js is."""
    tool("node")
    modules = HERE / "node_modules"
    if not (modules / "three").is_dir():
        reason = "three.js is missing: npm install --no-package-lock --prefix tests/exporting/node"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    folder = modules / "limbik-ik"
    limbik.export("web").write(folder)
    return folder


def test_bones_of_a_skinned_mesh_reach(package):
    lines = [line.split() for line in run(tool("node"), HERE / "trial.js").splitlines()]
    for name in ("arm", "leg", "tail", "look"):
        errors = np.array([line[1:] for line in lines if line[0] == name], float)
        assert len(errors) == 200
        assert errors.max() < 1e-7, (name, errors.max(axis=0))
        assert np.median(errors, axis=0).max() < 1e-14
    (_, _, _, worst, _), (_, _, median, _, _) = [line for line in lines if line[0] == "beside"]
    assert float(worst) < 1e-7 < float(median)  # exact, where an iterative solver is not


def test_types(package):
    flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    run(tool("node"), HERE / "node_modules" / "typescript" / "bin" / "tsc", *flags, HERE / "types.ts", cwd=HERE)


def test_every_file_that_the_manifest_names_exists(package):
    manifest = json.loads((package / "package.json").read_text())
    for entry in manifest["exports"].values():
        assert all((package / path).is_file() for path in entry.values())
