"""A clip and its ground as a page stores them."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body_set import BodySet, parents_in
from limbik.pages.packing import Packer
from limbik.rotations import continuous, normalized
from limbik.scenes.ground_patch import GroundPatch
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain

TURN = 2.0**-15  # resolution of quaternion components: 0.03 mm at the end of a metre
LENGTH = 1e-5  # resolution of lengths, over the figure's size
GROUND = 2e-4  # resolution of ground vertices, over the figure's size


def packed_ground(packer: Packer, ground: GroundPatch, size: float) -> dict[str, Any]:
    """A ground patch for the page. size: of a figure, metres."""
    return {
        "positions": packer.array("terrain", ground.vertices, GROUND * size, order=2),
        "faces": packer.array("terrain", ground.faces),
        "middle": ground.middle,
        "margin": ground.margin,
    }


def packed_motion(packer: Packer, shown: SceneClip, bodies: BodySet, terrain: Terrain) -> dict[str, Any]:
    """A clip for the page; its bodies are added to `bodies`."""
    clip, length = shown.clip, LENGTH * shown.size
    return {
        "fps": clip.fps,
        "frames": len(clip),
        "radius": shown.radius,
        "centres": packer.array("clip", shown.centres, length, order=2),
        "feet": [clip.skeleton.names[foot] for foot in clip.feet],
        "plants": [[foot, first / clip.fps, stop / clip.fps] for foot, first, stop in shown.plants],
        "marks": packer.array("clip", shown.marks(terrain), length),
        "groups": [_group(packer, clip, body, figures, length) for body, figures in bodies.groups(clip)],
    }


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
