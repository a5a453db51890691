"""The first calls of a loop in a new process: how fast it is over time, and when its kernel is there.

`python benchmarks/first_calls.py` prints a table, for an empty cache of kernels and for one that holds the kernel.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

TARGETS = 1000
QUARTER_SECOND = 0.25
MAX_SECONDS = 10.0
AFTER_SECONDS = 1.0  # how long the loop goes on once its kernel is there
KERNEL_SPEED = 4.0  # calls that are so many times as fast as the first twenty run on a kernel


def rows() -> list[dict[str, Any]]:
    """A row for a process in which nothing was compiled before, and one for a kernel on disk."""
    with tempfile.TemporaryDirectory(prefix="limbik-benchmark-") as folder:
        found = [{"process": "nothing compiled before", **_child("loop", folder)}]
        _child("warm-up", folder)
        return [*found, {"process": "kernel on disk", **_child("loop", folder)}]


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the table."""
    kernel = row["kernel_after"]
    return {
        "new process": row["process"],
        "first call": f"{1e3 * row['first']:.1f} ms",
        "longest call": f"{1e3 * row['longest']:.1f} ms",
        "last call": f"{1e3 * row['last']:.3f} ms",
        "calls in the first 1/4 s": round(row["quarters"][0]),
        "slowest later 1/4 s, of the first": f"{row['slowest']:.2f}",
        "kernel there after": "not" if kernel is None else f"{kernel:.2f} s",
        "speed of each 1/4 s, of the first": " ".join(
            f"{n / _first(row['quarters']):.2g}" for n in row["quarters"][:16]
        ),
    }


def _child(job: str, cache: str) -> dict[str, Any]:
    settings = {**os.environ, "LIMBIK_CACHE": cache, "XDG_CACHE_HOME": cache}
    done = subprocess.run([sys.executable, __file__, job], env=settings, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout or "{}")


def _loop() -> dict[str, Any]:
    """Solves until the kernel is there, and a while longer."""
    import limbik

    random = np.random.default_rng(0)
    leg, target, up = limbik.ThreeLink(0.45, 0.42, 0.12), random.uniform(-0.5, 0.5, (TARGETS, 3)), np.ones((TARGETS, 3))
    begun = perf_counter()
    ends, kernel = [begun], None
    while ends[-1] - begun < (MAX_SECONDS if kernel is None else kernel + AFTER_SECONDS):
        _ = leg.solve(target, up=up).joints
        ends.append(perf_counter())
        if kernel is None and np.median(np.diff(ends[-10:])) < np.median(np.diff(ends[:20])) / KERNEL_SPEED:
            kernel = ends[-10] - begun
    times = np.diff(ends)
    quarters = np.bincount(((np.array(ends[1:]) - begun) / QUARTER_SECOND).astype(int))[:-1].tolist()
    return {
        "first": times[0],
        "longest": times.max(),
        "last": float(np.median(times[-100:])),
        "quarters": quarters,  # calls in each quarter of a second
        "slowest": min(quarters[1:]) / _first(quarters),
        "kernel_after": kernel,
    }


def _first(quarters: list[int]) -> int:
    """Calls in the first quarter of a second; on a busy machine the first of all may take longer."""
    return max(quarters[0], 1)


def _warm_up() -> dict[str, Any]:
    import limbik

    with limbik.warm_up():
        _ = limbik.ThreeLink(0.45, 0.42, 0.12).solve(np.full((TARGETS, 3), 0.3), up=np.ones((TARGETS, 3))).joints
    return {}


def main() -> None:
    """Prints the table, or what a child found."""
    if sys.argv[1:]:
        print(json.dumps({"loop": _loop, "warm-up": _warm_up}[sys.argv[1]]()))
        return
    from report import machine, table

    print(f"Measured on: {machine()}.\n\n{table([shown(row) for row in rows()])}")


if __name__ == "__main__":
    main()
