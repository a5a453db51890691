"""How fast a limb's tip moves with its joints, and how near a pose is to one where it cannot move in some direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array, library_of
from limbik.robots.screws import ScrewChain

MIN_JOINTS_OF_ORIENTED_LIMBS = 6  # limbs with fewer do not determine the tip's rotation, and only its position counts
NEXT, LAST = [1, 2, 0], [2, 0, 1]  # of x, y and z, for cross products


def jacobian_of_axes(chain: ScrewChain, values: Any, numbers: Any) -> Any:
    """The tip's velocity and angular velocity for each joint, (..., 6, n).

    Args:
        chain: the limb.
        values: (..., n), the joints' values, radians and metres; of slides only what they are is read.
        numbers: (..., 6 n + 7), directions of the axes, a point on each and the tip, where all slides are at zero.
    """
    count, shape, xp = len(chain), tuple(numbers.shape[:-1]), _module(numbers)
    axes, points = (numbers[..., k : k + 3 * count].reshape(*shape, count, 3) for k in (0, 3 * count))
    arms = numbers[..., None, 6 * count : 6 * count + 3] - points
    slides = np.array([kind == "slide" for kind in chain.kinds], float)
    if (
        slides.any()
    ):  # the slides after a joint move the tip, and so does every one before, but the joint's axis as well
        arms = arms + (_like(np.triu(np.ones((count, count)), 1) * slides, numbers) * values[..., None, :]) @ axes
    velocity, spin = _cross(axes, arms), axes
    if slides.any():
        slides = _like(slides[:, None], numbers)
        velocity, spin = slides * axes + (1.0 - slides) * velocity, (1.0 - slides) * axes
    return xp.swapaxes(xp.concatenate([velocity, spin], -1), -1, -2)


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


def _cross(a: Any, b: Any) -> Any:
    return a[..., NEXT] * b[..., LAST] - a[..., LAST] * b[..., NEXT]


def _module(array: Any) -> Any:
    library = library_of(array)
    return HANDLERS[library].module() if library else np


def _like(constants: Array, array: Any) -> Any:
    """Constants as an array of the library and dtype of another."""
    if library := library_of(array):
        handler = HANDLERS[library]
        return handler.convert(constants, array, handler.working(array.dtype))
    return constants.astype(array.dtype)
