"""What a clip file contains, gathered for people and for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.files.bvh.bvh_reader import BvhSource
from limbik.files.gltf import vrm
from limbik.files.gltf.gltf_reader import GltfSource, animations_of
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb, Skeleton
from limbik.skeleton.units import METRE

STEADY = 1e-4  # a bone whose length varies by less than this part of it keeps its length
DEFINED = "as glTF defines it"
ANIMATION = ("name", "frames", "fps", "start", "duration")


def contents(path: Path, clip: Clip) -> dict[str, Any]:
    """What a file contains, and a clip of it, for JSON. Lengths are metres, times seconds; a root's parent is -1."""
    skeleton, source = clip.skeleton, clip.source
    bvh = source if isinstance(source, BvhSource) else None
    gltf = source if isinstance(source, GltfSource) else None
    at_rest = Pose.rest(skeleton).positions()
    positions = clip.positions() if len(clip) else at_rest[None]
    heights = np.ptp(positions[..., 1], axis=-1)
    joints = zip(skeleton.names, skeleton.parents.tolist(), skeleton.end_sites.tolist(), strict=True)
    animations = animations_of(gltf.document) if gltf else ()
    unit = DEFINED if clip.unit == METRE else "guessed: in metres the figure would be a giant"
    up = {"axis": "y", "known": DEFINED}
    if bvh:
        unit = "guessed from the figure's size"
        up = {"axis": bvh.up, "known": "guessed from the floor that the figure stands on"}
    return {
        "file": str(path),
        "format": path.suffix.lower()[1:],
        "bytes": path.stat().st_size,
        "joints": [{"name": name, "parent": parent, "end_site": end} for name, parent, end in joints],
        "animations": [{key: getattr(one, key) for key in ANIMATION} for one in animations],
        "animation": gltf.animation if gltf else None,
        "vrm": vrm.about(gltf.document) if gltf else None,
        "frames": len(clip),
        "frames_claimed": bvh.motion.claimed if bvh else len(clip),
        "fps": clip.fps,
        "start": clip.start,
        "duration": clip.duration,
        "unit": {"name": clip.unit.name, "metres": clip.unit.metres, "known": unit},
        "up": up,
        "height": {
            "rest": float(np.ptp(at_rest[:, 1])),
            "least": float(heights.min()),
            "most": float(heights.max()),
        },
        "terrain": None if clip.terrain is None else repr(clip.terrain),
        "limbs": _limbs(clip, positions),
    }


def _limbs(clip: Clip, positions: Array) -> dict[str, Any]:
    try:
        found = find_limbs(clip)
    except NoLimbsError:
        return {}
    return {name: _limb(clip.skeleton, limb, positions) for name, limb in found.items()}


def _limb(skeleton: Skeleton, limb: RigLimb, positions: Array) -> dict[str, Any]:
    """A limb, the median lengths of its bones, and by how much those vary over time."""
    bones = np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1)
    lengths, variations = np.median(bones, axis=0), np.ptp(bones, axis=0)
    return {
        "kind": limb.kind,
        "side": limb.side,
        "joints": [skeleton.names[joint] for joint in limb.joints],
        "toes": [skeleton.names[joint] for joint in limb.toes],
        "stands": limb.stands,
        "lengths": lengths.tolist(),
        "variations": variations.tolist(),
        "vary": bool(np.any(variations > STEADY * lengths)),
    }
