"""Between the robots' world (x forward, y left, z up: ROS, MuJoCo) and limbik's (x left, y up, z forward: glTF)."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, library_of
from limbik.formulas import quaternions
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.inputs import read_group
from limbik.robots.robot import LinkFrames

TO_Y_UP = (-0.5, -0.5, -0.5, 0.5)  # takes x to z, y to x, z to y


def to_y_up(positions: ArrayLike[ArrayType], rotations: ArrayLike[ArrayType]) -> LinkFrames[ArrayType]:
    """Poses in a robot's world, which has z up and x forward, as poses in limbik's world, with y up and z forward.

    Links keep their own axes: a rotation still takes vectors in a link's frame to vectors in the world.

    Args:
        positions: (..., 3), metres.
        rotations: (..., 4), unit quaternions, xyzw.

    Returns:
        Positions and rotations in limbik's world.

    Raises:
        ArgumentError: Values that are not numbers of these shapes.
    """
    x, y, z = _parts("positions", positions, 3)
    turned: Any = quaternions.multiply(TO_Y_UP, _parts("rotations", rotations, 4))  # type: ignore[arg-type]
    return LinkFrames(_joined((y, z, x)), _joined(turned))


def to_z_up(positions: ArrayLike[ArrayType], rotations: ArrayLike[ArrayType]) -> LinkFrames[ArrayType]:
    """Poses in limbik's world, which has y up and z forward, as poses in a robot's world, with z up and x forward.

    Args:
        positions: (..., 3), metres.
        rotations: (..., 4), unit quaternions, xyzw.

    Returns:
        Positions and rotations in the robot's world.

    Raises:
        ArgumentError: Values that are not numbers of these shapes.
    """
    x, y, z = _parts("positions", positions, 3)
    back = (0.5, 0.5, 0.5, 0.5)
    turned: Any = quaternions.multiply(back, _parts("rotations", rotations, 4))  # type: ignore[arg-type]
    return LinkFrames(_joined((z, x, y)), _joined(turned))


def _parts(name: str, value: Any, size: int) -> tuple[Any, ...]:
    group = read_group(name, value, size)
    return (
        tuple(np.asarray(part) for part in group)
        if isinstance(group, tuple)
        else tuple(group[..., k] for k in range(size))
    )


def _joined(parts: tuple[Any, ...]) -> Any:
    library = library_of(parts[0])
    return HANDLERS[library].module().stack(parts, -1) if library else np.stack(parts, -1)
