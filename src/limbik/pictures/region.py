"""Where the end of the first two links can be: the ring between two radii."""

from __future__ import annotations

import math

import numpy as np

from limbik.limbs.inputs import Array
from limbik.limbs.limb import Range
from limbik.limbs.planar import PlanarTwoLink

STEPS = 181


def radii(joints: Array, middle_limits: Range | None, stretch: float = 1.0) -> tuple[float, float]:
    """The least and the greatest distance of the second link's end, within the middle joint's range.

    The links' lengths are those of the pose, which is `stretch` times as long as at rest.
    """
    first, second = np.linalg.norm(np.diff(joints[:3], axis=0), axis=-1) / stretch
    straightest, most_bent = middle_limits or (0.0, math.pi)
    tips = PlanarTwoLink(first, second).forward([[0.0, most_bent], [0.0, straightest]])[:, -1]
    near, far = np.hypot(*tips.T)
    return float(near), float(far) * stretch


def circle(radius: float) -> Array:
    """Points (steps, 2) once around."""
    turn = np.linspace(0.0, 2.0 * math.pi, STEPS)
    return radius * np.stack([np.cos(turn), np.sin(turn)], -1)


def ring(near: float, far: float) -> Array:
    """The outline (points, 2) of a ring: around the outside, and back around the inside."""
    return np.concatenate([circle(far), circle(near)[::-1]]) if near > 0 else circle(far)
