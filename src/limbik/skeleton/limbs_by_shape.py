"""Finds limbs by positions at rest: pairs of chains that mirror each other."""

from __future__ import annotations

import numpy as np

from limbik.skeleton.rest_figure import LEAST, RestFigure
from limbik.skeleton.symmetry import Symmetry

# The smallest length of a limb relative to the figure's size, and of arms relative to the longest arms.
LONG, LIKE = 0.15, 0.6
# Joints closer to the middle than this fraction of the figure's size carry a limb: collar bones, halves of a pelvis.
MIDDLE = 0.02


def limbs_by_shape(figure: RestFigure, symmetry: Symmetry) -> list[tuple[str, list[int]]]:
    """Kinds ("leg", "arm") and joints of the limbs on both sides: legs reach the ground, arms are above them."""
    pairs = [
        pair for pair in _paired_lines(figure, symmetry) if _is_limb(figure, pair[0]) and _is_limb(figure, pair[1])
    ]
    legs = [pair for pair in pairs if all(_stands(figure, line) for line in pair)]
    if not legs:
        return []
    hips = np.mean([figure.positions[line[0], 1] for pair in legs for line in pair])
    above = [pair for pair in pairs if pair not in legs and figure.positions[pair[0][0], 1] > hips]
    longest = max((sum(figure.bones(pair[0])) for pair in above), default=0.0)
    arms = [pair for pair in above if sum(figure.bones(pair[0])) >= LIKE * longest]
    return [("leg", line) for pair in legs for line in pair] + [("arm", line) for pair in arms for line in pair]


def _paired_lines(figure: RestFigure, symmetry: Symmetry) -> list[tuple[list[int], list[int]]]:
    """The chains of counterparts that start in the middle of the figure."""
    partners, parents = symmetry.partners, figure.skeleton.parents
    tops = [
        joint
        for joint in np.flatnonzero(symmetry.paired).tolist()
        if joint < partners[joint] and (parents[joint] < 0 or not symmetry.paired[parents[joint]])
    ]
    aside = np.abs((figure.positions - figure.positions[partners]) @ symmetry.normal) / 2.0
    found = []
    for top in tops:
        line = [joint for joint in figure.line(top) if partners[joint] >= 0]
        while len(line) > LEAST and aside[line[0]] < MIDDLE * figure.size:
            line.pop(0)
        line = figure.without_short_ends(line)
        found.append((line, partners[line].tolist()))
    return found


def _is_limb(figure: RestFigure, line: list[int]) -> bool:
    return len(line) >= LEAST and sum(figure.bones(line)) >= LONG * figure.size


def _stands(figure: RestFigure, line: list[int]) -> bool:
    """Whether a chain leads down to the ground."""
    end = figure.line(line[-1])[-1]
    return figure.is_low([line[-1], end]) and figure.positions[line[-1], 1] < figure.positions[line[0], 1]
