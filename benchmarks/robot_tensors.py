"""Robot limbs on tensors of a device, or of the CPU where there is none: solves per second, and how many are reached.

`python benchmarks/robot_tensors.py [--rows 4194304]`. float64; poses are made from random angles within limits by the
limb's forward kinematics. "near": from angles within 0.05 radians of those; "none": without angles to be near.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import torch
from report import Row, machine, table
from robot_paths import LAB, random_angles

import limbik
from tests.robots.robot_files import menagerie

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
APART = 0.05  # radians between the angles of a pose and those given as `near`
REPEATS = 5


def seconds(work: Callable[[], Any]) -> float:
    """Seconds of a call, the best of several."""
    wait = torch.cuda.synchronize if DEVICE == "cuda" else lambda: None
    with limbik.warm_up():
        work()
    times = []
    for _ in range(REPEATS):
        wait()
        began = perf_counter()
        work()
        wait()
        times.append(perf_counter() - began)
    return min(times)


def measure(name: str, rows: int) -> list[Row]:
    """The rows of one limb's table."""
    path, tip, base = LAB[name]
    limb: Any = limbik.Robot.load(menagerie(path)).limb(tip, base)
    angles = random_angles(limb.chain, rows)
    close = np.clip(angles + np.random.default_rng(1).uniform(-APART, APART, angles.shape), limb.lower, limb.upper)
    position, rotation = limb.forward(torch.tensor(angles, device=DEVICE))
    found: list[Row] = []
    for given, near in (("near", torch.tensor(close, device=DEVICE)), ("none", None)):
        solution = limb.solve(position, rotation, near)
        reached = (solution.status == limbik.Status.REACHED).double().mean().item()
        miss = solution.residual[solution.status == limbik.Status.REACHED].max().item()
        time = seconds(lambda near=near: limb.solve(position, rotation, near).angles)
        found.append(
            {"limb": name, "given": given, "reached": f"{reached:.2%}", "largest miss": f"{miss:.0e} m"}
            | {"million poses a second": round(rows / time / 1e6, 2)}
        )
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1 << 22 if DEVICE == "cuda" else 1 << 14, help="poses of a call")
    parser.add_argument("--named", default="", help="only limbs whose names contain this")
    given = parser.parse_args()
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "the CPU"
    print(f"Measured on: {machine()}; {device}; {given.rows:,} poses.")
    for name in LAB:
        if given.named in name:
            print(table(measure(name, given.rows), name), flush=True)


if __name__ == "__main__":
    main()
