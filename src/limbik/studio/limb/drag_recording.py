"""Records how a target is dragged, and turns it into a clip of the limb."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.planar import PlanarTwoLink
from limbik.rotations import about, continuous, inverse, multiply
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from limbik.studio.limb.limb_call import LimbCall, in_space

FPS = 60.0
LONGEST = 120.0  # seconds; a recording keeps no more


class DragRecording:
    """Samples of a dragged target."""

    def __init__(self) -> None:
        self.times: list[float] = []  # seconds
        self.targets: list[Any] = []  # (2,) or (3,) each, metres
        self.ups: list[Any] = []  # directions of the last link, (3,) each; None for limbs without one

    def add(self, time: float, arguments: dict[str, Any]) -> None:
        """Adds a sample: the arguments of `solve` at a time. Samples after the first `LONGEST` seconds are ignored."""
        if not self.times or time - self.times[0] < LONGEST:
            self.times.append(time)
            self.targets.append(arguments["target"])
            self.ups.append(arguments.get("up"))

    def clip(self, call: LimbCall) -> Clip:
        """The limb of a call following the recorded target, at `FPS` frames per second, without pops."""
        if len(set(zip(self.targets, self.ups, strict=True))) < 2:
            raise LimbikError("nothing was recorded: drag the target between Record and Stop")
        times = np.array(self.times) - self.times[0]
        frame_times = np.arange(max(1, round(times[-1] * FPS)) + 1) / FPS
        arguments = {**call.arguments, "target": _resampled(frame_times, times, self.targets)}
        if "up" in arguments:
            arguments["up"] = _resampled(frame_times, times, self.ups)
        return _limb_clip(call, arguments)


def _resampled(frame_times: Array, times: Array, values: list[Any]) -> Array:
    columns = np.array(values, float).T
    return np.stack([np.interp(frame_times, times, column) for column in columns], axis=-1)


def _limb_clip(call: LimbCall, arguments: dict[str, Any]) -> Clip:
    """The poses of a call's limb for arguments along time, as a clip of a skeleton with the same joints."""
    limb = call.limb
    if isinstance(limb, PlanarTwoLink):  # has no bending plane that could turn, and needs no tracking
        solution, axis = limb.solve(**arguments), np.array([1.0, 0.0, 0.0])
        world = about([0.0, 0.0, 1.0], np.cumsum(solution.angles, axis=-1))
    else:
        solution, axis = limb.track(**arguments), np.array([0.0, 0.0, 1.0])
        world = solution.rotations
    joints = in_space(solution.joints)
    links = np.linalg.norm(np.diff(joints, axis=1), axis=-1)  # longer than at rest where the limb stretches
    local = np.zeros((*joints.shape[:-1], 4)) + [0.0, 0.0, 0.0, 1.0]
    local[:, 0] = world[:, 0]
    local[:, 1:-1] = multiply(inverse(world[:, :-1]), world[:, 1:])
    translations = np.concatenate([joints[:, :1], links[..., None] * axis], axis=1)
    rest = np.concatenate([[[0.0, 0.0, 0.0]], np.array(call.lengths)[:, None] * axis])
    skeleton = Skeleton(solution.joint_names, np.arange(joints.shape[1]) - 1, rest)
    return Clip(skeleton, continuous(local), translations, fps=FPS, name="drag")
