"""A limb with the arguments of its `solve`, and the Python code of that call."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.limbs.branches import Branches
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink

AnyLimb = PlanarTwoLink | TwoLink | ThreeLink


@dataclass(frozen=True)
class LimbCall:
    """A limb and one call of its `solve`."""

    kind: type[AnyLimb]
    lengths: tuple[float, ...]  # metres
    arguments: dict[str, Any]  # of `solve`
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)  # keyword arguments of the limb, radians

    @property
    def limb(self) -> AnyLimb:
        return self.kind(*self.lengths, **self.limits)

    def solve(self) -> Solution:
        return self.limb.solve(**self.arguments)

    def branches(self) -> Branches:
        """All poses that reach the same target."""
        return self.limb.branches(**{name: value for name, value in self.arguments.items() if name != "bend"})

    def python(self) -> str:
        """Python code that computes exactly this pose; arguments with their default values are left out."""
        limb = ", ".join([*map(repr, self.lengths), *_keywords(self.limits)])
        parameters = signature(self.kind.solve).parameters
        used = {name: value for name, value in self.arguments.items() if value != parameters[name].default}
        return (
            "import limbik\n\n"
            f"limb = limbik.{self.kind.__name__}({limb})\n"
            f"pose = limb.solve({', '.join(_keywords(used))})\n"
            "print(pose.joints, pose.degrees(), pose.status.words)\n"
        )


def _keywords(arguments: dict[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in arguments.items()]


def in_space(points: Array) -> Array:
    """Points (..., 2) in the x-y plane, or (..., 3), as (..., 3)."""
    missing = np.zeros((*points.shape[:-1], 3 - points.shape[-1]))
    return np.concatenate([points, missing], axis=-1)
