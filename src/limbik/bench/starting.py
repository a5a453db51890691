"""What is waited for once: imports, the shell, and the first call with and without compiled kernels on disk."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from typing import Any

from limbik.bench.children import seconds_of, told_by

SHELL = ["-m", "limbik", "solve", "planar", "--lengths", "1", "1", "--target", "1", "1"]
# In a new process: Numba's own import, the first answer, and the same again.
FIRST_CALL = """
import json, time
from limbik.bench.cases import Case, Inputs
from limbik.bench.measured_limbs import KINDS
from limbik.engines import dispatch
inputs = Inputs.of(Case({limb!r}, {answer!r}, {dtype!r}, "component-major", 1000))
solve = KINDS[{limb!r}].make().solve
def call():
    start = time.perf_counter()
    with dispatch.use("numba"):
        solve(*inputs.arrays).{answer}
    return time.perf_counter() - start
start = time.perf_counter()
import numba
imported = time.perf_counter() - start
print(json.dumps({{"numba_import": imported, "call": call(), "again": call()}}))
"""


def import_rows(repeats: int) -> list[dict[str, Any]]:
    """Seconds to import limbik, beyond those for NumPy, and for one solve from the shell."""
    numpy, limbik, shell = [], [], []
    for _ in range(repeats + 1):  # in turns; the first of each fills the disk's cache
        numpy.append(seconds_of(["-c", "import numpy"]))
        limbik.append(seconds_of(["-c", "import limbik"]))
        shell.append(seconds_of(SHELL))
    beyond = [both - alone for both, alone in zip(limbik[1:], numpy[1:], strict=True)]
    return [
        {"what": "import limbik, beyond import numpy", "seconds": statistics.median(beyond)},
        {"what": "`limbik solve` from the shell", "seconds": statistics.median(shell[1:])},
    ]


def first_call_rows(works: Sequence[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Seconds of the first call of Numba's kernels, (limb, answer, dtype) each, compiled now and found on disk."""
    rows = []
    for limb, answer, dtype in works:
        program = FIRST_CALL.format(limb=limb, answer=answer, dtype=dtype)
        with tempfile.TemporaryDirectory(prefix="limbik-bench-") as folder:
            cold, warm = (told_by(program, {"LIMBIK_CACHE": folder}) for _ in range(2))
        rows.append({"limb": limb, "answer": answer, "dtype": dtype, "cold": cold, "warm": warm})
    return rows
