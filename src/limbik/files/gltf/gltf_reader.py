"""Reads the figure of a document and one of its animations as a clip."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.arguments import positive
from limbik.arrays import Array
from limbik.bodies.body import Body
from limbik.errors import ArgumentError
from limbik.files.file_limits import check_joint_frames
from limbik.files.gltf import animation_extras, vrm
from limbik.files.gltf.animations import Channel, Sampler, Samplers, Timeline, channels_of, sample_keys, timeline
from limbik.files.gltf.document import Document
from limbik.files.gltf.nodes import Joints, joints_of, name_of, unit_quaternions
from limbik.files.gltf.terrain_node import terrain_in
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton, freeze
from limbik.skeleton.units import CENTIMETRE, METRE, MILLIMETRE, Unit, as_unit, guess_unit

MAX_SCALE_ROUNDING = 2e-6  # scales this close to 1 are 1 up to rounding


@dataclass(frozen=True, eq=False)
class GltfSource:
    """The document that a clip came from."""

    document: Document
    animation: int | None  # its number in the document, None where that had none
    nodes: list[int]  # the node of each joint
    loaded: Clip  # the clip as it was loaded, to find out what has changed since
    rest: Skeleton  # as the document has it

    @cached_property
    def body(self) -> Body | None:
        """The body in the document, read when it is first needed; None where there is none to show."""
        from limbik.files.gltf.body_reader import body_in

        return body_in(self)


def own_source(clip: Clip) -> GltfSource | None:
    """The document that a clip came from, if its joints are still the document's."""
    source = clip.source if isinstance(clip.source, GltfSource) else None
    return source if source and clip.skeleton.has_joints_of(source.loaded.skeleton) else None


@dataclass(frozen=True)
class Animation:
    """An animation of a file: its name, the second at which it starts, and the frames that it is loaded with."""

    name: str
    start: float
    fps: float
    frames: int

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (self.frames - 1) / self.fps


def clip_of(
    document: Document, animation: str | int | None = None, unit: str | float | Unit = "auto", fps: float | None = None
) -> Clip:
    """One of a document's animations (default: the first); one frame, the rest pose, if it has none."""
    fps = None if fps is None else positive("fps", fps, "frames a second")
    number = _animation_number(document, animation)
    channels = [channels_of(document, k) for k in range(len(document.arrays["animations"]))]
    roles = vrm.roles(document)
    joints = joints_of(document, {*roles, *(channel.node for some in channels for channel in some)})
    unit = _unit(joints) if unit == "auto" else as_unit(unit)
    samplers = _samplers(document, number, [] if number is None else channels[number])
    frames = _timeline(list(samplers.values()), fps)
    place, advice = f"animations[{number}] at {frames.fps:g} fps", ", fps=... fewer frames"
    check_joint_frames(document.name, place, len(joints.nodes), frames.frames, document.room, advice)
    local = _local_transforms(document, joints, samplers, frames)
    unscaled = np.all(np.abs(local["scale"] - 1.0) <= MAX_SCALE_ROUNDING) and np.all(
        np.abs(joints.scales - 1.0) <= MAX_SCALE_ROUNDING
    )
    skeleton = Skeleton(
        names=joints.names,
        parents=joints.parents,
        translations=joints.translations * unit.metres,
        rotations=joints.rotations,
        scales=None if unscaled else joints.scales,  # pyright: ignore[reportArgumentType]
        roles=tuple(roles.get(node, "") for node in joints.nodes) if roles else (),
    )
    animated = {} if number is None else document.arrays["animations"][number]
    clip = Clip(
        skeleton=skeleton,
        rotations=freeze(local["rotation"]),
        translations=freeze(local["translation"] * unit.metres),
        scales=None if unscaled else freeze(local["scale"]),
        fps=frames.fps,
        start=frames.start,
        name=name_of(animated),
        unit=unit,
        terrain=terrain_in(document, unit.metres),
        **animation_extras.fields_of(animated, skeleton, frames.frames, frames.fps),
    )
    return clip.with_(source=GltfSource(document, number, joints.nodes, clip, skeleton))


def animations_of(document: Document) -> tuple[Animation, ...]:
    """The animations of a document."""
    found = []
    for number, animation in enumerate(document.arrays["animations"]):
        samplers = _samplers(document, number, channels_of(document, number))
        frames = _timeline(list(samplers.values()), None)
        found.append(Animation(name_of(animation), frames.start, frames.fps, frames.frames))
    return tuple(found)


def _animation_number(document: Document, animation: str | int | None) -> int | None:
    names = [name_of(each) for each in document.arrays["animations"]]
    if animation is None:
        return 0 if names else None
    if isinstance(animation, str) and animation in names:
        return names.index(animation)
    if isinstance(animation, int) and not isinstance(animation, bool) and 0 <= animation < len(names):
        return animation
    known = ", ".join(f"{number} {name!r}" for number, name in enumerate(names))
    wanted = f"the name or number of one that {document.name} has: {known or 'it has none'}"
    raise ArgumentError("animation", repr(animation), wanted)


def _unit(joints: Joints) -> Unit:
    """Metres, as the standard defines it, unless the figure would be a giant."""
    skeleton = Skeleton(joints.names, joints.parents, joints.translations, joints.rotations, joints.scales)
    with np.errstate(all="ignore"):  # numbers of a broken file may overflow
        places = Pose.rest(skeleton).positions()
        places = places[joints.skinned] if joints.skinned.any() else places
        size = float(np.max(np.ptp(places, axis=0)))
    return guess_unit(size, (METRE, CENTIMETRE, MILLIMETRE))


def _samplers(document: Document, number: int | None, channels: list[Channel]) -> dict[Channel, Sampler]:
    if number is None:
        return {}
    samplers = Samplers(document, number)
    return {channel: samplers.of(channel) for channel in channels}


def _timeline(samplers: list[Sampler], fps: float | None) -> Timeline:
    distinct = {id(sampler.times): sampler.times for sampler in samplers}
    times = np.concatenate([*distinct.values(), np.empty(0)])
    straight = all(sampler.interpolation == "LINEAR" or len(sampler.times) == 1 for sampler in samplers)
    return timeline(times, fps, straight)


def _local_transforms(
    document: Document, joints: Joints, samplers: dict[Channel, Sampler], frames: Timeline
) -> dict[str, Array]:
    """Translations, rotations and scales of every joint at every frame, (frames, joints, components)."""
    rests = {"translation": joints.translations, "rotation": joints.rotations, "scale": joints.scales}
    local = {path: np.broadcast_to(rest, (frames.frames, *rest.shape)) for path, rest in rests.items()}
    joint_of = {node: joint for joint, node in enumerate(joints.nodes)}
    groups: dict[tuple[str, str, int], list[tuple[int, Sampler]]] = defaultdict(list)
    for channel, sampler in samplers.items():
        key = channel.path, sampler.interpolation, id(sampler.times)
        groups[key].append((joint_of[channel.node], sampler))
    for (path, interpolation, _), members in groups.items():
        if not local[path].flags.writeable:
            local[path] = local[path].copy()
        keys = frames.in_frames(members[0][1].times)
        values = np.stack([sampler.output.values() for _, sampler in members], axis=1)
        if not np.isfinite(values).all():
            first = int(np.argmin(np.isfinite(values).all(axis=(0, 2))))
            raise document.fault(members[first][1].output.place, "holds values that are not finite")
        found = sample_keys(interpolation, keys, values, frames.frames, frames.fps)
        local[path][:, [joint for joint, _ in members]] = unit_quaternions(found) if path == "rotation" else found
    return local
