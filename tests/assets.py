"""Real motion capture and rigs, read from beside the repository: never copied into it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "shared" / "assets"
CLIPS = [f"bvh/cmu_{take}.bvh" for take in ("02_01", "03_01", "07_01", "16_15", "16_17", "16_35", "35_01")]
RIGS = [
    "gltf/Fox.glb",
    "gltf/RecursiveSkeletons.glb",
    "gltf/RiggedFigure.glb",
    "gltf/RiggedSimple.glb",
    "gltf/SimpleSkin.gltf",
]


def asset(name: str) -> Path:
    """The path of an asset, such as "gltf/Fox.glb". Where there are none the test is skipped; in CI it fails."""
    path = FOLDER / name
    if not path.exists():
        message = f"{path} is missing: the real clips and rigs are not part of the repository"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path
