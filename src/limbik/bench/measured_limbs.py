"""The limbs that are measured, and reachable targets for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink

PLANAR_LENGTHS = (0.5, 0.4)
ARM_LENGTHS = (0.45, 0.42)
LEG_LENGTHS = (0.45, 0.42, 0.12)


@dataclass(frozen=True)
class Kind:
    """A kind of limb: its constructor, the arguments of `solve` with their numbers of components, and its answers."""

    make: Callable[[], Any]
    inputs: dict[str, int]
    answers: tuple[str, ...]

    @property
    def numbers_in(self) -> int:
        """Input numbers per solve."""
        return sum(self.inputs.values())


KINDS = {
    "planar": Kind(lambda: PlanarTwoLink(*PLANAR_LENGTHS), {"target": 2}, ("joints", "angles")),
    # The pole varies from row to row, as it does in an animation.
    "two-link": Kind(lambda: TwoLink(*ARM_LENGTHS), {"target": 3, "pole": 3}, ("joints", "angles", "rotations")),
    "three-link": Kind(lambda: ThreeLink(*LEG_LENGTHS), {"target": 3, "up": 3}, ("joints", "angles", "rotations")),
}
ANSWERS = ("joints", "angles", "rotations")


@cache
def numbers_out(limb: str, answer: str) -> int:
    """Output numbers per solve."""
    kind = KINDS[limb]
    one = [[0.1] * (size - 1) + [0.5] for size in kind.inputs.values()]
    return int(getattr(kind.make().solve(*one), answer).size)


def reachable(limb: str, rows: int, seed: int = 0) -> list[Array]:
    """Random inputs, float64 arrays (rows, components); every target is strictly within reach."""
    rng = np.random.default_rng(seed)
    kind = KINDS[limb]
    space = kind.inputs["target"]
    lengths = kind.make().lengths
    least, most = abs(lengths[0] - lengths[1]), lengths[0] + lengths[1]
    radius = least + (most - least) * rng.uniform(0.1, 0.95, (rows, 1))
    target = radius * _directions(rng, rows, space)
    sides = [_directions(rng, rows, size) for name, size in kind.inputs.items() if name != "target"]
    if limb == "three-link":
        target += lengths[2] * sides[0]
    return [target, *sides]


def _directions(rng: np.random.Generator, rows: int, space: int) -> Array:
    vectors = rng.normal(size=(rows, space))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
