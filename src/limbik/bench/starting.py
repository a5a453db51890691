"""Start-up times: imports, the command line, and the first call with and without compiled kernels on disk."""

from __future__ import annotations

import statistics
import tempfile
from typing import Any

from limbik.bench.children import output_of, seconds_of

SHELL = ["-m", "limbik", "solve", "planar", "--lengths", "1", "1", "--target", "1", "1"]
# Runs in a new process: times the import of Numba, the first call and the second.
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
    """Seconds to import limbik beyond importing NumPy, and for one solve from the command line."""
    numpy, limbik, shell = [], [], []
    for _ in range(repeats + 1):  # alternating; the first of each only fills the file cache
        numpy.append(seconds_of(["-c", "import numpy"]))
        limbik.append(seconds_of(["-c", "import limbik"]))
        shell.append(seconds_of(SHELL))
    beyond = [both - alone for both, alone in zip(limbik[1:], numpy[1:], strict=True)]
    return [
        {"what": "import limbik, beyond import numpy", "seconds": statistics.median(beyond)},
        {"what": "`limbik solve` from the shell", "seconds": statistics.median(shell[1:])},
    ]


def first_call_row(limb: str, answer: str, dtype: str) -> dict[str, Any]:
    """Seconds of the first call of a Numba kernel: compiled, and loaded from disk."""
    program = FIRST_CALL.format(limb=limb, answer=answer, dtype=dtype)
    with tempfile.TemporaryDirectory(prefix="limbik-bench-") as folder:
        cold, warm = (output_of(program, {"LIMBIK_CACHE": folder}) for _ in range(2))
    return {"limb": limb, "answer": answer, "dtype": dtype, "cold": cold, "warm": warm}
