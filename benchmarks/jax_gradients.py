"""JAX: answers and their gradients under jit, as limbik runs them and operation by operation, beside a copy.

Prints a Markdown table. Run it from the root of a clone: python benchmarks/jax_gradients.py [TARGETS …]
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

import limbik
from limbik.bench.machine import machine, sentence
from limbik.engines import jax_kernels

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
NUMBERS = {"joints": (4, 3), "angles": (5,)}
PATIENCE = 3.0  # seconds for one figure


def seconds(work: Callable[..., Any], *inputs: Any) -> float:
    """The best time of a call, after two that compile and load."""
    with limbik.warm_up():
        for _ in range(2):
            jax.block_until_ready(work(*inputs))
    best, end = float("inf"), time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(work(*inputs))
        best = min(best, time.perf_counter() - start)
    return best


def measured(answer: str, inputs: tuple[Any, Any], slopes: Any) -> tuple[float, float]:
    """Seconds of the answer, and of the answer and its gradients, in functions that are compiled now."""

    def forward(target: Any, up: Any) -> Any:
        return getattr(LEG.solve(target, up), answer)

    def both(target: Any, up: Any, slopes: Any) -> Any:
        numbers, backward = jax.vjp(forward, target, up)
        return numbers, backward(slopes)

    return seconds(jax.jit(forward), *inputs), seconds(jax.jit(both), *inputs, slopes)


def main(sizes: list[int]) -> None:
    """Prints the table."""
    print(f"Measured on: {sentence(machine())}; JAX {jax.__version__} on {jax.devices()[0].device_kind}.\n")
    print("| answer | targets | forward | forward, operations | with gradients | with gradients, operations | a copy |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    rng = np.random.default_rng(0)
    kernels = jax_kernels.run
    for targets in sizes:
        target, up = (jax.numpy.asarray(rng.normal(size=(targets, 3)) * 0.4, "float32") for _ in range(2))
        for answer, shape in NUMBERS.items():
            slopes = jax.numpy.asarray(rng.normal(size=(targets, *shape)), "float32")
            found = measured(answer, (target, up), slopes)
            jax_kernels.run = lambda *_: None  # type: ignore[assignment]
            without = measured(answer, (target, up), slopes)
            jax_kernels.run = kernels
            moved = 12 + 2 * int(np.prod(shape)) + 6  # numbers of a row: inputs and slopes in, answer and gradients out
            copy = seconds(jax.jit(lambda a: a + 1), jax.numpy.zeros(moved * targets // 2, "float32"))
            figures = (found[0], without[0], found[1], without[1], copy)
            print(f"| {answer} | {targets:,} | {' | '.join(f'{1e6 * one:,.0f} µs' for one in figures)} |", flush=True)


if __name__ == "__main__":
    main([int(float(size)) for size in sys.argv[1:]] or [1_000, 1 << 18])
