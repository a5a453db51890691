"""The same on a GPU: the device's own copy, and the limbs' answers on its tensors."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from limbik.bench.timing import Patience
from limbik.errors import LimbikError


def gpu_rows(patience: Patience, targets: int) -> list[dict[str, Any]]:
    """Rows for the device: its copy bandwidth, the fused kernel, torch.compile and jax.jit, for some targets."""
    if find_spec("torch") is None:
        raise LimbikError("--gpu needs torch with CUDA, and torch is not installed: pip install torch")
    import torch  # pyright: ignore[reportMissingImports]

    if not torch.cuda.is_available():
        raise LimbikError(
            f"--gpu needs a CUDA device, and torch {torch.__version__} sees none; is the driver there, "
            "and is this torch built with CUDA?"
        )
    raise LimbikError(f"--gpu: nothing is measured on {torch.cuda.get_device_name()} yet")
