"""The joints from a base link to a tip as screws: the one description of a robot's limb that solvers work on."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from limbik.arrays import Array


@dataclass(frozen=True, eq=False)
class ScrewChain:
    """Joints from base to tip, where each of them is while all angles are zero, in the base link's frame.

    The tip's transform is the product of exponentials exp(screw 0, angle 0) · exp(screw 1, angle 1) · … · (position,
    rotation): a hinge turns what follows it about its axis, right-handed; a slide moves it along its axis.

    Attributes:
        names: the n joints' names, base first.
        axes: (n, 3), unit directions.
        points: (n, 3), a point on each axis, metres.
        kinds: "hinge" or "slide" for each joint.
        lower, upper: (n,), limits, radians or metres; -inf and inf where there are none.
        position: (3,), the tip's position at zero, metres.
        rotation: (4,), the tip's rotation at zero, a unit quaternion, xyzw.
    """

    names: tuple[str, ...]
    axes: Array
    points: Array
    kinds: tuple[str, ...]
    lower: Array
    upper: Array
    position: Array
    rotation: Array

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, tuple):
                own = np.array(value, float)
                own.flags.writeable = False
                object.__setattr__(self, field.name, own)

    def __len__(self) -> int:
        return len(self.names)
