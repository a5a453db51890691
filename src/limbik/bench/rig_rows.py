"""Rigs, clips and creatures: reading files beside the peers, reach, ground and walk."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from limbik import __version__, samples
from limbik.bench.peers import Reader, installed, quiet, readers
from limbik.bench.timing import Effort, Work, round_robin
from limbik.engines.loading import warm_up
from limbik.errors import LimbikError
from limbik.files.clip_files import SUFFIXES, load, save
from limbik.gait.walker import Walker
from limbik.grounding.ground import ground
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import find_limbs

FRAMES = 10_000  # of the clip whose limb is posed
ASIDE = (0.04, 0.06, 0.05)  # metres by which its hand is moved
CROWD = 1_000
CRUISE = (0.0, 0.35)  # metres a second along x and z
WARM = 120  # steps before creatures are measured
COPY = "a copy of its rotations"


def real_files(folder: Path) -> list[Path]:
    """The motion files in a folder and its subfolders."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def file_rows(effort: Effort, folder: Path | None, assets: Path | None) -> list[dict[str, Any]]:
    """Rows for limbik and each peer reading a sample walk as .bvh and .glb, and the files of a folder."""
    with tempfile.TemporaryDirectory(prefix="limbik-bench-") as temporary:
        made = [Path(temporary) / f"walk{suffix}" for suffix in (".bvh", ".glb")]
        for path in made:
            save(samples.walk(), path)
        return [row for path in (*made, *(real_files(assets) if assets else ())) for row in _read(path, effort, folder)]


def _read(path: Path, effort: Effort, folder: Path | None) -> list[dict[str, Any]]:
    try:
        job = f"load {path.name}, {_size(load(path))}"
    except LimbikError as error:
        return [{"job": f"load {path.name}", "who": "limbik", "skipped": str(error)}]
    works: dict[str, Work] = {"limbik": lambda: load(path)}
    versions = {"limbik": __version__}
    absent: list[dict[str, Any]] = []
    for peer in readers(folder, path.suffix.lower()):
        release = installed(peer)
        fault = "not installed" if release is None else _fault(peer, path)
        if fault:
            absent.append({"job": job, "who": peer.DISTRIBUTION, "skipped": fault})
        else:
            works[peer.DISTRIBUTION] = lambda peer=peer: peer.load(path)
            versions[peer.DISTRIBUTION] = release or ""
    return [*_timed(job, works, versions, effort), *absent]


def _fault(peer: Reader, path: Path) -> str:
    """The reason why a peer cannot read a file, or an empty string."""
    try:
        with quiet():
            peer.load(path)
    except Exception as error:  # a failing peer must not end the run
        return f"failed: {type(error).__name__}: {error}"
    return ""


def reach_rows(effort: Effort) -> list[dict[str, Any]]:
    """`reach` with an arm in every frame of a long clip, beside a copy of the rotations it writes."""
    walk = samples.walk()
    again = np.arange(FRAMES) % len(walk)
    clip = walk.with_(rotations=walk.rotations[again], translations=walk.translations[again])
    arm = find_limbs(clip.skeleton)["left_arm"]
    targets = clip.positions()[:, arm.joints[-1]] + ASIDE
    works: dict[str, Work] = {"limbik": lambda: clip.reach(arm, targets), COPY: clip.rotations.copy}
    rows = _timed(f"reach with an arm, {_size(clip)}", works, {"limbik": __version__, COPY: ""}, effort)
    return rows + _timed("reach with four limbs, one pose", {"limbik": four_limbs()}, {"limbik": __version__}, effort)


def four_limbs() -> Work:
    """One frame of a game: hands and feet of one pose, each moved to a place of its own."""
    pose = samples.walk()[10]
    limbs = find_limbs(pose.skeleton)
    positions = pose.positions()
    goals: dict[Any, Any] = {name: (positions[limb.joints[-1]] + ASIDE).tolist() for name, limb in limbs.items()}
    return lambda: pose.reach(goals)


def motion_rows(effort: Effort) -> list[dict[str, Any]]:
    """One frame of one and of a thousand creatures, and a walk grounded on hills; no peer does these."""
    one, many = Walker("hexapod", "plane"), Walker("hexapod", "hills", count=CROWD)
    walk = samples.walk()
    with warm_up():  # all kernels of a step, some of which only footholds need
        for walker in (one, many):
            for _ in range(WARM):
                walker.step(1 / 60, CRUISE)

    def crowd() -> Any:
        many.step(1 / 60, CRUISE)
        return many.pose

    works: dict[str, Work] = {
        "one hexapod, a step": lambda: one.step(1 / 60, CRUISE),
        f"{CROWD:,} hexapods on hills, a step and their pose": crowd,
        f"ground a walk on hills, {_size(walk)}": lambda: ground(walk, "hills:height=0.3"),
    }
    return [
        row for job, work in works.items() for row in _timed(job, {"limbik": work}, {"limbik": __version__}, effort)
    ]


def _timed(job: str, works: dict[str, Work], versions: dict[str, str], effort: Effort) -> list[dict[str, Any]]:
    with quiet():
        samples = round_robin(works, effort)
    return [
        {"job": job, "who": who, "version": versions[who], "seconds": one.as_dict()} for who, one in samples.items()
    ]


def _size(clip: Clip) -> str:
    return f"{len(clip.skeleton)} joints × {len(clip):,} frames"
