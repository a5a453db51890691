"""A clip, its ground and its bodies as a page stores them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, MeshPart
from limbik.bodies.body_set import BodySet, parents_in
from limbik.files.gltf.container import media_type
from limbik.pages.packing import Packer
from limbik.rotations import continuous, normalized
from limbik.scenes.ground_patch import GroundPatch
from limbik.scenes.looks import shine
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain

TURN = 2.0**-15  # resolution of quaternion components: 0.03 mm at the end of a metre
LENGTH = 1e-5  # resolution of lengths, over the figure's size
GROUND = 2e-4  # resolution of ground vertices, over the figure's size
FINE = 30_000  # resolution of vertices: this fraction of a mesh's extent
LARGEST_TEXTURE = 1_000_000  # bytes; meshes with larger textures get their plain colour, so that pages stay small


def packed_ground(packer: Packer, ground: GroundPatch, size: float) -> dict[str, Any]:
    """A ground patch for the page. size: of a figure, metres."""
    packed = {
        "positions": packer.array("terrain", ground.vertices, GROUND * size, order=2),
        "faces": packer.array("terrain", ground.faces),
        "middle": ground.middle,
        "margin": ground.margin,
    }
    return packed | ({"paint": packer.array("terrain", ground.paint)} if ground.paint.any() else {})


def packed_motion(packer: Packer, shown: SceneClip, bodies: BodySet, terrain: Terrain) -> dict[str, Any]:
    """A clip for the page; its bodies are added to `bodies`."""
    clip, length = shown.clip, LENGTH * shown.size
    groups = bodies.groups(clip)
    return {
        "fps": clip.fps,
        "frames": len(clip),
        "radius": shown.radius,
        "extent": shown.extent,
        "mark": shown.mark,
        "centres": packer.array("clip", shown.centres, length, order=2),
        "feet": [clip.skeleton.names[foot] for foot in clip.feet],
        "footing": _footing(clip, [figures for _, figures in groups]),
        "plants": [[foot, first / clip.fps, stop / clip.fps] for foot, first, stop in shown.plants],
        "blocked": [[first / clip.fps, stop / clip.fps] for first, stop in shown.blocked],
        "marks": packer.array("clip", shown.marks(terrain), length),
        "groups": [_group(packer, clip, body, figures, length) for body, figures in groups],
    }


def _footing(clip: Clip, groups: list[list[Array]]) -> list[tuple[int, int, int, int]]:
    """Of each foot: its group, its joint there, its figure, and its limb, which may have several feet (heel, toes).

    groups: the joint numbers of the figures in each.
    """
    places: dict[int, tuple[int, int, int]] = {}
    for group, figures in enumerate(groups):
        joints = [(int(joint), figure) for figure, own in enumerate(figures) for joint in own]
        before = sum(len(each) for each in groups[:group])
        places |= {joint: (group, place, before + figure) for place, (joint, figure) in enumerate(joints)}
    parents = clip.skeleton.parents
    limbs: dict[int, int] = {}  # by the joints of their feet, and those that carry these
    found = []
    for foot in clip.feet:
        parent = int(parents[foot])
        limb = limbs.get(foot, limbs.get(parent, len(set(limbs.values()))))
        limbs |= {foot: limb, **({parent: limb} if parent >= 0 else {})}
        found.append((*places[foot], limb))
    return found


def _group(packer: Packer, clip: Clip, body: int, figures: list[Array], length: float) -> dict[str, Any]:
    """Figures that share a body, each given by its joint numbers: their motions, one figure after the other."""
    joints = np.concatenate(figures)
    rotations = continuous(normalized(clip.rotations[:, joints]))
    group = {
        "body": body,
        "count": len(figures),
        "parents": parents_in(clip.skeleton, figures[0]).tolist(),
        "rotations": packer.array("clip", rotations, TURN, order=2),
        "translations": packer.array("clip", clip.translations[:, joints], length, order=2),
    }
    if clip.scales is not None:
        group["scales"] = packer.array("clip", clip.scales[:, joints], TURN, order=2)
    return group


def packed_bodies(packer: Packer, bodies: Sequence[Body]) -> dict[str, Any]:
    """Bodies and their textures for the page."""
    textures: list[dict[str, Any]] = []
    packed = []
    for body in bodies:
        kept: dict[int | None, int] = {}
        for number, data in enumerate(body.textures):
            if len(data) <= LARGEST_TEXTURE:
                kept[number] = len(textures)
                textures.append(packer.file(data, media_type(data) or ""))
        meshes = [[_part(packer, part, kept) for part in mesh] for mesh in body.meshes]
        skins = [
            {**skin._asdict(), "inverses": [float(f"{number:.7g}") for number in skin.inverses.ravel()]}
            for skin in body.skins
        ]
        packed.append({"meshes": meshes, "skins": skins})
    return {"bodies": packed, "textures": textures}


def _part(packer: Packer, part: MeshPart, textures: dict[int | None, int]) -> dict[str, Any]:
    """A part of a mesh. textures: the page's texture for each of the body's that it has."""
    extent = float(np.ptp(part.positions, axis=0).max()) if len(part.positions) else 0.0
    packed = {
        "colour": part.material.colour,
        "shine": shine(part.material.roughness),
        "cutoff": part.material.cutoff,
        "positions": packer.array("mesh", part.positions, extent / FINE or 1.0),
        "faces": packer.array("mesh", part.faces),
        "joints": packer.array("mesh", part.joints),
        "weights": packer.array("mesh", part.weights, 1.0 / 255.0),
    }
    if part.normals is not None:
        packed["normals"] = packer.array("mesh", part.normals, 1.0 / 127.0)
    if part.colours is not None:  # as displayed, so that dark ones keep their hue
        packed["colours"] = packer.array("mesh", np.clip(part.colours, 0.0, 1.0) ** (1.0 / 2.2), 1.0 / 255.0)
    if part.material.texture in textures:
        packed["texture"] = textures[part.material.texture]
        if part.uvs is not None:
            packed["uvs"] = packer.array("mesh", part.uvs, 2.0**-13)
    return packed
