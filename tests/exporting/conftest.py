"""limbik's own answers, which the tests of all languages compare with, and the npm package."""

import fcntl
import os
from pathlib import Path

import numpy as np
import pytest

import limbik
from tests.exporting import rows
from tests.exporting.toolchains import tool

NODE = Path(__file__).parent / "node"


@pytest.fixture(scope="session")
def web_package():
    """The npm package among the modules of the tests, where three.js is."""
    tool("node")
    modules = NODE / "node_modules"
    if not (modules / "three").is_dir():
        reason = "three.js is missing: npm install --no-package-lock --prefix tests/exporting/node"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    folder = modules / "limbik-ik"
    limbik.export("web").write(folder)
    return folder


@pytest.fixture(scope="session")
def answers(tmp_path_factory):
    """A function from a case, a number type and a library of elementary functions to limbik's own answers.

    They take longer to compute than exported code: all processes of the tests share them.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "answers"
    folder.mkdir(exist_ok=True)

    def find(case: rows.Case, dtype: np.dtype, library: str) -> np.ndarray:
        path = folder / f"{case.name}-{dtype}-{library if dtype == np.float32 else 'c'}.npy"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                np.save(path, np.asarray(computed(case, dtype, library), dtype))
        return np.load(path)

    return find


def computed(case: rows.Case, dtype: np.dtype, library: str) -> np.ndarray:
    """limbik's own answers for the rows, or along the paths, of a case."""
    with rows.elementary_functions(dtype, library):
        if "track" in case.options:
            return rows.tracked(case, rows.paths(case, rows.PATHS, rows.FRAMES, dtype))
        return rows.answers(case, rows.inputs(case, rows.ROWS, dtype))
