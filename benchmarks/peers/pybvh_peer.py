"""pybvh: reads BVH into angles; quaternions are one call more."""

from __future__ import annotations

from pathlib import Path

PACKAGE = "pybvh"
DISTRIBUTION = "pybvh"
SUFFIXES = (".bvh",)


def load(path: Path) -> object:
    """The joints' positions and quaternions, which is what a clip holds."""
    from pybvh import read_bvh_file  # pyright: ignore[reportMissingImports]

    return read_bvh_file(path).to_quat()
