"""limbik's own answers, which the tests of all languages compare with."""

import fcntl
import os

import numpy as np
import pytest

from tests.exporting import rows


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
