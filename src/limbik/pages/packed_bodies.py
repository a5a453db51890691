"""Bodies as a page stores them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.bodies.body import Body, MeshPart, Skin
from limbik.files.gltf.material_reader import media_type
from limbik.pages.packing import Packer

FINE = 30_000  # resolution of vertices: this fraction of a mesh's extent
LARGEST_TEXTURE = 1_000_000  # bytes; meshes with larger textures get their plain colour, so that pages stay small


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
        packed.append({"meshes": meshes, "skins": [_skin(skin) for skin in body.skins]})
    return {"bodies": packed, "textures": textures}


def _skin(skin: Skin) -> dict[str, Any]:
    inverses = [float(f"{number:.7g}") for number in skin.inverses.ravel()]
    return {"mesh": skin.mesh, "joints": skin.joints, "inverses": inverses}


def _part(packer: Packer, part: MeshPart, textures: dict[int | None, int]) -> dict[str, Any]:
    """A part of a mesh. textures: the page's texture for each of the body's that it has."""
    extent = float(np.ptp(part.positions, axis=0).max()) if len(part.positions) else 0.0
    packed = {
        "colour": part.material.colour,
        "cutoff": part.material.cutoff,
        "positions": packer.array("mesh", part.positions, extent / FINE or 1.0),
        "faces": packer.array("mesh", part.faces),
        "joints": packer.array("mesh", part.joints),
        "weights": packer.array("mesh", part.weights, 1.0 / 255.0),
    }
    if part.normals is not None:
        packed["normals"] = packer.array("mesh", part.normals, 1.0 / 127.0)
    if part.material.texture in textures:
        packed["texture"] = textures[part.material.texture]
        if part.uvs is not None:
            packed["uvs"] = packer.array("mesh", part.uvs, 2.0**-13)
    return packed
