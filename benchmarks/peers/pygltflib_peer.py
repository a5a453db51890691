"""pygltflib: reads glTF into objects; the numbers of meshes and animations stay bytes."""

from __future__ import annotations

from pathlib import Path

PACKAGE = "pygltflib"
DISTRIBUTION = "pygltflib"
SUFFIXES = (".glb", ".gltf")


def load(path: Path) -> object:
    """The document."""
    from pygltflib import GLTF2  # pyright: ignore[reportMissingImports]

    return GLTF2().load(path)
