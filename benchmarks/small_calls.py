"""The time of small calls as games make them, in docs/performance.md.

Run it from the root of a clone, on a quiet machine: python benchmarks/small_calls.py
"""

import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import limbik
from limbik.bench.machine import machine, sentence
from limbik.bench.rig_rows import four_limbs

PAGE = Path("docs/performance.md")
BEGIN, END = "<!-- benchmarks/small_calls.py: begin -->", "<!-- benchmarks/small_calls.py: end -->"
ROWS = 1_000
SECONDS = 2.0  # for one figure


def best(work: Callable[[], Any]) -> float:
    """Seconds of the thread's processor for the best call, kernels loaded."""
    with limbik.warm_up():
        for _ in range(3):
            work()
    least, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.thread_time()
        for _ in range(20):
            work()
        least = min(least, (time.thread_time() - start) / 20)
    return least


def frame_by_frame(limbs: int) -> Callable[[], Any]:
    """A track that each call continues by one frame; its joints are read."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    rng = np.random.default_rng(1)
    target, up = rng.normal(size=(1, limbs, 3)) * 0.3, rng.normal(size=(limbs, 3))
    last: list[Any] = [None, 0.0]

    def work() -> Any:
        last[1] += 1e-5
        last[0] = leg.track(target + last[1], up, previous=last[0])
        return last[0].joints

    return work


def main() -> None:
    """Measures, and writes the table."""
    rng = np.random.default_rng(0)
    arm = limbik.TwoLink(0.45, 0.42)
    target, pole = (rng.normal(size=(ROWS, 3)).astype("float32") * 0.3 for _ in range(2))
    rotations = best(lambda: arm.solve(target, pole).rotations)
    rows = {f"{ROWS:,} two-link rotations, float32 ({ROWS / rotations / 1e6:.0f} M/s)": rotations}
    rows["`reach` with four limbs, one pose"] = best(four_limbs())
    for limbs in (1, 4, ROWS):
        rows[f"a track of {limbs:,} three-link limb{'s'[: limbs - 1]}, one frame, joints"] = best(frame_by_frame(limbs))
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        leg = limbik.ThreeLink(0.45, 0.42, 0.12)
        for count in (1, ROWS):
            given = [torch.randn(count, 3, dtype=torch.float64) * 0.3 for _ in range(2)]
            rows[f"{count:,} three-link joints, torch on the CPU"] = best(lambda given=given: leg.solve(*given).joints)
    table = "\n".join(f"| {job} | {1e6 * seconds:.1f} µs |" for job, seconds in rows.items())
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    text = f"Measured on: {sentence(machine())}.\n\n| call | time |\n| --- | ---: |\n{table}"
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
