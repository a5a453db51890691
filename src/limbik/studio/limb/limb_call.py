"""A limb and what is asked of it, as the Python that one would write."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink

AnyLimb = PlanarTwoLink | TwoLink | ThreeLink


@dataclass(frozen=True)
class Call:
    """A limb, by its kind, its links' lengths and the limits of its joints, and the arguments of its `solve`."""

    kind: type[AnyLimb]
    lengths: tuple[float, ...]
    arguments: dict[str, Any]
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def limb(self) -> AnyLimb:
        """The limb."""
        return self.kind(*self.lengths, **self.limits)

    def solution(self) -> Solution:
        """What comes of it."""
        return self.limb.solve(**self.arguments)

    def branches(self) -> Branches:
        """Every pose for the same target."""
        return self.limb.branches(**{name: value for name, value in self.arguments.items() if name != "bend"})

    def text(self) -> str:
        """The Python that gives the pose, to the last bit; what is as by default is left out."""
        limb = ", ".join([*map(repr, self.lengths), *_keywords(self.limits)])
        defaults = signature(self.kind.solve).parameters
        told = {name: value for name, value in self.arguments.items() if not _same(value, defaults[name].default)}
        return (
            "import limbik\n\n"
            f"limb = limbik.{self.kind.__name__}({limb})\n"
            f"pose = limb.solve({', '.join(_keywords(told))})\n"
            "print(pose.joints, pose.degrees(), pose.status.words)\n"
        )


def _same(value: Any, default: Any) -> bool:
    return default is not Parameter.empty and default is not None and value == default


def _keywords(told: dict[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in told.items()]
