"""What a page stores: a clip, its ground and its bodies, as whole numbers that change little from row to row.

Such numbers compress well.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, MeshPart
from limbik.bodies.body_set import BodySet, parents_in
from limbik.errors import ArgumentError
from limbik.files.gltf.container import media_type
from limbik.rotations import continuous, normalized
from limbik.scenes.ground_patch import GroundPatch
from limbik.scenes.looks import shine
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain

MAX_STEPS = 2.0**29  # steps, whose second differences are whole numbers of 32 bits
ROTATION_STEP = 2.0**-15  # resolution of quaternion components: 0.03 mm at the end of a metre
LENGTH_STEP_SIZES = 1e-5  # resolution of lengths, over the figure's size
GROUND_STEP_SIZES = 2e-4  # resolution of ground vertices, over the figure's size
VERTEX_STEPS = 30_000  # resolution of vertices: this fraction of a mesh's extent
MAX_TEXTURE_BYTES = 1_000_000  # bytes; meshes with larger textures get their plain colour, so that pages stay small

Packed = Mapping[str, object]  # ready for JSON


class Packer:
    """Collects arrays and files; each method returns a description that tells the page where to find them."""

    def __init__(self) -> None:
        self._data = bytearray()

    def array(self, name: str, array: Array, step: float | None = None, order: int = 1) -> Packed:
        """Numbers (rows, ...), rounded to multiples of `step`, or whole ones.

        order: what is kept, 0 for the numbers, 1 for their differences from row to row, 2 for those of the differences,
        which are least where numbers change evenly. name: what they are, for the error.
        """
        rows = array.reshape(len(array), prod(array.shape[1:]))
        steps = np.asarray(rows, float) / (step or 1.0)
        if not np.all(np.abs(steps) < MAX_STEPS):
            raise ArgumentError(name, "numbers that are not finite, or very large", "metres of a world to look at")
        codes = _codes(np.rint(steps).astype(np.int32), order).T
        planes = max(1, (int(codes.max(initial=0)).bit_length() + 7) // 8)
        at = len(self._data)
        for plane in range(planes):
            self._data += (codes >> (8 * plane)).astype(np.uint8).tobytes()
        place = {"at": at, "rows": len(rows), "columns": rows.shape[1], "planes": planes, "order": order}
        return place if step is None else {**place, "step": step}

    def file(self, data: bytes, kind: str) -> Packed:
        """A file, such as an image. kind: its media type."""
        self._data += data
        return {"at": len(self._data) - len(data), "length": len(data), "type": kind}

    def finish(self, content: Packed) -> str:
        """All of it and what it means, as text that can stand anywhere in a page."""
        text = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        whole = len(text).to_bytes(4, "little") + text + self._data
        return base64.b64encode(zlib.compress(whole, 9)).decode()


def _codes(numbers: Array, order: int) -> Array:
    """Differences as numbers without a sign: even ones for 0 and above, odd ones below."""
    for _ in range(order):
        numbers = np.diff(numbers, axis=0, prepend=np.zeros_like(numbers[:1]))
    return ((numbers << 1) ^ (numbers >> 31)).view(np.uint32)


def pack_ground(packer: Packer, ground: GroundPatch, size: float) -> Packed:
    """A ground patch for the page. size: of a figure, metres."""
    packed = {
        "positions": packer.array("terrain", ground.vertices, GROUND_STEP_SIZES * size, order=2),
        "faces": packer.array("terrain", ground.faces),
        "middle": ground.middle,
        "margin": ground.margin,
    }
    return packed | ({"paint": packer.array("terrain", ground.paint)} if ground.paint.any() else {})


def pack_motion(packer: Packer, shown: SceneClip, bodies: BodySet, terrain: Terrain) -> Packed:
    """A clip for the page; its bodies are added to `bodies`."""
    clip, length = shown.clip, LENGTH_STEP_SIZES * shown.size
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
        "groups": [_pack_group(packer, clip, body, figures, length) for body, figures in groups],
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


def _pack_group(packer: Packer, clip: Clip, body: int, figures: list[Array], length: float) -> Packed:
    """Figures that share a body, each given by its joint numbers: their motions, one figure after the other."""
    joints = np.concatenate(figures)
    rotations = continuous(normalized(clip.rotations[:, joints]))
    group = {
        "body": body,
        "count": len(figures),
        "parents": parents_in(clip.skeleton, figures[0]).tolist(),
        "rotations": packer.array("clip", rotations, ROTATION_STEP, order=2),
        "translations": packer.array("clip", clip.translations[:, joints], length, order=2),
    }
    if clip.scales is not None:
        group["scales"] = packer.array("clip", clip.scales[:, joints], ROTATION_STEP, order=2)
    return group


def pack_bodies(packer: Packer, bodies: Sequence[Body]) -> Packed:
    """Bodies and their textures for the page."""
    textures: list[Packed] = []
    packed = []
    for body in bodies:
        kept: dict[int | None, int] = {}
        for number, data in enumerate(body.textures):
            if len(data) <= MAX_TEXTURE_BYTES:
                kept[number] = len(textures)
                textures.append(packer.file(data, media_type(data) or ""))
        meshes = [[_pack_part(packer, part, kept) for part in mesh] for mesh in body.meshes]
        skins = [
            {**skin._asdict(), "inverses": [float(f"{number:.7g}") for number in skin.inverses.ravel()]}
            for skin in body.skins
        ]
        packed.append({"meshes": meshes, "skins": skins})
    return {"bodies": packed, "textures": textures}


def _pack_part(packer: Packer, part: MeshPart, textures: dict[int | None, int]) -> Packed:
    """A part of a mesh. textures: the page's texture for each of the body's that it has."""
    extent = float(np.ptp(part.positions, axis=0).max()) if len(part.positions) else 0.0
    packed = {
        "colour": part.material.colour,
        "shine": shine(part.material.roughness),
        "cutoff": part.material.cutoff,
        "positions": packer.array("mesh", part.positions, extent / VERTEX_STEPS or 1.0),
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
