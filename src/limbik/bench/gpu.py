"""The three-link limb on CUDA tensors, beside a copy on the device."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from limbik.bench.measured_limbs import KINDS, numbers_out
from limbik.errors import LimbikError

LIMB = "three-link"
REPEATS = 10
CALLS = 5  # per repeat, so that the device does not wait for Python
CHECKED = 1 << 20  # rows whose error against float64 is measured


def gpu_rows(targets: int) -> list[dict[str, Any]]:
    """Rows for the device: the fused kernel, torch.compile and jax.jit, each beside a copy of the same bytes.

    float32, row-major (N, 3) inputs and (N, numbers) outputs; times are CUDA event times, the best of several repeats.
    """
    torch = _torch()
    leg = KINDS[LIMB].make()
    target, up = _legs(torch, targets)
    rows = []
    for answer in KINDS[LIMB].answers:
        moved = 4 * (KINDS[LIMB].numbers_in + numbers_out(LIMB, answer)) * targets
        copy = _copy_seconds(torch, moved)
        for who, solve in _contenders(torch, leg, answer).items():
            try:
                seconds = _seconds(torch, lambda solve=solve: solve(target, up))
            except Exception as error:  # a contender that fails does not stop the others
                rows.append({"who": who, "answer": answer, "targets": targets, "skipped": str(error)[:300]})
                continue
            bulk, worst = _errors(leg, answer, solve, target[:CHECKED], up[:CHECKED])
            rows.append(
                {
                    "device": torch.cuda.get_device_name(),
                    "who": who,
                    "answer": answer,
                    "targets": targets,
                    "seconds": seconds,
                    "solves_per_second": targets / seconds,
                    "of_copy": copy / seconds,
                    "copy_bytes_per_second": moved / copy,
                    "error_bulk": bulk,
                    "error_worst": worst,
                }
            )
        torch.cuda.empty_cache()
    return rows


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


def _legs(torch: Any, targets: int) -> tuple[Any, Any]:
    """Targets throughout the leg's reach and unit directions, on the device."""
    torch.manual_seed(0)
    target = (torch.rand(targets, 3, device="cuda") - 0.5) * 1.1
    up = torch.nn.functional.normalize(torch.randn(targets, 3, device="cuda"), dim=-1)
    return target, up


def _contenders(torch: Any, leg: Any, answer: str) -> dict[str, Callable[[Any, Any], Any]]:
    """The public call, and the same call under torch.compile and jax.jit."""

    def plain(target: Any, up: Any) -> Any:
        return getattr(leg.solve(target, up), answer)

    found: dict[str, Callable[[Any, Any], Any]] = {"limbik (Triton)": plain, "torch.compile": torch.compile(plain)}
    if find_spec("jax") is not None:
        import jax  # pyright: ignore[reportMissingImports]

        if any(device.platform == "gpu" for device in jax.devices()):
            jitted = jax.jit(plain)
            found["jax.jit"] = lambda target, up: torch.from_dlpack(
                jitted(jax.dlpack.from_dlpack(target), jax.dlpack.from_dlpack(up)).block_until_ready()
            )
    return found


def _seconds(torch: Any, work: Callable[[], Any]) -> float:
    """Seconds on the device for one call, the best of several repeats, after a warm-up."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(REPEATS):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(CALLS):
            work()
        stop.record()
        torch.cuda.synchronize()
        best = min(best, start.elapsed_time(stop) / 1e3 / CALLS)
    return best


def _copy_seconds(torch: Any, moved: int) -> float:
    """Seconds for a copy on the device that reads and writes `moved` bytes in total."""
    source = torch.zeros(moved // 8, dtype=torch.float32, device="cuda")
    goal = torch.empty_like(source)
    return _seconds(torch, lambda: goal.copy_(source))


def _errors(leg: Any, answer: str, solve: Callable[[Any, Any], Any], target: Any, up: Any) -> Any:
    """Errors against float64, relative to the reach for joints: 99.9th percentile and maximum. Angles modulo 2π."""
    found = solve(target, up).double().cpu().numpy()
    exact = getattr(leg.solve(target.double().cpu().numpy(), up.double().cpu().numpy()), answer)
    gap = np.abs(found - exact)
    if answer == "angles":
        gap = np.minimum(gap, np.abs(2 * np.pi - gap))
    if answer == "rotations":  # q and −q are one rotation
        gap = np.minimum(gap.max(-1), np.abs(found + exact).max(-1))
    error = gap.reshape(len(gap), -1).max(-1) / (float(leg.reach) if answer == "joints" else 1.0)
    return float(np.quantile(error, 0.999)), float(error.max())
