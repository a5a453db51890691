"""Knees: how far a leg is bent, by the distance that it spans.

Near a straight leg a millimetre at the ankle is degrees at the knee. What is to move like the clip's own knee is
therefore planned as an angle, and turned into a distance from hip to ankle at the end.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.foot import Foot


def flexion(foot: Foot, span: Array) -> Array:
    """The flexion (...,) of the knee of a leg that spans (...,) metres, in radians; 0 is straight."""
    thigh, shank = foot.links
    cosine = (np.square(span) - thigh**2 - shank**2) / (2.0 * thigh * shank)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def span(foot: Foot, bent: Array) -> Array:
    """The distance (...,) from hip to ankle of a leg whose knee is bent by (...,) radians."""
    thigh, shank = foot.links
    return np.sqrt(np.maximum(thigh**2 + shank**2 + 2.0 * thigh * shank * np.cos(bent), 0.0))
