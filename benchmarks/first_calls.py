"""The longest of the first thousand calls of a loop of 1,000 targets: `python benchmarks/first_calls.py`.

Each loop runs in a new process: with an empty cache, so that its kernel is compiled meanwhile, and with the kernel on
disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import perf_counter

import numpy as np

import limbik
from limbik.bench.machine import machine, sentence

CALLS, TARGETS = 1000, 1000


def loop() -> None:
    """Prints the first call's time, the longest and the last, in milliseconds."""
    leg, random = limbik.ThreeLink(0.45, 0.42, 0.12), np.random.default_rng(0)
    target, up = random.uniform(-0.5, 0.5, (TARGETS, 3)), random.normal(size=(TARGETS, 3))
    times = []
    for _ in range(CALLS):
        started = perf_counter()
        _ = leg.solve(target, up=up).joints
        times.append(1e3 * (perf_counter() - started))
    print(times[0], max(times), times[-1])


def warm_up() -> None:
    """Compiles the kernel of that loop, which is on disk afterwards."""
    with limbik.warm_up():
        _ = limbik.ThreeLink(0.45, 0.42, 0.12).solve(np.full((5, 3), 0.3), up=np.ones((5, 3))).joints


def _run(job: str, cache: str) -> list[float]:
    settings = {**os.environ, "LIMBIK_CACHE": cache}
    done = subprocess.run([sys.executable, __file__, job], env=settings, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    """Prints a table."""
    if sys.argv[1:]:
        {"loop": loop, "warm-up": warm_up}[sys.argv[1]]()
        return
    with tempfile.TemporaryDirectory() as cache:
        rows = {"nothing compiled before": _run("loop", cache)}
        _run("warm-up", cache)
        rows["kernel on disk"] = _run("loop", cache)
    print(f"Measured on: {sentence(machine())}.\n")
    print("| new process | first call | longest call | last call |\n| --- | ---: | ---: | ---: |")
    for name, (first, longest, last) in rows.items():
        print(f"| {name} | {first:.1f} ms | {longest:.1f} ms | {last:.3f} ms |")


if __name__ == "__main__":
    main()
