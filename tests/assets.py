"""Real motion capture, rigs and robots: public files, read from a folder outside the repository.

The folder is LIMBIK_ASSETS, or ../shared/assets beside the clone. `python -m tests.assets` prints where each file comes
from and checks the files that are there against their SHA-256 (tests/assets.toml).
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

FOLDER = Path(os.environ.get("LIMBIK_ASSETS") or Path(__file__).parents[2] / "shared" / "assets")
MANIFEST = Path(__file__).with_suffix(".toml")
PRESENT = FOLDER.is_dir() or bool(os.environ.get("CI"))


def present(*names: str) -> list[str]:
    """The assets among the cases of a test: none where the folder is missing, so that the samples stand in for them."""
    return list(names) if PRESENT else []


SAMPLE_BVH, SAMPLE_GLB = "sample/walk.bvh", "sample/walk.glb"  # limbik's own walk, the latter with a skin
CLIPS = present(*(f"bvh/cmu_{take}.bvh" for take in ("02_01", "03_01", "07_01", "16_15", "16_17", "16_35", "35_01")))
RIGS = present(
    "gltf/Fox.glb",
    "gltf/RecursiveSkeletons.glb",
    "gltf/RiggedFigure.glb",
    "gltf/RiggedSimple.glb",
    "gltf/SimpleSkin.gltf",
)
CLIP = (CLIPS or [SAMPLE_BVH])[0]  # any clip of a person


@cache
def _samples() -> Path:
    from limbik import samples, save

    folder = Path(mkdtemp(prefix="limbik-samples-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    save(samples.walk(90), folder / Path(SAMPLE_BVH).name)
    save(samples.character(90), folder / Path(SAMPLE_GLB).name)
    return folder


def asset(name: str) -> Path:
    """The path of an asset, such as "gltf/Fox.glb". Where it is missing the test is skipped; in CI it fails."""
    if name in (SAMPLE_BVH, SAMPLE_GLB):
        return _samples() / Path(name).name
    path = FOLDER / name
    if not path.exists():
        import pytest  # the script below needs nothing but Python

        message = f"{path} is missing; `python -m tests.assets` says where it comes from"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


def states(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of every asset and its state in a folder: "ok", "missing" or "differs"."""
    for group, about in tomllib.loads(MANIFEST.read_text()).items():
        for name, expected in about["sha256"].items():
            path = folder / group / name
            found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
            yield f"{group}/{name}", "missing" if found is None else "ok" if found == expected else "differs"


def main() -> int:
    """Prints the sources and the state of every file; the exit status is 1 unless all are ok."""
    for group, about in tomllib.loads(MANIFEST.read_text()).items():
        print(f"{group}/: {about['what']}\n  from {about['where']}\n  licence: {about['licence']}")
    found = dict(states(FOLDER))
    print(f"\n{FOLDER} (set LIMBIK_ASSETS for another folder):")
    for name, state in found.items():
        print(f"  {state:8} {name}")
    return 0 if set(found.values()) == {"ok"} else 1


if __name__ == "__main__":
    sys.exit(main())
