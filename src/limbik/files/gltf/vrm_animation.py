"""A .vrma document for a clip that came from elsewhere: its joints named as VRM names them, at rest in a T-pose.

Players turn the bones of any VRM figure as those of the animation are turned from its rest pose, which therefore has to
be a T-pose that faces +z and stands on y = 0. The clip's motion stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.gltf.body_document import node_at_rest
from limbik.files.gltf.document import Document
from limbik.files.gltf.gltf_reader import GltfSource
from limbik.files.gltf.vrm import ANIMATION
from limbik.rotations import about, inverse, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import NoLimbsError
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.symmetry import UP, symmetry

LIMB_BONES = {"arm": ("UpperArm", "LowerArm", "Hand"), "leg": ("UpperLeg", "LowerLeg", "Foot")}
SIDES = ("left", "right")
REQUIRED = (
    "hips",
    "spine",
    "head",
    *(side + bone for side in SIDES for bones in LIMB_BONES.values() for bone in bones),
)
MAX_SPINE = ("spine", "chest", "upperChest")
SAME_RADIANS = 0.02  # from a T-pose: bones that are nearer stay as they are
FORWARD, LEFT = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def animation_document(clip: Clip) -> GltfSource:
    """A document with the clip's skeleton in a T-pose, and the map of its joints; without a body.

    Raises:
        ArgumentError: Joints that every VRM figure has were not found.
    """
    bones = humanoid_bones(clip.skeleton)
    skeleton = t_posed(clip.skeleton, bones)
    rest = Pose.rest(skeleton)
    scales = None if rest.scales is None else rest.scales[None]
    loaded = Clip(skeleton, rest.rotations[None], rest.translations[None], scales)
    human = {bone: {"node": joint} for bone, joint in bones.items()}
    content = {
        "asset": {"version": "2.0", "generator": "limbik"},
        "scene": 0,
        "scenes": [{"nodes": list(skeleton.roots)}],
        "nodes": [node_at_rest(skeleton, joint) for joint in range(len(skeleton))],
        "extensionsUsed": [ANIMATION],
        "extensions": {ANIMATION: {"specVersion": "1.0", "humanoid": {"humanBones": human}}},
    }
    document = Document(clip.name, content, b"", is_binary=True, binary=memoryview(b""))
    return GltfSource(document, None, list(range(len(skeleton))), loaded, skeleton)


def humanoid_bones(skeleton: Skeleton) -> dict[str, int]:
    """The joints by the names that VRM has for them: as the file said, or by limbs and trunk."""
    found = {role: joint for joint, role in enumerate(skeleton.roles) if role}
    if not found:
        found = _found_bones(skeleton)
    missing = [bone for bone in REQUIRED if bone not in found]
    if missing:
        raise ArgumentError("clip", f"no joints for {', '.join(missing)}", "a human figure, as .vrma describes")
    return found


def _found_bones(skeleton: Skeleton) -> dict[str, int]:
    torso = skeleton.torso
    try:
        limbs = skeleton.limbs
    except NoLimbsError:
        return {}
    found = {"hips": torso.pelvis}
    # Of a long spine the first joints and the chest.
    spine = torso.spine if len(torso.spine) <= len(MAX_SPINE) else (*torso.spine[:2], torso.spine[-1])
    found |= dict(zip(MAX_SPINE, spine, strict=False))
    if torso.head is not None:
        found["head"] = torso.head
        found |= {"neck": torso.neck[0]} if len(torso.neck) > 1 else {}
    for side in SIDES:
        for kind, names in LIMB_BONES.items():
            limb = limbs.get(f"{side}_{kind}")
            if limb is None or len(limb.joints) != len(names):
                continue
            found |= {side + name: joint for name, joint in zip(names, limb.joints, strict=True)}
            above = int(skeleton.parents[limb.joints[0]])
            if kind == "arm" and above >= 0 and skeleton.readings[above].side == side:
                found[f"{side}Shoulder"] = above
            if kind == "leg" and limb.toes and not skeleton.end_sites[limb.toes[0]]:
                found[f"{side}Toes"] = limb.toes[0]
    return found


def t_posed(skeleton: Skeleton, bones: dict[str, int]) -> Skeleton:
    """The skeleton with a T-pose at rest: arms to the sides, legs down, facing +z, its lowest joint at y = 0."""
    positions, rotations = Pose.rest(skeleton).world()
    ahead = symmetry(skeleton).forward
    facing = about(UP, -np.arctan2(ahead[0], ahead[2]))
    aims: dict[int, tuple[int, Array]] = {}
    for side, out in (("left", LEFT), ("right", -LEFT)):
        for kind, way in (("arm", out), ("leg", -UP)):
            upper, lower, end = (bones[side + name] for name in LIMB_BONES[kind])
            aims |= {upper: (lower, way), lower: (end, way)}
    feet = {bones[f"{side}Foot"] for side in SIDES}
    turns = np.empty_like(rotations)
    local, places = skeleton.rotations.copy(), skeleton.translations.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        turns[joint] = facing if parent < 0 or joint in feet else turns[parent]
        if joint in aims:
            child, way = aims[joint]
            bone = normalized(rotate(turns[joint], positions[child] - positions[joint]))
            if bone @ way < np.cos(SAME_RADIANS):
                turns[joint] = multiply(shortest_arc(bone, way, FORWARD), turns[joint])
        world = multiply(turns[joint], rotations[joint])
        local[joint] = world if parent < 0 else multiply(inverse(multiply(turns[parent], rotations[parent])), world)
        if parent < 0:
            places[joint] = rotate(facing, places[joint])
    posed = replace(skeleton, rotations=local, translations=places)
    places[list(skeleton.roots), 1] -= Pose.rest(posed).positions()[:, 1].min()
    return replace(posed, translations=places)
