"""The hinge of a limb's middle joint in a posed skeleton, stable even where the limb is straight."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.formulas.three_link import HANDOVER
from limbik.rotations import from_matrices, inverse, normalized, reject, rotate
from limbik.skeleton.easing import ease


def perpendicular(axis: Array) -> Array:
    """Some unit vector square to each unit axis (..., 3)."""
    away = np.eye(3)[np.argmin(np.abs(axis), axis=-1)]
    return normalized(reject(away, axis))


def hinges(first: Array, second: Array, rotation: Array, at_rest: Array) -> Array:
    """The world axis (..., 3) about which the second link turns from the first, right-handed.

    Where the limb is bent by 15° or more, this is the axis of its bend. Closer to straight that axis is less and less
    certain, and flips where a knee is overextended; it fades into the mean axis over all poses, in the frame of the
    first link, `rotation`, or into `at_rest` where the limb is straight in every pose.

    first, second: (..., 3), the links. rotation: (..., 4), of the first link's joint. at_rest: (3,), in its frame.
    """
    own = np.cross(normalized(first), normalized(second))
    every = rotate(inverse(rotation), own).reshape(-1, 3)
    mean = np.nansum(every, axis=0)
    size = np.linalg.norm(mean)
    mean = mean / size if size > 1e-6 * len(every) else at_rest
    certain = ease(np.linalg.norm(own, axis=-1, keepdims=True) / HANDOVER)
    return own + HANDOVER * (1.0 - certain) * rotate(rotation, mean)


def link_frames(direction: Array, hinge: Array) -> Array:
    """Rotations (..., 4) with +z along a link and +x as near to the hinge as that allows."""
    z = normalized(direction)
    x = normalized(reject(hinge, z))
    x = np.where(np.any(x != 0.0, axis=-1, keepdims=True), x, perpendicular(z))
    return from_matrices(np.stack([x, np.cross(z, x), z], axis=-1))
