"""torch and JAX on a device, or on the CPU where there is none: answers and gradients beside a copy of as many bytes.

`python benchmarks/tensors.py [--largest 67108864]`. float32, row-major inputs and answers. Times on CUDA are those of
its events, many calls in a row. Errors are against float64: relative to the reach for joints; angles modulo 2π.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
import torch
from limb_calls import LIMBS, NUMBERS, limb
from report import Row, duration, installed, machine, table

import limbik

CUDA = torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"
ROWS = (1_000, 1 << 22) if CUDA else (1_000, 1 << 16)
CHECKED_ROWS = 1 << 20
UNREACHABLE = 0.1  # of the targets are moved away, nearly all of them out of reach
REPEATS, CALLS = 10, 5  # calls in a row, so that the device does not wait for Python


def inputs(name: str, rows: int) -> list[Any]:
    """Targets in a cube within the limb's reach, some of them moved out of it, and unit directions."""
    torch.manual_seed(0)
    target = (torch.rand(rows, 3, device=DEVICE) - 0.5) * 1.1 * float(limb(name).reach)
    target[torch.rand(rows, device=DEVICE) < UNREACHABLE] *= 4.0
    return [target, torch.nn.functional.normalize(torch.randn(rows, 3, device=DEVICE), dim=-1)]


def contenders(name: str, answer: str, rows: int, compared: bool) -> Iterator[tuple[str, str, Callable[..., Any], int]]:
    """Package, answer, call, and the numbers that a row moves."""
    solver = limb(name)

    def plain(target: Any, second: Any) -> Any:
        return getattr(solver.solve(target, second), answer)

    numbers = NUMBERS[answer][name]
    weights = torch.randn(rows, numbers, device=DEVICE)

    def torch_gradients(*given: Any) -> Any:
        given = [one.detach().requires_grad_() for one in given]
        found = plain(*given)
        return torch.autograd.grad(found, given, weights.reshape(found.shape))[0]

    yield "torch", answer, plain, 6 + numbers
    yield "torch", f"{answer}, forward and backward", torch_gradients, 12 + 3 * numbers
    if compared:
        yield "torch.compile", answer, torch.compile(plain), 6 + numbers
    if installed("jax"):
        import jax

        def jax_gradients(target: Any, second: Any, weights: Any) -> Any:
            found, backward = jax.vjp(plain, target, second)
            return found, backward(weights.reshape(found.shape))

        from_torch = jax.dlpack.from_dlpack
        forward, both = jax.jit(plain), jax.jit(jax_gradients)

        def jax_forward(*given: Any) -> Any:
            return torch.from_dlpack(forward(*map(from_torch, given)).block_until_ready())

        def jax_both(*given: Any) -> Any:
            return jax.block_until_ready(both(*map(from_torch, (*given, weights))))

        yield "jax.jit", answer, jax_forward, 6 + numbers
        yield "jax.jit", f"{answer}, forward and backward", jax_both, 12 + 3 * numbers


def seconds(work: Callable[[], Any]) -> float:
    """Seconds of one call of many in a row, the best of several repeats."""
    with limbik.warm_up():
        work()
    wait = torch.cuda.synchronize if CUDA else lambda: None
    for _ in range(3):
        work()
    wait()
    start = perf_counter()
    work()
    wait()
    calls = CALLS if perf_counter() - start > 1e-3 else 20 * CALLS
    return min(_in_a_row(work, calls) for _ in range(REPEATS))


def _in_a_row(work: Callable[[], Any], calls: int) -> float:
    if not CUDA:
        begun = perf_counter()
        for _ in range(calls):
            work()
        return (perf_counter() - begun) / calls
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(calls):
        work()
    stop.record()
    torch.cuda.synchronize()
    return start.elapsed_time(stop) / 1e3 / calls


def errors(name: str, answer: str, solve: Callable[..., Any], given: list[Any]) -> Row:
    """The 99.9th percentile and the maximum of the errors."""
    given = [one[:CHECKED_ROWS] for one in given]
    found = solve(*given).double().cpu().numpy()
    exact = getattr(limb(name).solve(*(one.double().cpu().numpy() for one in given)), answer)
    gap = np.abs(found - exact)
    if answer == "angles":
        gap = np.minimum(gap, np.abs(2 * np.pi - gap))
    if answer == "rotations":  # q and −q are one rotation
        gap = np.minimum(gap.max(-1), np.abs(found + exact).max(-1))
    error = gap.reshape(len(gap), -1).max(-1) / (float(limb(name).reach) if answer == "joints" else 1.0)
    return {"error, 99.9 %": f"{np.quantile(error, 0.999):.1e}", "worst error": f"{error.max():.1e}"}


def measured(name: str, answer: str, rows: int, compared: bool) -> Iterator[Row]:
    """A row for each contender."""
    given = inputs(name, rows)
    for package, what, work, numbers in contenders(name, answer, rows, compared):
        source = torch.zeros(numbers * rows // 2, device=DEVICE)
        goal = torch.empty_like(source)
        copy = seconds(lambda goal=goal, source=source: goal.copy_(source))
        row: Row = {"limb": name, "package": package, "answer": what, "rows": rows}
        try:
            found = seconds(lambda work=work: work(*given))
            row |= {"a call": duration(found), "M/s": rows / found / 1e6, "of copy": f"{copy / found:.2f}"}
            yield row | (errors(name, answer, work, given) if what == answer else {})
        except Exception as error:  # a contender that fails does not stop the others
            yield row | {"a call": f"failed: {str(error)[:80]}"}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=1 << 26 if CUDA else 1 << 18)
    largest = parser.parse_args().largest
    cases = [(name, answer, size) for name in LIMBS for answer in NUMBERS for size in (*ROWS, largest)]
    found = [row for case in cases for row in measured(*case, CUDA and case[2] == largest and case[0] == "three-link")]
    device = torch.cuda.get_device_name() if CUDA else "the CPU"
    print(f"Measured on: {machine()}; torch {torch.__version__}, JAX {installed('jax')}, {device}.\n\n{table(found)}")


if __name__ == "__main__":
    main()
