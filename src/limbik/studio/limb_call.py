"""A limb with the arguments of its `solve`, the Python code of that call, and recordings of calls as clips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import TypeVar

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.branches import Branches
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.rotations import about, continuous, inverse, multiply
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton

AnyLimb = PlanarTwoLink | TwoLink | ThreeLink
Answer = TypeVar("Answer")
Value = tuple[float, ...] | float | str

RECORDING_FPS = 60.0
MAX_RECORDING_SECONDS = 120.0


@dataclass(frozen=True)
class LimbCall:
    """A limb and one call of its `solve`."""

    kind: type[AnyLimb]
    lengths: tuple[float, ...]  # metres
    arguments: Mapping[str, Value]  # of `solve`
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # keyword arguments of the limb, radians

    @property
    def limb(self) -> AnyLimb:
        return self.kind(*self.lengths, **self.limits)

    def solve(self) -> Solution:
        return _call(self.limb.solve, self.arguments)

    def branches(self) -> Branches:
        """All poses that reach the same target."""
        return _call(self.limb.branches, {name: value for name, value in self.arguments.items() if name != "bend"})

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


def _call(method: Callable[..., Answer], arguments: Mapping[str, object]) -> Answer:
    """What a method of any limb answers, whose arguments a type checker cannot know."""
    return method(**arguments)


def _keywords(arguments: Mapping[str, object]) -> list[str]:
    return [f"{name}={value!r}" for name, value in arguments.items()]


def points_in_space(points: Array) -> Array:
    """Points (..., 2) in the x-y plane, or (..., 3), as (..., 3)."""
    missing = np.zeros((*points.shape[:-1], 3 - points.shape[-1]))
    return np.concatenate([points, missing], axis=-1)


class DragRecording:
    """Samples of a dragged target."""

    def __init__(self) -> None:
        self.times: list[float] = []  # seconds
        self.targets: list[Value] = []  # (2,) or (3,) each, metres
        self.ups: list[Value | None] = []  # directions of the last link, (3,) each; None for limbs without one

    def add(self, time: float, arguments: Mapping[str, Value]) -> None:
        """Adds a sample: the arguments of `solve` at a time. Samples after `MAX_RECORDING_SECONDS` are ignored."""
        if not self.times or time - self.times[0] < MAX_RECORDING_SECONDS:
            self.times.append(time)
            self.targets.append(arguments["target"])
            self.ups.append(arguments.get("up"))

    def clip(self, call: LimbCall) -> Clip:
        """The limb of a call following the recorded target, at `RECORDING_FPS` frames per second, without pops."""
        if len(set(zip(self.targets, self.ups, strict=True))) < 2:
            raise LimbikError("nothing was recorded: drag the target between Record and Stop")
        times = np.array(self.times) - self.times[0]
        frame_times = np.arange(max(1, round(times[-1] * RECORDING_FPS)) + 1) / RECORDING_FPS

        def resample(values: list[Value] | list[Value | None]) -> Array:
            return np.stack([np.interp(frame_times, times, axis) for axis in np.array(values, float).T], axis=-1)

        arguments: dict[str, object] = {**call.arguments, "target": resample(self.targets)}
        if "up" in arguments:
            arguments["up"] = resample(self.ups)
        return _limb_clip(call, arguments)


def _limb_clip(call: LimbCall, arguments: dict[str, object]) -> Clip:
    """The poses of a call's limb for arguments along time, as a clip of a skeleton with the same joints."""
    limb = call.limb
    if isinstance(limb, PlanarTwoLink):  # has no bending plane that could turn, and needs no tracking
        solution, axis = _call(limb.solve, arguments), np.array([1.0, 0.0, 0.0])
        world = about([0.0, 0.0, 1.0], np.cumsum(solution.angles, axis=-1))
    else:
        solution, axis = _call(limb.track, arguments), np.array([0.0, 0.0, 1.0])
        world = solution.rotations
    joints = points_in_space(solution.joints)
    links = np.linalg.norm(np.diff(joints, axis=1), axis=-1)  # longer than at rest where the limb stretches
    local = np.zeros((*joints.shape[:-1], 4)) + [0.0, 0.0, 0.0, 1.0]
    local[:, 0] = world[:, 0]
    local[:, 1:-1] = multiply(inverse(world[:, :-1]), world[:, 1:])
    translations = np.concatenate([joints[:, :1], links[..., None] * axis], axis=1)
    rest = np.concatenate([[[0.0, 0.0, 0.0]], np.array(call.lengths)[:, None] * axis])
    skeleton = Skeleton(solution.joint_names, np.arange(joints.shape[1]) - 1, rest)
    return Clip(skeleton, continuous(local), translations, fps=RECORDING_FPS, name="drag")
