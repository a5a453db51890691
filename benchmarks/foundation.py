"""The first numbers that a user asks for: one solve, a million solves, start-up. Prints a Markdown table.

Run: python benchmarks/foundation.py
"""

import subprocess
import sys
import time

import numpy as np

import limbik
from limbik.engines import choice, threads


def best(work, repeats=7, number=1):
    """Seconds of the fastest of some repeats: the one that other programs disturbed least."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            work()
        times.append((time.perf_counter() - start) / number)
    return min(times)


def one_solve():
    leg, arm = limbik.ThreeLink(0.45, 0.42, 0.12), limbik.PlanarTwoLink(0.5, 0.4)
    leg_time = best(lambda: leg.solve([0.2, -0.6, 0.3], [0.0, -1.0, 0.0]).joints, number=5000)
    arm_time = best(lambda: arm.solve([0.6, 0.3]).joints, number=5000)
    yield "one three-link solve from lists, joints read", f"{leg_time * 1e6:.1f} µs"
    yield "one planar solve from lists, joints read", f"{arm_time * 1e6:.1f} µs"


def a_million_solves():
    rng = np.random.default_rng(0)
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = rng.uniform(-0.5, 0.5, (1_000_000, 3)), rng.normal(size=(1_000_000, 3))

    def seconds(engine, answer):
        with choice.use(engine):
            return best(lambda: getattr(leg.solve(target, up), answer), repeats=5)

    for answer in ("joints", "angles"):
        with threads.at_most(1):
            eager, compiled = seconds("numpy", answer), seconds("numba", answer)
        spread = seconds("numba", answer)
        yield (
            f"a million three-link {answer}, float64, (N, 3) arrays",
            f"{1 / compiled:.0f} M/s on one core, {eager / compiled:.1f} × NumPy eager ({1 / eager:.1f} M/s); "
            f"{1 / spread:.0f} M/s on all, {eager / spread:.1f} ×",
        )


def start_up():
    def seconds(program):
        return best(lambda: subprocess.run([sys.executable, "-c", program], check=True))

    empty = seconds("import numpy")
    yield "import limbik, beyond import numpy", f"{(seconds('import limbik') - empty) * 1e3:.0f} ms"
    solve = [sys.executable, "-m", "limbik", "solve", "planar", "--lengths", "1", "1", "--target", "1", "1"]
    taken = best(lambda: subprocess.run(solve, check=True, stdout=subprocess.DEVNULL))
    yield "`limbik solve`, from the shell", f"{taken:.2f} s"


def main():
    print("| what | measured |\n| --- | --- |")
    for section in (one_solve, a_million_solves, start_up):
        for what, measured in section():
            print(f"| {what} | {measured} |", flush=True)


if __name__ == "__main__":
    main()
