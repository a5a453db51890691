"""Batches: rates beside a memory copy and NumPy, and the curve, the time of a call from one target to millions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from limb_calls import LIMBS, LIST, NUMBERS, Array, call, copy, inputs, limb, numpy_joints
from peers import eaik_leg, leg, quiet
from report import Row, cores, installed
from timing import Effort, Work, round_robin

import limbik

DTYPES = ("float64", "float32")
MAX_LIST_ROWS = 10_000  # nobody passes longer lists
MAX_SINGLE_ROWS = 1_000  # or solves more targets one by one
MAX_NUMPY_ROWS = 1_000_000
NUMBERS_PER_ROW = 50  # at most: inputs, two answers, a copy
LISTS, ARRAY, REUSED, TORCH, CUDA = "lists", "array", "array, out=", "torch, CPU", "torch, CUDA"
PEER, COPY, HAND = "EAIK, one by one", "memory copy", "NumPy by hand"


def rate_rows(rows: int, effort: Effort) -> list[Row]:
    """Solves a second, with newly allocated memory and with `out=`, over those of a copy on as many cores."""
    found = []
    for name, answer, dtype in product(LIMBS, NUMBERS, DTYPES):
        given = inputs(name, rows, dtype)
        works: dict[str, Work] = {"new": call(limb(name).solve, answer, *given), "reused": _reused(name, answer, given)}
        source = np.zeros((6 + NUMBERS[answer][name]) * rows // 2, dtype)
        goal = np.empty_like(source)
        works["copy"] = lambda source=source: _copy(source, np.empty_like(source))
        works["copy, reused"] = lambda source=source, goal=goal: _copy(source, goal)
        if answer == "joints":
            works["NumPy"] = lambda given=given, name=name: numpy_joints(name, *given)
        best = {who: seconds["best"] for who, seconds in round_robin(works, effort).items()}
        row: Row = {"limb": name, "answer": answer, "numbers": dtype, "cores": cores()}
        row |= {"M/s": rows / best["new"] / 1e6, "of copy": f"{best['copy'] / best['new']:.2f}"}
        row |= {
            "M/s, out=": rows / best["reused"] / 1e6,
            "of copy, out=": f"{best['copy, reused'] / best['reused']:.2f}",
        }
        found.append(row | {"× NumPy": best["NumPy"] / best["new"] if "NumPy" in best else ""})
    return found


def _reused(name: str, answer: str, given: list[Array]) -> Work:
    """The call into the memory of an earlier answer."""
    solve = limb(name).solve
    with limbik.warm_up():
        kept = [solve(*given)]
        getattr(kept[0], answer)

    def work() -> Any:
        kept[0] = solve(*given, out=kept[0])
        return getattr(kept[0], answer)

    return work


def _copy(source: Array, goal: Array) -> None:
    """A copy on all cores."""
    parts = list(zip(np.array_split(source, cores()), np.array_split(goal, cores()), strict=True))
    others = [POOL.submit(np.copyto, there, here) for here, there in parts[1:]]
    np.copyto(parts[0][1], parts[0][0])
    for other in others:
        other.result()


POOL = ThreadPoolExecutor()


def curve_rows(largest: int, effort: Effort) -> list[Row]:
    """The time of three-link joints for every kind of input, on one core."""
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
    sizes = [factor * 10**power for power in range(9) for factor in (1, 3)]
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    found = []
    for dtype, rows in product(DTYPES, sizes):
        if rows <= largest and rows * NUMBERS_PER_ROW * np.dtype(dtype).itemsize < memory:
            timed = round_robin(dict(_contenders(rows, dtype)), effort)
            found += [{"call": dtype, "rows": rows, "input": who, **seconds} for who, seconds in timed.items()]
    return found


def _contenders(rows: int, dtype: str) -> Iterator[tuple[str, Work]]:
    solve, given = limb("three-link").solve, inputs("three-link", rows, dtype)
    if dtype == "float64" and rows <= MAX_LIST_ROWS:
        lists = inputs("three-link", LIST) if rows == 1 else [one.tolist() for one in given]
        yield LISTS, call(solve, "joints", *lists)
    yield ARRAY, call(solve, "joints", *given)
    yield REUSED, _reused("three-link", "joints", given)
    if installed("torch"):
        import torch

        tensors = [torch.from_numpy(one) for one in given]
        yield TORCH, call(solve, "joints", *tensors)
        if torch.cuda.is_available():
            on_device = call(solve, "joints", *(one.cuda() for one in tensors))
            yield CUDA, lambda: (on_device(), torch.cuda.synchronize())
    if dtype == "float64" and rows <= MAX_SINGLE_ROWS and installed("eaik"):
        with quiet():
            prepare, peer, _ = eaik_leg()
        poses = [prepare(leg().poses[k % len(leg().poses)]) for k in range(rows)]
        yield PEER, lambda: [peer(pose) for pose in poses]
    if dtype == "float64" and rows <= MAX_NUMPY_ROWS:
        yield HAND, lambda: numpy_joints("three-link", *given)
    yield COPY, copy("three-link", "joints", rows, dtype)


def draw_curve(rows: list[Row], machine: str, path: Path) -> None:
    """Draws the time of a call over its targets, one plot for each number type."""
    from matplotlib.figure import Figure

    lines = {
        LISTS: "C1-",
        ARRAY: "C0-",
        REUSED: "C0--",
        TORCH: "C4-",
        CUDA: "C4--",
        PEER: "C3-",
        HAND: "C2-",
        COPY: "k-",
    }
    figure = Figure(figsize=(6 * len(DTYPES), 5), layout="constrained")
    for axes, dtype in zip(figure.subplots(1, len(DTYPES), sharey=True), DTYPES, strict=True):
        for who, line in lines.items():
            points = [(row["rows"], row["best"]) for row in rows if (row["input"], row["call"]) == (who, dtype)]
            if points:
                axes.plot(*zip(*points, strict=True), line, marker="o", markersize=3, label=who)
        axes.set(xscale="log", yscale="log", xlabel="targets in one call", ylabel="seconds of a call", title=dtype)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=9)
    figure.suptitle(f"Joints of a three-link limb, row-major, one core: {machine.partition(',')[0]}", fontsize=10)
    figure.savefig(path, dpi=110)
