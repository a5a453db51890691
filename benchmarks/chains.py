"""Chains of many links: `python benchmarks/chains.py [--targets 1000000]` prints the tables of docs/chains.md.

A million random and hostile targets for chains of 2 to 64 links; FABRIK and CCD on the same ten thousand targets; and
how long a chain of eight links takes.
"""

from __future__ import annotations

import argparse

import numpy as np
from report import machine, table
from timing import Effort, round_robin

import limbik
from limbik.engines import dispatch
from tests import reference
from tests.limbs.chain_cases import hostile_lengths, reachable, turning
from tests.limbs.iterative_peers import ccd, fabrik

LENGTHS = np.array([0.2, 0.18, 0.16, 0.14, 0.12, 0.1, 0.06, 0.04])
COMPARED, BATCH = 10_000, 200_000  # targets
NUDGE = 1e-4  # of the chain's length: the small change of a target


def every_target(targets: int) -> list[dict[str, str]]:
    """Chains of every number of links: what they miss, and whether status and residual say so."""
    table_rows, each = [], -(-targets // 63)
    for first, last in ((2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64)):
        lost, miss, change, wrong = 0, 0.0, 0.0, 0
        for links in range(first, last + 1):
            rng = np.random.default_rng(links)
            lengths = hostile_lengths(rng, links, each)
            target = reachable(rng, lengths)
            beyond = rng.random(len(target)) < 1 / 3
            target[beyond] *= 10.0 ** rng.uniform(-3, 3, (beyond.sum(), 1))
            distance = np.linalg.norm(target, axis=-1)
            far, near = lengths.sum(-1), np.maximum(2 * lengths.max(-1) - lengths.sum(-1), 0)
            within = (distance <= far) & (distance >= near)
            with dispatch.use("numpy"):  # 63 kernels take longer to compile
                s = limbik.NLink(lengths).solve(target, reference.random_directions(rng, len(target)))
                joints, status, residual = s.joints, s.status, s.residual
            gap = np.linalg.norm(joints[:, -1] - target, axis=-1)
            lost += int((~np.isfinite(joints)).any(axis=(1, 2)).sum())
            miss = max(miss, gap[within].max())
            change = max(change, np.abs(reference.link_lengths(joints) - lengths).max())
            clear = np.minimum(np.abs(distance - far), np.abs(distance - near)) > 1e-12
            expected = np.where(within, 0, np.where(distance > far, 1, 2))
            wrong += int(((status != expected) & clear).sum())
            wrong += int((np.abs(gap - residual) > 1e-12 * (1 + distance)).sum())
        row = {"links": str(first) if first == last else f"{first}–{last}", "targets": each * (last - first + 1)}
        row |= {"not finite": lost, "largest miss within reach": f"{miss:.1e}"}
        table_rows.append(row | {"largest change of a length": f"{change:.1e}", "wrong status": wrong})
    return table_rows


def compared() -> list[dict[str, str]]:
    """FABRIK and CCD, from a straight chain, on the same targets."""
    rng = np.random.default_rng(0)
    target = reference.random_directions(rng, COMPARED) * rng.uniform(0.02, 0.999, (COMPARED, 1))
    near = target + NUDGE * reference.random_directions(rng, COMPARED)
    aim = target / np.linalg.norm(target, axis=-1, keepdims=True)
    pole = np.cross(aim, reference.random_directions(rng, COMPARED))
    pole = pole / np.linalg.norm(pole, axis=-1, keepdims=True) + 0.5 * aim  # 63 degrees from the line to the target
    line = np.concatenate([[0.0], np.cumsum(LENGTHS)])
    start = np.tile(line[:, None] * [0.0, 0.0, 1.0] + 1e-3 * rng.normal(size=(9, 3)), (COMPARED, 1, 1))
    for k, length in enumerate(LENGTHS):  # a chain of these lengths, nearly straight
        way = start[:, k + 1] - start[:, k]
        start[:, k + 1 :] += (way / np.linalg.norm(way, axis=-1, keepdims=True) * length - way)[:, None]
    chain = limbik.NLink(LENGTHS)
    solvers = {"limbik `NLink`": lambda _, goal: (chain.solve(goal, pole).joints, np.zeros(COMPARED))}
    for tolerance, most in ((1e-3, 100), (1e-6, 500)):
        solvers[f"FABRIK, tolerance {tolerance:g}"] = lambda a, b, t=tolerance, m=most: fabrik(a, b, t, m)
        solvers[f"CCD, tolerance {tolerance:g}"] = lambda a, b, t=tolerance, m=most: ccd(a, b, t, m)
    rows = []
    for name, solve in solvers.items():
        (joints, steps), (others, _) = solve(start, target), solve(start, near)
        elsewhere, _ = solve(solve(start, target[::-1])[0], target)  # from the pose for another target
        miss = np.linalg.norm(joints[:, -1] - target, axis=-1)
        bends = turning(joints)
        mixed = (bends.min(-1) < -0.01) & (bends.max(-1) > 0.01)
        way = np.linalg.norm(joints - others, axis=-1).max(-1)
        spread = f"{np.median(way):.1e} / {np.quantile(way, 0.99):.1e} / {way.max():.1e}"
        apart = np.median(np.linalg.norm(joints - elsewhere, axis=-1).max(-1))
        row = {"solver": name, "miss, mean / largest": f"{miss.mean():.1e} / {miss.max():.1e}"}
        row["iterations, mean / most"] = f"{steps.mean():.0f} / {steps.max():.0f}" if steps.any() else "none"
        row["targets with bends of both signs"] = f"{mixed.mean():.0%}"
        row[f"way of the joints for {NUDGE:g} of the target, median / 99 % / largest"] = spread
        rows.append({**row, "way for another start, median": f"{apart:.1g}"})
    return rows


def speed() -> list[dict[str, str]]:
    """Chains of eight links: a batch, by the time of its processors, and one solve at a time."""
    rng = np.random.default_rng(1)
    target = reference.random_directions(rng, BATCH) * rng.uniform(0, 0.99, (BATCH, 1))
    rows = []
    for name, lengths in {"equal lengths": np.full(8, 0.125), "those above": LENGTHS}.items():
        solve, goal = limbik.NLink(lengths).solve, target[0].tolist()
        with limbik.warm_up():
            _ = solve(target).joints
        works = {"batch": lambda solve=solve: solve(target).joints, "one": lambda s=solve, g=goal: s(g).joints}
        cpu = {which: found["cpu"] for which, found in round_robin(works, Effort(2.0)).items()}
        row = {"chain of eight links": name, "batches, millions a second of a core": BATCH / cpu["batch"] / 1e6}
        rows.append({**row, "one solve, µs": 1e6 * cpu["one"]})
    return rows


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=1_000_000)
    targets = parser.parse_args().targets
    print(f"Measured on: {machine()}.\n\n{targets:,} targets, a third of them out of reach:\n")
    print(table(every_target(targets)))
    print(f"\n{COMPARED:,} targets within reach of eight links; lengths in units of the chain's:\n")
    print(f"{table(compared())}\n\n{table(speed())}")


if __name__ == "__main__":
    main()
