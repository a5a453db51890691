"""Bodies as a page keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.files.gltf.body_reader import Skin
from limbik.files.gltf.material_reader import kind_of
from limbik.files.gltf.primitive_reader import Part
from limbik.pages.packing import Packer
from limbik.scenes.body_set import Bodies

FINE = 30_000  # parts of a mesh's extent that its vertices are rounded to
MOST = 1_000_000  # bytes of a picture, so that pages stay small; without it a mesh has its plain colour


def packed_bodies(packer: Packer, bodies: Bodies) -> dict[str, Any]:
    """What the page is told of bodies, and of the pictures that they are painted with."""
    kept = [number for number, picture in enumerate(bodies.pictures) if len(picture) <= MOST]
    pictures = [packer.picture(bodies.pictures[number], kind_of(bodies.pictures[number]) or "") for number in kept]
    packed = [
        {
            "meshes": [[_part(packer, part, kept) for part in mesh] for mesh in body.meshes],
            "skins": [_skin(skin) for skin in body.skins],
        }
        for body in bodies.all
    ]
    return {"bodies": packed, "pictures": pictures}


def _skin(skin: Skin) -> dict[str, Any]:
    inverses = [float(f"{number:.7g}") for number in skin.inverses.ravel()]
    return {"mesh": skin.mesh, "joints": skin.joints, "inverses": inverses}


def _part(packer: Packer, part: Part, kept: list[int]) -> dict[str, Any]:
    """A part. kept: the numbers of the pictures that the page has."""
    extent = float(np.ptp(part.positions, axis=0).max()) if len(part.positions) else 0.0
    packed = {
        "colour": part.paint.colour,
        "cutoff": part.paint.cutoff,
        "positions": packer.array("mesh", part.positions, extent / FINE or 1.0),
        "faces": packer.array("mesh", part.faces),
        "joints": packer.array("mesh", part.joints),
        "weights": packer.array("mesh", part.weights, 1.0 / 255.0),
    }
    if part.normals is not None:
        packed["normals"] = packer.array("mesh", part.normals, 1.0 / 127.0)
    if part.paint.picture in kept:
        packed["picture"] = kept.index(part.paint.picture)
        if part.uvs is not None:
            packed["uvs"] = packer.array("mesh", part.uvs, 2.0**-13)
    return packed
