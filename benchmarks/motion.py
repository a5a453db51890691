"""What games and pipelines call in every frame or for every file: reach, tracks, creatures, ground, files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from limb_calls import LIMBS, Array, limb
from peers import READERS, quiet
from report import Row, duration, installed
from timing import Effort, Work, round_robin

import limbik

CREATURES = ("biped", "quadruped", "hexapod", "spider", "centipede")
GROUNDS = ("plane", "hills")
CROWD = 1_000
WARM_STEPS = 600  # before a creature is measured
CLIP_FRAMES = 10_000
ASIDE = (0.04, 0.06, 0.05)  # metres by which hands and feet are moved
SHELL = ["-m", "limbik", "solve", "planar", "--lengths", "1", "1", "--target", "1", "1"]


def motion_rows(effort: Effort) -> list[Row]:
    """Reach, tracks, torch tensors, grounding and files; limbik alone, or beside a copy or a package that reads."""
    found = [row for name, work in _works().items() for row in _timed({name: work}, effort)]
    with tempfile.TemporaryDirectory(prefix="limbik-benchmark-") as folder:
        for suffix, (package, load) in READERS.items():
            path = Path(folder) / f"walk{suffix}"
            limbik.save(limbik.samples.walk(), path)
            works: dict[str, Work] = {f"load {path.name}": lambda path=path: limbik.load(path)}
            if release := installed(package):
                works[f"load {path.name}, {package} {release}"] = lambda load=load, path=path: load(path)
            found += _timed(works, effort)
    return found


def _works() -> dict[str, Work]:
    rng, solve = np.random.default_rng(0), {name: limb(name).solve for name in LIMBS}
    walk = limbik.samples.walk()
    again = np.arange(CLIP_FRAMES) % len(walk)
    clip = walk.with_(rotations=walk.rotations[again], translations=walk.translations[again])
    wrist = limbik.find_limbs(clip.skeleton)["left_arm"]
    targets = clip.positions()[:, wrist.joints[-1]] + ASIDE
    pose, places = walk[10], walk[10].positions()
    limbs = limbik.find_limbs(pose.skeleton).items()
    goals: Any = {name: (places[one.joints[-1]] + ASIDE).tolist() for name, one in limbs}
    single = rng.normal(size=(2, 1_000, 3)).astype("float32") * 0.3
    works: dict[str, Work] = {
        "1,000 two-link rotations, float32": lambda: solve["two-link"](*single).rotations,
        "reach with four limbs, one pose": lambda: pose.reach(goals),
        f"reach with an arm, {CLIP_FRAMES:,} frames of {len(clip.skeleton)} joints": lambda: clip.reach(wrist, targets),
        "a copy of their rotations": clip.rotations.copy,
        f"ground a walk of {len(walk)} frames on hills": lambda: limbik.ground(walk, "hills:height=0.3"),
    }
    for count in (1, 4, 1_000):
        works[f"a track of {count:,} three-link limb{'s' * (count > 1)}, one frame, joints"] = _next_frame(rng, count)
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
        for count in (1, 1_000):
            given = [torch.randn(count, 3, dtype=torch.float64) * 0.3 for _ in range(2)]
            name = f"{count:,} three-link joints, torch on the CPU"
            works[name] = lambda given=given: solve["three-link"](*given).joints
    return works


def _next_frame(rng: np.random.Generator, count: int) -> Work:
    """A track that each call continues by one frame; its joints are read."""
    leg, target, up = limb("three-link"), rng.normal(size=(1, count, 3)) * 0.3, rng.normal(size=(count, 3))
    last: list[Any] = [None, 0.0]

    def work() -> Array:
        last[1] += 1e-5
        last[0] = leg.track(target + last[1], up, previous=last[0])
        return last[0].joints

    return work


def _timed(works: dict[str, Work], effort: Effort) -> list[Row]:
    with quiet(), limbik.warm_up():
        for _ in range(3):  # a track's second frame has a kernel of its own
            for work in works.values():
                work()
    with quiet():
        timed = round_robin(works, effort)
    return [
        {"call": name, **{key: duration(one[key]) for key in ("best", "median")}, "of a core": duration(one["cpu"])}
        for name, one in timed.items()
    ]


def creature_rows(effort: Effort) -> list[Row]:
    """The time of `walker.step(1 / 60)` at half the top speed, of a core."""
    kinds = {**dict.fromkeys(CREATURES, 1), "hexapod ": CROWD}
    found = []
    for kind, count in kinds.items():
        row: Row = {"creature": f"{count:,} {kind.strip()}s" if count > 1 else kind}
        for ground in GROUNDS:
            walker = limbik.Walker(kind.strip(), ground, count=count)
            with limbik.warm_up():
                walker.step(1 / 60, velocity=(0.0, 0.5 * walker.fastest))
                for _ in range(WARM_STEPS if count == 1 else 60):
                    walker.step(1 / 60)
            row[ground] = duration(round_robin({"": lambda walker=walker: walker.step(1 / 60)}, effort)[""]["cpu"])
        found.append(row)
    return found


def start_rows(repeats: int) -> list[Row]:
    """Importing limbik beyond importing NumPy, and one solve from the command line: new processes in turn, the best."""
    programs = {"import numpy": ["-c", "import numpy"], "import limbik": ["-c", "import limbik"], "limbik solve": SHELL}
    best = dict.fromkeys(programs, float("inf"))
    setting = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(repeats + 1):
        for name, words in programs.items():
            start = perf_counter()
            subprocess.run([sys.executable, *words], env=setting, check=True, capture_output=True)
            best[name] = min(best[name], perf_counter() - start)
    beyond = best["import limbik"] - best["import numpy"]
    return [
        {"process": "import limbik, beyond import numpy", "best": duration(beyond)},
        {"process": "`limbik solve` from the shell", "best": duration(best["limbik solve"])},
    ]
