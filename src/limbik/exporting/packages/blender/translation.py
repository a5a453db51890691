"""Armatures and their motion as limbik's skeletons and clips, and back.

Blender's world is z up in scene units, limbik's y up in metres. A joint is a bone: its head, and the bone's own axes.
What a bone is stretched by is kept aside and put back, so that every evaluated pose can be written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np

import limbik
from limbik import LimbikError
from limbik.rotations import from_matrices, inverse, multiply, rotate, to_matrices

TO_LIMBIK = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # x, z, −y
# Of a figure's height: bones that lie so low are feet, which end no higher than they begin, and not below the floor.
MAX_FOOT_HEIGHT, MAX_END_RISE, MAX_END_DEPTH = 0.15, 0.03, 0.03
SAME_REST = 1e-4  # relative to a bone's length: within which two bones are one at rest


def metres_per_unit(scene) -> float:
    """The length of a Blender unit."""
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


def frames_per_second(scene) -> float:
    """The frame rate."""
    return scene.render.fps / scene.render.fps_base


def points_to_limbik(points, unit):
    """Places (..., 3) in Blender's world as limbik's, metres."""
    return np.asarray(points, float) @ (unit * TO_LIMBIK.T)


def split_frames(matrices):
    """World matrices (..., 4, 4) as positions, rotation matrices, and what else the axes are multiplied by (3, 3)."""
    linear = matrices[..., :3, :3]
    y, z = linear[..., 1], linear[..., 2]
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    z = z - np.sum(z * y, axis=-1, keepdims=True) * y
    z = z / np.linalg.norm(z, axis=-1, keepdims=True)
    rotations = np.stack([np.cross(y, z), y, z], axis=-1)
    return matrices[..., :3, 3], rotations, np.swapaxes(rotations, -1, -2) @ linear


def inverse_frames(matrices):
    """The inverses of affine matrices (..., 4, 4)."""
    x, y, z = np.moveaxis(matrices[..., :3, :3], -1, 0)
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=-2)
    found = np.zeros_like(matrices)
    found[..., :3, :3] = rows / np.sum(x * rows[..., 0, :], axis=-1)[..., None, None]
    found[..., :3, 3] = -(found[..., :3, :3] @ matrices[..., :3, 3:])[..., 0]
    found[..., 3, 3] = 1.0
    return found


def bone_matrices(bones, attribute) -> np.ndarray:
    """A matrix (bones, 4, 4) of each bone."""
    flat = np.empty(16 * len(bones), np.float32)
    bones.foreach_get(attribute, flat)
    return flat.reshape(-1, 4, 4).swapaxes(-1, -2).astype(float)


@dataclass(frozen=True, eq=False)
class Figure:
    """An armature as a skeleton: a joint for each bone that deforms, and an end site for each that ends a limb."""

    armature: bpy.types.Object
    unit: float  # metres
    bones: tuple[str, ...]  # of the first joints
    tails: np.ndarray  # (end sites,) lengths of the bones that end in them, in the armature's units
    skeleton: limbik.Skeleton

    @classmethod
    def of(cls, context, armature) -> Figure:
        """The figure of an armature, where it is at rest in its present place."""
        bones = armature.data.bones
        if not len(bones):
            raise LimbikError(f"{armature.name} has no bones")
        rest = bone_matrices(bones, "matrix_local")
        joints, parents = _joints(bones, rest)
        unit = metres_per_unit(context.scene)
        at_rest = np.array(armature.matrix_world) @ rest[joints]
        tails = np.array([bones[k].tail_local for k in joints]) - rest[joints, :3, 3]
        linear = np.array(armature.matrix_world)[:3, :3]
        ends = sorted(set(range(len(joints))) - set(parents))
        ends = [k for k in ends if not _is_made_up(at_rest[:, 2, 3], k, linear[2] @ tails[k])]
        names = [bones[k].name for k in joints]
        positions, rotations = _to_limbik(at_rest, unit)
        positions = np.concatenate([positions, positions[ends] + points_to_limbik(tails[ends] @ linear.T, unit)])
        rotations = np.concatenate([rotations, rotations[ends]])
        parents = np.array([*parents, *ends])
        local = _to_local(parents, positions, rotations)
        skeleton = limbik.Skeleton(
            (*names, *(names[k] + "_end" for k in ends)),
            parents,
            local[1],
            local[0],
            end_sites=np.arange(len(parents)) >= len(joints),
        )
        lengths = np.array([bones[joints[k]].length for k in ends])
        return cls(armature, unit, tuple(names), lengths, skeleton)

    def clip(self, world, fps, name="") -> limbik.Clip:
        """The clip of the bones' world matrices (frames, bones, 4, 4)."""
        positions, rotations = _to_limbik(world, self.unit)
        count = len(self.bones)
        rotations, translations = _to_local(self.skeleton.parents[:count], positions, rotations)
        ends = self.skeleton.parents[count:]
        shape = (len(world), len(ends))
        rotations = np.concatenate([rotations, np.broadcast_to([0.0, 0.0, 0.0, 1.0], (*shape, 4))], axis=1)
        tails = np.zeros((*shape, 3))
        tails[..., 1] = self.unit * self.tails * np.linalg.norm(world[:, ends][..., :3, 1], axis=-1)
        translations = np.concatenate([translations, tails], axis=1)
        return limbik.Clip(self.skeleton, rotations, translations, fps=fps, name=name)

    def world(self, clip, like) -> np.ndarray:
        """The bones' world matrices (frames, bones, 4, 4) in a clip, stretched as in `like` (..., bones, 4, 4)."""
        positions, rotations = clip.world()
        count = len(self.bones)
        linear = TO_LIMBIK.T @ to_matrices(rotations[:, :count]) @ split_frames(like)[2]
        found = np.zeros((*linear.shape[:2], 4, 4))
        found[..., :3, :3], found[..., 3, 3] = linear, 1.0
        found[..., :3, 3] = positions[:, :count] @ TO_LIMBIK / self.unit
        return found


@dataclass(frozen=True, eq=False)
class Recording:
    """What Blender evaluates over some frames."""

    figure: Figure
    frames: np.ndarray  # numbers of the scene's frames
    objects: np.ndarray  # (frames, 4, 4) the armature's object in the world
    poses: np.ndarray  # (frames, bones, 4, 4) all bones in the armature
    fps: float
    name: str = ""
    others: dict[str, np.ndarray] = field(default_factory=dict)  # (frames, 4, 4) other objects in the world, by name

    @property
    def _joints(self) -> list[int]:
        bones = self.figure.armature.data.bones
        return [bones.find(name) for name in self.figure.bones]

    @property
    def world(self) -> np.ndarray:
        """(frames, bones, 4, 4) the figure's bones in the world."""
        return self.objects[:, None] @ self.poses[:, self._joints]

    def clip(self) -> limbik.Clip:
        """The motion as a clip."""
        return self.figure.clip(self.world, self.fps, self.name)

    def poses_of(self, clip) -> np.ndarray:
        """(frames, bones, 4, 4) all bones in the armature, as the clip has them.

        Bones that are no joints follow their parents, unless constraints hold them where they are.
        """
        joints, armature = self._joints, self.figure.armature
        found = self.poses.copy()
        found[:, joints] = inverse_frames(self.objects)[:, None] @ self.figure.world(clip, self.world)
        given = set(joints)
        for k, bone in enumerate(armature.pose.bones):  # parents before children
            if k not in given and bone.parent and not is_constrained(bone):
                parent = armature.data.bones.find(bone.parent.name)
                found[:, k] = found[:, parent] @ inverse_frames(self.poses[:, parent]) @ self.poses[:, k]
        return found


def record(context, figure, frames, name="", others=()) -> Iterator[float]:
    """Plays frames and returns the Recording; yields the fraction done. The scene's frame is set back at the end."""
    scene, armature = context.scene, figure.armature
    count = len(armature.pose.bones)
    poses, objects = np.empty((len(frames), count, 4, 4)), np.empty((len(frames), 4, 4))
    seen = {one.name: np.empty((len(frames), 4, 4)) for one in others}
    before = scene.frame_current, scene.frame_subframe
    try:
        for k, frame in enumerate(frames):
            scene.frame_set(int(frame))
            graph = context.evaluated_depsgraph_get()
            evaluated = armature.evaluated_get(graph)
            objects[k] = evaluated.matrix_world
            poses[k] = bone_matrices(evaluated.pose.bones, "matrix")
            for one in others:
                seen[one.name][k] = one.evaluated_get(graph).matrix_world
            yield (k + 1) / len(frames)
    finally:
        scene.frame_set(before[0], subframe=before[1])
    return Recording(figure, np.asarray(frames), objects, poses, frames_per_second(scene), name, seen)


def is_constrained(bone) -> bool:
    """Whether something else than its own channels and its parent moves a pose bone."""
    return bone.is_in_ik_chain or any(not one.mute and one.influence > 0.0 for one in bone.constraints)


def _joints(bones, rest) -> tuple[list[int], list[int]]:
    """The bones that are joints, parents first, and the number of each one's parent joint, -1 for none.

    Where bones that deform hang from others that do not, as in Rigify's rigs, those stand for the deforming ones that
    lie in the same place at rest.
    """
    chosen = [k for k, bone in enumerate(bones) if bone.use_deform] or list(range(len(bones)))
    found = set(chosen)
    index = {bone.name: k for k, bone in enumerate(bones)}
    above: dict[int, int] = {}
    for k in chosen:
        ancestors = [index[bone.name] for bone in bones[k].parent_recursive]
        above[k] = next((joint for a in ancestors for joint in [_stand_in(a, k, found, rest)] if joint >= 0), -1)
    order: list[int] = []
    waiting = [k for k in reversed(chosen) if above[k] < 0]
    children: dict[int, list[int]] = {}
    for k in reversed(chosen):
        children.setdefault(above[k], []).append(k)
    while waiting:
        order.append(waiting.pop())
        waiting += children.get(order[-1], [])
    number = {k: joint for joint, k in enumerate(order)} | {-1: -1}
    return order, [number[above[k]] for k in order]


def _is_made_up(heads, joint, rise) -> bool:
    """Whether the end of a foot's bone says nothing of the foot, as of files that have no ends, given by an importer.

    heads: heights of all bones. rise: from the bone's head to its end.
    """
    height, head = np.ptp(heads), heads[joint] - heads.min()
    is_foot = head < MAX_FOOT_HEIGHT * height
    return bool(is_foot and not -head - MAX_END_DEPTH * height <= rise <= MAX_END_RISE * height)


def _stand_in(ancestor, bone, joints, rest) -> int:
    """The joint that an ancestor of a bone is, or stands for; -1 for none."""
    if ancestor in joints:
        return ancestor
    same = [k for k in joints if k != bone and np.abs(rest[k] - rest[ancestor]).max() < SAME_REST]
    return same[0] if same else -1


def _to_limbik(world, unit):
    """Positions (..., 3) and rotations (..., 4) of world matrices (..., 4, 4) of Blender."""
    positions, rotations, _ = split_frames(world)
    return points_to_limbik(positions, unit), from_matrices(TO_LIMBIK @ rotations)


def _to_local(parents, positions, rotations):
    """Local rotations (..., joints, 4) and translations (..., joints, 3) of world ones."""
    above, local, translations = np.maximum(parents, 0), rotations.copy(), positions.copy()
    child = np.asarray(parents) >= 0
    turn = inverse(rotations[..., above[child], :])
    local[..., child, :] = multiply(turn, rotations[..., child, :])
    translations[..., child, :] = rotate(turn, positions[..., child, :] - positions[..., above[child], :])
    return local, translations
