"""How fast a limb's tip moves with its joints, and how near a pose is to one where it cannot move in some direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array, library_of
from limbik.robots.screws import ScrewChain

MIN_JOINTS_OF_ORIENTED_LIMBS = 6  # limbs with fewer do not determine the tip's rotation, and only its position counts


def singular_values(chain: ScrewChain, jacobian: Any) -> Any:
    """The singular values of Jacobians (..., 6, n), largest first, with lengths in units of the limb's; NaN for NaN."""
    lengths = np.full(6, 1.0)
    lengths[:3] = 1.0 / chain.length
    units = np.array([chain.length if kind == "slide" else 1.0 for kind in chain.kinds])
    scaled = jacobian * _like(lengths[:, None] * units, jacobian)
    if len(chain) < MIN_JOINTS_OF_ORIENTED_LIMBS:
        scaled = scaled[..., :3, :]
    xp = _module(jacobian)
    finite = xp.isfinite(scaled).reshape(*scaled.shape[:-2], scaled.shape[-2] * scaled.shape[-1]).all(-1)[..., None]
    scaled = xp.where(finite[..., None], scaled, xp.zeros_like(scaled))
    found = xp.linalg.svdvals(scaled) if library_of(scaled) == "torch" else xp.linalg.svd(scaled, compute_uv=False)
    return xp.where(finite, found, xp.full_like(found, float("nan")))


def _module(array: Any) -> Any:
    library = library_of(array)
    return HANDLERS[library].module() if library else np


def _like(constants: Array, array: Any) -> Any:
    """Constants as an array of the library and dtype of another."""
    if library := library_of(array):
        handler = HANDLERS[library]
        return handler.convert(constants, array, handler.working(array.dtype))
    return constants.astype(array.dtype)
