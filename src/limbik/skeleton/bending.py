"""How a limb of a posed skeleton bends: the hinge of its middle joint, steady even where the limb is straight."""

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
    """The axis (..., 3), in the world, about which the second link turns from the first, right-handed.

    Where the limb is bent by 15° or more it is the axis that it bends about. Nearer to straight that axis is ever less
    certain, and jumps to its opposite where a knee is overstretched; there the limb's usual axis takes over by and by:
    its mean over all poses in the frame of the first link, `rotation`; `at_rest` where the limb is straight in all.

    first, second: (..., 3), the links. rotation: (..., 4), of the first link's joint. at_rest: (3,), in its frame.
    """
    own = np.cross(normalized(first), normalized(second))
    every = rotate(inverse(rotation), own).reshape(-1, 3)
    usual = np.nansum(every, axis=0)
    size = np.linalg.norm(usual)
    usual = usual / size if size > 1e-6 * len(every) else at_rest
    certain = ease(np.linalg.norm(own, axis=-1, keepdims=True) / HANDOVER)
    return own + HANDOVER * (1.0 - certain) * rotate(rotation, usual)


def link_frames(direction: Array, hinge: Array) -> Array:
    """Rotations (..., 4) with +z along a link and +x as near to the hinge as that allows."""
    z = normalized(direction)
    x = normalized(reject(hinge, z))
    x = np.where(np.any(x != 0.0, axis=-1, keepdims=True), x, perpendicular(z))
    return from_matrices(np.stack([x, np.cross(z, x), z], axis=-1))
