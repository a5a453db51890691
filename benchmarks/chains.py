"""Prints the tables of docs/chains.md: `python -m benchmarks.chains [--targets 1000000]`, in the repository's root.

A million random and hostile targets for chains of 2 to 64 links; FABRIK and CCD on the same ten thousand targets; and
how long a chain of eight links takes.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

import limbik
from limbik.bench.machine import machine, sentence
from limbik.engines import dispatch, threads
from tests import reference
from tests.limbs.chain_cases import hostile_lengths, reachable, turning
from tests.limbs.iterative_peers import ccd, fabrik

LENGTHS = np.array([0.2, 0.18, 0.16, 0.14, 0.12, 0.1, 0.06, 0.04])
COMPARED = 10_000
NUDGE = 1e-4  # of the chain's length: the small change of a target


def every_target(targets: int) -> None:
    """Chains of every number of links: what they miss, and whether status and residual say so."""
    print(f"\n{targets:,} targets, a third of them out of reach:\n")
    print("| links | targets | not finite | largest miss within reach | largest change of a length | wrong status |")
    print("| --- | --- | --- | --- | --- | --- |")
    counts = range(2, 65)
    groups = [(2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64)]
    rows = {links: -(-targets // len(counts)) for links in counts}
    for first, last in groups:
        total, lost, miss, change, wrong = 0, 0, 0.0, 0.0, 0
        for links in range(first, last + 1):
            rng = np.random.default_rng(links)
            lengths = hostile_lengths(rng, links, rows[links])
            target = reachable(rng, lengths)
            beyond = rng.random(len(target)) < 1 / 3
            target[beyond] *= 10.0 ** rng.uniform(-3, 3, (beyond.sum(), 1))
            distance = np.linalg.norm(target, axis=-1)
            far, near = lengths.sum(-1), np.maximum(2 * lengths.max(-1) - lengths.sum(-1), 0)
            within = (distance <= far) & (distance >= near)
            with dispatch.use("numpy"):
                s = limbik.NLink(lengths).solve(target, reference.random_directions(rng, len(target)))
                joints, status, residual = s.joints, s.status, s.residual
            gap = np.linalg.norm(joints[:, -1] - target, axis=-1)
            total += len(target)
            lost += int((~np.isfinite(joints)).any(axis=(1, 2)).sum())
            miss = max(miss, gap[within].max())
            change = max(change, np.abs(reference.link_lengths(joints) - lengths).max())
            clear = np.minimum(np.abs(distance - far), np.abs(distance - near)) > 1e-12
            expected = np.where(within, 0, np.where(distance > far, 1, 2))
            wrong += int(((status != expected) & clear).sum() + (np.abs(gap - residual) > 1e-12 * (1 + distance)).sum())
        name = str(first) if first == last else f"{first}–{last}"
        print(f"| {name} | {total:,} | {lost} | {miss:.1e} | {change:.1e} | {wrong} |")


def beside() -> None:
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
    print(f"\n{COMPARED:,} targets within reach of eight links; lengths in units of the chain's:\n")
    print("| solver | miss, mean / largest | iterations, mean / most | targets with bends of both signs | ", end="")
    print(f"way of the joints for {NUDGE:g} of the target, median / 99 % / largest | way for another start, median |")
    print("| --- | --- | --- | --- | --- | --- |")
    chain = limbik.NLink(LENGTHS)

    def closed(_: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return chain.solve(goal, pole).joints, np.zeros(COMPARED)

    solvers = {"limbik `NLink`": closed}
    for tolerance, most in ((1e-3, 100), (1e-6, 500)):
        solvers[f"FABRIK, tolerance {tolerance:g}"] = lambda a, b, t=tolerance, m=most: fabrik(a, b, t, m)
        solvers[f"CCD, tolerance {tolerance:g}"] = lambda a, b, t=tolerance, m=most: ccd(a, b, t, m)
    for name, solve in solvers.items():
        (joints, steps), (others, _) = solve(start, target), solve(start, near)
        elsewhere, _ = solve(solve(start, target[::-1])[0], target)  # from the pose for another target
        miss = np.linalg.norm(joints[:, -1] - target, axis=-1)
        bends = turning(joints)
        mixed = (bends.min(-1) < -0.01) & (bends.max(-1) > 0.01)
        way = np.linalg.norm(joints - others, axis=-1).max(-1)
        spread = f"{np.median(way):.1e} / {np.quantile(way, 0.99):.1e} / {way.max():.1e}"
        apart = np.median(np.linalg.norm(joints - elsewhere, axis=-1).max(-1))
        steps_shown = f"{steps.mean():.0f} / {steps.max():.0f}" if steps.any() else "none"
        missed = f"{miss.mean():.1e} / {miss.max():.1e}"
        print(f"| {name} | {missed} | {steps_shown} | {mixed.mean():.0%} | {spread} | {apart:.1g} |")


def speed() -> None:
    """Chains of eight links: batches on one core, and one at a time."""
    rng = np.random.default_rng(1)
    rows = 200_000
    target = reference.random_directions(rng, rows) * rng.uniform(0, 0.99, (rows, 1))
    print("\n| chain of eight links | batches, millions a second on one core | one solve, µs |")
    print("| --- | --- | --- |")
    for name, lengths in {"equal lengths": np.full(8, 0.125), "those above": LENGTHS}.items():
        chain = limbik.NLink(lengths)
        with dispatch.use("numba"), threads.at_most(1):
            s = chain.solve(target)
            _ = s.joints
            batch = []
            for _ in range(20):
                begun = perf_counter()
                s = chain.solve(target, out=s)
                _ = s.joints
                batch.append(perf_counter() - begun)
        one = []
        for goal in target[:5000].tolist():
            begun = perf_counter()
            _ = chain.solve(goal).joints
            one.append(perf_counter() - begun)
        print(f"| {name} | {rows / min(batch) / 1e6:.1f} | {min(one) * 1e6:.1f} (median {np.median(one) * 1e6:.1f}) |")


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=1_000_000)
    targets = parser.parse_args().targets
    print(sentence(machine()))
    every_target(targets)
    beside()
    speed()


if __name__ == "__main__":
    main()
