"""A recorded drag of a target as a clip of the limb."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.rotations import about, continuous, inverse, multiply
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from limbik.studio.limb.limb_call import Call

FPS = 60.0
FEWEST = 3  # times: the start, the end, and one between them


@dataclass
class Drag:
    """Where a target was, and which way the last link was to point, from time to time.

    times: seconds. targets: (2,) or (3,) each. ups: (3,) each, or None where nothing is asked.
    """

    times: list[float] = field(default_factory=list)
    targets: list[Any] = field(default_factory=list)
    ups: list[Any] = field(default_factory=list)

    def add(self, time: float, arguments: dict[str, Any]) -> None:
        """What `solve` was asked at a time."""
        self.times.append(time)
        self.targets.append(arguments["target"])
        self.ups.append(arguments.get("up"))

    def clip(self, call: Call) -> Clip:
        """The limb of a call as it follows the drag, evenly in time, without pops."""
        if len(self.times) < FEWEST:
            raise LimbikError("Nothing was recorded: drag the target between Record and Stop.")
        times = np.array(self.times) - self.times[0]
        even = np.arange(max(1, round(times[-1] * FPS)) + 1) / FPS
        given = {**call.arguments, "target": _evenly(even, times, self.targets)}
        if "up" in given:
            given["up"] = _evenly(even, times, self.ups)
        return clip_of(call, _followed(call, given))


def _evenly(even: Array, times: Array, values: list[Any]) -> Array:
    columns = np.array(values, float).T
    return np.stack([np.interp(even, times, column) for column in columns], axis=-1)


def _followed(call: Call, given: dict[str, Any]) -> Solution:
    """Solutions along time; a planar limb has no bending plane that could turn, and needs no track."""
    limb = call.limb
    if isinstance(limb, PlanarTwoLink):
        return limb.solve(**given)
    renamed = {{"target": "targets", "up": "ups"}.get(name, name): value for name, value in given.items()}
    return limb.track(**renamed)


def clip_of(call: Call, solution: Solution) -> Clip:
    """Solutions (frames,) of a call's limb as a clip of a skeleton with a joint for each of its own."""
    joints = solution.joints
    if joints.shape[-1] == 2:
        joints = np.concatenate([joints, np.zeros((*joints.shape[:-1], 1))], axis=-1)
        world = about([0.0, 0.0, 1.0], np.cumsum(solution.angles, axis=-1))
        axis = np.array([1.0, 0.0, 0.0])
    else:
        world, axis = solution.rotations, np.array([0.0, 0.0, 1.0])
    links = np.linalg.norm(np.diff(joints, axis=1), axis=-1)  # longer than at rest where the limb may stretch
    local = np.zeros((*joints.shape[:-1], 4)) + [0.0, 0.0, 0.0, 1.0]
    local[:, 0] = world[:, 0]
    local[:, 1:-1] = multiply(inverse(world[:, :-1]), world[:, 1:])
    translations = np.concatenate([joints[:, :1], links[..., None] * axis], axis=1)
    count = joints.shape[1]
    rest = np.concatenate([[[0.0, 0.0, 0.0]], np.array(call.lengths)[:, None] * axis])
    skeleton = Skeleton(solution.joint_names, np.arange(count) - 1, rest)
    return Clip(skeleton, continuous(local), translations, fps=FPS, name="drag")
