"""Guesses what a BVH file does not say: its unit of length, and which of its axes points up."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.kinematics import forward, generations
from limbik.skeleton.units import Unit, guessed

SAMPLES = 16  # frames that are examined
DEEPEST = 1000  # generations of joints; a longer chain is no figure that stands, and would take seconds to examine
NEAR = 0.1  # how far from zero a floor is at most, over the figure's size
FLAT = 0.6  # a figure's height over its width or length, at least
# From toe to fingertip along the bones of a human, over the height.
SPAN = 1.45


def guessed_unit(parents: Array, translations: Array) -> Unit:
    """The unit in which a figure is about as large as a human, from its joints' local translations (joints, 3).

    Its size is measured along the bones, so that it is the same in every pose: in some files the figure is stretched
    out at rest, or all bones lie along one axis.
    """
    lengths = np.linalg.norm(translations, axis=-1).tolist()
    reach = [0.0] * len(lengths)  # the longest way down from each joint
    span = 0.0  # the longest way between two joints
    for joint in range(len(lengths) - 1, -1, -1):
        parent, way = parents[joint], reach[joint] + lengths[joint]
        if parent >= 0:
            span = max(span, reach[parent] + way)
            reach[parent] = max(reach[parent], way)
    return guessed(span / SPAN)


def guessed_up(parents: Array, rotations: Array, translations: Array) -> str:
    """The axis that points up, "y" or "z", from local rotations (frames, joints, 4) and translations.

    It is y, as nearly everywhere, unless there is a floor along z: the lowest point of the largest figure keeps near to
    zero, nearer than along y, and along z the figure is no flatter. Its shape alone would not tell: quadrupeds are
    longer than tall, and arms stretched out are as wide as the figure is tall.
    """
    if len(generations(parents)) > DEEPEST:
        return "y"
    roots = np.flatnonzero(parents < 0)
    counts = np.diff(roots, append=len(parents))
    first = roots[np.argmax(counts)]
    figure = slice(first, first + counts.max())
    chosen = np.unique(np.linspace(0, len(rotations) - 1, SAMPLES).astype(int))
    local = rotations[chosen, figure], translations[chosen, figure]
    positions, _ = forward(np.maximum(parents[figure] - first, -1), *local, None)
    low, high = positions.min(axis=1), positions.max(axis=1)
    size, floor = np.median(high - low, axis=0), np.median(np.abs(low), axis=0)
    stands = floor[2] < NEAR * size.max() and floor[2] < 0.5 * floor[1]
    return "z" if stands and size[2] > FLAT * size[1] else "y"
