"""Reads the figure of an FBX file and one of its takes as a clip."""

from __future__ import annotations

from math import floor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import as_unicode
from limbik.files.fbx.meshes import body_of
from limbik.files.fbx.records import FbxFile
from limbik.files.fbx.scene import FbxObject, Properties, Scene
from limbik.files.fbx.takes import Take, choose_take, frame_rate, stacks_of, take_of
from limbik.files.fbx.transforms import Node, inherited_scales, local_transform, node_of
from limbik.files.file_limits import check_joint_frames, joint_frames_limit, read_file
from limbik.files.gltf.animations import common_rate
from limbik.files.gltf.gltf_reader import Animation
from limbik.rotations import IDENTITY, from_matrices, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton, freeze
from limbik.skeleton.units import CENTIMETRE, METRE, MILLIMETRE, Unit, as_unit, guess_unit

SCENE_ROOT, ROOT_NAME = 0, "RootNode"
BONES = ("LimbNode", "Limb", "Root")
MAX_FIGURE_METRES = 20.0  # a larger figure is in another unit than its file says
MAX_UNIT_SCALE = 1e6  # centimetres in a unit
SAME_SCALE = 2e-6  # scales this close to 1 are 1 up to rounding
END_FRAMES = 1e-3  # a key this near the end of a take is in it


class Figure(NamedTuple):
    """The nodes of a figure, parents before their children."""

    models: list[FbxObject]
    parents: list[int]
    nodes: list[Node]

    @property
    def place(self) -> dict[int, int]:
        """The joint of each model by its number."""
        return {model.number: joint for joint, model in enumerate(self.models)}


def load(
    path: Path, animation: str | int | None, unit: str | float | Unit, up: str, fps: float | None, limit: int | None
) -> Clip:
    """The clip in a file: see `limbik.load`."""
    return parse(read_file(path), path, animation, unit, up, fps, limit)


def animations_of(path: Path) -> tuple[Animation, ...]:
    """The takes of a file, as they are loaded."""
    scene = Scene(FbxFile(read_file(path), path))
    found = []
    for stack in stacks_of(scene):
        start, fps, frames = _frames(scene, take_of(scene, stack), None)
        found.append(Animation(as_unicode(stack.name), start, fps, frames))
    return tuple(found)


def parse(
    data: bytes,
    path: object,
    animation: str | int | None = None,
    unit: str | float | Unit = "auto",
    up: str = "auto",
    fps: float | None = None,
    limit: int | None = None,
) -> Clip:
    """The clip in a file's bytes; its path is named in errors."""
    scene = Scene(FbxFile(data, path))
    stack = choose_take(scene, animation)
    take = Take("", {}, None) if stack is None else take_of(scene, stack)
    figure = _figure(scene, take)
    start, rate, frames = _frames(scene, take, fps)
    check_joint_frames(
        path, "", len(figure.models), frames, joint_frames_limit(limit, len(data)), ", a lower fps fewer"
    )
    seconds = start + np.arange(frames) / rate
    rest = _local_transforms(figure, [node.values for node in figure.nodes], 1)
    values = [take.values(model.number, node, seconds) for model, node in zip(figure.models, figure.nodes, strict=True)]
    moved = _local_transforms(figure, values, frames)
    metres = _unit(scene, figure, rest, unit)
    clip = _clip(figure, rest, moved, metres, _turn_to_y_up(scene, up))
    body = body_of(scene, figure.place, clip.skeleton, metres.metres)
    return clip.with_(fps=rate, start=start if take.tracks else 0.0, name=as_unicode(take.name), body=body)


def _figure(scene: Scene, take: Take) -> Figure:
    """Bones, what skins and curves move, and all above them; every model where there are none of these."""
    models = {one.number: one for one in scene.of_kind("Model")}
    if not models:
        raise scene.file.fault("", "has no objects of the kind Model; expected a figure")
    above = {number: next((one.number for one in scene.above(number, "Model")), -1) for number in models}
    wanted = {number for number, one in models.items() if one.subkind in BONES}
    wanted |= {
        one.number for cluster in scene.of_kind("Deformer", "Cluster") for one in scene.below(cluster.number, "Model")
    }
    wanted |= {number for number, _ in take.tracks} & models.keys()
    chosen: set[int] = set()
    for number in wanted or set(models):
        line: list[int] = []
        at = number
        while at >= 0 and at in models and at not in chosen and at not in line[-1:]:
            if len(line) > len(models):
                raise scene.file.fault(models[number].name, "is among its own ancestors")
            line.append(at)
            at = above[at]
        chosen.update(line)
    order = _in_order([number for number in models if number in chosen], above, chosen)
    if len(order) < len(chosen):
        raise scene.file.fault("", "has models that are among their own ancestors")
    nodes = [node_of(scene.properties(models[number])) for number in order]
    figure = Figure([models[number] for number in order], [], nodes)
    parents = [figure.place.get(above[number], -1) for number in order]
    if parents.count(-1) < 2:
        return figure._replace(parents=parents)
    # Several trees: the root of the scene, which files leave out, holds them together.
    root = FbxObject(SCENE_ROOT, ROOT_NAME, "Model", "Root", figure.models[0].record)
    return Figure(
        [root, *figure.models], [-1, *(parent + 1 for parent in parents)], [node_of(Properties(None)), *nodes]
    )


def _in_order(numbers: list[int], above: dict[int, int], chosen: set[int]) -> list[int]:
    """Models, each after its parent and its earlier siblings' descendants."""
    children: dict[int, list[int]] = {}
    for number in numbers:
        children.setdefault(above[number] if above[number] in chosen else -1, []).append(number)
    order, waiting = [], children.get(-1, [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(children.get(order[-1], [])[::-1])
    return order


def _frames(scene: Scene, take: Take, fps: float | None) -> tuple[float, float, int]:
    """The second at which a take starts, its frames a second, and their number."""
    curves = take.curves
    stated = frame_rate(scene)
    if not curves:
        return 0.0, fps or stated, 1
    keys = [curve.times for curve in curves if len(curve.times) > 1] or [curve.times for curve in curves]
    start, stop = min(float(one[0]) for one in keys), max(float(one[-1]) for one in keys)
    if fps is None:
        fps = _key_rate(np.unique(np.concatenate(keys)), stated)
    return start, fps, floor(min((stop - start) * fps, 2.0**53) + END_FRAMES) + 1


def _key_rate(times: Array, stated: float) -> float:
    """Frames a second for keys at times (n,): as the file states, or more where its keys are closer."""
    found = common_rate(times) if len(times) > 1 else None
    return stated if found is None else max(found, stated)


def _local_transforms(figure: Figure, values: list[dict[str, Array]], frames: int) -> tuple[Array, Array, Array]:
    """Local translations (frames, joints, 3), rotations (frames, joints, 4) and scales (frames, joints, 3)."""
    joints = len(figure.nodes)
    translations, rotations, scales = (
        np.empty((frames, joints, 3)),
        np.empty((frames, joints, 4)),
        np.empty((frames, joints, 3)),
    )
    for joint, (node, value) in enumerate(zip(figure.nodes, values, strict=True)):
        translations[:, joint], rotations[:, joint], scales[:, joint] = local_transform(node, value)
    return (
        translations,
        rotations,
        inherited_scales(figure.parents, [node.inherits for node in figure.nodes], rotations, scales),
    )


def _unit(scene: Scene, figure: Figure, rest: tuple[Array, Array, Array], unit: str | float | Unit) -> Unit:
    """The unit that a file states, unless the figure would be a giant in it."""
    if unit != "auto":
        return as_unit(unit)
    centimetres = scene.settings.number("UnitScaleFactor", 1.0)
    metres = 0.01 * centimetres if 0.0 < centimetres < MAX_UNIT_SCALE else 0.01
    stated = next((one for one in (METRE, CENTIMETRE, MILLIMETRE) if abs(one.metres / metres - 1.0) < 1e-9), None)
    skeleton = _skeleton(figure, rest)
    with np.errstate(all="ignore"):
        size = float(np.max(np.ptp(Pose.rest(skeleton).positions(), axis=0)))
    if size * metres > MAX_FIGURE_METRES:
        return guess_unit(size, (METRE, CENTIMETRE, MILLIMETRE))
    return stated or as_unit(metres)


def _skeleton(figure: Figure, rest: tuple[Array, Array, Array]) -> Skeleton:
    names = tuple(as_unicode(model.name) for model in figure.models)
    translations, rotations, scales = (part[0] for part in rest)
    return Skeleton(names, np.array(figure.parents), translations, rotations, scales)


def _turn_to_y_up(scene: Scene, up: str) -> Array:
    """The rotation (4,) from the file's axes to +y up, +x to the side and +z ahead."""
    settings, columns = scene.settings, np.zeros((3, 3))
    axes = {"y": ("UpAxis", 1), "z": ("FrontAxis", 2), "x": ("CoordAxis", 0)}
    if up == "auto":
        for row, (name, default) in zip((1, 2, 0), axes.values(), strict=True):
            axis, sign = settings.whole(name, default), settings.number(f"{name}Sign", 1.0)
            columns[row, axis if 0 <= axis < 3 else default] = -1.0 if sign < 0.0 else 1.0
    else:
        columns[1, "xyz".index(up)] = 1.0
        columns[2, {"y": 2, "z": 1, "x": 2}[up]] = -1.0 if up == "z" else 1.0
    columns[0] = np.cross(columns[1], columns[2])
    return from_matrices(columns) if abs(np.linalg.det(columns)) > 0.5 else IDENTITY


def _clip(
    figure: Figure, rest: tuple[Array, Array, Array], moved: tuple[Array, Array, Array], unit: Unit, turn: Array
) -> Clip:
    roots = [joint for joint, parent in enumerate(figure.parents) if parent < 0]
    parts = [_turned(part, roots, unit.metres, turn) for part in (rest, moved)]
    unscaled = all(np.all(np.abs(part[2] - 1.0) <= SAME_SCALE) for part in parts)
    skeleton = _skeleton(figure, parts[0])
    if unscaled:
        skeleton = Skeleton(skeleton.names, skeleton.parents, skeleton.translations, skeleton.rotations)
    translations, rotations, scales = parts[1]
    return Clip(skeleton, freeze(rotations), freeze(translations), None if unscaled else freeze(scales), unit=unit)


def _turned(
    local: tuple[Array, Array, Array], roots: list[int], metres: float, turn: Array
) -> tuple[Array, Array, Array]:
    """Local transforms in metres, their roots turned."""
    translations, rotations, scales = local[0] * metres, local[1].copy(), local[2]
    translations[:, roots] = rotate(turn, translations[:, roots])
    rotations[:, roots] = multiply(turn, rotations[:, roots])
    return translations, rotations, scales
