"""Records how a target is dragged, and turns it into a clip of the limb."""

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
from limbik.studio.limb.limb_call import LimbCall

FPS = 60.0
FEWEST = 3  # samples: the start, the end, and at least one between them


@dataclass(eq=False)
class DragRecording:
    """Samples of a dragged target.

    Attributes:
        times: seconds.
        targets: (2,) or (3,) each, metres.
        ups: direction of the last link, (3,) each; None for limbs without one.
    """

    times: list[float] = field(default_factory=list)
    targets: list[Any] = field(default_factory=list)
    ups: list[Any] = field(default_factory=list)

    def add(self, time: float, arguments: dict[str, Any]) -> None:
        """Adds a sample: the arguments of `solve` at a time."""
        self.times.append(time)
        self.targets.append(arguments["target"])
        self.ups.append(arguments.get("up"))

    def clip(self, call: LimbCall) -> Clip:
        """The limb of a call following the recorded target, at `FPS` frames per second, without pops.

        Raises:
            LimbikError: the target was not moved while recording.
        """
        if len(self.times) < FEWEST:
            raise LimbikError("nothing was recorded: drag the target between Record and Stop")
        times = np.array(self.times) - self.times[0]
        frame_times = np.arange(max(1, round(times[-1] * FPS)) + 1) / FPS
        arguments = {**call.arguments, "target": _resampled(frame_times, times, self.targets)}
        if "up" in arguments:
            arguments["up"] = _resampled(frame_times, times, self.ups)
        return limb_clip(call, _tracked(call, arguments))


def _resampled(frame_times: Array, times: Array, values: list[Any]) -> Array:
    columns = np.array(values, float).T
    return np.stack([np.interp(frame_times, times, column) for column in columns], axis=-1)


def _tracked(call: LimbCall, arguments: dict[str, Any]) -> Solution:
    """Solutions along time. A planar limb has no bending plane that could turn, and needs no tracking."""
    limb = call.limb
    return limb.solve(**arguments) if isinstance(limb, PlanarTwoLink) else limb.track(**arguments)


def limb_clip(call: LimbCall, solution: Solution) -> Clip:
    """Solutions of a call's limb, one per frame, as a clip of a skeleton with the same joints."""
    joints = solution.joints
    if joints.shape[-1] == 2:
        joints = np.concatenate([joints, np.zeros((*joints.shape[:-1], 1))], axis=-1)
        world = about([0.0, 0.0, 1.0], np.cumsum(solution.angles, axis=-1))
        axis = np.array([1.0, 0.0, 0.0])
    else:
        world, axis = solution.rotations, np.array([0.0, 0.0, 1.0])
    links = np.linalg.norm(np.diff(joints, axis=1), axis=-1)  # longer than at rest where the limb stretches
    local = np.zeros((*joints.shape[:-1], 4)) + [0.0, 0.0, 0.0, 1.0]
    local[:, 0] = world[:, 0]
    local[:, 1:-1] = multiply(inverse(world[:, :-1]), world[:, 1:])
    translations = np.concatenate([joints[:, :1], links[..., None] * axis], axis=1)
    count = joints.shape[1]
    rest = np.concatenate([[[0.0, 0.0, 0.0]], np.array(call.lengths)[:, None] * axis])
    skeleton = Skeleton(solution.joint_names, np.arange(count) - 1, rest)
    return Clip(skeleton, continuous(local), translations, fps=FPS, name="drag")
