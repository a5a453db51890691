"""Limbs on CUDA tensors, beside a copy on the device: large batches, small ones, gradients."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from limbik.bench.measured_limbs import KINDS, numbers_out
from limbik.errors import LimbikError

LIMBS = ("three-link", "two-link")
COMPARED = "three-link"  # the limb on which torch.compile and jax.jit are measured, too
SIZES = (1_000, 1 << 22)  # besides the largest
REPEATS = 10
CALLS = 5  # per repeat, so that the device does not wait for Python
CHECKED = 1 << 20  # rows whose error against float64 is measured
UNREACHABLE = 0.1  # the fraction of targets that are moved away, nearly all of them out of reach


def gpu_rows(targets: int) -> list[dict[str, Any]]:
    """Rows for the device: fused kernels, torch.compile and jax.jit, each beside a copy of the same bytes.

    float32, row-major (N, 3) inputs and (N, numbers) outputs; times are CUDA event times, the best of several repeats.
    """
    torch = _torch()
    rows = []
    for limb in LIMBS:
        for answer in KINDS[limb].answers:
            for size in (*SIZES, targets):
                rows += _answer_rows(torch, limb, answer, size, size == targets)
        for size in (*SIZES, targets // 2):
            rows.append(_gradient_row(torch, limb, size))
    return rows


def _answer_rows(torch: Any, limb: str, answer: str, targets: int, largest: bool) -> list[dict[str, Any]]:
    solver = KINDS[limb].make()
    inputs = _inputs(torch, solver, targets)
    moved = 4 * (KINDS[limb].numbers_in + numbers_out(limb, answer)) * targets
    copy = _copy_seconds(torch, moved)
    rows = []
    for who, solve in _contenders(torch, solver, answer, largest and limb == COMPARED).items():
        row = {"limb": limb, "who": who, "answer": answer, "targets": targets}
        try:
            seconds = _seconds(torch, lambda solve=solve: solve(*inputs))
        except Exception as error:  # a contender that fails does not stop the others
            rows.append({**row, "skipped": str(error)[:300]})
            continue
        bulk, worst = _errors(solver, answer, solve, [one[:CHECKED] for one in inputs])
        rows.append({**row, **_rates(torch, targets, seconds, copy, moved), "error_bulk": bulk, "error_worst": worst})
    torch.cuda.empty_cache()
    return rows


def _gradient_row(torch: Any, limb: str, targets: int) -> dict[str, Any]:
    """Joints and their gradients: the inputs and the slopes are read, the joints and the gradients written."""
    solver = KINDS[limb].make()
    inputs = [one.requires_grad_() for one in _inputs(torch, solver, targets)]
    numbers = numbers_out(limb, "joints")
    slopes = torch.randn(targets, numbers // 3, 3, device="cuda")
    seconds = _seconds(torch, lambda: torch.autograd.grad(solver.solve(*inputs).joints, inputs, slopes))
    moved = 4 * (3 * KINDS[limb].numbers_in + 2 * numbers) * targets
    row = {"limb": limb, "who": "limbik (Triton)", "answer": "joints, forward and backward", "targets": targets}
    row |= _rates(torch, targets, seconds, _copy_seconds(torch, moved), moved)
    torch.cuda.empty_cache()
    return row


def _rates(torch: Any, targets: int, seconds: float, copy: float, moved: int) -> dict[str, Any]:
    return {
        "device": torch.cuda.get_device_name(),
        "seconds": seconds,
        "solves_per_second": targets / seconds,
        "of_copy": copy / seconds,
        "copy_bytes_per_second": moved / copy,
    }


def _torch() -> Any:
    if find_spec("torch") is None:
        raise LimbikError("--gpu needs torch with CUDA, and torch is not installed: pip install torch")
    import torch  # pyright: ignore[reportMissingImports]

    if not torch.cuda.is_available():
        raise LimbikError(
            f"--gpu needs a CUDA device, and torch {torch.__version__} sees none; is the driver there, "
            "and is this torch built with CUDA?"
        )
    return torch


def _inputs(torch: Any, limb: Any, targets: int) -> list[Any]:
    """Targets in a cube within the limb's reach, some of them moved out of it, and unit directions, on the device."""
    torch.manual_seed(0)
    target = (torch.rand(targets, 3, device="cuda") - 0.5) * 1.1 * float(limb.reach)
    target[torch.rand(targets, device="cuda") < UNREACHABLE] *= 4.0
    return [target, torch.nn.functional.normalize(torch.randn(targets, 3, device="cuda"), dim=-1)]


def _contenders(torch: Any, limb: Any, answer: str, compared: bool) -> dict[str, Callable[..., Any]]:
    """The public call, and the same call under torch.compile and jax.jit."""

    def plain(target: Any, direction: Any) -> Any:
        return getattr(limb.solve(target, direction), answer)

    found: dict[str, Callable[..., Any]] = {"limbik (Triton)": plain}
    if not compared:
        return found
    found["torch.compile"] = torch.compile(plain)
    if find_spec("jax") is not None:
        import jax  # pyright: ignore[reportMissingImports]

        if any(device.platform == "gpu" for device in jax.devices()):
            jitted = jax.jit(plain)
            found["jax.jit"] = lambda target, direction: torch.from_dlpack(
                jitted(jax.dlpack.from_dlpack(target), jax.dlpack.from_dlpack(direction)).block_until_ready()
            )
    return found


def _seconds(torch: Any, work: Callable[[], Any]) -> float:
    """Seconds for one call of many in a row, the best of several repeats, after a warm-up."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    calls = CALLS if time.perf_counter() - start > 1e-3 else 20 * CALLS
    best = float("inf")
    for _ in range(REPEATS):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(calls):
            work()
        stop.record()
        torch.cuda.synchronize()
        best = min(best, start.elapsed_time(stop) / 1e3 / calls)
    return best


def _copy_seconds(torch: Any, moved: int) -> float:
    """Seconds for a copy on the device that reads and writes `moved` bytes in total."""
    source = torch.zeros(moved // 8, dtype=torch.float32, device="cuda")
    goal = torch.empty_like(source)
    return _seconds(torch, lambda: goal.copy_(source))


def _errors(limb: Any, answer: str, solve: Callable[..., Any], inputs: list[Any]) -> tuple[float, float]:
    """Errors against float64, relative to the reach for joints: 99.9th percentile and maximum. Angles modulo 2π."""
    found = solve(*inputs).double().cpu().numpy()
    exact = getattr(limb.solve(*(one.double().cpu().numpy() for one in inputs)), answer)
    gap = np.abs(found - exact)
    if answer == "angles":
        gap = np.minimum(gap, np.abs(2 * np.pi - gap))
    if answer == "rotations":  # q and −q are one rotation
        gap = np.minimum(gap.max(-1), np.abs(found + exact).max(-1))
    error = gap.reshape(len(gap), -1).max(-1) / (float(limb.reach) if answer == "joints" else 1.0)
    return float(np.quantile(error, 0.999)), float(error.max())
